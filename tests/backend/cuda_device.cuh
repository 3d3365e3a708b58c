/// A GPU as a device of typed tests.
#pragma once

#include <string>

#include "cuda/cuda_backend.cuh"
#include "tests/gpu.hpp"

namespace dns::testing {

template <class Real>
struct CudaDevice {
  using Backend = CudaBackend<Real>;
  static Backend make() { return {}; }
  static constexpr bool cuts_long_lines = true;
  static std::string obstacle() { return no_gpu(); }
};

}  // namespace dns::testing
