/// How lines that are too long for a block are solved on a GPU: blocks solve pieces of them between
/// the unknowns beyond the ends of each piece, which come first.
///
///   find_relations   how the ends of each piece depend on the unknowns beyond: reads the rows near
///                    the seams, and the others where couplings do not decay
///   SolveSeams       the unknowns beyond, line by line
///   the sweep        as of lines by themselves, on chip or in registers
#pragma once

#include "cuda/piece_relations.cuh"
#include "cuda/sweep_in_registers.cuh"
#include "cuda/sweep_on_chip.cuh"
#include "solver/core/backend.hpp"

namespace dns {

/// The work space of lines in pieces: relations of the first unknowns of all pieces, of the last
/// ones, and the unknowns beyond. Pieces one after the other; each LineValues.
template <class System, class Real>
struct PiecesInMemory {
  static constexpr int of_relation = EndRelation<System, Real>::parts;
  static constexpr int of_beyond = 2 * System::unknowns;

  std::ptrdiff_t rows_of_lines;  // values of one part of one piece
  int pitch;

  template <Axis axis>
  [[nodiscard]] static PiecesInMemory of(const Box& box) {
    const Index3 begin = place_of_line<axis>(box.begin), end = place_of_line<axis>(box.end);
    const int pitch = LineValues<Real>::pitch_for(end.i);
    return {static_cast<std::ptrdiff_t>(pitch) * (end.j - begin.j), pitch};
  }
  [[nodiscard]] std::ptrdiff_t relations_stride() const { return of_relation * rows_of_lines; }
  [[nodiscard]] std::ptrdiff_t beyond_stride() const { return of_beyond * rows_of_lines; }
  [[nodiscard]] std::size_t values(int pieces) const {
    return static_cast<std::size_t>(pieces * (2 * relations_stride() + beyond_stride()));
  }
  /// Values of the first piece. first_j: of place_of_line.
  [[nodiscard]] RelationsOfLines<Real> relations(Real* workspace, int first_j, int pieces) const {
    return {{workspace, first_j, pitch, of_relation},
            {workspace + pieces * relations_stride(), first_j, pitch, of_relation}};
  }
  [[nodiscard]] LineValues<Real> beyond(Real* workspace, int first_j, int pieces) const {
    return {workspace + 2 * pieces * relations_stride(), first_j, pitch, of_beyond};
  }
};

/// The unknowns beyond the ends of the pieces of lines, and how lines are cut.
template <class Real>
struct PiecesBetween {
  LineCut cut;
  LineValues<Real> beyond;  // of the first piece
  std::ptrdiff_t stride;    // from a piece to the next
};

/// The rows of one piece of a line along `axis`. They are rows of the whole line; at a seam the
/// unknown beyond it is known.
template <Axis axis, class Rows, class Real>
class RowsOfPiece {
 public:
  using System = typename Rows::System;
  static constexpr bool is_cyclic = false;
  static constexpr int coefficients = Rows::coefficients;

  __device__ RowsOfPiece(const Rows& rows, const PiecesBetween<Real>& pieces, int piece)
      : rows_(rows),
        beyond_(pieces.beyond),
        at_end_{!Rows::is_cyclic && piece == 0,
                !Rows::is_cyclic && piece == pieces.cut.pieces - 1} {
    beyond_.values += piece * pieces.stride;
  }

