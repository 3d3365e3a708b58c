#include <string>

#include "cuda/cuda_error.hpp"
#include "cuda/cuda_facts.hpp"
#include "cuda/cuda_libraries.hpp"

namespace dns {
namespace {

/// Does nothing: a GPU that this build has no code for refuses it.
__global__ void probe() {}

/// 13000 -> "13.0"
std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// Why the GPU `number` cannot be used; empty when it can.
std::string obstacle_of(int number, const std::string& capability) {
  cudaError_t status = cudaSetDevice(number);
  cudaFuncAttributes attributes{};
  if (status == cudaSuccess) status = cudaFuncGetAttributes(&attributes, probe);
  if (status == cudaSuccess) return {};
  static_cast<void>(cudaGetLastError());
  if (status == cudaErrorNoKernelImageForDevice || status == cudaErrorInvalidDeviceFunction) {
    std::string architecture = capability;
    architecture.erase(architecture.find('.'), 1);
    return "this build has no code for compute capability " + capability +
           "; configure it with cmake --preset cuda -DCMAKE_CUDA_ARCHITECTURES=" + architecture +
           " and build it again (scripts/build cuda)";
  }
  return std::string(cudaGetErrorString(status)) +
         "; see what nvidia-smi says: it may be in use by another process alone, or broken";
}

GpuFacts facts_of(int number) {
  GpuFacts facts;
  cudaDeviceProp properties{};
  const cudaError_t status = cudaGetDeviceProperties(&properties, number);
  if (status != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    facts.name = "GPU " + std::to_string(number);
    facts.obstacle = std::string(cudaGetErrorString(status)) + "; see what nvidia-smi says";
    return facts;
  }
  facts.name = properties.name;
  facts.capability = std::to_string(properties.major) + "." + std::to_string(properties.minor);
  facts.memory_bytes = properties.totalGlobalMem;
  facts.obstacle = obstacle_of(number, facts.capability);
  return facts;
}

/// Why there is no usable GPU at all; empty when there are GPUs to look at.
std::string obstacle_to_all(int driver, int runtime, cudaError_t status, int count) {
  if (driver == 0) {
    return "no driver of NVIDIA answers; where there is a GPU, install the driver (nvidia-smi "
           "shows "
           "whether it works), and start containers with their GPUs (docker run --gpus all)";
  }
  if (status == cudaErrorInsufficientDriver) {
    return "the driver is for CUDA " + version_text(driver) + ", but this program needs " +
           version_text(runtime) + "; install a newer driver, or build with an older CUDA Toolkit";
  }
  if (status != cudaSuccess) {
    return std::string(cudaGetErrorString(status)) +
           "; see what nvidia-smi and CUDA_VISIBLE_DEVICES say";
  }
  return count > 0 ? "" : "no GPU was found; see what nvidia-smi and CUDA_VISIBLE_DEVICES say";
}

}  // namespace

std::string cuda_obstacle() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count > 0) return {};
  static_cast<void>(cudaGetLastError());
  const std::string reason = status == cudaSuccess ? "none was found" : cudaGetErrorString(status);
  return "no GPU can be used (" + reason +
         "); see what nvidia-smi and CUDA_VISIBLE_DEVICES say, or use device: cpu";
}

std::vector<std::string> cuda_identities() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    return {};
  }
  std::vector<std::string> identities;
  for (int number = 0; number < count; ++number) {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, number), "asking what GPU it is");
    std::string identity;
    for (const char byte : properties.uuid.bytes)
      identity += std::to_string(static_cast<unsigned char>(byte)) + ".";
    identities.push_back(identity);
  }
  return identities;
}

void choose_cuda_device(int number) {
  check(cudaSetDevice(number), "choosing a GPU");
}

CudaMemory cuda_memory() {
  CudaMemory memory;
  check(cudaMemGetInfo(&memory.free, &memory.total), "asking for its free memory");
  return memory;
}

CudaFacts cuda_facts() {
  CudaFacts facts;
  int driver = 0;
  int runtime = 0;
  int count = 0;
  static_cast<void>(cudaDriverGetVersion(&driver));
  static_cast<void>(cudaRuntimeGetVersion(&runtime));
  const cudaError_t status = cudaGetDeviceCount(&count);
  static_cast<void>(cudaGetLastError());
  facts.versions = (driver == 0 ? "no driver" : "driver for CUDA " + version_text(driver)) +
                   ", runtime " + version_text(runtime);
  facts.obstacle = obstacle_to_all(driver, runtime, status, count);
  for (int number = 0; facts.obstacle.empty() && number < count; ++number) {
    facts.gpus.push_back(facts_of(number));
  }
  facts.libraries = cuda_libraries();
  return facts;
}

}  // namespace dns
