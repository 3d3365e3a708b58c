// The classic ladder of reductions (M. Harris, Optimizing Parallel Reduction in CUDA, 2007): each
// rung removes one weakness of the one before. A pass leaves one value per block; passes follow
// until one value is left.
#include <algorithm>
#include <cmath>
#include <cub/device/device_reduce.cuh>

#include "bench/host.hpp"
#include "bench/studies/cuda_queue.cuh"
#include "bench/studies/cuda_studies.hpp"
#include "bench/studies/reduction_input.hpp"

namespace dns::bench {
namespace {

constexpr int threads_per_block = 256;
constexpr unsigned whole_warp = 0xffffffffU;

struct Sum {
  template <class Real>
  __host__ __device__ static Real of_value(Real value) {
    return value;
  }
  template <class Real>
  __host__ __device__ Real operator()(Real a, Real b) const {
    return a + b;
  }
};

struct LargestMagnitude {
  template <class Real>
  __host__ __device__ static Real of_value(Real value) {
    return value < 0 ? -value : value;
  }
  template <class Real>
  __host__ __device__ Real operator()(Real a, Real b) const {
    return b > a ? b : a;
  }
};

/// Value n, or beyond the end the neutral element (0 for both operations).
template <class Operation, class Real>
__device__ Real value_or_zero(const Real* values, std::size_t n, std::size_t count) {
  return n < count ? Operation::of_value(values[n]) : Real(0);
}

/// Every second, fourth, ... thread works: warps diverge.
struct Interleaved {
  static constexpr int values_per_thread = 1;
  template <class Real, class Operation>
  __device__ static Real reduce(Real* shared, int thread, Operation combine) {
    for (int step = 1; step < threads_per_block; step *= 2) {
      if (thread % (2 * step) == 0) shared[thread] = combine(shared[thread], shared[thread + step]);
      __syncthreads();
    }
    return shared[0];
  }
};

/// Neighbouring threads work, on values `2 step` apart: banks conflict.
struct Strided {
  static constexpr int values_per_thread = 1;
  template <class Real, class Operation>
  __device__ static Real reduce(Real* shared, int thread, Operation combine) {
    for (int step = 1; step < threads_per_block; step *= 2) {
      const int place = 2 * step * thread;
      if (place + step < threads_per_block) {
        shared[place] = combine(shared[place], shared[place + step]);
      }
      __syncthreads();
    }
    return shared[0];
  }
};

/// Neighbouring threads work on neighbouring values: half of the threads idle from the start.
struct Sequential {
  static constexpr int values_per_thread = 1;
  template <class Real, class Operation>
  __device__ static Real reduce(Real* shared, int thread, Operation combine) {
    for (int half = threads_per_block / 2; half > 0; half /= 2) {
      if (thread < half) shared[thread] = combine(shared[thread], shared[thread + half]);
      __syncthreads();
    }
    return shared[0];
  }
};

/// Each thread combines two values while it loads them.
struct FirstAddDuringLoad : Sequential {
  static constexpr int values_per_thread = 2;
};

/// The last warp needs neither shared memory nor barriers.
struct UnrolledWithShuffles {
  static constexpr int values_per_thread = 2;
  template <class Real, class Operation>
  __device__ static Real reduce(Real* shared, int thread, Operation combine) {
#pragma unroll
    for (int half = threads_per_block / 2; half >= lanes; half /= 2) {
      if (thread < half) shared[thread] = combine(shared[thread], shared[thread + half]);
      __syncthreads();
    }
    Real mine = shared[thread % lanes];
#pragma unroll
    for (int half = lanes / 2; half > 0; half /= 2) {
      mine = combine(mine, __shfl_down_sync(whole_warp, mine, half));
    }
    return mine;
  }

