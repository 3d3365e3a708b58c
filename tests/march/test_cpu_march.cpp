/// The march of a CPU gives the stage of the equation point by point.
#include "cpu/march_planes.hpp"
#include "tests/march/stage_case.hpp"

namespace dns {
namespace {

template <class Real, int x, int y, int z>
void expect_march(Extents points, const StageParts& parts) {
  StageCase<Real, x, y, z> stage(points, parts, 1);
  ThreadScratches scratch(2);
  march_planes(points, stage.march(), scratch);
  stage.expect_right();
}

TEST(cpu_march, gives_the_stage_of_every_order) {
  expect_march<double, 2, 2, 2>({67, 21, 11}, {});
  expect_march<double, 4, 4, 4>({67, 21, 11}, {});
  expect_march<double, 6, 6, 6>({67, 21, 11}, {});
  expect_march<double, 8, 8, 8>({67, 21, 11}, {});
}
TEST(cpu_march, gives_it_in_float) {
  expect_march<float, 2, 2, 2>({150, 9, 10}, {});
  expect_march<float, 4, 4, 4>({150, 9, 10}, {});
  expect_march<float, 6, 6, 6>({150, 9, 10}, {});
  expect_march<float, 8, 8, 8>({150, 9, 10}, {});
}
TEST(cpu_march, gives_it_along_stretched_axes) {
  expect_march<double, 6, 2, 6>({12, 20, 9}, {.has_buoyancy = true, .is_implicit = true});
  expect_march<double, 6, 6, 2>({12, 20, 9}, {.has_buoyancy = true, .is_implicit = true});
  expect_march<double, 2, 4, 2>({12, 20, 9}, {.is_implicit = true});
  expect_march<float, 4, 2, 4>({12, 20, 9}, {.is_implicit = true});
}
TEST(cpu_march, gives_it_in_small_boxes) {
  expect_march<double, 4, 4, 4>({5, 4, 7}, {.is_first = true});
  expect_march<float, 6, 6, 6>({6, 7, 8}, {.has_pressure = false});
}
TEST(cpu_march, writes_large_fields_past_the_caches) {
  expect_march<float, 4, 4, 4>({130, 150, 130}, {});
}

}  // namespace
}  // namespace dns
