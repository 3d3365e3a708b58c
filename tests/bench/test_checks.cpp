/// The checks of the studies accept what is right and find a single wrong value.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "bench/studies/cpu_scalar.hpp"
#include "bench/studies/dissipation_check.hpp"
#include "bench/studies/splitting_input.hpp"
#include "bench/studies/tridiagonal_input.hpp"

namespace dns::bench::test_checks {
namespace {

constexpr int points = 19;
constexpr std::size_t count = std::size_t{points} * points * points;

TEST(Checks, random_values_differ_and_stay_in_their_range) {
  std::set<double> values;
  for (std::size_t n = 0; n < 1000; ++n) {
    values.insert(scattered(n, 0));
    values.insert(scattered(n, 1));
    EXPECT_GE(scattered(n, 0), 0);
    EXPECT_LT(scattered(n, 0), 1);
  }
  EXPECT_EQ(values.size(), 2000U);
}

TEST(Checks, lines_cover_every_node_once) {
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    const LineSet lines = LineSet::along(axis, points);
    std::vector<int> met(count);
    for (int line = 0; line < lines.count(); ++line) {
      for (int m = 0; m < points; ++m) {
        ++met.at(lines.first(line) + m * lines.row_stride);
      }
    }
    EXPECT_EQ(std::count(met.begin(), met.end(), 1), static_cast<std::ptrdiff_t>(count));
  }
}

TEST(Checks, a_tridiagonal_solution_is_accepted_and_one_wrong_value_found) {
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    const TridiagonalInput input{axis, points};
    std::vector<double> lower(count);
    std::vector<double> diagonal(count);
    std::vector<double> upper(count);
    std::vector<double> rhs(count);
    std::vector<double> x(count);
    for (std::size_t n = 0; n < count; ++n) {
      lower[n] = input.lower(n);
      diagonal[n] = input.diagonal(n);
      upper[n] = input.upper(n);
      rhs[n] = input.rhs(n);
    }
    const TridiagonalArrays<double> arrays{
        lower.data(), diagonal.data(), upper.data(), rhs.data(), x.data()};
    const LineSet lines = LineSet::along(axis, points);
    std::vector<double> scratch(points);
    solve_lines_scalar(arrays, lines, 0, lines.count(), scratch.data());
    EXPECT_LE(tridiagonal_error(arrays, input), tridiagonal_tolerance<double>);
    for (const std::size_t n : {std::size_t{0}, count / 2, count - 1}) {
      const double before = x[n];
      x[n] += 1e-9;
      EXPECT_GT(tridiagonal_error(arrays, input), tridiagonal_tolerance<double>) << n;
      x[n] = before;
    }
  }
}

/// Solves the rows of a splitting sweep by elimination and relaxes N.
template <Axis axis>
void solve_splitting(const StudyRows<axis, double>& rows, LevelView<double> next) {
  const int last = points - 2;
  const auto solve_line = [&](Index3 line) {
    for (int unknown = 0; unknown < variables_per_level; ++unknown) {
      const int matrix = SharedVelocityMatrix::matrix_of(unknown);
      double upper[points] = {};
      double rhs[points] = {};
      for (int m = 1; m <= last; ++m) {
        const auto row = row_at(rows, placed<axis>(line, m), {m == 1, m == last});
        const double pivot = row.diagonal[matrix] - row.lower[matrix] * upper[m - 1];
        upper[m] = row.upper[matrix] / pivot;
        rhs[m] = (row.rhs[unknown] - row.lower[matrix] * rhs[m - 1]) / pivot;
      }
      double x = 0;
      for (int m = last; m >= 1; --m) {
        const Index3 c = placed<axis>(line, m);
        x = rhs[m] - upper[m] * x;
        next.set(unknown, c, 0.5 * (rows.nonlinear(unknown, c) + x));
      }
    }
  };
  for (int a = 1; a <= last; ++a) {
    for (int b = 1; b <= last; ++b) {
      if constexpr (axis == Axis::x) solve_line({0, a, b});
      if constexpr (axis == Axis::y) solve_line({a, 0, b});
      if constexpr (axis == Axis::z) solve_line({a, b, 0});
    }
  }
}

template <Axis axis>
void expect_splitting_check_works() {
  std::vector<double> source(4 * count);
  std::vector<double> nonlinear(4 * count);
  std::vector<double> next(4 * count);
  std::vector<double> face(count / points);
  for (std::size_t n = 0; n < 4 * count; ++n) {
    source[n] = level_value(0, static_cast<int>(n / count), n % count);
    nonlinear[n] = level_value(1, static_cast<int>(n / count), n % count);
  }
  for (std::size_t n = 0; n < face.size(); ++n) face[n] = face_value(n);
  const auto rows = study_rows<axis, double>(dense_level(source.data(), points),
                                             dense_level(nonlinear.data(), points).as_const(),
                                             face.data(),
                                             points);
  const LevelView<double> result = dense_level(next.data(), points);
  solve_splitting<axis>(rows, result);
  const auto error = [&] { return splitting_error<axis>(rows, result.as_const(), points); };
  EXPECT_LE(error(), splitting_tolerance<double>);
  for (int variable = 0; variable < variables_per_level; ++variable) {
    for (const Index3 c : {Index3{1, 1, 1}, Index3{points - 2, 5, 6}}) {
      const double before = result(variable, c);
      result.set(variable, c, before + 1e-9);
      EXPECT_GT(error(), splitting_tolerance<double>);
      result.set(variable, c, std::numeric_limits<double>::quiet_NaN());
      EXPECT_TRUE(std::isinf(error())) << "NaN of variable " << variable;
      result.set(variable, c, before);
    }
  }
}

TEST(Checks, a_splitting_sweep_is_accepted_and_one_wrong_value_found) {
  expect_splitting_check_works<Axis::x>();
  expect_splitting_check_works<Axis::y>();
  expect_splitting_check_works<Axis::z>();
}

TEST(Checks, the_dissipation_of_a_linear_flow_is_its_formula) {
  // u = a x + b y, v = c y + d z, w = e z + f x with x, y, z in [0, 1].
  constexpr double a = 0.1;
  constexpr double b = 0.2;
  constexpr double c = 0.3;
  constexpr double d = 0.4;
  constexpr double e = 0.5;
  constexpr double f = 0.6;
  constexpr double h = 1.0 / (points - 1);
  std::vector<double> u(count);
  std::vector<double> v(count);
  std::vector<double> w(count);
  std::vector<double> phi(count);
  for (std::size_t n = 0; n < count; ++n) {
    const double x = h * static_cast<double>(n % points);
    const std::size_t line = n / points;
    const std::size_t plane = line / points;
    const double y = h * static_cast<double>(line % points);
    const double z = h * static_cast<double>(plane);
    u[n] = a * x + b * y;
    v[n] = c * y + d * z;
    w[n] = e * z + f * x;
  }
  const VelocityField<double> field{u.data(), v.data(), w.data(), phi.data(), points};
  dissipation_scalar(field, 1, points - 1);
  const std::size_t middle = count / 2;
  EXPECT_NEAR(phi[middle], 2 * (a * a + c * c + e * e) + b * b + f * f + d * d, 1e-13);
  EXPECT_LE(dissipation_error(field), dissipation_tolerance<double>);
  phi[middle] += 1e-9;
  EXPECT_GT(dissipation_error(field), dissipation_tolerance<double>);
}

}  // namespace
}  // namespace dns::bench::test_checks