 private:
  static constexpr int lanes = 32;
};

/// One block reduces threads_per_block * values_per_thread values. The result is valid in thread 0.
template <class Rung, class Operation, class Real>
__global__ void __launch_bounds__(threads_per_block)
    reduce_kernel(const Real* values, std::size_t count, Real* results) {
  __shared__ Real shared[threads_per_block];
  const int thread = static_cast<int>(threadIdx.x);
  const std::size_t first =
      std::size_t{blockIdx.x} * (threads_per_block * Rung::values_per_thread) + threadIdx.x;
  Real mine = value_or_zero<Operation>(values, first, count);
  if constexpr (Rung::values_per_thread == 2) {
    mine = Operation{}(mine, value_or_zero<Operation>(values, first + threads_per_block, count));
  }
  shared[thread] = mine;
  __syncthreads();
  const Real result = Rung::reduce(shared, thread, Operation{});
  if (thread == 0) results[blockIdx.x] = result;
}

/// Few blocks stride over the array with 16-byte loads, four in flight per thread.
template <class Operation, class Real>
__global__ void __launch_bounds__(threads_per_block)
    reduce_striding_kernel(const Real* values, std::size_t count, Real* results) {
  constexpr int ahead = 4;
  constexpr int width = Vector16<Real>::width;
  __shared__ Real shared[threads_per_block];
  const auto* const vectors = reinterpret_cast<const Vector16<Real>*>(values);
  const std::size_t vector_count = count / width;
  const std::size_t stride = std::size_t{gridDim.x} * threads_per_block;
  const std::size_t thread = std::size_t{blockIdx.x} * threads_per_block + threadIdx.x;
  const Operation combine;
  Real mine[width] = {};
  const auto take = [&](const Vector16<Real>& vector) {
#pragma unroll
    for (int lane = 0; lane < width; ++lane) {
      mine[lane] = combine(mine[lane], Operation::of_value(vector.lanes[lane]));
    }
  };
  std::size_t n = thread;
  for (; n + (ahead - 1) * stride < vector_count; n += ahead * stride) {
    Vector16<Real> read[ahead];
#pragma unroll
    for (int turn = 0; turn < ahead; ++turn) read[turn] = vectors[n + turn * stride];
#pragma unroll
    for (int turn = 0; turn < ahead; ++turn) take(read[turn]);
  }
  for (; n < vector_count; n += stride) take(vectors[n]);
  const std::size_t rest = vector_count * width + thread;
  if (rest < count) mine[0] = combine(mine[0], Operation::of_value(values[rest]));
#pragma unroll
  for (int lane = 1; lane < width; ++lane) mine[0] = combine(mine[0], mine[lane]);
  shared[threadIdx.x] = mine[0];
  __syncthreads();
  const Real result = UnrolledWithShuffles::reduce(shared, static_cast<int>(threadIdx.x), combine);
  if (threadIdx.x == 0) results[blockIdx.x] = result;
}

/// Enqueues passes of a rung until one value is left; `partial` and `other` take turns. Returns
/// where that value will stand.
template <class Rung, class Operation, class Real>
Real* reduce_in_passes(
    const Queue& queue, const Real* values, std::size_t count, Real* partial, Real* other) {
  constexpr std::size_t per_block =
      std::size_t{threads_per_block} * std::size_t{Rung::values_per_thread};
  while (true) {
    const unsigned blocks = blocks_for(count, per_block);
    reduce_kernel<Rung, Operation>
        <<<blocks, threads_per_block, 0, queue.stream()>>>(values, count, partial);
    check(cudaGetLastError(), "launching a reduction");
    if (blocks == 1) return partial;
    values = partial;
    count = blocks;
    std::swap(partial, other);
  }
}

template <class Operation, class Real>
Real* reduce_striding(
    const Queue& queue, const Real* values, std::size_t count, Real* partial, Real* other) {
  constexpr unsigned blocks_per_processor = 4;
  const unsigned blocks =
      std::min(blocks_for(count, threads_per_block),
               blocks_per_processor * static_cast<unsigned>(queue.processors()));
  reduce_striding_kernel<Operation>
      <<<blocks, threads_per_block, 0, queue.stream()>>>(values, count, partial);
  reduce_striding_kernel<Operation>
      <<<1, threads_per_block, 0, queue.stream()>>>(partial, blocks, other);
  check(cudaGetLastError(), "launching a reduction");
  return other;
}

/// Sum and largest magnitude as CUB does them; with null memory it only says how much it needs.
template <class Real>
void reduce_with_cub(Sum /*operation*/,
                     void* memory,
                     std::size_t& bytes,
                     const Real* values,
                     std::size_t count,
                     Real* result,
                     cudaStream_t stream) {
  check(cub::DeviceReduce::Sum(
            memory, bytes, values, result, static_cast<std::int64_t>(count), stream),
        "reducing with CUB");
}
struct Magnitude {
  template <class Real>
  __host__ __device__ Real operator()(Real value) const {
    return LargestMagnitude::of_value(value);
  }
};
template <class Real>
void reduce_with_cub(LargestMagnitude operation,
                     void* memory,
                     std::size_t& bytes,
                     const Real* values,
                     std::size_t count,
                     Real* result,
                     cudaStream_t stream) {
  check(cub::DeviceReduce::TransformReduce(memory,
                                           bytes,
                                           values,
                                           result,
                                           static_cast<std::int64_t>(count),
                                           operation,
                                           Magnitude{},
                                           Real(0),
                                           stream),
        "reducing with CUB");
}

/// The ladder for one operation.
template <class Real>
class Ladder {
 public:
  explicit Ladder(const Study& study)
      : count_(study.count()),
        sets_(sets_beyond_cache(
            count_ * sizeof(Real), queue_.cache_bytes(), Queue::free_bytes() / 2)),
        values_(queue_, count_, sets_),
        // The first pass leaves most: one value of 256. Each set has its own.
        partial_(queue_, partial_count(), sets_),
        other_(queue_, partial_count(), sets_) {
    std::vector<Real> host(count_);
#pragma omp parallel for schedule(static)
    for (std::size_t n = 0; n < count_; ++n) {
      host[n] = static_cast<Real>(reduction_value(n, count_));
    }
    values_.fill(host.data());
    sum_ = sum_expected(host.data(), count_);
    trial_.section = "reduce";
    trial_.device = Device::cuda;
    trial_.precision = precision_of_type<Real>;
    trial_.points = study.points;
    trial_.bytes = static_cast<double>(count_ * sizeof(Real));
    trial_.poison = [this] {
      partial_.poison(0);
      other_.poison(0);
    };
    trial_.seconds = [this](const Variant& variant) { return queue_.seconds(variant, sets_); };
  }

