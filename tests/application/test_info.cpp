/// `dns info`: every file of a run explained, and others refused.
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "solver/output/checkpoint.hpp"
#include "tests/application/run_test.hpp"

namespace dns::testing {
namespace {

class Info : public RunTest {
 protected:
  [[nodiscard]] Outcome info(const std::string& name) const {
    return run_dns({"info", path(name)});
  }
  [[nodiscard]] std::string member(const std::string& file, const std::string& name) const {
    return json_member(run_dns({"info", path(file), "--json"}).out, name);
  }
};

TEST_F(Info, every_file_of_a_run_is_explained) {
  ASSERT_EQ(run_dns(run_into("run")).exit_code, 0);
  for (const auto& entry : std::filesystem::directory_iterator(path("run"))) {
    const Outcome outcome = run_dns({"info", entry.path().string()});
    EXPECT_EQ(outcome.exit_code, 0) << entry.path() << outcome.err;
    EXPECT_NE(outcome.out.find("format "), std::string::npos) << outcome.out;
  }
  EXPECT_EQ(info("run").exit_code, 0);
}

TEST_F(Info, the_time_series_tells_its_newest_complete_line) {
  ASSERT_EQ(run_dns(run_into("run")).exit_code, 0);
  EXPECT_EQ(member("run/timeseries.csv", "step"), "40");
  EXPECT_EQ(member("run/timeseries.csv", "lines"), "15");  // the start, each third step, the last
  write("growing.csv", text_of(path("run/timeseries.csv")) + "43,0.043");
  EXPECT_EQ(member("growing.csv", "step"), "40");
}

/// As JSON a folder and its files tell numbers, those of the case and of the newest line included.
TEST_F(Info, of_a_folder_as_json_has_values_and_not_words) {
  ASSERT_EQ(run_dns(run_into("run")).exit_code, 0);
  const std::string folder = run_dns({"info", path("run"), "--json"}).out;
  EXPECT_EQ(json_member(folder, "step"), "40");
  EXPECT_NEAR(std::stod(json_member(folder, "time")), 0.04, 1e-15);
  EXPECT_EQ(json_member(folder, "snapshots"), "[0, 20, 40]");
  EXPECT_EQ(json_member(folder, "checkpoints"), "[30, 40]");
  EXPECT_EQ(json_member(folder, "slices"), "[]");

  std::istringstream series(text_of(path("run/timeseries.csv")));
  std::string names, line;
  std::getline(series, names);
  std::string newest;
  while (std::getline(series, line)) newest = line;
  const std::string values = json_member(folder, "timeseries");
  std::istringstream columns(names);
  std::istringstream cells(newest);
  int count = 0;
  for (std::string name, cell; std::getline(columns, name, ',');) {
    ASSERT_TRUE(std::getline(cells, cell, ','));
    EXPECT_EQ(std::stod(json_member(values, name)), std::stod(cell)) << name;
    ++count;
  }
  EXPECT_GT(count, 8);

  for (const char* const name : {"run", "run/case.yaml", "run/fields_00000020.h5"}) {
    const std::string of_case = member(name, "case");
    EXPECT_EQ(json_member(of_case, "points"), "[13, 11, 9]") << name;
    EXPECT_EQ(json_member(of_case, "steps"), "40") << name;
    EXPECT_EQ(json_member(of_case, "scheme"), "splitting") << name;
    EXPECT_EQ(json_member(of_case, "precision"), "double") << name;
  }
  const std::string arrays = member("run/fields_00000020.h5", "arrays");
  EXPECT_EQ(json_member(json_member(arrays, "velocity"), "shape"), "[9, 11, 13, 3]");
  EXPECT_EQ(json_member(json_member(arrays, "velocity"), "precision"), "float");
}

TEST_F(Info, the_list_of_snapshots_tells_its_times_and_what_is_missing) {
  ASSERT_EQ(run_dns(run_into("run")).exit_code, 0);
  EXPECT_EQ(member("run/fields.xdmf", "snapshots"), "3");
  EXPECT_EQ(member("run/fields.xdmf", "first time"), "0");
  const auto times = YAML::Load(member("run/fields.xdmf", "times")).as<std::vector<double>>();
  ASSERT_EQ(times.size(), 3U);
  for (std::size_t n = 0; n < 3; ++n) EXPECT_NEAR(times[n], 0.02 * static_cast<double>(n), 1e-15);
  EXPECT_EQ(member("run/fields.xdmf", "missing"), "");
  std::filesystem::remove(path("run/fields_00000020.h5"));
  EXPECT_EQ(member("run/fields.xdmf", "missing"), "[fields_00000020.h5]");
}

TEST_F(Info, a_log_tells_its_warnings) {
  write("log.txt", "dns 0.1.0 (commit abc)\nwarning: too fast\nstep 1/2\nfinished\n");
  EXPECT_EQ(member("log.txt", "warnings"), "1");
  EXPECT_NE(info("log.txt").out.find("too fast"), std::string::npos);
  EXPECT_EQ(member("log.txt", "newest"), "finished");
}

TEST_F(Info, figures_of_the_benchmark_tell_how_many_are_wrong) {
  const std::string header = "section,variant,direction,device,status\n";
  write("b.csv", header + "copy,loop,,cpu,ok\nsweep,tiled,x,cuda,wrong\nsweep,naive,x,cuda,ok\n");
  EXPECT_EQ(member("b.csv", "variants"), "3");
  EXPECT_EQ(member("b.csv", "wrong"), "1");
  write("b.json",
        "[\n  {\"section\": \"copy\", \"device\": \"cpu\", \"status\": \"ok\"},\n"
        "  {\"section\": \"sweep\", \"device\": \"cpu\", \"status\": \"wrong\"}\n]\n");
  EXPECT_EQ(member("b.json", "variants"), "2");
  EXPECT_EQ(member("b.json", "wrong"), "1");
}

TEST_F(Info, a_picture_tells_its_size) {
  const std::string signature = "\x89PNG\r\n\x1a\n";
  const std::string head("\0\0\0\x0dIHDR\0\0\1\2\0\0\0\x40", 16);
  write("flow.png", signature + head);
  EXPECT_EQ(member("flow.png", "width"), "258");
  EXPECT_EQ(member("flow.png", "height"), "64");
  write("damaged.png", signature + std::string("\0\0\0\x0dIHDR\xff\xff\xff\xff\0\0\0\x40", 16));
  EXPECT_EQ(member("damaged.png", "width"), "4294967295");
}

TEST_F(Info, a_case_with_mistakes_ends_with_2_and_names_them) {
  write("wrong.yaml", "scheme: splitting\nfluid: {reynolds: -1}\n");
  const Outcome outcome = info("wrong.yaml");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("fluid.reynolds"), std::string::npos) << outcome.err;
}

TEST_F(Info, foreign_damaged_and_missing_files_end_with_3_and_say_what_is_known) {
  write("notes.txt", "dear diary\n");
  write("table.csv", "a,b\n1,2\n");
  write("empty", "");
  write("binary", std::string("\0\1\2", 3));
  std::filesystem::create_directory(path("folder"));
  for (const char* name : {"notes.txt", "table.csv", "empty", "binary", "folder"}) {
    const Outcome outcome = info(name);
    EXPECT_EQ(outcome.exit_code, 3) << name;
    EXPECT_NE(outcome.err.find("timeseries.csv"), std::string::npos) << outcome.err;
  }
  write("fields_00000001.h5", "not HDF5");
  EXPECT_EQ(info("fields_00000001.h5").exit_code, 3);
  EXPECT_EQ(info("none").exit_code, 3);
  write("checkpoint_00000001.h5.part", "half");
  EXPECT_NE(info("checkpoint_00000001.h5.part").err.find("unfinished"), std::string::npos);
}

TEST_F(Info, of_a_folder_with_damaged_averages_says_so_and_tells_the_rest) {
  ASSERT_EQ(run_dns(run_into("run")).exit_code, 0);
  write("run/statistics.h5", "no HDF5");
  const Outcome outcome = info("run");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("averages   cannot be read: "), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("checkpoints"), std::string::npos) << outcome.out;
}

