/// Cosine transforms of rows by complex Fourier transforms of the same length.
///
/// Two real rows x and y of n numbers are one row of n complex numbers, whose cosine transform is
/// A(k) = (mode k of x) + i (mode k of y). With Z, the Fourier transform of the reordered row z:
///
///   z(place of m) = x(m) + i y(m),   place = m/2 for even m, else n - (m + 1)/2
///   A(k) = conj(r) Z(k) + r Z(n - k)     r = exp(i pi k/(2n)), Z(n) = Z(0)
///   Z(k) = r (A(k) - i A(n - k))         of the inverse, A(n) = 0
///
/// The pair of rows takes the memory of the complex row. Modes and gain are those of
/// LineTransformKind::cosine. Source: J. Makhoul, IEEE Trans. ASSP 28 (1980) 27-34, for one row.
#pragma once

#include <cstddef>

#include "solver/core/field_view.hpp"
#include "solver/core/host_device.hpp"
#include "solver/core/index.hpp"

namespace dns {

/// Real and imaginary part.
template <class Real>
using ComplexNumber = SideBySide<Real, 2>;

template <class Real>
[[nodiscard]] DNS_HD ComplexNumber<Real> times(ComplexNumber<Real> a, ComplexNumber<Real> b) {
  return {{a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]}};
}
template <class Real>
[[nodiscard]] DNS_HD ComplexNumber<Real> conjugate(ComplexNumber<Real> a) {
  return {{a[0], -a[1]}};
}

/// Numbers k and n - k of a row, 0 <= k <= n/2. A row has no number n: for k = 0 give Z(n) = Z(0)
/// or A(n) = 0, and ignore what comes back.
template <class Real>
struct OppositeNumbers {
  ComplexNumber<Real> here, opposite;
};

/// k/(2n): r = exp(i pi half_turns).
template <class Real>
[[nodiscard]] DNS_HD Real half_turns(int k, int n) {
  return static_cast<Real>(k) / static_cast<Real>(2 * n);
}

/// A(k) and A(n - k) of Z(k) and Z(n - k).
template <class Real>
[[nodiscard]] DNS_HD OppositeNumbers<Real> cosine_modes(const OppositeNumbers<Real>& fourier,
                                                        ComplexNumber<Real> r) {
  const ComplexNumber<Real> p = times(conjugate(r), fourier.here);
  const ComplexNumber<Real> q = times(r, fourier.opposite);
  return {{{p[0] + q[0], p[1] + q[1]}}, {{q[1] - p[1], p[0] - q[0]}}};  // p + q, i (p - q)
}

/// Z(k) and Z(n - k) of A(k) and A(n - k), for the inverse.
template <class Real>
[[nodiscard]] DNS_HD OppositeNumbers<Real> fourier_modes(const OppositeNumbers<Real>& cosine,
                                                         ComplexNumber<Real> r) {
  const auto& [a, b] = cosine;
  return {times(r, {{a[0] + b[1], a[1] - b[0]}}),              // r (a - i b)
          times(conjugate(r), {{a[0] - b[1], a[1] + b[0]}})};  // conj(r) (a + i b)
}

/// Where number m of a row of n stands in the reordered one.
[[nodiscard]] DNS_HD constexpr int place_of(int m, int n) {
  return m % 2 == 0 ? m / 2 : n - (m + 1) / 2;
}

/// Rows 2j and 2j + 1 of a plane are a pair. Where planes have an odd number of rows, the partner
/// of the last one is a row of zeros, for which only buffers have memory.
template <class Real>
struct RowPairs {
  FieldView<Real> rows;
  Extents points;

  [[nodiscard]] DNS_HD int per_plane() const { return (points.ny + 1) / 2; }
  [[nodiscard]] DNS_HD bool has_partner(int pair) const { return 2 * pair + 1 < points.ny; }
  /// The first row of a pair of a plane; its partner begins rows.stride_y numbers behind it.
  [[nodiscard]] DNS_HD Real* first(int pair, int plane) const {
    return rows.address({0, 2 * pair, plane});
  }
  /// Two numbers of each row of each pair: point c is numbers 2 c.i and 2 c.i + 1 of pair c.j of
  /// plane c.k.
  [[nodiscard]] Box in_pairs() const { return {{}, {(points.nx + 1) / 2, per_plane(), points.nz}}; }
};

/// Writes rows of a field to a buffer, reordered, in pairs. A kernel over in_pairs(). Requires rows
/// that start at multiples of two numbers.
template <class Real>
struct ReorderRows {
  RowPairs<const Real> field;
  RowPairs<Real> buffer;

  DNS_HD void operator()(Index3 c) const {
    const int n = field.points.nx;
    const int m = 2 * c.i;
    const Real* const row = field.first(c.j, c.k) + m;
    const bool is_last = m + 1 == n;
    const ComplexNumber<Real> x = two_of(row, is_last);
    ComplexNumber<Real> y{};
    if (field.has_partner(c.j)) y = two_of(row + field.rows.stride_y, is_last);
    Real* const to = buffer.first(c.j, c.k);
    store_aligned(to + 2 * place_of(m, n), ComplexNumber<Real>{{x[0], y[0]}});
    if (!is_last) store_aligned(to + 2 * place_of(m + 1, n), ComplexNumber<Real>{{x[1], y[1]}});
  }

 private:
  [[nodiscard]] DNS_HD static ComplexNumber<Real> two_of(const Real* row, bool is_last) {
    return is_last ? ComplexNumber<Real>{{*row, 0}} : load_aligned<2>(row);
  }
};

/// The inverse of ReorderRows.
template <class Real>
struct RestoreRows {
  RowPairs<const Real> buffer;
  RowPairs<Real> field;

  DNS_HD void operator()(Index3 c) const {
    const int n = field.points.nx;
    const int m = 2 * c.i;
    const Real* const from = buffer.first(c.j, c.k);
    const bool is_last = m + 1 == n;
    const auto first = load_aligned<2>(from + 2 * place_of(m, n));
    const auto second = is_last ? first : load_aligned<2>(from + 2 * place_of(m + 1, n));
    Real* const row = field.first(c.j, c.k) + m;
    store_two(row, {{first[0], second[0]}}, is_last);
    if (field.has_partner(c.j))
      store_two(row + field.rows.stride_y, {{first[1], second[1]}}, is_last);
  }

 private:
  DNS_HD static void store_two(Real* row, ComplexNumber<Real> values, bool is_last) {
    is_last ? static_cast<void>(*row = values[0]) : store_aligned(row, values);
  }
};

}  // namespace dns
