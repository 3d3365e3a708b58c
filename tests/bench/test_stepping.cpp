/// Steps as they are timed.
#include <gtest/gtest.h>

#include "bench/stepping.hpp"

namespace dns::bench {
namespace {

TEST(Stepping, phases_add_up_to_less_than_a_step_and_precisions_agree) {
  const StepTimes twice = time_channel(16, Precision::double_precision, Device::cpu, 1);
  EXPECT_GT(twice.seconds, 0);
  EXPECT_GT(twice.sweep_x, 0);
  EXPECT_GT(twice.sweep_y, 0);
  EXPECT_GT(twice.sweep_z, 0);
  EXPECT_LT(twice.sweep_x + twice.sweep_y + twice.sweep_z + twice.nonlinear_update,
            twice.mean_seconds);
  EXPECT_GT(twice.bytes, 0);
  EXPECT_GT(twice.memory_bytes, 0U);
  EXPECT_EQ(twice.systems_per_axis(), 2 * 4 * 4 * 14 * 14);
  const StepTimes once = time_channel(16, Precision::single_precision, Device::cpu, 1);
  EXPECT_NEAR(once.energy, twice.energy, 1e-5 * twice.energy);
}

TEST(Stepping, memory_grows_with_the_grid_and_the_precision) {
  const StepMemory small = memory_of_steps(32, Precision::single_precision, Device::cpu);
  const StepMemory large = memory_of_steps(64, Precision::double_precision, Device::cpu);
  EXPECT_GT(large.device, 10 * small.device);
  EXPECT_EQ(large.host, 8 * small.host);
}

}  // namespace
}  // namespace dns::bench
