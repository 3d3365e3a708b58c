/// How fields lie in memory.
#pragma once

#include <cstddef>

#include "solver/core/field_view.hpp"
#include "solver/core/index.hpp"

namespace dns {

/// Points 0 .. n-1 along each axis and ghost points at both ends of some, x the fastest. Point 0 of
/// every row lies at a multiple of `row_alignment` bytes; the ghost point before it is the last
/// place of the row before. `bytes` are those of a point: one number, or several side by side.
struct FieldLayout {
  Extents points;  // without ghosts
  Extents ghosts;  // at each end

  FieldLayout(Extents points_inside, Extents ghosts_beyond)
      : points(points_inside), ghosts(ghosts_beyond) {}

  static constexpr int row_alignment =
      64;  // bytes: a line of a CPU's cache, two sectors of a GPU's

  /// Points from a row to the next.
  [[nodiscard]] int stride_y(std::size_t bytes) const {
    const int step = points_aligned(bytes);
    return (points.nx + 2 * ghosts.nx + step - 1) / step * step;
  }
  /// From a plane to the next.
  [[nodiscard]] int stride_z(std::size_t bytes) const {
    return stride_y(bytes) * (points.ny + 2 * ghosts.ny);
  }
  /// Points of a field with ghosts and the padding of rows; a multiple of the alignment.
  [[nodiscard]] std::size_t count(std::size_t bytes) const {
    return lead(bytes) + static_cast<std::size_t>(stride_z(bytes)) * (points.nz + 2 * ghosts.nz);
  }
  /// Points before point (0, 0, 0).
  [[nodiscard]] std::ptrdiff_t origin(std::size_t bytes) const {
    return lead(bytes) + ghosts.ny * stride_y(bytes) + ghosts.nz * stride_z(bytes);
  }

  /// The view of a field of one number per point whose memory starts at `first`.
  template <class Real>
  [[nodiscard]] FieldView<Real> field_view(Real* first) const {
    return {first + origin(sizeof(Real)), stride_y(sizeof(Real)), stride_z(sizeof(Real))};
  }

  /// Points before the first stored one of plane k; from there on all of the plane, with its
  /// ghosts, lies in stride_z points.
  [[nodiscard]] std::ptrdiff_t plane(int k, std::size_t bytes) const {
    return lead(bytes) - ghosts.nx + static_cast<std::ptrdiff_t>(stride_z(bytes)) * (k + ghosts.nz);
  }

  [[nodiscard]] Box all_points() const { return {{}, {points.nx, points.ny, points.nz}}; }
  /// With the ghost points.
  [[nodiscard]] Box all_stored() const {
    return {{-ghosts.nx, -ghosts.ny, -ghosts.nz},
            {points.nx + ghosts.nx, points.ny + ghosts.ny, points.nz + ghosts.nz}};
  }

 private:
  /// Points of `row_alignment` bytes.
  [[nodiscard]] static int points_aligned(std::size_t bytes) {
    return row_alignment / static_cast<int>(bytes);
  }
  /// Points before the first row, for the ghost point before it.
  [[nodiscard]] int lead(std::size_t bytes) const { return ghosts.nx * points_aligned(bytes); }
};

}  // namespace dns
