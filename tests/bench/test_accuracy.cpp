/// Errors of known flows, as `dns bench accuracy` measures them.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "bench/accuracy.hpp"

namespace dns::bench {
namespace {

AccuracyResult run_of(KnownFlow flow, int order, int points) {
  AccuracyRun run;
  run.flow = flow;
  run.order = order;
  run.points = points;
  return measure_accuracy(run);
}

TEST(Accuracy, errors_of_the_moving_flow_fall_with_the_order) {
  // Of the pairs of grids, the coarser ones do not yet resolve what the order promises in full, and
  // the step, which shrinks too, has an error of third order, a small one.
  for (const int order : known_orders) {
    const double coarse = run_of(KnownFlow::moving_flow, order, 12).error;
    const double fine = run_of(KnownFlow::moving_flow, order, 18).error;
    const double measured = std::log(coarse / fine) / std::log(1.5);
    EXPECT_GT(measured, 0.75 * order) << order;
    EXPECT_LT(measured, 1.1 * order) << order;
  }
}

TEST(Accuracy, the_vortex_comes_nearer_to_spectral_data_with_grid_and_order) {
  const double second = run_of(KnownFlow::taylor_green, 2, 16).error;
  const double sixth = run_of(KnownFlow::taylor_green, 6, 16).error;
  const double finer = run_of(KnownFlow::taylor_green, 6, 24).error;
  EXPECT_LT(second, 1);
  EXPECT_LT(sixth, second);
  EXPECT_LT(finer, sixth);
}

TEST(Accuracy, seconds_to_an_error_lie_on_a_line_between_logarithms) {
  const std::vector<AccuracyResult> results{{1e-1, 1, 0}, {1e-2, 4, 0}, {1e-4, 64, 0}};
  EXPECT_NEAR(seconds_to_error(1e-3, results), 16, 1e-12);
  EXPECT_NEAR(seconds_to_error(1e-1, results), 1, 1e-12);
  EXPECT_TRUE(std::isnan(seconds_to_error(1e-5, results)));
  EXPECT_TRUE(std::isnan(seconds_to_error(1, results)));
}

}  // namespace
}  // namespace dns::bench
