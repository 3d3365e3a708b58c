/// A GPU as a device of typed tests.
#pragma once

#include <cstddef>
#include <string>

#include "cuda/cuda_backend.cuh"
#include "tests/gpu.hpp"

namespace dns::testing {

/// workspace: values for the eliminated rows of the longest lines of the tests.
template <class Real, std::size_t workspace>
struct CudaDevice {
  using Backend = CudaBackend<Real>;
  static Backend make() { return Backend(workspace); }
  static std::string obstacle() { return no_gpu(); }
};

}  // namespace dns::testing
