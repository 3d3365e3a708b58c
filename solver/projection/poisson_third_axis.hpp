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
  /// `modes_along`; gain: of the transforms along these. `backend` must outlive it.
  PoissonThirdAxis(Backend& backend, const StaggeredAxis& axis, Extents modes, double gain)
      : backend_(backend),
        transform_{LineTransformKind::fourier, Axis::z, modes},
        layout_(BufferLayout::of(modes, Axis::y, sizeof(Real))),
        gain_(gain) {
    if (Lines::pays(transform_)) {
      gain_ *= gain_of(transform_);
    } else {
      const AxisBasis basis = basis_of(axis);
      forward_ = upload_as<Real>(backend, basis.forward);
      inverse_ = upload_as<Real>(backend, basis.inverse);
    }
    eigenvalues_ = upload_as<Real>(backend, uniform_eigenvalues(axis));
    buffer_ = backend.template allocate<Real>(layout_.values);
  }

  /// Replaces modes of rhs by those of phi. of_lines: the other axes' part of the eigenvalues.
  void solve(const FieldView<Real>& modes, const FieldView<const Real>& of_lines) {
    const FieldView<Real> all{buffer_.data(), layout_.strides.y, layout_.strides.z};
    const Strides strides{modes.stride_y, modes.stride_z};
    const Extents points = transform_.points;
    const bool has_lines = Lines::pays(transform_);
    if (has_lines && (!lines_ || planned_for_ != strides)) {
      lines_.emplace(backend_.plan_lines(transform_, strides, layout_.strides));
      planned_for_ = strides;
    }
    has_lines ? lines_->forward(modes.origin, all.origin)
              : backend_.multiply(Axis::z, points, forward_.data(), modes.as_const(), all);
    backend_.for_each(Box{{}, {points.nx, points.ny, points.nz}},
                      DivideByEigenvalues<Axis::z, Real>{
                          all, of_lines, eigenvalues_.data(), static_cast<Real>(-1 / gain_)});
    has_lines ? lines_->inverse(all.origin, modes.origin)
              : backend_.multiply(Axis::z, points, inverse_.data(), all.as_const(), modes);
  }

 private:
  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));
  using Lines = typename Backend::LineTransforms;

  Backend& backend_;
  LineTransform transform_;
  BufferLayout layout_;
  double gain_;
  Strides planned_for_;
  std::optional<Lines> lines_;
  Memory forward_, inverse_, eigenvalues_, buffer_;
};

}  // namespace dns
