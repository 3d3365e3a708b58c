/// Closures that differ from place to place on a boundary plane, on the device of scheme
/// `projection`.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "solver/core/backend.hpp"
#include "solver/face_values/given_upload.hpp"
#include "solver/flow/conditions.hpp"
#include "solver/flow/variables.hpp"
#include "solver/numerics/plane_closure.hpp"
#include "solver/numerics/robin_ghost.hpp"
#include "solver/projection/fields.hpp"
#include "solver/projection/projection_boundary_values.hpp"

namespace dns {

/// The member `first` of PlaneClosure for the velocity along walls whose slip length is a formula,
/// at the end of a step.
template <class Backend>
class VaryingClosures {
 public:
  using Real = typename Backend::Real;

  /// Both outlive it.
  VaryingClosures(const ProjectionFields<Backend>& fields, const Conditions& conditions)
      : fields_(&fields), conditions_(&conditions) {
    for (int face = 0; face < conditions.size(); ++face) {
      if (!fields.part.is_boundary(face) || !has_any(face)) continue;
      const std::size_t points = shape_of(face).count();
      first_[face] = fields.backend->template allocate<Real>(first_scalar * points);
      next_[face] = {first_scalar, points};
    }
  }

  /// Evaluates the closures of a variable at time t, for upload(), and weights the values given
  /// there. Throws CaseError where a slip length is negative or not finite.
  void evaluate(int face, int variable, double t, std::vector<double>& values) {
    std::vector<double> first = lengths_at(face, variable, t);
    const double width = width_beside(fields_->grid, face);
    for (std::size_t n = 0; n < first.size(); ++n) {
      const BoundaryClosure<double> closure = ghost_closure<double>({1, first[n]}, width);
      first[n] = closure.first;
      values[n] *= closure.weight;
    }
    next_[face].set(variable, first);
  }
  void upload() {
    for (int face = 0; face < first_.size(); ++face)
      next_[face].upload(*fields_->backend, first_[face].data());
  }

  /// See slip_lengths_on_plane.
  [[nodiscard]] std::vector<double> lengths_at(int face, int variable, double t) const {
    return slip_lengths_on_plane((*conditions_)[face][variable],
                                 fields_->resolved,
                                 fields_->grid,
                                 fields_->part,
                                 face,
                                 variable,
                                 t);
  }

  /// Sets `given` to q_0 - first q_1 where the closure changes with time.
  void fit(int face, int variable, const FieldView<Real>& q, const FaceView<Real>& given) const {
    const Condition& condition = (*conditions_)[face][variable];
    if (!condition.slip_length.depends_on_time() || !fields_->part.is_boundary(face)) return;
    const bool is_high = face % 2 != 0;
    with_axis(face / 2, [&]<Axis axis>() {
      Box plane = fields_->layout.with_one_ghost();
      plane.begin[axis] = is_high ? fields_->part.points()[axis] : -1;
      plane.end[axis] = plane.begin[axis] + 1;
      fields_->backend->for_each(
          plane,
          FitGiven<axis, Real>{
              q.as_const(), given, first(face, variable).as_const(), is_high ? -1 : 1});
    });
  }

  [[nodiscard]] FaceView<Real> first(int face, int variable) const {
    const PlaneShape shape = shape_of(face);
    return shape.view(first_[face].data() + shape.count() * variable);
  }

 private:
  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));
  [[nodiscard]] bool has_any(int face) const {
    const FaceConditions& at = (*conditions_)[face];
    return at[0].varies() || at[1].varies() || at[2].varies();
  }
  [[nodiscard]] PlaneShape shape_of(int face) const {
    return PlaneShape::of(fields_->part.points(), face / 2);
  }

  const ProjectionFields<Backend>* fields_;
  const Conditions* conditions_;
  PerFace<Memory> first_{};
  PerFace<GivenUpload<Backend>> next_{};
};

}  // namespace dns
