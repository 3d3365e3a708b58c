/// Sums along some axes of a box, in an order that does not depend on timing.
#pragma once

#include <algorithm>

#include "cuda/reduce.cuh"

namespace dns {

inline constexpr int profile_threads = 128;

/// A box that is summed over some axes. kept() and summed() are its extents along the axes that are
/// kept and summed over; the others have one point.
struct Profile {
  Box box;
  bool sums_x, sums_y, sums_z;

  [[nodiscard]] DNS_HD Extents kept() const {
    const auto [nx, ny, nz] = box.extents();
    return {sums_x ? 1 : nx, sums_y ? 1 : ny, sums_z ? 1 : nz};
  }
  [[nodiscard]] DNS_HD Extents summed() const {
    const auto [nx, ny, nz] = box.extents();
    return {sums_x ? nx : 1, sums_y ? ny : 1, sums_z ? nz : 1};
  }
  /// Point `kept_index` of the profile and `summed_index` of those summed there, x fastest.
  [[nodiscard]] DNS_HD Index3 point(int kept_index, long long summed_index) const {
    const Extents k = kept();
    const Extents s = summed();
    const auto line = static_cast<int>(summed_index / s.nx);
    return {box.begin.i + kept_index % k.nx + static_cast<int>(summed_index % s.nx),
            box.begin.j + kept_index / k.nx % k.ny + line % s.ny,
            box.begin.k + kept_index / k.nx / k.ny + line / s.ny};
  }
};

/// Block (point, part) sums up one part of the points that belong to one point of the profile.
template <class Result, class Kernel>
__global__ void __launch_bounds__(profile_threads) reduce_profiles_kernel(Profile profile,
                                                                          long long summed_points,
                                                                          Kernel kernel,
                                                                          Result* partial) {
  const uint3 block = block_after_kernels_before();
  const auto point = static_cast<int>(block.x);
  const auto part = static_cast<long long>(block.y);
  const auto parts = static_cast<long long>(gridDim.y);
  const long long end = summed_points * (part + 1) / parts;
  Result mine;
  for (long long n = summed_points * part / parts + threadIdx.x; n < end; n += profile_threads) {
    kernel(profile.point(point, n), mine);
  }
  merge_block<profile_threads>(mine);
  if (threadIdx.x == 0) partial[static_cast<long long>(point) * parts + part] = mine;
}

template <class Result>
__global__ void __launch_bounds__(profile_threads)
    merge_profiles_kernel(int points, int parts, const Result* partial, Result* total) {
  const uint3 block = block_after_kernels_before();
  const auto point = static_cast<int>(block.x * blockDim.x + threadIdx.x);
  if (point >= points) return;
  Result mine = partial[static_cast<long long>(point) * parts];
  for (int part = 1; part < parts; ++part) {
    mine.merge(partial[static_cast<long long>(point) * parts + part]);
  }
  total[point] = mine;
}

inline constexpr int profile_blocks = 4096;  // that are enough

/// Number of parts that the sum of one point of a profile is divided into, to keep the GPU busy.
[[nodiscard]] inline int parts_of_profile(int points, long long summed_points) {
  constexpr long long most_parts = 1024;
  const auto useful =
      static_cast<int>(std::clamp(summed_points / profile_threads, 1LL, most_parts));
  return std::clamp(profile_blocks / points, 1, useful);
}

}  // namespace dns
