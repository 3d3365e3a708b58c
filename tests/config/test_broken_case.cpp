/// Mistakes in one key: each must be refused with exactly this message.
#include "tests/config/broken_case.hpp"

namespace dns::test_broken_case {
namespace {

class BrokenKey : public testing::TestWithParam<BrokenCase> {};

TEST_P(BrokenKey, is_refused) {
  const BrokenCase& broken = GetParam();
  EXPECT_EQ(messages_of(edited_case(broken.from, broken.to)), broken.messages);
}

const std::vector<BrokenCase> broken_numbers{
    {"negative_reynolds",
     "reynolds: 100",
     "reynolds: -500",
     "case.yaml:6:3: fluid.reynolds is -500, but must be > 0 (Reynolds number U L / kinematic "
     "viscosity)"},
    {"zero_prandtl",
     "prandtl: 0.7",
     "prandtl: 0",
     "case.yaml:7:3: fluid.prandtl is 0, but must be > 0 (Prandtl number, kinematic viscosity / "
     "thermal diffusivity)"},
    {"a_word_for_a_number",
     "step: 0.01",
     "step: fast",
     "case.yaml:15:3: time.step is fast, but must be a number > 0 (time step [L/U])"},
    {"a_number_with_a_unit",
     "step: 0.01",
     "step: 0.01s",
     "case.yaml:15:3: time.step is 0.01s, but must be a number > 0 (time step [L/U])"},
    {"a_number_in_quotes",
     "step: 0.01",
     "step: \"0.01\"",
     "case.yaml:15:3: time.step is \"0.01\", but must be a number > 0 (time step [L/U])"},
    {"a_decimal_comma",
     "step: 0.01",
     "step: 0,01",
     "case.yaml:15:3: time.step is 0,01, but must be a number > 0 (time step [L/U])"},
    {"an_empty_value",
     "step: 0.01",
     "step:",
     "case.yaml:15:3: time.step is empty, but must be a number > 0 (time step [L/U])"},
    {"nan",
     "step: 0.01",
     "step: .nan",
     "case.yaml:15:3: time.step is .nan, but must be a finite number that fits a double (time "
     "step [L/U])"},
    {"infinity",
     "step: 0.01",
     "step: -.INF",
     "case.yaml:15:3: time.step is -.INF, but must be a finite number that fits a double (time "
     "step [L/U])"},
    {"a_number_beyond_double",
     "step: 0.01",
     "step: 1e999",
     "case.yaml:15:3: time.step is 1e999, but must be a finite number that fits a double (time "
     "step [L/U])"},
    {"a_number_with_leading_zeros",
     "reynolds: 100",
     "reynolds: 0100",
     "case.yaml:6:3: fluid.reynolds is 0100, but must be written without leading zeros (Reynolds "
     "number U L / kinematic viscosity); some read it as octal"},
    {"a_list_for_a_number",
     "step: 0.01",
     "step: [0.01, 0.02]",
     "case.yaml:15:3: time.step is [0.01, 0.02], but must be a number > 0 (time step [L/U])"},
    {"a_map_for_a_number",
     "step: 0.01",
     "step: {value: 0.01}",
     "case.yaml:15:3: time.step is {value: 0.01}, but must be a number > 0 (time step [L/U])"},
    {"heat_capacity_ratio_below_1",
     "prandtl: 0.7",
     "heat_capacity_ratio: 0.9\n  prandtl: 0.7",
     "case.yaml:7:3: fluid.heat_capacity_ratio is 0.9, but must be >= 1 (ratio of specific heats "
     "c_p / c_v)"},
    {"negative_noise",
     "",
     "initial: {noise: {amplitude: -0.1}}",
     "case.yaml:17:19: initial.noise.amplitude is -0.1, but must be >= 0 (largest disturbance of "
     "each velocity component [U])"},
    {"end_of_zero",
     "steps: 5",
     "end: 0",
     "case.yaml:16:3: time.end is 0, but must be > 0 (time to reach [L/U])"},
    {"tolerance_of_zero",
     "steps: 5",
     "steps: 5\n  global_tolerance: 0\n  max_global_iterations: 3",
     "case.yaml:17:3: time.global_tolerance is 0, but must be > 0 (change of the flow in a pass "
     "below which a step has no more of them [U, T0])"},
};

const std::vector<BrokenCase> broken_whole_numbers{
    {"negative_steps",
     "steps: 5",
     "steps: -1",
     "case.yaml:16:3: time.steps is -1, but must be >= 0 (number of time steps of the whole run)"},
    {"half_a_step",
     "steps: 5",
     "steps: 5.5",
     "case.yaml:16:3: time.steps is 5.5, but must be a whole number >= 0 (number of time steps of "
     "the whole run)"},
    {"octal_steps",
     "steps: 5",
     "steps: 010",
     "case.yaml:16:3: time.steps is 010, but must be written without leading zeros (number of "
     "time steps of the whole run); some read it as octal"},
    {"hexadecimal_steps",
     "steps: 5",
     "steps: 0x10",
     "case.yaml:16:3: time.steps is 0x10, but must be a whole number >= 0 (number of time steps of "
     "the whole run)"},
    {"steps_beyond_exact_numbers",
     "steps: 5",
     "steps: 9007199254740993",
     "case.yaml:16:3: time.steps is 9007199254740993, but must be <= 9007199254740992 (number of "
     "time steps of the whole run)"},
    {"steps_beyond_64_bits",
     "steps: 5",
     "steps: 99999999999999999999",
     "case.yaml:16:3: time.steps is 99999999999999999999, but must be <= 9007199254740992 (number "
     "of time steps of the whole run)"},
    {"steps_of_nan",
     "steps: 5",
     "steps: .nan",
     "case.yaml:16:3: time.steps is .nan, but must be a whole number >= 0 (number of time steps of "
     "the whole run)"},
    {"no_global_iterations",
     "steps: 5",
     "steps: 5\n  global_iterations: 0",
     "case.yaml:17:3: time.global_iterations is 0, but must be from 1 to 1000000 (passes over all "
     "three directions per step)"},
    {"local_iterations_beyond_int",
     "steps: 5",
     "steps: 5\n  local_iterations: 5000000000",
     "case.yaml:17:3: time.local_iterations is 5000000000, but must be from 1 to 1000000 (sweeps "
     "along one direction per pass)"},
    {"compression_of_10",
     "",
     "output: {fields: {compression: 10}}",
     "case.yaml:17:19: output.fields.compression is 10, but must be from 0 to 9 (gzip level of the "
     "snapshots; 0: none, 9: smallest and slowest)"},
    {"snapshots_every_minus_1",
     "",
     "output: {fields: {every: -1}}",
     "case.yaml:17:19: output.fields.every is -1, but must be >= 0 (interval between snapshots; 0: "
     "none [steps or L/U])"},
    {"final_checkpoint_neither_true_nor_false",
     "",
     "output: {checkpoint: {final: maybe}}",
     "case.yaml:17:23: output.checkpoint.final is maybe, but must be true or false (a finished run "
     "leaves a checkpoint, so that it can be continued)"},
    {"no_checkpoint_kept",
     "",
     "output: {checkpoint: {keep: 0}}",
     "case.yaml:17:23: output.checkpoint.keep is 0, but must be from 1 to 1000000 (newest "
     "checkpoints that are kept)"},
    {"negative_threads",
     "",
     "run: {threads: -2}",
     "case.yaml:17:7: run.threads is -2, but must be from 0 to 65536 (threads on the CPU; 0: "
     "OMP_NUM_THREADS or all cores of the job)"},
    {"negative_seed",
     "",
     "initial: {noise: {seed: -1}}",
     "case.yaml:17:19: initial.noise.seed is -1, but must be >= 0 (seed of the random numbers)"},
};

const std::string points_meaning =
    " (nodes along x, y, z, boundary nodes included; periodic: distinct nodes)";

const std::vector<BrokenCase> broken_lists{
    {"two_points",
     "[8, 9, 10]",
     "[8, 9]",
     "case.yaml:4:3: grid.points is [8, 9], but must be a list of 3 whole numbers from 4 to 65536" +
         points_meaning},
    {"one_number_for_points",
     "[8, 9, 10]",
     "64",
     "case.yaml:4:3: grid.points is 64, but must be a list of 3 whole numbers from 4 to 65536" +
         points_meaning},
    {"too_few_points_along_y",
     "[8, 9, 10]",
     "[8, 3, 10]",
     "case.yaml:4:15: grid.points[1] is 3, but must be from 4 to 65536" + points_meaning},
    {"too_many_points_along_z",
     "[8, 9, 10]",
     "[8, 9, 65537]",
     "case.yaml:4:18: grid.points[2] is 65537, but must be from 4 to 65536" + points_meaning},
    {"an_empty_item",
     "[8, 9, 10]",
     "[8, ~, 10]",
     "case.yaml:4:3: grid.points[1] is empty, but must be a whole number from 4 to 65536" +
         points_meaning},
    {"more_points_than_memory_has_addresses",
     "[8, 9, 10]",
     "[65536, 65536, 65536]",
     "case.yaml:4:3: grid.points is [65536, 65536, 65536], but must be at most 2^40 points in all" +
         points_meaning},
    {"a_length_of_zero",
     "points: [8, 9, 10]",
     "points: [8, 9, 10]\n  length: [1, 0, 1]",
     "case.yaml:5:15: grid.length[1] is 0, but must be > 0 (size of the domain along x, y, z [L])"},
    {"an_infinite_origin",
     "points: [8, 9, 10]",
     "points: [8, 9, 10]\n  origin: [.inf, 0, 0]",
     "case.yaml:5:12: grid.origin[0] is .inf, but must be a finite number that fits a double "
     "(coordinates of the first node or face [L])"},
    {"no_variables",
     "",
     "output: {fields: {variables: []}}",
     "case.yaml:17:19: output.fields.variables is [], but must be a list of any of velocity, "
     "temperature, pressure, solid, vorticity, q_criterion, current, electric_potential or one of "
     "scalars, at least one "
     "(variables of the "
     "snapshots)"},
    {"an_unknown_variable",
     "",
     "output: {fields: {variables: [velocity, temprature]}}",
     "case.yaml:17:19: output.fields.variables is [velocity, temprature], but must be velocity, "
     "temperature, pressure, solid, vorticity, q_criterion, current or electric_potential "
     "(variables of the snapshots); did you "
     "mean temperature?"},
    {"a_variable_given_twice",
     "",
     "output: {fields: {variables: [velocity, velocity]}}",
     "case.yaml:17:19: output.fields.variables is [velocity, velocity], but must be a list of any "
     "of velocity, temperature, pressure, solid, vorticity, q_criterion, current, "
     "electric_potential or one of scalars, each "
     "once (variables of "
     "the snapshots)"},
    {"one_variable_without_brackets",
     "",
     "output: {fields: {variables: velocity}}",
     "case.yaml:17:19: output.fields.variables is velocity, but must be a list of any of velocity, "
     "temperature, pressure, solid, vorticity, q_criterion, current, electric_potential or one of "
     "scalars (variables of the "
     "snapshots)"},
};

const std::vector<BrokenCase> broken_words{
    {"a_misspelt_device",
     "case: base",
     "device: gpu",
     "case.yaml:1:1: device is gpu, but must be auto, cpu or cuda (where to compute; auto takes a "
     "GPU where there is one); did you mean cuda?"},
    {"a_misspelt_precision",
     "case: base",
     "precision: flaot",
     "case.yaml:1:1: precision is flaot, but must be float or double (floating-point numbers of "
     "the computation); did you mean float?"},
    {"an_unknown_precision",
     "case: base",
     "precision: 64",
     "case.yaml:1:1: precision is 64, but must be float or double (floating-point numbers of the "
     "computation)"},
    {"an_unknown_scheme",
     "scheme: splitting",
     "scheme: spliting",
     "case.yaml:2:1: scheme is spliting, but must be splitting or projection (numerical scheme; "
     "projection: div u = 0, the one for flows; splitting: for studies of speed); did you mean "
     "splitting?"},
    {"a_case_name_with_a_slash",
     "case: base",
     "case: ../base",
     "case.yaml:1:1: case is ../base, but must be letters, digits, '_', '-' and '.', the first a "
     "letter or a digit, 100 at most (name of the case)"},
    {"an_empty_case_name",
     "case: base",
     "case: \"\"",
     "case.yaml:1:1: case is \"\", but must be text that is not empty (name of the case)"},
    {"an_empty_directory",
     "",
     "output: {directory: ' '}",
     "case.yaml:17:10: output.directory is \" \", but must be text that is not empty (folder of "
     "the run)"},
    {"a_list_for_a_directory",
     "",
     "output: {directory: [a, b]}",
     "case.yaml:17:10: output.directory is [a, b], but must be text (folder of the run)"},
    {"a_directory_on_two_lines",
     "",
     R"(output: {directory: "a\nb"})",
     "case.yaml:17:10: output.directory is \"a b\", but must be text on one line (folder of the "
     "run)"},
    {"a_directory_with_a_zero",
     "",
     R"(output: {directory: "a\0b"})",
     "case.yaml:17:10: output.directory is \"a b\", but must be text on one line (folder of the "
     "run)"},
    {"a_clock_time_with_90_minutes",
     "",
     "run: {wall_time_limit: \"01:90:00\"}",
     "case.yaml:17:7: run.wall_time_limit is \"01:90:00\", but must be a number of seconds > 0, "
     "\"HH:MM:SS\" or a text such as 11h30m (time after which the run stops with a checkpoint "
     "[s])"},
    {"no_wall_time",
     "",
     "run: {wall_time_limit: 00:00:00}",
     "case.yaml:17:7: run.wall_time_limit is 00:00:00, but must be a number of seconds > 0, "
     "\"HH:MM:SS\" or a text such as 11h30m (time after which the run stops with a checkpoint "
     "[s])"},
    {"the_variable_pressure",
     "",
     "output: {fields: {variables: [velocity, pressure]}}",
     "case.yaml:17:19: output.fields.variables is [velocity, pressure], but must be variables of "
     "the scheme (variables of the snapshots); pressure belongs to scheme projection"},
    {"a_turbulent_channel_at_the_start",
     "",
     "initial: {type: turbulent_channel}",
     "case.yaml:17:11: initial.type is turbulent_channel, but must be formula or file (where the "
     "flow at the start comes from; turbulent_channel (projection): a laminar profile between "
     "walls with a disturbance that soon makes it turbulent); turbulent_channel belongs to scheme "
     "projection"},
};

const std::vector<BrokenCase> broken_formulas{
    {"an_unknown_name",
     "velocity: [1, 0, 0]",
     "velocity: [1, 2*q, 0]",
     "case.yaml:9:39: boundaries.x_min.velocity[1] is 2*q, but must be a formula of x, y, z, t "
     "(velocity at the face [U]): unknown name q at position 3; known are x, y, z, t, pi, e and "
     "functions such as sin, exp, sqrt"},
    {"a_missing_parenthesis",
     "y_min: {type: wall, temperature: 1}",
     "y_min: {type: wall, temperature: sin(x}",
     "case.yaml:11:23: boundaries.y_min.temperature is sin(x, but must be a formula of x, y, z, t, "
     "{gradient: ...}, {profile: ...} or {planes: ...} (temperature at the face [T0]): missing "
     "parenthesis \")\" at position 6"},
    {"an_assignment",
     "y_min: {type: wall, temperature: 1}",
     "y_min: {type: wall, temperature: {gradient: x=1}}",
     "case.yaml:11:37: boundaries.y_min.temperature.gradient is x=1, but must be a formula of x, "
     "y, z, t (derivative of the temperature along the outward normal [T0/L]): an assignment at "
     "position 2 (to compare, write ==)"},
    {"a_start_that_depends_on_time",
     "",
     "initial: {temperature: \"1+t\"}",
     "case.yaml:17:11: initial.temperature is \"1+t\", but must be a formula of x, y, z "
     "(temperature at the start [T0]): t is not among them"},
    {"a_formula_that_divides_by_zero",
     "",
     "initial: {temperature: 1/0}",
     "case.yaml:17:11: initial.temperature is 1/0, but must be finite (temperature at the start "
     "[T0])"},
    {"a_formula_of_nan",
     "",
     "initial: {temperature: .nan}",
     "case.yaml:17:11: initial.temperature is .nan, but must be finite (temperature at the start "
     "[T0])"},
    {"a_list_for_a_formula",
     "",
     "initial: {temperature: [1, 2]}",
     "case.yaml:17:11: initial.temperature is [1, 2], but must be a formula of x, y, z "
     "(temperature at the start [T0])"},
    {"a_velocity_of_two_components",
     "",
     "initial: {velocity: [1, 2]}",
     "case.yaml:17:11: initial.velocity is [1, 2], but must be a list of 3 formulas of x, y, z "
     "(velocity at the start [U])"},
    {"a_formula_with_leading_zeros",
     "",
     "initial: {temperature: 01}",
     "case.yaml:17:11: initial.temperature is 01, but must be written without leading zeros "
     "(temperature at the start [T0]); some read it as octal"},
};

INSTANTIATE_TEST_SUITE_P(number, BrokenKey, testing::ValuesIn(broken_numbers), name_of_test);
INSTANTIATE_TEST_SUITE_P(whole_number,
                         BrokenKey,
                         testing::ValuesIn(broken_whole_numbers),
                         name_of_test);
INSTANTIATE_TEST_SUITE_P(list, BrokenKey, testing::ValuesIn(broken_lists), name_of_test);
INSTANTIATE_TEST_SUITE_P(word, BrokenKey, testing::ValuesIn(broken_words), name_of_test);
INSTANTIATE_TEST_SUITE_P(formula, BrokenKey, testing::ValuesIn(broken_formulas), name_of_test);

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int n = 0; n < times; ++n) all += text;
  return all;
}

TEST(value_in_a_message, is_cut_at_80_bytes_between_whole_characters) {
  const auto message = [](const std::string& shown) {
    return "case.yaml:15:3: time.step is " + shown + ", but must be a number > 0 (time step [L/U])";
  };
  const auto given = [](const std::string& step) {
    return messages_of(edited_case("step: 0.01", "step: " + step));
  };
  const std::string umlaut = "\u00e4";  // of two bytes
  EXPECT_EQ(given(repeated(umlaut, 40)), message(repeated(umlaut, 40)));
  EXPECT_EQ(given(repeated(umlaut, 41)), message(repeated(umlaut, 38) + "..."));
  EXPECT_EQ(given("x" + repeated(umlaut, 41)), message("x" + repeated(umlaut, 38) + "..."));
  EXPECT_EQ(given(repeated("x", 81)), message(repeated("x", 77) + "..."));
  EXPECT_EQ(given("[" + repeated("12345, ", 1000) + "1]"),
            message("[" + repeated("12345, ", 10) + "12345," + "..."));
}

}  // namespace
}  // namespace dns::test_broken_case
