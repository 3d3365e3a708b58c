/// Solution of one line by the lanes of a warp, or of several, everything in registers and shared
/// memory.
///
/// Each lane has one piece of the line (solver/core/line_pieces.hpp). Lanes exchange the ends of
/// their pieces by shuffles. Where several warps share a line, each has a part of it. The relations
/// of these parts pass through the shared memory of a block, or of the blocks of a cluster.
#pragma once

#include <limits>
#include <type_traits>

#include "cuda/launch.cuh"
#include "solver/core/line_pieces.hpp"

namespace dns {

/// `System` with more unknowns.
template <class System, int more>
struct WithMore : System {
  static constexpr int unknowns = System::unknowns + more;
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
  using Both = WithMore<System, 1>;
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

/// The unknowns at the ends of the pieces of a part of a line, from the equations between them:
///   x = rhs - before x_before - after x_after
/// with the unknowns beyond the part. Every lane gets its own.
template <class System, class Real>
__device__ EndRelation<System, Real> solve_ends_of_part(const EndRow<System, Real>& row,
                                                        const LineLanes& line) {
  using More = WithMore<System, 2>;
  constexpr int before = System::unknowns, after = before + 1;
  const bool is_first = line.mine == 0;
  const bool is_last = line.mine == line.pieces - 1;
  EndRow<More, Real> more;
  more.lower = is_first ? Real(0) : row.lower;
  more.upper = is_last ? Real(0) : row.upper;
#pragma unroll
  for (int unknown = 0; unknown < System::unknowns; ++unknown) {
    more.rhs[unknown] = row.rhs[unknown];
  }
  more.rhs[before] = is_first ? row.lower : Real(0);
  more.rhs[after] = is_last ? row.upper : Real(0);
  solve_ends(more, line);
  EndRelation<System, Real> end;
  end.before[0] = more.rhs[before];
  end.after[0] = more.rhs[after];
#pragma unroll
  for (int unknown = 0; unknown < System::unknowns; ++unknown) end.rhs[unknown] = more.rhs[unknown];
  return end;
}

/// The pieces of a line that a warp has, of `pieces` on `warps` warps.
struct PiecesOfWarp {
  int first, count;
  LineEnds at_end;

  __device__ PiecesOfWarp(int pieces, int warps, int warp) {
    const int most = divide_up(pieces, warps);
    first = warp * most;
    count = max(min(pieces - first, most), 0);
    at_end = {warp == 0, count > 0 && first + count == pieces};
  }
  [[nodiscard]] __device__ LineLanes lanes(bool is_line) const {
    return {32, count, place_in_block().x % 32, is_line};
  }
};

/// A line by itself has no seams.
struct NoSeams {
  static constexpr LineEnds at_end{true, true};
};

/// The seams between the parts of a line that warps have, and between those that the blocks of a
/// cluster have.
template <class Real, bool in_cluster = true>
struct SeamsOfLine {
  LineEnds at_end;  // whether the warp's part has the ends of the line
  Real* shared;     // memory, for values()
  int unknowns;     // of the system
  int warps, warp;  // of a block's part
  int blocks, block;

  /// Room in shared memory, for systems of so many unknowns.
  [[nodiscard]] DNS_HD static constexpr int values(int unknowns, int warps, int blocks) {
    return of_part(unknowns) * (warps + (blocks > 1 ? unknowns + blocks : 0));
  }

  /// Finds the unknowns beyond the part. first, last: the relations of its ends, each known to the
  /// lane that has this end. All threads of the block or cluster come along.
  template <int matrix, class System>
  __device__ void solve(const LineLanes& part,
                        bool is_cyclic,
                        EndRelation<System, Real> first,
                        EndRelation<System, Real> last,
                        Real (&x_before)[System::unknowns],
                        Real (&x_after)[System::unknowns]) const {
    using Relations = PieceRelations<System, Real>;
    constexpr int parts = Relations::parts, together = System::unknowns;
    const int stride = of_part(unknowns);
    Real* const of_warps = shared;
    const auto put = [&](Real* to) {
      return [to](int number, Real& value) { to[number] = value; };
    };
    const auto relations_from = [&](const Real* all) {
      return [=](int which) {
        Relations relations;
        const Real* const from = all + which * stride;
        relations.for_each_part([&](int number, Real& value) { value = from[number]; });
        return relations;
      };
    };
    const auto keep_in = [&](Real* all) {
      return [=, &put](int which, Relations relations) {
        relations.for_each_part(put(all + which * stride));
      };
    };
    const auto give_warp = [&](int warp, const auto& before, const auto& after) {
#pragma unroll
      for (int unknown = 0; unknown < together; ++unknown) {
        of_warps[warp * stride + unknown] = before[unknown];
        of_warps[warp * stride + together + unknown] = after[unknown];
      }
    };

    if (part.pieces == 0 && part.mine == 0) keep_in(of_warps)(warp, Relations::of_no_rows());
    if (part.pieces > 0 && part.mine == 0) {
      first.for_each_part(0, put(of_warps + warp * stride));
    }
    if (part.mine == part.pieces - 1) {
      last.for_each_part(parts / 2, put(of_warps + warp * stride));
    }
    __syncthreads();
    const bool is_for_all = warp == 0 && part.mine == 0;
    if constexpr (in_cluster) {
      // No block may overwrite what others still read: each matrix has a place of its own.
      Real* const of_blocks = of_warps + warps * stride;
      Real* const mine = of_blocks + (blocks + matrix) * stride;
      if (is_for_all) {
        join_pieces<System, Real>(warps, relations_from(of_warps), keep_in(of_warps))
            .for_each_part(put(mine));
      }
      arrive_at_cluster();
      wait_for_cluster();
      for (int n = 32 * warp + part.mine; n < blocks * parts; n += 32 * warps) {
        const int from = n / parts, number = n % parts;
        of_blocks[from * stride + number] = *in_block_of_cluster(mine + number, from);
      }
      __syncthreads();
      if (is_for_all) {
        solve_seams<System, Real>(blocks,
                                  is_cyclic,
                                  relations_from(of_blocks),
                                  keep_in(of_blocks),
                                  [&](int which, const auto& before, const auto& after) {
                                    if (which != block) return;
#pragma unroll
                                    for (int unknown = 0; unknown < together; ++unknown) {
                                      x_before[unknown] = before[unknown];
                                      x_after[unknown] = after[unknown];
                                    }
                                  });
        solve_joined_pieces<System>(warps, relations_from(of_warps), x_before, x_after, give_warp);
      }
    } else if (is_for_all) {
      solve_seams<System, Real>(
          warps, is_cyclic, relations_from(of_warps), keep_in(of_warps), give_warp);
    }
    __syncthreads();
#pragma unroll
    for (int unknown = 0; unknown < together; ++unknown) {
      x_before[unknown] = of_warps[warp * stride + unknown];
      x_after[unknown] = of_warps[warp * stride + together + unknown];
    }
    __syncwarp();  // the next matrix overwrites them
  }

