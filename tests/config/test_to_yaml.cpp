/// The resolved case as text.
#include <gtest/gtest.h>

#include <string>

#include "solver/config/load_case.hpp"
#include "tests/config/broken_case.hpp"

namespace dns::test_to_yaml {
namespace {

void expect_equal(const PerAxis<Expression>& a, const PerAxis<Expression>& b) {
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(a[i].text(), b[i].text());
}

void expect_equal(const FaceCase& a, const FaceCase& b) {
  EXPECT_EQ(a.kind, b.kind);
  ASSERT_EQ(a.scalars.size(), b.scalars.size());
  for (std::size_t n = 0; n < a.scalars.size(); ++n) {
    EXPECT_EQ(a.scalars[n].condition, b.scalars[n].condition);
    EXPECT_EQ(a.scalars[n].given.text(), b.scalars[n].given.text());
    EXPECT_EQ(a.scalars[n].transfer, b.scalars[n].transfer);
  }
  expect_equal(a.velocity, b.velocity);
  EXPECT_EQ(a.slip_length.text(), b.slip_length.text());
  EXPECT_EQ(a.has_shear(), b.has_shear());
}

void expect_equal(const TimeCase& a, const TimeCase& b) {
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.end, b.end);
  EXPECT_EQ(a.global_iterations, b.global_iterations);
  EXPECT_EQ(a.local_iterations, b.local_iterations);
  EXPECT_EQ(a.global_tolerance, b.global_tolerance);
  EXPECT_EQ(a.max_global_iterations, b.max_global_iterations);
}

void expect_equal(const OutputCase& a, const OutputCase& b) {
  EXPECT_EQ(a.directory, b.directory);
  EXPECT_EQ(a.fields.every, b.fields.every);
  EXPECT_EQ(a.fields.precision, b.fields.precision);
  EXPECT_EQ(a.fields.variables, b.fields.variables);
  EXPECT_EQ(a.fields.location, b.fields.location);
  EXPECT_EQ(a.fields.compression, b.fields.compression);
  EXPECT_EQ(a.timeseries_every, b.timeseries_every);
  EXPECT_EQ(a.checkpoint_every, b.checkpoint_every);
  EXPECT_EQ(a.checkpoint_keep, b.checkpoint_keep);
  EXPECT_EQ(a.checkpoint_final, b.checkpoint_final);
}

void expect_equal(const Case& a, const Case& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.scheme, b.scheme);
  EXPECT_EQ(a.device, b.device);
  EXPECT_EQ(a.precision, b.precision);
  EXPECT_EQ(a.grid.points, b.grid.points);
  EXPECT_EQ(a.grid.length, b.grid.length);
  EXPECT_EQ(a.grid.origin, b.grid.origin);
  EXPECT_EQ(a.fluid.reynolds, b.fluid.reynolds);
  EXPECT_EQ(a.fluid.prandtl, b.fluid.prandtl);
  EXPECT_EQ(a.fluid.heat_capacity_ratio, b.fluid.heat_capacity_ratio);
  for (int face = 0; face < 6; ++face) expect_equal(a.faces[face], b.faces[face]);
  expect_equal(a.initial.velocity, b.initial.velocity);
  EXPECT_EQ(a.initial.temperature.text(), b.initial.temperature.text());
  EXPECT_EQ(a.initial.file, b.initial.file);
  EXPECT_EQ(a.initial.noise.amplitude, b.initial.noise.amplitude);
  EXPECT_EQ(a.initial.noise.seed, b.initial.noise.seed);
  expect_equal(a.time, b.time);
  expect_equal(a.output, b.output);
  EXPECT_EQ(a.run.wall_time_limit, b.run.wall_time_limit);
  EXPECT_EQ(a.run.threads, b.run.threads);
}

void expect_round_trip(const Case& original) {
  const std::string yaml = to_yaml(original);
  const Case read_back = parse_case(yaml, "resolved", {});
  expect_equal(read_back, original);
  EXPECT_EQ(to_yaml(read_back), yaml);
}

class CaseOfTheProject : public testing::TestWithParam<std::string> {};

TEST_P(CaseOfTheProject, reads_back_from_its_own_text) {
  expect_round_trip(load_case(GetParam(), {}));
}

const std::string configs = std::string(DNS_CONFIGS_FOLDER) + "/";
const std::string test_data = std::string(DNS_TEST_DATA_FOLDER) + "/";

std::string stem_of(const testing::TestParamInfo<std::string>& info) {
  const std::size_t begin = info.param.rfind('/') + 1;
  return info.param.substr(begin, info.param.rfind('.') - begin);
}

INSTANTIATE_TEST_SUITE_P(files,
                         CaseOfTheProject,
                         testing::Values(configs + "channel192.yaml",
                                         configs + "channel_smoke.yaml",
                                         configs + "conjugate_channel.yaml",
                                         configs + "lid_cavity.yaml",
                                         configs + "heated_box.yaml",
                                         configs + "channel_retau180.yaml",
                                         configs + "taylor_green_re1600.yaml",
                                         configs + "taylor_green_octant.yaml",
                                         configs + "lid_cavity_2d.yaml",
                                         configs + "lid_cavity_3d.yaml",
                                         configs + "heated_cavity.yaml",
                                         configs + "rayleigh_benard.yaml",
                                         configs + "duct.yaml",
                                         configs + "cylinder_wake.yaml",
                                         configs + "sphere.yaml",
                                         configs + "pipe.yaml",
                                         configs + "laminar_pipe.yaml",
                                         configs + "periodic_hill.yaml",
                                         configs + "turning_cylinder.yaml",
                                         configs + "oscillating_cylinder.yaml",
                                         configs + "settling_sphere.yaml",
                                         configs + "settling_cylinders.yaml",
                                         configs + "blasius.yaml",
                                         configs + "jet.yaml",
                                         configs + "boundary_layer.yaml",
                                         configs + "scalar_channel.yaml",
                                         configs + "salt_fingers.yaml",
                                         configs + "stratified_box.yaml",
                                         configs + "rotating_channel.yaml",
                                         configs + "rotating_convection.yaml",
                                         configs + "oscillating_walls.yaml",
                                         configs + "particle_channel.yaml",
                                         configs + "slip_channel.yaml",
                                         test_data + "splitting_box.yaml",
                                         test_data + "splitting_channel.yaml"),
                         stem_of);

