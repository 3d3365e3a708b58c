/// The transforms of the Poisson solver and their inverses.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "solver/core/field_view.hpp"
#include "solver/core/index.hpp"
#include "solver/numerics/projection.hpp"
#include "solver/projection/mode_transposition.hpp"
#include "solver/projection/poisson_plan.hpp"

namespace dns {

/// Numbers of the host as a device array of type T. count: how many there would be where memory is
/// only counted.
template <class T, class Backend>
auto upload_as(Backend& backend, const std::vector<double>& values, std::size_t count = 0) {
  const std::vector<T> rounded(values.begin(), values.end());
  auto memory = backend.template allocate<T>(std::max(count, values.size()));
  backend.upload_values(rounded.data(), memory.data(), rounded.size());
  return memory;
}

/// The basis of an axis with its matrices on the device, for products with them.
template <class Backend>
struct BasisOnDevice {
  using Memory = decltype(std::declval<Backend&>().template allocate<typename Backend::Real>(0));

  std::vector<double> eigenvalues;
  Memory forward, inverse;  // row-major

  BasisOnDevice() = default;
  BasisOnDevice(Backend& backend, const StaggeredAxis& axis, bool has_inverse = true) {
    AxisBasis basis;
    if constexpr (!Backend::only_counts) basis = basis_of(axis);
    const std::size_t n = axis.cells();
    eigenvalues = std::move(basis.eigenvalues);
    forward = upload_as<typename Backend::Real>(backend, basis.forward, n * n);
    if (has_inverse) inverse = upload_as<typename Backend::Real>(backend, basis.inverse, n * n);
    backend.reserve_products();
  }
};

/// From a field to its modes along two axes, or three, and back. `backend` must outlive it.
///
/// Planes are transformed from the field into a buffer. Single axes are transformed one after the
/// other: the first one from the field into the buffer, the second one from there into the field,
/// a third one into the buffer again. Of slabs, modes along the first axis are transposed before
/// the transforms along z: a rank then has a share of them, with whole lines along the other axes.
/// Modes along x are complex where both axes have Fourier transforms and x is the first one
/// (plan.has_waves), and before products along the other axis where the backend prefers that to
/// real ones; else they are real.
template <class Backend>
class PoissonTransforms {
 public:
  using Real = typename Backend::Real;

  /// cells: those of the field, all of the grid along the axes that are transformed without a
  /// transposition; field: how it lies in memory.
  PoissonTransforms(Backend& backend,
                    const StaggeredGrid& grid,
                    const PoissonPlan& plan,
                    Extents cells,
                    Strides field);

  /// Whether modes along x are complex although those along the other axis are real.
  [[nodiscard]] static bool prefers_waves(const PoissonPlan& plan, Extents cells) {
    const std::vector<Axis> axes = plan.single_axes();
    return plan.has_sweep && !plan.is_transposed && axes.size() == 2 && axes.front() == Axis::x &&
           plan.of(Axis::x) == AxisModes::fourier &&
           Backend::LineTransforms::prefers_waves({LineTransformKind::fourier, Axis::x, cells});
  }
  /// What forward and inverse together multiply by.
  [[nodiscard]] double gain() const { return gain_; }
  /// Extents of the modes as real numbers, with the padding of rows, which is zero.
  [[nodiscard]] Extents modes() const { return modes_; }
  /// How those of planes, or transposed ones, lie in memory.
  [[nodiscard]] Strides strides() const { return has_planes_ ? layout_.strides : line_strides_; }
  /// Makes the memory of the modes of planes hold so many numbers at least, before the first
  /// transform.
  void reserve(std::size_t numbers) { backend_.enlarge(buffer_, numbers); }
  /// Whether mode (0, 0, 0) of this rank, if it has any, is that of the whole box.
  [[nodiscard]] bool has_constant_mode() const {
    return !transposition_ || transposition_->first() == 0;
  }
  /// The sum of the eigenvalues of a mode [1/L^2]; 0 for the constant mode, any >= 0 for padding.
  [[nodiscard]] double eigenvalue(Index3 mode) const;

  /// Returns the modes of the field, in the field or in the buffer, where `inverse` expects them.
  FieldView<Real> forward(FieldView<Real> field);
  void inverse(FieldView<Real> field);

