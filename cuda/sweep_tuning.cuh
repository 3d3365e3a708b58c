/// The tuning of sweeps on a GPU: how many rows a lane has, and how many of its loads are in flight
/// at a time. Any odd numbers of rows and any batches are correct; these were the fastest ones
/// measured on an H200 (docs/performance.md).
#pragma once

#include <array>

#include "solver/core/stencil_loads.hpp"

namespace dns {

/// Lines of up to `most_points` points give each lane `rows` rows: odd, so that lanes use different
/// banks of shared memory. They have lanes of one warp, or all of `warps` warps.
struct PieceChoice {
  int most_points, rows;
  int warps = 1;
};

/// The choices for systems of so many unknowns, shortest lines first. 16 or 32 lanes share a line,
/// along x more of them do; the fewer of them are left without rows the better, and the fewer rows
/// a lane has the more registers there are for each.
template <Axis axis, class Real, int unknowns>
inline constexpr auto piece_choices = [] {
  constexpr bool is_double = sizeof(Real) == 8;
  constexpr PieceChoice longest{32 * 17, 17};  // along y and z; along x lines may be longer
  if constexpr (axis != Axis::x && unknowns == 1) {
    // Lines that sweep_in_registers.cuh leaves: some of up to 99 points.
    return std::array{PieceChoice{16 * 7, 7}};
  } else if constexpr (unknowns == 1) {
    return std::array{PieceChoice{32 * 5, 5},
                      PieceChoice{32 * 7, 7},
                      PieceChoice{32 * 9, 9},
                      PieceChoice{32 * 13, 13},
                      longest,
                      PieceChoice{32 * 33, 33}};
  } else if constexpr (axis == Axis::x) {
    return std::array{PieceChoice{16 * 7, 7},
                      PieceChoice{16 * 9, 9},
                      PieceChoice{32 * 7, 7},
                      PieceChoice{32 * 9, 9},
                      PieceChoice{32 * 13, 13},
                      longest,
                      PieceChoice{64 * 13, 13, 2},
                      PieceChoice{64 * 17, 17, 2},
                      PieceChoice{128 * 17, 17, 4},
                      PieceChoice{256 * 17, 17, 8}};
  } else if constexpr (is_double) {
    return std::array{PieceChoice{16 * 7, 7},
                      PieceChoice{16 * 9, 9},
                      PieceChoice{32 * 7, 7},
                      PieceChoice{16 * 17, 17},
                      PieceChoice{32 * 13, 13},
                      longest};
  } else {
    return std::array{PieceChoice{16 * 9, 9},
                      PieceChoice{16 * 13, 13},
                      PieceChoice{32 * 9, 9},
                      PieceChoice{32 * 13, 13},
                      longest};
  }
}();

/// Shared memory that every device gives to a block, and those with clusters to two.
inline constexpr int bytes_of_two_blocks = 99 * 1024;
/// Whether a block solves lines of a choice, with `parts` values per point. Lines of one warp: yes.
/// Lines of several: if a multiprocessor has room for two such blocks.
template <class Real>
[[nodiscard]] constexpr bool is_for(PieceChoice choice, int parts) {
  return choice.warps == 1 || choice.most_points * parts * sizeof(Real) <= bytes_of_two_blocks;
}

/// How a kernel does its work.
struct SweepTuning {
  int threads_at_once;  // on a multiprocessor; limits the registers of a thread
  int points_at_once;   // whose loads are in flight together while rows are formed
  int known_at_once;    // whose loads for the sink are in flight together
  StencilLoads loads = StencilLoads::for_cache;
};

template <Axis axis, class Real, int unknowns, int rows>
inline constexpr SweepTuning tuning = [] {
  constexpr bool is_double = sizeof(Real) == 8;
  if (unknowns == 1) {
    if (rows <= 5) return SweepTuning{is_double ? 768 : 1024, 4, 6};
    if (rows <= 7) return SweepTuning{is_double ? 896 : 1024, 3, 6};
    if (rows <= 13) return SweepTuning{is_double ? 512 : 768, is_double ? 4 : rows <= 9 ? 8 : 6, 6};
    return SweepTuning{is_double || rows > 17 ? 256 : 768, 4, 6};
  }
  if (axis == Axis::x && is_double) {
    if (rows <= 7) return SweepTuning{512, 2, 6};
    return SweepTuning{rows <= 13 ? 384 : 256, 4, 6};
  }
  if (axis == Axis::x) {
    if (rows <= 7) return SweepTuning{1024, 3, 2};
    if (rows <= 9) return SweepTuning{896, 2, 2};
    return SweepTuning{512, rows <= 13 ? 3 : 4, rows <= 13 ? 2 : 4};
  }
  if (is_double) {
    if (rows <= 7 && axis == Axis::z) return SweepTuning{512, 4, 6, StencilLoads::in_any_order};
    if (rows <= 7) return SweepTuning{512, 4, 3};
    if (rows <= 9) return SweepTuning{512, 3, 4};
    return SweepTuning{256, rows <= 13 ? 6 : 4, rows <= 13 ? 8 : 6};
  }
  if (rows <= 9) return SweepTuning{768, 5, 4, StencilLoads::in_order};
  if (rows == 13) return SweepTuning{512, 7, 12, StencilLoads::in_any_order};
  return SweepTuning{512, 9, 12, StencilLoads::in_order};
}();

/// What a multiprocessor gathers into shared memory per cycle [bytes] when all of them do: blocks
/// of sweeps of more than one unknown start as far apart as gathering a tile takes at that rate.
/// Waits 0.7 and 1.3 times as long make a step 1 to 2 % slower.
inline constexpr int bytes_gathered_per_cycle = 8;

/// Most threads of a block, whose lines have lanes of one warp or of `warps` warps.
template <Axis axis, int warps = 1>
inline constexpr int threads_of_block = axis == Axis::x ? (warps > 4 ? 32 * warps : 128) : 256;

/// Lines of a block along y and z: rows of a tile are 64 bytes of a field by itself, 128 bytes
/// where variables lie side by side.
template <class Real, int unknowns>
inline constexpr int lines_across = unknowns > 1 ? 8 : 64 / bytes_per<Real>;

/// Rows of a thread in sweep_in_registers.cuh: the one of the two that leaves fewer threads of a
/// line without rows.
inline constexpr int fewer_rows = 12;
inline constexpr int more_rows = 16;
/// Threads that a multiprocessor's registers can hold there, in blocks of `threads`.
template <class Real, int threads>
inline constexpr int threads_with_rows = sizeof(Real) == 8 ? 512
                                         : threads == 256  ? 768
                                                           : 1024;
/// Lines of a block there: 128 bytes of a row of memory; half of that along y with fewer rows,
/// where it is faster.
template <Axis axis, class Real, int rows_per_lane>
inline constexpr int lines_side_by_side =
    (axis == Axis::z || rows_per_lane == more_rows ? 128 : 64) / bytes_per<Real>;

}  // namespace dns
