/// CUDA's return codes as DeviceError.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "solver/core/error.hpp"

namespace dns {

/// Throws DeviceError saying what failed, while doing what, unless `status` is success.
inline void check(cudaError_t status, const char* doing) {
  if (status == cudaSuccess) return;
  throw DeviceError(std::string("the GPU failed while ") + doing + ": " +
                    cudaGetErrorString(status));
}

}  // namespace dns
