/// Given values on their way to a device that counts what it gets.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

#include "solver/face_values/given_upload.hpp"

namespace dns::test_given_upload {
namespace {

struct CountingDevice {
  using Real = float;
  static std::shared_ptr<std::byte[]> allocate_host(std::size_t bytes) {
    return std::make_shared<std::byte[]>(bytes);
  }
  void upload_values(const float* from, float* to, std::size_t count) {
    std::memcpy(to, from, count * sizeof(float));
    ++uploads;
  }
  int uploads = 0;
};

TEST(given_upload, takes_neighbours_together_and_leaves_the_others) {
  CountingDevice device;
  GivenUpload<CountingDevice> given(6, 3);
  std::vector<float> on_device(18, -1);
  for (const int variable : {2, 5, 1, 0})
    given.set(variable, {variable + 0.1, variable + 0.2, variable + 0.3});
  given.upload(device, on_device.data());
  EXPECT_EQ(device.uploads, 2);
  for (int variable = 0; variable < 6; ++variable) {
    for (int point = 0; point < 3; ++point) {
      const bool is_set = variable != 3 && variable != 4;
      EXPECT_EQ(on_device[3 * variable + point],
                is_set ? static_cast<float>(variable + 0.1 * (point + 1)) : -1);
    }
  }
  given.upload(device, on_device.data());
  EXPECT_EQ(device.uploads, 2);  // nothing is new
}

TEST(given_upload, rounds_and_returns_the_values) {
  GivenUpload<CountingDevice> given(2, 2);
  const auto values = given.set(1, {1 + 1e-12, -0.1});
  EXPECT_EQ(std::vector<float>(values.begin(), values.end()), (std::vector<float>{1, -0.1F}));
}

}  // namespace
}  // namespace dns::test_given_upload
