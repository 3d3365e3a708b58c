/// Storage of a layer: u, v, w, T with the ghost nodes of periodic axes.
#pragma once

#include <cstddef>
#include <utility>

#include "solver/config/case.hpp"
#include "solver/core/backend.hpp"

namespace dns {

/// How a layer lies in memory: nodes 0 .. n-1 along each axis, one ghost node at each end of a
/// periodic axis; x contiguous, one variable after the other.
struct LayerShape {
  Extents points;  // without ghosts
  int ghosts_x = 0, ghosts_y = 0, ghosts_z = 0;

  static LayerShape of(const Case& resolved) {
    return {resolved.grid.points,
            resolved.is_periodic(0) ? 1 : 0,
            resolved.is_periodic(1) ? 1 : 0,
            resolved.is_periodic(2) ? 1 : 0};
  }

  [[nodiscard]] Extents stored() const {
    return {points.nx + 2 * ghosts_x, points.ny + 2 * ghosts_y, points.nz + 2 * ghosts_z};
  }
  [[nodiscard]] std::size_t values() const { return variables_per_layer * stored().count(); }

  /// Nodes whose equations are solved: all along a periodic axis, all but the boundary nodes else.
  [[nodiscard]] Box interior() const {
    const auto first = [](int ghosts) { return 1 - ghosts; };
    const auto end = [](int n, int ghosts) { return n - 1 + ghosts; };
    return {{first(ghosts_x), first(ghosts_y), first(ghosts_z)},
            {end(points.nx, ghosts_x), end(points.ny, ghosts_y), end(points.nz, ghosts_z)}};
  }
  [[nodiscard]] Box all_points() const { return {{}, {points.nx, points.ny, points.nz}}; }
  [[nodiscard]] Box all_stored() const {
    return {{-ghosts_x, -ghosts_y, -ghosts_z},
            {points.nx + ghosts_x, points.ny + ghosts_y, points.nz + ghosts_z}};
  }
  /// Cells by their lowest corner: between nodes, and across the seam of a periodic axis.
  [[nodiscard]] Box cells() const {
    return {{}, {points.nx - 1 + ghosts_x, points.ny - 1 + ghosts_y, points.nz - 1 + ghosts_z}};
  }
};

template <class Backend>
class Layer {
 public:
  using Real = typename Backend::Real;

  Layer(Backend& backend, const LayerShape& shape)
      : shape_(shape), values_(backend.template allocate<Real>(shape.values())) {}

  [[nodiscard]] LayerView<Real> view() const {
    const Extents stored = shape_.stored();
    LayerView<Real> view;
    view.stride_y = stored.nx;
    view.stride_z = static_cast<std::ptrdiff_t>(stored.nx) * stored.ny;
    for (int variable = 0; variable < variables_per_layer; ++variable) {
      view.origin[variable] = values_.data() + static_cast<std::size_t>(variable) * stored.count() +
                              shape_.ghosts_x + view.stride_y * shape_.ghosts_y +
                              view.stride_z * shape_.ghosts_z;
    }
    return view;
  }
  [[nodiscard]] LayerView<const Real> view_const() const { return view().as_const(); }

  [[nodiscard]] Real* data() const { return values_.data(); }
  [[nodiscard]] std::size_t count() const { return shape_.values(); }

 private:
  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));
  LayerShape shape_;
  Memory values_;
};

}  // namespace dns
