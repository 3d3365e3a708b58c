/// A run resumed from a checkpoint gives the bits of one that was never stopped.
#include <algorithm>
#include <filesystem>
#include <sstream>
#include <tuple>

#include "solver/files/run_files.hpp"
#include "solver/output/checkpoint.hpp"
#include "tests/application/run_test.hpp"
#include "tests/flow_in_file.hpp"
#include "tests/values_in_file.hpp"

namespace dns::testing::test_resume {
namespace {

class Resume : public RunTest {};

/// Device and precision.
class ResumeOn : public RunTest,
                 public ::testing::WithParamInterface<std::tuple<const char*, const char*>> {
 protected:
  [[nodiscard]] std::vector<std::string> run_to(const std::string& name, int step) const {
    const auto [device, precision] = GetParam();
    return run_into(name,
                    {"--device",
                     device,
                     "--precision",
                     precision,
                     "--steps",
                     std::to_string(step),
                     "--set",
                     "boundaries.z_min={type: inflow, velocity: [0, 0, 1+t], temperature: 1}",
                     "--set",
                     "boundaries.z_max={type: outflow}"});
  }
  void SetUp() override {
    if (std::get<0>(GetParam()) == std::string("cuda") && !has_gpu()) GTEST_SKIP() << no_gpu();
  }
};

TEST_P(ResumeOn, from_any_step_and_with_other_threads_gives_the_same_bits) {
  ASSERT_EQ(run_dns(run_to("whole", 23)).exit_code, 0);
  for (const int step : {1, 10, 13, 22}) {
    const std::string name = "stopped_at_" + std::to_string(step);
    ASSERT_EQ(run_dns(run_to(name, step)).exit_code, 0);
    const Outcome resumed = run_dns(resume_in(name, {"--steps", "23", "--threads", "2"}));
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_TRUE(same_bits(newest_state(path("whole")), newest_state(path(name))));
    EXPECT_EQ(series_without_clock(path("whole")), series_without_clock(path(name)));
  }
}

/// tests/data/checkpoint.h5 was written on 25 November 2026, by a version that kept no pressure at
/// the time of the velocity, no momentum and no heat, and summed up its averages about 0.
TEST_F(Resume, a_checkpoint_of_an_older_version_goes_on_with_its_averages) {
  std::filesystem::create_directory(path("old"));
  std::filesystem::copy_file(DNS_TEST_DATA "/checkpoint.h5", path("old/checkpoint_00000004.h5"));
  const Outcome resumed = run_dns(resume_in("old", {"--steps", "8"}));
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  std::istringstream lines(resumed.err);
  int told = 0;
  for (std::string line; std::getline(lines, line);) told += line.starts_with("older ") ? 1 : 0;
  EXPECT_EQ(told, 1) << resumed.err;
  const FlowState state = newest_state(path("old"));
  EXPECT_EQ(state.step, 8);
  const auto has_pressure = [](const HostField& field) {
    return field.name() == "pressure_of_flow";
  };
  EXPECT_TRUE(std::ranges::any_of(state.fields, has_pressure));

  const Hdf5File averages = Hdf5File::open(path("old/statistics.h5"));
  EXPECT_EQ(averages.read_integer("samples"), 6);
  EXPECT_EQ(averages.read_real("first_time"), 0.015);
  EXPECT_NEAR(averages.read_real("last_time"), 0.04, 1e-15);
  // Samples before and after have the bulk velocity 1, and so has their mean.
  const std::vector<double> u = values_in(averages, "u");
  const std::vector<double> faces = values_in(averages, "y_faces");
  ASSERT_EQ(faces.size(), u.size() + 1);
  double bulk = 0;
  for (std::size_t n = 0; n < u.size(); ++n) bulk += u[n] * (faces[n + 1] - faces[n]) / 2;
  EXPECT_NEAR(bulk, 1, 1e-13);

  const Outcome again = run_dns(resume_in("old", {"--steps", "9"}));
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(again.err.find("older "), std::string::npos) << again.err;
}

/// A driven, heated channel of scheme projection that holds a CFL number and takes averages.
const std::string channel = R"yaml(
scheme: projection
grid: {points: [12, 14, 10], length: [3, 2, 2], stretching: {y: {factor: 1.5}}}
fluid: {reynolds: 50, prandtl: 0.7}
buoyancy: {rayleigh: 1.0e+4, direction: y}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: 1}
  y_max: {type: wall, velocity: ["0.2*t", 0, 0], temperature: 0}
  z: periodic
initial: {type: turbulent_channel, bulk_velocity: 1, amplitude: 0.2, temperature: "1 - y/2"}
forcing: {type: bulk_velocity, value: [1, 0, 0]}
time: {cfl: 0.7, end: 0.9}
output:
  fields: {every: 7}
  timeseries: {every: 2}
  checkpoint: {every: 1, keep: 1000}
  statistics: {start: 0.2, every: 2, average: [x, z], spectra: [x, z]}
)yaml";

