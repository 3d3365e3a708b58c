#include <algorithm>
#include <optional>
#include <utility>

#include "bench/studies/cuda_engine_sweep.hpp"
#include "bench/studies/cuda_studies.hpp"
#include "bench/studies/cuda_transpose.cuh"
#include "bench/studies/cusparse.hpp"
#include "bench/studies/tridiagonal_input.hpp"

namespace dns::bench {
namespace {

/// One thread per line; `upper`, of the size of a field, and the solution hold the eliminated rows
/// for back substitution.
template <class Real>
__global__ void __launch_bounds__(128)
    thread_per_line_kernel(TridiagonalArrays<Real> arrays, LineSet lines, Real* eliminated_upper) {
  const int line = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (line >= lines.count()) return;
  std::ptrdiff_t c = lines.first(line);
  Real upper = 0;
  Real rhs = 0;
  for (int m = 0; m < lines.points; ++m, c += lines.row_stride) {
    const Real lower = arrays.lower[c];
    const Real inverse_pivot = reciprocal(arrays.diagonal[c] - lower * upper);
    rhs = (arrays.rhs[c] - lower * rhs) * inverse_pivot;
    upper = arrays.upper[c] * inverse_pivot;
    eliminated_upper[c] = upper;
    arrays.solution[c] = rhs;
  }
  Real x = 0;
  for (int m = lines.points - 1; m >= 0; --m) {
    c -= lines.row_stride;
    x = arrays.solution[c] - eliminated_upper[c] * x;
    arrays.solution[c] = x;
  }
}

/// One thread per line; the eliminated rows wait in shared memory. Rows are read a batch ahead.
template <class Real>
__global__ void thread_per_line_shared_kernel(TridiagonalArrays<Real> arrays, LineSet lines) {
  constexpr int batch = 4;
  struct Row {
    Real lower, diagonal, upper, rhs;
  };
  extern __shared__ __align__(16) unsigned char memory[];
  const int lines_here = static_cast<int>(blockDim.x);
  Real* const uppers = reinterpret_cast<Real*>(memory) + threadIdx.x;
  Real* const solutions = uppers + lines.points * lines_here;
  const int line = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (line >= lines.count()) return;
  const std::ptrdiff_t first = lines.first(line);
  const auto read = [&](int m_begin, Row(&rows)[batch]) {
#pragma unroll
    for (int n = 0; n < batch; ++n) {
      const std::ptrdiff_t c = first + min(m_begin + n, lines.points - 1) * lines.row_stride;
      rows[n] = {arrays.lower[c], arrays.diagonal[c], arrays.upper[c], arrays.rhs[c]};
    }
  };
  Row ahead[batch];
  read(0, ahead);
  Real upper = 0;
  Real rhs = 0;
  for (int m_begin = 0; m_begin < lines.points; m_begin += batch) {
    Row rows[batch];
#pragma unroll
    for (int n = 0; n < batch; ++n) rows[n] = ahead[n];
    read(m_begin + batch, ahead);
#pragma unroll
    for (int n = 0; n < batch; ++n) {
      if (m_begin + n >= lines.points) break;
      const Real inverse_pivot = reciprocal(rows[n].diagonal - rows[n].lower * upper);
      rhs = (rows[n].rhs - rows[n].lower * rhs) * inverse_pivot;
      upper = rows[n].upper * inverse_pivot;
      uppers[(m_begin + n) * lines_here] = upper;
      solutions[(m_begin + n) * lines_here] = rhs;
    }
  }
  Real x = 0;
#pragma unroll 4
  for (int m = lines.points - 1; m >= 0; --m) {
    x = solutions[m * lines_here] - uppers[m * lines_here] * x;
    arrays.solution[first + m * lines.row_stride] = x;
  }
}

/// The systems along one axis on the GPU, and everything that solves them.
template <class Real>
class SweepStudy {
 public:
  SweepStudy(const Queue& queue, const Study& study, Axis axis)
      : queue_(queue),
        points_(study.points),
        count_(study.count()),
        axis_(axis),
        sets_(sets_beyond_cache(
            fields * count_ * sizeof(Real), queue.cache_bytes(), Queue::free_bytes() / 4)),
        host_(count_, fields),
        device_(queue, fields * count_, sets_),
        scratch_(queue, scratch_fields * count_, 1) {
    const TridiagonalInput input{axis, points_};
    fill_systems(host_, input);
    for (int set = 0; set < sets_; ++set) {
      for (std::size_t which = 0; which < inputs; ++which) {
        check(cudaMemcpyAsync(field(set, which),
                              host_.set(static_cast<int>(which)),
                              bytes(),
                              cudaMemcpyHostToDevice,
                              queue.stream()),
              "copying systems to it");
      }
    }
    queue.wait();
    trial_.section = "sweep";
    trial_.device = Device::cuda;
    trial_.precision = precision_of_type<Real>;
    trial_.points = points_;
    trial_.bytes = words_of_array_sweep * static_cast<double>(bytes());
    trial_.tolerance = tridiagonal_tolerance<Real>;
    trial_.poison = [this] {
      check(cudaMemsetAsync(field(0, inputs), 0xFF, bytes(), queue_.stream()), "poisoning");
    };
    trial_.error = [this, input] {
      check(cudaMemcpyAsync(host_.set(inputs),
                            field(0, inputs),
                            bytes(),
                            cudaMemcpyDeviceToHost,
                            queue_.stream()),
            "copying a solution from it");
      queue_.wait();
      return tridiagonal_error(arrays_of(host_), input);
    };
    trial_.seconds = [this](const Variant& variant) { return queue_.seconds(variant, sets_); };
  }

