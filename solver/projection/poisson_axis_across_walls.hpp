/// The Poisson equation along y across walls of order 4, for modes along x and z.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "solver/core/field_view.hpp"
#include "solver/core/index.hpp"
#include "solver/numerics/poisson_rows.hpp"
#include "solver/projection/poisson_transforms.hpp"

namespace dns {

/// Solves for complex modes along x and z by products with the eigenvectors along y.
template <class Backend>
class PoissonAxisAcrossWalls {
 public:
  using Real = typename Backend::Real;

  /// axis: that along y; modes: real numbers of the other two axes, these strides apart; gain: of
  /// the transforms along these. `backend` must outlive it.
  PoissonAxisAcrossWalls(
      Backend& backend, const StaggeredAxis& axis, Extents modes, Strides strides, double gain)
      : backend_(backend),
        points_(modes),
        strides_(strides),
        minus_inverse_gain_(static_cast<Real>(-1 / gain)),
        basis_(backend, axis),
        eigenvalues_(upload_as<Real>(backend, basis_.eigenvalues, axis.cells())),
        scratch_(backend.template allocate<Real>(size_of(modes, strides))) {}

  /// Replaces modes of rhs by those of phi. of_lines: the other axes' part of the eigenvalues.
  void solve(const FieldView<Real>& modes, const FieldView<const Real>& of_lines) {
    const FieldView<Real> scratch{scratch_.data(), strides_.y, strides_.z};
    backend_.multiply(Axis::y, points_, basis_.forward.data(), modes.as_const(), scratch);
    backend_.for_each(Box{{}, {points_.nx, points_.ny, points_.nz}},
                      DivideByEigenvalues<Axis::y, Real>{
                          scratch, of_lines, eigenvalues_.data(), minus_inverse_gain_});
    backend_.multiply(Axis::y, points_, basis_.inverse.data(), scratch.as_const(), modes);
  }

 private:
  /// Numbers from the first to the last one; the modes may lie in planes across y or across z.
  [[nodiscard]] static std::size_t size_of(Extents modes, Strides strides) {
    return std::max(static_cast<std::size_t>(strides.y) * modes.ny,
                    static_cast<std::size_t>(strides.z) * modes.nz);
  }

  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));

  Backend& backend_;
  Extents points_;  // real numbers
  Strides strides_;
  Real minus_inverse_gain_;
  BasisOnDevice<Backend> basis_;
  Memory eigenvalues_, scratch_;
};

}  // namespace dns
