#include <algorithm>

#include "bench/studies/cuda_queue.cuh"
#include "bench/studies/cuda_studies.hpp"
#include "bench/studies/dissipation_check.hpp"
#include "bench/studies/random_values.hpp"

namespace dns::bench {
namespace {

constexpr int block_x = 32;
constexpr int block_y = 8;
constexpr int planes_per_march = 24;

/// One thread per node; neighbours come through the caches.
template <class Real>
__global__ void __launch_bounds__(block_x* block_y) dissipation_kernel(VelocityField<Real> field) {
  const int i = 1 + static_cast<int>(blockIdx.x * block_x + threadIdx.x);
  const int j = 1 + static_cast<int>(blockIdx.y * block_y + threadIdx.y);
  const int k = 1 + static_cast<int>(blockIdx.z);
  const std::ptrdiff_t n = field.points;
  if (i >= n - 1 || j >= n - 1) return;
  const std::ptrdiff_t c = i + n * (j + n * k);
  field.dissipation[c] = field.template dissipation_at<Real>(c);
}

/// The part of a plane that a block works on, with its frame of neighbours, for each component.
template <class Real>
struct PlaneTile {
  static constexpr int width = block_x + 2;
  static constexpr int height = block_y + 2;
  Real values[3][height][width];

  /// Reads plane k; nodes outside of the field are left out, and no inner node asks for them.
  __device__ void read(const VelocityField<Real>& field, int i_begin, int j_begin, int k) {
    for (int place = thread(); place < width * height; place += block_x * block_y) {
      read_node(field, i_begin, j_begin, k, place / width, place % width);
    }
  }

  /// Stores plane k: each thread gives the values of its own node, and the frame is read.
  __device__ void set(
      const VelocityField<Real>& field, int i_begin, int j_begin, int k, const Real (&own)[3]) {
#pragma unroll
    for (int component = 0; component < 3; ++component) {
      values[component][threadIdx.y + 1][threadIdx.x + 1] = own[component];
    }
    static_assert(2 * (width + block_y) <= block_x * block_y);
    const int place = thread();
    if (place < 2 * width) {
      read_node(field, i_begin, j_begin, k, place / width * (height - 1), place % width);
    } else if (place < 2 * (width + block_y)) {
      const int side = place - 2 * width;
      read_node(field, i_begin, j_begin, k, 1 + side / 2, side % 2 * (width - 1));
    }
  }