TEST_P(ResumeOn, a_staggered_flow_goes_on_with_its_step_its_driving_and_its_averages) {
  write("case.yaml", channel);
  const auto [device, precision] = GetParam();
  const Outcome whole = run_dns(run_into("whole", {"--device", device, "--precision", precision}));
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  const std::int64_t steps = newest_state(path("whole")).step;
  ASSERT_GT(steps, 10);
  EXPECT_NEAR(newest_state(path("whole")).time, 0.9, 1e-12);
  EXPECT_GT(newest_state(path("whole")).statistics.samples, 2);
  for (const std::int64_t step : {std::int64_t{1}, std::int64_t{6}, steps - 1}) {
    const std::string name = "killed_after_" + std::to_string(step);
    std::filesystem::copy(path("whole"), path(name));
    for (const NumberedFile& file : numbered_files(path(name), checkpoint_prefix)) {
      if (file.step > step) std::filesystem::remove(path(name + "/" + file.name));
    }
    std::filesystem::remove(path(name + "/statistics.h5"));
    const Outcome resumed = run_dns(resume_in(name, {"--threads", "2", "--json"}));
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_EQ(json_member(resumed.out, "first_step"), std::to_string(step));
    EXPECT_TRUE(same_bits(newest_state(path("whole")), newest_state(path(name))));
    EXPECT_EQ(series_without_clock(path("whole")), series_without_clock(path(name)));
    EXPECT_EQ(text_of(path("whole/fields.xdmf")), text_of(path(name + "/fields.xdmf")));
    EXPECT_TRUE(exists(name + "/statistics.h5"));
  }
}

/// "float": the name of a pair.
std::string precision_of(const ::testing::TestParamInfo<ResumeOn::ParamType>& pair) {
  return std::get<1>(pair.param);
}

const auto precisions = ::testing::Values("float", "double");
INSTANTIATE_TEST_SUITE_P(on_cpu,
                         ResumeOn,
                         ::testing::Combine(::testing::Values("cpu"), precisions),
                         precision_of);
INSTANTIATE_TEST_SUITE_P(on_cuda,
                         ResumeOn,
                         ::testing::Combine(::testing::Values("cuda"), precisions),
                         precision_of);

TEST_F(Resume, run_with_resume_starts_where_there_is_nothing_and_goes_on_where_there_is) {
  const Outcome first = run_dns(run_into("run", {"--resume", "--steps", "15", "--json"}));
  EXPECT_EQ(json_member(first.out, "first_step"), "0") << first.err;
  const Outcome second = run_dns(run_into("run", {"--resume", "--json"}));
  EXPECT_EQ(json_member(second.out, "first_step"), "15") << second.err;
  EXPECT_EQ(json_member(second.out, "status"), "finished");
  ASSERT_EQ(run_dns(run_into("whole")).exit_code, 0);
  EXPECT_TRUE(same_bits(newest_state(path("whole")), newest_state(path("run"))));
}

TEST_F(Resume, a_complete_run_says_so_and_ends_with_0) {
  ASSERT_EQ(run_dns(run_into("run")).exit_code, 0);
  const std::string series = text_of(path("run/timeseries.csv"));
  for (const auto& arguments :
       {resume_in("run", {"--json"}), run_into("run", {"--resume", "--json"})}) {
    const Outcome again = run_dns(arguments);
    EXPECT_EQ(again.exit_code, 0);
    EXPECT_EQ(json_member(again.out, "status"), "complete");
    EXPECT_NE(again.err.find("complete"), std::string::npos);
  }
  EXPECT_EQ(text_of(path("run/timeseries.csv")), series);
}

/// The command that a complete run proposes does go on, whatever the case says by now and however
/// the run ends; so does that of `dns info`.
TEST_F(Resume, of_a_complete_run_proposes_what_goes_on) {
  const auto proposal = [](const std::string& text, const std::string& before) {
    const std::size_t begin = text.find(before);
    EXPECT_NE(begin, std::string::npos) << text;
    if (begin == std::string::npos) return std::vector<std::string>{};
    const std::size_t from = begin + before.size();
    std::istringstream words(text.substr(from, text.find('\n', from) - from));
    std::vector<std::string> command;
    for (std::string word; words >> word;) command.push_back(word);
    return command;
  };
  const auto goes_on = [&](std::vector<std::string> command, const std::string& name) {
    const std::int64_t before = newest_state(path("run")).step;
    const Outcome outcome = run_dns(command);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_GT(newest_state(path(name)).step, before);
  };
  const std::vector<std::string> first = quietly("30");
  ASSERT_EQ(run_dns(run_into("run", first)).exit_code, 0);
  const Outcome fewer = run_dns(resume_in("run", {"--steps", "10"}));
  EXPECT_NE(fewer.err.find("is complete: step 30"), std::string::npos) << fewer.err;
  const Outcome branch = run_dns(resume_in("run", {"--steps", "10", "-o", path("branch")}));
  goes_on(proposal(branch.err, "To go on: dns "), "branch");
  goes_on(proposal(fewer.err, "To go on: dns "), "run");
  goes_on(proposal(run_dns({"info", path("run")}).out, "go on      dns "), "run");
  const Outcome until = run_dns(resume_in("run", {"--set", "time.end=0.02"}));
  EXPECT_NE(until.err.find("--set time.end=0.24"), std::string::npos) << until.err;
  goes_on(proposal(until.err, "To go on: dns "), "run");
  goes_on(proposal(run_dns({"info", path("run")}).out, "go on      dns "), "run");
}

