/// The backend that runs on the cores of a CPU.
#pragma once

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "cpu/openmp_loops.hpp"
#include "solver/core/backend.hpp"
#include "solver/core/error.hpp"

namespace dns {

/// Memory on the CPU, aligned for vectors and cache lines.
template <class T>
class HostArray {
 public:
  HostArray() = default;
  explicit HostArray(std::size_t count)
      : values_(static_cast<T*>(::operator new(count * sizeof(T), alignment))) {}

  [[nodiscard]] T* data() const { return values_.get(); }

 private:
  static constexpr std::align_val_t alignment{64};
  struct Free {
    void operator()(T* values) const { ::operator delete(values, alignment); }
  };
  std::unique_ptr<T, Free> values_;
};

template <class RealType>
class OpenMpBackend {
 public:
  using Real = RealType;

  /// threads >= 1.
  explicit OpenMpBackend(int threads)
      : threads_(threads), scratch_(static_cast<std::size_t>(threads)) {}

  template <class T>
  HostArray<T> allocate(std::size_t count);

  template <class Kernel>
  void for_each(Box box, const Kernel& kernel);

  template <Axis axis, class Rows, class Sink>
  void sweep(Box box, const Rows& rows, const Sink& sink);

  template <int sums, int maxima, class Kernel>
  Tally<double, sums, maxima> tally(Box box, const Kernel& kernel);

  void copy(const Real* from, Real* to, std::size_t count);
  void upload_values(const Real* from, Real* to, std::size_t count) { copy(from, to, count); }
  void upload(const Real* from, LayerView<Real> to, int variable, Extents extents);
  void download(LayerView<const Real> from, int variable, Extents extents, Real* to) const;

  /// Host memory for one field's copy.
  [[nodiscard]] static std::shared_ptr<std::byte[]> allocate_host(std::size_t bytes) {
    return std::make_shared_for_overwrite<std::byte[]>(bytes);
  }

  void synchronize() {}
  void enter(Phase phase);
  [[nodiscard]] std::vector<double> phase_seconds() const { return phase_seconds_; }

  [[nodiscard]] std::string device_name() const {
    return "CPU, " + std::to_string(threads_) + (threads_ == 1 ? " thread" : " threads");
  }
  [[nodiscard]] std::size_t allocated_bytes() const { return allocated_bytes_; }

 private:
  using Clock = std::chrono::steady_clock;

