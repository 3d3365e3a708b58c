/// Storage of fields on a staggered grid.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "solver/core/backend.hpp"
#include "solver/core/field_view.hpp"
#include "solver/numerics/projection.hpp"

namespace dns {

/// How a field lies in memory: points 0 .. n-1 along each axis and one more at both ends, x
/// contiguous. Point 0 of every row stands at a multiple of `row_alignment` bytes; the point before
/// it is the last word of the row before.
struct StaggeredLayout {
  Extents cells;

  static constexpr int row_alignment = 64;  // bytes, as in LevelLayout

  [[nodiscard]] int stride_y(std::size_t word) const {
    const int step = row_alignment / static_cast<int>(word);
    return (cells.nx + 2 + step - 1) / step * step;
  }
  [[nodiscard]] int stride_z(std::size_t word) const { return stride_y(word) * (cells.ny + 2); }
  /// Words of a field; a multiple of the alignment.
  [[nodiscard]] std::size_t values(std::size_t word) const {
    const std::size_t lead = static_cast<std::size_t>(row_alignment) / word;
    return lead + static_cast<std::size_t>(stride_z(word)) * static_cast<std::size_t>(cells.nz + 2);
  }
  /// The view of a field whose words start at `first`.
  template <class Real>
  [[nodiscard]] FieldView<Real> view(Real* first) const {
    const int y = stride_y(sizeof(Real));
    const int z = stride_z(sizeof(Real));
    return {first + row_alignment / static_cast<int>(sizeof(Real)) + y + z, y, z};
  }

  [[nodiscard]] Box all_cells() const { return {{}, {cells.nx, cells.ny, cells.nz}}; }
  /// With the points before the first and behind the last.
  [[nodiscard]] Box all_stored() const {
    return {{-1, -1, -1}, {cells.nx + 1, cells.ny + 1, cells.nz + 1}};
  }
  /// All words from the first row on, aligned; leaves out the very first point.
  [[nodiscard]] Box all_words(std::size_t word) const {
    return {{0, -1, -1}, {stride_y(word), cells.ny + 1, cells.nz + 1}};
  }
  /// From the first face to the last along every axis.
  [[nodiscard]] Box all_faces() const { return {{}, {cells.nx + 1, cells.ny + 1, cells.nz + 1}}; }
};

template <class Backend>
class StaggeredField {
 public:
  using Real = typename Backend::Real;

  StaggeredField(Backend& backend, const StaggeredLayout& shape)
      : shape_(shape), values_(backend.template allocate<Real>(shape.values(sizeof(Real)))) {}

  [[nodiscard]] FieldView<Real> view() const { return shape_.view(values_.data()); }
  [[nodiscard]] FieldView<const Real> view_const() const { return view().as_const(); }
  [[nodiscard]] Real* data() const { return values_.data(); }
  [[nodiscard]] std::size_t count() const { return shape_.values(sizeof(Real)); }

 private:
  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));
  StaggeredLayout shape_;
  Memory values_;
};

/// u, v, w.
template <class Backend>
class StaggeredVelocity {
 public:
  using Real = typename Backend::Real;

  StaggeredVelocity(Backend& backend, const StaggeredLayout& shape)
      : components_{{{backend, shape}, {backend, shape}, {backend, shape}}} {}

  [[nodiscard]] const StaggeredField<Backend>& operator[](int axis) const {
    return components_[static_cast<std::size_t>(axis)];
  }
  [[nodiscard]] VelocityView<Real> view() const {
    return {{components_[0].view(), components_[1].view(), components_[2].view()}};
  }
  [[nodiscard]] VelocityView<const Real> view_const() const { return view().as_const(); }

 private:
  std::array<StaggeredField<Backend>, 3> components_;
};

}  // namespace dns
