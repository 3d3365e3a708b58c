/// Elimination along one grid line, written once for every backend: a backend decides which thread
/// takes which line and where the eliminated rows wait for back substitution.
///
/// A `System` says how many unknowns a point has and which of them share a matrix:
///   static constexpr int matrices, unknowns;  static constexpr int matrix_of(int unknown);
/// `Value` is a number, or a pack of numbers of neighbouring lines.
#pragma once

#include "solver/core/host_device.hpp"

namespace dns {

/// One equation per unknown:
///   lower x_(m-1) + diagonal x_m + upper x_(m+1) = rhs
template <class System, class Value>
struct TridiagonalRow {
  Value lower[System::matrices];
  Value diagonal[System::matrices];
  Value upper[System::matrices];
  Value rhs[System::unknowns];

  /// All values one after the other, for backends that keep or transpose them.
  static constexpr int parts = 3 * System::matrices + System::unknowns;
  DNS_HD Value& operator[](int part) {
    if (part < System::matrices) return lower[part];
    if (part < 2 * System::matrices) return diagonal[part - System::matrices];
    if (part < 3 * System::matrices) return upper[part - 2 * System::matrices];
    return rhs[part - 3 * System::matrices];
  }
};

/// The coupling of an eliminated row to the last unknown of a cyclic line; nothing otherwise.
template <class System, class Value, bool is_cyclic>
struct WrapColumn {};
template <class System, class Value>
struct WrapColumn<System, Value, true> {
  Value wrap[System::matrices];
};

/// After elimination of the unknowns before m:
///   x_m = rhs - upper x_(m+1) - wrap x_last        (wrap on cyclic lines only)
template <class System, class Value, bool is_cyclic>
struct EliminatedRow : WrapColumn<System, Value, is_cyclic> {
  Value upper[System::matrices];
  Value rhs[System::unknowns];

  static constexpr int parts = (is_cyclic ? 2 : 1) * System::matrices + System::unknowns;
  DNS_HD Value& operator[](int part) {
    if (part < System::matrices) return upper[part];
    if constexpr (is_cyclic) {
      if (part >= System::matrices + System::unknowns) {
        return this->wrap[part - System::matrices - System::unknowns];
      }
    }
    return rhs[part - System::matrices];
  }
};

/// What stands before the first row: nothing on an ordinary line (whose first row has lower = 0);
/// the last unknown itself on a cyclic one.
template <class System, class Value, bool is_cyclic>
DNS_HD EliminatedRow<System, Value, is_cyclic> before_first_row() {
  EliminatedRow<System, Value, is_cyclic> row{};
  if constexpr (is_cyclic) {
    for (auto& wrap : row.wrap) wrap = Value(-1);
  }
  return row;
}

/// Eliminates x_(m-1) from row m. Requires a non-zero pivot: rows that are diagonally dominant.
template <class System, class Value, bool is_cyclic>
DNS_HD EliminatedRow<System, Value, is_cyclic> eliminate(
    const TridiagonalRow<System, Value>& row,
    const EliminatedRow<System, Value, is_cyclic>& previous) {
  EliminatedRow<System, Value, is_cyclic> next;
  Value inverse_pivot[System::matrices];
  for (int matrix = 0; matrix < System::matrices; ++matrix) {
    inverse_pivot[matrix] =
        Value(1) / (row.diagonal[matrix] - row.lower[matrix] * previous.upper[matrix]);
    next.upper[matrix] = row.upper[matrix] * inverse_pivot[matrix];
    if constexpr (is_cyclic) {
      next.wrap[matrix] = -row.lower[matrix] * previous.wrap[matrix] * inverse_pivot[matrix];
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

  /// Adds the coupling to the last but one unknown, when its turn has come.
  DNS_HD void couple(const TridiagonalRow<System, Value>& row) {
    for (int matrix = 0; matrix < System::matrices; ++matrix) link[matrix] += row.lower[matrix];
  }

  /// Replaces x_m by its eliminated row.
  DNS_HD void absorb(const EliminatedRow<System, Value, true>& row) {
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      rhs[unknown] -= link[System::matrix_of(unknown)] * row.rhs[unknown];
    }
    for (int matrix = 0; matrix < System::matrices; ++matrix) {
      diagonal[matrix] -= link[matrix] * row.wrap[matrix];
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

/// x_m from x_(m+1), in place; `x_last` counts on cyclic lines only.
template <class System, class Value, bool is_cyclic>
DNS_HD void back_substitute(const EliminatedRow<System, Value, is_cyclic>& row,
                            const Value (&x_last)[System::unknowns],
                            Value (&x)[System::unknowns]) {
  for (int unknown = 0; unknown < System::unknowns; ++unknown) {
    const int matrix = System::matrix_of(unknown);
    x[unknown] = row.rhs[unknown] - row.upper[matrix] * x[unknown];
    if constexpr (is_cyclic) x[unknown] -= row.wrap[matrix] * x_last[unknown];
  }
}

}  // namespace dns