 private:
  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));
  using Planes = typename Backend::PlaneTransforms;
  using Lines = typename Backend::LineTransforms;

  /// An axis that is transformed by itself: by `lines`, or by matrices where they are faster.
  struct SingleAxis {
    LineTransform transform;
    bool has_lines = false;
    std::optional<Lines> lines;
    BasisOnDevice<Backend> matrices;
  };

  void transpose(Axis shared);
  [[nodiscard]] SingleAxis single_axis(const StaggeredGrid& grid, Axis which);
  [[nodiscard]] LineTransform transform_along(const StaggeredGrid& grid, Axis which) const {
    const bool is_first = which == Axis::x || (which == Axis::y && transposition_);
    return {kind_of(modes_of(grid[which]), which), which, is_first ? cells_ : modes_};
  }
  [[nodiscard]] bool has_lines(const StaggeredGrid& grid, Axis which) const {
    return modes_of(grid[which]) != AxisModes::eigenbasis &&
           Lines::pays(transform_along(grid, which));
  }
  [[nodiscard]] LineTransformKind kind_of(AxisModes modes, Axis which) const {
    if (modes != AxisModes::fourier) return LineTransformKind::cosine;
    if (!has_waves_) return LineTransformKind::fourier;
    return which == Axis::x ? LineTransformKind::waves : LineTransformKind::complex;
  }
  /// Clears `numbers` of the rows between planes, which a GPU transforms along x like the others,
  /// two at a time for some lengths: their roundings would be in the results.
  void clear_between_planes(FieldView<Real> array, int numbers) {
    const int rows = array.stride_z / array.stride_y;
    const Box between{{0, cells_.ny, 0}, {numbers, rows, cells_.nz - 1}};
    if (rows > cells_.ny && cells_.nz > 1) backend_.for_each(between, ClearField<Real>{array});
  }
  void apply_forward(const SingleAxis& axis, FieldView<Real> from, FieldView<Real> to);
  void apply_inverse(const SingleAxis& axis, FieldView<Real> from, FieldView<Real> to);
  [[nodiscard]] FieldView<Real> buffer() const {
    return {buffer_.data(), layout_.strides.y, layout_.strides.z};
  }
  /// Whether single axis number n is transformed from the field into the buffer, not back.
  [[nodiscard]] static bool is_into_buffer(std::size_t n) { return n % 2 == 0; }
  /// Modes of this rank after their transposition, and after the transforms along z.
  [[nodiscard]] FieldView<Real> transposed() const {
    return {buffer_.data(), line_strides_.y, line_strides_.z};
  }
  [[nodiscard]] FieldView<Real> transposed_and_transformed() {
    if (has_waves_) return transposed();  // in place
    return {transposition_->scratch(), line_strides_.y, line_strides_.z};
  }

  Backend& backend_;
  PlaneTransform plane_;
  bool has_planes_, has_waves_;
  Extents cells_, modes_;
  double gain_ = 1;
  PerAxis<std::vector<double>> eigenvalues_;  // 0 along the axis of the sweep
  std::vector<SingleAxis> axes_;              // up to three
  std::optional<Planes> planes_;
  BufferLayout layout_;
  Memory buffer_;
  std::optional<ModeTransposition<Backend>> transposition_;
  Strides line_strides_;  // of the buffer's rows before the transforms along the second axis
  Index3 first_mode_;     // of this rank
};

template <class Backend>
PoissonTransforms<Backend>::PoissonTransforms(Backend& backend,
                                              const StaggeredGrid& grid,
                                              const PoissonPlan& plan,
                                              Extents cells,
                                              Strides field)
    : backend_(backend),
      plane_{cells, plan.second},
      has_planes_(plan.has_planes),
      has_waves_(plan.has_waves || prefers_waves(plan, cells)),
      cells_(cells),
      modes_(cells_) {
  for (int axis = 0; axis < 3; ++axis) {
    if (static_cast<Axis>(axis) == plan.sweep) {
      eigenvalues_[axis].assign(grid[axis].cells(), 0);
    } else if (plan.modes[axis] != AxisModes::eigenbasis) {
      eigenvalues_[axis] = uniform_eigenvalues(grid[axis]);
    }
  }
  if (has_planes_) {
    modes_ = modes_of(plane_, Planes::left_out(plane_));
    layout_ = BufferLayout::of(modes_, plane_.second, sizeof(Real));
    modes_.nx = layout_.strides.along(plane_.second);  // whole rows
    gain_ = static_cast<double>(cells_.nx) * cells_[plane_.second];
  } else {
    const std::vector<Axis> axes = plan.single_axes();
    if (has_waves_) modes_.nx = 2 * (cells_.nx / 2 + 1);
    if (!axes.empty()) {
      const bool pairs_rows =
          has_lines(grid, axes.front()) && Lines::pairs_rows(transform_along(grid, axes.front()));
      layout_ = pairs_rows ? BufferLayout::of_row_pairs(modes_, sizeof(Real))
                           : BufferLayout::of(modes_, Axis::y, sizeof(Real));
    }
    if (has_waves_) {  // planes of modes are as many rows apart as those of the field
      layout_.strides.z = layout_.strides.y * (field.z / field.y);
      layout_.values = static_cast<std::size_t>(layout_.strides.z) * cells_.nz;
    }
    line_strides_ = layout_.strides;
    if (plan.is_transposed) transpose(axes.front());
    for (const Axis axis : axes) axes_.push_back(single_axis(grid, axis));
  }
  buffer_ = backend.template allocate<Real>(
      std::max(layout_.values, transposition_ ? transposition_->size_of_lines() : 0));
  if (has_planes_) planes_.emplace(backend.plan_planes(plane_, field, layout_.strides));
  for (std::size_t n = 0; n < axes_.size(); ++n) {
    if (!axes_[n].has_lines || axes_[n].transform.points.count() == 0) continue;
    const Strides second = transposition_ ? line_strides_ : field;
    axes_[n].lines.emplace(backend.plan_lines(axes_[n].transform,
                                              is_into_buffer(n) ? field : line_strides_,
                                              is_into_buffer(n) ? layout_.strides : second));
  }
}

