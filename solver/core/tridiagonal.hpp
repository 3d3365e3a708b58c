/// Elimination along one grid line, written once for every backend: a backend decides which thread
/// eliminates which rows and where the eliminated rows are kept for back substitution.
///
/// A `System` says how many unknowns a point has and which of them share a matrix:
///   static constexpr int matrices, unknowns;  static constexpr int matrix_of(int unknown);
/// `Value` is a number, or a pack of numbers of neighbouring lines.
#pragma once

#include <cmath>

#include "solver/core/host_device.hpp"

namespace dns {

/// Systems of one unknown per point.
struct OneUnknown {
  static constexpr int matrices = 1;
  static constexpr int unknowns = 1;
  DNS_HD static constexpr int matrix_of(int /*unknown*/) { return 0; }
};

/// What a formula gives for one point of a line: the numbers from which the rows of all matrices
/// follow (`Rows::coupling`), and the right-hand sides.
template <class System, int coefficients, class Value>
struct RowData {
  Value coefficient[coefficients];
  Value rhs[System::unknowns];

  /// All values one after the other, for backends that keep or transpose them.
  static constexpr int parts = coefficients + System::unknowns;
  DNS_HD Value& operator[](int part) {
    return part < coefficients ? coefficient[part] : rhs[part - coefficients];
  }
};

/// One row of one matrix:   lower x_(m-1) + diagonal x_m + upper x_(m+1)
template <class Value>
struct Coupling {
  Value lower, diagonal, upper;
};

/// One equation per unknown:
///   lower x_(m-1) + diagonal x_m + upper x_(m+1) = rhs
template <class System, class Value>
struct TridiagonalRow {
  Value lower[System::matrices];
  Value diagonal[System::matrices];
  Value upper[System::matrices];
  Value rhs[System::unknowns];
};

/// Which ends of an ordinary line a row is at.
struct LineEnds {
  bool is_first = false, is_last = false;
};

/// The row of all matrices from data whose right-hand sides are closed already.
template <class Rows, class System, int coefficients, class Value>
DNS_HD TridiagonalRow<System, Value> row_of(const Rows& rows,
                                            const RowData<System, coefficients, Value>& data,
                                            LineEnds ends) {
  TridiagonalRow<System, Value> row;
  for (int matrix = 0; matrix < System::matrices; ++matrix) {
    Coupling<Value> coupling = rows.coupling(matrix, data.coefficient);
    if constexpr (!Rows::is_cyclic) {
      if (ends.is_first) rows.fold_low(matrix, coupling);
      if (ends.is_last) rows.fold_high(matrix, coupling);
    }
    row.lower[matrix] = coupling.lower;
    row.diagonal[matrix] = coupling.diagonal;
    row.upper[matrix] = coupling.upper;
  }
  for (int unknown = 0; unknown < System::unknowns; ++unknown) {
    row.rhs[unknown] = data.rhs[unknown];
  }
  return row;
}

/// The row at point `c`, closed at the ends of an ordinary line.
template <class Rows, class Point>
DNS_HD auto row_at(const Rows& rows, Point c, LineEnds ends) {
  auto data = rows(c);
  if constexpr (!Rows::is_cyclic) {
    if (ends.is_first) rows.close_low(c, data);
    if (ends.is_last) rows.close_high(c, data);
  }
  return row_of(rows, data, ends);
}

/// Relative residual of row m for x(position), one unknown along a line:
///   |sum of a x - rhs| / (|rhs| + sum of |a| (|x| + 1)),   a: lower, diagonal, upper
/// x is not evaluated beyond the ends of an ordinary line.
template <class System, class Value, class Solution>
[[nodiscard]] double relative_residual(const TridiagonalRow<System, Value>& row,
                                       int unknown,
                                       int m,
                                       LineEnds ends,
                                       const Solution& x) {
  double residual = -static_cast<double>(row.rhs[unknown]);
  double terms = std::abs(residual);
  const auto add = [&](Value coefficient, int position) {
    const auto factor = static_cast<double>(coefficient);
    const auto value = static_cast<double>(x(position));
    residual += factor * value;
    terms += std::abs(factor) * (std::abs(value) + 1);
  };
  const int matrix = System::matrix_of(unknown);
  add(row.diagonal[matrix], m);
  if (!ends.is_first) add(row.lower[matrix], m - 1);
  if (!ends.is_last) add(row.upper[matrix], m + 1);
  return std::abs(residual) / terms;
}

/// The coupling of an eliminated row to the unknown before its first row, x_before; nothing where
/// there is none.
template <class System, class Value, bool has_before>
struct BeforeColumn {};
template <class System, class Value>
struct BeforeColumn<System, Value, true> {
  Value before[System::matrices];
};

/// After elimination of the unknowns from the first row to m - 1:
///   x_m = rhs - upper x_(m+1) - before x_before
/// x_before is the last unknown of a cyclic line, or the unknown before a piece of a line that is
/// eliminated by itself. An ordinary line as a whole has none.
template <class System, class Value, bool has_before>
struct EliminatedRow : BeforeColumn<System, Value, has_before> {
  Value upper[System::matrices];
  Value rhs[System::unknowns];

