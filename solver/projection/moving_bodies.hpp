/// Bodies of scheme `projection` that move: where they are, and the momentum that they take.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/core/index.hpp"
#include "solver/core/names.hpp"
#include "solver/core/several_boxes.hpp"
#include "solver/core/subdomain.hpp"
#include "solver/flow/conditions.hpp"
#include "solver/numerics/moving_body_impulse.hpp"
#include "solver/projection/body_motions.hpp"
#include "solver/simulation/flow_checks.hpp"
#include "solver/simulation/late_reductions.hpp"
#include "solver/solids/body_reach.hpp"
#include "solver/solids/rigid_motion.hpp"

namespace dns {

/// The bodies of a case of which some move. All ranks call the same members in the same order.
///
/// The force on a body that moves is what it takes from the flow, and what the fluid inside it
/// gains with it (solver/numerics/moving_body_impulse.hpp), as the mean over the steps since the
/// row of the time series before: unknowns change sides one by one, and each brings its momentum in
/// one step. The host adds the sums of a solve when the next one is complete, or something asks for
/// them; free bodies need them when the next one begins.
template <class Backend>
class MovingBodies {
 public:
  using Real = typename Backend::Real;

  /// All must outlive it.
  MovingBodies(Backend& backend,
               const Case& resolved,
               const StaggeredGrid& grid,
               const Subdomain& part)
      : backend_(&backend),
        case_(resolved),
        grid_(grid),
        part_(part),
        late_(backend),
        motions_(resolved, grid) {
    constexpr int of_sweeps = 2;  // those of pulls and of factors
    for (std::size_t n = 0; n < resolved.solids.size(); ++n) {
      auto& places = sums_.emplace_back();
      for (int place = 1; place < of_sweeps + resolved.body_projections(); ++place)
        places.push_back(late_.template place<ForceAndTorque::sums, 0>());
    }
    std::size_t instructions = 0;
    for (const SolidCase& body : resolved.solids) {
      first_instruction_.push_back(instructions);
      if (body.shape == SolidCase::Shape::formula) instructions += body.surface.program().size();
    }
    programs_ = backend.template allocate<Instruction>(std::max<std::size_t>(instructions, 1));
    bodies_ = backend.template allocate<BodyAtTime>(first_of(transported_variables(resolved)));
    for (int axis = 0; axis < 3; ++axis) {
      for (auto& line : lines_[axis])
        line = backend.template allocate<double>(part.points()[axis] + 2 * LinesOfPoints::before);
    }
    for (std::size_t body = 0; body < resolved.solids.size(); ++body) {
      auto& arms = arms_.emplace_back();
      for (int axis = 0; axis < 3; ++axis)
        arms[axis] = backend.template allocate<double>(part.points()[axis]);
    }
    for (int face = 0; face < is_closed_.size(); ++face)
      is_closed_[face] =
          !resolved.is_periodic(face / 2) && !FaceConditions(resolved, face).is_opening();
    backend.reserve_several_boxes();
    if constexpr (!Backend::only_counts) upload();
  }

  [[nodiscard]] BodyMotions& motions() { return motions_; }
  [[nodiscard]] const BodyMotions& motions() const { return motions_; }

