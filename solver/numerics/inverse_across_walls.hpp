/// Implicit diffusion along y across walls of order 4: q* = q + M r with M = (I - a L)^-1, of which
/// only the entries are multiplied that are no round-off.
///
/// From the diagonal on the entries of M fall by a factor for each point, 0.26 for a = h^2/2 on
/// uniform cells, 0.03 for a = h^2/70: at Re_tau 180 a row on 192 cells has 15 to 60 entries that
/// count in double, 8 to 30 in float.
#pragma once

#include <limits>
#include <type_traits>

#include "solver/core/field_view.hpp"
#include "solver/core/host_device.hpp"
#include "solver/core/index.hpp"

namespace dns {

/// Rows of M that a thread multiplies together. Their entries of a column lie side by side.
template <class Real>
struct alignas(16) ColumnOfGroup {
  static constexpr int rows = 4;

  Real entry[rows];

  [[nodiscard]] DNS_HD static constexpr int groups_of(int n) { return (n + rows - 1) / rows; }
};

/// Entries (I - a L)^-1 = inverse 1/(1 + a lambda) forward, from the eigenvalues -lambda and modes
/// of L, n x n matrices, row-major: at row c.j and column c.i. Rows from n on are 0.
template <class Real>
struct InverseOfFactor {
  using Group = ColumnOfGroup<Real>;

  const double *forward, *inverse, *eigenvalues;  // lambda
  Group* result;
  double a;
  int n;

  DNS_HD void operator()(Index3 c) const {
    double sum = 0;
    for (int mode = 0; mode < n && c.j < n; ++mode)
      sum += read_only(inverse + c.j * n + mode) * read_only(forward + mode * n + c.i) /
             (1 + a * read_only(eigenvalues + mode));
    result[c.j / Group::rows * n + c.i].entry[c.j % Group::rows] = static_cast<Real>(sum);
  }
};

/// The first column and the end of those that count in the rows of group c.i: behind them come
/// `quiet` columns in a row whose entries are below the diagonal times `least`. In float `least` is
/// a quarter of a round-off; in double it is the round-off of the sums that make the entries.
template <class Real>
struct FindColumns {
  using Group = ColumnOfGroup<Real>;
  static constexpr int quiet = 4;
  static constexpr double rounded = double{std::numeric_limits<Real>::epsilon()} / 4;
  static constexpr double of_sums = 16 * std::numeric_limits<double>::epsilon();
  static constexpr Real least = static_cast<Real>(rounded > of_sums ? rounded : of_sums);

  const Group* matrix;
  int *first, *end;
  int n;

  DNS_HD void operator()(Index3 c) const {
    int begin = n, stop = 0;
    for (int row = c.i * Group::rows; row < (c.i + 1) * Group::rows && row < n; ++row) {
      if (const int low = row - reach(row, -1); low < begin) begin = low;
      if (const int high = row + reach(row, 1); high >= stop) stop = high + 1;
    }
    first[c.i] = begin;
    end[c.i] = stop;
  }

 private:
  [[nodiscard]] DNS_HD Real size_of(int row, int column) const {
    const Real entry = matrix[row / Group::rows * n + column].entry[row % Group::rows];
    return entry < 0 ? -entry : entry;
  }
  [[nodiscard]] DNS_HD int reach(int row, int way) const {
    const Real quietest = size_of(row, row) * least;
    int reached = 0;
    for (int steps = 1; steps <= reached + quiet; ++steps) {
      const int column = row + steps * way;
      if (column < 0 || column >= n) break;
      if (!(size_of(row, column) < quietest)) reached = steps;
    }
    return reached;
  }
};

/// q := before + M right, for the group c.j of rows along y in `planes` planes from planes c.k on:
/// each entry is read once for all of them.
template <class Real>
struct AddDiffused {
  using Group = ColumnOfGroup<Real>;
  static constexpr int planes = 2;

  FieldView<const Real> before, right;
  FieldView<Real> q;
  const Group* matrix;
  const int *first, *end;  // columns of each group
  int n, n_z;

  /// The points of the kernel.
  [[nodiscard]] static Box points(Extents of_field) {
    return {{}, {of_field.nx, Group::groups_of(of_field.ny), (of_field.nz + planes - 1) / planes}};
  }
  template <class Point>
  DNS_HD void operator()(Point point) const {
    constexpr int rows = Group::rows;
    const int group = point.j;
    point.k *= planes;
    const auto c = right.spot(placed<Axis::y>(point, 0));
    using Value = std::decay_t<decltype(right(c))>;
    Value sum[planes][rows];
    for (int plane = 0; plane < planes; ++plane)
      for (int r = 0; r < rows; ++r) sum[plane][r] = Value(Real(0));
    const int stop = read_only(end + group);
    for (int column = read_only(first + group); column < stop; ++column) {
      const Group entries = matrix[group * n + column];
      for (int plane = 0; plane < planes; ++plane) {
        const auto value = right.template beside<Axis::z, Axis::y>(c, plane, column);
        for (int r = 0; r < rows; ++r) sum[plane][r] += entries.entry[r] * value;
      }
    }
    for (int plane = 0; plane < planes && point.k + plane < n_z; ++plane) {
      for (int r = 0; r < rows && group * rows + r < n; ++r) {
        const auto at = c.template moved<Axis::y>(group * rows + r).template moved<Axis::z>(plane);
        q.set(at, before(at) + sum[plane][r]);
      }
    }
  }
};

}  // namespace dns
