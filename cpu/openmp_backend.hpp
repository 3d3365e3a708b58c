/// The backend that runs on the cores of a CPU.
#pragma once

#include <omp.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "cpu/denormals.hpp"
#include "cpu/lines_along_x.hpp"
#include "cpu/openmp_loops.hpp"
#include "cpu/transforms.hpp"
#include "solver/core/backend.hpp"
#include "solver/core/error.hpp"

namespace dns {

/// Memory on the CPU, aligned for vectors and cache lines; large arrays lie on large pages where
/// the system has them, because sweeps along z touch another page with every row of every field.
template <class T>
class HostArray {
 public:
  HostArray() = default;
  explicit HostArray(std::size_t count) : values_(allocate(count * sizeof(T))) {}

  [[nodiscard]] T* data() const { return values_.get(); }

 private:
  static constexpr std::size_t cache_line = 64, large_page = std::size_t{1} << 21;
  struct Free {
    std::align_val_t alignment{cache_line};
    void operator()(T* values) const { ::operator delete(values, alignment); }
  };
  using Values = std::unique_ptr<T, Free>;

  static Values allocate(std::size_t bytes) {
    const std::align_val_t alignment{bytes >= large_page ? large_page : cache_line};
    Values values(static_cast<T*>(::operator new(bytes, alignment)), Free{alignment});
#ifdef MADV_HUGEPAGE
    // Advice only: without large pages all works the same.
    if (bytes >= large_page) madvise(values.get(), bytes, MADV_HUGEPAGE);
#endif
    return values;
  }

  Values values_;
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

  template <class Kernel>
  void for_each_on_shell(Box box, const ShellPlanes& planes, const Kernel& kernel);

  template <Axis axis, class Rows, class Sink>
  void sweep(Box box, const Rows& rows, const Sink& sink);

  template <int sums, int maxima, class Kernel>
  Tally<double, sums, maxima> tally(Box box, const Kernel& kernel);

  template <int sums, class Kernel>
  std::vector<Tally<double, sums, 0>> tally_profiles(Box box,
                                                     const std::array<bool, 3>& summed,
                                                     const Kernel& kernel);

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

  void copy(const Real* from, Real* to, std::size_t count);
  template <class T>
  void upload_values(const T* from, T* to, std::size_t count) {
    std::memcpy(to, from, count * sizeof(T));
  }
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

  /// Layers of at least this size are written past the caches. With a last-level cache of 36 MiB
  /// layers of 24 MiB lose by it, those of 31 MiB gain 10 %, of 61 MiB 20 %.
  static constexpr std::size_t streamed_bytes = std::size_t{28} << 20;

  /// kernel(c) between the ends of a line along x, in packs where they fit.
  template <class Kernel>
  static void for_each_between(Index3 first, int last_i, const Kernel& kernel) {
    constexpr int width = pack_width<Real>;
    int i = first.i + 1;
    for (; i + width <= last_i; i += width) kernel(PackPoint<width>{{i, first.j, first.k}});
    for (; i < last_i; ++i) kernel(Index3{i, first.j, first.k});
  }
  template <class Rows, class Sink>
  void sweep_rows(Box box, const Rows& rows, const Sink& sink);
  template <Axis axis, class SinkPoint, class Rows, class Sink>
  void sweep_blocks(Box box, const Rows& rows, const Sink& sink);
  template <Axis axis, class Rows, class Sink>
  void sweep_single_lines(Box box, const Rows& rows, const Sink& sink);

