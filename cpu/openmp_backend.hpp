/// The backend that runs on the cores of a CPU.
#pragma once

#include <omp.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "cpu/fftw_transforms.hpp"
#include "cpu/for_each.hpp"
#include "cpu/host_array.hpp"
#include "cpu/march_planes.hpp"
#include "cpu/piece_relations.hpp"
#include "cpu/reduce.hpp"
#include "cpu/sort_by_key.hpp"
#include "cpu/sweep.hpp"
#include "cpu/sweeps_by_planes.hpp"
#include "solver/core/backend.hpp"
#include "solver/core/communicator.hpp"
#include "solver/core/error.hpp"
#include "solver/core/host_cache.hpp"
#include "solver/core/index.hpp"
#include "solver/core/seconds.hpp"
#include "solver/core/team.hpp"

namespace dns {

/// Whether ranks on CPUs compute in the order in which GPUs do, which work while messages pass, and
/// how often they have: for tests.
inline bool hides_messages_on_cpu = false;
inline std::atomic<int> messages_hidden_on_cpu = 0;

template <class RealType>
class OpenMpBackend {
 public:
  using Real = RealType;
  static constexpr bool only_counts = false;
  static constexpr std::size_t merges_passes_below = 0;
  static constexpr int interleave_width = 1;
  /// Nothing is kept.
  struct WorkSpace {
    static constexpr std::size_t at_start = 0, of_products = 0, of_several_boxes = 0;
    template <class System>
    static constexpr std::size_t of_sweeps(const auto&...) {
      return 0;
    }
    static constexpr std::size_t of_profiles(std::size_t /*points*/, int /*sums*/) { return 0; }
    static constexpr std::size_t of_copies(Extents /*points*/) { return 0; }
    static constexpr std::size_t of_particles(std::size_t count) { return 2 * sizeof(int) * count; }
    static constexpr std::size_t of_planes(const auto&...) { return 0; }
    static constexpr std::size_t of_lines(const auto&...) { return 0; }
  };

  /// Requires threads >= 1.
  explicit OpenMpBackend(int threads) : threads_(threads), scratch_(threads) {}

  template <class T>
  HostArray<T> allocate(std::size_t count);
  template <class T>
  void enlarge(HostArray<T>& array, std::size_t count) {
    if (count <= array.count()) return;
    allocated_bytes_ -= array.count() * sizeof(T);
    array = {};
    array = allocate<T>(count);
  }

  template <class System>
  static void reserve_sweeps(Axis /*axis*/, const Box& /*box*/, bool /*is_cyclic*/) {}
  static void reserve_profiles(std::size_t /*points*/, int /*sums*/) {}
  static void reserve_copies(Extents /*points*/) {}
  static void reserve_products() {}
  static void reserve_several_boxes() {}
  void reserve_particles(std::size_t count) { enlarge(sorted_, 2 * count); }

  template <class Kernel>
  void for_each(Box box, const Kernel& kernel) {
    dns::for_each<Real>(box, kernel, threads_);
  }
  template <class Kernel>
  void for_each(const std::vector<WorkInBox<Kernel>>& works) {
    for (const auto& [box, kernel] : works) for_each(box, kernel);
  }

  template <class Kernel>
  void for_each_on_boundary(Box box, const BoundaryPlanes& planes, const Kernel& kernel) {
    dns::for_each_on_boundary<Real>(box, planes, kernel, threads_);
  }

  template <class Kernel>
  static void by_team(const Kernel& kernel) {
    kernel(OneThread{});
  }

  template <class Scheme>
  void march_planes(Extents points, const Scheme& scheme) {
    dns::march_planes(points, scheme, scratch_);
  }

  template <Axis axis, class Rows, class Sink>
  void sweep(Box box, const Rows& rows, const Sink& sink) {
    if constexpr (axis != Axis::z) {
      if (recorded_ != nullptr) return recorded_->template add<axis>(phase_, box, rows, sink);
    }
    dns::sweep<axis, Real>(box, rows, sink, scratch_);
  }
  template <Axis axis, class Rows, class Sink, class BoundaryToFill>
  BoundaryPlanes sweep(Box box,
                       const Rows& rows,
                       const Sink& sink,
                       const BoundaryToFill& boundary) {
    sweep<axis>(box, rows, sink);
    return boundary.planes;
  }

  template <Axis axis, class Rows, class Sink, class Line>
  void sweep_all_but_first_line(Box box, const Rows& rows, const Sink& sink, const Line& line) {
    by_team(line);
    sweep<axis>(box, rows, sink);
  }

