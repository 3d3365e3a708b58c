#include <algorithm>
#include <cmath>

#include "bench/host.hpp"
#include "bench/studies/cuda_queue.cuh"
#include "bench/studies/cuda_studies.hpp"
#include "bench/studies/random_values.hpp"

namespace dns::bench {
namespace {

constexpr double triad_factor = 3;

/// 16 bytes per thread, four of them in flight; blocks stride over the array.
template <class Real>
__global__ void __launch_bounds__(512)
    copy_kernel(const Vector16<Real>* from, Vector16<Real>* to, std::size_t count) {
  constexpr int ahead = 4;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  std::size_t n = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (; n + (ahead - 1) * stride < count; n += ahead * stride) {
    Vector16<Real> values[ahead];
#pragma unroll
    for (int turn = 0; turn < ahead; ++turn) values[turn] = from[n + turn * stride];
#pragma unroll
    for (int turn = 0; turn < ahead; ++turn) to[n + turn * stride] = values[turn];
  }
  for (; n < count; n += stride) to[n] = from[n];
}

template <class Real>
__global__ void __launch_bounds__(256) triad_kernel(const Vector16<Real>* a,
                                                    const Vector16<Real>* b,
                                                    Vector16<Real>* c,
                                                    std::size_t count) {
  const std::size_t n = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (n >= count) return;
  const Vector16<Real> first = a[n];
  const Vector16<Real> second = b[n];
  Vector16<Real> sum;
#pragma unroll
  for (int lane = 0; lane < Vector16<Real>::width; ++lane) {
    sum.lanes[lane] = first.lanes[lane] + Real(triad_factor) * second.lanes[lane];
  }
  c[n] = sum;
}

/// The random pattern repeats: uploading gigabytes would take longer than all the rest.
template <class Real>
void fill_with_pattern(const Queue& queue, Real* values, std::size_t count, std::uint64_t field) {
  constexpr std::size_t pattern_count = (std::size_t{64} << 20U) / sizeof(Real);
  std::vector<Real> pattern(std::min(pattern_count, count));
  for (std::size_t n = 0; n < pattern.size(); ++n) {
    pattern[n] = static_cast<Real>(scattered_sign(n, field));
  }
  for (std::size_t begin = 0; begin < count; begin += pattern.size()) {
    const std::size_t part = std::min(pattern.size(), count - begin);
    check(cudaMemcpyAsync(values + begin,
                          pattern.data(),
                          part * sizeof(Real),
                          cudaMemcpyHostToDevice,
                          queue.stream()),
          "copying a pattern to it");
  }
  queue.wait();
}

/// What is wrong with the output, piece by piece so that the host needs little memory.
template <class Real, class Expected>
double error_of(const Queue& queue,
                const Real* values,
                std::size_t count,
                const Expected& expected) {
  constexpr std::size_t piece_count = (std::size_t{64} << 20U) / sizeof(Real);
  std::vector<Real> piece(std::min(piece_count, count));
  double largest = 0;
  for (std::size_t begin = 0; begin < count; begin += piece.size()) {
    const std::size_t part = std::min(piece.size(), count - begin);
    check(cudaMemcpyAsync(piece.data(),
                          values + begin,
                          part * sizeof(Real),
                          cudaMemcpyDeviceToHost,
                          queue.stream()),
          "copying a result from it");
    queue.wait();
    largest = std::max(largest, largest_error(part, [&](std::size_t n) {
                         return std::abs(static_cast<double>(piece[n]) - expected(n));
                       }));
  }
  return largest;
}

template <class Real>
std::vector<Measurement> copies() {
  constexpr std::size_t wanted = std::size_t{2} << 30U;
  constexpr std::size_t most_of_memory = 4;  // one array takes a quarter of what is free
  const Queue queue;
  const std::size_t bytes =
      std::min(wanted, Queue::free_bytes() / most_of_memory) >> 26U << 26U;  // whole patterns
  require_memory(std::size_t{1} << 26U, bytes, "a copy on the GPU");
  const std::size_t count = bytes / sizeof(Real);
  const std::size_t vectors = bytes / sizeof(Vector16<Real>);
  const DeviceBuffers<Real> a(queue, count, 1);
  const DeviceBuffers<Real> b(queue, count, 1);
  const DeviceBuffers<Real> c(queue, count, 1);
  fill_with_pattern(queue, a.set(0), count, 0);
  fill_with_pattern(queue, b.set(0), count, 1);
  const auto a_at = [](std::size_t n) {
    return static_cast<double>(static_cast<Real>(scattered_sign(n, 0)));
  };
  const auto b_at = [](std::size_t n) {
    return static_cast<double>(static_cast<Real>(scattered_sign(n, 1)));
  };
  const auto as_vectors = [](const DeviceBuffers<Real>& buffers) {
    return reinterpret_cast<Vector16<Real>*>(buffers.set(0));
  };

  Trial trial;
  trial.section = "copy";
  trial.device = Device::cuda;
  trial.precision = precision_of_type<Real>;
  trial.bytes = 2.0 * static_cast<double>(bytes);
  trial.poison = [&] { c.poison(0); };
  trial.error = [&] { return error_of(queue, c.set(0), count, a_at); };
  trial.seconds = [&](const Variant& variant) { return queue.seconds(variant, 1); };
  std::vector<Measurement> results;
  results.push_back(measure(
      trial, {"cudaMemcpy", "", 0, [&](int) {
                check(cudaMemcpyAsync(
                          c.set(0), a.set(0), bytes, cudaMemcpyDeviceToDevice, queue.stream()),
                      "copying");
              }}));
  const auto copy_with = [&](unsigned blocks, unsigned threads) {
    copy_kernel<<<blocks, threads, 0, queue.stream()>>>(as_vectors(a), as_vectors(c), vectors);
    check(cudaGetLastError(), "launching a copy");
  };
  const auto processors = static_cast<unsigned>(queue.processors());
  results.push_back(measure(trial, {"16 bytes per thread", "", 0, [&](int) {
                                      copy_with(blocks_for(vectors, 256), 256);
                                    }}));
  results.push_back(measure(
      trial, {"16 bytes, grid stride", "", 0, [&](int) { copy_with(4 * processors, 512); }}));

  trial.bytes = 3.0 * static_cast<double>(bytes);
  trial.tolerance = static_cast<double>(std::numeric_limits<Real>::epsilon()) * (1 + triad_factor);
  trial.error = [&] {
    return error_of(
        queue, c.set(0), count, [&](std::size_t n) { return a_at(n) + triad_factor * b_at(n); });
  };
  results.push_back(
      measure(trial, {"triad c = a + s b", "", 0, [&](int) {
                        triad_kernel<<<blocks_for(vectors, 256), 256, 0, queue.stream()>>>(
                            as_vectors(a), as_vectors(b), as_vectors(c), vectors);
                        check(cudaGetLastError(), "launching a triad");
                      }}));
  return results;
}

}  // namespace

std::vector<Measurement> copy_on_cuda(Precision precision) {
  return precision == Precision::single_precision ? copies<float>() : copies<double>();
}

}  // namespace dns::bench
