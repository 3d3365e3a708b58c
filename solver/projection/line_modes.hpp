/// The real Fourier modes of lines along one axis.
#pragma once

#include <utility>
#include <vector>

#include "solver/core/field_view.hpp"
#include "solver/numerics/spectra.hpp"
#include "solver/projection/poisson_transforms.hpp"

namespace dns {

/// Transforms of a piece of a field, from the field or from modes along another axis, never onto
/// itself: by the backend's line transforms where they pay, else by products with a matrix.
template <class Backend>
class LineModes {
 public:
  using Real = typename Backend::Real;

  /// axis: periodic and uniform. piece: points of what is transformed at once, along the axis those
  /// of the grid. `backend` must outlive this.
  LineModes(Backend& backend, const StaggeredAxis& axis, Axis along, Extents piece)
      : backend_(backend), transform_{LineTransformKind::fourier, along, piece} {
    const int n = axis.cells();
    if (Lines::pays(transform_)) {
      const double square = static_cast<double>(n) * n;
      shares_ = {n, 1 / square, 2 / square};
    } else {
      matrix_ = BasisOnDevice<Backend>(backend, axis, false).forward;
      shares_ = {n, 1 / axis.length(), 1 / axis.length()};
    }
  }

  [[nodiscard]] const ModeShares& shares() const { return shares_; }
  [[nodiscard]] Axis axis() const { return transform_.axis; }

  /// modes(p) = the mode p of each line of the field, at place p of the line.
  void forward(FieldView<const Real> field, FieldView<Real> modes) {
    if (Lines::pays(transform_)) {
      lines_between({field.stride_y, field.stride_z}, {modes.stride_y, modes.stride_z})
          .forward(field.origin, modes.origin);
    } else {
      backend_.multiply(transform_.axis, transform_.points, matrix_.data(), field, modes);
    }
  }

 private:
  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));
  using Lines = typename Backend::LineTransforms;

  struct Planned {
    Strides from, to;
    Lines lines;
  };

  const Lines& lines_between(Strides from, Strides to) {
    for (const Planned& planned : planned_) {
      if (planned.from == from && planned.to == to) return planned.lines;
    }
    planned_.push_back({from, to, backend_.plan_lines(transform_, from, to)});
    return planned_.back().lines;
  }

  Backend& backend_;
  LineTransform transform_;
  ModeShares shares_;
  Memory matrix_;
  std::vector<Planned> planned_;
};

}  // namespace dns
