#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "solver/start/turbulent_channel.hpp"

namespace dns::test_turbulent_channel {
namespace {

using Points = PerAxis<std::vector<double>>;

/// A channel that flows along z between walls across x, y its third axis.
Case channel_case(std::uint64_t seed) {
  Case resolved;
  resolved.scheme = Scheme::projection;
  resolved.grid.points = {16, 16, 16};
  resolved.grid.length = {3, 4, 9};
  resolved.grid.origin = {-1, 0, 0.5};
  for (const int axis : {1, 2}) {
    for (const bool is_high : {false, true})
      resolved.faces[face_index(axis, is_high)].kind = FaceKind::periodic;
  }
  resolved.initial.noise.seed = seed;
  resolved.initial.turbulent_channel = {.bulk_velocity = 15, .axis = 2, .amplitude = 0.2};
  return resolved;
}

double value(const TurbulentChannel& channel, int component, double x, double y, double z) {
  return channel.velocity(component, Points{{{x}, {y}, {z}}}).front();
}

TEST(turbulent_channel, has_no_divergence) {
  const TurbulentChannel channel(channel_case(3));
  constexpr double step = 1e-4;  // central differences are good to 1e-8 times a third derivative
  for (const double x : {-0.7, 0.1, 1.9}) {
    for (const double y : {0.3, 2.2}) {
      const double z = 1 + x * y;
      const double divergence =
          (value(channel, 0, x + step, y, z) - value(channel, 0, x - step, y, z) +
           value(channel, 1, x, y + step, z) - value(channel, 1, x, y - step, z) +
           value(channel, 2, x, y, z + step) - value(channel, 2, x, y, z - step)) /
          (2 * step);
      EXPECT_NEAR(divergence, 0, 1e-4);
    }
  }
}

TEST(turbulent_channel, moves_with_its_walls) {
  Case moving = channel_case(1);
  moving.faces[face_index(0, false)].velocity[2] = Expression(-5.0);
  moving.faces[face_index(0, true)].velocity[2] = Expression(-5.0);
  moving.faces[face_index(0, true)].velocity[1] = Expression(2.0);
  const TurbulentChannel channel(moving);
  const TurbulentChannel at_rest(channel_case(1));
  for (const double y : {0.0, 0.3, 1.0}) {  // from wall to wall
    const double x = -1 + 3 * y;
    for (const int component : {0, 1, 2}) {
      const double of_walls = component == 2 ? -5 : component == 1 ? 2 * y : 0;
      EXPECT_NEAR(value(channel, component, x, 0.7, 3),
                  value(at_rest, component, x, 0.7, 3) + of_walls,
                  1e-12);
    }
  }
}

TEST(turbulent_channel, rests_at_the_walls_and_repeats_itself) {
  const TurbulentChannel channel(channel_case(1));
  for (const int component : {0, 1, 2}) {
    EXPECT_NEAR(value(channel, component, -1, 0.7, 3), 0, 1e-12);
    EXPECT_NEAR(value(channel, component, 2, 0.7, 3), 0, 1e-12);
    const double here = value(channel, component, 0.2, 0.7, 3);
    EXPECT_NEAR(value(channel, component, 0.2, 0.7 + 4, 3), here, 1e-11);
    EXPECT_NEAR(value(channel, component, 0.2, 0.7, 3 - 9), here, 1e-11);
  }
}

/// Means over the box of the velocity along the flow and of the square of the disturbance.
struct Means {
  double bulk = 0, square = 0;
};
Means means_of(const TurbulentChannel& channel) {
  constexpr int points = 32;
  Points cells;
  for (int n = 0; n < points; ++n) {
    const double part = (n + 0.5) / points;
    cells[0].push_back(-1 + 3 * part);
    cells[1].push_back(4 * part);
    cells[2].push_back(0.5 + 9 * part);
  }
  Means means;
  constexpr double count = points * points * points;
  for (const int component : {0, 1, 2}) {
    const std::vector<double> values = channel.velocity(component, cells);
    for (std::size_t n = 0; n < values.size(); ++n) {
      const double y = (cells[0][n % points] - 0.5) / 1.5;
      const double laminar = component == 2 ? 22.5 * (1 - y * y) : 0;
      if (component == 2) means.bulk += values[n] / count;
      means.square += (values[n] - laminar) * (values[n] - laminar) / count;
    }
  }
  return means;
}

TEST(turbulent_channel, has_the_bulk_velocity_and_size_asked_for) {
  double square = 0;
  constexpr int seeds = 8;
  for (int seed = 0; seed < seeds; ++seed) {
    const Means means = means_of(TurbulentChannel(channel_case(static_cast<std::uint64_t>(seed))));
    EXPECT_NEAR(means.bulk, 15, 15 * 1e-3);  // the midpoint rule on 32 cells
    square += means.square / seeds;
  }
  EXPECT_NEAR(std::sqrt(square), 0.2 * 15, 0.1 * 0.2 * 15);  // 8 seeds of some 100 random waves
}

TEST(turbulent_channel, depends_on_the_seed_and_not_on_the_grid) {
  Case finer = channel_case(5);
  finer.grid.points = {64, 32, 32};
  EXPECT_EQ(value(TurbulentChannel(finer), 1, 0.3, 1, 2),
            value(TurbulentChannel(channel_case(5)), 1, 0.3, 1, 2));
  EXPECT_NE(value(TurbulentChannel(channel_case(6)), 1, 0.3, 1, 2),
            value(TurbulentChannel(channel_case(5)), 1, 0.3, 1, 2));
}

TEST(turbulent_channel, gives_values_with_x_fastest) {
  const TurbulentChannel channel(channel_case(2));
  const Points points{{{-0.5, 0, 1.5}, {0.1, 2}, {1, 2, 5, 7}}};
  for (const int component : {0, 1, 2}) {
    const std::vector<double> values = channel.velocity(component, points);
    ASSERT_EQ(values.size(), 24U);
    EXPECT_EQ(values[(3 * 2 + 1) * 3 + 2], value(channel, component, 1.5, 2, 7));
    EXPECT_EQ(values[(1 * 2 + 0) * 3 + 1], value(channel, component, 0, 0.1, 2));
  }
}

}  // namespace
}  // namespace dns::test_turbulent_channel