  /// Boxes of stored points whose rows may change as a body goes from one pose to another.
  [[nodiscard]] std::vector<Box> boxes_between(std::size_t body,
                                               const BodyPose& from,
                                               const BodyPose& to) const {
    constexpr int cells = 2;
    const SolidCase& of = case_.solids[body];
    return boxes_near(joint_reach(reach_of(of, from), reach_of(of, to)), cells, grid_, part_);
  }
  /// A box of the part that has all points that a body holds, or beside which it lies.
  [[nodiscard]] Box box_of(std::size_t body) const {
    constexpr int cells = 2;
    return box_of_part(
        boxes_near(reach_of(case_.solids[body], motions_.pose(body)), cells, grid_, part_), part_);
  }
  /// box_of, or a point, for reductions: these are of boxes that have points always.
  [[nodiscard]] Box box_with_points(std::size_t body) const {
    const Box box = box_of(body);
    return box.extents().count() > 0 ? box : Box{{}, {1, 1, 1}};
  }
  /// Extents of box_of along x and y that all ranks agree on; one plane along z.
  [[nodiscard]] Box columns_of(std::size_t body) const {
    constexpr int cells = 2;
    BodyReach reach = reach_of(case_.solids[body], motions_.pose(body));
    reach.low[2] = -std::numeric_limits<double>::infinity();
    reach.high[2] = std::numeric_limits<double>::infinity();
    Box box = box_of_part(boxes_near(reach, cells, grid_, part_), part_);
    box.begin.k = 0;
    box.end.k = box.extents().count() > 0 ? 1 : 0;
    return box;
  }
  /// Notes where the bodies are now, for boxes_with_owners() and owners().
  void note_places();
  /// A box of stored points, and the bodies near it.
  struct BoxWithOwners {
    Box box;
    std::vector<std::size_t> bodies;
  };
  /// The parts of a box near which there are few bodies, or no more than a kernel takes. Throws
  /// CaseError where there are more near a point.
  [[nodiscard]] std::vector<BoxWithOwners> boxes_with_owners(const Box& box) const;
  /// Which of these have the points of the box, in the equation of a variable.
  [[nodiscard]] OwnersOfPoints owners(const BoxWithOwners& of, int variable) const;

  /// Begins the sums of what the pulls of a solve take. kernel: without `about`.
  void begin_pulls(const TakenByMovingPulls<Real>& kernel,
                   const std::vector<PerAxis<FeelsBody<Real>>>& feels,
                   const GridMetrics<Real>& metrics) {
    begin_sums(0, kernel, feels, metrics);
  }
  /// Begins the sums of what the factors take. kernel: without `about`.
  void begin_factors(const TakenInMovingFactors<Real>& kernel,
                     const std::vector<PerAxis<FeelsBody<Real>>>& feels,
                     const GridMetrics<Real>& metrics) {
    begin_sums(1, kernel, feels, metrics);
  }
  /// Begins the sums of what bodies take behind projection `number`, from 0. kernel: without
  /// `about`.
  void begin_projection(int number,
                        const TakenByProjection<Real>& kernel,
                        const std::vector<PerAxis<FeelsBody<Real>>>& feels,
                        const GridMetrics<Real>& metrics) {
    begin_sums(2 + number, kernel, feels, metrics);
  }
  /// Moves the bodies from t to t + dt [L/U], for the solve that begins. Throws CaseError as
  /// require_fitting_step does.
  void move(double t, double dt) {
    if (is_in_step_) close_solve(t, false);  // the first half of a damped step
    if (case_.has_free_bodies()) settle();
    motions_.move(t, dt);
    find_arms();
    is_first_solve_ = !is_in_step_;
    is_in_step_ = true;
  }
  /// Ends a step, which may have had several solves. is_row: the time series has a row of it.
  void end_step(double t, bool is_row) {
    close_solve(t, is_row);
    is_in_step_ = false;
    ++steps_;
  }
  [[nodiscard]] std::int64_t steps() const { return steps_; }
  /// The mean force and torque of each body after so many of the steps: all, or all but the last.
  [[nodiscard]] std::vector<std::array<double, ForceAndTorque::sums>> forces_after(
      std::int64_t steps) const {
    const bool is_before = steps < steps_;
    if (!is_before) settle();
    const bool lacks_last = is_open_ && closed_.is_first;
    return (is_before && !lacks_last ? before_ : now_).means();
  }

