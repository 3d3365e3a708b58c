/// One line eliminated in pieces, by many threads at once.
///
/// A piece is a run of consecutive rows. Eliminating its rows from the first to the last but one
/// leaves them as functions of two unknowns, x_before (the last of the piece before) and x_end (its
/// own last); the last rows of all pieces then form a tridiagonal system for the x_end alone, which
/// cyclic reduction solves, all rows at once, in steps of distance 1, 2, 4, ...
///
/// Sources: Wang, A parallel method for tridiagonal equations, ACM TOMS 7 (1981) 170;
/// Hockney & Jesshope, Parallel Computers (1981), section 5.4 (PARACR).
#pragma once

#include "solver/core/tridiagonal.hpp"

namespace dns {

/// The unknowns of `System` that share one matrix, as a system of their own.
template <class System, int matrix>
struct MatrixOf {
  static constexpr int matrices = 1;
  static constexpr int unknowns = [] {
    int count = 0;
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      if (System::matrix_of(unknown) == matrix) ++count;
    }
    return count;
  }();
  DNS_HD static constexpr int matrix_of(int /*unknown*/) { return 0; }

  /// The number that an unknown has in `System`.
  DNS_HD static constexpr int original(int unknown) { return (originals >> (4 * unknown)) & 15; }

 private:
  static_assert(System::unknowns <= 8);
  static constexpr int originals = [] {  // four bits each, so that a GPU needs no table
    int packed = 0;
    int found = 0;
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      if (System::matrix_of(unknown) == matrix) packed |= unknown << (4 * found++);
    }
    return packed;
  }();
};

/// The first unknown of a piece as a function of its ends:
///   x_first = rhs - end x_end - before x_before
/// or, while rows are absorbed one after the other, of the next unknown in the place of x_end.
template <class System, class Value>
struct FirstRow {
  static_assert(System::matrices == 1);
  Value before, end;
  Value rhs[System::unknowns];

  /// All values one after the other, for backends that exchange them.
  static constexpr int parts = 2 + System::unknowns;
  DNS_HD Value& operator[](int part) {
    if (part < 2) return part == 0 ? before : end;
    return rhs[part - 2];
  }

  /// x_first = x_first.
  DNS_HD static FirstRow itself() {
    FirstRow row;
    row.before = Value(0);
    row.end = Value(-1);
    for (Value& rhs : row.rhs) rhs = Value(0);
    return row;
  }

  /// Replaces x_m by its eliminated row.
  DNS_HD void absorb(const EliminatedRow<System, Value, true>& row) {
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      rhs[unknown] -= end * row.rhs[unknown];
    }
    before -= end * row.before[0];
    end = -end * row.upper[0];
  }
};

/// An equation between the last unknowns x_k of pieces that lie `distance` pieces apart:
///   lower x_(k-distance) + x_k + upper x_(k+distance) = rhs
template <class System, class Value>
struct EndRow {
  static_assert(System::matrices == 1);
  Value lower, upper;
  Value rhs[System::unknowns];

  /// All values one after the other, for backends that exchange them.
  static constexpr int parts = 2 + System::unknowns;
  DNS_HD Value& operator[](int part) {
    if (part < 2) return part == 0 ? lower : upper;
    return rhs[part - 2];
  }

  /// The last row of a piece, from the eliminated row before it and the first row of the next
  /// piece (in terms of that piece's ends).
  DNS_HD static EndRow from(const TridiagonalRow<System, Value>& last,
                            const EliminatedRow<System, Value, true>& previous,
                            const FirstRow<System, Value>& next) {
    EndRow row;
    const Value diagonal =
        last.diagonal[0] - last.lower[0] * previous.upper[0] - last.upper[0] * next.before;
    const Value inverse = reciprocal(diagonal);
    row.lower = -last.lower[0] * previous.before[0] * inverse;
    row.upper = -last.upper[0] * next.end * inverse;
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      row.rhs[unknown] = (last.rhs[unknown] - last.lower[0] * previous.rhs[unknown] -
                          last.upper[0] * next.rhs[unknown]) *
                         inverse;
    }
    return row;
  }

  /// x_k = value, coupled to nothing.
  DNS_HD static EndRow fixed(Value value) {
    EndRow row;
    row.lower = Value(0);
    row.upper = Value(0);
    for (Value& rhs : row.rhs) rhs = value;
    return row;
  }
};

/// One step of cyclic reduction: eliminates x_(k-d) and x_(k+d) with their own equations; the
/// result couples k to k - 2d and k + 2d.
template <class System, class Value>
DNS_HD EndRow<System, Value> cyclic_reduction_step(const EndRow<System, Value>& row,
                                                   const EndRow<System, Value>& below,
                                                   const EndRow<System, Value>& above) {
  const Value inverse = reciprocal(Value(1) - row.lower * below.upper - row.upper * above.lower);
  EndRow<System, Value> reduced;
  reduced.lower = -row.lower * below.lower * inverse;
  reduced.upper = -row.upper * above.upper * inverse;
  for (int unknown = 0; unknown < System::unknowns; ++unknown) {
    reduced.rhs[unknown] =
        (row.rhs[unknown] - row.lower * below.rhs[unknown] - row.upper * above.rhs[unknown]) *
        inverse;
  }
  return reduced;
}

}  // namespace dns
