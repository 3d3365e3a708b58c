/// Shares of planes: every rank of a box divided along z takes a part of the numbers of each plane,
/// and so whole lines along z. Copies between the planes of a rank and the parts for all ranks.
#pragma once

#include <cstddef>

#include "solver/core/index.hpp"

namespace dns {

/// Numbers first[n] .. first[n + 1] - 1 of a plane are the share of rank n. The parts lie one after
/// the other, those of equal k of a rank's part `pitch` numbers apart. Shares begin at multiples of
/// `alignment`, a power of two, and pitches are odd multiples of it: equal places of successive
/// planes do not map to the same sets of a cache.
struct PlaneShares {
  const int* first;       // one more than ranks
  int alignment;          // numbers
  int planes;             // of the slab
  std::ptrdiff_t stride;  // numbers from a plane to the next

  [[nodiscard]] DNS_HD static constexpr int pitch(int width, int alignment) {
    return width | alignment;
  }
  /// Where the part of a rank begins whose share begins at number `first` of a plane.
  [[nodiscard]] DNS_HD static constexpr std::ptrdiff_t part(int first,
                                                            int rank,
                                                            int alignment,
                                                            int planes) {
    return static_cast<std::ptrdiff_t>(first + rank * alignment) * planes;
  }

  /// Number i of the share of rank j in plane k: whether there is one, and where it lies.
  [[nodiscard]] DNS_HD int width(Index3 c) const { return first[c.j + 1] - first[c.j]; }
  [[nodiscard]] DNS_HD bool has(Index3 c) const { return c.i < width(c); }
  [[nodiscard]] DNS_HD std::ptrdiff_t in_planes(Index3 c) const {
    return stride * c.k + (first[c.j] + c.i);
  }
  [[nodiscard]] DNS_HD std::ptrdiff_t in_parts(Index3 c) const {
    return part(first[c.j], c.j, alignment, planes) +
           (static_cast<std::ptrdiff_t>(pitch(width(c), alignment)) * c.k + c.i);
  }
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