  int threads_;
  std::vector<ThreadScratch> scratch_;
  std::size_t allocated_bytes_ = 0;
  Phase phase_ = Phase::other;
  Clock::time_point phase_start_ = Clock::now();
  std::vector<double> phase_seconds_ = std::vector<double>(phase_count);
};

template <class Real>
template <class T>
HostArray<T> OpenMpBackend<Real>::allocate(std::size_t count) {
  try {
    HostArray<T> array(count);
    T* const values = array.data();
    // Each thread touches first what its static share of later loops will be near to.
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
template <class Kernel>
void OpenMpBackend<Real>::for_each(Box box, const Kernel& kernel) {
#pragma omp parallel for collapse(2) num_threads(threads_) schedule(static)
  for (int k = box.begin.k; k < box.end.k; ++k) {
    for (int j = box.begin.j; j < box.end.j; ++j) {
#pragma omp simd
      for (int i = box.begin.i; i < box.end.i; ++i) kernel(Index3{i, j, k});
    }
  }
}

template <class Real>
template <Axis axis, class Rows, class Sink>
void OpenMpBackend<Real>::sweep(Box box, const Rows& rows, const Sink& sink) {
  constexpr int width = pack_width<Real>;
  constexpr Axis outer = axis == Axis::z ? Axis::y : Axis::z;  // shared out among the threads
  constexpr Axis side = axis == Axis::x ? Axis::y : Axis::x;   // along it lines lie side by side
  const int begin = along<axis>(box.begin);
  const int end = along<axis>(box.end);
  const int side_begin = along<side>(box.begin);
  const int side_end = along<side>(box.end);
  const bool has_packs =
      side_end - side_begin >= width && (axis != Axis::x || end - begin >= width);

#pragma omp parallel num_threads(threads_)
  {
    ThreadScratch& scratch = scratch_[static_cast<std::size_t>(omp_get_thread_num())];
#pragma omp for schedule(static)
    for (int plane = along<outer>(box.begin); plane < along<outer>(box.end); ++plane) {
      const Index3 corner = placed<outer>(box.begin, plane);
      if (!has_packs) {
        for (int line = side_begin; line < side_end; ++line) {
          const Index3 first = placed<side>(corner, line);
          solve_lines<axis, Real>(&first, 1, begin, end, rows, sink, scratch);
        }
      } else if constexpr (axis == Axis::x) {
        for_each_pack<width>(side_begin, side_end, [&](int line) {
          solve_lines_along_x<Real, width>(
              placed<side>(corner, line), end - begin, rows, sink, scratch);
        });
      } else {
        PackPoint<width> block[packs_per_block + 1];
        int packs = 0;
        const auto solve_block = [&] {
          solve_lines<axis, Real>(block, packs, begin, end, rows, sink, scratch);
          packs = 0;
        };
        for_each_pack<width>(side_begin, side_end, [&](int line) {
          // A pack moved back at the end belongs to the block it overlaps.
          if (packs >= packs_per_block && line + width < side_end) solve_block();
          block[packs++] = PackPoint<width>{placed<side>(corner, line)};
        });
        solve_block();
      }
    }
  }
}

template <class Real>
template <int sums, int maxima, class Kernel>
Tally<double, sums, maxima> OpenMpBackend<Real>::tally(Box box, const Kernel& kernel) {
  constexpr int width = pack_width<Real>;
  const Extents extents = box.extents();
  std::vector<Tally<double, sums, maxima>> lines(static_cast<std::size_t>(extents.ny) *
                                                 static_cast<std::size_t>(extents.nz));
#pragma omp parallel for collapse(2) num_threads(threads_) schedule(static)
  for (int k = 0; k < extents.nz; ++k) {
    for (int j = 0; j < extents.ny; ++j) {
      Tally<Pack<double, width>, sums, maxima> packs;
      Tally<double, sums, maxima> line;
      Index3 c{box.begin.i, box.begin.j + j, box.begin.k + k};
      for (; c.i + width <= box.end.i; c.i += width) kernel(PackPoint<width>{c}, packs);
      for (; c.i < box.end.i; ++c.i) kernel(c, line);
      for (int lane = 0; lane < width; ++lane) {
        Tally<double, sums, maxima> one;
        for (int which = 0; which < sums; ++which) one.sum[which] = packs.sum[which].lanes[lane];
        for (int which = 0; which < maxima; ++which) {
          one.maximum[which] = packs.maximum[which].lanes[lane];
        }
        line.merge(one);
      }
      lines[static_cast<std::size_t>(k) * static_cast<std::size_t>(extents.ny) +
            static_cast<std::size_t>(j)] = line;
    }
  }
  Tally<double, sums, maxima> total;
  for (const auto& line : lines) total.merge(line);
  return total;
}

template <class Real>
void OpenMpBackend<Real>::copy(const Real* from, Real* to, std::size_t count) {
#pragma omp parallel num_threads(threads_)
  {
    const auto threads = static_cast<std::size_t>(omp_get_num_threads());
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    const std::size_t begin = count * thread / threads;
    const std::size_t end = count * (thread + 1) / threads;
    std::memcpy(to + begin, from + begin, (end - begin) * sizeof(Real));
  }
}

template <class Real>
void OpenMpBackend<Real>::upload(const Real* from,
                                 LayerView<Real> to,
                                 int variable,
                                 Extents extents) {
#pragma omp parallel for collapse(2) num_threads(threads_) schedule(static)
  for (int k = 0; k < extents.nz; ++k) {
    for (int j = 0; j < extents.ny; ++j) {
      const std::size_t line = static_cast<std::size_t>(k) * static_cast<std::size_t>(extents.ny) +
                               static_cast<std::size_t>(j);
      std::copy_n(from + line * static_cast<std::size_t>(extents.nx),
                  extents.nx,
                  to.address(variable, {0, j, k}));
    }
  }
}

template <class Real>
void OpenMpBackend<Real>::download(LayerView<const Real> from,
                                   int variable,
                                   Extents extents,
                                   Real* to) const {
#pragma omp parallel for collapse(2) num_threads(threads_) schedule(static)
  for (int k = 0; k < extents.nz; ++k) {
    for (int j = 0; j < extents.ny; ++j) {
      const std::size_t line = static_cast<std::size_t>(k) * static_cast<std::size_t>(extents.ny) +
                               static_cast<std::size_t>(j);
      std::copy_n(from.address(variable, {0, j, k}),
                  extents.nx,
                  to + line * static_cast<std::size_t>(extents.nx));
    }
  }
}

template <class Real>
void OpenMpBackend<Real>::enter(Phase phase) {
  const auto now = Clock::now();
  phase_seconds_[static_cast<std::size_t>(phase_)] +=
      std::chrono::duration<double>(now - phase_start_).count();
  phase_ = phase;
  phase_start_ = now;
}

}  // namespace dns
