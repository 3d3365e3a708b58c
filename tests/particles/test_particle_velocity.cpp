/// Interpolation to particles: formulas and tables, on the host.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "solver/numerics/particle_divergence_free.hpp"
#include "tests/particles/sampled_flow.hpp"

namespace dns::testing::test_particle_velocity {
namespace {

double largest_error(int cells, int component) {
  const Flow flow = [](int q, double x, double y, double) {
    return std::sin(2 * y + 0.4 + q) + 0.3 * std::cos(2 * std::numbers::pi * x + q);
  };
  SampledFlow<double> sampled({.points = {cells, cells + 1, 5},
                               .length = {1, 2, 1},
                               .origin = {0, -1, 0},
                               .ends = {periodic, walls, periodic},
                               .factor = 2},
                              flow);
  double largest = 0;
  for (int n = 0; n <= 3000; ++n) {
    const double y = -1 + 2.0 * n / 3000;
    const double x = std::fmod(0.618 * n, 1.0);
    largest =
        std::max(largest, std::abs(sampled.at(x, y, 0.3)[component] - flow(component, x, y, 0.3)));
  }
  return largest;
}

TEST(ParticleVelocity, is_of_order_four_on_stretched_cells_up_to_the_walls) {
  for (int component = 0; component < 3; ++component) {
    const double order =
        std::log2(largest_error(32, component) / largest_error(128, component)) / 2;
    EXPECT_GT(order, 3.8) << component;
    EXPECT_LT(largest_error(128, component), 2e-6) << component;
  }
}

/// Each component is any polynomial of third degree between walls, of first degree elsewhere.
TEST(ParticleVelocity, of_a_cubic_profile_between_walls_is_exact) {
  const Flow flow = [](int q, double, double y, double) {
    return 0.3 + q + y - 2 * y * y + y * y * y;
  };
  SampledFlow<double> sampled({.points = {4, 7, 5},
                               .length = {1, 2, 1},
                               .origin = {0, -1, 0},
                               .ends = {periodic, walls, periodic},
                               .factor = 1.5},
                              flow);
  SampledFlow<float> in_float({.points = {4, 7, 5},
                               .length = {1, 2, 1},
                               .origin = {0, -1, 0},
                               .ends = {periodic, walls, periodic},
                               .factor = 1.5},
                              flow);
  for (int n = 0; n <= 200; ++n) {
    const double y = -1 + 0.01 * n;
    for (int component = 0; component < 3; ++component) {
      EXPECT_NEAR(sampled.at(0.37, y, 0.91)[component], flow(component, 0, y, 0), 1e-13) << y;
      EXPECT_NEAR(in_float.at(0.37, y, 0.91)[component], flow(component, 0, y, 0), 3e-6) << y;
    }
  }
}

TEST(ParticleVelocity, on_walls_is_that_of_the_walls_and_its_derivative_that_of_a_linear_flow) {
  const Flow flow = [](int q, double x, double y, double z) {
    return 0.5 * q + (1 + q) * x - 2 * y + 0.25 * z;
  };
  const Box3 box{.points = {5, 9, 6},
                 .length = {1, 2, 3},
                 .origin = {0, -1, 2},
                 .ends = {walls, walls, std::array{FaceKind::inflow, FaceKind::outflow}},
                 .factor = 2};
  SampledFlow<double> sampled(box, flow);
  const PerAxis<ParticleAxis> axes = sampled.axes();
  for (int n = 0; n < 500; ++n) {
    const PerAxis<double> place{n % 3 == 0 ? 0.0 : std::fmod(0.618 * n, 1.0),
                                n % 5 == 0 ? 1.0 : -1 + std::fmod(0.73 * n, 2.0),
                                n % 7 == 0 ? 5.0 : 2 + std::fmod(0.41 * n, 3.0)};
    const PlaceWeights weights = PlaceWeights::at(axes, place);
    const PerAxis<double> u = velocity_by(sampled.velocity(), weights);
    for (int component = 0; component < 3; ++component)
      EXPECT_NEAR(u[component], flow(component, place[0], place[1], place[2]), 2e-13);
    // A steady flow: Du/Dt = u . grad u.
    const PerAxis<double> rate = material_derivative(
        axes, place, weights, u, sampled.velocity(), sampled.velocity(), sampled.velocity(), 0.1);
    for (int component = 0; component < 3; ++component)
      EXPECT_NEAR(rate[component], (1 + component) * u[0] - 2 * u[1] + 0.25 * u[2], 3e-11);
  }
}

/// u, w even about the planes y = 0 and y = 1, v odd, as in a periodic box of twice the length.
TEST(ParticleVelocity, beside_planes_of_symmetry_is_that_of_the_whole_box) {
  const Flow flow = [](int q, double x, double y, double) {
    const double wave = std::numbers::pi * y;
    return q == 1 ? std::sin(wave) + 0.2 * std::sin(2 * wave)
                  : std::cos(wave) + 0.1 * std::sin(2 * std::numbers::pi * x);
  };
  const std::array<FaceKind, 2> mirrors{FaceKind::symmetry, FaceKind::symmetry};
  SampledFlow<double> half({.points = {5, 6, 4}, .ends = {periodic, mirrors, periodic}}, flow);
  SampledFlow<double> whole({.points = {5, 12, 4},
                             .length = {1, 2, 1},
                             .origin = {0, -1, 0},
                             .ends = {periodic, periodic, periodic}},
                            flow);
  for (int n = 0; n <= 400; ++n) {
    const double y = -0.3 + 1.6 * n / 400;  // beyond the planes too
    const double image = y > 1 ? y - 2 : y;
    for (int component = 0; component < 3; ++component) {
      EXPECT_NEAR(half.at(0.4, y, 0.2)[component], whole.at(0.4, image, 0.2)[component], 1e-14)
          << y;
      EXPECT_NEAR(half.at<DivergenceFreeWeights>(0.4, y, 0.2)[component],
                  whole.at<DivergenceFreeWeights>(0.4, image, 0.2)[component],
                  1e-14)
          << y;
    }
  }
}

/// A slab with its neighbours' planes gives the same bits as the whole box.
TEST(ParticleVelocity, of_a_slab_has_the_bits_of_the_whole_box) {
  const Flow flow = [](int q, double x, double y, double z) {
    return std::sin(1 + q + 2 * std::numbers::pi * x) * std::cos(y) +
           std::cos(2 * std::numbers::pi * z + q);
  };
  const Box3 box{.points = {5, 6, 12}, .ends = {periodic, walls, periodic}};
  SampledFlow<double> sampled(box, flow);
  const VelocityAround<double> whole = sampled.velocity();
  constexpr int planes = 4;
  for (const int first : {0, 4, 8}) {
    VelocityAround<double> slab = whole;
    slab.first = first;
    slab.planes = planes;
    std::array<std::vector<double>, 6> beyond;
    const FieldLayout layout({5, 6, 4}, {1, 1, 0});
    for (int component = 0; component < 3; ++component) {
      const FieldView<const double>& of = whole.own[component];
      for (const bool is_high : {false, true}) {
        auto& memory = beyond.at(static_cast<std::size_t>(2 * component + (is_high ? 1 : 0)));
        memory.resize(layout.count(sizeof(double)));
        const FieldView<double> view = layout.field_view(memory.data());
        const int from = is_high ? first + planes : first - planes;
        for (int k = 0; k < planes; ++k)
          for (int j = -1; j <= 6; ++j)
            for (int i = -1; i <= 5; ++i)
              view.set(Index3{i, j, k}, of(Index3{i, j, (from + k + 12) % 12}));
        (is_high ? slab.high : slab.low)[component] = view.as_const();
      }
      slab.own.component[component].origin = of.address({0, 0, first});
    }
    // Particles of the slab, and where they may come to in a step.
    for (int n = 0; n < 600; ++n) {
      const double z = (first - 2 + 8 * std::fmod(0.618 * n, 1.0)) / 12;
      const PerAxis<double> place{std::fmod(0.37 * n, 1.0), std::fmod(0.71 * n, 1.0), z};
      const auto expect_same_bits = [&](const auto& weights) {
        EXPECT_EQ(velocity_by(whole, weights), velocity_by(slab, weights)) << first << " " << z;
      };
      expect_same_bits(PlaceWeights::at(sampled.axes(), place));
      expect_same_bits(DivergenceFreeWeights::at(sampled.axes(), place));
    }
  }
}

}  // namespace
}  // namespace dns::testing::test_particle_velocity
