/// The Poisson equation where all axes are Fourier transformed.
#pragma once

#include <cstddef>
#include <map>
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
      : backend_(backend), points_(resized(modes, Axis::z, axis.cells())) {
    eigenvalues_ = upload_as<Real>(backend, uniform_eigenvalues(axis));
    LineTransform transform{LineTransformKind::complex, Axis::z, points_};
    minus_inverse_gain_ = static_cast<Real>(-1 / (gain * gain_of(transform)));
    if (!backend.is_divided()) {
      transforms_.emplace(points_.nx, backend.plan_lines(transform, strides, strides));
      return;
    }
    constexpr int row = BufferLayout::line_bytes / static_cast<int>(sizeof(Real));
    const SharedModes shared{modes.nx * modes.ny, row, 1, strides};
    transposition_.emplace(backend, shared, ModeTransposition<Backend>::parts_that_pay(backend));
    points_.ny = 1;
    for (int part = 0; part < transposition_->parts(); ++part) {
      const int width = transposition_->width(part);
      // In rows, which threads of a CPU share out among themselves.
      transform.points = {row, width / row, points_.nz};
      const Strides of_lines{row, transposition_->pitch(part)};
      if (width > 0 && !transforms_.contains(width))
        transforms_.emplace(width, backend.plan_lines(transform, of_lines, of_lines));
    }
  }

  /// Numbers that the memory of the modes must hold.
  [[nodiscard]] std::size_t size_of_lines() const {
    return transposition_ ? transposition_->size_of_lines() : 0;
  }

  /// Replaces modes of rhs by those of phi. of_lines: the other axes' part of the eigenvalues, in
  /// rows next to each other.
  void solve(const FieldView<Real>& modes, const FieldView<const Real>& of_lines) {
    if (!transposition_) return solve_lines(modes, of_lines, points_);
    transposition_->with_lines(modes.origin, [&](int part) {
      solve_lines(
          {modes.origin + transposition_->begin_of_lines(part), 0, transposition_->pitch(part)},
          {of_lines.origin + transposition_->first(part), 0, 0},
          resized(points_, Axis::x, transposition_->width(part)));
    });
  }

 private:
  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));

  void solve_lines(const FieldView<Real>& lines,
                   const FieldView<const Real>& of_lines,
                   Extents points) {
    const auto transform = transforms_.find(points.nx);
    if (transform == transforms_.end()) return;  // there are none
    transform->second.forward(lines.origin, lines.origin);
    backend_.for_each(Box{{}, {points.nx, points.ny, points.nz}},
                      DivideByEigenvalues<Axis::z, Real>{
                          lines, of_lines, eigenvalues_.data(), minus_inverse_gain_});
    transform->second.inverse(lines.origin, lines.origin);
  }

  Backend& backend_;
  Extents points_;  // real numbers; of lines along y and z
  Real minus_inverse_gain_ = 0;
  Memory eigenvalues_;
  std::optional<ModeTransposition<Backend>> transposition_;
  std::map<int, typename Backend::LineTransforms> transforms_;  // by points along x
};

}  // namespace dns
