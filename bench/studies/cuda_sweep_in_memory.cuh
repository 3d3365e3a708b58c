/// Sweeps as the paper does them: one thread per line; eliminated rows wait for back substitution
/// in a work space in device memory.
///
/// Several times slower than cuda/sweep_on_chip.cuh; along x, where neighbouring threads have lines
/// that lie far apart in memory, slower still.
#pragma once

#include "cuda/for_each.cuh"
#include "solver/core/tridiagonal.hpp"

namespace dns::bench {

/// Eliminated rows of all lines: value `part` of row m of a line, neighbouring lines contiguous.
template <class Real>
struct RowStore {
  Real* values;
  std::ptrdiff_t lines;

  template <class Eliminated>
  __device__ void put(int m, std::ptrdiff_t line, Eliminated row) const {
    Real* const first = values + static_cast<std::ptrdiff_t>(m) * Eliminated::parts * lines + line;
#pragma unroll
    for (int part = 0; part < Eliminated::parts; ++part) first[part * lines] = row[part];
  }
  template <class Eliminated>
  __device__ Eliminated get(int m, std::ptrdiff_t line) const {
    const Real* const first =
        values + static_cast<std::ptrdiff_t>(m) * Eliminated::parts * lines + line;
    Eliminated row;
#pragma unroll
    for (int part = 0; part < Eliminated::parts; ++part) row[part] = first[part * lines];
    return row;
  }
};

template <Axis axis, class Real, class Rows, class Sink>
__global__ void __launch_bounds__(64)
    sweep_in_memory_kernel(Box box, Rows rows, Sink sink, RowStore<Real> store) {
  const int3 block = block_after_kernels_before();
  using System = typename Rows::System;
  using Eliminated = EliminatedRow<System, Real, Rows::is_cyclic>;
  constexpr Axis outer = axis == Axis::z ? Axis::y : Axis::z;
  constexpr Axis side = axis == Axis::x ? Axis::y : Axis::x;  // of neighbouring threads
  const int lines_at_side = along<side>(box.end) - along<side>(box.begin);
  const int thread = static_cast<int>(block.x * blockDim.x + threadIdx.x);
  if (thread >= lines_at_side) return;
  const int plane = block.y;
  const std::ptrdiff_t line = thread + static_cast<std::ptrdiff_t>(lines_at_side) * plane;
  const Index3 first = placed<outer>(placed<side>(box.begin, along<side>(box.begin) + thread),
                                     along<outer>(box.begin) + plane);
  const int begin = along<axis>(box.begin);
  const int last = along<axis>(box.end) - begin - 1;
  const int solved = Rows::is_cyclic ? last - 1 : last;  // the last row in the store
  const auto at = [&](int m) { return placed<axis>(first, begin + m); };
  const auto row = [&](int m) { return row_at(rows, at(m), {m == 0, m == last}); };

  CyclicLastRow<System, Real> closing;
  if constexpr (Rows::is_cyclic) closing = CyclicLastRow<System, Real>::from(row(last));
  auto previous = before_first_row<System, Real, Rows::is_cyclic>();
  for (int m = 0; m <= solved; ++m) {
    previous = eliminate(row(m), previous);
    if constexpr (Rows::is_cyclic) {
      if (m == last - 1) closing.couple(row(last));
      closing.absorb(previous);
    }
    store.put(m, line, previous);
  }
  Real x[System::unknowns] = {};
  Real x_last[System::unknowns] = {};
  if constexpr (Rows::is_cyclic) {
    closing.solve(x_last);
#pragma unroll
    for (int unknown = 0; unknown < System::unknowns; ++unknown) x[unknown] = x_last[unknown];
    sink(at(last), x_last, sink.read(at(last)));
  }
  for (int m = solved; m >= 0; --m) {
    back_substitute(store.template get<Eliminated>(m, line), x_last, x);
    sink(at(m), x, sink.read(at(m)));
  }
}

/// Solves all lines of `box` along `axis`. Returns before it finishes. `workspace` holds one
/// eliminated row per point of the box. Throws DeviceError if the launch is refused.
template <Axis axis, class Real, class Rows, class Sink>
void sweep_in_memory(
    Box box, const Rows& rows, const Sink& sink, Real* workspace, cudaStream_t stream) {
  constexpr unsigned threads = 32;
  const auto [nx, ny, nz] = box.extents();
  const int lines_at_side = axis == Axis::x ? ny : nx;
  const int planes = axis == Axis::z ? ny : nz;
  const RowStore<Real> store{workspace, static_cast<std::ptrdiff_t>(lines_at_side) * planes};
  launch("launching a sweep over long lines",
         sweep_in_memory_kernel<axis, Real, Rows, Sink>,
         {dim3(divide_up(lines_at_side, threads), static_cast<unsigned>(planes)), threads},
         stream,
         box,
         rows,
         sink,
         store);
}

}  // namespace dns::bench
