/// The Poisson equation where all axes are Fourier transformed.
#pragma once

#include <optional>
#include <vector>

#include "solver/core/field_view.hpp"
#include "solver/numerics/poisson_rows.hpp"
#include "solver/projection/poisson_transforms.hpp"

namespace dns {

/// Solves for complex modes along x and y by a complex Fourier transform along z, in place.
template <class Backend>
class PoissonThirdAxis {
 public:
  using Real = typename Backend::Real;

  /// axis: that along z; modes: real numbers of the other two axes, rows next to each other as in
  /// PlaneTransform, these strides apart; gain: of the transforms along these. `backend` must
  /// outlive it.
  PoissonThirdAxis(
      Backend& backend, const StaggeredAxis& axis, Extents modes, Strides strides, double gain)
      : backend_(backend),
        transform_{LineTransformKind::complex, Axis::z, modes},
        minus_inverse_gain_(static_cast<Real>(-1 / (gain * gain_of(transform_)))),
        eigenvalues_(upload_as<Real>(backend, uniform_eigenvalues(axis))),
        lines_(backend.plan_lines(transform_, strides, strides)) {}

  /// Replaces modes of rhs by those of phi. of_lines: the other axes' part of the eigenvalues.
  void solve(const FieldView<Real>& modes, const FieldView<const Real>& of_lines) {
    lines_.forward(modes.origin, modes.origin);
    backend_.for_each(Box{{}, {transform_.points.nx, transform_.points.ny, transform_.points.nz}},
                      DivideByEigenvalues<Axis::z, Real>{
                          modes, of_lines, eigenvalues_.data(), minus_inverse_gain_});
    lines_.inverse(modes.origin, modes.origin);
  }

 private:
  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));

  Backend& backend_;
  LineTransform transform_;
  Real minus_inverse_gain_;
  Memory eigenvalues_;
  typename Backend::LineTransforms lines_;
};

}  // namespace dns