 private:
  [[nodiscard]] __device__ static int thread() {
    return static_cast<int>(threadIdx.y) * block_x + static_cast<int>(threadIdx.x);
  }
  __device__ void read_node(
      const VelocityField<Real>& field, int i_begin, int j_begin, int k, int row, int column) {
    const std::ptrdiff_t n = field.points;
    const int i = i_begin - 1 + column;
    const int j = j_begin - 1 + row;
    if (i >= n || j >= n) return;
    const std::ptrdiff_t c = i + n * (j + n * k);
    values[0][row][column] = read_only(field.u + c);
    values[1][row][column] = read_only(field.v + c);
    values[2][row][column] = read_only(field.w + c);
  }
};

/// Derivatives along x and y from the tile, along z from the values below and above.
template <class Real>
__device__ Real dissipation_in_tile(const PlaneTile<Real>& tile,
                                    const Real (&below)[3],
                                    const Real (&above)[3],
                                    Real factor) {
  const int row = static_cast<int>(threadIdx.y) + 1;
  const int column = static_cast<int>(threadIdx.x) + 1;
  const auto along_x = [&](int component) {
    return factor *
           (tile.values[component][row][column + 1] - tile.values[component][row][column - 1]);
  };
  const auto along_y = [&](int component) {
    return factor *
           (tile.values[component][row + 1][column] - tile.values[component][row - 1][column]);
  };
  const auto along_z = [&](int component) {
    return factor * (above[component] - below[component]);
  };
  return dissipation_function(VelocityGradient<Real>{along_x(0),
                                                     along_y(0),
                                                     along_z(0),
                                                     along_x(1),
                                                     along_y(1),
                                                     along_z(1),
                                                     along_x(2),
                                                     along_y(2),
                                                     along_z(2)});
}

/// A block evaluates one tile of one plane through shared memory.
template <class Real>
__global__ void __launch_bounds__(block_x* block_y)
    dissipation_tile_kernel(VelocityField<Real> field) {
  __shared__ PlaneTile<Real> tile;
  const int i_begin = 1 + static_cast<int>(blockIdx.x) * block_x;
  const int j_begin = 1 + static_cast<int>(blockIdx.y) * block_y;
  const int k = 1 + static_cast<int>(blockIdx.z);
  tile.read(field, i_begin, j_begin, k);
  __syncthreads();
  const int i = i_begin + static_cast<int>(threadIdx.x);
  const int j = j_begin + static_cast<int>(threadIdx.y);
  const std::ptrdiff_t n = field.points;
  if (i >= n - 1 || j >= n - 1) return;
  const std::ptrdiff_t c = i + n * (j + n * k);
  const std::ptrdiff_t z = n * n;
  const Real below[3] = {field.u[c - z], field.v[c - z], field.w[c - z]};
  const Real above[3] = {field.u[c + z], field.v[c + z], field.w[c + z]};
  field.dissipation[c] = dissipation_in_tile(tile, below, above, field.inverse_two_h());
}

/// A block marches along z: the values below, here and above move on through registers, and a tile
/// holds the plane for neighbours along x and y.
template <class Real>
__global__ void __launch_bounds__(block_x* block_y)
    dissipation_marching_kernel(VelocityField<Real> field) {
  __shared__ PlaneTile<Real> tiles[2];
  const int i_begin = 1 + static_cast<int>(blockIdx.x) * block_x;
  const int j_begin = 1 + static_cast<int>(blockIdx.y) * block_y;
  const int i = i_begin + static_cast<int>(threadIdx.x);
  const int j = j_begin + static_cast<int>(threadIdx.y);
  const int points = field.points;
  const int k_begin = 1 + static_cast<int>(blockIdx.z) * planes_per_march;
  const int k_end = min(points - 1, k_begin + planes_per_march);
  const bool is_inner = i < points - 1 && j < points - 1;
  const std::ptrdiff_t n = points;
  const std::ptrdiff_t z = n * n;
  // Threads without a node of their own follow the last one.
  const std::ptrdiff_t column = min(i, points - 1) + n * min(j, points - 1);
  const auto value = [&](int component, std::ptrdiff_t k) {
    const Real* const q = component == 0 ? field.u : component == 1 ? field.v : field.w;
    return read_only(q + column + z * k);
  };
  Real below[3];
  Real here[3];
#pragma unroll
  for (int component = 0; component < 3; ++component) {
    below[component] = value(component, k_begin - 1);
    here[component] = value(component, k_begin);
  }
  for (int k = k_begin; k < k_end; ++k) {
    PlaneTile<Real>& tile = tiles[k % 2];  // one barrier a plane is enough with two tiles
    Real above[3];
#pragma unroll
    for (int component = 0; component < 3; ++component) above[component] = value(component, k + 1);
    tile.set(field, i_begin, j_begin, k, here);
    __syncthreads();
    if (is_inner) {
      field.dissipation[column + z * k] =
          dissipation_in_tile(tile, below, above, field.inverse_two_h());
    }
#pragma unroll
    for (int component = 0; component < 3; ++component) {
      below[component] = here[component];
      here[component] = above[component];
    }
  }
}

template <class Real>
std::vector<Measurement> stencils(const Study& study) {
  const Queue queue;
  const std::size_t count = study.count();
  const std::size_t bytes = 4 * count * sizeof(Real);
  require_memory(bytes, study.memory, "a velocity field and its dissipation");
  require_memory(bytes, Queue::free_bytes(), "a velocity field on the GPU");
  const int sets = sets_beyond_cache(bytes, queue.cache_bytes(), Queue::free_bytes() / 2);
  std::vector<std::vector<Real>> host(4, std::vector<Real>(count));
  std::vector<DeviceBuffers<Real>> device;
  for (std::size_t component = 0; component < host.size(); ++component) {
    std::vector<Real>& values = host[component];
#pragma omp parallel for schedule(static)
    for (std::size_t n = 0; n < count; ++n) {
      values[n] = static_cast<Real>(scattered_sign(n, component));
    }
    device.emplace_back(queue, count, sets).fill(values.data());
  }
  const auto field = [&](int set) {
    return VelocityField<Real>{device[0].set(set),
                               device[1].set(set),
                               device[2].set(set),
                               device[3].set(set),
                               study.points};
  };

  Trial trial;
  trial.section = "stencil";
  trial.device = Device::cuda;
  trial.precision = precision_of_type<Real>;
  trial.points = study.points;
  trial.bytes = dissipation_bytes(study.points, sizeof(Real));
  trial.tolerance = dissipation_tolerance<Real>;
  trial.poison = [&] { device[3].poison(0); };
  trial.error = [&] {
    device[3].download(0, host[3].data());
    return dissipation_error(VelocityField<Real>{
        host[0].data(), host[1].data(), host[2].data(), host[3].data(), study.points});
  };
  trial.seconds = [&](const Variant& variant) { return queue.seconds(variant, sets); };

  const std::size_t inner = study.points - 2;
  const dim3 threads(block_x, block_y);
  const dim3 by_planes(
      blocks_for(inner, block_x), blocks_for(inner, block_y), static_cast<unsigned>(inner));
  const dim3 by_marches(
      blocks_for(inner, block_x), blocks_for(inner, block_y), blocks_for(inner, planes_per_march));
  std::vector<Measurement> results;
  const auto add = [&](const char* name, dim3 blocks, auto* kernel) {
    results.push_back(measure(trial, {name, "", 0, [&](int set) {
                                        kernel<<<blocks, threads, 0, queue.stream()>>>(field(set));
                                        check(cudaGetLastError(), "launching a stencil");
                                      }}));
  };
  add("global loads", by_planes, &dissipation_kernel<Real>);
  add("shared-memory tiles", by_planes, &dissipation_tile_kernel<Real>);
  add("marching along z", by_marches, &dissipation_marching_kernel<Real>);
  return results;
}

}  // namespace

std::vector<Measurement> stencil_on_cuda(Precision precision, const Study& study) {
  return precision == Precision::single_precision ? stencils<float>(study)
                                                  : stencils<double>(study);
}

}  // namespace dns::bench
