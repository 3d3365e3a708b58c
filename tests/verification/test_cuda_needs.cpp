/// What CUDA says a run takes of the memory of a GPU.
#include <string>

#include "cuda/cuda_facts.hpp"
#include "solver/instances/case_needs.hpp"
#include "tests/verification/devices.hpp"

namespace dns::testing::test_cuda_needs {
namespace {

const std::string channel = R"yaml(
scheme: projection
grid: {points: [24, 24, 24], length: [4, 2, 2], stretching: {y: {factor: 1.5}}}
fluid: {reynolds: 100, prandtl: 1}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: 0}
  y_max: {type: wall, temperature: 1}
  z: periodic
initial: {velocity: ["y*(2-y)", 0, 0], temperature: 0}
time: {step: 0.001, steps: 9}
output: {statistics: {every: 1, start: 0, average: [x, z]}}
)yaml";
const std::string box = R"yaml(
scheme: projection
grid: {points: [24, 24, 24], length: [1, 1, 1]}
accuracy: {order: 6}
fluid: {reynolds: 100}
boundaries: {x: periodic, y: periodic, z: periodic}
initial: {velocity: ["sin(2*pi*y)", 0, 0]}
time: {scheme: runge_kutta, cfl: 0.5, steps: 9}
)yaml";
/// Cosine transforms of long rows.
const std::string inflow = R"yaml(
scheme: projection
precision: float
grid: {points: [200, 24, 24], length: [4, 2, 2], stretching: {y: {factor: 1.5}}}
fluid: {reynolds: 100}
boundaries:
  x_min: {type: inflow, velocity: ["y*(2-y)", 0, 0]}
  x_max: {type: outflow}
  y_min: {type: wall}
  y_max: {type: wall}
  z: periodic
initial: {velocity: ["y*(2-y)", 0, 0]}
time: {step: 0.001, steps: 9}
)yaml";
const std::string cavity = R"yaml(
scheme: splitting
grid: {points: [24, 24, 24], length: [1, 1, 1]}
fluid: {reynolds: 50, prandtl: 0.7, heat_capacity_ratio: 1.4}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: 1}
  y_max: {type: wall, velocity: [1, 0, 0], temperature: 1}
  z: periodic
initial: {temperature: 1}
time: {step: 0.001, steps: 9}
)yaml";

/// The flow before makes CUDA load the program's kernels and the libraries with theirs, which
/// cuBLAS chooses by the sizes of a product. The arrays are large: CUDA allocates in units of
/// 2 MiB, and these must not count.
TEST(NeedsOfCuda, are_within_3_per_cent_of_what_a_run_takes_on_the_gpu) {
  if (!has_gpu()) GTEST_SKIP() << no_gpu();
  for (const std::string& yaml : {channel, box, inflow, cavity}) {
    for (const Extents points : {Extents{256, 192, 320}, Extents{210, 150, 462}}) {
      Case resolved = parse_case(yaml, "test.yaml", {});
      resolved.device = DeviceChoice::cuda;
      resolved.grid.points = points;
      static_cast<void>(after(resolved, 1));
      const auto counted = static_cast<double>(needs_of(resolved).device_bytes);
      const std::size_t free = cuda_memory().free;
      const auto simulation = after(resolved, 2);
      const auto taken = static_cast<double>(free - cuda_memory().free);
      EXPECT_NEAR(counted / taken, 1, 0.03) << resolved.grid.points.nx << yaml;
      EXPECT_EQ(simulation->memory_bytes(), needs_of(resolved).device_bytes);
    }
  }
}

}  // namespace
}  // namespace dns::testing::test_cuda_needs
