#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "output_testing.hpp"
#include "solver/files/hdf5_file.hpp"
#include "solver/output/statistics_file.hpp"
#include "solver/statistics/flow_averages.hpp"
#include "tests/values_in_file.hpp"

namespace dns::test_statistics {
namespace {

constexpr Extents cells{1, 5, 3};  // of known_case_of_cells(), averaged over x

double number_of(Index3 c) {
  return c.j + 5.0 * c.k;
}

/// Sums over a time of 4: u is the number of the cell with a variance of 0.5, v varies along y.
class StatisticsFileTest : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    resolved = known_case_of_cells(folder());
    resolved.output.statistics =
        StatisticsCase{.every = 1, .average = {true, false, false}, .window = {}};
    state.step = 40;
    state.time = 4;
    take([](int order, Index3 c) {
      const double u = number_of(c);
      return order == 1 ? u : order == 2 ? u * u + 0.5 : 0;
    });
  }
  /// Sums with these means of powers of u.
  template <class Powers>
  void take(const Powers& powers) {
    StatisticsSums& sums = state.statistics;
    sums = {.samples = 4, .first_time = 1, .last_time = 4, .duration = 4, .sums = {}};
    const auto v = [](Index3 face) { return 1.0 + face.j * face.j; };
    const auto rest = [](int, Index3) { return 0.0; };
    add_power_sums(sums, 'u', cells, powers);
    add_power_sums(
        sums, 'v', cells, [&](int order, Index3 face) { return std::pow(v(face), order); });
    add_power_sums(sums, 'w', cells, rest);
    add_product_sum(sums, "uv", cells, [&](Index3 c) {  // <u'v'> = -0.25, of means at both faces
      const Index3 above{c.i, c.j + 1, c.k};
      return ((number_of(c) - 0.5) * v(c) + (number_of(c) + 0.5) * v(above)) / 2 - 0.25;
    });
    for (const char* const name : {"uw", "vw"})
      add_product_sum(sums, name, cells, [](Index3) { return 0.0; });
    add_product_sum(sums, "dissipation", cells, [](Index3) { return 1000.0; });
  }
  [[nodiscard]] std::vector<double> average(const std::string& name) const {
    const std::vector<Average> averages = averages_of(state.statistics, resolved);
    return std::ranges::find(averages, name, &Average::name)->values;
  }

  Case resolved;
  FlowState state;
};

/// v = 1 + y^2 is far from linear between faces, and nothing of that is taken for a stress.
TEST_F(StatisticsFileTest, averages_are_means_and_central_moments) {
  for (std::size_t point = 0; point < 15; ++point) {
    const double j = static_cast<double>(point % 5);
    EXPECT_NEAR(average("u")[point], static_cast<double>(point), 1e-13);
    EXPECT_NEAR(average("v")[point], 1 + (j * j + (j + 1) * (j + 1)) / 2, 1e-13);
    EXPECT_NEAR(average("uu")[point], 0.5, 1e-12);
    EXPECT_NEAR(average("vv")[point], 0, 1e-12);
    EXPECT_NEAR(average("uv")[point], -0.25, 1e-12);
    EXPECT_EQ(average("dissipation")[point], 2);
  }
}

