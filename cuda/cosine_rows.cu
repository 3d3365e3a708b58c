#include <cstddef>

#include "cuda/cosine_rows.hpp"
#include "cuda/for_each.cuh"

namespace dns {
namespace {

constexpr int threads_of_pair = 256;

/// exp(i pi k/(2n))
template <class Real>
__device__ ComplexNumber<Real> rotation(int k, int n) {
  ComplexNumber<Real> r;
  sincospi(half_turns<Real>(k, n), &r[1], &r[0]);
  return r;
}

/// Calls use(m) for m = 0 .. count-1, by the threads of a block.
template <class Use>
__device__ void for_each_in_block(int count, const Use& use) {
  for (int m = place_in_block().x; m < count; m += threads_of_pair) use(m);
}

/// One block for each pair of rows, which it keeps in shared memory while it writes them anew.
template <class Real>
__global__ void __launch_bounds__(threads_of_pair) fourier_to_cosine_kernel(RowPairs<Real> buffer) {
  extern __shared__ __align__(16) std::byte memory[];
  auto* const fourier = reinterpret_cast<ComplexNumber<Real>*>(memory);
  const int3 block = block_after_kernels_before();
  const int n = buffer.points.nx;
  Real* const first = buffer.first(block.x, block.y);
  Real* const second = first + buffer.rows.stride_y;
  for_each_in_block(n, [&](int k) { fourier[k] = load_aligned<2>(first + 2 * k); });
  __syncthreads();
  for_each_in_block(n / 2 + 1, [&](int k) {
    const auto [here, opposite] =
        cosine_modes<Real>({fourier[k], fourier[k > 0 ? n - k : 0]}, rotation<Real>(k, n));
    first[k] = here[0];
    second[k] = here[1];
    if (k == 0) return;
    first[n - k] = opposite[0];
    second[n - k] = opposite[1];
  });
}

template <class Real>
__global__ void __launch_bounds__(threads_of_pair) cosine_to_fourier_kernel(RowPairs<Real> buffer) {
  extern __shared__ __align__(16) std::byte memory[];
  auto* const modes = reinterpret_cast<ComplexNumber<Real>*>(memory);
  const int3 block = block_after_kernels_before();
  const int pair = block.x;
  const int n = buffer.points.nx;
  Real* const first = buffer.first(pair, block.y);
  const Real* const second = first + buffer.rows.stride_y;
  const bool has_partner = buffer.has_partner(pair);
  for_each_in_block(n, [&](int k) { modes[k] = {{first[k], has_partner ? second[k] : Real(0)}}; });
  __syncthreads();
  for_each_in_block(n / 2 + 1, [&](int k) {
    const auto [here, opposite] = fourier_modes<Real>(
        {modes[k], k > 0 ? modes[n - k] : ComplexNumber<Real>{}}, rotation<Real>(k, n));
    store_aligned(first + 2 * k, here);
    if (k > 0) store_aligned(first + 2 * (n - k), opposite);
  });
}

/// Launches one block for each pair of rows.
template <auto kernel, class Real>
void launch_pairs(const char* doing, const RowPairs<Real>& buffer, cudaStream_t stream) {
  static const std::size_t shared_bytes_of_point = [] {
    constexpr int bytes = bytes_per<ComplexNumber<Real>>;
    check(
        cudaFuncSetAttribute(
            kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, longest_cosine_row<Real> * bytes),
        "asking for shared memory");
    return bytes;
  }();
  launch(doing,
         kernel,
         {dim3(static_cast<unsigned>(buffer.per_plane()), static_cast<unsigned>(buffer.points.nz)),
          threads_of_pair,
          buffer.points.nx * shared_bytes_of_point},
         stream,
         buffer);
}

}  // namespace

template <class Real>
void CosineRows<Real>::before_forward(const Real* field, Real* buffer) const {
  const ReorderRows<Real> kernel{in_field(field), in_buffer(buffer)};
  for_each(kernel.buffer.in_pairs(), kernel, stream_);
}

template <class Real>
void CosineRows<Real>::after_forward(Real* buffer) const {
  launch_pairs<fourier_to_cosine_kernel<Real>>(
      "launching the end of a cosine transform", in_buffer(buffer), stream_);
}

template <class Real>
void CosineRows<Real>::before_inverse(Real* buffer) const {
  launch_pairs<cosine_to_fourier_kernel<Real>>(
      "launching the start of an inverse cosine transform", in_buffer(buffer), stream_);
}

template <class Real>
void CosineRows<Real>::after_inverse(const Real* buffer, Real* field) const {
  const RestoreRows<Real> kernel{in_buffer(buffer), in_field(field)};
  for_each(kernel.field.in_pairs(), kernel, stream_);
}

template class CosineRows<float>;
template class CosineRows<double>;

}  // namespace dns