TEST_F(Resume, warns_of_keys_by_their_former_names) {
  const std::string body = "solids.rod={shape: formula, surface: 'abs(x-0.5)-0.2', temperature: 1}";
  ASSERT_EQ(run_dns(run_into("run", {"--set", body, "--steps", "2"})).exit_code, 0);
  const std::string former = "solids.rod.inside=abs(x-0.5)-0.1";
  const Outcome resumed = run_dns(resume_in("run", {"--set", former, "--steps", "4", "--json"}));
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  const std::string warning =
      "--set " + former + ": solids.rod.inside: is now named solids.rod.surface";
  EXPECT_NE(resumed.err.find("warning: " + warning + "\n"), std::string::npos) << resumed.err;
  EXPECT_EQ(json_member(resumed.out, "warnings"), "[\"" + warning + "\"]");
  EXPECT_EQ(json_member(run_dns(resume_in("run", {"--json"})).out, "warnings"), "[]");
}

TEST_F(Resume, makes_up_what_was_not_written_with_its_checkpoint) {
  write("case.yaml", channel);
  ASSERT_EQ(run_dns(run_into("whole")).exit_code, 0);
  const std::int64_t last = newest_state(path("whole")).step;
  // As if killed between the checkpoint and the snapshot of one step; and of a finished run.
  for (const std::int64_t step : {std::int64_t{7}, last}) {
    const std::string name = "killed_at_" + std::to_string(step);
    std::filesystem::copy(path("whole"), path(name));
    for (const NumberedFile& file : numbered_files(path(name), checkpoint_prefix)) {
      if (file.step > step) std::filesystem::remove(path(name + "/" + file.name));
    }
    const std::string lost = numbered_name(snapshot_prefix, step);
    std::filesystem::remove(path(name + "/" + lost));
    write(name + "/" + lost + ".part", "half of it");
    for (const NumberedFile& file : numbered_files(path(name), checkpoint_prefix)) {
      if (file.step < step - 2) std::filesystem::remove(path(name + "/" + file.name));
    }
    for (const char* const old : {"statistics.h5", "fields.xdmf", "fields_points.xdmf"})
      std::filesystem::remove(path(name + "/" + old));
    const Outcome resumed = run_dns(resume_in(name, {"--set", "output.checkpoint.keep=2"}));
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_EQ(numbered_files(path(name), checkpoint_prefix).size(),
              2U);  // not the third, left over
    EXPECT_TRUE(
        same_bits(flow_in_file(path("whole/" + lost)), flow_in_file(path(name + "/" + lost))));
    EXPECT_EQ(text_of(path("whole/fields.xdmf")), text_of(path(name + "/fields.xdmf")));
    const auto averages_of = [&](const std::string& run) {
      const std::string info = run_dns({"info", path(run + "/statistics.h5"), "--json"}).out;
      return json_member(info, "samples") + " " + json_member(info, "friction_velocity");
    };
    EXPECT_EQ(averages_of("whole"), averages_of(name));
    EXPECT_FALSE(exists(name + "/" + lost + ".part"));
    EXPECT_EQ(series_without_clock(path("whole")), series_without_clock(path(name)));
  }
}

