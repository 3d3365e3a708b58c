#include <cstdlib>

#include "tests/backend/cuda_device.cuh"
#include "tests/backend/distributed_tests.hpp"

namespace dns::testing {
namespace {

using CudaDevices = ::testing::Types<CudaDevice<float>, CudaDevice<double>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Cuda, DistributedTest, CudaDevices);

/// Ranks of a test share one GPU.
TEST(DeviceTransferTest, says_how_messages_go) {
  using Device = CudaDevice<double>;
  if (!Device::obstacle().empty()) GTEST_SKIP() << Device::obstacle();
  const Subdomain whole = box_along_z({4, 4, 8}, true);
  const auto words = [&](int ranks) {
    return results_of_ranks<std::string, Device>(ranks, whole, [](auto& backend) {
      backend.connect(backend.communicator());
      return backend.transport();
    });
  };
  const bool is_chosen = std::getenv("DNS_TRANSPORT") != nullptr;
  const std::string shared =
      is_chosen ? "host memory (DNS_TRANSPORT=host)" : "host memory (ranks share a GPU)";
  EXPECT_EQ(words(1), std::vector<std::string>{""});
  EXPECT_EQ(words(2), (std::vector{shared, shared}));
}

}  // namespace
}  // namespace dns::testing
