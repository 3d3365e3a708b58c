/// Errors of known flows, as `dns bench accuracy` measures them.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "bench/accuracy.hpp"

namespace dns::bench::test_accuracy {
namespace {

AccuracyResult run_of(KnownFlow flow, const std::string& order, int points) {
  AccuracyRun run;
  run.flow = flow;
  run.order = order;
  run.points = points;
  return measure_accuracy(run);
}

TEST(Accuracy, errors_of_the_moving_flow_fall_with_cells_and_orders) {
  double second = 0;
  for (const std::string& order : known_orders(KnownFlow::moving_flow)) {
    const double coarse = run_of(KnownFlow::moving_flow, order, 16).error;
    const double fine = run_of(KnownFlow::moving_flow, order, 24).error;
    // The step shrinks with the cells. Above order 4 what is left is the error of time, whose order
    // is 3 at equal steps; the last step is shorter than the others.
    EXPECT_GT(std::log(coarse / fine) / std::log(1.5), 1.6) << order;
    if (order == "2") {
      second = coarse;
    } else {
      EXPECT_LT(coarse, 0.1 * second) << order;
    }
  }
}

TEST(Accuracy, errors_of_the_wave_between_walls_fall_with_cells_and_orders) {
  // The step shrinks with the cells; diffusion across walls is of order 2 in time.
  std::vector<double> fine;
  for (const std::string& order : known_orders(KnownFlow::wave_between_walls)) {
    const double coarse = run_of(KnownFlow::wave_between_walls, order, 16).error;
    fine.push_back(run_of(KnownFlow::wave_between_walls, order, 32).error);
    EXPECT_GT(std::log2(coarse / fine.back()), order == "[6, 4, 6]" ? 2.6 : 1.7) << order;
  }
  EXPECT_LT(fine[1], fine[0]);
  EXPECT_LT(fine[2], 0.12 * fine[1]);
}

TEST(Accuracy, errors_of_the_vortex_are_those_of_a_model) {
  // Of the same scheme in another language (order 2 there takes a first step of its own).
  EXPECT_NEAR(run_of(KnownFlow::taylor_green, "2", 32).error, 0.157, 0.024);
  EXPECT_NEAR(run_of(KnownFlow::taylor_green, "6", 16).error, 0.141, 0.002);
  EXPECT_LT(run_of(KnownFlow::taylor_green, "6", 48).error,
            0.3 * run_of(KnownFlow::taylor_green, "2", 48).error);
}

TEST(Accuracy, costs_of_an_error_lie_on_a_line_between_logarithms) {
  const std::vector<AccuracyResult> results{{1e-1, 1, 0, 200}, {1e-2, 4, 0, 800}, {1e-4, 64, 0}};
  const auto seconds = [&](double error) {
    return cost_of_error(error, results, &AccuracyResult::seconds);
  };
  EXPECT_NEAR(seconds(1e-3), 16, 1e-12);
  EXPECT_NEAR(seconds(1e-1), 1, 1e-12);
  EXPECT_TRUE(std::isnan(seconds(1e-5)));
  EXPECT_TRUE(std::isnan(seconds(1)));
  EXPECT_NEAR(cost_of_error(std::sqrt(1e-3), results, &AccuracyResult::joules), 400, 1e-10);
  EXPECT_TRUE(std::isnan(cost_of_error(1e-3, results, &AccuracyResult::joules)));
}

}  // namespace
}  // namespace dns::bench::test_accuracy