 private:
  /// Values of PieceRelations of one matrix.
  [[nodiscard]] DNS_HD static constexpr int of_part(int unknowns) {
    return 2 * (2 + unknowns);
  }
};

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

/// Solves the unknowns of one matrix of a line, or of a warp's part of it between seams,
/// `rows_per_piece` rows per lane. The first `fill` rows of the line's first piece do not belong to
/// it: on a cyclic line they repeat the unknown before it; on an ordinary one, whose first row is
/// not coupled to them, they are any rows that can be eliminated, such as copies of the first row.
template <int matrix, int rows_per_piece, class Real, class Rows, class Seams>
__device__ void solve_matrix(const Rows& rows,
                             int fill,
                             const LineLanes& line,
                             const Seams& seams,
                             const PieceInSharedMemory<Real>& piece) {
  using System = MatrixOf<typename Rows::System, matrix>;
  using Row = TridiagonalRow<System, Real>;
  constexpr int end = rows_per_piece - 1;
  static_assert(rows_per_piece >= 2);
  const bool is_first = line.mine == 0;
  const bool is_last = line.mine == line.pieces - 1;
  const bool has_piece = line.mine < line.pieces;
  const LineEnds at_end{is_first && seams.at_end.is_first, is_last && seams.at_end.is_last};
  constexpr bool has_seams = !std::is_same_v<Seams, NoSeams>;
  const auto part_of = [](int unknown) { return Rows::coefficients + System::original(unknown); };

  const auto row_at = [&](int m) {
    Real coefficient[Rows::coefficients];
#pragma unroll
    for (int part = 0; part < Rows::coefficients; ++part) coefficient[part] = piece.at(part, m);
    Coupling<Real> coupling = rows.coupling(matrix, coefficient);
    if constexpr (!Rows::is_cyclic) {
      if (m == fill && at_end.is_first) rows.fold_low(matrix, coupling);
      if (m == end && at_end.is_last) rows.fold_high(matrix, coupling);
    }
    Row row{{coupling.lower}, {coupling.diagonal}, {coupling.upper}, {}};
#pragma unroll
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      row.rhs[unknown] = piece.at(part_of(unknown), m);
    }
    if (Rows::is_cyclic && m < fill && at_end.is_first) {
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
      if (!Rows::is_cyclic || !at_end.is_first || m >= fill) first_row.absorb(previous);
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
  if (has_seams && is_last) next = FirstRow<System, Real>::itself();
  auto ends = has_piece ? EndRow<System, Real>::from(last_row, previous, next)
                        : EndRow<System, Real>::fixed(Real(0));
  Real x[System::unknowns];
  Real x_before[System::unknowns];
  if (!Rows::is_cyclic && at_end.is_first) ends.lower = Real(0);
  if constexpr (has_seams) {
    Real beyond_low[System::unknowns];
    Real beyond_high[System::unknowns];
    const auto end_of_piece = solve_ends_of_part(ends, line);
    seams.template solve<matrix, System>(
        line,
        Rows::is_cyclic,
        EndRelation<System, Real>::of_first(first_row, end_of_piece),
        end_of_piece,
        beyond_low,
        beyond_high);
    end_of_piece.solve(beyond_low, beyond_high, x);
#pragma unroll
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      const Real below = line.below(x[unknown], 1);
      x_before[unknown] = is_first ? beyond_low[unknown] : below;
    }
  } else if constexpr (Rows::is_cyclic) {
    Real last_end[System::unknowns];
    solve_cyclic_ends(ends, line, x, last_end);
#pragma unroll
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      const Real below = line.below(x[unknown], 1);
      x_before[unknown] = is_first ? last_end[unknown] : below;
    }
  } else {
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
template <int rows_per_piece, class Real, class Rows, class Seams, int matrix = 0>
__device__ void solve_line(const Rows& rows,
                           int fill,
                           const LineLanes& line,
                           const Seams& seams,
                           const PieceInSharedMemory<Real>& piece) {
  solve_matrix<matrix, rows_per_piece>(rows, fill, line, seams, piece);
  if constexpr (matrix + 1 < Rows::System::matrices) {
    solve_line<rows_per_piece, Real, Rows, Seams, matrix + 1>(rows, fill, line, seams, piece);
  }
}

}  // namespace dns
