/// Eigenvalues and steady flows of the operators of order 4 across walls, against an independent
/// program in Python and exact values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "solver/core/index.hpp"
#include "tests/waves_across_walls.hpp"

namespace dns::testing::test_waves_across_walls {
namespace {

double parabola(double y) {
  return 1 - y * y;
}

double flow_rate(const OperatorsAcrossWalls& y, const std::vector<double>& u) {
  double sum = 0;
  for (int i = 0; i < y.cells(); ++i) sum += y.cell_volume(i) * u[i];
  return sum;
}

TEST(WavesAcrossWalls, tollmien_schlichting_waves_grow_as_in_the_model) {
  struct Expected {
    int cells;
    double growth, frequency;
  };
  const Complex exact(2.2349769500e-3, -0.24989154312);  // of the Orr-Sommerfeld equation
  double error_before = 0;
  for (const auto& [cells, growth, frequency] :
       {Expected{32, 2.411255253956e-3, -2.498881962987e-1},
        Expected{64, 2.236628840620e-3, -2.498913472058e-1},
        Expected{128, 2.234883870826e-3, -2.498914684322e-1}}) {
    const Wave wave =
        wave_nearest(OperatorsAcrossWalls(faces_of_channel(cells, 2)), 1, 7500, parabola, exact);
    EXPECT_NEAR(wave.rate.real(), growth, 1e-9 * growth) << cells;
    EXPECT_NEAR(wave.rate.imag(), frequency, 1e-9) << cells;
    const double error = std::abs(wave.rate.real() / exact.real() - 1);
    if (cells > 32) {
      EXPECT_LT(error, error_before / 16) << cells;
    }
    error_before = error;
  }
}

TEST(WavesAcrossWalls, stokes_modes_decay_as_in_the_model_with_order_4) {
  const double exact = -9.313739853919;
  const std::vector<int> cells{32, 64, 128};
  const std::vector<double> expected{-9.312936045760, -9.313690656988, -9.313736806208};
  for (std::size_t n = 0; n < cells.size(); ++n) {
    const Wave wave = wave_nearest(
        OperatorsAcrossWalls(faces_of_channel(cells[n], 2)),
        1,
        1,
        [](double) { return 0.0; },
        exact);
    EXPECT_NEAR(wave.rate.real(), expected[n], 1e-9) << cells[n];
    // 4.04 and 4.01 in the model.
    if (n > 0) {
      const double order = std::log2((expected[n - 1] - exact) / (wave.rate.real() - exact));
      EXPECT_NEAR(order, 4, 0.1) << cells[n];
    }
  }
}

TEST(WavesAcrossWalls, a_plane_of_symmetry_halves_a_channel) {
  const std::vector<int> cells{16, 32, 64};
  const std::vector<double> expected{-20.46354878402, -20.56505899460, -20.57035825757};
  for (std::size_t n = 0; n < cells.size(); ++n) {
    std::vector<double> faces = faces_of_channel(2 * cells[n], 2);
    faces.resize(cells[n] + 1);
    const Wave wave = wave_nearest(
        OperatorsAcrossWalls(faces), 1, 1, [](double) { return 0.0; }, -20.570570840, {0, 1, 0});
    EXPECT_NEAR(wave.rate.real(), expected[n], 2e-9) << cells[n];
  }
}

TEST(WavesAcrossWalls, laminar_flow_is_exact_on_uniform_cells_and_of_order_4_on_others) {
  for (const int cells : {16, 32, 64}) {
    const OperatorsAcrossWalls y(faces_of_channel(cells, 0));
    const std::vector<double> u = steady_profile(y, {}, {}, {0, 0, -2});
    for (int i = 0; i < cells; ++i) EXPECT_NEAR(u[i], parabola(y.centre(i)), 1e-12);
  }
  const std::vector<int> cells{16, 32, 64};
  const std::vector<double> rates{1.334386486766, 1.333392392933, 1.333336864202};
  for (std::size_t n = 0; n < cells.size(); ++n) {
    const OperatorsAcrossWalls y(faces_of_channel(cells[n], 2));
    EXPECT_NEAR(flow_rate(y, steady_profile(y, {}, {}, {0, 0, -2})), rates[n], 1e-11);
  }
}

TEST(WavesAcrossWalls, walls_that_slip_are_further_away) {
  const std::vector<int> cells{16, 32, 64};
  const std::vector<double> errors{3.79e-4, 2.51e-5, 2.80e-6};
  const double low = 0.2;
  const double high = 0.05;
  // u = c_0 + c_1 y - y^2 with u - l u' = 0 at -1 and u + l u' = 1 at 1.
  const double c_1 = (1 + 1 + 2 * high - (1 + 2 * low)) / (2 + low + high);
  const double c_0 = 1 + 2 * low + c_1 * (1 + low);
  const auto exact = [&](double y) { return c_0 + c_1 * y - y * y; };
  for (std::size_t n = 0; n < cells.size(); ++n) {
    const OperatorsAcrossWalls y(faces_of_channel(cells[n], 1.5));
    const std::vector<double> u = steady_profile(y, {1, low, 1}, {1, high, 1}, {0, 1, -2});
    double largest = 0;
    for (int i = 0; i < cells[n]; ++i)
      largest = std::max(largest, std::abs(u[i] - exact(y.centre(i))));
    EXPECT_NEAR(largest, errors[n], 0.005 * errors[n]) << cells[n];
  }
}

TEST(WavesAcrossWalls, the_slope_at_a_wall_of_a_solved_flow_has_order_4) {
  const std::vector<int> cells{16, 32, 64};
  const std::vector<double> slopes{-10.05895633402, -10.00411380363, -10.00025575542};
  for (std::size_t n = 0; n < cells.size(); ++n) {
    const OperatorsAcrossWalls y(faces_of_channel(cells[n], 1.5));
    const std::vector<double> u = steady_profile(y, {}, {}, {1, 0, 0}, 100);
    const double slope = (value_beside_end<double>(u[0], u[1], u[2]) - 1) / y.face_volume(0);
    EXPECT_NEAR(slope, slopes[n], 1e-9) << cells[n];
  }
}

}  // namespace
}  // namespace dns::testing::test_waves_across_walls