  void add_to(FlowState& copy) const {
    settle();
    copy.bodies.clear();
    motions_.add_to(copy);
    now_.add_to(case_, copy);
  }
  /// See BodyContacts::hard_bounce.
  [[nodiscard]] const std::string& hard_bounce() const { return motions_.hard_bounce(); }
  /// Continues from a copy for restart, or starts at time t without one [L/U].
  void start(const FlowState* copy, double t) {
    motions_.start(copy, t);
    now_ = BodyImpulseRecord(case_, copy, t);
    before_ = now_;
    is_open_ = false;
    is_in_step_ = false;
    steps_ = 0;
  }
  /// Whether a body has points at an end of a part.
  [[nodiscard]] bool reach_ends() const {
    if (backend_->is_divided()) return true;
    const Extents n = part_.points();
    for (std::size_t body = 0; body < case_.solids.size(); ++body) {
      if (!case_.solids[body].is_mobile()) continue;
      const Box box = box_of(body);
      for (int axis = 0; axis < 3; ++axis) {
        if (box.begin[axis] == 0 || box.end[axis] == n[axis]) return true;
      }
    }
    return false;
  }

 private:
  template <class T>
  using Memory = decltype(std::declval<Backend&>().template allocate<T>(0));
  /// Where the bodies of a variable begin in bodies_; those of velocity components are the same.
  [[nodiscard]] std::size_t first_of(int variable) const {
    return std::max(variable - first_scalar + 1, 0) * case_.solids.size();
  }
  static constexpr int cells_near = 4;  // as far as kernels look
  enum Line { at_faces, at_centres, widths, distances, lines };
  struct ClosedSolve {
    std::vector<BodyLoads> gain;  // of the fluid inside each body
    double time = 0;              // of its end [L/U]
    bool is_first = false;        // of its step
    bool is_row = false;
  };

  template <class Kernel>
  void begin_sums(std::size_t place,
                  Kernel kernel,
                  const std::vector<PerAxis<FeelsBody<Real>>>& feels,
                  const GridMetrics<Real>& metrics) {
    std::vector<LatePlace<ForceAndTorque::sums, 0>> places;
    std::vector<ReductionOfBox<Kernel>> reductions;
    for (std::size_t n = 0; n < case_.solids.size(); ++n) {
      if (!case_.solids[n].is_mobile()) continue;
      kernel.about = about(n, feels[n], metrics);
      places.push_back(sums_[n].at(place));
      reductions.push_back({box_with_points(n), kernel});
    }
    late_.begin(places, std::move(reductions));
  }
  /// Whether a body is a sphere and has no point within the cells of a box and some more around it.
  [[nodiscard]] bool is_sphere_beyond(std::size_t body, const Box& box) const {
    const SolidCase& of = case_.solids[body];
    if (of.shape != SolidCase::Shape::sphere) return false;
    double square = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const double low = face_at(axis, box.begin[axis] - cells_near);
      const double high = face_at(axis, box.end[axis] + cells_near);
      double way = motions_.pose(body).place[axis] - (low + high) / 2;
      if (case_.is_periodic(axis)) way = std::remainder(way, case_.grid.length[axis]);
      square += std::pow(std::max(std::abs(way) - (high - low) / 2, 0.0), 2);
    }
    constexpr double with_round_off = 1 + 1e-6;
    return square > of.radius * of.radius * with_round_off;
  }
  /// The low face of a cell of the part, also beyond its ends [L].
  [[nodiscard]] double face_at(int axis, int cell) const {
    const StaggeredAxis& along = grid_[axis];
    const int cells = along.cells();
    const int index = cell + part_.first(axis);
    if (!along.is_periodic) return along.faces[std::clamp(index, 0, cells)];
    const int turns = (index >= 0 ? index : index - cells + 1) / cells;
    return along.faces[index - turns * cells] + turns * along.length();
  }
  void close_solve(double t, bool is_row) {
    settle();
    late_.close();
    closed_ = {motions_.take_gain(), t, is_first_solve_, is_row};
    is_open_ = true;
  }
  void upload();
  [[nodiscard]] LinesOfPoints lines_of_points() const;
  [[nodiscard]] TakenAbout<Real> about(std::size_t body,
                                       const PerAxis<FeelsBody<Real>>& feels,
                                       const GridMetrics<Real>& metrics) const {
    const auto& arms = arms_[body];
    return {feels, metrics, {arms[0].data(), arms[1].data(), arms[2].data()}};
  }
  /// From where the centres are in the middle of the solve.
  void find_arms() {
    std::vector<WorkInBox<FindArms<Real>>> works;
    for (std::size_t body = 0; body < arms_.size(); ++body) {
      for (int axis = 0; axis < 3 && case_.solids[body].is_mobile(); ++axis)
        works.push_back({{{}, {part_.points()[axis], 1, 1}},
                         {.centre = lines_[axis][at_centres].data() + LinesOfPoints::before,
                          .arm = arms_[body][axis].data(),
                          .place = motions_.middle(body)[axis],
                          .length = case_.is_periodic(axis) ? case_.grid.length[axis] : 0}});
    }
    backend_->for_each(works);
  }
  /// Adds the sums of the solve that was closed.
  void settle() const {
    if (!is_open_) return;
    late_.finish();
    is_open_ = false;
    if (closed_.is_first) before_ = now_;
    std::vector<BodyLoads> impulses = closed_.gain;
    for (std::size_t n = 0; n < case_.solids.size(); ++n) {
      if (!case_.solids[n].is_mobile()) continue;
      for (const auto& place : sums_[n]) {
        const auto taken = late_[place];
        for (std::size_t sum = 0; sum < impulses[n].size(); ++sum)
          impulses[n][sum] += taken.sum[sum];
      }
    }
    motions_.take_impulses(impulses);
    now_.add(impulses, closed_.time, closed_.is_row);
  }