TEST_F(Resume, into_another_folder_leaves_the_first_as_it_is) {
  ASSERT_EQ(run_dns(run_into("whole", {"--steps", "23"})).exit_code, 0);
  ASSERT_EQ(run_dns(run_into("first", {"--steps", "10"})).exit_code, 0);
  const std::string before = text_of(path("first/timeseries.csv")) + text_of(path("first/log.txt"));
  const auto files_before = names_in(path("first"));
  const std::vector<std::string> branch{
      "resume", path("first"), "-o", path("branch"), "--steps", "23"};
  const Outcome branched = run_dns(branch);
  ASSERT_EQ(branched.exit_code, 0) << branched.err;
  EXPECT_EQ(text_of(path("first/timeseries.csv")) + text_of(path("first/log.txt")), before);
  EXPECT_EQ(names_in(path("first")), files_before);
  EXPECT_TRUE(same_bits(newest_state(path("whole")), newest_state(path("branch"))));
  EXPECT_NE(text_of(path("branch/case.yaml")).find(path("branch")), std::string::npos);
  EXPECT_EQ(text_of(path("branch/timeseries.csv")).find("\n10,"), std::string::npos);
  EXPECT_NE(text_of(path("branch/timeseries.csv")).find("\n23,"), std::string::npos);
  const Outcome again = run_dns(branch);
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_NE(again.err.find("already holds a run"), std::string::npos) << again.err;
  std::vector<std::string> forced = branch;
  forced.emplace_back("--force");
  EXPECT_EQ(run_dns(forced).exit_code, 0);
  const Outcome same = run_dns({"resume", path("first"), "-o", path("first"), "--steps", "23"});
  EXPECT_EQ(same.exit_code, 2);
  EXPECT_NE(same.err.find("is the folder of the run itself"), std::string::npos) << same.err;
}

TEST_F(Resume, begins_averages_anew_where_the_flow_is_another_one) {
  write("case.yaml", channel);
  const std::vector<std::string> short_run{"--set", "time={step: 0.01, steps: 40}"};
  ASSERT_EQ(run_dns(run_into("run", short_run)).exit_code, 0);
  const std::int64_t samples = newest_state(path("run")).statistics.samples;
  ASSERT_GT(samples, 5);
  const Outcome same = run_dns(resume_in(
      "run", {"--steps", "44", "--set", "output.fields.every=0", "--set", "precision=float"}));
  ASSERT_EQ(same.exit_code, 0) << same.err;
  EXPECT_EQ(same.err.find("averages "), std::string::npos) << same.err;
  EXPECT_EQ(newest_state(path("run")).statistics.samples, samples + 2);
  const Outcome other = run_dns(resume_in("run", {"--steps", "50", "--set", "fluid.reynolds=60"}));
  ASSERT_EQ(other.exit_code, 0) << other.err;
  EXPECT_NE(other.err.find("averages   begin anew, since the case has changed (fluid.reynolds);"),
            std::string::npos)
      << other.err;
  EXPECT_EQ(newest_state(path("run")).statistics.samples, 3);
  const Outcome info = run_dns({"info", path("run/statistics_00000044.h5"), "--json"});
  EXPECT_EQ(json_member(info.out, "samples"), std::to_string(samples + 2)) << info.err;
}

/// A periodic box in which u = t.
const std::string accelerated = R"yaml(
scheme: projection
grid: {points: [5, 6, 4]}
fluid: {reynolds: 1000}
forcing: {type: pressure_gradient, value: [1, 0, 0]}
boundaries: {x: periodic, y: periodic, z: periodic}
time: {step: 0.1, end: 2}
output: {statistics: {every: 1}}
)yaml";

TEST_F(Resume, begins_averages_anew_where_they_are_taken_in_another_way) {
  write("case.yaml", accelerated);
  ASSERT_EQ(run_dns(run_into("first")).exit_code, 0);
  struct Change {
    std::string setting;
    double first_time;
  };
  for (const auto& [setting, first_time] : {Change{"start=3", 3},
                                            Change{"window=1", 3},
                                            Change{"budgets=true", 2.1},
                                            Change{"spectra=[x]", 2.1},
                                            Change{"average=[x, z]", 2.1}}) {
    std::filesystem::remove_all(path("run"));
    std::filesystem::copy(path("first"), path("run"));
    const Outcome resumed =
        run_dns(resume_in("run", {"--set", "time.end=4", "--set", "output.statistics." + setting}));
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    const std::string key = "output.statistics." + setting.substr(0, setting.find('='));
    EXPECT_NE(resumed.err.find("averages   begin anew, since the case has changed (" + key +
                               "); those of 20 samples up to here: statistics_00000020.h5"),
              std::string::npos)
        << resumed.err;
    for (const std::string& text : {resumed.err, text_of(path("run/log.txt"))}) {
      EXPECT_NE(text.find("changed    time.end 2 -> 4\n"), std::string::npos) << text;
      EXPECT_NE(text.find("           " + key + " "), std::string::npos) << text;
    }
    const bool has_window = setting.starts_with("window");
    const std::string file = path(has_window ? "run/statistics_00000040.h5" : "run/statistics.h5");
    const Hdf5File averages = Hdf5File::open(file);
    EXPECT_NEAR(averages.read_real("first_time"), first_time, 1e-12) << setting;
    EXPECT_NEAR(averages.read_real("last_time"), 4, 1e-12) << setting;
    for (const double u : values_in(averages, "u"))
      EXPECT_NEAR(u, (first_time + 4) / 2, 1e-12) << setting;
  }
}

