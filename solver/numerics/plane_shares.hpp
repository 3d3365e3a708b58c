/// Shares of planes: every rank of a box divided along z takes a part of the numbers of each row,
/// in all planes, and so whole lines along z. Copies between the planes of a rank and the parts for
/// all ranks.
#pragma once

#include <cstddef>

#include "solver/core/index.hpp"

namespace dns {

/// Numbers first[n] .. first[n + 1] - 1 of each row are the share of rank n. The parts of the ranks
/// lie one after the other; the rows of a part are next to each other, its planes `pitch` numbers
/// apart. Shares begin at multiples of `alignment`, a power of two, and pitches are odd multiples
/// of it: equal places of successive planes do not map to the same sets of a cache.
struct PlaneShares {
  const int* first;  // one more than ranks
  int alignment;     // numbers
  int rows, planes;  // of the slab
  int row_stride;    // numbers from a row to the next
  int plane_stride;  // from a plane to the next

  [[nodiscard]] DNS_HD static constexpr int pitch(int width, int rows, int alignment) {
    return width * rows | alignment;
  }
  /// Where the part of a rank begins whose share begins at number `first` of a row.
  [[nodiscard]] DNS_HD std::ptrdiff_t part(int first_number, int rank) const {
    return static_cast<std::ptrdiff_t>(first_number * rows + rank * alignment) * planes;
  }

  /// Number i of a row of the share of a rank in plane k, j = row + rows rank: whether there is
  /// one, and where it lies.
  [[nodiscard]] DNS_HD bool has(Index3 c) const { return c.i < width(c.j / rows); }
  [[nodiscard]] DNS_HD std::ptrdiff_t in_planes(Index3 c) const {
    return static_cast<std::ptrdiff_t>(plane_stride) * c.k +
           (row_stride * (c.j % rows) + first[c.j / rows] + c.i);
  }
  [[nodiscard]] DNS_HD std::ptrdiff_t in_parts(Index3 c) const {
    const int rank = c.j / rows;
    return part(first[rank], rank) +
           static_cast<std::ptrdiff_t>(pitch(width(rank), rows, alignment)) * c.k +
           (width(rank) * (c.j % rows) + c.i);
  }

 private:
  [[nodiscard]] DNS_HD int width(int rank) const { return first[rank + 1] - first[rank]; }
};

/// Copies planes into parts; for the points (i, j, k) above.
template <class Real>
struct PackShares {
  PlaneShares shares;
  const Real* planes;
  Real* parts;

  template <class Point>
  DNS_HD void operator()(Point c) const {
    if (shares.has(c)) store(parts + shares.in_parts(c), load(planes + shares.in_planes(c), c), c);
  }
};

/// Copies parts back into planes.
template <class Real>
struct UnpackShares {
  PlaneShares shares;
  const Real* parts;
  Real* planes;

  template <class Point>
  DNS_HD void operator()(Point c) const {
    if (shares.has(c)) store(planes + shares.in_planes(c), load(parts + shares.in_parts(c), c), c);
  }
};

}  // namespace dns
