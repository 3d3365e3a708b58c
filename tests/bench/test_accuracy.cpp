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
  double before = 1;
  for (const int order : known_orders) {
    const double coarse = run_of(KnownFlow::moving_flow, order, 12).error;
    const double fine = run_of(KnownFlow::moving_flow, order, 18).error;
    // The step shrinks with the cells: the error of time, of third order above order 2, is all that
    // is left of order 8.
    EXPECT_GT(std::log(coarse / fine) / std::log(1.5), order == 2 ? 1.6 : 2.5) << order;
    EXPECT_LT(coarse, before) << order;
    before = coarse;
  }
}

TEST(Accuracy, the_vortex_comes_nearer_to_spectral_data_with_grid_and_order) {
  // A model of the scheme in another language: 0.16 at order 2 on 32^3, 0.14 at order 6 on 16^3.
  const double second = run_of(KnownFlow::taylor_green, 2, 32).error;
  EXPECT_NEAR(second, 0.157, 0.016);
  const double sixth = run_of(KnownFlow::taylor_green, 6, 16).error;
  EXPECT_NEAR(sixth, 0.141, 0.014);
  EXPECT_LT(run_of(KnownFlow::taylor_green, 6, 32).error, 0.5 * sixth);
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
