#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <vector>

#include "output_testing.hpp"
#include "time_series_testing.hpp"

namespace dns::test_timeseries {
namespace {

const std::string header =
    "step,time,dt,cfl,divergence_mean,divergence_max,kinetic_energy,dissipation,temperature_mean,"
    "global_iterations,iteration_change,wall_seconds\n";

const std::vector<std::string> diagnostic_names{"temperature_mean"};

std::string short_line(int step) {
  return std::to_string(step) + ",0.5,0.25,0,0,0,0,0,0,0,0,0.000\n";
}

class TimeSeriesTest : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    csv_path = in_folder("timeseries.csv");
  }

  static void append(TimeSeries& series, int step) {
    series.append({step, 0.5, 0.25, 0.25, {}, 0, {.others = {0}}});
  }

  std::string csv_path;
};

TEST_F(TimeSeriesTest, a_new_one_has_a_header_and_a_line_per_step) {
  TimeSeries series(folder(), 0, diagnostic_names);
  EXPECT_EQ(read_whole(csv_path), header);
  append(series, 1);
  append(series, 2);
  EXPECT_EQ(read_whole(csv_path), header + short_line(1) + short_line(2));  // still open
}

TEST_F(TimeSeriesTest, each_figure_stands_in_its_column_and_reads_back_exactly) {
  const std::vector<double> values = {1.0 / 3,
                                      0.1,
                                      std::nextafter(1.0, 2.0),
                                      5e-324,
                                      -0.0,
                                      1.7976931348623157e308,
                                      -1e-17,
                                      2.0 / 7};
  TimeSeries series(folder(), 0, diagnostic_names);
  FlowDiagnostics diagnostics{};
  diagnostics.divergence_mean = values[3];
  diagnostics.divergence_max = values[4];
  diagnostics.cfl = values[2];
  diagnostics.kinetic_energy = values[5];
  diagnostics.dissipation = values[6];
  diagnostics.others = {values[7]};
  const StepReport report{
      .global_iterations = 3, .iteration_change = 0.1 + 0.2, .reached_tolerance = true};
  series.append({10'000'000'000, values[0], values[1], 0, report, 12.3456, diagnostics});
  std::istringstream line(read_whole(csv_path).substr(header.size()));
  std::vector<std::string> words;
  for (std::string word; std::getline(line, word, ',');) words.push_back(word);
  ASSERT_EQ(words.size(), 12U);
  EXPECT_EQ(words[0], "10000000000");
  for (std::size_t n = 0; n < values.size(); ++n) {
    const double read = std::strtod(words[n + 1].c_str(), nullptr);
    EXPECT_EQ(read, values[n]);
    EXPECT_EQ(std::signbit(read), std::signbit(values[n]));
  }
  EXPECT_EQ(words[2], "0.1");
  EXPECT_EQ(words[9], "3");
  EXPECT_EQ(words[10], "0.30000000000000004");
  EXPECT_EQ(words[11], "12.346\n");
}

TEST_F(TimeSeriesTest, a_resumed_run_drops_the_lines_of_later_steps_and_goes_on) {
  {
    TimeSeries series(folder(), 0, diagnostic_names);
    for (const int step : {0, 10, 20, 30}) append(series, step);
  }
  TimeSeries series(folder(), 20, diagnostic_names);
  append(series, 25);
  EXPECT_EQ(read_whole(csv_path),
            header + short_line(0) + short_line(10) + short_line(20) + short_line(25));
  EXPECT_EQ(names(), std::set<std::string>{"timeseries.csv"});
}

TEST_F(TimeSeriesTest, a_half_written_last_line_is_dropped) {
  const std::string good = header + short_line(10);
  for (const std::string& half : {std::string("2"),
                                  std::string("11,0.5"),
                                  short_line(11).substr(0, short_line(11).size() - 1),
                                  std::string("11,0.5,0.2\n"),
                                  std::string(40, '\0'),
                                  std::string(40, '\0') + "\n"}) {
    SCOPED_TRACE(half);
    write_whole(csv_path, good + half);
    const TimeSeries series(folder(), 20, diagnostic_names);
    EXPECT_EQ(read_whole(csv_path), good);
  }
}

TEST_F(TimeSeriesTest, a_half_written_header_is_made_whole) {
  for (const std::size_t length : {std::size_t{0}, std::size_t{7}, header.size() - 1}) {
    write_whole(csv_path, header.substr(0, length));
    const TimeSeries series(folder(), 20, diagnostic_names);
    EXPECT_EQ(read_whole(csv_path), header);
  }
}

TEST_F(TimeSeriesTest, a_foreign_file_is_an_error_and_stays_as_it_is) {
  write_whole(csv_path, "t,mine\n1,2\n");
  const auto message =
      io_error_of([&] { const TimeSeries series(folder(), 20, diagnostic_names); });
  EXPECT_TRUE(contains(message, csv_path));
  EXPECT_TRUE(contains(message, "not a time series of this program: it begins with 't,mine'"));
  EXPECT_EQ(read_whole(csv_path), "t,mine\n1,2\n");
}

TEST_F(TimeSeriesTest, a_missing_folder_is_an_error_that_says_so) {
  const auto message = io_error_of([&] { const TimeSeries series(in_folder("none"), 0, {}); });
  EXPECT_TRUE(contains(message, "No such file or directory"));
}

}  // namespace
}  // namespace dns::test_timeseries