TEST(resolved_case, spells_out_every_default_in_a_readable_layout) {
  EXPECT_EQ(to_yaml(parse_case(valid_case, "case.yaml", {})),
            R"(case: base
scheme: splitting
device: auto
precision: double

grid:
  points: [8, 9, 10]
  length: [1, 1, 1]
  origin: [0, 0, 0]

fluid:
  reynolds: 100
  prandtl: 0.7
  heat_capacity_ratio: 1.4

boundaries:
  z: periodic
  x_min: {type: inflow, velocity: [1, 0, 0], temperature: 1}
  x_max: {type: outflow}
  y_min: {type: wall, velocity: [0, 0, 0], temperature: 1}
  y_max: {type: wall, velocity: [0, 0, 0], temperature: 1}

initial:
  type: formula
  velocity: [0, 0, 0]
  temperature: 1
  noise: {amplitude: 0, seed: 1}

time:
  step: 0.01
  steps: 5
  global_iterations: 1
  local_iterations: 1

output:
  directory: runs/case
  fields: {every: 0, precision: float, variables: [velocity, temperature], compression: 0}
  timeseries: {every: 1}
  checkpoint: {every: 0, keep: 2, final: true}
  exact_times: false

run:
  threads: 0
)");
}

TEST(resolved_case, has_the_defaults_of_a_case_made_in_code) {
  const Case read = parse_case(valid_projection,
                               "case.yaml",
                               {{"output.statistics", "{}", "--set"},
                                {"output.slices", "{}", "--set"},
                                {"output.probes", "{here: {at: [0, 0, 0]}}", "--set"}});
  EXPECT_EQ(read.output.statistics.value().every, StatisticsCase{}.every);
  EXPECT_EQ(read.output.slices.value().every, SlicesCase{}.every);
  EXPECT_EQ(read.output.slices.value().pixels, SlicesCase{}.pixels);
  EXPECT_EQ(read.output.probes.value().every, ProbesCase{}.every);
  EXPECT_EQ(read.output.timeseries_every, OutputCase{}.timeseries_every);
  EXPECT_EQ(read.output.checkpoint_keep, OutputCase{}.checkpoint_keep);
  const Case splitting = parse_case(valid_case, "case.yaml", {});
  EXPECT_EQ(splitting.fluid.heat_capacity_ratio, FluidCase{}.heat_capacity_ratio);
}

TEST(resolved_case, reads_back_with_awkward_numbers_and_texts) {
  const std::string yaml = edited_case("step: 0.01\n  steps: 5",
                                       "step: 0.30000000000000004\n  end: 12345.678901234567\n"
                                       "  global_tolerance: 1e-300\n  max_global_iterations: 9") +
                           R"(
device: cpu
precision: float
output:
  directory: "a \"quoted\" \\ folder: # 1"
  fields: {variables: [temperature], precision: double, compression: 9}
initial: {type: file, path: "007", noise: {amplitude: 4.9e-324, seed: 9007199254740992}}
run: {wall_time_limit: "01:00:00", threads: 3}
)";
  expect_round_trip(parse_case(yaml, "case.yaml", {{"case", "null", "--set"}}));
}

TEST(resolved_case, reads_back_with_control_characters) {
  const Case resolved =
      parse_case(edited_case("", R"(output: {directory: "a\tb\x01\e\x7f\r"})"), "case.yaml", {});
  EXPECT_EQ(resolved.output.directory, "a\tb\x01\x1b\x7f\r");
  EXPECT_NE(to_yaml(resolved).find(R"(directory: "a\x09b\x01\x1b\x7f\x0d")"), std::string::npos)
      << to_yaml(resolved);
  expect_round_trip(resolved);
}

TEST(resolved_case, spells_out_the_planes_of_pictures) {
  const std::string given = R"(
output:
  slices: {every: 20, planes: {floor: {axis: y, at: 0.1, variable: velocity_x, min: -1}, y: {}}}
)";
  const Case resolved = parse_case(edited_case("", given), "case.yaml", {});
  EXPECT_NE(to_yaml(resolved).find(R"(
  slices:
    every: 20
    pixels: 512
    planes:
      floor: {axis: y, at: 0.1, variable: velocity_x, min: -1}
      "y": {axis: z, at: 0.5, variable: velocity_magnitude}
)"),
            std::string::npos)
      << to_yaml(resolved);
  expect_round_trip(resolved);
}

TEST(resolved_case, reads_back_with_awkward_formulas) {
  const std::string yaml =
      edited_case("velocity: [1, 0, 0]", "velocity: ['-x', '4*y*(1-y)', e]") + R"(
initial:
  temperature: >
    1 + x
    * y
  velocity: ["x<0.5 ? 1 : 2", 1e-7, +3]
)";
  expect_round_trip(parse_case(yaml, "case.yaml", {}));
}

}  // namespace
}  // namespace dns::test_to_yaml
