/// Solution of one line by the lanes of a warp, everything in registers and shared memory.
///
/// Each lane has one piece of the line (solver/core/line_pieces.hpp). Lanes exchange the ends of
/// their pieces by shuffles.
#pragma once

#include <limits>
#include <type_traits>

#include "solver/core/line_pieces.hpp"

namespace dns {

/// `System` with one more unknown in every matrix.
template <class System>
struct WithOneMore : System {
  static constexpr int unknowns = System::unknowns + 1;
};

/// The lanes of a warp that share a line: `lanes` neighbouring ones (a power of two), of which the
/// first `pieces` have rows. Lanes without a line work on arbitrary values.
struct LineLanes {
  int lanes, pieces, mine;
  bool is_line;

  template <class Value>
  [[nodiscard]] __device__ Value from(Value value, int lane) const {
    return __shfl_sync(~0U, value, lane, lanes);
  }
  /// The value of lane mine + distance, or its own if there is none.
  template <class Value>
  [[nodiscard]] __device__ Value above(Value value, int distance) const {
    return __shfl_down_sync(~0U, value, distance, lanes);
  }
  template <class Value>
  [[nodiscard]] __device__ Value below(Value value, int distance) const {
    return __shfl_up_sync(~0U, value, distance, lanes);
  }
};

/// Couplings up to this size have products of at most a quarter of the round-off, too small to
/// change a sum with 1.
template <class Real>
inline constexpr Real weak_coupling = sizeof(Real) == 8 ? Real(7.4e-9) : Real(1.7e-4);
template <class Real>
inline constexpr bool is_weak_enough = 4 * weak_coupling<Real>* weak_coupling<Real> <=
                                       std::numeric_limits<Real>::epsilon();
static_assert(is_weak_enough<float> && is_weak_enough<double>);

/// The unknowns at the ends of all pieces, from the equations between them; each lane gets its own.
/// Every step squares the couplings. Once they are weak on all lines of the warp, the neighbours in
/// an equation can be replaced by their right-hand sides, and no division is left.
template <class System, class Real>
__device__ void solve_ends(EndRow<System, Real>& row, const LineLanes& line) {
  for (int distance = 1; distance < line.pieces; distance *= 2) {
    EndRow<System, Real> below;
    EndRow<System, Real> above;
    // A row is not coupled to lanes that do not exist: it can use its own values instead.
#pragma unroll
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      below.rhs[unknown] = line.below(row.rhs[unknown], distance);
      above.rhs[unknown] = line.above(row.rhs[unknown], distance);
    }
    const bool is_weak =
        fabs(row.lower) <= weak_coupling<Real> && fabs(row.upper) <= weak_coupling<Real>;
    if (__all_sync(~0U, is_weak || !line.is_line) != 0) {
#pragma unroll
      for (int unknown = 0; unknown < System::unknowns; ++unknown) {
        row.rhs[unknown] -= row.lower * below.rhs[unknown] + row.upper * above.rhs[unknown];
      }
      return;
    }
    below.lower = line.below(row.lower, distance);
    below.upper = line.below(row.upper, distance);
    above.lower = line.above(row.lower, distance);
    above.upper = line.above(row.upper, distance);
    row = cyclic_reduction_step(row, below, above);
  }
}

/// The unknowns at the ends of all pieces of a cyclic line, where the first piece follows the last
/// one. With z the end of the last piece, all others are y + w z: y and w solve an ordinary system
/// with two right-hand sides, and the equation of the last piece gives z. Returns z.
template <class System, class Real>
__device__ void solve_cyclic_ends(const EndRow<System, Real>& row,
                                  const LineLanes& line,
                                  Real (&end)[System::unknowns],
                                  Real (&last_end)[System::unknowns]) {
  using Both = WithOneMore<System>;
  constexpr int w = System::unknowns;
  const int last = line.pieces - 1;
  EndRow<Both, Real> both;
  if (line.mine >= last) {
    both = EndRow<Both, Real>::fixed(Real(0));
    both.rhs[w] = Real(line.mine == last ? 1 : 0);
  } else {
    both.lower = line.mine == 0 ? Real(0) : row.lower;
    both.upper = row.upper;
    both.rhs[w] = line.mine == 0 ? -row.lower : Real(0);
#pragma unroll
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      both.rhs[unknown] = row.rhs[unknown];
    }
  }
  solve_ends(both, line);
  const int before_last = last == 0 ? 0 : last - 1;
  // Correct in the lane of the last piece only, which has the equation.
  const Real inverse = reciprocal(Real(1) + row.lower * line.from(both.rhs[w], before_last) +
                                  row.upper * line.from(both.rhs[w], 0));
#pragma unroll
  for (int unknown = 0; unknown < System::unknowns; ++unknown) {
    const Real z = (row.rhs[unknown] - row.lower * line.from(both.rhs[unknown], before_last) -
                    row.upper * line.from(both.rhs[unknown], 0)) *
                   inverse;
    last_end[unknown] = line.from(z, last);
    end[unknown] = both.rhs[unknown] + both.rhs[w] * last_end[unknown];
  }
}

