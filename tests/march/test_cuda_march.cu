/// The march of a GPU gives the stage of the equation point by point.
#include <map>

#include "cuda/cuda_backend.cuh"
#include "tests/gpu.hpp"
#include "tests/march/stage_case.hpp"

namespace dns {
namespace {

template <class Real, int x, int y, int z>
void expect_march(Extents points, const StageParts& parts) {
  StageCase<Real, x, y, z> stage(points, parts, 1);
  CudaBackend<Real> backend;
  std::map<const std::vector<Real>*, DeviceArray<Real>> on_device;
  stage.for_each_array([&](std::vector<Real>& values) {
    auto& copy = on_device[&values] = backend.template allocate<Real>(values.size());
    backend.upload_values(values.data(), copy.data(), values.size());
  });
  backend.march_planes(
      points, stage.march([&](std::vector<Real>& values) { return on_device.at(&values).data(); }));
  backend.synchronize();
  stage.for_each_result([&](std::vector<Real>& values) {
    check(cudaMemcpy(values.data(),
                     on_device.at(&values).data(),
                     values.size() * sizeof(Real),
                     cudaMemcpyDeviceToHost),
          "copying");
  });
  stage.expect_right();
}

class CudaMarch : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!testing::has_gpu()) GTEST_SKIP() << testing::no_gpu();
  }
};

TEST_F(CudaMarch, gives_the_stage_of_every_order) {
  expect_march<double, 4, 4, 4>({67, 21, 50}, {});
  expect_march<double, 6, 6, 6>({67, 21, 50}, {});
  expect_march<double, 8, 8, 8>({67, 21, 50}, {});
}
TEST_F(CudaMarch, gives_it_in_float) {
  expect_march<float, 4, 4, 4>({150, 9, 30}, {});
  expect_march<float, 6, 6, 6>({150, 9, 30}, {});
  expect_march<float, 8, 8, 8>({150, 9, 30}, {});
}
TEST_F(CudaMarch, gives_it_along_stretched_axes) {
  expect_march<double, 6, 2, 6>({12, 20, 19}, {.has_buoyancy = true, .is_implicit = true});
  expect_march<float, 6, 6, 2>({12, 20, 19}, {.has_buoyancy = true, .is_implicit = true});
}
TEST_F(CudaMarch, gives_the_first_stage_and_one_without_pressure) {
  expect_march<double, 6, 6, 6>({9, 8, 7}, {.is_first = true});
  expect_march<float, 6, 6, 6>({9, 8, 7}, {.has_pressure = false});
}

}  // namespace
}  // namespace dns
