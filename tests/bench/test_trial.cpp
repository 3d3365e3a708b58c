/// How variants are checked and timed.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bench/host.hpp"
#include "bench/studies/study.hpp"
#include "bench/trial.hpp"
#include "solver/core/error.hpp"
#include "tests/message_of.hpp"

namespace dns::bench::test_trial {
namespace {

TEST(Trial, the_median_is_the_middle_value_or_the_mean_of_two) {
  EXPECT_EQ(median({3}), 3);
  EXPECT_EQ(median({9, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 100, 2}), 3);
}

TEST(Trial, sets_exceed_the_cache_four_times_within_memory) {
  EXPECT_EQ(sets_beyond_cache(100, 10, 1000), 1);
  EXPECT_EQ(sets_beyond_cache(10, 100, 100000), 40);
  EXPECT_EQ(sets_beyond_cache(10, 100, 70), 7);
  EXPECT_EQ(sets_beyond_cache(10, 100, 5), 1);
}

/// A trial whose reference is 1 and which counts what happens.
struct Counted {
  double output = 0;
  int timings = 0;
  Trial trial;

  Counted() {
    trial.tolerance = 0.5;
    trial.bytes = 100;
    trial.poison = [this] { output = std::numeric_limits<double>::quiet_NaN(); };
    trial.error = [this] { return std::abs(output - 1); };
    trial.seconds = [this](const Variant&) {
      ++timings;
      return 2.0;
    };
  }
};

TEST(Trial, a_right_variant_is_timed) {
  Counted counted;
  const Measurement m =
      measure(counted.trial, {"right", "x", 3, [&](int) { counted.output = 1.25; }});
  EXPECT_TRUE(m.is_right());
  EXPECT_EQ(m.error, 0.25);
  EXPECT_EQ(m.seconds, 2);
  EXPECT_EQ(m.bandwidth(), 50);
  EXPECT_EQ(m.threads, 3);
}

TEST(Trial, a_variant_that_is_wrong_or_leaves_its_output_alone_is_not_timed) {
  Counted counted;
  const Measurement wrong =
      measure(counted.trial, {"wrong", "", 1, [&](int) { counted.output = 2; }});
  EXPECT_FALSE(wrong.is_right());
  EXPECT_TRUE(std::isnan(wrong.seconds));
  const Measurement idle = measure(counted.trial, {"idle", "", 1, [](int) {}});
  EXPECT_FALSE(idle.is_right());
  EXPECT_EQ(counted.timings, 0);
}

TEST(Trial, inputs_are_restored_before_every_execution) {
  int restored = 0;
  int executed = 0;
  const Variant variant{"destructive",
                        "",
                        1,
                        [&](int) {
                          ++executed;
                          EXPECT_EQ(restored, executed);
                        },
                        [&](int) { ++restored; }};
  EXPECT_GE(host_seconds(variant, 2, 0), 0);
  EXPECT_GE(executed, 5);
}

TEST(Trial, a_nan_makes_the_largest_error_infinite) {
  EXPECT_EQ(largest_error(5, [](std::size_t n) { return static_cast<double>(n); }), 4);
  EXPECT_TRUE(std::isinf(largest_error(
      5, [](std::size_t n) { return n == 2 ? std::numeric_limits<double>::quiet_NaN() : 0.0; })));
}

TEST(Trial, too_little_memory_is_an_error_that_says_what_for) {
  EXPECT_NO_THROW(require_memory(10, 10, "a field"));
  EXPECT_EQ(message_of<DeviceError>([] {
              require_memory(std::size_t{3} << 20U, std::size_t{2} << 20U, "a field");
            }).find("a field needs 3 MiB, but only 2 MiB"),
            0U);
}

}  // namespace
}  // namespace dns::bench::test_trial
