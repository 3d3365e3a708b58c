/// Steps as they are timed.
#include <gtest/gtest.h>

#include "bench/bench.hpp"
#include "bench/stepping.hpp"

namespace dns::bench::test_stepping {
namespace {

void expect_phases_of_a_step(Scheme scheme) {
  const StepTimes twice = time_steps({scheme, 16, Precision::double_precision, Device::cpu, 1});
  EXPECT_GT(twice.seconds, 0);
  EXPECT_GT(twice.sweep_x, 0);
  EXPECT_GT(twice.sweep_y, 0);
  EXPECT_GT(twice.sweep_z, 0);
  EXPECT_LT(twice.sweep_x + twice.sweep_y + twice.sweep_z + twice.nonlinear_update + twice.poisson,
            twice.mean_seconds);
  EXPECT_GT(twice.bytes, 0);
  EXPECT_GT(twice.memory_bytes, 0U);
  EXPECT_EQ(twice.systems_per_axis(), 2 * 4 * 4 * 14 * 14);
  EXPECT_EQ(twice.poisson > 0, scheme == Scheme::projection);
  const StepTimes once = time_steps({scheme, 16, Precision::single_precision, Device::cpu, 1});
  EXPECT_NEAR(once.energy, twice.energy, 1e-5 * twice.energy);
}

TEST(Stepping, phases_add_up_to_less_than_a_step_and_precisions_agree) {
  expect_phases_of_a_step(Scheme::splitting);
  expect_phases_of_a_step(Scheme::projection);
}

TEST(Stepping, gpu_draws_a_power_that_a_gpu_can) {
  if (const std::string obstacle = obstacle_to_cuda(); !obstacle.empty())
    GTEST_SKIP() << "no GPU: " << obstacle;
  const StepTimes times =
      time_steps({Scheme::splitting, 96, Precision::double_precision, Device::cuda});
  const double watts = times.joules / times.mean_seconds;
  EXPECT_GT(watts, 20);
  EXPECT_LT(watts, 2000);
}

TEST(Stepping, memory_grows_with_the_grid_and_the_precision) {
  const StepMemory small = memory_of_steps({Scheme::splitting, 32, Precision::single_precision});
  const StepMemory large = memory_of_steps({Scheme::splitting, 64, Precision::double_precision});
  EXPECT_GT(large.device, 10 * small.device);
  EXPECT_EQ(large.host, 8 * small.host);
}

}  // namespace
}  // namespace dns::bench::test_stepping