  std::vector<Measurement> measure_all() {
    in_global_memory();
    if (axis_ == Axis::x) {
      if (fits_tuned_transpose(points_, sizeof(Real))) through_transposes();
    } else {
      in_shared_memory();
    }
    if (cusparse_obstacle().empty() && axis_ != Axis::y) by_cusparse();
    return std::move(results_);
  }

  /// Memory of the GPU that one axis takes at least.
  static std::size_t bytes_needed(std::size_t count) {
    return (fields + scratch_fields) * count * sizeof(Real);
  }

 private:
  static constexpr std::size_t inputs = solution_buffer;
  static constexpr std::size_t fields = buffers_of_systems;
  static constexpr std::size_t scratch_fields = fields + 1;

  [[nodiscard]] std::size_t bytes() const { return count_ * sizeof(Real); }
  [[nodiscard]] Real* field(int set, std::size_t which) const {
    return device_.set(set) + which * count_;
  }
  [[nodiscard]] Real* scratch(std::size_t which) const { return scratch_.set(0) + which * count_; }
  [[nodiscard]] TridiagonalArrays<Real> arrays(int set) const {
    return {field(set, 0), field(set, 1), field(set, 2), field(set, 3), field(set, inputs)};
  }
  void add(const std::string& name, Work work, Work restore = {}) {
    const char* const direction = axis_ == Axis::x ? "x" : axis_ == Axis::y ? "y" : "z";
    results_.push_back(measure(trial_, {name, direction, 0, std::move(work), std::move(restore)}));
  }

  void solve_thread_per_line(const TridiagonalArrays<Real>& systems, const LineSet& lines) const {
    constexpr unsigned threads = 64;
    const std::size_t count = lines.count();
    thread_per_line_kernel<<<blocks_for(count, threads), threads, 0, queue_.stream()>>>(
        systems, lines, scratch(fields));
    check(cudaGetLastError(), "launching a sweep");
  }

  void in_global_memory() {
    add("thread per line, global memory",
        [this](int set) { solve_thread_per_line(arrays(set), LineSet::along(axis_, points_)); });
  }

  void through_transposes() {
    add("the same through transposes", [this](int set) {
      for (std::size_t which = 0; which < inputs; ++which) {
        transpose_tuned(queue_, field(set, which), scratch(which), points_);
      }
      solve_thread_per_line({scratch(0), scratch(1), scratch(2), scratch(3), scratch(inputs)},
                            LineSet::along(Axis::y, points_));
      transpose_tuned(queue_, scratch(inputs), field(set, inputs), points_);
    });
  }

