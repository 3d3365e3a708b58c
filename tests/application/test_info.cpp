/// `dns info`: every file of a run explained, and others refused.
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "solver/output/checkpoint.hpp"
#include "tests/application/run_test.hpp"

namespace dns::testing::test_info {
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
    if (entry.path().filename() == "log.txt") continue;  // says itself what it is
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
  std::string names;
  std::string line;
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

/// What is no number has no value, and steps are whole at any size.
TEST_F(Info, a_damaged_time_series_tells_what_it_has) {
  const std::string header = "step,time,dt,cfl,kinetic_energy\n";
  write("series.csv", header + "12345678,0.5,1e-3,0.25,7\n12345679,x,,0.5\n");
  EXPECT_EQ(member("series.csv", "lines"), "2");
  EXPECT_EQ(member("series.csv", "first step"), "12345678");
  EXPECT_EQ(member("series.csv", "step"), "12345679");
  EXPECT_EQ(member("series.csv", "time"), "null");
  EXPECT_EQ(member("series.csv", "cfl"), "0.5");
  EXPECT_EQ(member("series.csv", "kinetic_energy"), "null");
  EXPECT_NE(info("series.csv").out.find("12345678\n"), std::string::npos);
  write("header.csv", header);
  EXPECT_EQ(member("header.csv", "lines"), "0");
}

TEST_F(Info, a_picture_tells_its_size) {
  const std::string signature = "\x89PNG\r\n\x1a\n";
  const std::string head("\0\0\0\x0dIHDR\0\0\1\2\0\0\0\x40", 16);
  write("flow.png", signature + head);
  EXPECT_EQ(member("flow.png", "width"), "258");
  EXPECT_EQ(member("flow.png", "height"), "64");
  write("damaged.png", signature + std::string("\0\0\0\x0dIHDR\xff\xff\xff\xff\0\0\0\x40", 16));
  EXPECT_EQ(member("damaged.png", "width"), "4294967295");
  EXPECT_EQ(member("damaged.png", "variable"), "");
}

TEST_F(Info, a_case_with_mistakes_ends_with_2_and_names_them) {
  write("wrong.yaml", "scheme: splitting\nfluid: {reynolds: -1}\n");
  const Outcome outcome = info("wrong.yaml");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("fluid.reynolds"), std::string::npos) << outcome.err;
}

TEST_F(Info, foreign_damaged_and_missing_files_end_with_3_and_say_what_is_known) {
  write("log.txt", "dns 0.1.0 (commit abc)\nfinished\n");  // for people
  write("notes.txt", "dear diary\n");
  write("table.csv", "a,b\n1,2\n");
  write("empty", "");
  write("binary", std::string("\0\1\2", 3));
  std::filesystem::create_directory(path("folder"));
  for (const char* name : {"log.txt", "notes.txt", "table.csv", "empty", "binary", "folder"}) {
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
  EXPECT_NE(member("run", "warnings").find("averages cannot be read: "), std::string::npos);
  std::filesystem::remove(path("run/statistics.h5"));
  EXPECT_EQ(member("run", "warnings"), "[]");
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

TEST_F(Info, a_picture_of_a_run_tells_variable_plane_range_and_time) {
  const std::string plane = "{axis: y, at: 0.625, variable: velocity_x, min: -0.5, max: 1.5}";
  ASSERT_EQ(run_dns(run_into("run",
                             {"--set",
                              "output.slices.every=20",
                              "--set",
                              "output.slices.pixels=32",
                              "--set",
                              "output.slices.planes.lid=" + plane}))
                .exit_code,
            0);
  const std::string name = "run/slice_lid_00000020.png";
  for (const auto& [fact, value] : {std::pair{"width", "32"},
                                    std::pair{"name", "lid"},
                                    std::pair{"variable", "velocity_x"},
                                    std::pair{"unit", "U"},
                                    std::pair{"axis", "y"},
                                    std::pair{"at", "0.625"},
                                    std::pair{"low", "-0.5"},
                                    std::pair{"high", "1.5"},
                                    std::pair{"step", "20"}})
    EXPECT_EQ(member(name, fact), value) << fact;
  EXPECT_EQ(member(name, "time"), member("run/fields_00000020.h5", "time"));
  EXPECT_NE(info(name).out.find("\nvariable   velocity_x\n"), std::string::npos);
  std::string damaged = text_of(path(name));
  damaged.replace(damaged.find("velocity_x"), 10, "velocity_y");
  write("damaged.png", damaged);
  const Outcome outcome = info("damaged.png");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.err,
            "error: " + path("damaged.png") + ": damaged: its text is not what was written\n");
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
  for (const char* name : {"run", "run/timeseries.csv", "run/case.yaml"}) {
    const Outcome outcome = info(name);
    EXPECT_EQ(outcome.exit_code, 0) << name << outcome.err;
  }
  const double before = std::stod(member("run", "step"));
  EXPECT_TRUE(wait_until([&] { return std::stod(member("run", "step")) > before; }));
  EXPECT_TRUE(run.is_running());
}

TEST_F(Info, of_a_stopped_run_tells_how_far_it_came_and_what_goes_on) {
  Process run(run_into("run", endless()));
  ASSERT_TRUE(has_begun("run"));
  run.send(SIGTERM);
  ASSERT_EQ(run.wait().exit_code, 75);
  const std::int64_t stopped = newest_state(path("run")).step;
  const std::string checkpoints = member("run", "checkpoints");
  EXPECT_TRUE(checkpoints.ends_with(std::to_string(stopped) + "]")) << checkpoints;
  // The series has each third step, the checkpoint the last one.
  EXPECT_EQ(std::stod(member("run", "step")), static_cast<double>(stopped));
  EXPECT_NE(info("run").out.find("\ngo on      dns resume " + path("run") + "\n"),
            std::string::npos);
}

/// As it is left by a machine that went down: half a line, half a file, no list.
TEST_F(Info, of_a_folder_with_damage_tells_the_rest) {
  ASSERT_EQ(run_dns(run_into("run")).exit_code, 0);
  const std::string series = text_of(path("run/timeseries.csv"));
  write("run/timeseries.csv", series.substr(0, series.size() - 5));
  std::filesystem::remove(path("run/fields.xdmf"));
  std::filesystem::resize_file(path("run/fields_00000020.h5"), 100);
  write("run/log.txt", "");
  EXPECT_EQ(member("run", "step"), "40") << "the newest checkpoint";
  EXPECT_EQ(member("run", "snapshots"), "[0, 20, 40]");
  std::filesystem::resize_file(path("run/checkpoint_00000040.h5"), 100);
  EXPECT_EQ(member("run", "step"), "39") << "the newest whole line of the time series";
  EXPECT_EQ(info("run/fields_00000020.h5").exit_code, 3);
  EXPECT_EQ(info("run/log.txt").exit_code, 3);
}

}  // namespace
}  // namespace dns::testing::test_info
