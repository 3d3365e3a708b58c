/// The Poisson equation where all axes are Fourier transformed.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "solver/core/field_view.hpp"
#include "solver/numerics/poisson_rows.hpp"
#include "solver/projection/mode_transposition.hpp"
#include "solver/projection/poisson_transforms.hpp"

namespace dns {

/// Solves for complex modes along x and y by a complex Fourier transform along z, in place. Where
/// ranks divide the box, the modes are transposed into whole lines before it and back after.
template <class Backend>
class PoissonThirdAxis {
 public:
  using Real = typename Backend::Real;

  /// axis: that along z; modes: real numbers of the other two axes, rows next to each other as in
  /// PlaneTransform, these strides apart; gain: of the transforms along these. `backend` must
  /// outlive it.
  PoissonThirdAxis(
      Backend& backend, const StaggeredAxis& axis, Extents modes, Strides strides, double gain)
      : backend_(backend), points_(modes) {
    LineTransform transform{LineTransformKind::complex, Axis::z, modes};
    if (backend.is_divided()) {
      constexpr int row = BufferLayout::line_bytes / bytes_per<Real>;
      transposition_.emplace(backend, SharedModes{modes.nx * modes.ny, row, 1, strides});
      points_ = {transposition_->width(), 1, axis.cells()};
      // In rows, which threads of a CPU share out among themselves.
      transform.points = {row, transposition_->width() / row, axis.cells()};
      strides = {row, transposition_->pitch()};
    }
    minus_inverse_gain_ = static_cast<Real>(-1 / (gain * gain_of(transform)));
    eigenvalues_ = upload_as<Real>(backend, uniform_eigenvalues(axis));
    if (transform.points.ny > 0)
      transforms_.emplace(backend.plan_lines(transform, strides, strides));
  }

  /// Numbers that the memory of the modes must hold.
  [[nodiscard]] std::size_t size_of_lines() const {
    return transposition_ ? transposition_->size_of_lines() : 0;
  }

  /// Replaces modes of rhs by those of phi. of_lines: the other axes' part of the eigenvalues, in
  /// rows next to each other.
  void solve(const FieldView<Real>& modes, const FieldView<const Real>& of_lines) {
    if (!transposition_) return solve_lines(modes, of_lines);
    transposition_->to_lines(modes.origin, modes.origin);
    solve_lines({modes.origin, 0, transposition_->pitch()},
                {of_lines.origin + transposition_->first(), 0, 0});
    transposition_->to_planes(modes.origin, modes.origin);
  }

 private:
  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));

  void solve_lines(const FieldView<Real>& lines, const FieldView<const Real>& of_lines) {
    if (!transforms_) return;  // there are none
    transforms_->forward(lines.origin, lines.origin);
    backend_.for_each(Box{{}, {points_.nx, points_.ny, points_.nz}},
                      DivideByEigenvalues<Axis::z, Real>{
                          lines, of_lines, eigenvalues_.data(), minus_inverse_gain_});
    transforms_->inverse(lines.origin, lines.origin);
  }

  Backend& backend_;
  Extents points_;  // real numbers
  Real minus_inverse_gain_ = 0;
  Memory eigenvalues_;
  std::optional<ModeTransposition<Backend>> transposition_;
  std::optional<typename Backend::LineTransforms> transforms_;
};

}  // namespace dns
