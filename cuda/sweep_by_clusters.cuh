/// How lines that are too long for a block are solved on a GPU whose blocks can read each other's
/// shared memory: each block of a cluster has a part of a few lines on chip, as sweep_on_chip.cuh
/// has whole ones. Every input is read once, every result written once.
#pragma once

#include "cuda/sweep_on_chip.cuh"

namespace dns {

inline constexpr int most_blocks_of_cluster = 8;  // on all devices that have clusters

/// The parts of lines that blocks have, at most.
template <Axis axis, class Real, class Rows>
inline constexpr PieceChoice part_of_cluster = [] {
  PieceChoice part{32 * 17, 17};
  if constexpr (axis == Axis::x) {
    for (const PieceChoice choice : piece_choices<axis, Real, Rows::System::unknowns>) {
      if (is_for<Real>(choice, Rows::coefficients + Rows::System::unknowns)) part = choice;
    }
  }
  return part;
}();

/// The rows of a part of a line, which is closed where it has an end of the line.
template <class Rows>
class RowsOfBlock : public Rows {
 public:
  __device__ RowsOfBlock(const Rows& rows, LineEnds at_end) : Rows(rows), at_end_(at_end) {}

  template <class Data>
  __device__ void close_low(Index3 c, Data& data) const {
    if (at_end_.is_first) Rows::close_low(c, data);
  }
  template <class Data>
  __device__ void close_high(Index3 c, Data& data) const {
    if (at_end_.is_last) Rows::close_high(c, data);
  }

 private:
  LineEnds at_end_;
};

/// How lines are shared by the blocks of a cluster.
struct ClusterShape {
  int blocks, pieces;
  int of_block;  // pieces, at most

  [[nodiscard]] static ClusterShape of(int points, int rows_per_piece, int warps) {
    const int pieces = divide_up(points, rows_per_piece);
    const int blocks = divide_up(pieces, 32 * warps);
    return {blocks, pieces, warps * divide_up(pieces, blocks * warps)};
  }
};

template <Axis axis, int rows_per_piece, int warps, class Real, class Rows, class Sink>
__global__ void __launch_bounds__(
    threads_of_block<axis, warps>,
    tuning<axis, Real, Rows::System::unknowns, rows_per_piece>.threads_at_once /
        threads_of_block<axis, warps>) sweep_by_clusters_kernel(Box box,
                                                                const __grid_constant__ Rows rows,
                                                                Sink sink,
                                                                SweepShape shape,
                                                                ClusterShape cluster) {
  const int3 turn = block_after_kernels_before();
  shape.start.wait(turn.x);
  const int block = block_in_cluster();

  // Places of the rows, the first ones filled up, that this block has.
  const int points = along<axis>(box.end) - along<axis>(box.begin);
  const int fill = cluster.pieces * rows_per_piece - points;
  const int first_place = block * cluster.of_block * rows_per_piece;
  const int end_place = min(first_place + cluster.of_block * rows_per_piece, points + fill);
  const int origin = along<axis>(box.begin) - fill;
  const Box part{placed<axis>(box.begin, origin + max(first_place, fill)),
                 placed<axis>(box.end, origin + end_place)};
  sweep_lines_on_chip<axis, rows_per_piece, warps, true, Real>(
      part,
      RowsOfBlock<Rows>(rows, {block == 0, block == cluster.blocks - 1}),
      sink,
      shape,
      NoBoundary{},
      shape.block_of(turn.x / cluster.blocks),
      {cluster.pieces, cluster.of_block, cluster.blocks, block});
  arrive_at_cluster();
  wait_for_cluster();  // others read the relations of this block
}

/// Solves all lines of `box` along `axis` if clusters of this device have room for them; returns
/// whether they do, before it finishes. Throws DeviceError if the launch is refused.
template <Axis axis, class Real, class Rows, class Sink>
bool sweep_by_clusters(
    Box box, const Rows& rows, const Sink& sink, bool backwards, cudaStream_t stream) {
  constexpr int unknowns = Rows::System::unknowns;
  constexpr int parts = Rows::coefficients + unknowns;
  constexpr PieceChoice most = part_of_cluster<axis, Real, Rows>;
  constexpr auto kernel = sweep_by_clusters_kernel<axis, most.rows, most.warps, Real, Rows, Sink>;
  if (!has_clusters()) return false;
  const auto cluster = ClusterShape::of(along<axis>(box.extents()), most.rows, most.warps);
  if (cluster.blocks > most_blocks_of_cluster) return false;
  [[maybe_unused]] static const int all_bytes = with_all_shared_memory(kernel);
  const Box part{box.begin,
                 placed<axis>(box.end, along<axis>(box.begin) + cluster.of_block * most.rows)};
  SweepShape shape =
      sweep_shape<axis, Real, unknowns, most.warps>(part, most.rows, parts, bytes_of_two_blocks);
  if (shape.lines_log2 < 0) return false;
  shape.backwards = backwards;
  shape.seams = SeamsOfLine<Real>::values(unknowns, most.warps, cluster.blocks);
  const std::size_t bytes = shape.bytes(parts, sizeof(Real));
  const LaunchShape launched{static_cast<unsigned>(shape.blocks * cluster.blocks),
                             static_cast<unsigned>(shape.threads()),
                             bytes,
                             static_cast<unsigned>(cluster.blocks)};
  shape.start = block_start_delay(kernel, launched, bytes / bytes_gathered_per_cycle);
  launch(
      "launching a sweep by clusters", kernel, launched, stream, box, rows, sink, shape, cluster);
  return true;
}

}  // namespace dns
