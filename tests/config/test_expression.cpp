/// Formulas of x, y, z, t.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <locale>
#include <numbers>
#include <string>
#include <utility>

#include "solver/config/expression.hpp"
#include "solver/core/error.hpp"

namespace dns {
namespace {

std::string reason_against(const std::string& text) {
  try {
    const Expression formula(text);
  } catch (const CaseError& error) {
    return error.what();
  }
  return {};
}

TEST(expression, without_arguments_is_the_constant_0) {
  const Expression formula;
  EXPECT_TRUE(formula.is_constant());
  EXPECT_EQ(formula(1, 2, 3, 4), 0);
  EXPECT_EQ(formula.text(), "0");
}

TEST(expression, of_a_number_is_that_number) {
  for (const double number : {0.1, -1e-300, 1.0 / 3, 5e-324, 1.7976931348623157e308, 1e22}) {
    const Expression formula(number);
    EXPECT_EQ(formula(1, 2, 3, 4), number);
    EXPECT_EQ(Expression(formula.text())(0, 0, 0, 0), number);
  }
}

TEST(expression, of_the_text_of_a_number_keeps_the_text) {
  EXPECT_EQ(Expression("1.50").text(), "1.50");
  EXPECT_EQ(Expression(" +2.5e0 ")(0, 0, 0, 0), 2.5);
}

TEST(expression, evaluates_a_formula) {
  const Expression formula("sin(pi*x)*exp(-t) + y^2 - z*e");
  const double expected =
      std::sin(std::numbers::pi * 0.3) * std::exp(-0.7) + 0.25 - 2.0 * std::numbers::e;
  // A few roundings of numbers below 8.
  EXPECT_NEAR(formula(0.3, 0.5, 2.0, 0.7), expected, 32 * std::numeric_limits<double>::epsilon());
  EXPECT_EQ(Expression("-x^2")(3, 0, 0, 0), -9);
  EXPECT_EQ(Expression("x < 2 ? 1 : 5")(3, 0, 0, 0), 5);
  EXPECT_EQ(Expression("x == 3")(3, 0, 0, 0), 1);
}

TEST(expression, knows_what_it_depends_on) {
  EXPECT_TRUE(Expression("2*pi").is_constant());
  EXPECT_FALSE(Expression("y").is_constant());
  EXPECT_FALSE(Expression("y").depends_on_time());
  EXPECT_TRUE(Expression("sin(t)").depends_on_time());
  EXPECT_FALSE(Expression("sin(t)").is_constant());
}

TEST(expression, is_copied_and_moved_with_its_own_variables) {
  Expression original("x+t");
  const Expression copy = original;
  EXPECT_EQ(original(1, 0, 0, 1), 2);
  EXPECT_EQ(copy(5, 0, 0, 1), 6);
  const Expression moved = std::move(original);
  EXPECT_EQ(moved(2, 0, 0, 3), 5);
  Expression assigned("y");
  assigned = copy;
  EXPECT_EQ(assigned(7, 0, 0, 0), 7);
  EXPECT_EQ(assigned.text(), "x+t");
}

/// Numbers with a comma, as in many languages.
struct CommaNumbers : std::numpunct<char> {
  [[nodiscard]] char do_decimal_point() const override { return ','; }
  [[nodiscard]] char do_thousands_sep() const override { return '.'; }
  [[nodiscard]] std::string do_grouping() const override { return "\3"; }
};

TEST(expression, ignores_the_locale) {
  const std::locale before =
      std::locale::global(std::locale(std::locale::classic(), new CommaNumbers));
  EXPECT_EQ(Expression("1.5*x")(2, 0, 0, 0), 3);
  EXPECT_EQ(Expression("1000.5")(0, 0, 0, 0), 1000.5);
  EXPECT_EQ(Expression(12345.5).text(), "12345.5");
  std::locale::global(before);
}

TEST(expression, refuses_an_unknown_name) {
  EXPECT_EQ(reason_against("1+qq*x"),
            "unknown name qq at position 3; known are x, y, z, t, pi, e and functions such as sin, "
            "exp, sqrt");
  EXPECT_EQ(reason_against("nan").substr(0, 16), "unknown name nan");
  EXPECT_EQ(reason_against("-inf").substr(0, 16), "unknown name inf");
}

TEST(expression, refuses_what_is_no_formula) {
  for (const std::string text : {"",
                                 "  ",
                                 "1+",
                                 "sin(x",
                                 "x)",
                                 "x y",
                                 "2x",
                                 "x = 1",
                                 "x += 1",
                                 "1, 2",
                                 "\"text\"",
                                 "sin()",
                                 "x # y",
                                 "x ** 2",
                                 "1e999",
                                 "\xc3\xa4"}) {
    EXPECT_NE(reason_against(text), "") << text;
  }
}

TEST(expression, names_the_position_counted_from_1) {
  EXPECT_EQ(reason_against("1+*2"), "unexpected operator \"*\" found at position 3");
  EXPECT_EQ(reason_against("x = 1"), "an assignment at position 3 (to compare, write ==)");
}

}  // namespace
}  // namespace dns
