#include "solver/projection/body_motions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solver/core/error.hpp"
#include "solver/core/names.hpp"
#include "solver/simulation/flow_checks.hpp"
#include "solver/solids/body_reach.hpp"

namespace dns {
namespace {

/// Whether the motion of a body turns it.
bool turns(const SolidCase& body) {
  return body.motion && std::ranges::any_of(body.motion->rotation, [](const Expression& formula) {
           return !formula.is_zero();
         });
}

std::string number_name(const SolidCase& body, const char* what, std::size_t n) {
  return fmt::format("motion_{}_{}_{}", what, body.name, n);
}

BodyAtTime::Shape shape_in_motion(SolidCase::Shape shape) {
  switch (shape) {
    case SolidCase::Shape::sphere:
      return BodyAtTime::Shape::sphere;
    case SolidCase::Shape::cylinder:
      return BodyAtTime::Shape::cylinder;
    case SolidCase::Shape::box:
      return BodyAtTime::Shape::box;
    default:
      return BodyAtTime::Shape::formula;
  }
}

constexpr std::array<const char*, 4> quaternion_parts{"w", "x", "y", "z"};

}  // namespace

BodyMotions::BodyMotions(const Case& resolved) : case_(resolved) {
  for (const SolidCase& body : resolved.solids) {
    displaced_.push_back(displaced_fluid(body, resolved));
    BodyPose& pose = poses_.emplace_back();
    pose.place = body.center;
    middles_.push_back(body.center);
  }
  gain_.assign(poses_.size(), {});
}

void BodyMotions::start(const FlowState* copy, double t) {
  for (std::size_t n = 0; n < poses_.size(); ++n) {
    const SolidCase& body = case_.solids[n];
    BodyPose& pose = poses_[n];
    pose = pose_at_start(body, t);
    if (copy != nullptr && body.motion) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        pose.place[axis] =
            find_number(*copy, number_name(body, "place", axis)).value_or(pose.place[axis]);
      }
      for (std::size_t part = 0; part < pose.orientation.size(); ++part) {
        pose.orientation[part] = find_number(*copy, number_name(body, "orientation", part))
                                     .value_or(pose.orientation[part]);
      }
    }
    middles_[n] = pose.place;
  }
  gain_.assign(poses_.size(), {});
}

void BodyMotions::move(double t, double dt, const StaggeredGrid& grid) {
  for (std::size_t n = 0; n < poses_.size(); ++n) {
    const SolidCase& body = case_.solids[n];
    if (!body.motion) continue;
    const BodyPose before = poses_[n];
    BodyPose& now = poses_[n];
    now = moved_pose(body, before, t, dt);
    require_fitting_step(body, before, now, t + dt, grid);
    const BodyMomentum had = momentum_of(displaced_[n], before);
    const BodyMomentum has = momentum_of(displaced_[n], now);
    const PerAxis<double> carried_before = cross_product(before.velocity, had.linear);
    const PerAxis<double> carried_now = cross_product(now.velocity, has.linear);
    for (int axis = 0; axis < 3; ++axis) {
      middles_[n][axis] = (before.place[axis] + now.place[axis]) / 2;
      const std::size_t sum = axis;
      gain_[n][sum] += has.linear[axis] - had.linear[axis];
      gain_[n][3 + sum] += has.angular[axis] - had.angular[axis] +
                           dt / 2 * (carried_before[axis] + carried_now[axis]);
    }
  }
}

std::vector<BodyLoads> BodyMotions::take_gain() {
  return std::exchange(gain_, std::vector<BodyLoads>(poses_.size(), BodyLoads{}));
}

void BodyMotions::add_to(FlowState& copy) const {
  for (std::size_t n = 0; n < poses_.size(); ++n) {
    const SolidCase& body = case_.solids[n];
    if (!body.motion) continue;
    for (std::size_t axis = 0; axis < 3; ++axis)
      copy.numbers.push_back({number_name(body, "place", axis), poses_[n].place[axis]});
    for (std::size_t part = 0; part < poses_[n].orientation.size(); ++part)
      copy.numbers.push_back({number_name(body, "orientation", part), poses_[n].orientation[part]});
  }
}

BodyImpulseRecord::BodyImpulseRecord(const Case& resolved, const FlowState* copy, double t)
    : total_(resolved.solids.size()), time_(t), row_(t), row_before_(t) {
  at_row_ = at_row_before_ = total_;
  if (copy == nullptr) return;
  row_ = find_number(*copy, "motion_time_of_row").value_or(t);
  row_before_ = find_number(*copy, "motion_time_of_row_before").value_or(t);
  const auto read = [&](const char* what, std::vector<BodyLoads>& loads) {
    for (std::size_t n = 0; n < loads.size(); ++n) {
      for (std::size_t sum = 0; sum < loads[n].size(); ++sum)
        loads[n][sum] = find_number(*copy, number_name(resolved.solids[n], what, sum)).value_or(0);
    }
  };
  read("impulse", total_);
  read("impulse_at_row", at_row_);
  read("impulse_at_row_before", at_row_before_);
}

void BodyImpulseRecord::add(const std::vector<BodyLoads>& impulses, double t, bool is_row) {
  for (std::size_t n = 0; n < total_.size(); ++n) {
    for (std::size_t sum = 0; sum < total_[n].size(); ++sum) total_[n][sum] += impulses[n][sum];
  }
  time_ = t;
  if (!is_row) return;
  at_row_before_ = std::exchange(at_row_, total_);
  row_before_ = std::exchange(row_, t);
}