TEST_F(Resume, with_another_interval_of_samples_goes_on_with_averages_by_time) {
  write("case.yaml", accelerated);
  ASSERT_EQ(run_dns(run_into("run")).exit_code, 0);
  const Outcome resumed =
      run_dns(resume_in("run", {"--set", "time.end=4", "--set", "output.statistics.every=5"}));
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_NE(resumed.err.find("output.statistics.every 1 -> 5\n"), std::string::npos) << resumed.err;
  for (const double u : values_in(Hdf5File::open(path("run/statistics.h5")), "u"))
    EXPECT_NEAR(u, (0.1 + 4) / 2, 1e-12);  // from the first sample to the last
}

TEST_F(Resume, of_a_case_file_without_averages_is_refused_where_the_run_has_them) {
  write("case.yaml", accelerated);
  ASSERT_EQ(run_dns(run_into("run")).exit_code, 0);
  std::string without = accelerated;
  without.replace(without.find("output:"), std::string::npos, "");
  write("case.yaml", without);
  const std::vector<std::string> longer{"--resume", "--set", "time.end=4"};
  const Outcome refused = run_dns(run_into("run", longer));
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("output.statistics: none differs from {"), std::string::npos)
      << refused.err;
}

TEST_F(Resume, of_a_case_file_goes_on_with_other_ends_intervals_and_ways_to_run) {
  ASSERT_EQ(run_dns(run_into("run", {"--steps", "10"})).exit_code, 0);
  std::string text = text_of(case_file());
  const auto replace = [&text](const std::string& old, const std::string& now) {
    const std::size_t place = text.find(old);
    ASSERT_NE(place, std::string::npos) << old;
    text.replace(place, old.size(), now);
  };
  replace("steps: 40", "end: 0.012");
  replace("fields: {every: 20}", "fields: {every: 0.005 L/U}");
  replace("timeseries: {every: 3}", "timeseries: {every: 2}");
  replace("checkpoint: {every: 10", "checkpoint: {every: 5");
  replace("reynolds: 20", "reynolds: \"2*1.0e1\"");
  replace("0.1*sin(2*pi*x)", "0.10 * sin((2)*pi*x)");
  write("case.yaml", text + "run: {wall_time_limit: 1000}\n");
  const Outcome resumed = run_dns(run_into("run", {"--resume", "--threads", "2"}));
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  const std::string log = text_of(path("run/log.txt"));
  for (const char* const line : {"changed    time.steps 10 -> none\n",
                                 " time.end none -> 0.012\n",
                                 " output.fields.every 20 -> \"0.005 L/U\"\n",
                                 " output.timeseries.every 3 -> 2\n",
                                 " output.checkpoint.every 10 -> 5\n",
                                 " run.threads 1 -> 2\n",
                                 " run.wall_time_limit none -> 1000\n"}) {
    EXPECT_NE(resumed.err.find(line), std::string::npos) << line << resumed.err;
    EXPECT_NE(log.find(line), std::string::npos) << line << log;
  }
  EXPECT_EQ(std::ranges::count(resumed.err, '>'), 7) << resumed.err;
  EXPECT_EQ(newest_state(path("run")).step, 12);
}

TEST_F(Resume, of_a_case_file_refuses_the_run_of_another_case_and_names_both_values) {
  ASSERT_EQ(run_dns(run_into("run", {"--steps", "2"})).exit_code, 0);
  const std::string before = text_of(path("run/case.yaml"));
  std::string text = text_of(case_file());
  text.replace(text.find("reynolds: 20"), 12, "reynolds: 25");
  text.replace(text.find("step: 1.0e-3"), 12, "step: 2.0e-3");
  text.replace(text.find(", heat_capacity_ratio: 1.4"), 26, "");  // the default
  text.replace(text.find("keep: 2"), 7, "keep: 3");
  write("case.yaml", text);
  const Outcome refused = run_dns(run_into("run", {"--resume"}));
  EXPECT_EQ(refused.exit_code, 2);
  const std::string run = path("run");
  EXPECT_EQ(refused.err,
            case_file() + ":5:9: fluid.reynolds: 25 differs from 20 of the run in " + run + "\n" +
                case_file() + ":16:8: time.step: 0.002 differs from 0.001 of the run in " + run +
                "\n" + case_file() +
                ":20:27: output.checkpoint.keep: 3 differs from 2 of the run in " + run + "\n" +
                run +
                " holds the run of another case: --set KEY=VALUE goes on with the new value, -o "
                "DIR starts a run in another folder\n");
  EXPECT_EQ(text_of(path("run/case.yaml")), before);
  EXPECT_EQ(newest_state(run).step, 2);
  const Outcome one_left = run_dns(run_into(
      "run", {"--resume", "--set", "fluid.reynolds=25", "--set", "time={step: 0.002, steps: 4}"}));
  EXPECT_EQ(one_left.exit_code, 2);
  EXPECT_EQ(one_left.err.find("fluid.reynolds"), std::string::npos) << one_left.err;
  EXPECT_NE(one_left.err.find("output.checkpoint.keep: 3"), std::string::npos) << one_left.err;
  const Outcome accepted = run_dns(run_into("run",
                                            {"--resume",
                                             "--steps",
                                             "4",
                                             "--set",
                                             "fluid.reynolds=25",
                                             "--set",
                                             "time.step=0.002",
                                             "--set",
                                             "output.checkpoint.keep=3"}));
  EXPECT_EQ(accepted.exit_code, 0) << accepted.err;
  EXPECT_NE(accepted.err.find("fluid.reynolds 20 -> 25\n"), std::string::npos) << accepted.err;
  EXPECT_EQ(newest_state(run).step, 4);
}

