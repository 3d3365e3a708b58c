#include <algorithm>

#include "bench/host.hpp"
#include "bench/studies/cuda_studies.hpp"
#include "bench/studies/cuda_transpose.cuh"
#include "bench/studies/random_values.hpp"

namespace dns::bench {
namespace {

constexpr int tile_side = 32;
constexpr int tile_rows = 8;  // a block of 32 x 8 threads moves a tile in four turns

/// Neighbouring threads read neighbours and write `ny` values apart.
template <class Real>
__global__ void transpose_reading_rows_kernel(const Real* from, Real* to, int nx, int ny) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= nx || y >= ny) return;
  const std::size_t plane = std::size_t{blockIdx.z} * nx * ny;
  to[plane + std::size_t(x) * ny + y] = from[plane + std::size_t(y) * nx + x];
}

/// Neighbouring threads write neighbours and read `nx` values apart.
template <class Real>
__global__ void transpose_writing_rows_kernel(const Real* from, Real* to, int nx, int ny) {
  const int y = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int x = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= nx || y >= ny) return;
  const std::size_t plane = std::size_t{blockIdx.z} * nx * ny;
  to[plane + std::size_t(x) * ny + y] = from[plane + std::size_t(y) * nx + x];
}

/// Through a tile in shared memory, so that reads and writes are both coalesced. Without padding
/// the 32 values of a column of the tile lie in one bank.
template <class Real, int padding>
__global__ void __launch_bounds__(tile_side* tile_rows)
    transpose_tile_kernel(const Real* from, Real* to, int nx, int ny) {
  __shared__ Real tile[tile_side][tile_side + padding];
  const int x_begin = static_cast<int>(blockIdx.x) * tile_side;
  const int y_begin = static_cast<int>(blockIdx.y) * tile_side;
  const int lane = static_cast<int>(threadIdx.x);
  const std::size_t plane = std::size_t{blockIdx.z} * nx * ny;
#pragma unroll
  for (int turn = 0; turn < tile_side; turn += tile_rows) {
    const int row = static_cast<int>(threadIdx.y) + turn;
    if (x_begin + lane < nx && y_begin + row < ny) {
      tile[row][lane] = from[plane + std::size_t(y_begin + row) * nx + x_begin + lane];
    }
  }
  __syncthreads();
#pragma unroll
  for (int turn = 0; turn < tile_side; turn += tile_rows) {
    const int row = static_cast<int>(threadIdx.y) + turn;
    if (y_begin + lane < ny && x_begin + row < nx) {
      to[plane + std::size_t(x_begin + row) * ny + y_begin + lane] = tile[lane][row];
    }
  }
}

/// Wrong values of to(y, x, z) = from(x, y, z).
template <class Real>
double transpose_error(const std::vector<Real>& from,
                       const std::vector<Real>& to,
                       std::size_t nx,
                       std::size_t ny) {
  return largest_error(to.size(), [&](std::size_t n) {
    const std::size_t y = n % ny;
    const std::size_t x = n / ny % nx;
    const std::size_t z = n / ny / nx;
    return to[n] == from[x + nx * (y + ny * z)] ? 0.0 : 1.0;
  });
}

template <class Real>
std::vector<Real> random_field(std::size_t count) {
  std::vector<Real> values(count);
#pragma omp parallel for schedule(static)
  for (std::size_t n = 0; n < count; ++n) values[n] = static_cast<Real>(scattered_sign(n, 0));
  return values;
}

