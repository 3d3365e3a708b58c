/// Sweeps on a GPU: in registers or on chip where lines fit, otherwise by clusters of blocks or in
/// pieces.
#pragma once

#include <type_traits>

#include "cuda/sweep_by_clusters.cuh"
#include "cuda/sweep_in_pieces.cuh"
#include "cuda/sweep_in_registers.cuh"
#include "cuda/sweep_on_chip.cuh"

namespace dns {

/// Solves all lines of `box`, which may be empty, along `axis`, and evaluates what it can of the
/// boundary of the level that the sink writes; returns the planes of the boundary that are left to
/// do. Returns before it finishes. Lines of more than longest_never_cut points need `workspace`
/// (PiecesInMemory). Throws DeviceError if a launch is refused.
template <Axis axis, class Real, class Rows, class Sink, class BoundaryToFill>
BoundaryPlanes sweep(Box box,
                     const Rows& rows,
                     const Sink& sink,
                     const BoundaryToFill& boundary,
                     bool backwards,
                     Real* workspace,
                     cudaStream_t stream) {
  static_assert(std::is_trivially_copyable_v<Rows> && std::is_trivially_copyable_v<Sink>);
  const auto [nx, ny, nz] = box.extents();
  if (nx <= 0 || ny <= 0 || nz <= 0) return boundary.planes;
  using System = typename Rows::System;
  constexpr bool is_shared = System::unknowns > 1;  // by warps and blocks
  BoundaryToFill left = boundary;
  if (along<axis>(box.extents()) <= longest_never_cut<axis, System, Real> || is_shared) {
    if constexpr (axis != Axis::x && System::unknowns == 1) {
      if (sweep_in_registers<axis, Real>(box, rows, sink, stream)) return boundary.planes;
    }
    if (sweep_on_chip<axis, Real>(box, rows, sink, left, backwards, stream)) return left.planes;
  }
  if constexpr (is_shared) {
    if (sweep_by_clusters<axis, Real>(box, rows, sink, backwards, stream)) return boundary.planes;
  }
  sweep_in_pieces<axis>(box, rows, sink, backwards, workspace, stream);
  return boundary.planes;
}

}  // namespace dns
