#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "output_testing.hpp"
#include "solver/files/hdf5_file.hpp"
#include "solver/output/statistics_file.hpp"
#include "tests/values_in_file.hpp"

namespace dns {
namespace {

/// Sums of 4 samples on the cells of known_case_of_cells(), averaged over x: u = 2 y z, v = 1.
class StatisticsFileTest : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    resolved = known_case_of_cells(folder());
    resolved.output.statistics =
        StatisticsCase{.every = 1, .average = {true, false, false}, .window = {}};
    state.step = 40;
    state.time = 4;
    state.statistics = {.samples = 4, .first_time = 1, .last_time = 4, .duration = 4, .sums = {}};
    for (const char* const name : {"u", "v", "w", "uu", "uv", "dissipation"}) {
      HostField& sum =
          state.statistics.sums.emplace_back(name, Extents{1, 5, 3}, Precision::double_precision);
      std::ranges::fill(sum.values<double>(), 0);
    }
    for (std::size_t point = 0; point < 15; ++point) {
      const auto size = static_cast<double>(point);
      sum(0)[point] = 4 * size;                 // u = point
      sum(1)[point] = 4;                        // v = 1
      sum(3)[point] = 4 * (size * size + 0.5);  // <u'u'> = 0.5
      sum(4)[point] = 4 * (size - 0.25);        // <u'v'> = -0.25
      sum(5)[point] = 4 * 1000;                 // Phi = 1000
    }
  }
  [[nodiscard]] std::span<double> sum(std::size_t n) {
    return state.statistics.sums.at(n).values<double>();
  }

  Case resolved;
  FlowState state;
};

TEST_F(StatisticsFileTest, averages_are_means_and_central_moments) {
  const std::vector<Average> averages = averages_of(state.statistics, 1.0 / 500);
  EXPECT_EQ(averages[0].values[7], 7);
  EXPECT_EQ(averages[3].name, "uu");
  for (std::size_t point = 0; point < 15; ++point) {
    EXPECT_NEAR(averages[3].values[point], 0.5, 1e-13);
    EXPECT_NEAR(averages[4].values[point], -0.25, 1e-13);
    EXPECT_EQ(averages[5].values[point], 2);
  }
}

TEST_F(StatisticsFileTest, friction_velocity_is_that_of_the_mean_shear_on_all_walls) {
  // y_min and y_max, z_min and z_max are walls; z cells are 1/3 wide, the first along y 1, the last
  // 1/8. Mean |u| in the first and last row along y: 5 and 9; along z: mean over y weighted with
  // the widths 1, 0.5, 0.25, 0.125, 0.125 over 2 of 0, 1, 2, 3, 4 and of 10 .. 14.
  for (std::size_t point = 0; point < 15; ++point) sum(1)[point] = 0;
  const double low_z = (0.5 + 0.5 + 0.375 + 0.5) / 2;
  const double force = (5 / 0.5 + 9 / 0.0625) * 7 * 1 +           // across y, of 7 x 1
                       (low_z + low_z + 10) / (1.0 / 6) * 7 * 2;  // across z, of 7 x 2
  const double expected = std::sqrt(force / 500 / (2 * 7 + 2 * 14));
  EXPECT_NEAR(
      friction_velocity(averages_of(state.statistics, 1.0 / 500), resolved), expected, 1e-12);
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
  for (const char* const name : {"uuu", "uuuu"}) {
    state.statistics.sums.emplace_back(name, Extents{1, 5, 3}, Precision::double_precision);
  }
  for (std::size_t point = 0; point < 15; ++point) {
    const double size = static_cast<double>(point);
    const auto total = [&](int power) {
      return std::pow(1 + size, power) + 3 * std::pow(1 - size / 3, power);
    };
    sum(0)[point] = total(1);
    sum(3)[point] = total(2);
    sum(6)[point] = total(3);
    sum(7)[point] = total(4);
  }
  const std::vector<Average> averages = averages_of(state.statistics, 1);
  EXPECT_EQ(averages[6].name, "skewness_u");
  EXPECT_EQ(averages[7].name, "flatness_u");
  EXPECT_TRUE(std::isnan(averages[6].values[0]) && std::isnan(averages[7].values[0]));
  for (std::size_t point = 1; point < 15; ++point) {
    EXPECT_NEAR(averages[6].values[point], (0.25 - 0.75 / 27) * std::pow(3, 1.5), 1e-10);
    EXPECT_NEAR(averages[7].values[point], (0.25 + 0.75 / 81) * 9, 1e-10);
  }
}

TEST_F(StatisticsFileTest, without_samples_there_is_no_file) {
  state.statistics.samples = 0;
  write_statistics(folder(), state, resolved, "");
  EXPECT_TRUE(names().empty());
}

TEST_F(StatisticsFileTest, of_a_box_averaged_whole_holds_single_numbers) {
  resolved.output.statistics->average = {true, true, true};
  for (HostField& one : state.statistics.sums) {
    one = HostField(one.name(), {1, 1, 1}, Precision::double_precision);
    one.values<double>()[0] = 8;
  }
  write_statistics(folder(), state, resolved, "");
  const Hdf5File file = Hdf5File::open(in_folder("statistics.h5"));
  EXPECT_EQ(file.open_dataset("u").shape(), (std::vector<hsize_t>{1}));
  EXPECT_EQ(values_in(file, "u")[0], 2);
  EXPECT_EQ(values_in(file, "uu")[0], 2 - 2 * 2);
  EXPECT_EQ(file.read_real("friction_velocity"), 0);
}

}  // namespace
}  // namespace dns
