/// Sums along some axes of a box, in an order that does not depend on timing.
#pragma once

#include <algorithm>
#include <cstddef>

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
  /// The first of the points that are summed at point `kept_index` of the profile, x fastest.
  [[nodiscard]] DNS_HD Index3 first_at(int kept_index) const {
    const Extents k = kept();
    return {box.begin.i + kept_index % k.nx,
            box.begin.j + kept_index / k.nx % k.ny,
            box.begin.k + kept_index / k.nx / k.ny};
  }
  /// Point `summed_index` of those summed at point `kept_index`, x fastest.
  [[nodiscard]] DNS_HD Index3 point(int kept_index, long long summed_index) const {
    const Extents s = summed();
    const Index3 first = first_at(kept_index);
    const auto line = static_cast<int>(summed_index / s.nx);
    return {first.i + static_cast<int>(summed_index % s.nx),
            first.j + line % s.ny,
            first.k + line / s.ny};
  }
};

/// How a profile is shared among blocks. Partial results lie part by part.
struct ProfileShape {
  static constexpr int lanes = 32;  // of a warp
  static constexpr int warps = profile_threads / lanes;
  static constexpr int blocks_that_are_enough = 4096;
  /// Partial results that are enough where a block has 32 points of the profile.
  static constexpr int results_that_are_enough = 16384;

  int points;  // of the profile
  int parts;   // of the sum at each point
  bool is_along_x;
  unsigned blocks;  // of each part

  /// Requires a profile with points.
  static ProfileShape of(const Profile& profile) {
    constexpr long long most_parts = 1024;
    constexpr int rounds = 4;  // through its points that a thread does at least
    const Extents kept = profile.kept();
    const auto points = static_cast<int>(kept.count());
    const auto summed = static_cast<long long>(profile.summed().count());
    const auto parts = [&](int enough, long long at_once) {
      const auto useful = static_cast<int>(std::clamp(summed / at_once, 1LL, most_parts));
      return std::clamp(enough / points, 1, useful);
    };
    if (profile.sums_x) {
      return {points,
              parts(blocks_that_are_enough, profile_threads),
              false,
              static_cast<unsigned>(points)};
    }
    const int tiles = (kept.nx + lanes - 1) / lanes;
    return {points,
            parts(results_that_are_enough, warps * rounds),
            true,
            static_cast<unsigned>(tiles * kept.ny * kept.nz)};
  }
  /// Room for the partial results of any profile of so many points.
  [[nodiscard]] static constexpr std::size_t most_partial_results(std::size_t points) {
    return std::max<std::size_t>(points, results_that_are_enough);
  }
};

/// For profiles without x. Block (point, part) sums up one part of the points that belong to one
/// point of the profile.
template <class Result, class Kernel>
__global__ void __launch_bounds__(profile_threads) reduce_profiles_kernel(Profile profile,
                                                                          long long summed_points,
                                                                          Kernel kernel,
                                                                          Result* partial) {
  const int3 block = block_after_kernels_before();
  const int point = block.x;
  const auto part = static_cast<long long>(block.y);
  const auto parts = static_cast<long long>(gridDim.y);
  const long long end = summed_points * (part + 1) / parts;
  Result mine;
  for (long long n = summed_points * part / parts + threadIdx.x; n < end; n += profile_threads) {
    kernel(profile.point(point, n), mine);
  }
  merge_block<profile_threads>(mine);
  if (threadIdx.x == 0) partial[part * gridDim.x + point] = mine;
}

/// For profiles over x. Neighbouring lanes have neighbouring points along x, so that they load
/// neighbouring numbers, and the warps of a block share out what is summed there. Block (piece of a
/// row, part).
template <class Result, class Kernel>
__global__ void __launch_bounds__(profile_threads)
    reduce_profiles_along_x_kernel(Profile profile, int points, Kernel kernel, Result* partial) {
  constexpr int lanes = ProfileShape::lanes;
  constexpr int warps = ProfileShape::warps;
  __shared__ alignas(Result) std::byte memory[profile_threads * sizeof(Result)];
  auto* const of_threads = reinterpret_cast<Result*>(memory);
  const int3 block = block_after_kernels_before();
  const int lane = place_in_block().x % lanes;
  const int warp = place_in_block().x / lanes;
  const int nx = profile.kept().nx;
  const int tiles = (nx + lanes - 1) / lanes;
  const int i = block.x % tiles * lanes + lane;
  const int point = block.x / tiles * nx + i;
  const Extents summed = profile.summed();
  const auto lines = static_cast<long long>(summed.ny) * summed.nz;
  const auto parts = static_cast<long long>(gridDim.y);
  const auto begin = static_cast<int>(lines * block.y / parts);
  const auto end = static_cast<int>(lines * (block.y + 1) / parts);
  Result mine;
  if (i < nx) {
    const Index3 first = profile.first_at(point);
#pragma unroll 4
    for (int line = begin + warp; line < end; line += warps) {
      kernel(Index3{first.i, first.j + line % summed.ny, first.k + line / summed.ny}, mine);
    }
  }
  of_threads[threadIdx.x] = mine;
  __syncthreads();
  if (warp > 0 || i >= nx) return;
  for (int other = 1; other < warps; ++other) mine.merge(of_threads[other * lanes + lane]);
  partial[static_cast<long long>(block.y) * points + point] = mine;
}

/// The sum at one point of all parts.
template <class Result>
[[nodiscard]] __device__ Result merged_parts(int point,
                                             const ProfileShape& shape,
                                             const Result* partial) {
  Result merged = partial[point];
  for (int part = 1; part < shape.parts; ++part) {
    merged.merge(partial[static_cast<long long>(part) * shape.points + point]);
  }
  return merged;
}

template <class Result>
__global__ void __launch_bounds__(profile_threads)
    merge_profiles_kernel(ProfileShape shape, const Result* partial, Result* total) {
  const int3 block = block_after_kernels_before();
  const int point = block.x * threads_along_block().x + place_in_block().x;
  if (point < shape.points) total[point] = merged_parts(point, shape, partial);
}

/// Adds to numbers what was summed up.
template <class Result>
__global__ void __launch_bounds__(profile_threads)
    add_profiles_kernel(ProfileShape shape, const Result* partial, double* numbers) {
  const int3 block = block_after_kernels_before();
  const int point = block.x * threads_along_block().x + place_in_block().x;
  if (point < shape.points) numbers[point] += merged_parts(point, shape, partial).sum[0];
}

/// Begins a reduction of profiles: leaves the partial results of all parts.
template <class Result, class Kernel>
void reduce_parts_of_profiles(const Profile& profile,
                              const ProfileShape& shape,
                              const Kernel& kernel,
                              Result* partial,
                              cudaStream_t stream) {
  const LaunchShape blocks{dim3(shape.blocks, static_cast<unsigned>(shape.parts)), profile_threads};
  if (shape.is_along_x) {
    launch("launching a reduction of profiles along x",
           reduce_profiles_along_x_kernel<Result, Kernel>,
           blocks,
           stream,
           profile,
           shape.points,
           kernel,
           partial);
  } else {
    launch("launching a reduction of profiles",
           reduce_profiles_kernel<Result, Kernel>,
           blocks,
           stream,
           profile,
           static_cast<long long>(profile.summed().count()),
           kernel,
           partial);
  }
}

}  // namespace dns
