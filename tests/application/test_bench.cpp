/// `dns bench`: what it prints, writes and refuses.
#include <unistd.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "tests/application/run_test.hpp"

namespace dns::testing::test_bench {
namespace {

class Bench : public RunTest {
 protected:
  /// A command that takes a second.
  static std::vector<std::string> quick(const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{
        "bench", "transpose", "--points", "24", "--device", "cpu", "--threads", "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
};

double available_gibibytes() {
  constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<double>(sysconf(_SC_PAGE_SIZE)) / gibibyte;
}

TEST_F(Bench, list_names_every_section) {
  const Outcome list = run_dns({"bench", "--list"});
  EXPECT_EQ(list.exit_code, 0);
  for (const char* name : {"copy ",
                           "transpose ",
                           "reduce ",
                           "stencil ",
                           "sweep ",
                           "step ",
                           "accuracy ",
                           "guard ",
                           "table1 ",
                           "table2 ",
                           "table3 ",
                           "table4 ",
                           "all "}) {
    EXPECT_NE(list.out.find(name), std::string::npos) << name;
  }
}

TEST_F(Bench, tables_fit_100_columns_and_every_variant_is_right) {
  const Outcome bench = run_dns(quick());
  EXPECT_EQ(bench.exit_code, 0) << bench.err;
  EXPECT_NE(bench.out.find("naive"), std::string::npos);
  EXPECT_NE(bench.out.find("anchor"), std::string::npos);
  EXPECT_EQ(bench.out.find("WRONG"), std::string::npos) << bench.out;
  std::istringstream lines(bench.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
}

TEST_F(Bench, the_tables_of_the_paper_stand_beside_ours) {
  for (const char* name : {"table1", "table2", "table3", "table4", "step"}) {
    const Outcome bench = run_dns({"bench",
                                   name,
                                   "--points",
                                   "16",
                                   "--device",
                                   "cpu",
                                   "--threads",
                                   "1",
                                   "--csv",
                                   path(name)});
    EXPECT_EQ(bench.exit_code, 0) << bench.err;
    EXPECT_NE(bench.out.find(name == std::string("step") ? "authors" : "Berezin"),
              std::string::npos)
        << bench.out;
    EXPECT_NE(text_of(path(name)).find("whole step"), std::string::npos);
    std::istringstream lines(bench.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
  }
}

TEST_F(Bench, accuracy_measures_every_order_of_known_flows) {
  const Outcome bench = run_dns({"bench",
                                 "accuracy",
                                 "--points",
                                 "16",
                                 "--precision",
                                 "double",
                                 "--device",
                                 "cpu",
                                 "--threads",
                                 "1",
                                 "--json",
                                 path("a.json")});
  EXPECT_EQ(bench.exit_code, 0) << bench.err;
  EXPECT_NE(bench.out.find("0.54  226"), std::string::npos) << bench.out;
  std::istringstream lines(bench.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
  int found = 0;
  for (const YAML::Node& measurement : YAML::Load(text_of(path("a.json")))) {
    if (measurement["section"].as<std::string>() != "accuracy") continue;
    ++found;
    EXPECT_LT(measurement["error"].as<double>(), 1);
    EXPECT_GT(measurement["seconds"].as<double>(), 0);
  }
  EXPECT_EQ(found, 2 * 4 + 3);  // two flows of four orders, one of three
}

TEST_F(Bench, csv_and_json_hold_the_same_measurements) {
  const Outcome bench = run_dns(quick({"--csv", path("b.csv"), "--json", path("b.json")}));
  EXPECT_EQ(bench.exit_code, 0) << bench.err;
  const std::string csv = text_of(path("b.csv"));
  const YAML::Node json = YAML::Load(text_of(path("b.json")));  // JSON is YAML
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), static_cast<std::ptrdiff_t>(json.size()) + 1);
  for (const YAML::Node& measurement : json) {
    EXPECT_EQ(measurement["status"].as<std::string>(), "ok");
    EXPECT_GT(measurement["seconds"].as<double>(), 0);
  }
  EXPECT_FALSE(exists("b.csv.part"));
}

TEST_F(Bench, wrong_usage_ends_with_2) {
  EXPECT_EQ(run_dns({"bench"}).exit_code, 2);
  const Outcome misspelt = run_dns({"bench", "transpsoe"});
  EXPECT_EQ(misspelt.exit_code, 2);
  EXPECT_NE(misspelt.err.find("did you mean 'transpose'"), std::string::npos) << misspelt.err;
  EXPECT_EQ(run_dns({"bench", "copy", "--precision", "half"}).exit_code, 2);
  EXPECT_EQ(run_dns({"bench", "copy", "--device", "gpu"}).exit_code, 2);
  EXPECT_EQ(run_dns({"bench", "copy", "--points", "12x"}).exit_code, 2);
  EXPECT_EQ(run_dns({"bench", "copy", "--points", "4"}).exit_code, 2);
  EXPECT_EQ(run_dns({"bench", "copy", "--threads", "0"}).exit_code, 2);
}

TEST_F(Bench, a_folder_that_is_not_there_ends_with_3_at_once) {
  for (const char* option : {"--csv", "--json", "--plot"}) {
    const Outcome bench = run_dns(quick({option, path("none/file")}));
    EXPECT_EQ(bench.exit_code, 3) << bench.err;
    EXPECT_TRUE(bench.out.empty()) << bench.out;
  }
}

TEST_F(Bench, a_full_disk_ends_with_3_and_leaves_no_half_written_file) {
  Surroundings surroundings;
  surroundings.largest_file = 600;
  const Outcome bench = run_dns(quick({"--csv", path("b.csv")}), surroundings);
  EXPECT_EQ(bench.exit_code, 3) << bench.err;
  EXPECT_FALSE(exists("b.csv"));
}

TEST_F(Bench, plot_without_python_says_what_is_missing_before_measuring) {
  Surroundings surroundings;
  surroundings.environment = {{"PATH", path("empty")}};
  const Outcome bench = run_dns(quick({"--plot", path("b.png")}), surroundings);
  EXPECT_EQ(bench.exit_code, 3) << bench.err;
  EXPECT_NE(bench.err.find("matplotlib"), std::string::npos) << bench.err;
  EXPECT_TRUE(bench.out.empty()) << bench.out;
}

TEST_F(Bench, plot_draws_a_picture) {
  const char* const looks =
      "for p in python3 /usr/bin/python3; do $p -c 'import matplotlib' && break; done";
  if (std::system((std::string(looks) + " >/dev/null 2>&1").c_str()) != 0)
    GTEST_SKIP() << "no matplotlib";
  const Outcome bench = run_dns(quick({"--plot", path("b.png")}));
  EXPECT_EQ(bench.exit_code, 0) << bench.err;
  EXPECT_EQ(text_of(path("b.png")).substr(1, 3), "PNG");
  EXPECT_FALSE(exists("b.png.part"));
}

TEST_F(Bench, cuda_where_there_is_none_is_left_out_or_refused) {
  if (has_gpu()) GTEST_SKIP() << "a GPU is there";
  const Outcome asked = run_dns({"bench", "copy", "--device", "cuda"});
  EXPECT_TRUE(asked.exit_code == 2 || asked.exit_code == 5) << asked.exit_code;
  const Outcome bench = run_dns({"bench", "reduce", "--points", "16", "--threads", "1"});
  EXPECT_EQ(bench.exit_code, 0) << bench.err;
  EXPECT_NE(bench.out.find("cuda: left out"), std::string::npos) << bench.out;
}

TEST_F(Bench, more_memory_than_there_is_ends_with_5) {
  // Some 130 GB; a machine that has them would take long, so it is not asked.
  if (available_gibibytes() > 100) GTEST_SKIP() << "this machine has that much memory";
  const Outcome bench =
      run_dns({"bench", "step", "--points", "1024", "--device", "cpu", "--precision", "double"});
  EXPECT_EQ(bench.exit_code, 5) << bench.err;
  EXPECT_NE(bench.err.find("MiB"), std::string::npos) << bench.err;
}

/// A section of its own each: all of them take minutes.
class BenchSections : public Bench, public ::testing::WithParamInterface<const char*> {};

TEST_P(BenchSections, have_every_variant_right) {
  if (!has_gpu()) GTEST_SKIP() << no_gpu();
  for (const char* points : {"60", "65"}) {
    const Outcome bench = run_dns({"bench", GetParam(), "--points", points, "--device", "cuda"});
    EXPECT_EQ(bench.exit_code, 0) << bench.out << bench.err;
  }
}

INSTANTIATE_TEST_SUITE_P(
    on_cuda,
    BenchSections,
    ::testing::Values("copy", "transpose", "reduce", "stencil", "sweep", "table1"),
    [](const auto& section) { return std::string(section.param); });

}  // namespace
}  // namespace dns::testing::test_bench
