#include "cuda/cuda_backend.cuh"
#include "tests/backend/backend_tests.hpp"

namespace dns::testing {
namespace {

template <class Real>
struct CudaDevice {
  using Backend = CudaBackend<Real>;
  static Backend make() { return Backend(std::size_t{8} * 67 * 66 * 65); }
  static bool is_present() {
    int count = 0;
    const bool found = cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
    static_cast<void>(cudaGetLastError());
    return found;
  }
};
using CudaDevices = ::testing::Types<CudaDevice<float>, CudaDevice<double>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Cuda, BackendTest, CudaDevices);

}  // namespace
}  // namespace dns::testing