  Backend* backend_;
  const Case& case_;
  const StaggeredGrid& grid_;
  Subdomain part_;
  mutable LateReductions<Backend> late_;
  mutable BodyMotions motions_;
  PerFace<bool> is_closed_{};
  std::vector<std::vector<LatePlace<ForceAndTorque::sums, 0>>> sums_;  // of each body
  std::vector<std::size_t> first_instruction_;
  Memory<Instruction> programs_;
  Memory<BodyAtTime> bodies_;  // of the velocity and of each scalar, see first_of()
  PerAxis<std::array<Memory<double>, lines>> lines_;
  std::vector<PerAxis<Memory<double>>> arms_;  // of each body
  std::vector<std::vector<Box>> near_;         // points near each body, see note_places()
  bool is_in_step_ = false, is_first_solve_ = false;
  ClosedSolve closed_;
  mutable BodyImpulseRecord now_, before_;  // the latter of one step less
  mutable bool is_open_ = false;            // a closed solve is not in now_
  std::int64_t steps_ = 0;
};

template <class Backend>
void MovingBodies<Backend>::upload() {
  std::vector<Instruction> programs;
  for (const SolidCase& body : case_.solids) {
    if (body.shape != SolidCase::Shape::formula) continue;
    const std::vector<Instruction>& program = body.surface.program();
    programs.insert(programs.end(), program.begin(), program.end());
  }
  if (!programs.empty())
    backend_->upload_values(programs.data(), programs_.data(), programs.size());
  for (int axis = 0; axis < 3; ++axis) {
    const LineCoordinates of(grid_[axis], part_, axis, LinesOfPoints::before);
    const std::array<const std::vector<double>*, lines> values{
        &of.faces, &of.centres, &of.widths, &of.distances};
    for (std::size_t line = 0; line < values.size(); ++line) {
      backend_->upload_values(
          values[line]->data(), lines_[axis][line].data(), values[line]->size());
    }
  }
}

