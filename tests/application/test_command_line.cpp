/// Help, suggestions, and commands without a run: check, keys, schema, version.
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <sstream>

#include "tests/application/run_test.hpp"

namespace dns::testing::test_command_line {
namespace {

class CommandLine : public RunTest {};

TEST_F(CommandLine, every_help_fits_on_a_screen_and_shows_an_example) {
  constexpr std::ptrdiff_t lines_of_a_screen = 24;
  constexpr std::size_t columns_of_a_screen = 80;
  const std::vector<std::vector<std::string>> commands{{},
                                                       {"new"},
                                                       {"run"},
                                                       {"resume"},
                                                       {"check"},
                                                       {"info"},
                                                       {"keys"},
                                                       {"schema"},
                                                       {"bench"},
                                                       {"plot"},
                                                       {"doctor"},
                                                       {"completion"}};
  for (std::vector<std::string> command : commands) {
    command.emplace_back("--help");
    const Outcome help = run_dns(command);
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_NE(help.out.find("Example"), std::string::npos) << help.out;
    EXPECT_LE(std::count(help.out.begin(), help.out.end(), '\n'), lines_of_a_screen) << help.out;
    std::istringstream lines(help.out);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), columns_of_a_screen) << line;
    }
  }
}

TEST_F(CommandLine, misspelt_words_get_a_suggestion) {
  EXPECT_NE(run_dns({"rnu"}).err.find("did you mean 'run'"), std::string::npos);
  EXPECT_NE(run_dns({"run", case_file(), "--prescision", "float"}).err.find("'--precision'"),
            std::string::npos);
  EXPECT_NE(run_dns({"keys", "grid.pionts"}).err.find("grid.points"), std::string::npos);
}

TEST_F(CommandLine, a_word_too_many_after_two_dashes_is_refused_like_any_other) {
  for (const std::string verb : {"schema", "doctor", "keys", "info", "run", "resume", "check"}) {
    const Outcome extra = run_dns({verb, "grid", "--", "more"});
    EXPECT_EQ(extra.exit_code, 2) << verb << ": " << extra.err;
    EXPECT_NE(extra.err.find("is one argument too many"), std::string::npos) << extra.err;
  }
  EXPECT_EQ(run_dns({"schema", "--", "x"}).err,
            "dns schema: 'x' is one argument too many\n'dns schema --help' shows what there is\n");
  EXPECT_EQ(run_dns({"schema", "--", "--x"}).exit_code, 2);
  EXPECT_EQ(run_dns({"keys", "--", "grid"}).exit_code, 0);
}

