#include "tests/backend/cuda_device.cuh"
#include "tests/projection/transform_tests.hpp"

namespace dns::testing {
namespace {

// One unknown and two columns of its matrix for each of 16 x 1100 x 4 modes.
using CudaDevices = ::testing::Types<CudaDevice<float>, CudaDevice<double>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Cuda, PoissonTest, CudaDevices);
INSTANTIATE_TYPED_TEST_SUITE_P(Cuda, TransformTest, CudaDevices);

}  // namespace
}  // namespace dns::testing
