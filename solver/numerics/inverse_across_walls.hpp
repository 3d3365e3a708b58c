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
  static constexpr int rows = 8;

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

/// The first column and the end of those that count in row c.i: beyond them `quiet` columns in a
/// row are below a quarter of the round-off of the diagonal, in double below that of the sums that
/// the entries are.
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
    first[c.i] = c.i - reach(c.i, -1);
    end[c.i] = c.i + reach(c.i, 1) + 1;
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

/// q := before + M right, for the group c.j of rows along y.
template <class Real>
struct AddDiffused {
  using Group = ColumnOfGroup<Real>;

  FieldView<const Real> before, right;
  FieldView<Real> q;
  const Group* matrix;
  const int *first, *end;  // columns of each row
  int n;

  template <class Point>
  DNS_HD void operator()(Point point) const {
    constexpr int rows = Group::rows;
    const int group = point.j;
    const int row = group * rows;
    const int last = row + rows < n ? row + rows : n;
    int begin = n;
    int stop = 0;
    for (int j = row; j < last; ++j) {
      if (const int of_row = read_only(first + j); of_row < begin) begin = of_row;
      if (const int of_row = read_only(end + j); of_row > stop) stop = of_row;
    }
    const auto c = right.spot(placed<Axis::y>(point, 0));
    using Value = std::decay_t<decltype(right(c))>;
    Value sum[rows];
    for (int r = 0; r < rows; ++r) sum[r] = Value(Real(0));
    for (int column = begin; column < stop; ++column) {
      const auto value = right.template beside<Axis::y>(c, column);
      const Group entries = matrix[group * n + column];
      for (int r = 0; r < rows; ++r) sum[r] += entries.entry[r] * value;
    }
    for (int r = 0; r < rows; ++r) {
      if (row + r >= n) continue;
      const auto at = q.spot(placed<Axis::y>(point, row + r));
      q.set(at, before(at) + sum[r]);
    }
  }
};

}  // namespace dns