/// Means in a flow that develops, with known fluctuations: those of u grow along x and y, those of
/// v and u are in part the same, where both are as they are interpolated to the edges.
TEST_F(StatisticsFileTest, moments_are_those_of_the_fluctuations_in_a_flow_that_develops) {
  constexpr Extents all{4, 5, 3};
  StatisticsSums& sums = state.statistics;
  sums = {.samples = 2, .first_time = 0, .last_time = 4, .duration = 4, .sums = {}};
  const auto mean = [](char variable, Index3 c) {
    return variable == 'u' ? std::sin(c.i) + c.j * c.j : std::cos(c.j) * c.i * c.i + c.k;
  };
  const auto swing = [](char variable, Index3 c) {  // half of the time above the mean, half below
    return variable == 'u' ? 0.1 + 0.2 * c.i + 0.3 * c.j : 0.5 - 0.1 * c.i * c.j;
  };
  for (const char variable : {'u', 'v', 'w'}) {
    add_power_sums(sums, variable, all, [&](int order, Index3 c) {
      const double u = variable == 'w' ? 0 : mean(variable, c);
      const double s = variable == 'w' ? 0 : swing(variable, c);
      return (std::pow(u + s, order) + std::pow(u - s, order)) / 2;
    });
  }
  const auto at_edge = [](const auto& f, Index3 e) {
    const double u = (f('u', {e.i, e.j - 1, e.k}) + f('u', e)) / 2;
    return u * (f('v', {e.i - 1, e.j, e.k}) + f('v', e)) / 2;
  };
  const auto over_edges = [](const auto& f, Index3 c) {
    return (f(c) + f(Index3{c.i + 1, c.j, c.k}) + f(Index3{c.i, c.j + 1, c.k}) +
            f(Index3{c.i + 1, c.j + 1, c.k})) /
           4;
  };
  const auto stress = [&](Index3 c) {
    return over_edges([&](Index3 e) { return at_edge(swing, e); }, c);
  };
  add_product_sum(sums, "uv", all, [&](Index3 c) {
    return stress(c) + over_edges([&](Index3 e) { return at_edge(mean, e); }, c);
  });
  for (const char* const name : {"uw", "vw", "dissipation"})
    add_product_sum(sums, name, all, [](Index3) { return 0.0; });
  std::size_t point = 0;
  for_each_point({{}, {all.nx, all.ny, all.nz}}, [&](Index3 c) {
    const double low = std::pow(swing('u', c), 2);
    const double high = std::pow(swing('u', {c.i + 1, c.j, c.k}), 2);
    const double variance = (low + high) / 2;
    EXPECT_NEAR(average("uu")[point], variance, 1e-10);
    EXPECT_NEAR(average("skewness_u")[point], 0, 1e-8);
    const double fourth = (low * low + high * high) / 2;
    EXPECT_NEAR(average("flatness_u")[point], fourth / (variance * variance), 1e-8);
    EXPECT_NEAR(average("uv")[point], stress(c), 1e-10);
    ++point;
  });
}

TEST_F(StatisticsFileTest, friction_velocity_is_that_of_the_mean_shear_on_all_walls) {
  // y_min and y_max, z_min and z_max are walls; z cells are 1/3 wide, the first along y 1, the last
  // 1/8. Mean |u| in the first and last row along y: 5 and 9; along z: mean over y weighted with
  // the widths 1, 0.5, 0.25, 0.125, 0.125 over 2 of 0, 1, 2, 3, 4 and of 10 .. 14.
  for (HostField& sum : state.statistics.sums) {
    if (sum.name() == "v") std::ranges::fill(sum.values<double>(), 0);
  }
  const double low_z = (0.5 + 0.5 + 0.375 + 0.5) / 2;
  const double force = (5 / 0.5 + 9 / 0.0625) * 7 * 1 +           // across y, of 7 x 1
                       (low_z + low_z + 10) / (1.0 / 6) * 7 * 2;  // across z, of 7 x 2
  const double expected = std::sqrt(force / 500 / (2 * 7 + 2 * 14));
  EXPECT_NEAR(
      friction_velocity(averages_of(state.statistics, resolved), resolved), expected, 1e-12);
}

