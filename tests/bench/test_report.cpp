/// Tables and files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "bench/report.hpp"
#include "bench/text_table.hpp"

namespace dns::bench::test_report {
namespace {

Measurement some_measurement() {
  Measurement m;
  m.section = "transpose";
  m.variant = "16 bytes, swizzled tile";
  m.device = Device::cuda;
  m.points = 100;
  m.seconds = 0.002;
  m.bytes = 4e6;
  m.copy_bandwidth = 4e9;
  return m;
}

TEST(Report, quantities_follow_from_time_and_traffic) {
  const Measurement m = some_measurement();
  EXPECT_DOUBLE_EQ(m.bandwidth(), 2e9);
  EXPECT_DOUBLE_EQ(m.copy_fraction(), 0.5);
  EXPECT_DOUBLE_EQ(m.nanoseconds_per_point(), 2);
  EXPECT_TRUE(std::isnan(Measurement{}.copy_fraction()));
}

TEST(Report, csv_has_a_header_and_quotes_commas) {
  const std::vector<Measurement> all{some_measurement()};
  std::istringstream csv(to_csv(all));
  std::string header;
  std::string line;
  std::string more;
  std::getline(csv, header);
  std::getline(csv, line);
  EXPECT_FALSE(std::getline(csv, more));
  EXPECT_EQ(header.substr(0, 33), "section,variant,direction,device,");
  EXPECT_EQ(line.substr(0, 41), R"(transpose,"16 bytes, swizzled tile",,cuda)");
  EXPECT_NE(line.find(",ok"), std::string::npos);
}

TEST(Report, what_was_not_timed_is_empty_in_csv_and_null_in_json) {
  Measurement m = some_measurement();
  m.error = std::numeric_limits<double>::quiet_NaN();
  m.seconds = m.error;
  const std::vector<Measurement> all{m};
  EXPECT_NE(to_csv(all).find(",wrong"), std::string::npos);
  EXPECT_EQ(to_csv(all).find(",nan,"), std::string::npos);
  EXPECT_NE(to_json(all).find("\"seconds\": null"), std::string::npos) << to_json(all);
  EXPECT_NE(to_table(all).find("WRONG"), std::string::npos);
}

TEST(Report, tables_fit_100_columns) {
  Measurement m = some_measurement();
  m.variant = "thread per line, shared memory";
  m.direction = "x";
  m.device = Device::cpu;
  m.threads = 128;
  m.seconds = 99.96;
  m.bytes = 5e15;
  m.tolerance = 1e-14;
  m.error = 1.2e-3;
  std::istringstream table(to_table(std::vector<Measurement>{m}));
  for (std::string line; std::getline(table, line);) EXPECT_LE(line.size(), 100U) << line;
}

TEST(Report, columns_are_aligned) {
  TextTable table({"name", "value", "<note"});
  table.add({"a", "1.5", "good"});
  table.add({"long name", "12", ""});
  EXPECT_EQ(table.text(),
            "  name       value  note\n"
            "  a            1.5  good\n"
            "  long name     12\n");
}

TEST(Report, numbers_have_three_digits) {
  EXPECT_EQ(three_digits(1234.5), "1234");
  EXPECT_EQ(three_digits(99.96), "100");
  EXPECT_EQ(three_digits(12.34), "12.3");
  EXPECT_EQ(three_digits(9.996), "10.0");
  EXPECT_EQ(three_digits(1.234), "1.23");
  EXPECT_EQ(three_digits(0.01234), "0.0123");
  EXPECT_EQ(three_digits(std::numeric_limits<double>::quiet_NaN()), "-");
  EXPECT_EQ(percent(0.876), "88 %");
  EXPECT_EQ(percent(0.0432), "4.3 %");
}

}  // namespace
}  // namespace dns::bench::test_report
