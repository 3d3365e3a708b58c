/// What a run prints, and where.
#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <sstream>

#include "solver/files/file_facts.hpp"
#include "tests/application/run_test.hpp"

namespace dns::testing::test_output_of_a_run {
namespace {

class OutputOfARun : public RunTest {};

TEST_F(OutputOfARun, header_progress_and_summary_are_lines_on_stderr_and_in_the_log) {
  const Outcome run = run_dns(run_into("run"));
  for (const char* word : {"case ",
                           "units ",
                           "grid ",
                           "device ",
                           "memory ",
                           "step 40/40",
                           "ms/step",
                           "next ",
                           "pictures   dns plot ",
                           "paraview "}) {
    EXPECT_NE(run.err.find(word), std::string::npos) << word << "\n" << run.err;
  }
  EXPECT_EQ(run.err.find('\r'), std::string::npos);
  EXPECT_EQ(run.err.find('\033'), std::string::npos);
  EXPECT_EQ(text_of(path("run/log.txt")), run.err);
}

TEST_F(OutputOfARun, says_the_share_of_each_phase_where_it_is_verbose) {
  EXPECT_EQ(run_dns(run_into("run")).err.find("\nphases "), std::string::npos);
  const Outcome run = run_dns(run_into("verbose", {"--verbose"}));
  EXPECT_NE(run.err.find("\nphases     sweep z "), std::string::npos) << run.err;
}

TEST_F(OutputOfARun, has_no_column_and_no_array_that_keys_cannot_explain) {
  write("flow.yaml", R"yaml(
scheme: projection
grid: {points: [8, 8, 8]}
fluid: {reynolds: 100, prandtl: 0.7}
scalars: {salt: {prandtl: 5}}
boundaries: {x: periodic, z: periodic,
             y_min: {type: wall, temperature: 1, scalars: {salt: 1}},
             y_max: {type: wall, temperature: 0, scalars: {salt: 0}}}
solids: {ball: {shape: sphere, center: [0.5, 0.5, 0.5], radius: 0.2, temperature: 0, scalars: {salt: 0}}}
initial: {velocity: ["y", 0, 0]}
time: {step: 0.001, steps: 3}
output:
  fields: {every: 3, variables: [velocity, temperature, salt, pressure, solid, vorticity, q_criterion], location: faces}
  statistics: {every: 1, average: [x, z]}
)yaml");
  ASSERT_EQ(run_dns({"run", path("flow.yaml"), "-o", path("run")}).exit_code, 0);
  std::vector<std::string> names;
  std::istringstream header(text_of(path("run/timeseries.csv"))
                                .substr(0, text_of(path("run/timeseries.csv")).find('\n')));
  for (std::string name; std::getline(header, name, ',');) names.push_back(name);
  EXPECT_GT(names.size(), 30U);
  for (const char* const file : {"run/fields_00000003.h5", "run/statistics.h5"}) {
    for (const FileFacts::Array& array : read_file_facts(path(file)).arrays)
      names.push_back(array.name);
  }
  std::erase(names, "salt");  // the user's own word
  for (const std::string& name : names) {
    const Outcome outcome = run_dns({"keys", name});
    EXPECT_EQ(outcome.exit_code, 0) << name;
    EXPECT_NE(outcome.out.find(": in "), std::string::npos) << name << "\n" << outcome.out;
  }
  EXPECT_EQ(run_dns({"keys", "nusselt_y_min"}).out,
            "nusselt_FACE: in timeseries.csv [1]\n    mean heat flux at the wall over that of "
            "conduction alone\n");
  EXPECT_EQ(run_dns({"keys", "nonsense"}).exit_code, 2);
}

TEST_F(OutputOfARun, warns_of_numbers_of_convection_that_contradict_each_other) {
  write("cavity.yaml", R"yaml(
scheme: projection
grid: {points: [8, 8, 4]}
fluid: {reynolds: 1186.78, prandtl: 0.71}
buoyancy: {rayleigh: 1.0e+6, direction: y}
boundaries: {x_min: {type: wall, temperature: 1}, x_max: {type: wall, temperature: 0},
             y_min: {type: wall, temperature: {gradient: 0}},
             y_max: {type: wall, temperature: {gradient: 0}}, z: periodic}
time: {step: 0.01, steps: 2}
)yaml");
  const std::vector<std::string> run{"run", path("cavity.yaml"), "-o", path("run"), "--force"};
  EXPECT_EQ(run_dns(run).err.find("fluid.reynolds"), std::string::npos);
  std::vector<std::string> other = run;
  other.insert(other.end(), {"--set", "buoyancy.rayleigh=1e4"});
  const Outcome warned = run_dns(other);
  EXPECT_EQ(warned.exit_code, 0) << warned.err;
  EXPECT_NE(warned.err.find("fluid.reynolds 1186.78, fluid.prandtl 0.71 and buoyancy.rayleigh "
                            "10000 make the speed of free fall 0.1 U, and nothing else sets the "
                            "unit U; with fluid.reynolds sqrt(rayleigh/prandtl) = 118.678 it is U"),
            std::string::npos)
      << warned.err;
  std::vector<std::string> driven = other;
  driven.insert(driven.end(), {"--set", "forcing={type: pressure_gradient, value: [0, 0, 1]}"});
  EXPECT_EQ(run_dns(driven).err.find("speed of free fall"), std::string::npos);
}

/// The cache holds this run: how fast memory copies is not its measure.
TEST_F(OutputOfARun, of_a_few_points_has_no_share_of_copy) {
  const Outcome run = run_dns(run_into("run", {"--json"}));
  EXPECT_EQ(run.err.find("copy  "), std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("of copy"), std::string::npos) << run.err;
  EXPECT_EQ(json_member(run.out, "copy_fraction"), "null");
  EXPECT_EQ(json_member(run.out, "copy_bytes_per_second"), "null");
  const Outcome check = run_dns({"check", case_file()});
  EXPECT_NE(check.out.find("# traffic "), std::string::npos) << check.out;
  EXPECT_EQ(check.out.find("copies at"), std::string::npos) << check.out;
}

/// A plug that moves a little takes the place of the fluid in the channel, which flows through it.
TEST_F(OutputOfARun, warns_once_of_a_flow_that_crosses_a_body) {
  write("plug.yaml", R"yaml(
scheme: projection
grid: {points: [16, 9, 8], length: [2, 1, 0.5]}
fluid: {reynolds: 10}
boundaries: {x_min: {type: inflow, velocity: [1, 0, 0]}, x_max: {type: outflow},
             y_min: {type: wall}, y_max: {type: wall}, z: periodic}
solids: {plug: {shape: box, min: [0.9, -1, -1], max: [1.3, 2, 1], velocity: [1e-3, 0, 0]}}
initial: {velocity: [1, 0, 0]}
time: {step: 0.01, steps: 30}
output: {timeseries: {every: 5}}
)yaml");
  const Outcome run = run_dns({"run", path("plug.yaml"), "-o", path("run")});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const std::size_t first = run.err.find("body_slip is ");
  ASSERT_NE(first, std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("body_slip is ", first + 1), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("step 10: body_slip is "), std::string::npos) << run.err;
  // Around a body at rest in a driven flow there is nothing to warn of, from rest either.
  write("cube.yaml", R"yaml(
scheme: projection
grid: {points: [12, 11, 10]}
fluid: {reynolds: 10}
boundaries: {x: periodic, y_min: {type: wall}, y_max: {type: wall}, z: periodic}
forcing: {type: pressure_gradient, value: [1, 0, 0]}
solids: {b: {shape: box, min: [0.3, 0.3, 0.3], max: [0.7, 0.7, 0.7]}}
time: {step: 0.01, steps: 30}
output: {timeseries: {every: 1}}
)yaml");
  const Outcome cube = run_dns({"run", path("cube.yaml"), "-o", path("cube")});
  EXPECT_EQ(cube.exit_code, 0) << cube.err;
  EXPECT_EQ(cube.err.find("body_slip is"), std::string::npos) << cube.err;
}

TEST_F(OutputOfARun, of_inflow_alone_says_by_how_much_it_is_balanced) {
  const auto header_with = [&](const std::string& low, const std::string& high) {
    write("both.yaml",
          "scheme: projection\ngrid: {points: [9, 11, 8], length: [1, 1, 0.5]}\n"
          "fluid: {reynolds: 10}\nboundaries: {x_min: {type: inflow, velocity: [" +
              low + ", 0, 0]}, x_max: {type: inflow, velocity: [" + high +
              ", 0, 0]}, y_min: {type: symmetry}, y_max: {type: symmetry}, z: periodic}\n"
              "initial: {velocity: [1, 0, 0]}\ntime: {step: 0.01, steps: 2}\n");
    const Outcome run = run_dns({"run", path("both.yaml"), "--force", "-o", path("run")});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(text_of(path("run/log.txt")), run.err);
    return run.err;
  };
  const std::string more_in = header_with("1.05", "1");
  EXPECT_NE(more_in.find("the given velocities let 5 % more in, so that inflow is multiplied by "
                         "0.97561 and what flows out by 1.02439"),
            std::string::npos)
      << more_in;
  const std::string more_out = header_with("1", "1.05");
  EXPECT_NE(more_out.find("the given velocities let 5 % more out, so that inflow is multiplied by "
                          "1.02439 and what flows out by 0.97561"),
            std::string::npos)
      << more_out;
  EXPECT_EQ(header_with("1", "1").find("is multiplied by"), std::string::npos);
}

TEST_F(OutputOfARun, around_a_body_has_its_forces_and_says_where_it_is) {
  write("body.yaml", R"yaml(
scheme: projection
grid: {points: [12, 11, 10], length: [1.2, 1.1, 1]}
fluid: {reynolds: 10, prandtl: 1}
boundaries: {x: periodic, y: periodic, z: periodic}
solids: {ball: {shape: sphere, center: [0.5, 0.5, 0.5], radius: 0.3, temperature: 2}}
initial: {velocity: [1, 0, 0]}
time: {step: 0.01, steps: 4}
output: {fields: {every: 4}, slices: {every: 4, pixels: 32}}
)yaml");
  const Outcome run = run_dns({"run", path("body.yaml"), "-o", path("run")});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.err.find("body ball: "), std::string::npos) << run.err;
  const std::string series = text_of(path("run/timeseries.csv"));
  for (const char* column : {"force_ball_x", "torque_ball_z", "heat_ball", "body_slip"})
    EXPECT_NE(series.find(column), std::string::npos) << column;
  const std::string list = text_of(path("run/fields.xdmf"));
  EXPECT_NE(list.find("Name=\"solid\""), std::string::npos) << list;
  const Outcome snapshot = run_dns({"info", path("run/fields_00000004.h5")});
  EXPECT_NE(snapshot.out.find("solid"), std::string::npos) << snapshot.out;
  const Outcome resumed = run_dns({"resume", path("run"), "--steps", "6"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
}

TEST_F(OutputOfARun, names_what_drives_the_flow_where_something_does) {
  const auto driving_of = [this](const std::string& forcing) {
    write("driven.yaml", R"yaml(
scheme: projection
grid: {points: [6, 5, 4], length: [1, 1, 1]}
fluid: {reynolds: 10, prandtl: 1}
boundaries: {x: periodic, y: periodic, z: periodic}
time: {step: 0.01, steps: 1}
forcing: )yaml" + forcing);
    const Outcome run = run_dns({"run", path("driven.yaml"), "-o", path("run"), "--force"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const std::size_t line = run.err.find("driving ");
    return line == std::string::npos ? "" : run.err.substr(line, run.err.find('\n', line) - line);
  };
  EXPECT_EQ(driving_of("{type: pressure_gradient, value: [2, 0, 0], linear: 0.5}"),
            "driving    pressure gradient [2, 0, 0], 0.5 times the velocity");
  EXPECT_EQ(driving_of("{type: formula, acceleration: [0, sin(x), 0], heat: 1, sponges: {end: "
                       "{rate: 1, velocity: [1, 0, 0]}}}"),
            "driving    acceleration [0, sin(x), 0], heat 1, sponge end");
  EXPECT_EQ(driving_of("{type: formula, drag: {wood: {rate: \"x > 0.5 ? 2 : 0\"}}}"),
            "driving    drag wood x > 0.5 ? 2 : 0");
  EXPECT_EQ(driving_of("{type: formula}"), "");
}

TEST_F(OutputOfARun, info_tells_what_a_folder_and_its_files_hold) {
  ASSERT_EQ(run_dns(run_into("run")).exit_code, 0);
  const Outcome folder = run_dns({"info", path("run")});
  EXPECT_EQ(folder.exit_code, 0) << folder.err;
  for (const char* const part : {"incompressible flow with temperature",
                                 "13 x 11 x 9 nodes",
                                 "reached    step 40, t = 0.04\n",
                                 "snapshots  3: steps 0 to 40",
                                 "checkpoints 2: steps 30 to 40",
                                 "dns resume"}) {
    EXPECT_NE(folder.out.find(part), std::string::npos) << part << "\n" << folder.out;
  }
  EXPECT_EQ(json_member(run_dns({"info", path("run"), "--json"}).out, "snapshots"), "[0, 20, 40]");
  const Outcome snapshot = run_dns({"info", path("run/fields_00000020.h5")});
  EXPECT_NE(snapshot.out.find("dns snapshot"), std::string::npos) << snapshot.out;
  EXPECT_NE(snapshot.out.find("(9, 11, 13, 3) float"), std::string::npos) << snapshot.out;
  EXPECT_NE(snapshot.out.find(" z y x component\n"), std::string::npos) << snapshot.out;
  const Outcome checkpoint = run_dns({"info", path("run/checkpoint_00000040.h5"), "--json"});
  EXPECT_EQ(json_member(checkpoint.out, "step"), "40");
  EXPECT_EQ(run_dns({"info", path("none")}).exit_code, 3);
  std::filesystem::create_directory(path("empty"));
  EXPECT_EQ(run_dns({"info", path("empty")}).exit_code, 3);
}

TEST_F(OutputOfARun, slices_are_pictures_every_so_many_steps_and_at_the_end) {
  ASSERT_EQ(run_dns(run_into("run",
                             {"--set",
                              "output.slices.every=15",
                              "--set",
                              "output.slices.planes.lid={axis: y, at: 1.2}",
                              "--set",
                              "output.slices.pixels=64"}))
                .exit_code,
            0);
  for (const char* const step : {"00000000", "00000015", "00000030", "00000040"}) {
    const std::string name = std::string("run/slice_lid_") + step + ".png";
    EXPECT_TRUE(text_of(path(name)).starts_with("\x89PNG")) << name;
  }
  EXPECT_FALSE(exists("run/slice_lid_00000020.png"));
  EXPECT_EQ(json_member(run_dns({"info", path("run"), "--json"}).out, "slices"), "[0, 15, 30, 40]");
  EXPECT_NE(text_of(path("run/slice_lid_00000000.png")),
            text_of(path("run/slice_lid_00000040.png")));
}

TEST_F(OutputOfARun, on_a_terminal_the_progress_line_is_redrawn_but_not_in_the_log) {
  if (!has_terminals()) GTEST_SKIP() << "this system has no pseudo-terminals (/dev/pts)";
  Surroundings surroundings;
  surroundings.is_on_terminal = true;
  surroundings.environment = {{"TERM", "xterm"}, {"NO_COLOR", "1"}};
  const Outcome run = run_dns(run_into("run"), surroundings);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.err.find("\r\033[K["), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("step 40/40"), std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("\033[3"), std::string::npos) << "a colour";
  EXPECT_EQ(text_of(path("run/log.txt")).find('\033'), std::string::npos);
}

TEST_F(OutputOfARun, a_tolerance_that_is_not_reached_is_warned_of_once_with_step_and_change) {
  const auto run_until = [&](const std::string& tolerance) {
    return run_dns(run_into("run",
                            {"--force",
                             "--steps",
                             "4",
                             "--set",
                             "time.max_global_iterations=3",
                             "--set",
                             "time.global_tolerance=" + tolerance}));
  };
  const Outcome run = run_until("1e-300");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const std::string warning =
      "warning: step 1: time.global_tolerance not reached in 3 global iterations (change ";
  const std::size_t begin = run.err.find(warning);
  ASSERT_NE(begin, std::string::npos) << run.err;
  std::size_t digits = 0;
  EXPECT_GT(std::stod(run.err.substr(begin + warning.size()), &digits), 0);
  EXPECT_TRUE(run.err.substr(begin + warning.size() + digits)
                  .starts_with("); said again only after a step that reaches it\n"))
      << run.err;
  EXPECT_EQ(run.err.find("global_tolerance not reached", begin + warning.size()),
            std::string::npos);
  EXPECT_EQ(text_of(path("run/log.txt")), run.err);
  const Outcome reached = run_until("1");
  EXPECT_EQ(reached.exit_code, 0) << reached.err;
  EXPECT_EQ(reached.err.find("not reached"), std::string::npos) << reached.err;
}

TEST_F(OutputOfARun, quiet_says_nothing_but_the_log_has_it_all) {
  const Outcome run = run_dns(run_into("run", {"--quiet"}));
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(run.out, "");
  EXPECT_NE(text_of(path("run/log.txt")).find("finished"), std::string::npos);
}

TEST_F(OutputOfARun, json_is_one_object_on_stdout) {
  const Outcome run = run_dns(run_into("run", {"--json"}));
  EXPECT_EQ(json_member(run.out, "status"), "finished");
  EXPECT_EQ(json_member(run.out, "step"), "40");
  EXPECT_EQ(json_member(run.out, "directory"), path("run"));
  const YAML::Node json = YAML::Load(run.out);
  EXPECT_GT(json["ns_per_point_and_step"].as<double>(), 0);
  EXPECT_GT(json["phase_seconds"].size(), 0U);
  EXPECT_GT(json["figures"]["kinetic_energy"].as<double>(), 0);
}

}  // namespace
}  // namespace dns::testing::test_output_of_a_run
