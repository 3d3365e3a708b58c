/// How kernels are launched: the next one in a stream gets ready while the one before it ends.
///
/// Blocks of a waiting kernel may occupy multiprocessors that get no more blocks of the kernel
/// before it (programmatic dependent launch, compute capability 9.0). On older devices, and after
/// anything but a kernel, a kernel starts when all before it is done.
#pragma once

#include "cuda/cuda_error.hpp"

namespace dns {

/// The first call of any kernel that `launch` starts: from here on all kernels before it are done,
/// and what they wrote can be read. Returns the place of the block in the grid. Compilers may move
/// loads by read_only() before the call unless their address depends on this place.
[[nodiscard]] __device__ inline int3 block_after_kernels_before() {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
  int3 block;
  asm volatile("mov.u32 %0, %%ctaid.x;" : "=r"(block.x));
  asm volatile("mov.u32 %0, %%ctaid.y;" : "=r"(block.y));
  asm volatile("mov.u32 %0, %%ctaid.z;" : "=r"(block.z));
  return block;
}

/// Place of the thread in its block, and the number of the block's threads along each axis.
[[nodiscard]] __device__ inline int3 place_in_block() {
  return make_int3(
      static_cast<int>(threadIdx.x), static_cast<int>(threadIdx.y), static_cast<int>(threadIdx.z));
}
[[nodiscard]] __device__ inline int3 threads_along_block() {
  return make_int3(
      static_cast<int>(blockDim.x), static_cast<int>(blockDim.y), static_cast<int>(blockDim.z));
}

/// The number of the block in its cluster. This and the next three are for devices with
/// has_clusters().
[[nodiscard]] __device__ inline int block_in_cluster() {
  unsigned block = 0;
#if __CUDA_ARCH__ >= 900
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(block));
#endif
  return static_cast<int>(block);
}
/// A barrier of all threads of the cluster, in two parts: wait_for_cluster() returns once all
/// threads have called arrive_at_cluster().
__device__ inline void arrive_at_cluster() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
#endif
}
__device__ inline void wait_for_cluster() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
#endif
}
/// The address, in the shared memory of another block of the cluster, of what has the address
/// `place` in this block's.
template <class Value>
[[nodiscard]] __device__ const Value* in_block_of_cluster(const Value* place, int block) {
#if __CUDA_ARCH__ >= 900
  asm("mapa.u64 %0, %0, %1;" : "+l"(place) : "r"(block));
#endif
  return place;
}

/// Blocks of `by` threads that hold `count` threads.
[[nodiscard]] __host__ __device__ constexpr int divide_up(int count, int by) {
  return (count + by - 1) / by;
}

struct LaunchShape {
  dim3 blocks, threads;
  std::size_t shared_bytes = 0;
  unsigned blocks_of_cluster = 1;  // along x; more than one if has_clusters()
};

/// Whether a kernel can get ready while another one ends on this device, which is asked once.
[[nodiscard]] inline bool launches_overlap() {
  static const bool overlap = [] {
    int device = 0;
    int major = 0;
    check(cudaGetDevice(&device), "asking for its number");
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
          "asking for its compute capability");
    return major >= 9;
  }();
  return overlap;
}
/// Whether blocks of a cluster can read each other's shared memory: on the same devices.
[[nodiscard]] inline bool has_clusters() {
  return launches_overlap();
}

/// Launches a kernel that begins with block_after_kernels_before(). Returns before it finishes.
/// Throws DeviceError, with what was being done, if the launch is refused.
template <class... Parameters, class... Arguments>
void launch(const char* doing,
            void (*kernel)(Parameters...),
            const LaunchShape& shape,
            cudaStream_t stream,
            const Arguments&... arguments) {
  cudaLaunchAttribute attributes[2]{};
  auto& [cluster, overlap] = attributes;
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {shape.blocks_of_cluster, 1, 1};
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  const bool is_of_clusters = shape.blocks_of_cluster > 1;
  cudaLaunchConfig_t config{};
  config.gridDim = shape.blocks;
  config.blockDim = shape.threads;
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = stream;
  config.attrs = is_of_clusters ? &cluster : &overlap;
  config.numAttrs = (is_of_clusters ? 1 : 0) + (launches_overlap() ? 1 : 0);
  check(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...), doing);
}

}  // namespace dns