template <class Real>
std::vector<Measurement> transposes(const Study& study) {
  const Queue queue;
  const int points = study.points;
  const std::size_t count = study.count();
  require_memory(2 * count * sizeof(Real), study.memory, "a field and its transpose");
  require_memory(2 * count * sizeof(Real), Queue::free_bytes(), "a transpose on the GPU");
  const int sets =
      sets_beyond_cache(2 * count * sizeof(Real), queue.cache_bytes(), Queue::free_bytes() / 2);
  const std::vector<Real> original = random_field<Real>(count);
  std::vector<Real> result(count);
  const DeviceBuffers<Real> from(queue, count, sets);
  const DeviceBuffers<Real> to(queue, count, sets);
  from.fill(original.data());

  Trial trial;
  trial.section = "transpose";
  trial.device = Device::cuda;
  trial.precision = precision_of_type<Real>;
  trial.points = points;
  trial.bytes = 2.0 * static_cast<double>(count * sizeof(Real));
  trial.poison = [&] { to.poison(0); };
  trial.error = [&] {
    to.download(0, result.data());
    const std::size_t side = points;
    return transpose_error(original, result, side, side);
  };
  trial.seconds = [&](const Variant& variant) { return queue.seconds(variant, sets); };

  const std::size_t side = points;
  const auto planes = static_cast<unsigned>(points);
  const dim3 by_rows(blocks_for(side, tile_side), blocks_for(side, tile_rows), planes);
  const dim3 by_tiles(blocks_for(side, tile_side), blocks_for(side, tile_side), planes);
  std::vector<Measurement> results;
  const auto add = [&](const char* name, dim3 blocks, auto* kernel) {
    results.push_back(
        measure(trial, {name, "", 0, [&](int set) {
                          kernel<<<blocks, dim3(tile_side, tile_rows), 0, queue.stream()>>>(
                              from.set(set), to.set(set), points, points);
                          check(cudaGetLastError(), "launching a transpose");
                        }}));
  };
  add("naive, coalesced reads", by_rows, &transpose_reading_rows_kernel<Real>);
  add("naive, coalesced writes", by_rows, &transpose_writing_rows_kernel<Real>);
  add("tile 32 x 32", by_tiles, &transpose_tile_kernel<Real, 0>);
  add("padded tile 32 x 33", by_tiles, &transpose_tile_kernel<Real, 1>);
  if (fits_tuned_transpose(points, sizeof(Real))) {
    results.push_back(measure(trial, {"16 bytes, swizzled tile", "", 0, [&](int set) {
                                        transpose_tuned(queue, from.set(set), to.set(set), points);
                                      }}));
  }
  return results;
}

}  // namespace

std::vector<Measurement> transpose_on_cuda(Precision precision, const Study& study) {
  return precision == Precision::single_precision ? transposes<float>(study)
                                                  : transposes<double>(study);
}

std::vector<Measurement> transpose_blocks_on_cuda() {
  constexpr int points = block_study_points;
  constexpr std::size_t count = std::size_t{points} * points;
  constexpr unsigned most_threads = 1024;
  const Queue queue;
  const int sets =
      sets_beyond_cache(2 * count * sizeof(float), queue.cache_bytes(), Queue::free_bytes() / 2);
  const std::vector<float> original = random_field<float>(count);
  std::vector<float> result(count);
  const DeviceBuffers<float> from(queue, count, sets);
  const DeviceBuffers<float> to(queue, count, sets);
  from.fill(original.data());

  Trial trial;
  trial.section = "transpose blocks";
  trial.device = Device::cuda;
  trial.precision = Precision::single_precision;
  trial.points = points;
  trial.bytes = 2.0 * static_cast<double>(count * sizeof(float));
  trial.poison = [&] { to.poison(0); };
  trial.error = [&] {
    to.download(0, result.data());
    return transpose_error(original, result, std::size_t{points}, std::size_t{points});
  };
  trial.seconds = [&](const Variant& variant) { return queue.seconds(variant, sets); };

  std::vector<Measurement> results;
  for (unsigned x = 1; x <= static_cast<unsigned>(largest_block_side); x *= 2) {
    for (unsigned y = 1; x * y <= most_threads; y *= 2) {
      results.push_back(measure(
          trial,
          {std::to_string(x) + "x" + std::to_string(y), "", 0, [&](int set) {
             transpose_reading_rows_kernel<<<dim3(blocks_for(points, x), blocks_for(points, y)),
                                             dim3(x, y),
                                             0,
                                             queue.stream()>>>(
                 from.set(set), to.set(set), points, points);
             check(cudaGetLastError(), "launching a transpose");
           }}));
    }
  }
  return results;
}

}  // namespace dns::bench