TEST_F(Resume, of_a_case_file_compares_numbers_whatever_parameters_give_them) {
  const std::string with_parameter = "parameters: {Re: 1000}\n" + accelerated;
  const auto with_reynolds = [](std::string text, const std::string& reynolds) {
    return text.replace(text.find("reynolds: 1000"), 14, "reynolds: " + reynolds);
  };
  write("case.yaml", with_reynolds(with_parameter, "Re"));
  ASSERT_EQ(run_dns(run_into("run")).exit_code, 0);
  write("case.yaml", "parameters: {R: 500}\n" + with_reynolds(accelerated, "2*R"));
  EXPECT_EQ(run_dns(run_into("run", {"--resume", "--set", "time.end=2.1"})).exit_code, 0);
  write("case.yaml", "parameters: {R: 600}\n" + with_reynolds(accelerated, "2*R"));
  const Outcome refused = run_dns(run_into("run", {"--resume"}));
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("case.yaml:5:9: fluid.reynolds: 1200 differs from 1000 of the run"),
            std::string::npos)
      << refused.err;
  EXPECT_EQ(refused.err.find("parameters"), std::string::npos) << refused.err;
}

TEST_F(Resume, of_a_case_file_starts_where_the_folder_has_no_checkpoint) {
  std::filesystem::create_directory(path("run"));
  write("run/slurm.out", "of the queue");
  const Outcome started = run_dns(run_into("run", {"--resume", "--steps", "2", "--json"}));
  EXPECT_EQ(started.exit_code, 0) << started.err;
  EXPECT_EQ(json_member(started.out, "first_step"), "0");
  EXPECT_EQ(started.err.find("changed "), std::string::npos) << started.err;
  EXPECT_TRUE(exists("run/slurm.out"));
}

TEST_F(Resume, of_a_case_file_knows_its_start_from_the_folder_of_a_run) {
  ASSERT_EQ(run_dns(run_into("coarse", quietly("2"))).exit_code, 0);
  std::string text = text_of(case_file());
  const std::size_t start = text.find("initial:");
  text.replace(
      start, text.find("time:") - start, "initial: {type: file, path: " + path("coarse") + "}\n");
  write("case.yaml", text);
  ASSERT_EQ(run_dns(run_into("fine", quietly("2"))).exit_code, 0);
  std::vector<std::string> more = quietly("4");
  more.emplace_back("--resume");
  const Outcome resumed = run_dns(run_into("fine", more));
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(resumed.err.find("initial"), std::string::npos) << resumed.err;
}

TEST_F(Resume, with_other_columns_is_refused_and_leaves_the_folder_as_it_is) {
  write("case.yaml", accelerated);
  ASSERT_EQ(run_dns(run_into("run")).exit_code, 0);
  const auto files = names_in(path("run"));
  const std::string before = text_of(path("run/case.yaml"));
  const std::vector<std::string> undriven{
      "--set", "forcing={type: formula}", "--set", "time.end=3", "--threads", "1"};
  const Outcome refused = run_dns(resume_in("run", undriven));
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.err,
            path("run/timeseries.csv") +
                ": this case gives it other columns: without [driving_x, driving_y, driving_z], "
                "with []; go on in another folder, dns resume DIR -o NEW\n");
  EXPECT_EQ(text_of(path("run/case.yaml")), before);
  EXPECT_EQ(names_in(path("run")), files);
  std::vector<std::string> elsewhere = resume_in("run", undriven);
  elsewhere.insert(elsewhere.end(), {"-o", path("new")});
  const Outcome branched = run_dns(elsewhere);
  EXPECT_EQ(branched.exit_code, 0) << branched.err;
}

