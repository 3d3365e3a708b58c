/// Numbers as people read them.
#include <gtest/gtest.h>

#include <limits>

#include "solver/run/words.hpp"

namespace dns::test_words {
namespace {

constexpr double minute = 60;
constexpr double hour = 60 * minute;
constexpr double day = 24 * hour;

TEST(in_words_duration, names_the_two_largest_units) {
  EXPECT_EQ(in_words_duration(0), "0 s");
  EXPECT_EQ(in_words_duration(0.0123), "12.3 ms");
  EXPECT_EQ(in_words_duration(3.44), "3.4 s");
  EXPECT_EQ(in_words_duration(4 * minute + 12), "4m12s");
  EXPECT_EQ(in_words_duration(hour + 2 * minute), "1h02m");
  EXPECT_EQ(in_words_duration(47 * hour), "47h00m");
  EXPECT_EQ(in_words_duration(2 * day), "2d00h");
  EXPECT_EQ(in_words_duration(2 * day + 3 * hour + 59 * minute), "2d03h");
  EXPECT_EQ(in_words_duration(999 * day + 23 * hour), "999d23h");
}

TEST(in_words_duration, goes_on_to_the_next_unit_where_rounding_would_fill_one) {
  EXPECT_EQ(in_words_duration(0.9996), "1.0 s");
  EXPECT_EQ(in_words_duration(59.94), "59.9 s");
  EXPECT_EQ(in_words_duration(59.96), "1m00s");
  EXPECT_EQ(in_words_duration(hour - 0.4), "1h00m");
}

TEST(in_words_duration, of_any_length_is_one_line_of_few_letters) {
  EXPECT_EQ(in_words_duration(1000 * day), "2.74 years");
  EXPECT_EQ(in_words_duration(1e30), "3.17e+22 years");
}

TEST(in_words_duration, of_what_is_none_is_a_question_mark) {
  EXPECT_EQ(in_words_duration(-1), "?");
  EXPECT_EQ(in_words_duration(std::numeric_limits<double>::infinity()), "?");
  EXPECT_EQ(in_words_duration(std::numeric_limits<double>::quiet_NaN()), "?");
}

TEST(in_words_bytes, has_three_digits_and_powers_of_1000) {
  EXPECT_EQ(in_words_bytes(512), "512 B");
  EXPECT_EQ(in_words_bytes(999.6), "1 kB");
  EXPECT_EQ(in_words_bytes(1.234e6), "1.23 MB");
  EXPECT_EQ(in_words_bytes(45e9), "45 GB");
  EXPECT_EQ(in_words_bytes(1e18), "1e+03 PB");
}

TEST(in_words_count, has_no_blank_behind_a_small_number) {
  EXPECT_EQ(in_words_count(640), "640");
  EXPECT_EQ(in_words_count(12345), "12.3 k");
  EXPECT_EQ(in_words_count(7077888), "7.08 M");
}

}  // namespace
}  // namespace dns::test_words
