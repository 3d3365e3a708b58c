/// A GPU as a device of typed tests.
#pragma once

#include <cstddef>

#include "cuda/cuda_backend.cuh"

namespace dns::testing {

/// workspace: values for the eliminated rows of the longest lines of the tests.
template <class Real, std::size_t workspace>
struct CudaDevice {
  using Backend = CudaBackend<Real>;
  static Backend make() { return Backend(workspace); }
  static bool is_present() {
    int count = 0;
    const bool found = cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
    static_cast<void>(cudaGetLastError());
    return found;
  }
};

}  // namespace dns::testing