TEST_F(Resume, knows_scalars_by_their_names) {
  const std::string with_scalars = R"yaml(
case: swap
scheme: projection
grid: {points: [6, 5, 4]}
fluid: {reynolds: 10, prandtl: 1}
scalars: {a: {prandtl: 1, initial: x, source: 1}, b: {prandtl: 10, initial: 2}}
boundaries:
  x_min: {type: wall, temperature: 0, scalars: {a: 0, b: {gradient: 1}}}
  x_max: {type: wall, temperature: 1, scalars: {a: 1, b: 2}}
  y: periodic
  z: periodic
forcing: {type: formula, acceleration: [0, "sin(x)", 0]}
time: {step: 0.01, steps: 10}
output: {statistics: {every: 1}, probes: {every: 1, here: {at: [0.5, 0.5, 0.5]}}}
)yaml";
  std::string swapped = with_scalars;
  const std::string a = "a: {prandtl: 1, initial: x, source: 1}";
  const std::string b = "b: {prandtl: 10, initial: 2}";
  swapped.replace(swapped.find(a), (a + ", " + b).size(), b + ", " + a);
  write("case.yaml", with_scalars);
  ASSERT_EQ(run_dns(run_into("whole", {"--steps", "20"})).exit_code, 0);
  ASSERT_EQ(run_dns(run_into("run")).exit_code, 0);
  ASSERT_EQ(run_dns(run_into("run_by_set")).exit_code, 0);
  const Outcome by_set = run_dns(
      resume_in("run_by_set", {"--steps", "20", "--set", "scalars={" + b + ", " + a + "}"}));
  EXPECT_EQ(by_set.exit_code, 0) << by_set.err;
  write("case.yaml", swapped);
  const Outcome by_file = run_dns(run_into("run", {"--steps", "20", "--resume"}));
  EXPECT_EQ(by_file.exit_code, 0) << by_file.err;
  EXPECT_EQ(by_file.err.find("scalars"), std::string::npos) << by_file.err;
  for (const char* const name : {"run", "run_by_set"}) {
    EXPECT_TRUE(same_bits(newest_state(path("whole")), newest_state(path(name))));
    EXPECT_EQ(series_without_clock(path("whole")), series_without_clock(path(name)));
    const std::string probe = std::string(name) + "/probes_here.csv";
    EXPECT_EQ(text_of(path("whole/probes_here.csv")), text_of(path(probe)));
    const Hdf5File averages = Hdf5File::open(path("whole/statistics.h5"));
    const Hdf5File resumed = Hdf5File::open(path(std::string(name) + "/statistics.h5"));
    for (const char* const average : {"a", "b"})
      EXPECT_EQ(values_in(averages, average), values_in(resumed, average));
  }
}

TEST_F(Resume, continues_a_finished_run_that_wrote_no_other_checkpoint) {
  const std::vector<std::string> none{"--set", "output.checkpoint.every=0", "--steps", "25"};
  ASSERT_EQ(run_dns(run_into("run", none)).exit_code, 0);
  const Outcome resumed = run_dns(resume_in("run", {"--steps", "40", "--json"}));
  EXPECT_EQ(json_member(resumed.out, "first_step"), "25") << resumed.err;
  ASSERT_EQ(run_dns(run_into("whole")).exit_code, 0);
  EXPECT_TRUE(same_bits(newest_state(path("whole")), newest_state(path("run"))));
}

TEST_F(Resume, finds_nothing_where_the_case_wanted_no_final_checkpoint) {
  const Outcome run = run_dns(run_into(
      "run",
      {"--set", "output.checkpoint={every: 0, final: false}", "--set", "output.fields.every=0"}));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err.find("dns resume"), std::string::npos) << run.err;
  EXPECT_EQ(run_dns(resume_in("run")).exit_code, 3);
}

TEST_F(Resume, set_lengthens_a_run) {
  ASSERT_EQ(run_dns(run_into("run", {"--steps", "20"})).exit_code, 0);
  ASSERT_EQ(run_dns(resume_in("run", {"--set", "time.steps=40"})).exit_code, 0);
  ASSERT_EQ(run_dns(run_into("whole")).exit_code, 0);
  EXPECT_TRUE(same_bits(newest_state(path("whole")), newest_state(path("run"))));
}

TEST_F(Resume, with_another_step_ends_at_the_same_time_and_counts_the_steps_that_are_left) {
  ASSERT_EQ(run_dns(run_into("run", {"--set", "time.end=0.0105"})).exit_code, 0);
  EXPECT_EQ(newest_state(path("run")).step, 11);
  EXPECT_NEAR(newest_state(path("run")).time, 0.0105, 1e-15);
  const Outcome resumed =
      run_dns(resume_in("run", {"--set", "time.end=0.02", "--set", "time.step=0.003"}));
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_NE(resumed.err.find("time       4 more steps of 0.003, to t = 0.02;"), std::string::npos)
      << resumed.err;
  EXPECT_EQ(newest_state(path("run")).step, 15);
  EXPECT_NEAR(newest_state(path("run")).time, 0.02, 1e-15);
  const Outcome longer = run_dns(resume_in("run", {"--steps", "18", "--set", "time.step=0.001"}));
  EXPECT_NE(longer.err.find("time       3 more steps of 0.001, to t = 0.023;"), std::string::npos)
      << longer.err;
}