TEST_F(StatisticsFileTest, holds_averages_over_the_axes_that_are_kept) {
  write_statistics(folder(), state, resolved, "case: known\n");
  EXPECT_EQ(names(), std::set<std::string>{"statistics.h5"});
  const Hdf5File file = Hdf5File::open(in_folder("statistics.h5"));
  EXPECT_EQ(file.read_text("format"), "dns statistics");
  EXPECT_EQ(file.read_integer("samples"), 4);
  EXPECT_EQ(file.read_real("first_time"), 1);
  EXPECT_EQ(file.read_real("last_time"), 4);
  EXPECT_EQ(file.read_text("case"), "case: known\n");
  EXPECT_EQ(file.open_dataset("u").shape(), (std::vector<hsize_t>{3, 5}));
  EXPECT_EQ(values_in(file, "u")[8], 8);
  EXPECT_NEAR(values_in(file, "uv")[8], -0.25, 1e-13);
  EXPECT_FALSE(file.has_dataset("x"));
  EXPECT_EQ(values_in(file, "y_faces"), (std::vector<double>{-1, 0, 0.5, 0.75, 0.875, 1}));
  EXPECT_EQ(values_in(file, "y")[0], -0.5);
  const double u_tau = file.read_real("friction_velocity");
  EXPECT_GT(u_tau, 0);
  const std::vector<double> y_plus = values_in(file, "y_plus");
  EXPECT_NEAR(y_plus[0], 0.5 * u_tau * 500, 1e-10);                      // from y = -1
  EXPECT_NEAR(y_plus[4], 0.0625 * u_tau * 500, 1e-10);                   // from y = 1
  EXPECT_NEAR(file.read_real("friction_reynolds"), u_tau * 500, 1e-10);  // half of 2 along y
}

TEST_F(StatisticsFileTest, of_a_window_bear_the_step_of_its_last_sample) {
  StatisticsSums window = state.statistics;
  window.last_step = 38;
  window.last_time = 3.5;
  write_window(folder(), window, resolved, "case: known\n");
  EXPECT_EQ(names(), std::set<std::string>{"statistics_00000038.h5"});
  const Hdf5File file = Hdf5File::open(in_folder("statistics_00000038.h5"));
  EXPECT_EQ(file.read_text("format"), "dns statistics");
  EXPECT_EQ(file.read_integer("step"), 38);
  EXPECT_EQ(file.read_real("time"), 3.5);
  EXPECT_EQ(file.read_real("last_time"), 3.5);
  EXPECT_EQ(file.read_integer("samples"), 4);
  EXPECT_EQ(values_in(file, "u")[8], 8);
}

/// u is 1 + size with probability 1/4 and 1 - size/3 with 3/4: variance size^2/3, and by hand
/// <u'^3> = size^3 (1/4 - 3/4/27), <u'^4> = size^4 (1/4 + 3/4/81).
TEST_F(StatisticsFileTest, third_and_fourth_moments_are_central_and_normalised) {
  take([](int order, Index3 c) {
    const double size = number_of(c);
    return (std::pow(1 + size, order) + 3 * std::pow(1 - size / 3, order)) / 4;
  });
  const std::vector<double> skewness = average("skewness_u");
  const std::vector<double> flatness = average("flatness_u");
  EXPECT_TRUE(std::isnan(skewness[0]) && std::isnan(flatness[0]));
  for (std::size_t point = 1; point < 15; ++point) {
    EXPECT_NEAR(skewness[point], (0.25 - 0.75 / 27) * std::pow(3, 1.5), 1e-10);
    EXPECT_NEAR(flatness[point], (0.25 + 0.75 / 81) * 9, 1e-10);
  }
}

TEST_F(StatisticsFileTest, without_samples_there_is_no_file) {
  state.statistics.samples = 0;
  write_statistics(folder(), state, resolved, "");
  EXPECT_TRUE(names().empty());
}

TEST_F(StatisticsFileTest, of_a_box_averaged_whole_holds_single_numbers) {
  resolved.output.statistics->average = {true, true, true};
  state.statistics = uniform_sums({1, 1, 1}, 2);
  for (HostField& sum : state.statistics.sums) {
    if (sum.name() == "uu") sum.values<double>()[0] = 7;
  }
  write_statistics(folder(), state, resolved, "");
  const Hdf5File file = Hdf5File::open(in_folder("statistics.h5"));
  EXPECT_EQ(file.open_dataset("u").shape(), (std::vector<hsize_t>{1}));
  EXPECT_EQ(values_in(file, "u")[0], 2);
  EXPECT_EQ(values_in(file, "uu")[0], 7 - 2 * 2);
  EXPECT_EQ(file.read_real("friction_velocity"), 0);
}

}  // namespace
}  // namespace dns::test_statistics