  [[nodiscard]] __device__ auto operator()(Index3 c) const { return rows_(c); }
  [[nodiscard]] __device__ auto load_stencil(Index3 c) const requires LoadsStencils<Rows> {
    return rows_.load_stencil(c);
  }
  [[nodiscard]] __device__ auto line_from(Index3 first) const requires LoadsStencils<Rows> {
    return rows_.line_from(first);
  }
  template <class Values, class Stencil>
  [[nodiscard]] __device__ auto row_between(const Values& below,
                                            const Stencil& here,
                                            const Values& above) const {
    return rows_.row_between(below, here, above);
  }
  [[nodiscard]] __device__ Coupling<Real> coupling(int matrix,
                                                   const Real (&coefficient)[coefficients]) const {
    return rows_.coupling(matrix, coefficient);
  }
  template <class Data>
  __device__ void close_low(Index3 c, Data& data) const {
    if constexpr (!Rows::is_cyclic) {
      if (at_end_.is_first) return rows_.close_low(c, data);
    }
    subtract_beyond(c, false, data);
  }
  template <class Data>
  __device__ void close_high(Index3 c, Data& data) const {
    if constexpr (!Rows::is_cyclic) {
      if (at_end_.is_last) return rows_.close_high(c, data);
    }
    subtract_beyond(c, true, data);
  }
  __device__ void fold_low(int matrix, Coupling<Real>& row) const {
    if constexpr (!Rows::is_cyclic) {
      if (at_end_.is_first) return rows_.fold_low(matrix, row);
    }
    row.lower = Real(0);
  }
  __device__ void fold_high(int matrix, Coupling<Real>& row) const {
    if constexpr (!Rows::is_cyclic) {
      if (at_end_.is_last) return rows_.fold_high(matrix, row);
    }
    row.upper = Real(0);
  }

 private:
  template <class Data>
  __device__ void subtract_beyond(Index3 c, bool is_high, Data& data) const {
#pragma unroll
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      const Coupling<Real> row = rows_.coupling(System::matrix_of(unknown), data.coefficient);
      const int part = (is_high ? System::unknowns : 0) + unknown;
      data.rhs[unknown] -=
          (is_high ? row.upper : row.lower) * *beyond_.address(place_of_line<axis>(c), part);
    }
  }

  const Rows& rows_;
  LineValues<Real> beyond_;
  LineEnds at_end_;
};

/// Whether pieces are solved in registers, with 32 lanes per line; else they are on chip.
template <Axis axis, class System>
inline constexpr bool are_in_registers = axis != Axis::x&& System::unknowns == 1;
/// Rows of a lane. (On chip 13 leave more room for blocks than 17 do.)
template <Axis axis, class System>
inline constexpr int rows_in_pieces = are_in_registers<axis, System> ? more_rows : 13;

/// Lines along `axis` of up to so many points are never cut; longer ones along x are not where
/// several warps of a block can share them.
template <Axis axis, class System, class Real>
inline constexpr int longest_never_cut = [] {
  if (System::unknowns == 1) return longest_line_on_chip(axis);
  if (axis == Axis::x) return 64 * 17;
  return piece_choices<axis, Real, System::unknowns>.back().most_points;
}();

/// The cut of longer lines.
template <Axis axis, class System>
[[nodiscard]] LineCut cut_of_lines(int points) {
  return {points, divide_up(points, 32 * rows_in_pieces<axis, System>)};
}

template <Axis axis, class Real, class Rows, class Sink>
__global__ void __launch_bounds__(
    threads_of_block<axis>,
    tuning<axis, Real, Rows::System::unknowns, rows_in_pieces<axis, typename Rows::System>>.threads_at_once /
        threads_of_block<axis>) sweep_pieces_on_chip_kernel(Box box,
                                                            const __grid_constant__ Rows rows,
                                                            Sink sink,
                                                            SweepShape shape,
                                                            PiecesBetween<Real> pieces) {
  constexpr int rows_per_lane = rows_in_pieces<axis, typename Rows::System>;
  const int3 turn = block_after_kernels_before();
  shape.start.wait(turn.x);
  const int block = turn.x % shape.blocks;
  const int number = turn.x / shape.blocks;
  const int piece = shape.backwards ? pieces.cut.pieces - 1 - number : number;
  const Box part = pieces.cut.template part_of<axis>(box, piece);
  shape.pieces = (along<axis>(part.extents()) + rows_per_lane - 1) / rows_per_lane;
  sweep_lines_on_chip<axis, rows_per_lane, 1, false, Real>(
      part,
      RowsOfPiece<axis, Rows, Real>(rows, pieces, piece),
      sink,
      shape,
      NoBoundary{},
      shape.block_of(block),
      {shape.pieces, shape.pieces});
}