  template <Axis, class Enqueue>
  static void side_by_side(int count, const Enqueue& enqueue) {
    for (int n = 0; n < count; ++n) enqueue(n);
  }
  template <class Enqueue>
  static void concurrently(int count, Extents /*points*/, const Enqueue& enqueue) {
    for (int n = 0; n < count; ++n) enqueue(n);
  }

  template <class Enqueue>
  void plane_by_plane(const Enqueue& enqueue);

  /// Relations of the ends of lines along z that are pieces of longer lines: see
  /// DistributedBackend.
  template <class Rows, class Values>
  void find_relations(Box box,
                      const Rows& rows,
                      const std::array<bool, 2>& is_seam,
                      const Values& values) {
    dns::find_relations<Real>(box, rows, is_seam, values, threads_);
  }
  /// With 1/8 of the last-level cache a step was 2 % slower, with 1/2 as fast (two ranks, 128^3).
  [[nodiscard]] static std::size_t bytes_of_two_passes() { return last_level_cache() / 4; }
  [[nodiscard]] static bool hides_messages(Extents /*points*/) { return hides_messages_on_cpu; }
  template <class Messages, class Rest>
  static void beside_messages(const Messages& messages, const Rest& rest) {
    ++messages_hidden_on_cpu;
    messages();
    rest();
  }
  static void connect(Communicator& /*communicator*/) {}
  [[nodiscard]] static std::string transport() { return {}; }
  static void transfer(Communicator& communicator,
                       std::span<const SentMessage> sent,
                       std::span<const ReceivedMessage> received) {
    communicator.transfer(sent, received);
  }

  template <int sums, int maxima, class Kernel>
  Reduction<double, sums, maxima> reduce(Box box, const Kernel& kernel) {
    return dns::reduce<sums, maxima>(box, kernel, threads_);
  }

  /// Calls return when their work is done, so wait_for() has nothing to wait for.
  struct Mark {};
  static void set(Mark& /*mark*/) {}
  static void wait_for(const Mark& /*mark*/) {}
  [[nodiscard]] static std::shared_ptr<std::byte[]> allocate_results(std::size_t bytes) {
    return allocate_host(bytes);
  }
  template <int sums, int maxima, class Kernel>
  void reduce_later(Box box, const Kernel& kernel, double* numbers) {
    const auto reduction = reduce<sums, maxima>(box, kernel);
    std::memcpy(numbers, &reduction, sizeof reduction);
    if constexpr (requires { kernel.conclude(); }) kernel.conclude();
  }
  template <int sums, int maxima, class Kernel>
  void reduce_later(const std::vector<ReductionOfBox<Kernel>>& reductions) {
    for (const auto& [box, kernel, numbers] : reductions)
      reduce_later<sums, maxima>(box, kernel, numbers);
  }

  template <int sums, class Kernel>
  std::vector<Reduction<double, sums, 0>> reduce_profiles(Box box,
                                                          const PerAxis<bool>& summed,
                                                          const Kernel& kernel) {
    return dns::reduce_profiles<sums>(box, summed, kernel, threads_);
  }
  template <class Kernel>
  void add_profile(Box box, const PerAxis<bool>& summed, const Kernel& kernel, double* numbers) {
    for (const auto& point : reduce_profiles<1>(box, summed, kernel)) *numbers++ += point.sum[0];
  }

  using PlaneTransforms = FftwPlanes<Real>;
  using LineTransforms = FftwLines<Real>;
  [[nodiscard]] PlaneTransforms plan_planes(const PlaneTransform& transform,
                                            Strides field,
                                            Strides modes) {
    return {threads_, transform, field, modes};
  }
  [[nodiscard]] LineTransforms plan_lines(const LineTransform& transform,
                                          Strides from,
                                          Strides to) {
    return {threads_, transform, from, to};
  }
  void multiply(Axis axis,
                Extents points,
                const Real* matrix,
                FieldView<const Real> from,
                FieldView<Real> to) {
    multiply_lines(threads_, axis, points, matrix, from, to);
  }

  void sort_by_key(unsigned* keys, int* order, int count) {
    reserve_particles(count);
    dns::sort_by_key(keys, order, count, sorted_.data(), threads_);
  }
  static int select(const unsigned* flags, int* chosen, int count) {
    int found = 0;
    for (int n = 0; n < count; ++n) {
      if (flags[n] != 0) chosen[found++] = n;
    }
    return found;
  }