TEST_F(Resume, on_another_grid_is_refused_with_a_word_on_what_does_it) {
  ASSERT_EQ(run_dns(run_into("run", quietly("2"))).exit_code, 0);
  const std::string before = text_of(path("run/case.yaml"));
  const std::string file = path("run/checkpoint_00000002.h5");
  // Of a run that would go on, and of one that is finished.
  for (const std::vector<std::string>& steps : {std::vector<std::string>{"--steps", "4"}, {}}) {
    for (const char* const change : {"grid.points=[8,8,9]", "grid.length=[2,1,1]"}) {
      std::vector<std::string> command{"resume", path("run"), "--set", change};
      command.insert(command.end(), steps.begin(), steps.end());
      const Outcome resumed = run_dns(command);
      EXPECT_EQ(resumed.exit_code, 2);
      const std::string key(change, std::string(change).find('='));
      EXPECT_EQ(resumed.err,
                file +
                    ": a run goes on with its scheme and grid alone, splitting, 13 x 11 x 9 "
                    "nodes, but " +
                    key +
                    " is given anew; a new run starts from it on any grid: initial: {type: "
                    "file, path: " +
                    file + "}\n");
    }
  }
  EXPECT_EQ(run_dns(run_into("run", {"--resume", "--set", "grid.points=[8,8,9]"})).exit_code, 2);
  EXPECT_EQ(text_of(path("run/case.yaml")), before);
}

TEST_F(Resume, of_a_folder_without_a_run_names_no_file_that_is_not_there) {
  std::filesystem::create_directory(path("empty"));
  const Outcome resumed = run_dns(resume_in("empty"));
  EXPECT_EQ(resumed.exit_code, 3);
  EXPECT_EQ(
      resumed.err,
      "error: no checkpoint in " + path("empty") + "; it holds no run: give the folder of one\n");
}

TEST_F(Resume, with_fewer_snapshots_lists_none_of_the_flow_before) {
  ASSERT_EQ(run_dns(run_into("run", {"--set", "output.fields.every=4"})).exit_code, 0);
  std::filesystem::remove(path("run/checkpoint_00000040.h5"));  // as if killed before it was there
  const Outcome resumed =
      run_dns(resume_in("run", {"--set", "output.fields.every=10", "--set", "fluid.reynolds=30"}));
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_NE(
      resumed.err.find(
          "removed    snapshots, slices, planes, lines and averages of later steps than 30: 3"),
      std::string::npos)
      << resumed.err;
  const std::string list = text_of(path("run/fields.xdmf"));
  for (const int step : {0, 4, 8, 12, 16, 20, 24, 28, 40})
    EXPECT_NE(list.find(numbered_name(snapshot_prefix, step)), std::string::npos) << step;
  for (const int step : {32, 36})
    EXPECT_EQ(list.find(numbered_name(snapshot_prefix, step)), std::string::npos) << step;
}

TEST_F(Resume, a_damaged_checkpoint_is_passed_over_with_a_warning) {
  ASSERT_EQ(run_dns(run_into("run")).exit_code, 0);
  const std::string newest = path("run/checkpoint_00000040.h5");
  std::filesystem::resize_file(newest, std::filesystem::file_size(newest) / 2);
  const Outcome resumed = run_dns(resume_in("run", {"--json", "--steps", "45"}));
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(json_member(resumed.out, "first_step"), "30");
  EXPECT_NE(resumed.err.find("warning:"), std::string::npos) << resumed.err;
}

TEST_F(Resume, only_damaged_checkpoints_end_with_3_and_are_not_written_over) {
  ASSERT_EQ(run_dns(run_into("run")).exit_code, 0);
  for (const NumberedFile& file : numbered_files(path("run"), checkpoint_prefix)) {
    std::filesystem::resize_file(path("run/" + file.name), 100);
  }
  const std::string series = text_of(path("run/timeseries.csv"));
  EXPECT_EQ(run_dns(resume_in("run")).exit_code, 3);
  EXPECT_EQ(run_dns(run_into("run", {"--resume"})).exit_code, 3);
  EXPECT_EQ(text_of(path("run/timeseries.csv")), series);
}

TEST_F(Resume, a_run_may_have_been_moved) {
  ASSERT_EQ(run_dns(run_into("run", {"--steps", "15"})).exit_code, 0);
  std::filesystem::rename(path("run"), path("it's \"elsewhere\": # now"));
  const std::string elsewhere = "it's \"elsewhere\": # now";
  const Outcome resumed = run_dns(resume_in(elsewhere, {"--steps", "20"}));
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(newest_state(path(elsewhere)).step, 20);
  EXPECT_FALSE(exists("run"));
}

}  // namespace
}  // namespace dns::testing::test_resume