TEST_F(CommandLine, version_names_the_compiler_and_cuda) {
  const Outcome version = run_dns({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_EQ(version.out.substr(0, 4), "dns ");
  EXPECT_NE(version.out.find("CUDA"), std::string::npos);
}

TEST_F(CommandLine, keys_lists_all_keys_or_one_section) {
  const Outcome all = run_dns({"keys"});
  EXPECT_EQ(all.exit_code, 0);
  EXPECT_NE(all.out.find("fluid.reynolds"), std::string::npos);
  const Outcome grid = run_dns({"keys", "grid"});
  EXPECT_NE(grid.out.find("grid.points"), std::string::npos);
  EXPECT_EQ(grid.out.find("fluid.reynolds"), std::string::npos);
}

TEST_F(CommandLine, names_of_keys_are_keys) {
  const Outcome names = run_dns({"keys", "--names", "boundaries.y_min"});
  EXPECT_EQ(names.exit_code, 0);
  std::istringstream lines(names.out);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_EQ(run_dns({"keys", line}).exit_code, 0) << line;
  }
  EXPECT_GE(count, 4);
  EXPECT_EQ(run_dns({"keys", "--names", "no.key"}).exit_code, 2);
  EXPECT_EQ(run_dns({"keys", ""}).exit_code, 2);
}

TEST_F(CommandLine, page_of_keys_is_of_all_of_them) {
  EXPECT_EQ(run_dns({"keys", "--markdown"}).out.substr(0, 4), "<!--");
  EXPECT_EQ(run_dns({"keys", "--markdown", "grid"}).exit_code, 2);
  EXPECT_EQ(run_dns({"keys", "--markdown", "--names"}).exit_code, 2);
}

TEST_F(CommandLine, schema_is_json) {
  const Outcome schema = run_dns({"schema"});
  EXPECT_EQ(schema.exit_code, 0);
  EXPECT_EQ(YAML::Load(schema.out)["type"].as<std::string>(), "object");
}

TEST_F(CommandLine, check_prints_a_case_that_checks_again_and_writes_nothing) {
  for (const std::string verb : {"check", "run"}) {
    std::vector<std::string> arguments{verb, case_file(), "-o", path("run")};
    if (verb == "run") arguments.emplace_back("-n");
    const Outcome check = run_dns(arguments);
    EXPECT_EQ(check.exit_code, 0) << check.err;
    EXPECT_FALSE(exists("run"));
    for (const char* word : {"# memory", "# CFL", "# limits", "# cell Re", "# time"}) {
      EXPECT_NE(check.out.find(word), std::string::npos) << word;
    }
    write("again.yaml", check.out);
    EXPECT_EQ(run_dns({"check", path("again.yaml")}).exit_code, 0);
  }
}

/// A CFL number asks for no step of a flow at rest.
TEST_F(CommandLine, check_of_a_flow_at_rest_names_no_step) {
  write("rest.yaml", R"yaml(
scheme: projection
grid: {points: [8, 8, 8]}
fluid: {reynolds: 10}
boundaries: {x: periodic, y: periodic, z: periodic}
time: {scheme: implicit, cfl: 0.5, end: 1}
)yaml");
  const Outcome check = run_dns({"check", path("rest.yaml")});
  EXPECT_EQ(check.exit_code, 0) << check.err;
  EXPECT_EQ(check.out.find("inf"), std::string::npos) << check.out;
  EXPECT_NE(check.out.find("0.5 is held; the flow is at rest"), std::string::npos) << check.out;
  const Outcome json = run_dns({"check", path("rest.yaml"), "--json"});
  EXPECT_EQ(json_member(json.out, "estimated_seconds"), "null") << json.out;
  const Outcome limited = run_dns({"check",
                                   path("rest.yaml"),
                                   "--set",
                                   "time={scheme: implicit, cfl: 0.5, step: 0.02, end: 1}"});
  EXPECT_NE(limited.out.find(" for some 1000 steps, judged by 8 x 8 x 8 cells: "),
            std::string::npos)
      << limited.out;
}

/// Its steps are tried on a coarser grid, between whose points a small body may fall.
TEST_F(CommandLine, check_looks_for_bodies_on_the_grid_of_the_case) {
  write("body.yaml", R"yaml(
scheme: projection
grid: {points: [700, 41, 40], length: [10, 1, 1]}
fluid: {reynolds: 10}
boundaries: {x: periodic, y: periodic, z: periodic}
solids: {dot: {shape: sphere, center: [5.0036, 0.506, 0.506], radius: 0.04}}
time: {step: 0.001, steps: 1}
)yaml");
  const Outcome check = run_dns({"check", path("body.yaml")});
  EXPECT_EQ(check.exit_code, 0) << check.err;
  EXPECT_NE(check.out.find(" of 1148000 cells"), std::string::npos) << check.out;
  const Outcome beyond = run_dns({"check", path("body.yaml"), "--set", "solids.dot.radius=0.004"});
  EXPECT_EQ(beyond.exit_code, 2);
  EXPECT_NE(beyond.err.find("solids.dot: it holds no point of the grid"), std::string::npos)
      << beyond.err;
}

TEST_F(CommandLine, check_as_json_parses) {
  const Outcome check = run_dns({"check", case_file(), "--json"});
  EXPECT_EQ(json_member(check.out, "status"), "valid");
  EXPECT_EQ(json_member(check.out, "points"), "1287");
}

/// The limits are those of the flow itself, h = 1/8, 1/10, 1/8.
TEST_F(CommandLine, check_of_a_disturbed_channel_gives_the_limits_of_its_speeds) {
  write("channel.yaml", R"(
scheme: projection
grid: {points: [32, 20, 16], length: [4, 2, 2]}
fluid: {reynolds: 100, prandtl: 0.5}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: 1}
  y_max: {type: wall, temperature: 0}
  z: periodic
initial: {type: turbulent_channel, bulk_velocity: 2, amplitude: 0.1}
time: {step: 0.01, steps: 1}
)");
  const Outcome check = run_dns({"check", path("channel.yaml"), "--json"});
  EXPECT_EQ(check.exit_code, 0) << check.err;
  const auto number = [&](const char* name) { return std::stod(json_member(check.out, name)); };
  ASSERT_EQ(run_dns({"run", path("channel.yaml"), "-o", path("run")}).exit_code, 0);
  std::istringstream series(text_of(path("run/timeseries.csv")));
  std::string cells;
  std::getline(series, cells);
  std::getline(series, cells);  // step, time, dt, cfl
  std::istringstream row(cells);
  for (int column = 0; column < 4; ++column) std::getline(row, cells, ',');
  // At centres in place of the faces of cells, before the projection.
  EXPECT_NEAR(number("cfl") / std::stod(cells), 1, 0.1) << cells;
  EXPECT_NEAR(number("advective_step"), 0.01 / number("cfl"), 1e-12);
  EXPECT_NEAR(number("viscous_step"), 1 / (2 * 0.02 * (64 + 100 + 64)), 1e-12);
  EXPECT_NEAR(number("cell_reynolds") / (3.3 / 8 * 100), 1, 0.15);
}

