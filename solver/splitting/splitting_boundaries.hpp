/// The boundaries of a run of scheme `splitting` on its device.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "solver/core/backend.hpp"
#include "solver/core/index.hpp"
#include "solver/face_values/given_upload.hpp"
#include "solver/flow/conditions.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/splitting/splitting_boundary_values.hpp"
#include "solver/splitting/time_level.hpp"

namespace dns {

/// Closures and given values of all faces, and the evaluation of boundary and ghost nodes.
template <class Backend>
class SplittingBoundaries {
 public:
  using Real = typename Backend::Real;
  static constexpr int interleave_width = Backend::interleave_width;
  using View = LevelView<Real, interleave_width>;

  /// The case must outlive it.
  SplittingBoundaries(Backend& backend, const Case& resolved, const Subdomain& part);

  /// Evaluates the given values at time t [L/U], where they change with time.
  void set_time(Backend& backend, double t);
  /// Evaluates ahead what they are made of, while the device works.
  void prepare(double t) { values_.prepare(t); }

  /// Closures of the face across `axis`; requires that the axis is not periodic.
  [[nodiscard]] const FaceClosures<Real>& closures(Axis axis, bool is_high_end) const {
    return closures_.face[axis][is_high_end ? 1 : 0];
  }

  /// Whether u, v, w have the same closures on each face across `axis` and so share a matrix.
  [[nodiscard]] bool velocity_shares_closures(Axis axis) const;

  /// Evaluates all boundary and ghost nodes of a level.
  void evaluate_all(Backend& backend, View level) const {
    evaluate_on(backend,
                evaluated_,
                FillBoundaryAndGhosts<Real, interleave_width>{level, closures_, layout_.points});
  }
  /// Evaluates the boundary and ghost nodes of a level on those planes whose values change with the
  /// nodes inside, or with time.
  void evaluate(Backend& backend, View level) const {
    evaluate_on(backend,
                changing_,
                FillBoundaryAndGhosts<Real, interleave_width>{level, closures_, layout_.points});
  }
  /// The boundary values of a level that a sweep along `axis` reads and that change with the nodes
  /// inside, or with time.
  [[nodiscard]] BoundaryForSweep<Real, interleave_width> boundary_for_sweep(Axis axis,
                                                                            View level) const {
    return {axis, changing_, {level, closures_, layout_.points}};
  }
  /// Evaluates these on some planes.
  template <Axis axis>
  void evaluate_for_sweep(Backend& backend, View level, const BoundaryPlanes& planes) const {
    BoundaryPlanes across{};
    BoundaryPlanes others = planes;
    std::swap(across.is_included[axis], others.is_included[axis]);
    evaluate_on(backend,
                across,
                FillBoundaryAndGhosts<Real, interleave_width, 0, variables_per_level, false>{
                    level, closures_, layout_.points});
    evaluate_on(backend,
                others,
                FillBoundaryAndGhosts<Real, interleave_width, velocity_along(axis), 1, false>{
                    level, closures_, layout_.points});
  }

 private:
  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));

  void initialise(Backend& backend, int face);
  std::span<const Real> set_given(int face, int variable, double t) {
    return next_given_[face].set(variable,
                                 given_at_nodes(values_, case_, part_, face, variable, t));
  }
  template <class Evaluate>
  void evaluate_on(Backend& backend, const BoundaryPlanes& planes, const Evaluate& evaluate) const {
    if (planes.any()) backend.for_each_on_boundary(layout_.evaluated(), planes, evaluate);
  }

  const Case& case_;
  Conditions conditions_;
  FaceValues values_;
  Subdomain part_;
  LevelLayout layout_;
  BoxClosures<Real> closures_;
  BoundaryPlanes evaluated_ = BoundaryPlanes::all();  // all but seams
  BoundaryPlanes changing_{};  // of these all but faces whose values stay the same
  PerFace<Memory> given_;
  PerFace<GivenUpload<Backend>> next_given_;
};

template <class Backend>
SplittingBoundaries<Backend>::SplittingBoundaries(Backend& backend,
                                                  const Case& resolved,
                                                  const Subdomain& part)
    : case_(resolved),
      conditions_(conditions_of(resolved)),
      values_(Backend::only_counts ? FaceValues() : FaceValues(resolved)),
      part_(part),
      layout_(LevelLayout::of(part)) {
  for (int face = 0; face < 6; ++face) {
    const int axis = face / 2;
    const End end = part_.ends[face / 2][face % 2];
    closures_.is_periodic[axis] = part_.is_periodic(axis);
    closures_.is_seam[axis][face % 2] = end == End::neighbour;
    evaluated_.is_included[axis][face % 2] = end != End::neighbour;
    changing_.is_included[axis][face % 2] = end == End::periodic;
    if (end != End::boundary) continue;
    const std::size_t nodes = part_.points().count() / part_.points()[axis];
    given_[face] = backend.template allocate<Real>(variables_per_level * nodes);
    next_given_[face] = {variables_per_level, nodes};
    if constexpr (!Backend::only_counts) initialise(backend, face);
  }
}

/// Evaluates the closures of a face and what it gives.
template <class Backend>
void SplittingBoundaries<Backend>::initialise(Backend& backend, int face) {
  const std::size_t nodes = given_[face].count() / variables_per_level;
  const int axis = face / 2;
  FaceClosures<Real>& closures = closures_.face[axis][face % 2];
  bool& is_changing = changing_.is_included[axis][face % 2];
  for (int variable = 0; variable < variables_per_level; ++variable) {
    const Condition& condition = conditions_[face][variable];
    closures.closure[variable] = closure_of<Real>(condition.weights, spacing(case_, axis));
    closures.given[variable] = face_view<const Real>(
        given_[face].data() + nodes * variable, static_cast<Axis>(axis), layout_.points);
    const std::span<const Real> given = set_given(face, variable, 0);
    // One value is read for all nodes where they are the same: the caches keep it.
    if (!condition.moves &&
        std::count(given.begin(), given.end(), given.front()) == std::ssize(given)) {
      closures.given[variable] = {closures.given[variable].values, 0, 0, 0};
    }
    is_changing = is_changing || closures.closure[variable].first != 0 ||
                  closures.closure[variable].second != 0 || condition.moves;
  }
  next_given_[face].upload(backend, given_[face].data());
}

template <class Backend>
void SplittingBoundaries<Backend>::set_time(Backend& backend, double t) {
  for (int face = 0; face < 6; ++face) {
    if (!part_.is_boundary(face)) continue;
    for (int variable = 0; variable < variables_per_level; ++variable) {
      if (conditions_[face][variable].moves) set_given(face, variable, t);
    }
  }
  for (int face = 0; face < 6; ++face) next_given_[face].upload(backend, given_[face].data());
}

template <class Backend>
bool SplittingBoundaries<Backend>::velocity_shares_closures(Axis axis) const {
  const auto shares = [&](bool is_high_end) {
    const FaceConditions& face = conditions_[face_index(axis, is_high_end)];
    return face[0].kind == face[1].kind && face[1].kind == face[2].kind;
  };
  return shares(false) && shares(true);
}

}  // namespace dns