/// Shares modes out along an axis and makes them those of this rank.
template <class Backend>
void PoissonTransforms<Backend>::transpose(Axis shared) {
  const int row = layout_.strides.y;
  transposition_.emplace(backend_,
                         shared == Axis::x
                             ? SharedModes::along_x(cells_, layout_.strides, sizeof(Real))
                             : SharedModes::along_y(cells_, layout_.strides));
  const int first = transposition_->first();
  const int width = transposition_->width();
  line_strides_ = {shared == Axis::x ? width : row, transposition_->pitch()};
  modes_.nz = backend_.part().whole.nz;
  if (shared == Axis::x) {
    // Complex modes with the padding of rows, real ones without.
    modes_.nx = has_waves_ ? width : std::clamp(cells_.nx - first, 0, width);
    first_mode_.i = first;
  } else {
    modes_.ny = width / row;
    first_mode_.j = first / row;
  }
}

template <class Backend>
auto PoissonTransforms<Backend>::single_axis(const StaggeredGrid& grid, Axis which) -> SingleAxis {
  SingleAxis single;
  single.transform = transform_along(grid, which);
  single.has_lines = has_lines(grid, which);
  if (single.has_lines) {
    gain_ *= gain_of(single.transform);
  } else {
    single.matrices = {backend_, grid[which]};
    eigenvalues_[which] = single.matrices.eigenvalues;
  }
  return single;
}

template <class Backend>
double PoissonTransforms<Backend>::eigenvalue(Index3 mode) const {
  mode.i += first_mode_.i;
  if (has_planes_ || has_waves_) mode.i /= 2;  // two parts of a complex number
  const PerAxis<int> numbers{mode.i, mode.j + first_mode_.j, mode.k};
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const std::size_t number = numbers[axis];
    if (number >= eigenvalues_[axis].size()) return 0;
    sum += eigenvalues_[axis][number];
  }
  return sum;
}

template <class Backend>
FieldView<typename Backend::Real> PoissonTransforms<Backend>::forward(FieldView<Real> field) {
  if (has_planes_) {
    planes_->forward(field.origin, buffer_.data());
    return buffer();
  }
  if (has_waves_) clear_between_planes(field, cells_.nx);
  if (transposition_) {
    apply_forward(axes_[0], field, buffer());
    transposition_->to_lines(buffer_.data(), buffer_.data());
    apply_forward(axes_[1], transposed(), transposed_and_transformed());
    return transposed_and_transformed();
  }
  FieldView<Real> modes = field;
  for (std::size_t n = 0; n < axes_.size(); ++n) {
    const FieldView<Real> to = is_into_buffer(n) ? buffer() : field;
    apply_forward(axes_[n], modes, to);
    modes = to;
  }
  return modes;
}

template <class Backend>
void PoissonTransforms<Backend>::inverse(FieldView<Real> field) {
  if (has_planes_) return planes_->inverse(buffer_.data(), field.origin);
  if (transposition_) {
    apply_inverse(axes_[1], transposed_and_transformed(), transposed());
    transposition_->to_planes(buffer_.data(), buffer_.data());
    if (has_waves_) clear_between_planes(buffer(), layout_.strides.y);
    return apply_inverse(axes_[0], buffer(), field);
  }
  for (std::size_t n = axes_.size(); n-- > 0;) {
    if (is_into_buffer(n)) {
      if (has_waves_) clear_between_planes(buffer(), layout_.strides.y);
      apply_inverse(axes_[n], buffer(), field);
    } else {
      apply_inverse(axes_[n], field, buffer());
    }
  }
}

template <class Backend>
void PoissonTransforms<Backend>::apply_forward(const SingleAxis& axis,
                                               FieldView<Real> from,
                                               FieldView<Real> to) {
  const auto& [kind, along, points] = axis.transform;
  if (points.count() == 0) return;  // all are other ranks'
  if (axis.has_lines) return axis.lines->forward(from.origin, to.origin);
  backend_.multiply(along, points, axis.matrices.forward.data(), from.as_const(), to);
}

template <class Backend>
void PoissonTransforms<Backend>::apply_inverse(const SingleAxis& axis,
                                               FieldView<Real> from,
                                               FieldView<Real> to) {
  const auto& [kind, along, points] = axis.transform;
  if (points.count() == 0) return;
  if (axis.has_lines) return axis.lines->inverse(from.origin, to.origin);
  backend_.multiply(along, points, axis.matrices.inverse.data(), from.as_const(), to);
}

}  // namespace dns