TEST_F(CommandLine, check_of_a_flow_that_diverges_at_once_knows_no_time) {
  const std::vector<std::string> diverging{
      "check", case_file(), "--set", R"(initial.velocity=["1e200", "0", "0"])"};
  const Outcome check = run_dns(diverging);
  EXPECT_EQ(check.exit_code, 0) << check.err;
  EXPECT_NE(check.out.find("\n# time         unknown: the first steps diverge\n"),
            std::string::npos)
      << check.out;
  std::vector<std::string> as_json = diverging;
  as_json.emplace_back("--json");
  const Outcome json = run_dns(as_json);
  EXPECT_EQ(json.exit_code, 0) << json.err;
  for (const char* const name : {"ms_per_step", "estimated_seconds"})
    EXPECT_EQ(json_member(json.out, name), "null") << name;
}

/// The file is looked at, the time is estimated without it.
TEST_F(CommandLine, check_of_a_start_from_a_file_estimates_and_says_what_becomes_of_it) {
  ASSERT_EQ(run_dns(run_into("run", quietly("1"))).exit_code, 0);
  const std::string file = path("run/checkpoint_00000001.h5");
  const std::vector<std::string> started{
      "check", case_file(), "--json", "--set", "initial={type: file, path: \"" + file + "\"}"};
  const Outcome check = run_dns(started);
  EXPECT_EQ(check.exit_code, 0) << check.err;
  EXPECT_NE(json_member(check.out, "resolved_case").find(file), std::string::npos) << check.out;
  EXPECT_GT(std::stod(json_member(check.out, "ms_per_step")), 0);
  std::vector<std::string> of_other_nodes = started;
  of_other_nodes.erase(of_other_nodes.begin() + 2);  // --json
  of_other_nodes.insert(of_other_nodes.end(), {"--set", "grid.points=[13, 11, 10]"});
  const Outcome other = run_dns(of_other_nodes);
  EXPECT_EQ(other.exit_code, 0) << other.err;
  EXPECT_NE(other.out.find("\n# start        checkpoint " + file + ": step 1, t = "),
            std::string::npos)
      << other.out;
  EXPECT_NE(other.out.find("\n# start        13 x 11 x 9 nodes interpolated to 13 x 11 x 10 nodes "
                           "(cubic)\n"),
            std::string::npos)
      << other.out;
}

TEST_F(CommandLine, set_overrides_any_key_and_flags_beat_it) {
  const Outcome check = run_dns({"check",
                                 case_file(),
                                 "--set",
                                 "grid.points=[8,7,6]",
                                 "--set",
                                 "fluid.reynolds=77",
                                 "--precision",
                                 "float",
                                 "--steps",
                                 "5",
                                 "--json"});
  EXPECT_EQ(check.exit_code, 0) << check.err;
  EXPECT_EQ(json_member(check.out, "points"), "336");
  EXPECT_EQ(json_member(check.out, "steps"), "5");
  EXPECT_EQ(json_member(check.out, "precision"), "float");
  EXPECT_NE(json_member(check.out, "resolved_case").find("77"), std::string::npos);
}

TEST_F(CommandLine, a_page_takes_a_port_or_none_before_or_after_the_case) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"run", "--live", case_file(), "--dry-run"},
        std::vector<std::string>{"run", case_file(), "--live", "8123", "--dry-run"},
        std::vector<std::string>{"run", "--live=0", case_file(), "--dry-run"}})
    EXPECT_EQ(run_dns(arguments).exit_code, 0);
  for (const std::string port : {"65536", "-1", "x"}) {
    const Outcome run = run_dns({"run", case_file(), "--live=" + port});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.err, "--live is '" + port + "', but must be a whole number from 0 to 65535\n");
    EXPECT_EQ(run_dns({"live", path("run"), "--port=" + port}).exit_code, 2);
  }
}

TEST_F(CommandLine, threads_come_from_the_flag_then_the_environment_then_the_case) {
  Surroundings with_environment;
  with_environment.environment = {{"OMP_NUM_THREADS", "2"}};
  const auto threads = [](const std::vector<std::string>& arguments, const Surroundings& where) {
    return json_member(run_dns(arguments, where).out, "threads");
  };
  write("three.yaml", text_of(case_file()) + "run: {threads: 3}\n");
  const std::string three = path("three.yaml");
  EXPECT_EQ(threads({"check", three, "--json", "--threads", "1"}, with_environment), "1");
  EXPECT_EQ(threads({"check", three, "--json"}, with_environment), "2");
  Surroundings without;
  without.environment = {{"OMP_NUM_THREADS", ""}, {"SLURM_CPUS_PER_TASK", "1"}};
  EXPECT_EQ(threads({"check", three, "--json"}, without), "3");
  EXPECT_EQ(threads({"check", case_file(), "--json"}, without), "1");
}

}  // namespace
}  // namespace dns::testing::test_command_line