TEST_F(Info, of_a_folder_with_averages_tells_their_numbers) {
  write("case.yaml", R"yaml(scheme: projection
device: cpu
grid: {points: [8, 8, 8]}
fluid: {reynolds: 10}
boundaries: {x: periodic, y_min: {type: wall}, y_max: {type: wall}, z: periodic}
initial: {velocity: ["y*(1-y)", 0, 0]}
time: {step: 0.01, steps: 4}
output: {statistics: {every: 2}}
)yaml");
  ASSERT_EQ(run_dns(run_into("run")).exit_code, 0);
  EXPECT_EQ(member("run", "samples"), "2");
  EXPECT_EQ(member("run", "last_time"), "0.04");
  EXPECT_GT(std::stod(member("run", "friction_velocity")), 0.1);
}

TEST_F(Info, of_a_file_whose_case_this_version_cannot_read_says_so_and_goes_on) {
  FlowState state;
  state.step = 7;
  state.fields.emplace_back("velocity_x", Extents{4, 3, 2}, Precision::double_precision);
  std::ranges::fill(state.fields[0].values<double>(), 1.0);
  write_checkpoint(path(""), state, "future: 1\n" + text_of(case_file()), 1);
  const Outcome outcome = info("checkpoint_00000007.h5");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("\ncase       cannot be read by this version: " +
                             path("checkpoint_00000007.h5") + ":1:1: future: unknown key; "),
            std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("(2, 3, 4) double\n"), std::string::npos) << outcome.out;
  EXPECT_EQ(member("checkpoint_00000007.h5", "step"), "7");
}

TEST_F(Info, a_live_run_can_be_looked_at) {
  std::vector<std::string> arguments = run_into("run", endless());
  Process run(arguments);
  ASSERT_TRUE(has_begun("run"));
  for (const char* name : {"run", "run/timeseries.csv", "run/log.txt", "run/case.yaml"}) {
    const Outcome outcome = info(name);
    EXPECT_EQ(outcome.exit_code, 0) << name << outcome.err;
  }
  EXPECT_TRUE(run.is_running());
}

}  // namespace
}  // namespace dns::testing