/// A lane's rows in shared memory: part p of row m at values[p * part_stride + m]. The solution
/// replaces the right-hand sides.
template <class Real>
struct PieceInSharedMemory {
  Real* values;
  int part_stride;

  [[nodiscard]] __device__ Real& at(int part, int m) const {
    return values[part * part_stride + m];
  }
  /// The part of the piece from row m on.
  [[nodiscard]] __device__ PieceInSharedMemory from(int m) const {
    return {values + m, part_stride};
  }
};

/// Solves the unknowns of one matrix of a line, `rows_per_piece` rows per lane. The first `fill`
/// rows of the first piece do not belong to the line: on a cyclic one they repeat the unknown
/// before it; on an ordinary one, whose first row is not coupled to them, they are any rows that
/// can be eliminated, such as copies of the first row.
template <int matrix, int rows_per_piece, class Real, class Rows>
__device__ void solve_matrix(const Rows& rows,
                             int fill,
                             const LineLanes& line,
                             const PieceInSharedMemory<Real>& piece) {
  using System = MatrixOf<typename Rows::System, matrix>;
  using Row = TridiagonalRow<System, Real>;
  constexpr int end = rows_per_piece - 1;
  static_assert(rows_per_piece >= 2);
  const bool is_first = line.mine == 0;
  const bool is_last = line.mine == line.pieces - 1;
  const bool has_piece = line.mine < line.pieces;
  const auto part_of = [](int unknown) { return Rows::coefficients + System::original(unknown); };

  const auto row_at = [&](int m) {
    Real coefficient[Rows::coefficients];
#pragma unroll
    for (int part = 0; part < Rows::coefficients; ++part) coefficient[part] = piece.at(part, m);
    Coupling<Real> coupling = rows.coupling(matrix, coefficient);
    if constexpr (!Rows::is_cyclic) {
      if (m == fill && is_first) rows.fold_low(matrix, coupling);
      if (m == end && is_last) rows.fold_high(matrix, coupling);
    }
    Row row{{coupling.lower}, {coupling.diagonal}, {coupling.upper}, {}};
#pragma unroll
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      row.rhs[unknown] = piece.at(part_of(unknown), m);
    }
    if (Rows::is_cyclic && m < fill && is_first) {
      row.lower[0] = Real(-1);
      row.diagonal[0] = Real(1);
      row.upper[0] = Real(0);
#pragma unroll
      for (Real& rhs : row.rhs) rhs = Real(0);
    }
    return row;
  };

  // Each piece by itself: all rows but the last in terms of its ends.
  EliminatedRow<System, Real, true> eliminated[end];
  auto previous = before_first_row<System, Real, true>();
  auto first_row = FirstRow<System, Real>::itself();
  Row last_row;
  if (has_piece) {
#pragma unroll
    for (int m = 0; m < end; ++m) {
      previous = eliminate(row_at(m), previous);
      if (!Rows::is_cyclic || !is_first || m >= fill) first_row.absorb(previous);
      eliminated[m] = previous;
    }
    last_row = row_at(end);
  }

  // The ends of all pieces.
  FirstRow<System, Real> next;
  const int above = is_last ? 0 : line.mine + 1;
  next.before = line.from(first_row.before, above);
  next.end = line.from(first_row.end, above);
#pragma unroll
  for (int unknown = 0; unknown < System::unknowns; ++unknown) {
    next.rhs[unknown] = line.from(first_row.rhs[unknown], above);
  }
  auto ends = has_piece ? EndRow<System, Real>::from(last_row, previous, next)
                        : EndRow<System, Real>::fixed(Real(0));
  Real x[System::unknowns];
  Real x_before[System::unknowns];
  if constexpr (Rows::is_cyclic) {
    Real last_end[System::unknowns];
    solve_cyclic_ends(ends, line, x, last_end);
#pragma unroll
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      const Real below = line.below(x[unknown], 1);
      x_before[unknown] = is_first ? last_end[unknown] : below;
    }
  } else {
    if (is_first) ends.lower = Real(0);
    solve_ends(ends, line);
#pragma unroll
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      x[unknown] = ends.rhs[unknown];
      const Real below = line.below(x[unknown], 1);
      x_before[unknown] = is_first ? Real(0) : below;
    }
  }

  // Back into each piece.
  if (!has_piece) return;
  const auto give = [&](int m) {
#pragma unroll
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      piece.at(part_of(unknown), m) = x[unknown];
    }
  };
  give(end);
#pragma unroll
  for (int m = end - 1; m >= 0; --m) {
    back_substitute(eliminated[m], x_before, x);
    give(m);
  }
}

/// Solves all unknowns of a line, one matrix after the other.
template <int rows_per_piece, class Real, class Rows, int matrix = 0>
__device__ void solve_line(const Rows& rows,
                           int fill,
                           const LineLanes& line,
                           const PieceInSharedMemory<Real>& piece) {
  solve_matrix<matrix, rows_per_piece>(rows, fill, line, piece);
  if constexpr (matrix + 1 < Rows::System::matrices) {
    solve_line<rows_per_piece, Real, Rows, matrix + 1>(rows, fill, line, piece);
  }
}

}  // namespace dns
