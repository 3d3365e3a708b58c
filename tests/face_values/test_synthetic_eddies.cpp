/// Synthetic turbulence against what is known of it: means, stresses, correlations, flatness.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "solver/core/error.hpp"
#include "solver/face_values/reynolds_stresses.hpp"
#include "solver/face_values/synthetic_eddies.hpp"
#include "tests/face_values/eddy_statistics.hpp"
#include "tests/message_of.hpp"

namespace dns::test_synthetic_eddies {
namespace {

using Fluctuations = PerAxis<std::vector<double>>;

constexpr std::array every_axis{Axis::x, Axis::y, Axis::z};

/// Calls visit(e) with the fluctuations at independent times; all phases of the eddies occur.
template <class Visit>
void at_independent_times(const SyntheticEddies& eddies,
                          const std::vector<double>& a,
                          const std::vector<double>& b,
                          int times,
                          const Visit& visit) {
  const double interval = 1.0 + 0.1180339887498949;  // in renewal times
  for (int n = 0; n < times; ++n)
    visit(eddies.unit_fluctuations(a, b, n * interval * renewal_time(eddies.settings())));
}

/// All six stresses of a realizable tensor that differs from point to point.
ReynoldsStresses stresses_at(std::size_t point) {
  const double scale = 0.5 + 0.25 * static_cast<double>(point);
  return {2 * scale, 0.5 * scale, scale, -0.6 * scale, 0.4 * scale, 0.3 * scale};
}

/// At the ends of the plane and within, for every normal axis: 5 standard errors, so that none of
/// the 160 comparisons fails by chance, of 2 % of the deviations at most.
TEST(synthetic_eddies, have_the_stresses_asked_for_at_every_point) {
  for (const Axis normal : every_axis) {
    const EddySettings settings = plane_across(normal);
    const SyntheticEddies eddies(settings);
    const auto [first, second] = axes_in_plane(normal);
    const std::vector<double> a = points_along(settings, first, 3);
    std::vector<double> b = points_along(settings, second, 3);
    b.pop_back();  // the period's end
    const std::size_t points = a.size() * b.size();
    std::vector<StressFactor> factors;
    for (std::size_t point = 0; point < points; ++point)
      factors.push_back(cholesky_factor(stresses_at(point)));
    std::vector<PerAxis<BlockMean>> means(points);
    std::vector<std::array<BlockMean, 6>> products(points);
    at_independent_times(eddies, a, b, 10000, [&](const Fluctuations& e) {
      for (std::size_t p = 0; p < points; ++p) {
        PerAxis<double> u{};
        for (std::size_t i = 0; i < 3; ++i) {
          u[i] = factors[p].velocity(static_cast<int>(i), {e[0][p], e[1][p], e[2][p]});
          means[p][i].add(u[i]);
        }
        const std::array all{
            u[0] * u[0], u[1] * u[1], u[2] * u[2], u[0] * u[1], u[0] * u[2], u[1] * u[2]};
        for (std::size_t n = 0; n < 6; ++n) products[p].at(n).add(all.at(n));
      }
    });
    for (std::size_t p = 0; p < points; ++p) {
      const ReynoldsStresses r = stresses_at(p);
      const std::array expected{r.uu, r.vv, r.ww, r.uv, r.uw, r.vw};
      const std::array scales{
          r.uu, r.vv, r.ww, std::sqrt(r.uu * r.vv), std::sqrt(r.uu * r.ww), std::sqrt(r.vv * r.ww)};
      for (std::size_t n = 0; n < 6; ++n) {
        const BlockMean& product = products[p].at(n);
        const std::string which =
            fmt::format("normal {}, point {}, stress {}", static_cast<int>(normal), p, n);
        EXPECT_NEAR(product.mean(), expected.at(n), 5 * product.error()) << which;
        EXPECT_LT(product.error(), 0.02 * scales.at(n)) << which;
        if (n >= 3) continue;
        EXPECT_NEAR(means[p][n].mean(), 0, 5 * means[p][n].error()) << which;
        EXPECT_LT(means[p][n].error(), 0.015 * std::sqrt(expected.at(n))) << which;
      }
    }
  }
}

/// Flatness 3 + 0.729/4 - 3/N. Over six points, nearly independent.
TEST(synthetic_eddies, are_nearly_gaussian) {
  const EddySettings settings = plane_across(Axis::x);
  const SyntheticEddies eddies(settings);
  BlockMean fourth;
  BlockMean second;
  at_independent_times(eddies, {-1, 0.5, 2}, {0.5, 1.75}, 10000, [&](const Fluctuations& e) {
    double squares = 0;
    double fourths = 0;
    for (const std::vector<double>& component : e) {
      for (const double value : component) {
        squares += value * value / 18;
        fourths += value * value * value * value / 18;
      }
    }
    second.add(squares);
    fourth.add(fourths);
  });
  EXPECT_NEAR(second.mean(), 1, 4 * second.error());
  EXPECT_LT(second.error(), 0.005);
  const double expected = 3 + 0.729 / 4 - 3.0 / static_cast<double>(eddies.eddies());
  EXPECT_NEAR(fourth.mean(), expected, 4 * fourth.error());
  EXPECT_LT(fourth.error(), 0.03);
  RecordProperty("flatness", fmt::format("{:.3f}", fourth.mean() / second.mean() / second.mean()));
}

constexpr double lag_interval = 0.25;  // half-widths
constexpr std::size_t lags = 10;

/// Compares products of values at lags apart with the cubic B-spline, and its integral with the
/// length asked for, 3/4 of the half-width.
void expect_tent_correlation(const std::array<double, lags>& products, const std::string& which) {
  double integral = 0;
  for (std::size_t lag = 0; lag < lags; ++lag) {
    const double coefficient = products.at(lag) / products[0];
    EXPECT_NEAR(coefficient, tent_correlation(static_cast<double>(lag) * lag_interval), 0.025)
        << which << ", lag " << lag;
    integral += coefficient * lag_interval * (lag == 0 ? 0.5 : 1);
  }
  EXPECT_NEAR(integral, 0.75, 0.03) << which;
}

TEST(synthetic_eddies, have_the_lengths_asked_for_along_both_axes) {
  for (const Axis normal : every_axis) {
    const EddySettings settings = plane_across(normal);
    const SyntheticEddies eddies(settings);
    const auto [first, second] = axes_in_plane(normal);
    for (const Axis axis : {first, second}) {
      const auto n = static_cast<std::size_t>(axis);
      std::vector<double> along;
      // Across the end of the period, where there is one.
      const double start =
          settings.is_periodic[n] ? settings.high[n] - 0.2 : settings.low[n] + 0.05;
      for (std::size_t lag = 0; lag < lags; ++lag) {
        along.push_back(start +
                        lag_interval * static_cast<double>(lag) * size_along(settings, axis));
      }
      const Axis other = third_axis(normal, axis);
      const std::vector<double> here{settings.low[other] + 1};
      std::array<double, lags> products{};
      at_independent_times(eddies,
                           axis == first ? along : here,
                           axis == first ? here : along,
                           10000,
                           [&](const Fluctuations& e) {
                             for (const std::vector<double>& component : e) {
                               for (std::size_t lag = 0; lag < lags; ++lag)
                                 products.at(lag) += component[0] * component[lag] / 30000;
                             }
                           });
      expect_tent_correlation(
          products,
          fmt::format("normal {}, along {}", static_cast<int>(normal), static_cast<int>(axis)));
    }
  }
}

TEST(synthetic_eddies, have_the_integral_time_of_length_over_speed) {
  const EddySettings settings = plane_across(Axis::y);
  const SyntheticEddies eddies(settings);
  const std::vector<double> a{0, 1, 2};
  const std::vector<double> b{0.5, 1.75};
  std::array<double, lags> products{};
  for (int n = 0; n < 2000; ++n) {
    const double t = 2.1180339887498949 * n * renewal_time(settings);
    const Fluctuations before = eddies.unit_fluctuations(a, b, t);
    for (std::size_t lag = 0; lag < lags; ++lag) {
      const Fluctuations after = eddies.unit_fluctuations(
          a, b, t + lag_interval / 2 * static_cast<double>(lag) * renewal_time(settings));
      for (std::size_t component = 0; component < 3; ++component) {
        for (std::size_t p = 0; p < a.size() * b.size(); ++p)
          products.at(lag) += before[component][p] * after[component][p];
      }
    }
  }
  expect_tent_correlation(products, "in time");
}

TEST(synthetic_eddies, do_not_depend_on_the_other_points_or_on_threads) {
  const EddySettings settings = plane_across(Axis::z);
  const std::vector<double> a = points_along(settings, Axis::x, 137);
  const std::vector<double> b = points_along(settings, Axis::y, 61);
  for (const double t : {0.0, 0.37, -4.2, 1234.5}) {
    const Fluctuations whole = SyntheticEddies(settings).unit_fluctuations(a, b, t);
    const int threads = omp_get_max_threads();
    omp_set_num_threads(3);
    const SyntheticEddies again(settings);
    for (const auto& [a_begin, a_end] : {std::pair{0, 11}, std::pair{11, 12}, std::pair{12, 137}}) {
      for (const auto& [b_begin, b_end] : {std::pair{0, 5}, std::pair{5, 61}}) {
        const std::vector<double> part_a(a.begin() + a_begin, a.begin() + a_end);
        const std::vector<double> part_b(b.begin() + b_begin, b.begin() + b_end);
        const Fluctuations part = again.unit_fluctuations(part_a, part_b, t);
        for (std::size_t p = 0; p < part_a.size() * part_b.size(); ++p) {
          const std::size_t at =
              (static_cast<std::size_t>(b_begin) + p / part_a.size()) * a.size() +
              static_cast<std::size_t>(a_begin) + p % part_a.size();
          for (std::size_t component = 0; component < 3; ++component)
            EXPECT_EQ(part[component][p], whole[component][at]) << t << ' ' << at;
        }
      }
    }
    omp_set_num_threads(threads);
  }
}

TEST(synthetic_eddies, at_no_time_are_no_numbers) {
  const SyntheticEddies eddies(plane_across(Axis::x));
  for (const double t : {std::numeric_limits<double>::quiet_NaN(), 1e308 * 10}) {
    const std::vector<double> point{1};
    EXPECT_TRUE(std::isnan(eddies.unit_fluctuations(point, point, t)[0][0])) << t;
  }
}

TEST(synthetic_eddies, of_another_seed_are_uncorrelated) {
  const EddySettings settings = plane_across(Axis::x);
  EddySettings others = settings;
  others.seed += 1;
  const SyntheticEddies eddies(settings);
  const SyntheticEddies other(others);
  BlockMean products;
  for (int n = 0; n < 3000; ++n) {
    const double t = 1.1180339887498949 * n * renewal_time(settings);
    const std::vector<double> a{0.1};
    const std::vector<double> b{1.3};
    const Fluctuations one = eddies.unit_fluctuations(a, b, t);
    const Fluctuations two = other.unit_fluctuations(a, b, t);
    for (std::size_t component = 0; component < 3; ++component)
      products.add(one[component][0] * two[component][0]);
  }
  EXPECT_NEAR(products.mean(), 0, 4 * products.error());
  EXPECT_LT(products.error(), 0.02);
}

/// The rate of change has a deviation of sqrt(3) U/s_n; 7 deviations bound it here. An eddy that
/// leapt into life would change a value by (3/2)^(3/2)/sqrt(8) = 0.65 of its place.
TEST(synthetic_eddies, change_continuously_while_eddies_are_reborn) {
  const EddySettings settings = plane_across(Axis::x);
  const SyntheticEddies eddies(settings);
  const std::vector<double> a = points_along(settings, Axis::y, 9);
  const std::vector<double> b = points_along(settings, Axis::z, 7);
  const double share = 1e-3;  // of the time that an eddy takes for its half-width
  const double dt = share * renewal_time(settings) / 2;
  double most = 0;
  Fluctuations before = eddies.unit_fluctuations(a, b, 0);
  for (int n = 1; n <= 3000; ++n) {  // each of them is reborn
    Fluctuations now = eddies.unit_fluctuations(a, b, n * dt);
    for (std::size_t component = 0; component < 3; ++component) {
      for (std::size_t p = 0; p < now[component].size(); ++p) {
        const double change = std::abs(now[component][p] - before[component][p]);
        ASSERT_LE(change, 7 * std::sqrt(3) * share) << n << ' ' << p;
        most = std::max(most, change);
      }
    }
    before = std::move(now);
  }
  EXPECT_GT(most, 3 * std::sqrt(3) * share);
}

TEST(synthetic_eddies, repeat_along_periodic_axes) {
  const EddySettings settings = plane_across(Axis::x);  // period 2.5 along z
  const SyntheticEddies eddies(settings);
  const std::vector<double> a = points_along(settings, Axis::y, 5);
  const std::vector<double> b{0.5, 0.6, 1.7, 2.9};
  std::vector<double> shifted = b;
  for (double& z : shifted) z -= 5;
  const Fluctuations here = eddies.unit_fluctuations(a, b, 0.8);
  const Fluctuations there = eddies.unit_fluctuations(a, shifted, 0.8);
  for (std::size_t component = 0; component < 3; ++component) {
    for (std::size_t p = 0; p < here[component].size(); ++p)
      EXPECT_NEAR(here[component][p], there[component][p], 1e-13);
  }
}

TEST(synthetic_eddies, of_the_longest_length_in_a_period_have_variance_one) {
  EddySettings settings = plane_across(Axis::x);
  settings.length[2] = 2.5 * 3 / 8;
  const SyntheticEddies eddies(settings);
  BlockMean squares;
  at_independent_times(eddies, {0.5}, {0.5, 1.75, 3}, 6000, [&](const Fluctuations& e) {
    for (const std::vector<double>& component : e) {
      squares.add((component[0] * component[0] + component[1] * component[1]) / 2);
      EXPECT_NEAR(component[0], component[2], 1e-13);
    }
  });
  EXPECT_NEAR(squares.mean(), 1, 4 * squares.error());
  EXPECT_LT(squares.error(), 0.01);
}

std::string refusal_of(const EddySettings& settings) {
  return message_of<CaseError>([&] { const SyntheticEddies eddies(settings); });
}

TEST(synthetic_eddies, that_cannot_be_are_refused) {
  const EddySettings sound = plane_across(Axis::x);
  EXPECT_EQ(refusal_of(sound), "");
  EddySettings settings = sound;
  settings.convection_speed = 0;
  EXPECT_EQ(refusal_of(settings), "eddies move at a speed of 0, but it must be > 0");
  settings = sound;
  settings.length[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal_of(settings), "the length of eddies along x is nan, but must be > 0");
  settings = sound;
  settings.high[1] = -1;
  EXPECT_EQ(refusal_of(settings), "the plane of eddies is 0 long along y, but must be > 0");
  settings = sound;
  settings.length[2] = 0.95;
  EXPECT_EQ(refusal_of(settings),
            "the length of eddies along z is 0.95, but must be at most 0.9375, 3/8 of the period");
  settings = sound;
  settings.length[1] = 1e-9;
  EXPECT_EQ(refusal_of(settings).substr(refusal_of(settings).find(" eddies of")),
            " eddies of these lengths fill the plane, but they must be fewer than 1e+07");
}

}  // namespace
}  // namespace dns::test_synthetic_eddies