template <Axis axis, class Real, class Rows, class Sink>
__global__ void __launch_bounds__(threads_in_registers<axis, more_rows, 32, Real>)
    sweep_pieces_in_registers_kernel(Box box,
                                     const __grid_constant__ Rows rows,
                                     Sink sink,
                                     RegisterShape shape,
                                     PiecesBetween<Real> pieces) {
  const int3 turn = block_after_kernels_before();
  const int piece = turn.x / shape.blocks;
  const Box part = pieces.cut.template part_of<axis>(box, piece);
  shape.template cut<more_rows>(along<axis>(part.extents()));
  sweep_lines_in_registers<axis, more_rows, Real>(
      part, RowsOfPiece<axis, Rows, Real>(rows, pieces, piece), sink, shape, turn.x % shape.blocks);
}

/// Solves all lines of `box` along `axis`, which have more than longest_never_cut points. Returns
/// before it finishes. workspace: of PiecesInMemory. Throws DeviceError if a launch is
/// refused.
template <Axis axis, class Real, class Rows, class Sink>
void sweep_in_pieces(Box box,
                     const Rows& rows,
                     const Sink& sink,
                     bool backwards,
                     Real* workspace,
                     cudaStream_t stream) {
  using System = typename Rows::System;
  const LineCut cut = cut_of_lines<axis, System>(along<axis>(box.extents()));
  const auto memory = PiecesInMemory<System, Real>::template of<axis>(box);
  const Index3 begin = place_of_line<axis>(box.begin), end = place_of_line<axis>(box.end);
  const RelationsOfLines<Real> relations = memory.relations(workspace, begin.j, cut.pieces);
  const PiecesBetween<Real> pieces{
      cut, memory.beyond(workspace, begin.j, cut.pieces), memory.beyond_stride()};
  constexpr bool has_ends = !Rows::is_cyclic;
  find_relations<axis>(
      box, rows, cut, {has_ends, has_ends}, relations, memory.relations_stride(), stream);
  for_each({{begin.i, begin.j, 0}, {end.i, end.j, 1}},
           SolveSeams<System, Real>{.relations = relations,
                                    .beyond = pieces.beyond,
                                    .relations_stride = memory.relations_stride(),
                                    .beyond_stride = pieces.stride,
                                    .pieces = cut.pieces,
                                    .is_cyclic = Rows::is_cyclic},
           stream);

  const Box longest{box.begin, placed<axis>(box.end, along<axis>(box.begin) + cut.longest())};
  if constexpr (are_in_registers<axis, System>) {
    const RegisterShape shape = register_shape<axis, more_rows, Real>(longest);
    launch("launching a sweep of pieces",
           sweep_pieces_in_registers_kernel<axis, Real, Rows, Sink>,
           launch_in_registers<axis, more_rows, Real>(shape, shape.blocks * cut.pieces),
           stream,
           box,
           rows,
           sink,
           shape,
           pieces);
  } else {
    constexpr auto kernel = sweep_pieces_on_chip_kernel<axis, Real, Rows, Sink>;
    constexpr int parts = Rows::coefficients + System::unknowns;
    static const int shared_bytes = with_all_shared_memory(kernel);
    SweepShape shape = sweep_shape<axis, Real, System::unknowns>(
        longest, rows_in_pieces<axis, System>, parts, shared_bytes);
    shape.backwards = backwards;
    const std::size_t bytes = shape.bytes(parts, sizeof(Real));
    const LaunchShape launched{static_cast<unsigned>(shape.blocks * cut.pieces),
                               static_cast<unsigned>(shape.threads()),
                               bytes};
    if constexpr (System::unknowns > 1) {
      shape.start = block_start_delay(kernel, launched, bytes / bytes_gathered_per_cycle);
    }
    launch("launching a sweep of pieces", kernel, launched, stream, box, rows, sink, shape, pieces);
  }
}

}  // namespace dns
