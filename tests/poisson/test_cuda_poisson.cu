#include "cuda/cuda_backend.cuh"
#include "tests/poisson/transform_tests.hpp"

namespace dns::testing {
namespace {

template <class Real>
struct CudaDevice {
  using Backend = CudaBackend<Real>;
  // Work space for the longest lines of these tests: two numbers for each of 16 x 1100 x 4 modes.
  static Backend make() { return Backend(std::size_t{3} * 16 * 1100 * 4); }
  static bool is_present() {
    int count = 0;
    const bool found = cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
    static_cast<void>(cudaGetLastError());
    return found;
  }
};
using CudaDevices = ::testing::Types<CudaDevice<float>, CudaDevice<double>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Cuda, PoissonTest, CudaDevices);
INSTANTIATE_TYPED_TEST_SUITE_P(Cuda, TransformTest, CudaDevices);

}  // namespace
}  // namespace dns::testing
