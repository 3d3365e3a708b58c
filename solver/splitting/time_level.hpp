/// Storage of a level: u, v, w, T with the ghost nodes of periodic axes.
#pragma once

#include <cstddef>
#include <utility>

#include "solver/config/case.hpp"
#include "solver/core/backend.hpp"

namespace dns {

/// How a level lies in memory: nodes 0 .. n-1 along each axis, one ghost node at each end of a
/// periodic axis; x the fastest, one group of variables (LevelView) after the other. Node 0 of
/// every row stands at a multiple of `row_alignment` bytes; the ghost node before it is the last
/// place of the row before. A node has `node_bytes` in a group: a word for each of its variables.
struct LevelLayout {
  Extents points;  // without ghosts
  int ghosts_x = 0, ghosts_y = 0, ghosts_z = 0;

  static LevelLayout of(const Case& resolved) {
    return {resolved.grid.points,
            resolved.is_periodic(0) ? 1 : 0,
            resolved.is_periodic(1) ? 1 : 0,
            resolved.is_periodic(2) ? 1 : 0};
  }

  static constexpr int row_alignment =
      64;  // bytes: a line of a CPU's cache, two sectors of a GPU's

  /// Nodes from a row to the next.
  [[nodiscard]] int stride_y(std::size_t node_bytes) const {
    const int step = row_alignment / static_cast<int>(node_bytes);
    return (points.nx + 2 * ghosts_x + step - 1) / step * step;
  }
  [[nodiscard]] int stride_z(std::size_t node_bytes) const {
    return stride_y(node_bytes) * (points.ny + 2 * ghosts_y);
  }
  /// Nodes of one group; a multiple of the alignment.
  [[nodiscard]] std::size_t nodes(std::size_t node_bytes) const {
    const std::size_t planes = static_cast<std::size_t>(stride_z(node_bytes)) *
                               static_cast<std::size_t>(points.nz + 2 * ghosts_z);
    return static_cast<std::size_t>(lead(node_bytes)) + planes;
  }
  /// Nodes before node (0, 0, 0).
  [[nodiscard]] std::ptrdiff_t origin(std::size_t node_bytes) const {
    return lead(node_bytes) + ghosts_y * stride_y(node_bytes) + ghosts_z * stride_z(node_bytes);
  }
  /// Words of all variables.
  [[nodiscard]] std::size_t values(std::size_t node_bytes) const {
    return variables_per_level * nodes(node_bytes);
  }

  /// The view of a level whose words start at `values`.
  template <class Real, int interleave_width = 1>
  [[nodiscard]] LevelView<Real, interleave_width> view(Real* values) const {
    constexpr std::size_t node_bytes = interleave_width * sizeof(Real);
    LevelView<Real, interleave_width> view;
    view.stride_y = interleave_width * stride_y(node_bytes);
    view.stride_z = interleave_width * stride_z(node_bytes);
    for (Real*& origin_of_group : view.origin) {
      origin_of_group = values + interleave_width * origin(node_bytes);
      values += interleave_width * nodes(node_bytes);
    }
    return view;
  }

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

 private:
  /// Nodes before the first row, for the ghost node before it.
  [[nodiscard]] int lead(std::size_t node_bytes) const {
    return ghosts_x * row_alignment / static_cast<int>(node_bytes);
  }
};

template <class Backend>
class TimeLevel {
 public:
  using Real = typename Backend::Real;
  static constexpr int interleave_width = Backend::interleave_width;
  using View = LevelView<Real, interleave_width>;
  using ConstView = LevelView<const Real, interleave_width>;

  TimeLevel(Backend& backend, const LevelLayout& shape)
      : shape_(shape), values_(backend.template allocate<Real>(count())) {}

  [[nodiscard]] View view() const { return shape_.view<Real, interleave_width>(values_.data()); }
  [[nodiscard]] ConstView view_const() const { return view().as_const(); }

  [[nodiscard]] Real* data() const { return values_.data(); }
  [[nodiscard]] std::size_t count() const { return shape_.values(interleave_width * sizeof(Real)); }

 private:
  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));
  LevelLayout shape_;
  Memory values_;
};

}  // namespace dns
