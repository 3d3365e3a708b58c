/// Transforms of fields along their axes, as backends offer them.
#pragma once

#include <cstddef>

#include "solver/core/index.hpp"

namespace dns {

/// Words from a point to its neighbours along y and z; 1 along x.
struct Strides {
  int y = 0, z = 0;

  [[nodiscard]] constexpr int along(Axis axis) const {
    return axis == Axis::x ? 1 : axis == Axis::y ? y : z;
  }
  friend constexpr bool operator==(const Strides&, const Strides&) = default;
};

/// `extents` with another number of points along an axis.
[[nodiscard]] constexpr Extents resized(Extents extents, Axis axis, int points) {
  extents[axis] = points;
  return extents;
}

/// Real Fourier transform of planes along x and `second`, one for each index along the third axis:
///
///   modes(p, q) = sum over m, n of field(m, n) exp(-2 pi I (m p/nx + n q/n_second))
///
/// and its inverse, unnormalised: both together multiply by the number of points of a plane. The
/// real and imaginary part of a mode are neighbours along x, so that the modes are a real field of
/// twice as many points along x. Modes that follow from others by symmetry are left out, along x or
/// along `second` as the backend chooses.
struct PlaneTransform {
  Extents points;
  Axis second = Axis::y;  // not x
};

/// The modes of a plane transform as real numbers. left_out: the axis along which half is left out.
[[nodiscard]] constexpr Extents modes_of(const PlaneTransform& transform, Axis left_out) {
  Extents modes = resized(transform.points, left_out, transform.points[left_out] / 2 + 1);
  modes.nx *= 2;
  return modes;
}

/// How an array lies in memory that needs no ghosts: planes along x and `second` one after the
/// other, x contiguous. Rows are aligned to 64 bytes and padded to a multiple of them; planes are
/// an odd multiple apart, so that neighbouring ones do not map to the same sets of a cache.
struct BufferLayout {
  Strides strides;
  std::size_t values = 0;

  static constexpr int line_bytes = 64;

  /// word: bytes of a number.
  static constexpr BufferLayout of(Extents points, Axis second, std::size_t word) {
    const int line = line_bytes / static_cast<int>(word);
    const int row = (points.nx + line - 1) / line * line;
    int plane = row * points[second];
    if (plane / line % 2 == 0) plane += line;
    const int planes = points[third_axis(Axis::x, second)];
    return {second == Axis::y ? Strides{row, plane} : Strides{plane, row},
            static_cast<std::size_t>(plane) * planes};
  }
  /// Planes of x and y an even number of rows apart and nothing else between them, so that rows
  /// 2j and 2j + 1 of all planes are pairs at equal distances.
  static constexpr BufferLayout of_row_pairs(Extents points, std::size_t word) {
    const int row = of({points.nx, 1, 1}, Axis::y, word).strides.y;
    const int plane = row * (points.ny + points.ny % 2);
    return {{row, plane}, static_cast<std::size_t>(plane) * points.nz};
  }
};

/// Transforms of n numbers along one axis, unnormalised:
///   fourier  real; real parts of modes 0, 1, ..., n/2, then imaginary parts of modes ..., 2, 1
///   cosine   real; mode(p) = 2 sum over m of value(m) cos(pi (m + 1/2) p/n). Where a backend pairs
///            rows, those of modes lie in memory as BufferLayout::of_row_pairs has them
///   waves    real, along x; complex modes 0, 1, ..., n/2, as PlaneTransform of one row makes them.
///            Planes of both arrays are as many rows apart; the inverse may overwrite all rows from
///            the first to the last, also between planes
///   complex  Fourier, along y or z, in place, of complex numbers whose real and imaginary part are
///            neighbours along x, as PlaneTransform makes them; modes 0, 1, ..., n - 1. Rows lie
///            next to each other
/// Forward and inverse together multiply by 2n for cosine, else by n.
enum class LineTransformKind { fourier, cosine, waves, complex };

struct LineTransform {
  LineTransformKind kind = LineTransformKind::fourier;
  Axis axis = Axis::x;
  Extents points;  // real numbers
};

/// The factor that a transform and its inverse together multiply by.
[[nodiscard]] constexpr double gain_of(const LineTransform& transform) {
  const int n = transform.points[transform.axis];
  return transform.kind == LineTransformKind::cosine ? 2.0 * n : n;
}

}  // namespace dns