template <class Backend>
LinesOfPoints MovingBodies<Backend>::lines_of_points() const {
  LinesOfPoints points{};
  for (int axis = 0; axis < 3; ++axis) {
    const auto& of_axis = lines_[axis];
    points.face[axis] = of_axis[at_faces].data();
    points.centre[axis] = of_axis[at_centres].data();
    points.width[axis] = of_axis[widths].data();
    points.distance[axis] = of_axis[distances].data();
    const bool repeats = case_.is_periodic(axis);
    points.first[axis] = repeats ? -LinesOfPoints::far : -part_.first(axis);
    points.end[axis] = repeats ? LinesOfPoints::far : part_.whole[axis] - part_.first(axis);
    points.points[axis] = part_.points()[axis];
    points.ends_low[axis] = part_.is_boundary(axis, false);
    points.ends_high[axis] = part_.is_boundary(axis, true);
    for (const bool is_high : {false, true}) {
      const int face = face_index(axis, is_high);
      points.is_closed[face] = is_closed_[face];
    }
  }
  return points;
}

template <class Backend>
void MovingBodies<Backend>::note_places() {
  near_.clear();
  std::vector<BodyAtTime> bodies;
  for (int variable = 2; variable < transported_variables(case_); ++variable) {
    for (std::size_t n = 0; n < case_.solids.size(); ++n) {
      BodyAtTime& body = bodies.emplace_back(body_at_time(case_, n, motions_.pose(n), variable));
      body.gain = velocity_gain(motions_.poses_before()[n], motions_.pose(n));
      body.program = programs_.data() + first_instruction_[n];
    }
  }
  backend_->upload_values(bodies.data(), bodies_.data(), bodies.size());
  for (std::size_t n = 0; n < case_.solids.size(); ++n)
    near_.push_back(
        boxes_near(reach_of(case_.solids[n], motions_.pose(n)), cells_near, grid_, part_));
}

template <class Backend>
auto MovingBodies<Backend>::boxes_with_owners(const Box& box) const -> std::vector<BoxWithOwners> {
  std::vector<BoxWithOwners> open{{box, {}}};
  for (std::size_t n = 0; n < near_.size(); ++n) open[0].bodies.push_back(n);
  std::vector<BoxWithOwners> parts;
  while (!open.empty()) {
    BoxWithOwners part = std::move(open.back());
    open.pop_back();
    std::erase_if(part.bodies, [&](std::size_t n) {
      const bool is_far = std::ranges::none_of(near_[n], [&](const Box& of_body) {
        return common_box(of_body, part.box).extents().count() > 0;
      });
      return is_far || is_sphere_beyond(n, part.box);
    });
    int longest = 0;
    PerAxis<int> points{};
    for (int axis = 0; axis < 3; ++axis) {
      points[axis] = part.box.end[axis] - part.box.begin[axis];
      if (points[axis] > points[longest]) longest = axis;
    }
    // Each point looks at all bodies of its part, and each part costs a block.
    constexpr int few_bodies = 8;
    constexpr int few_points = 8;
    if (part.bodies.size() <= few_bodies ||
        (part.bodies.size() <= most_bodies_near && points[longest] <= few_points)) {
      parts.push_back(std::move(part));
      continue;
    }
    if (points[longest] == 1) refuse_crowd(case_, most_bodies_near);
    BoxWithOwners high = part;
    part.box.end[longest] = high.box.begin[longest] = part.box.begin[longest] + points[longest] / 2;
    open.push_back(std::move(part));
    open.push_back(std::move(high));
  }
  return parts;
}

template <class Backend>
OwnersOfPoints MovingBodies<Backend>::owners(const BoxWithOwners& of, int variable) const {
  OwnersOfPoints owners{{}, lines_of_points()};
  BodiesNear& near = owners.bodies;
  near.origin = case_.grid.origin;
  near.length = case_.grid.length;
  for (int axis = 0; axis < 3; ++axis) near.repeats[axis] = case_.is_periodic(axis);
  near.all = bodies_.data() + first_of(variable);
  for (const std::size_t n : of.bodies) near.number[near.count++] = static_cast<int>(n);
  return owners;
}

}  // namespace dns
