/// The Poisson equation where all axes are Fourier transformed.
#pragma once

#include <optional>
#include <vector>

#include "solver/core/field_view.hpp"
#include "solver/numerics/poisson_rows.hpp"
#include "solver/projection/poisson_transforms.hpp"

namespace dns {

/// Solves for modes along x and y in the real Fourier basis along z: real and imaginary parts of a
/// mode are lines of their own.
template <class Backend>
class PoissonThirdAxis {
 public:
  using Real = typename Backend::Real;

  /// axis: that along z; modes: real numbers of the other two axes, rows next to each other as in
  /// `modes_along`, these strides apart; gain: of their transforms. `backend` must outlive it.
  PoissonThirdAxis(
      Backend& backend, const StaggeredAxis& axis, Extents modes, Strides strides, double gain)
      : backend_(backend),
        transform_{LineTransformKind::fourier, Axis::z, modes},
        layout_(BufferLayout::of(modes, Axis::y, sizeof(Real))),
        gain_(gain) {
    if (Lines::pays(transform_)) {
      gain_ *= gain_of(transform_);
      lines_.emplace(backend.plan_lines(transform_, strides, layout_.strides));
    } else {
      matrices_ = {backend, axis};
    }
    eigenvalues_ = upload_as<Real>(backend, uniform_eigenvalues(axis));
    buffer_ = backend.template allocate<Real>(layout_.values);
  }

  /// Replaces modes of rhs by those of phi. of_lines: the other axes' part of the eigenvalues.
  void solve(const FieldView<Real>& modes, const FieldView<const Real>& of_lines) {
    const FieldView<Real> all{buffer_.data(), layout_.strides.y, layout_.strides.z};
    const Extents points = transform_.points;
    lines_ ? lines_->forward(modes.origin, all.origin)
           : backend_.multiply(Axis::z, points, matrices_.forward.data(), modes.as_const(), all);
    backend_.for_each(Box{{}, {points.nx, points.ny, points.nz}},
                      DivideByEigenvalues<Axis::z, Real>{
                          all, of_lines, eigenvalues_.data(), static_cast<Real>(-1 / gain_)});
    lines_ ? lines_->inverse(all.origin, modes.origin)
           : backend_.multiply(Axis::z, points, matrices_.inverse.data(), all.as_const(), modes);
  }

 private:
  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));
  using Lines = typename Backend::LineTransforms;

  Backend& backend_;
  LineTransform transform_;
  BufferLayout layout_;
  double gain_;
  std::optional<Lines> lines_;  // none: products with matrices
  BasisOnDevice<Backend> matrices_;
  Memory eigenvalues_, buffer_;
};

}  // namespace dns
