#include "tests/backend/cuda_device.cuh"
#include "tests/projection/transform_tests.hpp"

namespace dns::testing {
namespace {

using CudaDevices = ::testing::Types<CudaDevice<float>, CudaDevice<double>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Cuda, PoissonTest, CudaDevices);
INSTANTIATE_TYPED_TEST_SUITE_P(Cuda, TransformTest, CudaDevices);

}  // namespace
}  // namespace dns::testing