  std::vector<Measurement> climb() {
    // A tree of additions loses a few units in the last place.
    expect(sum_, 8 * static_cast<double>(std::numeric_limits<Real>::epsilon()));
    climb_with<Sum>("sum: ");
    expect(largest_magnitude_expected, 0);
    climb_with<LargestMagnitude>("max |x|: ");
    return std::move(results_);
  }

 private:
  [[nodiscard]] std::size_t partial_count() const {
    return blocks_for(count_, threads_per_block) + 1024;
  }

  void expect(double value, double tolerance) {
    trial_.tolerance = tolerance;
    trial_.error = [this, value] {
      Real found = 0;
      check(cudaMemcpyAsync(&found, result_, sizeof(Real), cudaMemcpyDeviceToHost, queue_.stream()),
            "copying a result");
      queue_.wait();
      return std::abs(static_cast<double>(found) - value) / std::abs(value);
    };
  }

  template <class Reduce>
  void add(const std::string& name, const Reduce& reduce) {
    results_.push_back(measure(trial_, {name, "", 0, [&](int set) {
                                          result_ = reduce(
                                              values_.set(set), partial_.set(set), other_.set(set));
                                        }}));
  }
  template <class Rung, class Operation>
  void add_rung(const std::string& name) {
    add(name, [this](const Real* values, Real* partial, Real* other) {
      return reduce_in_passes<Rung, Operation>(queue_, values, count_, partial, other);
    });
  }

  template <class Operation>
  void climb_with(const std::string& what) {
    add_rung<Interleaved, Operation>(what + "interleaved");
    add_rung<Strided, Operation>(what + "strided");
    add_rung<Sequential, Operation>(what + "sequential");
    add_rung<FirstAddDuringLoad, Operation>(what + "first add during load");
    add_rung<UnrolledWithShuffles, Operation>(what + "unrolled, shuffles");
    add(what + "grid stride, 16 bytes", [this](const Real* values, Real* partial, Real* other) {
      return reduce_striding<Operation>(queue_, values, count_, partial, other);
    });
    std::size_t bytes = 0;
    reduce_with_cub<Real>(Operation{}, nullptr, bytes, nullptr, count_, nullptr, queue_.stream());
    const DeviceArray<std::byte> memory(std::max<std::size_t>(bytes, 1));
    add(what + "CUB", [&](const Real* values, Real* partial, Real*) {
      std::size_t available = bytes;
      reduce_with_cub<Real>(
          Operation{}, memory.data(), available, values, count_, partial, queue_.stream());
      return partial;
    });
    queue_.wait();
  }

  Queue queue_;
  std::size_t count_;
  int sets_;
  DeviceBuffers<Real> values_, partial_, other_;
  double sum_ = 0;
  Real* result_ = nullptr;  // where the last work will leave its value
  Trial trial_;
  std::vector<Measurement> results_;
};

template <class Real>
std::vector<Measurement> reductions(const Study& study) {
  const std::size_t bytes = study.count() * sizeof(Real);
  require_memory(bytes, study.memory, "a field");
  require_memory(bytes + bytes / 64, Queue::free_bytes(), "a reduction on the GPU");
  return Ladder<Real>(study).climb();
}

}  // namespace

std::vector<Measurement> reduce_on_cuda(Precision precision, const Study& study) {
  return precision == Precision::single_precision ? reductions<float>(study)
                                                  : reductions<double>(study);
}

}  // namespace dns::bench
