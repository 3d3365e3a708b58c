/// Formulas of x, y, z, t.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <locale>
#include <numbers>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "solver/config/expression.hpp"
#include "solver/core/error.hpp"
#include "tests/message_of.hpp"

namespace dns::test_expression {
namespace {

std::string reason_against(const std::string& text) {
  return message_of<CaseError>([&] { return Expression(text); });
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

TEST(expression, binds_operators_as_mathematics_does) {
  const std::vector<std::pair<std::string, double>> values{
      {"1-2-3", -4},    {"1+2*3^2", 19},  {"24/4/2", 3},    {"2^3^2", 512},    {"2^-1^2", 0.5},
      {"-2^2", -4},     {"(-2)^2", 4},    {"2*-3^2", -18},  {"1- -1", 2},      {"1--1", 2},
      {"1+2<4", 1},     {"(3>2)>1", 0},   {"(3!=2)==1", 1}, {"2<=1||3>=3", 1}, {"1||0&&0", 1},
      {"0.5&&0.25", 1}, {"0||0", 0},      {"0?1:0?2:3", 3}, {"1?0?2:3:4", 3},  {"0||1?2+3:4+5", 5},
      {"1+(0?2:3)", 4}, {"\t1 +\n2 ", 3}, {".5e1+5.", 10}};
  for (const auto& [text, value] : values) {
    EXPECT_EQ(Expression(text)(0, 0, 0, 0), value) << text;
    EXPECT_TRUE(Expression(text).is_constant()) << text;
  }
}

/// Arguments at which each is defined, in a formula of constants and in one of variables.
TEST(expression, knows_the_functions_of_mathematics) {
  const std::vector<std::pair<std::string, double (*)(double)>> functions{{"sin", std::sin},
                                                                          {"cos", std::cos},
                                                                          {"tan", std::tan},
                                                                          {"asin", std::asin},
                                                                          {"acos", std::acos},
                                                                          {"atan", std::atan},
                                                                          {"sinh", std::sinh},
                                                                          {"cosh", std::cosh},
                                                                          {"tanh", std::tanh},
                                                                          {"asinh", std::asinh},
                                                                          {"atanh", std::atanh},
                                                                          {"exp", std::exp},
                                                                          {"log", std::log},
                                                                          {"ln", std::log},
                                                                          {"log2", std::log2},
                                                                          {"log10", std::log10},
                                                                          {"sqrt", std::sqrt},
                                                                          {"abs", std::fabs}};
  for (const auto& [name, function] : functions) {
    EXPECT_EQ(Expression(name + "(0.3)")(0, 0, 0, 0), function(0.3)) << name;
    EXPECT_EQ(Expression(name + "(y)")(0, 0.3, 0, 0), function(0.3)) << name;
  }
  EXPECT_EQ(Expression("acosh(x)")(1.5, 0, 0, 0), std::acosh(1.5));
  EXPECT_EQ(Expression("atan2(x, y)")(-1, -2, 0, 0), std::atan2(-1.0, -2.0));
  EXPECT_EQ(Expression("sign(x)+10*sign(y)+100*sign(z)")(-3, 0, 0.1, 0), 99);
  EXPECT_EQ(Expression("rint(x)+100*rint(y)")(2.25, -1.75, 0, 0), 2 - 200);
  EXPECT_EQ(Expression("min(x, 3, y)")(2, 1, 0, 0), 1);
  EXPECT_EQ(Expression("max(x, 3, y)")(2, 1, 0, 0), 3);
  EXPECT_EQ(Expression("sum(x)+10*sum(x, y, z, t)")(1, 2, 3, 4), 101);
  EXPECT_EQ(Expression("avg(x, y, z, t)")(1, 2, 3, 6), 3);
}

TEST(expression, rounds_to_the_nearest_whole_number_and_halves_to_even) {
  const std::vector<std::pair<double, double>> values{{0.49999999999999994, 0},
                                                      {0.5, 0},
                                                      {0.5000000000000001, 1},
                                                      {1.5, 2},
                                                      {2.5, 2},
                                                      {-0.5, 0},
                                                      {-1.5, -2},
                                                      {4503599627370497, 4503599627370497},
                                                      {4503599627370495.5, 4503599627370496},
                                                      {-9007199254740991, -9007199254740991},
                                                      {1e300, 1e300},
                                                      {5e-324, 0}};
  for (const auto& [number, rounded] : values) {
    EXPECT_EQ(Expression("rint(x)")(number, 0, 0, 0), rounded) << number;
    EXPECT_EQ(Expression("rint(" + Expression(number).text() + ")")(0, 0, 0, 0), rounded) << number;
  }
}

/// The same of constants as of variables, here y = 0.
TEST(expression, with_an_undefined_part_is_undefined_in_any_order) {
  const std::vector<std::string> undefined{
      "max(1, 0/0)",    "max(0/0, 1)", "min(1, 0/0)", "min(0/0, 1)",  "max(1, 0/0, 2)",
      "sign(0/0)",      "abs(0/0)",    "rint(0/0)",   "-(0/0)",       "(0/0)^0",
      "1^(0/0)",        "(0/0) < 1",   "1 < 0/0",     "(0/0) <= 1",   "1 <= 0/0",
      "(0/0) > 1",      "1 > 0/0",     "(0/0) >= 1",  "1 >= 0/0",     "(0/0) == 1",
      "1 == 0/0",       "(0/0) != 1",  "1 != 0/0",    "(0/0) != 0/0", "1 && 0/0",
      "0/0 && 1",       "0 || 0/0",    "0/0 || 0",    "0/0 && 0/0",   "0/0 || 0/0",
      "0/0 ? 1 : 2",    "1 ? 0/0 : 2", "0 ? 1 : 0/0", "0*(0/0)",      "atan2(0/0, 1)",
      "atan2(1, 0/0)",  "sum(1, 0/0)", "avg(0/0, 1)", "exp(0/0)",     "sqrt(-1) < 1 ? 2 : 3",
      "max(1, log(-1))"};
  const std::vector<std::pair<std::string, double>> defined{{"1 ? 2 : 0/0", 2},
                                                            {"0 ? 0/0 : 3", 3},
                                                            {"0 && 0/0", 0},
                                                            {"0/0 && 0", 0},
                                                            {"1 || 0/0", 1},
                                                            {"0/0 || 1", 1},
                                                            {"1/0 > 2", 1},
                                                            {"1/0 > -1/0", 1},
                                                            {"max(1, -1/0)", 1},
                                                            {"min(1, 1/0)", 1},
                                                            {"sign(-1/0)", -1},
                                                            {"1/(1/0)", 0}};
  const auto value = [](std::string text, const std::string& zero) {
    for (std::size_t at = text.find("0/0"); at != std::string::npos;
         at = text.find("0/0", at + zero.size() + 2))
      text.replace(at, 3, "0/" + zero);
    return Expression(text)(1, 0, 0, 0);
  };
  for (const std::string zero : {"0", "y"}) {
    for (const std::string& text : undefined) EXPECT_TRUE(std::isnan(value(text, zero))) << text;
    for (const auto& [text, number] : defined) EXPECT_EQ(value(text, zero), number) << text;
  }
}

TEST(expression, keeps_denormal_and_huge_numbers) {
  const double tiny = 5e-324;
  EXPECT_EQ(Expression("5e-324 > 0 ? 1 : 0")(0, 0, 0, 0), 1);
  EXPECT_EQ(Expression("x*5e-324 > 0 ? 1 : 0")(1, 0, 0, 0), 1);
  EXPECT_EQ(Expression("x*5e-324")(3, 0, 0, 0), 3 * tiny);
  EXPECT_EQ(Expression("(4*x + 2)*1e308")(-0.375, 0, 0, 0), 0.5 * 1e308);
  EXPECT_EQ(Expression("x*1e200*1e200/1e250")(0x1p-200, 0, 0, 0), 0x1p-200 * 1e200 * 1e200 / 1e250);
}

/// k*x + c with constants k and c, however it is written, is evaluated as that: two roundings.
TEST(expression, keeps_linear_formulas_linear) {
  const double k = 2 * std::numbers::pi / 3;
  for (const double x : {0.1, 0.7, 1.9, -33.3}) {
    for (const std::string text : {"2*pi*x/3", "x*2*pi/3", "2*(pi*x)/3"})
      EXPECT_EQ(Expression(text)(x, 0, 0, 0), k * x) << text;
    EXPECT_EQ(Expression("x/3")(x, 0, 0, 0), x / 3);
    EXPECT_EQ(Expression("3*x-x-x+1")(x, 0, 0, 0), x + 1);
    EXPECT_EQ(Expression("1-x")(x, 0, 0, 0), 1 - x);
    EXPECT_FALSE(std::signbit(Expression("x-x")(x, 0, 0, 0)));
    EXPECT_EQ(Expression("x^2")(x, 0, 0, 0), x * x);
    EXPECT_EQ(Expression("x^3")(x, 0, 0, 0), x * x * x);
    EXPECT_EQ(Expression("x^4")(x, 0, 0, 0), x * x * x * x);
    EXPECT_EQ(Expression("x^5")(x, 0, 0, 0), std::pow(x, 5));
  }
}

/// A random formula, as text and as a function of {x, y, z, t} that is put together by itself.
struct RandomFormula {
  std::string text;
  std::function<double(const std::array<double, 4>&)> value;
};

/// Sums and products of the constants and of x, y, z, t in eighths are exact, so that it does not
/// matter in which order they are formed.
class RandomFormulas {
 public:
  RandomFormula next(int depth) {
    const int kind = depth == 0 ? upto(2) : upto(7);
    if (kind < 2) {
      const auto which = static_cast<std::size_t>(upto(4));
      return {std::string(1, "xyzt"[which]), [which](const auto& v) { return v.at(which); }};
    }
    if (kind == 2) {
      const double constant = std::array{0.5, 2.0, 3.0, -0.25}.at(upto(4));
      return {fmt_of(constant), [constant](const auto&) { return constant; }};
    }
    RandomFormula a = next(depth - 1);
    if (kind == 3) {
      const std::vector<std::pair<std::string, double (*)(double)>> functions{
          {"sin", std::sin},
          {"-", [](double x) { return -x; }},
          {"exp", std::exp},
          {"atan", std::atan},
          {"abs", std::fabs},
          {"0/", [](double x) { return 0 / x; }},
          {"rint", rounded},
          {"sign", [](double x) {
             return x > 0 ? 1 : x < 0 ? -1 : x == 0 ? 0 : x;
           }}};
      const auto& [name, function] = functions[upto(8)];
      return {name + "(" + a.text + ")",
              [f = function, a](const auto& v) { return f(a.value(v)); }};
    }
    RandomFormula b = next(depth - 1);
    if (kind == 4) {
      RandomFormula c = next(depth - 1);
      return {"((" + a.text + ") ? " + b.text + " : " + c.text + ")", [a, b, c](const auto& v) {
                const double condition = a.value(v);
                if (std::isnan(condition)) return condition;
                return condition != 0 ? b.value(v) : c.value(v);
              }};
    }
    const std::vector<std::pair<std::string, std::function<double(double, double)>>> operations{
        {"+", [](double x, double y) { return x + y; }},
        {"-", [](double x, double y) { return x - y; }},
        {"*", [](double x, double y) { return x * y; }},
        {"<", defined([](double x, double y) { return double(x < y); })},
        {">=", defined([](double x, double y) { return double(x >= y); })},
        {"==", defined([](double x, double y) { return double(x == y); })},
        {"!=", defined([](double x, double y) { return double(x != y); })},
        {"&&",
         [](double x, double y) {
           if (x == 0 || y == 0) return 0.0;
           return defined([](double, double) { return 1.0; })(x, y);
         }},
        {"||",
         [](double x, double y) {
           const bool is_true = (!std::isnan(x) && x != 0) || (!std::isnan(y) && y != 0);
           return is_true ? 1.0 : x + y;
         }},
        {"max", defined([](double x, double y) { return std::max(x, y); })},
        {"min", defined([](double x, double y) { return std::min(x, y); })}};
    const auto& [symbol, operation] = operations[upto(11)];
    const std::string text = symbol[0] == 'm' ? symbol + "(" + a.text + ", " + b.text + ")"
                                              : "(" + a.text + ")" + symbol + "(" + b.text + ")";
    return {text, [f = operation, a, b](const auto& v) { return f(a.value(v), b.value(v)); }};
  }

  std::array<double, 4> point() {
    std::array<double, 4> eighths{};
    for (double& coordinate : eighths) coordinate = (upto(33) - 16) / 8.0;
    return eighths;
  }

 private:
  int upto(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  /// NaN where one of two operands is.
  static std::function<double(double, double)> defined(double (*value)(double, double)) {
    return [value](double x, double y) {
      return std::isnan(x) || std::isnan(y) ? std::nan("") : value(x, y);
    };
  }
  /// The nearest whole number, from its distances to those around it.
  static double rounded(double x) {
    const double low = std::floor(x);
    if (!std::isfinite(x) || low == x) return x;
    const double above = x - low;
    const bool is_low = above < 0.5 || (above == 0.5 && std::fmod(low, 2) == 0);
    return is_low ? low : low + 1;
  }
  static std::string fmt_of(double constant) { return Expression(constant).text(); }

  std::mt19937 random_;
};

TEST(expression, has_the_values_of_random_formulas) {
  RandomFormulas formulas;
  int finite = 0;
  int undefined = 0;
  for (int n = 0; n < 3000; ++n) {
    const RandomFormula formula = formulas.next(n % 6);
    const Expression expression(formula.text);
    for (int m = 0; m < 5; ++m) {
      const auto v = formulas.point();
      const double expected = formula.value(v);
      const double value = expression(v[0], v[1], v[2], v[3]);
      if (std::isnan(expected)) {
        ++undefined;
        EXPECT_TRUE(std::isnan(value)) << formula.text;
        continue;
      }
      ASSERT_EQ(value, expected) << formula.text;
      finite += std::isfinite(value) ? 1 : 0;
    }
  }
  EXPECT_GT(finite, 10000);
  EXPECT_GT(undefined, 50);
}

TEST(expression, serves_many_threads_at_once) {
  const Expression shared("sin(x)*exp(-t)+(y>0 ? x^3 : z)");
  std::array<int, 4> wrong{};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int n = 0; n < 20000; ++n) {
        const double x = n + thread;
        const double expected = std::sin(x) * std::exp(-0.5) + (n % 2 > 0 ? x * x * x : 7);
        if (shared(x, n % 2, 7, 0.5) != expected) ++wrong.at(thread);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, (std::array<int, 4>{}));
}

TEST(expression, takes_long_formulas) {
  std::string terms = "x";
  std::string polynomial = "1";
  std::string pieces = "x";
  for (int n = 1; n <= 60; ++n) {
    polynomial = "1+x*(" + polynomial + ")";
    pieces = "x < " + std::to_string(n) + " ? " + std::to_string(n) + " : " + pieces;
  }
  for (int n = 0; n < 3000; ++n) terms += "+y*x";
  EXPECT_EQ(Expression(terms)(2, 3, 0, 0), 18002);
  EXPECT_EQ(Expression(polynomial)(-1, 0, 0, 0), 1);
  EXPECT_EQ(Expression(polynomial)(1, 0, 0, 0), 61);
  EXPECT_EQ(Expression(pieces)(30.5, 0, 0, 0), 60);
  EXPECT_EQ(Expression(pieces)(70, 0, 0, 0), 70);
}

TEST(expression, refuses_what_is_nested_too_deeply) {
  EXPECT_EQ(reason_against(std::string(100000, '(')), "it is nested too deeply at position 101");
  std::string power = "x";
  std::string difference = "x*y";
  for (int n = 0; n < 10000; ++n) power += "^x";
  for (int n = 0; n < 40; ++n) difference = "x*y-(" + difference + ")";
  EXPECT_EQ(reason_against(power).substr(0, 23), "it is nested too deeply");
  EXPECT_EQ(reason_against(difference), "more than 32 values are needed at once to compute it");
}

TEST(expression, knows_what_it_depends_on) {
  EXPECT_FALSE(Expression("0*x").is_constant());
  EXPECT_FALSE(Expression("x^0").is_constant());
  EXPECT_TRUE(Expression("sin(0)").is_zero());
  EXPECT_FALSE(Expression("0*x").is_zero());
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

TEST(expression, refuses_a_chain_of_comparisons_with_the_right_form) {
  const auto reason = [](int position, const std::string& form) {
    return "a chain of comparisons at position " + std::to_string(position) + ": write " + form +
           ", or set parentheses";
  };
  const std::vector<std::pair<std::string, std::string>> reasons{
      {"0.25 < x < 0.75 ? 1 : 0", reason(10, "0.25 < x && x < 0.75")},
      {"1<2<3", reason(4, "1<2 && 2 < 3")},
      {"x == y == z", reason(8, "x == y && y == z")},
      {"0 <= x <= 1", reason(8, "0 <= x && x <= 1")},
      {"3 != 2 == 1", reason(8, "3 != 2 && 2 == 1")},
      {"1 > x >= y > -2", reason(7, "1 > x && x >= y && y > -2")},
      {"max(x, 0 < x+y\n < 1)", reason(17, "0 < x+y && x+y < 1")},
      {"1 + (x < y < z)", reason(12, "x < y && y < z")},
      {"0 < x < " + std::string(200, '1'), reason(7, "a < b && b < c")},
      {"0 < x < ", "unexpected end of expression at position 9"}};
  for (const auto& [text, expected] : reasons) EXPECT_EQ(reason_against(text), expected) << text;
  for (const double x : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    EXPECT_EQ(Expression("0.25 < x && x < 0.75")(x, 0, 0, 0), x == 0.5 ? 1 : 0);
    EXPECT_EQ(Expression("(0.25 < x) < 0.75")(x, 0, 0, 0), x > 0.25 ? 0 : 1);
    EXPECT_EQ(Expression("x < 0.5 || x > 0.5")(x, 0, 0, 0), x == 0.5 ? 0 : 1);
  }
}

TEST(expression, names_the_position_counted_from_1) {
  const std::vector<std::pair<std::string, std::string>> reasons{
      {"1+*2", "unexpected operator \"*\" found at position 3"},
      {"x = 1", "an assignment at position 3 (to compare, write ==)"},
      {"x <= 1 = y", "an assignment at position 8 (to compare, write ==)"},
      {"1+", "unexpected end of expression at position 3"},
      {"--x", "unexpected operator \"-\" found at position 2"},
      {"x y", "unexpected \"y\" found at position 3"},
      {"2x", "unexpected \"x\" found at position 2"},
      {"x)", "unexpected \")\" found at position 2"},
      {"()", "unexpected \")\" found at position 2"},
      {"1, 2", "unexpected \",\" found at position 2"},
      {"(1, 2)", "unexpected \",\" found at position 3"},
      {"x ? 1", "unexpected end of expression at position 6"},
      {"x : 1", "unexpected \":\" found at position 3"},
      {"1 + \xc3\xa4 + 1", "unexpected \"\xc3\xa4\" found at position 5"},
      {"sin(x", "missing parenthesis \")\" at position 6"},
      {"1e999*x", "the number at position 1 is out of range"},
      {"1+sin()", "function sin at position 3 takes 1 value, not 0"},
      {"sin(x, y)", "function sin at position 1 takes 1 value, not 2"},
      {"atan2(x)", "function atan2 at position 1 takes 2 values, not 1"},
      {"max()", "function max at position 1 takes 1 or more values, not 0"},
      {"2*sin (x)",
       "function sin at position 3: its values stand in parentheses, without a blank before them"}};
  for (const auto& [text, reason] : reasons) EXPECT_EQ(reason_against(text), reason) << text;
}

}  // namespace
}  // namespace dns::test_expression
