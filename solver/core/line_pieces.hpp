/// One line eliminated in pieces, by many threads at once.
///
/// A piece is a run of consecutive rows. Eliminating its rows from the first to the last but one
/// leaves them as functions of two unknowns, x_before (the last of the piece before) and x_end (its
/// own last); the last rows of all pieces then form a tridiagonal system for the x_end alone, which
/// cyclic reduction solves, all rows at once, in steps of distance 1, 2, 4, ...
///
/// The pieces of a line may also lie on different ranks: then the first and the last unknown of
/// every piece are found from a small system for these alone (PieceRelations, solve_seams).
///
/// Sources: Wang, A parallel method for tridiagonal equations, ACM TOMS 7 (1981) 170;
/// Hockney & Jesshope, Parallel Computers (1981), section 5.4 (PARACR).
#pragma once

#include <cmath>
#include <limits>

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

/// A row that an end of a piece depends on by less than this [its unknown's share] does not matter
/// for that end: far from both ends couplings decay below round-off. Whether they do is looked at
/// on every line, never assumed.
template <class Real>
inline constexpr Real negligible_coupling = std::numeric_limits<Real>::epsilon() / 16;

/// How many rows it takes until a coupling is negligible that is as large as this after `rows` of
/// them, if it goes on decaying like that: a tenth more, a multiple of `step`.
template <class Real>
[[nodiscard]] DNS_HD int rows_until_negligible(int rows, Real coupling, int step) {
  constexpr int most_times = 1000;
  if (!(coupling < Real(1))) return 2 * rows;
  const Real times =
      coupling > 0 ? std::log(negligible_coupling<Real>) / std::log(coupling) : Real(0);
  const Real more = Real(1.1) * (times < Real(most_times) ? times : Real(most_times));
  return (static_cast<int>(more * Real(rows)) / step + 1) * step;
}

/// An unknown at an end of a piece as a function of the unknowns beyond its ends:
///   x = rhs - before x_before - after x_after
template <class System, class Value>
struct EndRelation {
  Value before[System::matrices], after[System::matrices];
  Value rhs[System::unknowns];

  static constexpr int parts = 2 * System::matrices + System::unknowns;
  /// Calls visit(part, its value) for all of them; `first` is the number of the first one.
  template <class Visit>
  DNS_HD void for_each_part(int first, const Visit& visit) {
    for (int matrix = 0; matrix < System::matrices; ++matrix) {
      visit(first + matrix, before[matrix]);
      visit(first + System::matrices + matrix, after[matrix]);
    }
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      visit(first + 2 * System::matrices + unknown, rhs[unknown]);
    }
  }

  /// x = x_after.
  DNS_HD static EndRelation next() {
    EndRelation relation;
    for (int matrix = 0; matrix < System::matrices; ++matrix) {
      relation.before[matrix] = Value(0);
      relation.after[matrix] = Value(-1);
    }
    for (Value& rhs : relation.rhs) rhs = Value(0);
    return relation;
  }
  /// Relation of the last unknown, whose row is eliminated.
  DNS_HD static EndRelation of_last(const EliminatedRow<System, Value, true>& row) {
    EndRelation relation;
    for (int matrix = 0; matrix < System::matrices; ++matrix) {
      relation.before[matrix] = row.before[matrix];
      relation.after[matrix] = row.upper[matrix];
    }
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      relation.rhs[unknown] = row.rhs[unknown];
    }
    return relation;
  }
  /// Relation of the first unknown, from its row and the relation of the last one.
  DNS_HD static EndRelation of_first(const FirstRow<System, Value>& row, const EndRelation& end) {
    EndRelation relation;
    relation.before[0] = row.before - row.end * end.before[0];
    relation.after[0] = -row.end * end.after[0];
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      relation.rhs[unknown] = row.rhs[unknown] - row.end * end.rhs[unknown];
    }
    return relation;
  }

  /// Replaces x_after, the unknown of this row, by the row: x_after is then the next one.
  DNS_HD void absorb(const EliminatedRow<System, Value, true>& row) {
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      rhs[unknown] -= after[System::matrix_of(unknown)] * row.rhs[unknown];
    }
    for (int matrix = 0; matrix < System::matrices; ++matrix) {
      before[matrix] -= after[matrix] * row.before[matrix];
      after[matrix] = -after[matrix] * row.upper[matrix];
    }
  }

  DNS_HD void solve(const Value (&x_before)[System::unknowns],
                    const Value (&x_after)[System::unknowns],
                    Value (&x)[System::unknowns]) const {
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      const int matrix = System::matrix_of(unknown);
      x[unknown] =
          rhs[unknown] - before[matrix] * x_before[unknown] - after[matrix] * x_after[unknown];
    }
  }
};

/// The first and the last unknown of a piece, which couple it to its neighbours.
template <class System, class Value>
struct PieceRelations {
  EndRelation<System, Value> first, last;

  /// Relations of a piece without rows: x_first = x_after, x_last = x_before.
  DNS_HD static PieceRelations of_no_rows() {
    return {EndRelation<System, Value>::next(),
            EndRelation<System, Value>::of_last(before_first_row<System, Value, true>())};
  }

  /// All values one after the other, for ranks that exchange them.
  static constexpr int parts = 2 * EndRelation<System, Value>::parts;
  template <class Visit>
  DNS_HD void for_each_part(const Visit& visit) {
    first.for_each_part(0, visit);
    last.for_each_part(parts / 2, visit);
  }
};