  void in_shared_memory() {
    const auto lines = LineSet::along(axis_, points_);
    const auto shared_of = [&](unsigned threads) {
      return 2 * sizeof(Real) * static_cast<std::size_t>(points_) * threads;
    };
    unsigned threads = 32;
    while (threads > 4 && shared_of(threads) > queue_.shared_bytes()) threads /= 2;
    const std::size_t shared = shared_of(threads);
    if (shared > queue_.shared_bytes()) return;
    check(cudaFuncSetAttribute(thread_per_line_shared_kernel<Real>,
                               cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(shared)),
          "asking for shared memory");
    add("thread per line, shared memory", [=, this](int set) {
      const std::size_t count = lines.count();
      thread_per_line_shared_kernel<<<blocks_for(count, threads),
                                      threads,
                                      shared,
                                      queue_.stream()>>>(arrays(set), lines);
      check(cudaGetLastError(), "launching a sweep");
    });
  }

  /// cuSPARSE overwrites its input, so a copy is solved in the place of the solution.
  void by_cusparse() {
    const Cusparse<Real> solver(queue_.stream());
    const auto batch = [this](int set) {
      return CusparseBatch<Real>{.lower = scratch(0),
                                 .diagonal = scratch(1),
                                 .upper = scratch(2),
                                 .rhs = field(set, inputs),
                                 .rows = points_,
                                 .systems = points_ * points_};
    };
    const auto copy = [this](const Real* from, Real* to) {
      check(cudaMemcpyAsync(to, from, bytes(), cudaMemcpyDeviceToDevice, queue_.stream()),
            "copying systems");
    };
    const auto restore = [&](int set) {
      for (std::size_t which = 0; which < inputs - 1; ++which) {
        copy(field(set, which), scratch(which));
      }
      copy(field(set, inputs - 1), field(set, inputs));
    };
    trial_.poison = [] {};  // right-hand sides are where the solution will be
    const auto solve_on_copy = [&](const char* name, std::size_t needed, const auto& solve) {
      const DeviceArray<std::byte> memory(std::max<std::size_t>(needed, 1));
      add(
          name, [&](int set) { solve(batch(set), memory.data()); }, restore);
      queue_.wait();
    };
    if (axis_ == Axis::x) {
      solve_on_copy("cuSPARSE gtsv2 strided",
                    solver.strided_bytes(batch(0)),
                    [&](const CusparseBatch<Real>& systems, void* memory) {
                      solver.solve_strided(systems, memory);
                    });
      return;
    }
    const std::pair<int, const char*> algorithms[] = {{0, "cuSPARSE interleaved, Thomas"},
                                                      {1, "cuSPARSE interleaved, LU"}};
    for (const auto& [algorithm, name] : algorithms) {
      solve_on_copy(name,
                    solver.interleaved_bytes(algorithm, batch(0)),
                    [&, which = algorithm](const CusparseBatch<Real>& systems, void* memory) {
                      solver.solve_interleaved(which, systems, memory);
                    });
    }
  }

  const Queue& queue_;
  int points_;
  std::size_t count_;
  Axis axis_;
  int sets_;
  HostBuffers<Real> host_;       // the systems, then the solution
  DeviceBuffers<Real> device_;   // of each set: the systems, then the solution
  DeviceBuffers<Real> scratch_;  // transposed or copied systems; last, eliminated rows
  Trial trial_;
  std::vector<Measurement> results_;
};

template <class Real>
std::vector<Measurement> sweeps(const Study& study) {
  require_memory(10 * study.count() * sizeof(Real), study.memory, "sweeps on the host");
  require_memory(
      SweepStudy<Real>::bytes_needed(study.count()), Queue::free_bytes(), "sweeps on the GPU");
  std::vector<Measurement> results;
  const auto add = [&](const std::vector<Measurement>& more) {
    results.insert(results.end(), more.begin(), more.end());
  };
  const Queue queue;
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    add(SweepStudy<Real>(queue, study, axis).measure_all());
  }
  add(engine_sweeps_on_cuda<Real>(study));
  return results;
}

}  // namespace

std::vector<Measurement> sweep_on_cuda(Precision precision, const Study& study) {
  return precision == Precision::single_precision ? sweeps<float>(study) : sweeps<double>(study);
}

}  // namespace dns::bench
