/// Numbers as text.
#include <gtest/gtest.h>

#include <clocale>
#include <limits>

#include "solver/core/number_text.hpp"

namespace dns::test_number_text {
namespace {

TEST(number_text, is_the_shortest_that_reads_back) {
  EXPECT_EQ(number_text(0.001), "0.001");
  EXPECT_EQ(number_text(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(number_text(500), "500");
  EXPECT_EQ(number_text(1000000), "1000000");
  EXPECT_EQ(number_text(-0.0), "-0");
}

TEST(number_text, has_a_point_where_it_has_an_exponent) {
  EXPECT_EQ(number_text(1e-5), "1.0e-05");
  EXPECT_EQ(number_text(1e300), "1.0e+300");
  EXPECT_EQ(number_text(1.5e-7), "1.5e-07");
}

TEST(number_text, reads_back_to_the_same_double) {
  for (const double number : {0.1 + 0.2,
                              -1e-300,
                              5e-324,
                              std::numeric_limits<double>::max(),
                              std::numeric_limits<double>::min(),
                              123456789.123456789,
                              1e9,
                              -999999999.0}) {
    EXPECT_EQ(number_from(number_text(number)), number);
  }
}

TEST(number_from, refuses_what_is_not_wholly_a_finite_number) {
  for (const char* const text :
       {"", "x", "1 2", "1,5", "0x10", "inf", "nan", "1e999", "+-1", "1_0"}) {
    EXPECT_FALSE(number_from(text)) << text;
  }
}

TEST(number_from, reads_signs_and_exponents) {
  EXPECT_EQ(number_from("+1.5"), 1.5);
  EXPECT_EQ(number_from("-2e3"), -2000);
  EXPECT_EQ(number_from(".5"), 0.5);
}

TEST(number_from, ignores_the_locale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr) GTEST_SKIP() << "no German locale here";
  EXPECT_EQ(number_from("1.5"), 1.5);
  EXPECT_EQ(number_text(1.5), "1.5");
  std::setlocale(LC_ALL, before.c_str());
}

TEST(whole_number_from, accepts_any_way_to_write_one) {
  EXPECT_EQ(whole_number_from("12"), 12);
  EXPECT_EQ(whole_number_from("1e3"), 1000);
  EXPECT_EQ(whole_number_from("8.0"), 8);
  EXPECT_EQ(whole_number_from("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
}

TEST(whole_number_from, refuses_fractions_and_overflow) {
  for (const char* const text : {"1.5", "1e-3", "9223372036854775808", "1e300", "", "ten"}) {
    EXPECT_FALSE(whole_number_from(text)) << text;
  }
}

}  // namespace
}  // namespace dns::test_number_text