/// Two pieces, one after the other.
template <class System, class Value>
struct JoinedPieces {
  PieceRelations<System, Value> both;  // as one piece
  PieceRelations<System, Value> seam;  // first: the first unknown of the second piece; last: the
                                       // last one of the first; from the unknowns beyond both

  DNS_HD static JoinedPieces of(const PieceRelations<System, Value>& low,
                                const PieceRelations<System, Value>& high) {
    JoinedPieces joined;
    auto& [both, seam] = joined;
    Value inverse[System::matrices];
    for (int matrix = 0; matrix < System::matrices; ++matrix) {
      const Value to_low = high.first.before[matrix];
      const Value to_high = low.last.after[matrix];
      inverse[matrix] = reciprocal(Value(1) - to_low * to_high);
      seam.first.before[matrix] = -to_low * low.last.before[matrix] * inverse[matrix];
      seam.first.after[matrix] = high.first.after[matrix] * inverse[matrix];
      seam.last.before[matrix] = low.last.before[matrix] - to_high * seam.first.before[matrix];
      seam.last.after[matrix] = -to_high * seam.first.after[matrix];
      both.first.before[matrix] =
          low.first.before[matrix] - low.first.after[matrix] * seam.first.before[matrix];
      both.first.after[matrix] = -low.first.after[matrix] * seam.first.after[matrix];
      both.last.before[matrix] = -high.last.before[matrix] * seam.last.before[matrix];
      both.last.after[matrix] =
          high.last.after[matrix] - high.last.before[matrix] * seam.last.after[matrix];
    }
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      const int matrix = System::matrix_of(unknown);
      seam.first.rhs[unknown] =
          (high.first.rhs[unknown] - high.first.before[matrix] * low.last.rhs[unknown]) *
          inverse[matrix];
      seam.last.rhs[unknown] =
          low.last.rhs[unknown] - low.last.after[matrix] * seam.first.rhs[unknown];
      both.first.rhs[unknown] =
          low.first.rhs[unknown] - low.first.after[matrix] * seam.first.rhs[unknown];
      both.last.rhs[unknown] =
          high.last.rhs[unknown] - high.last.before[matrix] * seam.last.rhs[unknown];
    }
    return joined;
  }
};

/// The unknowns beyond both ends of a cyclic line, which are its own last and first one.
template <class System, class Value>
DNS_HD void solve_cyclic_piece(const PieceRelations<System, Value>& line,
                               Value (&x_before)[System::unknowns],
                               Value (&x_after)[System::unknowns]) {
  const auto& [first, last] = line;
  for (int unknown = 0; unknown < System::unknowns; ++unknown) {
    const int matrix = System::matrix_of(unknown);
    const Value of_first = Value(1) + first.after[matrix];
    const Value of_last = Value(1) + last.before[matrix];
    const Value inverse =
        reciprocal(of_first * of_last - first.before[matrix] * last.after[matrix]);
    x_after[unknown] =
        (first.rhs[unknown] * of_last - first.before[matrix] * last.rhs[unknown]) * inverse;
    x_before[unknown] =
        (of_first * last.rhs[unknown] - last.after[matrix] * first.rhs[unknown]) * inverse;
  }
}

/// Joins pieces one after the other; returns the relations of all as one piece. relations(piece)
/// gives the relations of a piece; keep(piece, seam) puts those of its seam in their place.
template <class System, class Value, class Relations, class Keep>
DNS_HD PieceRelations<System, Value> join_pieces(int pieces,
                                                 const Relations& relations,
                                                 const Keep& keep) {
  PieceRelations<System, Value> line = relations(0);
  for (int piece = 1; piece < pieces; ++piece) {
    const auto joined = JoinedPieces<System, Value>::of(line, relations(piece));
    keep(piece, joined.seam);
    line = joined.both;
  }
  return line;
}

/// Solves the seams that join_pieces kept, from the last to the first. x_before and x_after: the
/// unknowns beyond all pieces; give(piece, x_before, x_after) receives those beyond each.
template <class System, class Value, class Relations, class Give>
DNS_HD void solve_joined_pieces(int pieces,
                                const Relations& relations,
                                const Value (&x_before)[System::unknowns],
                                Value (&x_after)[System::unknowns],
                                const Give& give) {
  for (int piece = pieces - 1; piece > 0; --piece) {
    const PieceRelations<System, Value> seam = relations(piece);
    Value below[System::unknowns];
    Value above[System::unknowns];
    seam.last.solve(x_before, x_after, below);
    seam.first.solve(x_before, x_after, above);
    give(piece, below, x_after);
    for (int unknown = 0; unknown < System::unknowns; ++unknown) x_after[unknown] = above[unknown];
  }
  give(0, x_before, x_after);
}

/// Finds the unknowns beyond the ends of all pieces of a line, 0 beyond the ends of an ordinary
/// one; callbacks as above.
template <class System, class Value, class Relations, class Keep, class Give>
DNS_HD void solve_seams(
    int pieces, bool is_cyclic, const Relations& relations, const Keep& keep, const Give& give) {
  const auto line = join_pieces<System, Value>(pieces, relations, keep);
  Value x_before[System::unknowns] = {};
  Value x_after[System::unknowns] = {};
  if (is_cyclic) solve_cyclic_piece(line, x_before, x_after);
  solve_joined_pieces<System>(pieces, relations, x_before, x_after, give);
}

}  // namespace dns
