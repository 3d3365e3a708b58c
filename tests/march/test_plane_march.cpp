/// The march of a GPU's blocks, run on the host, gives the stage of the equation point by point.
#include <algorithm>

#include "cuda/plane_march.hpp"
#include "tests/march/fibre_block.hpp"
#include "tests/march/stage_case.hpp"

namespace dns {
namespace {

/// Marches with tiles of 32 x ny points through so many planes at once.
template <int ny, class March>
void march_in_blocks(const March& march, Extents points, int planes) {
  using Real = typename March::Number;
  using Tile = MarchTile<March, 32, ny>;
  std::vector<double> shared(Tile::bytes / sizeof(double) + 1);
  FibreBlock block(Tile::threads);
  for (int k = 0; k < points.nz; k += planes) {
    for (int j = 0; j < points.ny; j += Tile::ny) {
      for (int i = 0; i < points.nx; i += Tile::nx) {
        std::fill(shared.begin(), shared.end(), std::numeric_limits<double>::quiet_NaN());
        const MarchPart part{points, i, j, k, std::min(k + planes, points.nz)};
        block.run([&] {
          PlaneMarch<March, Tile, FibreBlock>(
              march, block, part, reinterpret_cast<Real*>(shared.data()))
              .run();
        });
      }
    }
  }
}

template <class Real, int x, int y, int z, int ny = 8>
void expect_march(Extents points, int planes, const StageParts& parts) {
  StageCase<Real, x, y, z> stage(points, parts, 1);
  march_in_blocks<ny>(stage.march(), points, planes);
  stage.expect_right();
}

TEST(plane_march, gives_the_stage_of_every_order) {
  expect_march<double, 2, 2, 2>({40, 12, 9}, 5, {});
  expect_march<double, 4, 4, 4>({40, 12, 9}, 5, {});
  expect_march<double, 6, 6, 6>({40, 12, 9}, 5, {});
  expect_march<double, 8, 8, 8>({40, 12, 9}, 5, {});
}
TEST(plane_march, gives_it_in_float) {
  expect_march<float, 2, 2, 2>({33, 9, 10}, 7, {});
  expect_march<float, 4, 4, 4>({33, 9, 10}, 7, {});
  expect_march<float, 6, 6, 6>({33, 9, 10}, 7, {});
  expect_march<float, 8, 8, 8>({33, 9, 10}, 7, {});
}
TEST(plane_march, gives_it_along_stretched_axes) {
  expect_march<double, 6, 2, 6>({12, 20, 9}, 4, {.has_buoyancy = true, .is_implicit = true});
  expect_march<double, 6, 6, 2>({12, 20, 9}, 4, {.has_buoyancy = true, .is_implicit = true});
  expect_march<double, 2, 4, 2>({12, 20, 9}, 4, {.is_implicit = true});
  expect_march<float, 4, 2, 4>({12, 20, 9}, 4, {.is_implicit = true});
}
TEST(plane_march, gives_the_first_stage_and_one_without_pressure) {
  expect_march<double, 4, 4, 4>({9, 8, 7}, 7, {.is_first = true});
  expect_march<double, 6, 6, 6>({9, 8, 7}, 7, {.has_pressure = false});
}
TEST(plane_march, takes_larger_tiles) {
  expect_march<double, 6, 6, 6, 16>({36, 20, 9}, 5, {});
  expect_march<float, 6, 6, 6, 16>({36, 20, 9}, 5, {});
}

}  // namespace
}  // namespace dns