  /// All values one after the other, for backends that keep them.
  static constexpr int parts = (has_before ? 2 : 1) * System::matrices + System::unknowns;
  DNS_HD Value& operator[](int part) {
    if (part < System::matrices) return upper[part];
    if constexpr (has_before) {
      if (part >= System::matrices + System::unknowns) {
        return this->before[part - System::matrices - System::unknowns];
      }
    }
    return rhs[part - System::matrices];
  }
};

/// The eliminated row before the first one: all zero, or x_before itself.
template <class System, class Value, bool has_before>
DNS_HD EliminatedRow<System, Value, has_before> before_first_row() {
  EliminatedRow<System, Value, has_before> row{};
  if constexpr (has_before) {
    for (auto& before : row.before) before = Value(-1);
  }
  return row;
}

/// Eliminates x_(m-1) from row m. Requires a non-zero pivot: rows that are diagonally dominant.
template <class System, class Value, bool has_before>
DNS_HD EliminatedRow<System, Value, has_before> eliminate(
    const TridiagonalRow<System, Value>& row,
    const EliminatedRow<System, Value, has_before>& previous) {
  EliminatedRow<System, Value, has_before> next;
  Value inverse_pivot[System::matrices];
  for (int matrix = 0; matrix < System::matrices; ++matrix) {
    inverse_pivot[matrix] =
        reciprocal(row.diagonal[matrix] - row.lower[matrix] * previous.upper[matrix]);
    next.upper[matrix] = row.upper[matrix] * inverse_pivot[matrix];
    if constexpr (has_before) {
      next.before[matrix] = -row.lower[matrix] * previous.before[matrix] * inverse_pivot[matrix];
    }
  }
  for (int unknown = 0; unknown < System::unknowns; ++unknown) {
    const int matrix = System::matrix_of(unknown);
    next.rhs[unknown] =
        (row.rhs[unknown] - row.lower[matrix] * previous.rhs[unknown]) * inverse_pivot[matrix];
  }
  return next;
}

/// The last row of a cyclic line while the unknowns are eliminated from it one after the other:
///   link x_m + diagonal x_last = rhs
template <class System, class Value>
struct CyclicLastRow {
  Value link[System::matrices];
  Value diagonal[System::matrices];
  Value rhs[System::unknowns];

  /// Before any elimination, from the last row of the line (whose `upper` couples to x_0).
  DNS_HD static CyclicLastRow from(const TridiagonalRow<System, Value>& row) {
    CyclicLastRow last;
    for (int matrix = 0; matrix < System::matrices; ++matrix) {
      last.link[matrix] = row.upper[matrix];
      last.diagonal[matrix] = row.diagonal[matrix];
    }
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      last.rhs[unknown] = row.rhs[unknown];
    }
    return last;
  }

  /// Adds the coupling to the last unknown but one, just before that is absorbed.
  DNS_HD void couple(const TridiagonalRow<System, Value>& row) {
    for (int matrix = 0; matrix < System::matrices; ++matrix) link[matrix] += row.lower[matrix];
  }

  /// Replaces x_m by its eliminated row.
  DNS_HD void absorb(const EliminatedRow<System, Value, true>& row) {
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      rhs[unknown] -= link[System::matrix_of(unknown)] * row.rhs[unknown];
    }
    for (int matrix = 0; matrix < System::matrices; ++matrix) {
      diagonal[matrix] -= link[matrix] * row.before[matrix];
      link[matrix] = -link[matrix] * row.upper[matrix];
    }
  }

  /// x_last, once all others are absorbed (then x_m is x_last itself).
  DNS_HD void solve(Value (&x_last)[System::unknowns]) const {
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      const int matrix = System::matrix_of(unknown);
      x_last[unknown] = rhs[unknown] / (diagonal[matrix] + link[matrix]);
    }
  }
};

/// x_m from x_(m+1), in place; `x_before` is used only where rows have that column.
template <class System, class Value, bool has_before>
DNS_HD void back_substitute(const EliminatedRow<System, Value, has_before>& row,
                            const Value (&x_before)[System::unknowns],
                            Value (&x)[System::unknowns]) {
  for (int unknown = 0; unknown < System::unknowns; ++unknown) {
    const int matrix = System::matrix_of(unknown);
    x[unknown] = row.rhs[unknown] - row.upper[matrix] * x[unknown];
    if constexpr (has_before) x[unknown] -= row.before[matrix] * x_before[unknown];
  }
}

}  // namespace dns
