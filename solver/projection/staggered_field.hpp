/// Storage of fields on a staggered grid.
#pragma once

#include <cstddef>
#include <utility>

#include "solver/core/backend.hpp"
#include "solver/core/field_layout.hpp"
#include "solver/core/field_view.hpp"
#include "solver/core/index.hpp"
#include "solver/numerics/projection.hpp"

namespace dns {

/// Ghost points at both ends of every axis: one, or order - 1 along axes of higher order.
struct StaggeredLayout : FieldLayout {
  explicit StaggeredLayout(Extents cells, const PerAxis<int>& orders = {2, 2, 2})
      : FieldLayout(cells, {orders[0] - 1, orders[1] - 1, orders[2] - 1}) {}

  /// All words from the first row on, aligned; leaves out the very first ghost points.
  [[nodiscard]] Box all_words(std::size_t word) const {
    return {{0, -ghosts.ny, -ghosts.nz},
            {stride_y(word), points.ny + ghosts.ny, points.nz + ghosts.nz}};
  }
  /// With one ghost point at every end.
  [[nodiscard]] Box with_one_ghost() const { return widened(all_points()); }
  /// Faces 0 .. n along every axis.
  [[nodiscard]] Box all_faces() const {
    return {{}, {points.nx + 1, points.ny + 1, points.nz + 1}};
  }
};

template <class Backend>
class StaggeredField {
 public:
  using Real = typename Backend::Real;

  StaggeredField(Backend& backend, const StaggeredLayout& layout)
      : layout_(layout), values_(backend.template allocate<Real>(layout.count(sizeof(Real)))) {}

  [[nodiscard]] FieldView<Real> view() const { return layout_.field_view(values_.data()); }
  [[nodiscard]] FieldView<const Real> view_const() const { return view().as_const(); }
  [[nodiscard]] Real* data() const { return values_.data(); }
  [[nodiscard]] std::size_t count() const { return layout_.count(sizeof(Real)); }

 private:
  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));
  StaggeredLayout layout_;
  Memory values_;
};

/// Views of the scalars of a flow, which lie behind each other in memory.
template <class Real>
struct ScalarViews {
  FieldView<Real> first;       // null: there are none
  std::ptrdiff_t between = 0;  // words from a scalar to the next
  int count = 0;

  [[nodiscard]] FieldView<Real> operator[](int n) const {
    return {first.origin + n * between, first.stride_y, first.stride_z};
  }
  [[nodiscard]] ScalarViews<const Real> as_const() const {
    return {first.as_const(), between, count};
  }
};

/// So many scalars.
template <class Backend>
class StaggeredScalars {
 public:
  using Real = typename Backend::Real;

  StaggeredScalars(Backend& backend, const StaggeredLayout& layout, int count)
      : layout_(layout), count_(count) {
    if (count > 0)
      values_ = backend.template allocate<Real>(static_cast<std::size_t>(count) *
                                                layout.count(sizeof(Real)));
  }

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] ScalarViews<Real> views() const {
    if (count_ == 0) return {};
    return {layout_.field_view(values_.data()),
            static_cast<std::ptrdiff_t>(layout_.count(sizeof(Real))),
            count_};
  }
  [[nodiscard]] FieldView<Real> operator[](int n) const { return views()[n]; }
  [[nodiscard]] Real* data(int n) const { return values_.data() + layout_.count(sizeof(Real)) * n; }

 private:
  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));
  StaggeredLayout layout_;
  int count_;
  Memory values_;
};

/// u, v, w.
template <class Backend>
class StaggeredVelocity {
 public:
  using Real = typename Backend::Real;

  StaggeredVelocity(Backend& backend, const StaggeredLayout& layout)
      : components_{{{backend, layout}, {backend, layout}, {backend, layout}}} {}

  [[nodiscard]] const StaggeredField<Backend>& operator[](auto axis) const {
    return components_[axis];
  }
  /// Exchanges a component with a field of the same layout.
  void swap(int axis, StaggeredField<Backend>& field) { std::swap(components_[axis], field); }
  [[nodiscard]] VelocityView<Real> view() const {
    return {{components_[0].view(), components_[1].view(), components_[2].view()}};
  }
  [[nodiscard]] VelocityView<const Real> view_const() const { return view().as_const(); }

 private:
  PerAxis<StaggeredField<Backend>> components_;
};

}  // namespace dns
