/// Kernels over points.
#pragma once

#include <algorithm>
#include <bit>
#include <type_traits>

#include "cuda/cuda_error.hpp"
#include "solver/core/index.hpp"

namespace dns {

inline constexpr int threads_of_points = 256;
/// Blocks that a multiprocessor should hold at least. A kernel that reads many numbers gains more
/// from registers, where they wait for each other, than from more threads; in float half as many
/// do. Measured on an H200 with the right-hand sides of scheme projection.
template <class Kernel>
inline constexpr int blocks_of_points = [] {
  if constexpr (requires { typename Kernel::Number; }) {
    return sizeof(typename Kernel::Number) == 4 ? 4 : 3;
  }
  return 3;
}();

template <class Kernel>
__global__ void __launch_bounds__(threads_of_points, blocks_of_points<Kernel>)
    for_each_kernel(Box box, Kernel kernel) {
  const Index3 c{box.begin.i + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x),
                 box.begin.j + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y),
                 box.begin.k + static_cast<int>(blockIdx.z * blockDim.z + threadIdx.z)};
  if (c.i < box.end.i && c.j < box.end.j && c.k < box.end.k) kernel(c);
}

[[nodiscard]] constexpr unsigned divide_up(int count, unsigned by) {
  return (static_cast<unsigned>(count) + by - 1) / by;
}

/// Calls kernel(c) once for every point of `box`, in any order. Returns before it finishes.
/// Throws DeviceError if the launch is refused.
template <class Kernel>
void for_each(Box box, const Kernel& kernel, cudaStream_t stream) {
  static_assert(std::is_trivially_copyable_v<Kernel>, "kernels are copied to the device by value");
  constexpr unsigned threads = threads_of_points;
  const auto [nx, ny, nz] = box.extents();
  if (nx <= 0 || ny <= 0 || nz <= 0) return;
  // A warp along x, unless the box is thinner than that.
  const auto at_most = [](unsigned limit, int points) {
    return std::min(limit, std::bit_ceil(static_cast<unsigned>(points)));
  };
  const unsigned along_x = at_most(32, nx);
  const unsigned along_y = at_most(threads / along_x, ny);
  const unsigned along_z = at_most(std::min(64U, threads / along_x / along_y), nz);
  for_each_kernel<<<dim3(divide_up(nx, along_x), divide_up(ny, along_y), divide_up(nz, along_z)),
                    dim3(along_x, along_y, along_z),
                    0,
                    stream>>>(box, kernel);
  check(cudaGetLastError(), "launching for_each");
}

/// The outermost points of a box: planes across z, then across y, then across x, no point twice.
struct Shell {
  Box box;

  [[nodiscard]] DNS_HD int across_z() const { return 2 * n().nx * n().ny; }
  [[nodiscard]] DNS_HD int across_y() const { return 2 * n().nx * (n().nz - 2); }
  [[nodiscard]] DNS_HD int across_x() const { return 2 * (n().ny - 2) * (n().nz - 2); }
  [[nodiscard]] DNS_HD int count() const { return across_z() + across_y() + across_x(); }

  [[nodiscard]] DNS_HD Index3 point(int index) const {
    const auto [nx, ny, nz] = n();
    Index3 c = box.begin;
    if (index < across_z()) {
      c.i += index % nx;
      c.j += index / nx % ny;
      c.k += index < nx * ny ? 0 : nz - 1;
      return c;
    }
    index -= across_z();
    if (index < across_y()) {
      c.i += index % nx;
      c.j += index < nx * (nz - 2) ? 0 : ny - 1;
      c.k += 1 + index / nx % (nz - 2);
      return c;
    }
    index -= across_y();
    c.i += index < (ny - 2) * (nz - 2) ? 0 : nx - 1;
    c.j += 1 + index % (ny - 2);
    c.k += 1 + index / (ny - 2) % (nz - 2);
    return c;
  }

 private:
  [[nodiscard]] DNS_HD Extents n() const { return box.extents(); }
};

template <class Kernel>
__global__ void for_each_on_shell_kernel(Shell shell, Kernel kernel) {
  const int index = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (index < shell.count()) kernel(shell.point(index), static_cast<int>(blockIdx.y));
}

/// Calls kernel(c, part) once for every outermost point of `box` and every part, in any order.
/// Requires at least two points along each axis. Returns before it finishes. Throws DeviceError if
/// the launch is refused.
template <class Kernel>
void for_each_on_shell(Box box, int parts, const Kernel& kernel, cudaStream_t stream) {
  static_assert(std::is_trivially_copyable_v<Kernel>, "kernels are copied to the device by value");
  constexpr unsigned threads = 128;
  const Shell shell{box};
  for_each_on_shell_kernel<<<dim3(divide_up(shell.count(), threads), static_cast<unsigned>(parts)),
                             threads,
                             0,
                             stream>>>(shell, kernel);
  check(cudaGetLastError(), "launching for_each_on_shell");
}

}  // namespace dns