  void copy(const Real* from, Real* to, std::size_t count);
  // `from` may be null where count is 0, which memcpy does not allow.
  template <class T>
  void upload_values(const T* from, T* to, std::size_t count) {
    std::copy_n(from, count, to);
  }
  template <class T>
  void download_values(const T* from, T* to, std::size_t count) {
    std::copy_n(from, count, to);
  }
  /// Requires stride_x = 1: fields by themselves.
  void upload(const Real* from, StridedField<Real> to, Extents extents);
  void download(StridedField<const Real> from, Extents extents, Real* to) const;

  /// Host memory for one field's copy.
  [[nodiscard]] static std::shared_ptr<std::byte[]> allocate_host(std::size_t bytes) {
    return std::make_shared_for_overwrite<std::byte[]>(bytes);
  }

  void synchronize() {}
  void wait_for_device() {}
  [[nodiscard]] static int device_number() { return -1; }
  void begin_step(Extents /*points*/) {}
  void end_step() {}
  void enter(Phase phase);
  [[nodiscard]] std::vector<double> phase_seconds() const { return phase_seconds_; }

  [[nodiscard]] std::string device_name() const {
    return "CPU, " + std::to_string(threads_) + (threads_ == 1 ? " thread" : " threads");
  }
  [[nodiscard]] std::size_t allocated_bytes() const { return allocated_bytes_; }
  [[nodiscard]] static std::size_t last_level_cache() { return host_cache_bytes(); }

 private:
  using Clock = std::chrono::steady_clock;

  int threads_;
  ThreadScratches scratch_;
  std::size_t allocated_bytes_ = 0;
  HostArray<unsigned> sorted_;                // room of sort_by_key
  SweepsByPlanes<Real>* recorded_ = nullptr;  // while plane_by_plane enqueues
  Phase phase_;
  Clock::time_point phase_start_ = Clock::now();
  std::vector<double> phase_seconds_ = std::vector<double>(Phase::most);
};

template <class Real>
template <class T>
HostArray<T> OpenMpBackend<Real>::allocate(std::size_t count) {
  try {
    HostArray<T> array(count);
    T* const values = array.data();
    // First touch: each thread gets near memory for about its static share of later loops.
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (std::size_t n = 0; n < count; ++n) values[n] = T{};
    allocated_bytes_ += count * sizeof(T);
    return array;
  } catch (const std::bad_alloc&) {
    throw DeviceError("out of memory: cannot allocate " + std::to_string(count * sizeof(T) >> 20) +
                      " MiB on top of " + std::to_string(allocated_bytes_ >> 20) +
                      " MiB; use fewer grid points or precision: float");
  }
}

template <class Real>
void OpenMpBackend<Real>::copy(const Real* from, Real* to, std::size_t count) {
#pragma omp parallel num_threads(threads_)
  {
    const std::size_t threads = omp_get_num_threads();
    const std::size_t thread = omp_get_thread_num();
    const std::size_t begin = count * thread / threads;
    const std::size_t end = count * (thread + 1) / threads;
    std::memcpy(to + begin, from + begin, (end - begin) * sizeof(Real));
  }
}

template <class Real>
void OpenMpBackend<Real>::upload(const Real* from, StridedField<Real> to, Extents extents) {
#pragma omp parallel for collapse(2) num_threads(threads_) schedule(static)
  for (int k = 0; k < extents.nz; ++k) {
    for (int j = 0; j < extents.ny; ++j) {
      std::copy_n(from + extents.place({0, j, k}), extents.nx, to.address({0, j, k}));
    }
  }
}

template <class Real>
void OpenMpBackend<Real>::download(StridedField<const Real> from, Extents extents, Real* to) const {
#pragma omp parallel for collapse(2) num_threads(threads_) schedule(static)
  for (int k = 0; k < extents.nz; ++k) {
    for (int j = 0; j < extents.ny; ++j) {
      std::copy_n(from.address({0, j, k}), extents.nx, to + extents.place({0, j, k}));
    }
  }
}

template <class Real>
template <class Enqueue>
void OpenMpBackend<Real>::plane_by_plane(const Enqueue& enqueue) {
  SweepsByPlanes<Real> sweeps;
  recorded_ = &sweeps;
  enqueue();
  recorded_ = nullptr;
  enter(phase_);
  sweeps.run(scratch_,
             [&](Phase phase, double seconds) { phase_seconds_[phase.number] += seconds; });
  phase_start_ = Clock::now();
}

template <class Real>
void OpenMpBackend<Real>::enter(Phase phase) {
  const auto now = Clock::now();
  phase_seconds_[phase_.number] += seconds_between(phase_start_, now);
  phase_ = phase;
  phase_start_ = now;
}

}  // namespace dns
