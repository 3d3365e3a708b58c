#include "solver/projection/body_motions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "solver/core/error.hpp"
#include "solver/core/names.hpp"
#include "solver/simulation/flow_checks.hpp"
#include "solver/solids/body_reach.hpp"

namespace dns {
namespace {

/// The list of a copy for restart that has numbers of bodies of an entry.
std::string list_name(const SolidCase& body, const char* what) {
  return body.entry + "_" + what;
}

/// Adds number n of a body to a copy for restart: by its name, or of one of several to a list, in
/// the order of calls.
void add_number(
    const SolidCase& body, const char* what, std::size_t n, double value, FlowState& copy) {
  if (!body.is_one_of_several()) {
    copy.numbers.push_back({fmt::format("motion_{}_{}_{}", what, body.name, n), value});
    return;
  }
  const std::string name = list_name(body, what);
  auto found = std::ranges::find(copy.bodies, name, &NamedList::name);
  if (found == copy.bodies.end()) found = copy.bodies.insert(found, NamedList{name});
  found->values.push_back(value);
}

/// Number n of `count` of a body in a copy for restart.
std::optional<double> number_of(const SolidCase& body,
                                const char* what,
                                std::size_t n,
                                std::size_t count,
                                const FlowState& copy) {
  if (!body.is_one_of_several())
    return find_number(copy, fmt::format("motion_{}_{}_{}", what, body.name, n));
  const auto found = std::ranges::find(copy.bodies, list_name(body, what), &NamedList::name);
  const std::size_t place = count * body.number + n;
  if (found == copy.bodies.end() || place >= found->values.size()) return std::nullopt;
  return found->values[place];
}

/// Calls act(what, values) with what copies for restart have of a pose: what a prescribed motion
/// gives is none of it.
template <class Pose, class Act>
void for_kept_numbers(const SolidCase& body, Pose& pose, const Act& act) {
  act("place", pose.place);
  act("orientation", pose.orientation);
  if (!body.free) return;
  act("velocity", pose.velocity);
  act("rotation", pose.rotation);
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

/// The buoyancy of fluid with the values of a body [U^2/L]: what acts on the unknowns in it, and so
/// is part of the force that they give.
PerAxis<double> buoyancy_inside(const Case& resolved, const SolidCase& body) {
  PerAxis<double> buoyancy{};
  if (!resolved.buoyancy) return buoyancy;
  double rises = 0;
  double first_weight = 0;  // of the scalar with the reference temperature
  for (int n = 0; n < resolved.scalar_count(); ++n) {
    const double weight = resolved.buoyancy_weight(first_scalar + n);
    if (first_weight == 0) first_weight = weight;
    rises += weight * body.scalar(first_scalar + n).value;
  }
  rises -= first_weight * resolved.buoyancy->reference_temperature;
  for (int axis = 0; axis < 3; ++axis) buoyancy[axis] = resolved.buoyancy_along()[axis] * rises;
  return buoyancy;
}

/// Largest width of the cells at the middle and the ends of a body, across a cylinder's axis [L].
double cell_width_at(const SolidCase& body,
                     const PerAxis<double>& place,
                     const StaggeredGrid& grid) {
  double width = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (body.shape == SolidCase::Shape::cylinder && axis == body.axis) continue;
    const StaggeredAxis& along = grid[axis];
    for (const double x : {place[axis] - body.radius, place[axis], place[axis] + body.radius}) {
      const double periods =
          along.is_periodic ? std::floor((x - along.faces.front()) / along.length()) : 0;
      const auto above = std::ranges::upper_bound(along.faces, x - periods * along.length());
      const auto cell = static_cast<int>(above - along.faces.begin()) - 1;
      width = std::max(width, along.width(std::clamp(cell, 0, along.cells() - 1)));
    }
  }
  return width;
}

/// Acceleration that a pressure gradient gives a flow which starts with a uniform velocity; 0 for
/// other flows, where it is not known [U^2/L].
PerAxis<double> acceleration_at_start(const Case& resolved) {
  const InitialCase& initial = resolved.initial;
  const bool is_uniform = !initial.file && !initial.turbulent_channel &&
                          std::ranges::all_of(initial.velocity, &Expression::is_constant);
  const bool is_known = resolved.forcing.kind == ForcingCase::Kind::pressure_gradient;
  return is_uniform && is_known ? resolved.forcing.value : PerAxis<double>{};
}

constexpr std::array<const char*, 4> quaternion_parts{"w", "x", "y", "z"};

}  // namespace

BodyMotions::BodyMotions(const Case& resolved, const StaggeredGrid& grid)
    : case_(resolved), grid_(grid), contacts_(resolved, grid) {
  for (const SolidCase& body : resolved.solids) {
    displaced_.push_back(displaced_fluid(body, resolved));
    BodyPose& pose = poses_.emplace_back();
    pose.place = body.center;
    middles_.push_back(body.center);
  }
  poses_before_ = poses_;
  histories_.assign(poses_.size(), {});
  gain_.assign(poses_.size(), {});
}

void BodyMotions::start(const FlowState* copy, double t) {
  for (std::size_t n = 0; n < poses_.size(); ++n) {
    const SolidCase& body = case_.solids[n];
    poses_[n] = pose_at_start(body, t);
    histories_[n] = {};
    if (copy != nullptr && body.is_mobile()) {
      for_kept_numbers(body, poses_[n], [&](const char* what, auto& values) {
        std::size_t at = 0;
        for (double& value : values) {
          value = number_of(body, what, at, std::size(values), *copy).value_or(value);
          ++at;
        }
      });
    }
    if (copy != nullptr && body.free) {
      std::array<double, FreeHistory::count> numbers{};
      for (std::size_t at = 0; at < numbers.size(); ++at)
        numbers.at(at) = number_of(body, "history", at, numbers.size(), *copy).value_or(0);
      histories_[n].set_numbers(numbers);
    }
    middles_[n] = poses_[n].place;
  }
  poses_before_ = poses_;
  contacts_.start(copy);
  gain_.assign(poses_.size(), {});
}

std::vector<BodyPose> BodyMotions::poses_after(double t, double dt) {
  const std::vector<PerAxis<double>> repulsion = contacts_.repulsion(poses_, dt, t + dt);
  std::vector<BodyPose> moved;
  for (std::size_t n = 0; n < poses_.size(); ++n) {
    const SolidCase& body = case_.solids[n];
    if (!body.free) {
      moved.push_back(moved_pose(body, poses_[n], t, dt));
      continue;
    }
    PerAxis<double> given = repulsion[n];
    if (histories_[n].last.length > 0) {  // it has a force
      const PerAxis<double> own = buoyancy_inside(case_, body);
      for (int axis = 0; axis < 3; ++axis) given[axis] -= own[axis];
    }
    const FluidAround fluid{.viscosity = case_.viscosity(),
                            .cell_width = cell_width_at(body, poses_[n].place, grid_),
                            .at_start = acceleration_at_start(case_)};
    moved.push_back(freely_moved(body, poses_[n], given, dt, fluid, histories_[n]));
  }
  return moved;
}

void BodyMotions::move(double t, double dt) {
  const std::vector<BodyPose> moved = poses_after(t, dt);
  poses_before_ = poses_;
  for (std::size_t n = 0; n < poses_.size(); ++n) {
    const SolidCase& body = case_.solids[n];
    if (!body.is_mobile()) continue;
    const BodyPose before = poses_[n];
    BodyPose& now = poses_[n];
    now = moved[n];
    require_fitting_step(body, before, now, t + dt, grid_);
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

void BodyMotions::take_impulses(const std::vector<BodyLoads>& impulses) {
  for (std::size_t n = 0; n < poses_.size(); ++n) {
    if (case_.solids[n].free) dns::take_impulses(impulses[n], displaced_[n], histories_[n]);
  }
}

std::vector<BodyLoads> BodyMotions::take_gain() {
  return std::exchange(gain_, std::vector<BodyLoads>(poses_.size(), BodyLoads{}));
}

void BodyMotions::add_to(FlowState& copy) const {
  for (std::size_t n = 0; n < poses_.size(); ++n) {
    const SolidCase& body = case_.solids[n];
    const auto add = [&](const char* what, const auto& values) {
      std::size_t at = 0;
      for (const double value : values) add_number(body, what, at++, value, copy);
    };
    if (body.is_mobile()) for_kept_numbers(body, poses_[n], add);
    if (body.free) add("history", histories_[n].numbers());
  }
  contacts_.add_to(copy);
}

BodyImpulseRecord::BodyImpulseRecord(const Case& resolved, const FlowState* copy, double t)
    : total_(resolved.solids.size()), time_(t), row_(t), row_before_(t) {
  at_row_ = at_row_before_ = total_;
  if (copy == nullptr) return;
  row_ = find_number(*copy, "motion_time_of_row").value_or(t);
  row_before_ = find_number(*copy, "motion_time_of_row_before").value_or(t);
  const auto read = [&](const char* what, std::vector<BodyLoads>& loads) {
    for (std::size_t n = 0; n < loads.size(); ++n) {
      for (std::size_t sum = 0; sum < loads[n].size(); ++sum) {
        loads[n][sum] =
            number_of(resolved.solids[n], what, sum, loads[n].size(), *copy).value_or(0);
      }
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
      for (std::size_t sum = 0; sum < loads[n].size() && resolved.solids[n].is_mobile(); ++sum)
        add_number(resolved.solids[n], what, sum, loads[n][sum], copy);
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
    if (!body.is_mobile() || body.is_one_of_several()) continue;
    for (const char* const what : {"position", "velocity", "rotation"}) {
      for (const std::string& axis : axis_names)
        names.push_back(fmt::format("{}_{}_{}", what, body.name, axis));
    }
    for (const char* const part : quaternion_parts) {
      if (body.turns()) names.push_back(fmt::format("quaternion_{}_{}", body.name, part));
    }
  }
  return names;
}

void add_values_of_pose(const SolidCase& body, const BodyPose& pose, std::vector<double>& values) {
  for (const PerAxis<double>& of : {pose.place, pose.velocity, pose.rotation})
    values.insert(values.end(), of.begin(), of.end());
  if (body.turns()) values.insert(values.end(), pose.orientation.begin(), pose.orientation.end());
}

BodyAtTime body_at_time(const Case& resolved,
                        std::size_t body,
                        const BodyPose& pose,
                        int variable) {
  const SolidCase& of = resolved.solids[body];
  BodyAtTime made;
  made.shape = shape_in_motion(of.shape);
  made.place = pose.place;
  made.turn = matrix_of(pose.orientation);
  made.radius = of.radius;
  made.axis = of.axis;
  made.start = of.center;
  made.is_turned = pose.orientation != BodyPose{}.orientation;
  if (of.shape == SolidCase::Shape::formula) made.instructions = of.surface.instructions();
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
  made.motion = of.is_mobile() ? RigidVelocity{pose.velocity, pose.rotation}
                               : RigidVelocity{of.velocity, of.rotation};
  if (!is_velocity(variable)) {
    made.scalar = of.scalar(variable).value;
    made.is_insulated = of.scalar(variable).is_insulated();
  }
  return made;
}

RigidVelocity velocity_gain(const BodyPose& from, const BodyPose& to) {
  PerAxis<double> way{};
  for (int axis = 0; axis < 3; ++axis) way[axis] = to.place[axis] - from.place[axis];
  const PerAxis<double> by_rotation = cross_product(from.rotation, way);
  RigidVelocity gain;
  for (int axis = 0; axis < 3; ++axis) {
    gain.velocity[axis] = to.velocity[axis] - (from.velocity[axis] + by_rotation[axis]);
    gain.rotation[axis] = to.rotation[axis] - from.rotation[axis];
  }
  return gain;
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
