/// Kernels over points.
#pragma once

#include <algorithm>
#include <bit>
#include <type_traits>

#include "cuda/launch.cuh"
#include "solver/core/index.hpp"

namespace dns {

inline constexpr int threads_of_points = 256;
/// Least number of blocks that a multiprocessor should hold. A kernel that loads many numbers gains
/// more from registers to keep them in than from more threads; in float it needs half as many.
/// Measured on an H200 with the right-hand sides of scheme projection.
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
  const int3 block = block_after_kernels_before();
  const int3 threads = threads_along_block();
  const int3 place = place_in_block();
  const Index3 c{box.begin.i + (block.x * threads.x + place.x),
                 box.begin.j + (block.y * threads.y + place.y),
                 box.begin.k + (block.z * threads.z + place.z)};
  if (c.i < box.end.i && c.j < box.end.j && c.k < box.end.k) kernel(c);
}

/// Calls kernel(c) once for every point of `box`, in any order. Returns before it finishes.
/// Throws DeviceError if the launch is refused.
template <class Kernel>
void for_each(Box box, const Kernel& kernel, cudaStream_t stream) {
  static_assert(std::is_trivially_copyable_v<Kernel>, "kernels are copied to the device by value");
  constexpr int threads = threads_of_points;
  const auto [nx, ny, nz] = box.extents();
  if (nx <= 0 || ny <= 0 || nz <= 0) return;
  // A warp along x, unless the box is narrower; two where they fill rows: what they write is longer
  // in one piece. (Correction of the velocity, 192^3, H100: 10 % faster in double, 13 % in float.)
  const auto at_most = [](int limit, int points) {
    return std::min(limit, static_cast<int>(std::bit_ceil(static_cast<unsigned>(points))));
  };
  const int along_x = at_most(nx % 64 == 0 ? 64 : 32, nx);
  const int along_y = at_most(threads / along_x, ny);
  const int along_z = at_most(std::min(64, threads / along_x / along_y), nz);
  launch("launching for_each",
         for_each_kernel<Kernel>,
         {dim3(divide_up(nx, along_x), divide_up(ny, along_y), divide_up(nz, along_z)),
          dim3(along_x, along_y, along_z)},
         stream,
         box,
         kernel);
}

/// Some of the outermost planes of a box, one after the other: across z, y, x. No point belongs to
/// two of them. Blocks have tiles of them, plane by plane.
class BoundaryPoints {
 public:
  static constexpr int along_first = 32, along_second = 4;  // points of a tile

  BoundaryPoints(Box box, const BoundaryPlanes& planes) : box_(box) {
    for (const int axis : {2, 1, 0}) {
      for (int end = 0; end < 2; ++end) {
        if (planes.is_included[axis][end]) plane_[count_++] = 2 * axis + end;
      }
    }
    without_z_ = box;
    if (planes.is_included[2][0]) ++without_z_.begin.k;
    if (planes.is_included[2][1]) --without_z_.end.k;
    without_zy_ = without_z_;
    if (planes.is_included[1][0]) ++without_zy_.begin.j;
    if (planes.is_included[1][1]) --without_zy_.end.j;
    const auto [nx, ny, nz] = box.extents();
    for (int plane = 0; plane < count_; ++plane) {
      const int axis = plane_[plane] / 2;
      const int second = axis == 2 ? ny : nz;
      tiles_along_[plane] = divide_up(axis == 0 ? ny : nx, along_first);
      first_tile_[plane] = tiles_;
      tiles_ += tiles_along_[plane] * divide_up(second, along_second);
    }
  }

  [[nodiscard]] int tiles() const { return tiles_; }

  /// Calls visit(c) with the point of a thread in a tile, if there is one.
  template <class Visit>
  __device__ void visit_point(int tile, const Visit& visit) const {
    int plane = count_ - 1;
    while (tile < first_tile_[plane]) --plane;
    const int row = tiles_along_[plane];
    const int place = tile - first_tile_[plane];
    visit_point(plane_[plane],
                place % row * along_first + place_in_block().x,
                place / row * along_second + place_in_block().y,
                visit);
  }

 private:
  /// Calls visit(c) with the point of a plane that lies `first` and `second` points from its
  /// corner, if there is one; `first` along x, along y on planes across x.
  template <class Visit>
  __device__ void visit_point(int which, int first, int second, const Visit& visit) const {
    const bool is_high = which % 2 != 0;
    Index3 c;
    bool is_inside;
    if (which / 2 == 2) {
      is_inside = find<Axis::z>(box_, is_high, {first, second, 0}, c);
    } else if (which / 2 == 1) {
      is_inside = find<Axis::y>(without_z_, is_high, {first, 0, second}, c);
    } else {
      is_inside = find<Axis::x>(without_zy_, is_high, {0, first, second}, c);
    }
    if (is_inside) visit(c);  // in one place: more code than the instruction cache holds is slow
  }

  /// Sets c to the point of a plane of the box; returns whether there is one.
  template <Axis axis>
  [[nodiscard]] __device__ static bool find(const Box& box, bool is_high, Index3 way, Index3& c) {
    c = {box.begin.i + way.i, box.begin.j + way.j, box.begin.k + way.k};
    if (is_high) c = placed<axis>(c, along<axis>(box.end) - 1);
    return c.i < box.end.i && c.j < box.end.j && c.k < box.end.k;
  }

  Box box_, without_z_, without_zy_;
  int plane_[6] = {};        // 2 axis + 1 at the high end
  int first_tile_[6] = {};   // of each plane
  int tiles_along_[6] = {};  // of each row of tiles
  int count_ = 0;
  int tiles_ = 0;
};

template <class Kernel>
__global__ void __launch_bounds__(threads_of_points)
    for_each_on_boundary_kernel(BoundaryPoints boundary, Kernel kernel) {
  const int3 block = block_after_kernels_before();
  boundary.visit_point(block.x, kernel);
}

/// Calls kernel(c) once for every point of some of the outermost planes of `box`, in any order.
/// Requires at least two points along each axis. Returns before it finishes. Throws DeviceError if
/// the launch is refused.
template <class Kernel>
void for_each_on_boundary(Box box,
                          const BoundaryPlanes& planes,
                          const Kernel& kernel,
                          cudaStream_t stream) {
  static_assert(std::is_trivially_copyable_v<Kernel>, "kernels are copied to the device by value");
  const BoundaryPoints boundary(box, planes);
  if (boundary.tiles() == 0) return;
  launch("launching for_each_on_boundary",
         for_each_on_boundary_kernel<Kernel>,
         {static_cast<unsigned>(boundary.tiles()),
          dim3(BoundaryPoints::along_first, BoundaryPoints::along_second)},
         stream,
         boundary,
         kernel);
}

}  // namespace dns
