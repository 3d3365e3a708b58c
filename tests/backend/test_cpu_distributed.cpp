#include "tests/backend/cpu_device.hpp"
#include "tests/backend/distributed_tests.hpp"

namespace dns::testing {
namespace {

using CpuDevices = ::testing::Types<CpuDevice<float>, CpuDevice<double>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Cpu, DistributedTest, CpuDevices);

}  // namespace
}  // namespace dns::testing
