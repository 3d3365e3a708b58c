/// Spectra and correlations in statistics.h5.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "output_testing.hpp"
#include "solver/files/hdf5_file.hpp"
#include "solver/output/statistics_file.hpp"
#include "tests/values_in_file.hpp"

namespace dns::test_spectra {
namespace {

constexpr int samples = 4;
constexpr double mean = 3;
constexpr double amplitude = 0.5;

/// u = mean + amplitude (1 + y's number) cos(2 pi m s/L) along an axis of some points.
class SpectraFileTest : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    resolved = known_case_of_cells(folder());
    resolved.output.statistics = StatisticsCase{.every = 1, .window = {}};
  }
  /// Sums of a flow along x alone, with these means of powers of u.
  template <class Powers>
  void take(Extents cells, const Powers& powers) {
    StatisticsSums& sums = state.statistics;
    sums = {.samples = samples, .duration = samples, .sums = {}};
    add_power_sums(sums, 'u', cells, powers);
    for (const char variable : {'v', 'w'})
      add_power_sums(sums, variable, cells, [](int, Index3) { return 0.0; });
    for (const char* const name : {"uv", "uw", "vw", "dissipation"})
      add_product_sum(sums, name, cells, [](Index3) { return 0.0; });
  }
  void add_sum(const std::string& name, Extents extents, const std::vector<double>& means) {
    HostField& sum = state.statistics.sums.emplace_back(name, extents, Precision::double_precision);
    for (std::size_t n = 0; n < means.size(); ++n) sum.values<double>()[n] = samples * means[n];
  }

  Case resolved;
  FlowState state;
};

/// The axis of the lines is the fastest, x, of 7 cells, or the slowest, z, of 3.
TEST_F(SpectraFileTest, one_wave_is_one_line_and_its_correlation_a_cosine) {
  for (const int axis : {0, 2}) {
    SCOPED_TRACE(axis);
    const int n = resolved.grid.points[axis];
    const int rows = resolved.grid.points.ny;
    const int waves = axis == 0 ? 2 : 1;
    const int count = n / 2 + 1;
    const double length = resolved.grid.length[axis];
    resolved.output.statistics->average = {true, false, true};
    std::vector<double> contributions(static_cast<std::size_t>(rows * count));
    const auto place = [&](int row, int m) {
      return static_cast<std::size_t>(axis == 0 ? row * count + m : m * rows + row);
    };
    const auto variance = [](int row) { return std::pow(amplitude * (1 + row), 2) / 2; };
    for (int row = 0; row < rows; ++row) {
      contributions[place(row, 0)] = mean * mean;
      contributions[place(row, waves)] = variance(row);
    }
    take({1, rows, 1}, [&](int order, Index3 c) {
      return std::pow(mean, order) + (order == 2 ? variance(c.j) : 0);
    });
    const std::string along = axis == 0 ? "x" : "z";
    add_sum("spectrum_" + along + "_uu",
            axis == 0 ? Extents{count, rows, 1} : Extents{1, rows, count},
            contributions);
    write_statistics(folder(), state, resolved, "");

    const Hdf5File file = Hdf5File::open(in_folder("statistics.h5"));
    const auto shape = axis == 0 ? std::vector<hsize_t>{5, 4} : std::vector<hsize_t>{2, 5};
    EXPECT_EQ(file.open_dataset("spectrum_" + along + "_uu").shape(), shape);
    const std::vector<double> spectrum = values_in(file, "spectrum_" + along + "_uu");
    const std::vector<double> correlation = values_in(file, "correlation_" + along + "_uu");
    const std::vector<double> wavenumbers = values_in(file, "wavenumber_" + along);
    const std::vector<double> separations = values_in(file, "separation_" + along);
    ASSERT_EQ(wavenumbers.size(), static_cast<std::size_t>(count));
    ASSERT_EQ(separations.size(), static_cast<std::size_t>(count));
    const double dk = 2 * std::numbers::pi / length;
    for (int row = 0; row < rows; ++row) {
      for (int m = 0; m < count; ++m) {
        EXPECT_NEAR(wavenumbers[m], m * dk, 1e-14);
        EXPECT_NEAR(spectrum[place(row, m)], m == waves ? variance(row) / dk : 0, 1e-14);
        const double r = separations[m];
        EXPECT_NEAR(r, m * length / n, 1e-14);
        EXPECT_NEAR(correlation[place(row, m)], variance(row) * std::cos(waves * dk * r), 1e-13);
      }
    }
  }
}

/// Values of no law: their products at a distance, averaged over the line, are the correlation.
TEST_F(SpectraFileTest, correlations_are_means_of_products) {
  for (const int n : {7, 8}) {
    resolved.grid.points.nx = n;
    resolved.output.statistics->average = {true, true, true};
    std::vector<double> line;
    for (int i = 0; i < n; ++i) line.push_back(1 + std::sin(1.7 * i * i + 0.3));
    const auto mean_product = [&](int r) {
      double sum = 0;
      for (int i = 0; i < n; ++i) sum += line[i] * line[(i + r) % n];
      return sum / n;
    };
    double average = 0;
    for (const double value : line) average += value / n;
    std::vector<double> contributions;
    for (int m = 0; 2 * m <= n; ++m) {
      double cosine = 0;
      double sine = 0;
      for (int i = 0; i < n; ++i) {
        const double angle = 2 * std::numbers::pi * m * i / n;
        cosine += line[i] * std::cos(angle) / n;
        sine += line[i] * std::sin(angle) / n;
      }
      contributions.push_back((m == 0 || 2 * m == n ? 1 : 2) * (cosine * cosine + sine * sine));
    }
    take({1, 1, 1}, [&](int order, Index3) {
      return order == 2 ? mean_product(0) : std::pow(average, order);
    });
    add_sum("spectrum_x_uu", {n / 2 + 1, 1, 1}, contributions);
    write_statistics(folder(), state, resolved, "");
    const Hdf5File file = Hdf5File::open(in_folder("statistics.h5"));
    const std::vector<double> correlation = values_in(file, "correlation_x_uu");
    ASSERT_EQ(correlation.size(), static_cast<std::size_t>(n / 2 + 1));
    for (int r = 0; 2 * r <= n; ++r)
      EXPECT_NEAR(correlation[r], mean_product(r) - average * average, 1e-14);
    EXPECT_EQ(correlation[0], values_in(file, "uu")[0]);
  }
}

TEST_F(SpectraFileTest, shells_keep_their_energy) {
  resolved.output.statistics->average = {true, true, true};
  take({1, 1, 1}, [](int, Index3) { return 0.0; });
  add_sum("spectrum_k", {3, 1, 1}, {1, 2, 4});
  write_statistics(folder(), state, resolved, "");
  const Hdf5File file = Hdf5File::open(in_folder("statistics.h5"));
  const double dk = 2 * std::numbers::pi / 1;  // the box is shortest along z
  EXPECT_EQ(file.open_dataset("spectrum_k").shape(), (std::vector<hsize_t>{3}));
  const std::vector<double> spectrum = values_in(file, "spectrum_k");
  const std::vector<double> wavenumbers = values_in(file, "wavenumber");
  for (std::size_t shell = 0; shell < 3; ++shell) {
    EXPECT_NEAR(spectrum[shell] * dk, std::pow(2, shell), 1e-14);
    EXPECT_NEAR(wavenumbers[shell], static_cast<double>(shell) * dk, 1e-13);
  }
}

}  // namespace
}  // namespace dns::test_spectra