  /// Of the calling thread of a parallel region.
  [[nodiscard]] ThreadScratch& own_scratch() {
    return scratch_[static_cast<std::size_t>(omp_get_thread_num())];
  }

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

/// Kernels written for any type of point take packs between aligned points, the others Index3.
template <class Real>
template <class Kernel>
void OpenMpBackend<Real>::for_each(Box box, const Kernel& kernel) {
  constexpr int width = pack_width<Real>;
  constexpr bool takes_packs = requires(PackPoint<width> c) {
    kernel.template operator()<PackPoint<width>>(c);
  };
#pragma omp parallel num_threads(threads_)
  {
    const DenormalsAreZero in_this_thread;
#pragma omp for collapse(2) schedule(static)
    for (int k = box.begin.k; k < box.end.k; ++k) {
      for (int j = box.begin.j; j < box.end.j; ++j) {
        int i = box.begin.i;
        if constexpr (takes_packs) {
          for (; i < box.end.i && i % width != 0; ++i) kernel(Index3{i, j, k});
          for (; i + width <= box.end.i; i += width) kernel(PackPoint<width>{{i, j, k}});
        }
        for (; i < box.end.i; ++i) kernel(Index3{i, j, k});
      }
    }
  }
}

template <class Real>
template <class Kernel>
void OpenMpBackend<Real>::for_each_on_shell(Box box,
                                            const ShellPlanes& planes,
                                            const Kernel& kernel) {
  constexpr int lines_ahead = 16;  // every line of an x face lies in a page of memory of its own
  const Index3 first = box.begin;
  const Index3 last{box.end.i - 1, box.end.j - 1, box.end.k - 1};
  const auto is_on = [&](int axis, int index, int low, int high) {
    return (planes.is_meant[axis][0] && index == low) ||
           (planes.is_meant[axis][1] && index == high);
  };
#pragma omp parallel num_threads(threads_)
  {
    const DenormalsAreZero in_this_thread;
#pragma omp for collapse(2) schedule(static)
    for (int k = first.k; k <= last.k; ++k) {
      for (int j = first.j; j <= last.j; ++j) {
        const bool is_whole_line = is_on(2, k, first.k, last.k) || is_on(1, j, first.j, last.j);
        const auto end_of_line = [&](int i, bool is_meant) {
          if (!is_meant && !is_whole_line) return;
          kernel(PrefetchPoint{{i, std::min(j + lines_ahead, last.j - 1), k}});
          kernel(Index3{i, j, k});
        };
        end_of_line(first.i, planes.is_meant[0][0]);
        if (is_whole_line) for_each_between(Index3{first.i, j, k}, last.i, kernel);
        end_of_line(last.i, planes.is_meant[0][1]);
      }
    }
  }
}

template <class Real>
template <Axis axis, class Rows, class Sink>
void OpenMpBackend<Real>::sweep(Box box, const Rows& rows, const Sink& sink) {
  constexpr int width = pack_width<Real>;
  const Extents points = box.extents();
  // Sweeps along x write whole lines, which the hardware prefetches: streaming made them 15 %
  // slower. Layers that fit into the last-level cache lose by it too.
  const bool is_large = Rows::System::unknowns * points.count() * sizeof(Real) >= streamed_bytes;
  if constexpr (axis == Axis::x) {
    if (points.ny >= width && points.nx >= width) return sweep_rows(box, rows, sink);
  } else if (points.nx >= width) {
    if (packs_fill_cache_lines && is_large) {
      return sweep_blocks<axis, StreamedPackPoint<width>>(box, rows, sink);
    }
    return sweep_blocks<axis, PackPoint<width>>(box, rows, sink);
  }
  sweep_single_lines<axis>(box, rows, sink);
}

/// Lines along x, in packs of neighbours along y.
template <class Real>
template <class Rows, class Sink>
void OpenMpBackend<Real>::sweep_rows(Box box, const Rows& rows, const Sink& sink) {
  constexpr int width = pack_width<Real>;
  constexpr int most_lines = packs_along_x * width;
#pragma omp parallel num_threads(threads_)
  {
    const DenormalsAreZero in_this_thread;
#pragma omp for schedule(static)
    for (int k = box.begin.k; k < box.end.k; ++k) {
      for (int j = box.begin.j; j < box.end.j; j += most_lines) {
        LinesAlongX<Real, width, Rows, Sink>({box.begin.i, j, k},
                                             std::min(most_lines, box.end.j - j),
                                             box.extents().nx,
                                             rows,
                                             sink,
                                             own_scratch())
            .solve();
      }
    }
  }
}

/// Lines along y or z, in packs of neighbours along x. Blocks of packs are the outer loop: a
/// block finds in the cache what its neighbour on the plane before has read. Packs that overlap
/// belong to one block, because the sink may change what rows reads.
template <class Real>
template <Axis axis, class SinkPoint, class Rows, class Sink>
void OpenMpBackend<Real>::sweep_blocks(Box box, const Rows& rows, const Sink& sink) {
  constexpr int width = pack_width<Real>;
  constexpr Axis outer = axis == Axis::z ? Axis::y : Axis::z;
  const PacksOfRange<width> packs{box.begin.i, box.end.i};
  const int blocks = (packs.count() + packs_per_block - 1) / packs_per_block;
#pragma omp parallel num_threads(threads_)
  {
    const DenormalsAreZero in_this_thread;
    for (int block = 0; block < blocks; ++block) {
      const int first_pack = packs.count() * block / blocks;
      const int count = packs.count() * (block + 1) / blocks - first_pack;
#pragma omp for schedule(static) nowait
      for (int plane = along<outer>(box.begin); plane < along<outer>(box.end); ++plane) {
        const Index3 corner = placed<outer>(box.begin, plane);
        PackPoint<width> first[packs_per_block];
        for (int pack = 0; pack < count; ++pack) {
          first[pack] = {placed<Axis::x>(corner, packs.start(first_pack + pack))};
        }
        solve_lines<axis, Real, SinkPoint>(
            first, count, along<axis>(box.begin), along<axis>(box.end), rows, sink, own_scratch());
      }
    }
    finish_streaming();
  }
}

/// Lines one by one, of boxes too small for packs.
template <class Real>
template <Axis axis, class Rows, class Sink>
void OpenMpBackend<Real>::sweep_single_lines(Box box, const Rows& rows, const Sink& sink) {
  constexpr Axis outer = axis == Axis::z ? Axis::y : Axis::z;
  constexpr Axis side = axis == Axis::x ? Axis::y : Axis::x;
#pragma omp parallel num_threads(threads_)
  {
    const DenormalsAreZero in_this_thread;
#pragma omp for schedule(static)
    for (int plane = along<outer>(box.begin); plane < along<outer>(box.end); ++plane) {
      for (int line = along<side>(box.begin); line < along<side>(box.end); ++line) {
        const Index3 first = placed<side>(placed<outer>(box.begin, plane), line);
        solve_lines<axis, Real, Index3>(
            &first, 1, along<axis>(box.begin), along<axis>(box.end), rows, sink, own_scratch());
      }
    }
  }
}

template <class Real>
template <int sums, int maxima, class Kernel>
Tally<double, sums, maxima> OpenMpBackend<Real>::tally(Box box, const Kernel& kernel) {
  // Sums are doubles: of wider packs, which no register holds, compilers compare number by number
  // (figures of 64^3 cells, float: 12 times slower).
  constexpr int width = pack_width<double>;
  const Extents extents = box.extents();
  std::vector<Tally<double, sums, maxima>> lines(static_cast<std::size_t>(extents.ny) *
                                                 static_cast<std::size_t>(extents.nz));
#pragma omp parallel num_threads(threads_)
  {
    const DenormalsAreZero in_this_thread;
#pragma omp for collapse(2) schedule(static)
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
  }
  Tally<double, sums, maxima> total;
  for (const auto& line : lines) total.merge(line);
  return total;
}

/// The planes along z are divided into parts whose number depends on sizes alone; each part sums
/// for itself, where z is summed over, and the parts are merged in order.
template <class Real>
template <int sums, class Kernel>
std::vector<Tally<double, sums, 0>> OpenMpBackend<Real>::tally_profiles(
    Box box, const std::array<bool, 3>& summed, const Kernel& kernel) {
  using Result = Tally<double, sums, 0>;
  const Extents extents = box.extents();  // OpenMP regions know no structured bindings
  const int nx = extents.nx;
  const int ny = extents.ny;
  const int nz = extents.nz;
  const std::size_t kept_x = summed[0] ? 1 : static_cast<std::size_t>(nx);
  const std::size_t kept_y = summed[1] ? 1 : static_cast<std::size_t>(ny);
  const std::size_t kept_z = summed[2] ? 1 : static_cast<std::size_t>(nz);
  constexpr int most_parts = 16;
  constexpr std::size_t most_partial_points = std::size_t{1} << 20;
  const auto affordable = static_cast<int>(most_partial_points / (kept_x * kept_y));
  const int parts = std::min(nz, summed[2] ? std::clamp(affordable, 1, most_parts) : nz);
  const std::size_t points_of_part = kept_x * kept_y;
  std::vector<Result> partial(points_of_part * static_cast<std::size_t>(parts));
#pragma omp parallel num_threads(threads_)
  {
    const DenormalsAreZero in_this_thread;
#pragma omp for schedule(static)
    for (int part = 0; part < parts; ++part) {
      Result* const own = partial.data() + points_of_part * static_cast<std::size_t>(part);
      for (int k = nz * part / parts; k < nz * (part + 1) / parts; ++k) {
        for (int j = 0; j < ny; ++j) {
          Result* const line = own + (summed[1] ? 0 : kept_x * static_cast<std::size_t>(j));
          for (int i = 0; i < nx; ++i) {
            kernel(Index3{box.begin.i + i, box.begin.j + j, box.begin.k + k},
                   line[summed[0] ? 0 : i]);
          }
        }
      }
    }
  }
  if (!summed[2]) return partial;
  std::vector<Result> total(partial.begin(),
                            partial.begin() + static_cast<std::ptrdiff_t>(points_of_part * kept_z));
  for (std::size_t n = points_of_part; n < partial.size(); ++n) {
    total[n % points_of_part].merge(partial[n]);
  }
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