std::vector<BodyLoads> BodyImpulseRecord::means() const {
  const bool is_at_row = time_ == row_;
  const double since = is_at_row ? row_before_ : row_;
  const std::vector<BodyLoads>& before = is_at_row ? at_row_before_ : at_row_;
  std::vector<BodyLoads> means(total_.size());
  if (!(time_ > since)) return means;
  for (std::size_t n = 0; n < means.size(); ++n) {
    for (std::size_t sum = 0; sum < means[n].size(); ++sum)
      means[n][sum] = (total_[n][sum] - before[n][sum]) / (time_ - since);
  }
  return means;
}

void BodyImpulseRecord::add_to(const Case& resolved, FlowState& copy) const {
  const auto add_loads = [&](const char* what, const std::vector<BodyLoads>& loads) {
    for (std::size_t n = 0; n < loads.size(); ++n) {
      for (std::size_t sum = 0; sum < loads[n].size() && resolved.solids[n].motion; ++sum)
        copy.numbers.push_back({number_name(resolved.solids[n], what, sum), loads[n][sum]});
    }
  };
  add_loads("impulse", total_);
  add_loads("impulse_at_row", at_row_);
  add_loads("impulse_at_row_before", at_row_before_);
  copy.numbers.push_back({"motion_time_of_row", row_});
  copy.numbers.push_back({"motion_time_of_row_before", row_before_});
}

std::vector<std::string> names_of_poses(const Case& resolved) {
  std::vector<std::string> names;
  for (const SolidCase& body : resolved.solids) {
    if (!body.motion) continue;
    for (const char* const what : {"position", "velocity", "rotation"}) {
      for (const std::string& axis : axis_names)
        names.push_back(fmt::format("{}_{}_{}", what, body.name, axis));
    }
    for (const char* const part : quaternion_parts) {
      if (turns(body)) names.push_back(fmt::format("quaternion_{}_{}", body.name, part));
    }
  }
  return names;
}

std::vector<double> values_of_poses(const Case& resolved, const std::vector<BodyPose>& poses) {
  std::vector<double> values;
  for (std::size_t n = 0; n < poses.size(); ++n) {
    if (!resolved.solids[n].motion) continue;
    const BodyPose& pose = poses[n];
    for (const PerAxis<double>& of : {pose.place, pose.velocity, pose.rotation})
      values.insert(values.end(), of.begin(), of.end());
    if (turns(resolved.solids[n]))
      values.insert(values.end(), pose.orientation.begin(), pose.orientation.end());
  }
  return values;
}

BodyAtTime body_at_time(const Case& resolved,
                        std::size_t body,
                        const BodyPose& pose,
                        int variable) {
  const SolidCase& of = resolved.solids[body];
  BodyAtTime made;
  made.shape = shape_in_motion(of.shape);
  made.number = static_cast<int>(body);
  made.place = pose.place;
  made.turn = matrix_of(pose.orientation);
  made.radius = of.radius;
  made.axis = of.axis;
  made.start = of.center;
  made.is_turned = pose.orientation != BodyPose{}.orientation;
  if (of.shape == SolidCase::Shape::formula)
    made.instructions = static_cast<int>(of.surface.program().size());
  made.middle = made.place;
  if (of.shape == SolidCase::Shape::box) {
    PerAxis<double> from_centre{};
    for (int axis = 0; axis < 3; ++axis) {
      from_centre[axis] = (of.low[axis] + of.high[axis]) / 2 - of.center[axis];
      made.half[axis] = (of.high[axis] - of.low[axis]) / 2;
    }
    const PerAxis<double> way = product(made.turn, from_centre);
    for (int axis = 0; axis < 3; ++axis) made.middle[axis] += way[axis];
  }
  if (of.shape == SolidCase::Shape::cylinder)
    made.half[of.axis] = of.length ? *of.length / 2 : std::numeric_limits<double>::infinity();
  made.velocity = of.motion ? pose.velocity : of.velocity;
  made.rotation = of.motion ? pose.rotation : of.rotation;
  if (!is_velocity(variable)) {
    made.scalar = of.scalar(variable).value;
    made.is_insulated = of.scalar(variable).is_insulated();
  }
  return made;
}

void refuse_crowd(const Case& resolved, int most) {
  throw CaseError(fmt::format(
      "solids: more than {} of the {} bodies are within some cells of one another, which a case "
      "with motion cannot have; formulas count as near everywhere",
      most,
      resolved.solids.size()));
}

LineCoordinates::LineCoordinates(const StaggeredAxis& along,
                                 const Subdomain& part,
                                 int axis,
                                 int before) {
  const int n = along.cells();
  for (int local = -before; local < part.points()[axis] + before; ++local) {
    const int index = local + part.first(axis);
    const int images = static_cast<int>(std::floor(static_cast<double>(index) / n));
    const bool repeats = along.is_periodic;
    const int cell = repeats ? index - images * n : std::clamp(index, 0, n - 1);
    const double shift = repeats ? images * along.length() : 0;
    faces.push_back((repeats ? along.face(cell) : along.face(std::clamp(index, 0, n))) + shift);
    centres.push_back(along.centre(cell) + shift);
    widths.push_back(along.mirrored_width(repeats ? cell : index));
    distances.push_back(along.mirrored_distance(repeats ? cell : std::clamp(index, 0, n)));
  }
}

}  // namespace dns
