/// Case files of scheme projection.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "solver/grid/case_grid.hpp"
#include "tests/config/broken_case.hpp"

namespace dns::test_projection_case {
namespace {

Case read(const std::string& from, const std::string& to) {
  return parse_case(edited_case(from, to, valid_projection), "case.yaml", {});
}

TEST(projection_case, without_optional_keys_gets_the_defaults) {
  const Case base = parse_case(valid_projection, "case.yaml", {});
  EXPECT_EQ(base.scheme, Scheme::projection);
  EXPECT_TRUE(base.has_temperature());
  for (const StretchingCase& axis : base.grid.stretching)
    EXPECT_EQ(axis.kind, StretchingCase::Kind::uniform);
  EXPECT_FALSE(base.buoyancy);
  EXPECT_EQ(base.forcing.kind, ForcingCase::Kind::none);
  EXPECT_FALSE(base.time.cfl);
  EXPECT_FALSE(base.initial.turbulent_channel);
  EXPECT_TRUE(base.output.fields.has("temperature"));
  EXPECT_TRUE(base.output.fields.has("pressure"));
  EXPECT_FALSE(base.output.statistics);
}

TEST(projection_case, without_a_temperature_has_no_heat) {
  const std::string cold = R"(scheme: projection
grid: {points: [4, 4, 4]}
fluid: {reynolds: 1}
boundaries: {x: periodic, y: periodic, z: periodic}
time: {step: 1, steps: 1}
forcing: {type: formula, )";
  EXPECT_EQ(messages_of(cold + "linear: 0.1}\n"), "");
  EXPECT_EQ(
      messages_of(cold + "heat: 1}\n"),
      "case.yaml:6:26: forcing.heat: the flow has a temperature only if fluid.prandtl is given");
  EXPECT_EQ(messages_of(cold + "sponges: {end: {rate: 1, temperature: 1}}}\n"),
            "case.yaml:6:51: forcing.sponges.end.temperature: the flow has a temperature only if "
            "fluid.prandtl is given");
}

TEST(projection_case, keeps_what_formulas_drive) {
  const std::string yaml = valid_projection + R"(
forcing:
  type: bulk_velocity
  value: [1, 0, 0]
  acceleration: ["sin(y)*t", 0, 0.5]
  heat: "x"
  linear: 0.25
  sponges:
    inlet: {rate: "x < 1 ? 1 : 0", velocity: [1, "y", 0]}
    warm: {rate: 2, temperature: "t"}
)";
  const Case read = parse_case(yaml, "case.yaml", {});
  EXPECT_EQ(read.forcing.acceleration[0](0, 2, 0, 3), 3 * std::sin(2.0));
  EXPECT_EQ(read.forcing.acceleration[2](0, 0, 0, 0), 0.5);
  EXPECT_EQ(read.forcing.heat(4, 0, 0, 0), 4);
  EXPECT_EQ(read.forcing.linear, 0.25);
  ASSERT_EQ(read.forcing.sponges.size(), 2U);
  EXPECT_EQ(read.forcing.sponges[0].name, "inlet");
  EXPECT_EQ(read.forcing.sponges[0].rate(0.5, 0, 0, 0), 1);
  EXPECT_EQ(read.forcing.sponges[0].velocity->values[1](0, 7, 0, 0), 7);
  EXPECT_FALSE(read.forcing.sponges[0].temperature);
  EXPECT_FALSE(read.forcing.sponges[1].velocity);
  // The case as the program writes it says the same.
  EXPECT_EQ(to_yaml(parse_case(to_yaml(read), "again.yaml", {})), to_yaml(read));
}

TEST(projection_case, without_a_prandtl_number_has_no_temperature) {
  const std::string yaml = R"(scheme: projection
grid: {points: [4, 4, 4]}
fluid: {reynolds: 1}
boundaries: {x: periodic, y: periodic, z_min: {type: wall}, z_max: {type: wall}}
time: {step: 1, steps: 1}
)";
  const Case cold = parse_case(yaml, "case.yaml", {});
  EXPECT_FALSE(cold.has_temperature());
  EXPECT_FALSE(cold.output.fields.has("temperature"));
  EXPECT_EQ(messages_of(yaml, {{"initial.temperature", "1", "--set"}}),
            "--set initial.temperature=1: initial.temperature: the flow has a temperature only if "
            "fluid.prandtl is given");
  EXPECT_EQ(messages_of(yaml, {{"fluid.prandtl", "1", "--set"}}),
            "case.yaml:4:40: boundaries.z_min.temperature is missing, but must be given: a formula "
            "of x, y, z, t, {gradient: ...}, {transfer: ...}, {profile: ...} or {planes: ...} "
            "(temperature at the "
            "face [T0])\n"
            "case.yaml:4:61: boundaries.z_max.temperature is missing, but must be given: a formula "
            "of x, y, z, t, {gradient: ...}, {transfer: ...}, {profile: ...} or {planes: ...} "
            "(temperature at the "
            "face [T0])");
}

TEST(projection_case, reads_every_key_of_its_own) {
  const Case all = parse_case(R"(scheme: projection
grid:
  points: [4, 6, 5]
  length: [2, 3, 7]
  origin: [0, -1, 0]
  stretching: {y: {type: tanh, factor: 1.5}, x: {coordinates: [0, 0.25, 0.5, 1.5, 2]}}
fluid: {reynolds: 10, prandtl: 0.7}
buoyancy: {rayleigh: 1e5, direction: z, reference_temperature: 0.5}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: {gradient: 0}}
  y_max: {type: wall, temperature: 1}
  z: periodic
initial: {type: turbulent_channel, direction: z, bulk_velocity: 15, amplitude: 0.2, temperature: y}
forcing: {type: bulk_velocity, value: [0, 0, 15]}
time: {cfl: 0.5, step: 0.125, end: 20}
output:
  fields: {variables: [pressure]}
  statistics: {start: 5, every: 3, average: [z]}
)",
                              "case.yaml",
                              {});
  EXPECT_EQ(all.grid.stretching[0].coordinates, (std::vector<double>{0, 0.25, 0.5, 1.5, 2}));
  EXPECT_EQ(all.grid.stretching[1].kind, StretchingCase::Kind::tanh);
  EXPECT_EQ(all.grid.stretching[1].factor, 1.5);
  EXPECT_EQ(all.grid.stretching[2].kind, StretchingCase::Kind::uniform);
  ASSERT_TRUE(all.buoyancy);
  EXPECT_EQ(all.buoyancy->rayleigh, 1e5);
  EXPECT_EQ(all.axis_of_buoyancy(), 2);
  EXPECT_EQ(all.buoyancy->reference_temperature, 0.5);
  ASSERT_TRUE(all.initial.turbulent_channel);
  EXPECT_EQ(all.initial.turbulent_channel->axis, 2);
  EXPECT_EQ(all.initial.turbulent_channel->bulk_velocity, 15);
  EXPECT_EQ(all.initial.turbulent_channel->amplitude, 0.2);
  EXPECT_EQ(all.initial.temperature(0, 3, 0, 0), 3);
  EXPECT_EQ(all.forcing.kind, ForcingCase::Kind::bulk_velocity);
  EXPECT_EQ(all.forcing.value[2], 15);
  EXPECT_EQ(all.time.cfl, 0.5);
  EXPECT_EQ(all.time.step, 0.125);
  EXPECT_EQ(all.time.steps, unlimited_steps);
  EXPECT_FALSE(all.output.fields.has("velocity"));
  EXPECT_TRUE(all.output.fields.has("pressure"));
  ASSERT_TRUE(all.output.statistics);
  EXPECT_EQ(all.output.statistics->start, 5);
  EXPECT_EQ(all.output.statistics->every, 3);
  EXPECT_EQ(all.output.statistics->average, (PerAxis<bool>{false, false, true}));
}

TEST(projection_case, asks_for_velocities_at_faces_and_for_what_is_derived_by_name) {
  const FieldOutputCase plain = read("", "").output.fields;
  EXPECT_EQ(plain.location, FieldOutputCase::Location::centers);
  EXPECT_FALSE(plain.has("vorticity"));
  EXPECT_FALSE(plain.has("q_criterion"));
  const std::string fields =
      "output: {fields: {location: faces, variables: [velocity, vorticity, q_criterion]}}\ntime:";
  const Case asked = read("time:", fields);
  EXPECT_EQ(asked.output.fields.location, FieldOutputCase::Location::faces);
  EXPECT_TRUE(asked.output.fields.has("vorticity"));
  EXPECT_TRUE(asked.output.fields.has("q_criterion"));
  EXPECT_FALSE(asked.output.fields.has("pressure"));
  EXPECT_EQ(to_yaml(parse_case(to_yaml(asked), "again.yaml", {})), to_yaml(asked));
}

TEST(projection_case, with_a_cfl_number_ends_at_its_time) {
  const TimeCase time = read("step: 0.01\n  steps: 5", "cfl: 0.5\n  end: 2").time;
  EXPECT_EQ(time.step, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(time.is_over(1000000, 1.999));
  EXPECT_TRUE(time.is_over(1, 2 - 1e-15));
}

TEST(projection_case, with_a_cfl_number_may_have_a_number_of_steps) {
  const TimeCase time = read("step: 0.01", "cfl: 0.5").time;
  EXPECT_FALSE(time.is_over(4, 100));
  EXPECT_TRUE(time.is_over(5, 0));
}

TEST(projection_case, takes_spectra_along_the_axes_asked_for) {
  const Case base = read("time:", "output: {statistics: {spectra: [z]}}\ntime:");
  ASSERT_TRUE(base.output.statistics);
  EXPECT_EQ(base.output.statistics->spectra, (PerAxis<bool>{false, false, true}));
  EXPECT_NE(to_yaml(base).find("spectra: [z]"), std::string::npos);
  const Case without = read("time:", "output: {statistics: {}}\ntime:");
  EXPECT_EQ(without.output.statistics->spectra, (PerAxis<bool>{}));
  EXPECT_EQ(to_yaml(without).find("spectra"), std::string::npos);
  EXPECT_EQ(messages_of(valid_projection +
                        "solids: {rod: {shape: cylinder, center: [0.5, 0.5, 0.5], radius: 0.2, "
                        "axis: z, temperature: 1}}\noutput: {statistics: {spectra: [z]}}\n"),
            "case.yaml:17:23: output.statistics.spectra: spectra need a box without solids");
}

TEST(projection_case, takes_means_of_formulas_of_the_flow) {
  const Case base = read("time:",
                         "parameters: {a: 2}\n"
                         "output: {statistics: {quantities: {uT2: \"a*u*T^2\", other: p/2}}}\n"
                         "time:");
  ASSERT_TRUE(base.output.statistics);
  const std::vector<QuantityCase>& quantities = base.output.statistics->quantities;
  ASSERT_EQ(quantities.size(), 2U);
  EXPECT_EQ(quantities[0].name, "uT2");
  EXPECT_EQ(quantities[0].formula.text(), "(2)*u*T^2");
  EXPECT_EQ(quantities[1].name, "other");
  const Case again = parse_case(to_yaml(base), "resolved", {});
  ASSERT_EQ(again.output.statistics->quantities.size(), 2U);
  EXPECT_EQ(again.output.statistics->quantities[1].formula.text(), "p/2");
}

TEST(projection_case, averages_by_phase_where_a_period_is_given) {
  const Case base = read("time:", "output: {statistics: {phase: {period: 5}}}\ntime:");
  ASSERT_TRUE(base.output.statistics->phase);
  EXPECT_EQ(base.output.statistics->phase->period, 5);
  EXPECT_EQ(base.output.statistics->phase->bins, 32);
  EXPECT_FALSE(read("time:", "output: {statistics: {}}\ntime:").output.statistics->phase);
}

TEST(projection_case, averages_over_all_periodic_axes_unless_told_otherwise) {
  const Case base = read("time:", "output: {statistics: {}}\ntime:");
  ASSERT_TRUE(base.output.statistics);
  EXPECT_EQ(base.output.statistics->average, (PerAxis<bool>{true, false, true}));
  EXPECT_EQ(base.output.statistics->start, 0);
  EXPECT_EQ(base.output.statistics->every, 10);
  EXPECT_FALSE(base.output.statistics->window);
}

TEST(projection_case, averages_over_time_alone_where_no_axis_is_periodic) {
  const Case closed = read(
      "  x: periodic\n  y_min: {type: wall, temperature: 1}\n  y_max: {type: wall, temperature: "
      "0}\n"
      "  z: periodic\n",
      "  x_min: &wall {type: wall, temperature: 1}\n  x_max: *wall\n  y_min: *wall\n  y_max: "
      "*wall\n"
      "  z_min: *wall\n  z_max: *wall\noutput: {statistics: {window: 2.5}}\n");
  EXPECT_EQ(closed.output.statistics->average, (PerAxis<bool>{}));
  EXPECT_EQ(closed.output.statistics->window, 2.5);
  const Case open = read("time:", "output: {statistics: {average: []}}\ntime:");
  EXPECT_EQ(open.output.statistics->average, (PerAxis<bool>{}));
  EXPECT_EQ(parse_case(to_yaml(open), "resolved", {}).output.statistics->average,
            (PerAxis<bool>{}));
}

TEST(projection_case, takes_length_and_origin_from_coordinates) {
  const Case stretched = read("points: [8, 9, 4]",
                              "points: [8, 9, 4]\n"
                              "  stretching: {z: {coordinates: [-1, 0, 0.5, 2, 4]}}");
  EXPECT_EQ(stretched.grid.length, (PerAxis<double>{1, 1, 5}));
  EXPECT_EQ(stretched.grid.origin, (PerAxis<double>{0, 0, -1}));
}

TEST(projection_case, reads_coordinates_from_a_text_file) {
  const auto path = std::filesystem::temp_directory_path() / "dns_coordinates_test.txt";
  std::ofstream(path) << "# faces\n0 0.5\n0.75, 1.5  # the middle\n2\n";
  const std::string stretching =
      "points: [8, 9, 4]\n  stretching: {z: {coordinates: " + path.string() + "}}";
  const Case stretched = read("points: [8, 9, 4]", stretching);
  EXPECT_EQ(stretched.grid.stretching[2].coordinates, (std::vector<double>{0, 0.5, 0.75, 1.5, 2}));
  std::ofstream(path) << "0 0.5\n0.75 end\n";
  EXPECT_EQ(messages_of(edited_case("points: [8, 9, 4]", stretching, valid_projection)),
            "case.yaml:5:20: grid.stretching.z.coordinates is " + path.string() +
                ", but must be a list of numbers, or a text file of them (coordinates of the faces "
                "of the cells, ascending, one more than cells [L]); line 2 of it holds end");
  std::filesystem::remove(path);
}

TEST(projection_case, finds_a_file_of_coordinates_from_the_case_file) {
  const auto folder = std::filesystem::temp_directory_path() / "dns_case_with_coordinates";
  std::filesystem::create_directories(folder / "grids");
  std::ofstream(folder / "grids" / "z.txt") << "0 0.5 0.75 1.5 2\n";
  const auto yaml_with = [&](const std::string& path) {
    return edited_case("points: [8, 9, 4]",
                       "points: [8, 9, 4]\n  stretching: {z: {coordinates: " + path + "}}",
                       valid_projection);
  };
  std::ofstream(folder / "flow.yaml") << yaml_with("grids/z.txt");
  const Case found = load_case((folder / "flow.yaml").string(), {});
  EXPECT_EQ(found.grid.stretching[2].coordinates, (std::vector<double>{0, 0.5, 0.75, 1.5, 2}));
  std::ofstream(folder / "flow.yaml") << yaml_with("z.txt");
  const std::string message =
      message_of<CaseError>([&] { return load_case((folder / "flow.yaml").string(), {}); });
  EXPECT_NE(message.find((folder / "z.txt").string() + " cannot be read"), std::string::npos)
      << message;
  std::filesystem::remove_all(folder);
}

TEST(projection_case, does_not_read_coordinates_from_a_file_of_more_than_16_mebibytes) {
  const auto path = std::filesystem::temp_directory_path() / "dns_long_coordinates_test.txt";
  const auto messages_with_bytes = [&](std::uintmax_t bytes) {
    std::ofstream(path) << "0 0.5 0.75 1.5 2\n# ";
    std::filesystem::resize_file(path, bytes);
    return messages_of(
        edited_case("points: [8, 9, 4]",
                    "points: [8, 9, 4]\n  stretching: {z: {coordinates: " + path.string() + "}}",
                    valid_projection));
  };
  constexpr std::uintmax_t most = std::uintmax_t{16} << 20U;
  EXPECT_EQ(messages_with_bytes(most), "");
  EXPECT_EQ(messages_with_bytes(most + 1),
            "case.yaml:5:20: grid.stretching.z.coordinates is " + path.string() +
                ", but must be a list of numbers, or a text file of them (coordinates of the faces "
                "of the cells, ascending, one more than cells [L]); it holds more than 16 MiB");
  std::filesystem::remove(path);
}

TEST(projection_case, reads_back_from_its_own_text) {
  for (const std::string& yaml :
       {valid_projection,
        edited_case("points: [8, 9, 4]",
                    "points: [8, 9, 4]\n  stretching: {z: {coordinates: [0, 0.1, 0.3, 0.9, 1.7]}, "
                    "y: {factor: 2.5}}",
                    valid_projection),
        edited_case("step: 0.01\n  steps: 5", "cfl: 1.5\n  end: 3.25", valid_projection),
        edited_case("step: 0.01", "cfl: 1.5\n  step: 0.1", valid_projection),
        edited_case("time:",
                    "initial: {type: turbulent_channel, amplitude: 0.3}\n"
                    "buoyancy: {rayleigh: 1e6}\n"
                    "forcing: {type: pressure_gradient, value: [1, 0, 0.5]}\n"
                    "output: {statistics: {average: [x]}, fields: {variables: [pressure]}}\ntime:",
                    valid_projection)}) {
    const Case original = parse_case(yaml, "case.yaml", {});
    const std::string text = to_yaml(original);
    EXPECT_EQ(to_yaml(parse_case(text, "resolved", {})), text);
    const Case again = parse_case(text, "resolved", {});
    EXPECT_EQ(again.grid.stretching[2].coordinates, original.grid.stretching[2].coordinates);
    EXPECT_EQ(again.grid.length, original.grid.length);
    EXPECT_EQ(again.time.cfl, original.time.cfl);
    EXPECT_EQ(again.time.steps, original.time.steps);
  }
}

TEST(projection_case, takes_an_override_of_the_step_instead_of_its_cfl_number) {
  const std::string with_cfl =
      edited_case("step: 0.01\n  steps: 5", "cfl: 0.5\n  end: 2", valid_projection);
  const Case fixed = parse_case(with_cfl, "case.yaml", {{"time.step", "0.5", "--set"}});
  EXPECT_FALSE(fixed.time.cfl);
  EXPECT_EQ(fixed.time.steps, 4);
  const Case held = parse_case(valid_projection, "case.yaml", {{"time.cfl", "0.5", "--set"}});
  EXPECT_EQ(held.time.step, std::numeric_limits<double>::infinity());
}

class ProjectionMistake : public testing::TestWithParam<BrokenCase> {};

TEST_P(ProjectionMistake, is_refused) {
  const BrokenCase& broken = GetParam();
  EXPECT_EQ(messages_of(edited_case(broken.from, broken.to, valid_projection)), broken.messages);
}

const std::string axes_of_spectra =
    "(axes along which spectra and two-point correlations are taken: uniform axes that are "
    "averaged over; with all three also E(k))";
const std::string points = "points: [8, 9, 4]";
const std::string one_formula =
    "(one formula; its mean has this NAME (letters, digits, '_'; no name of another quantity))";

const std::vector<BrokenCase> mistakes{
    {"a_key_of_splitting",
     "prandtl: 0.7",
     "prandtl: 0.7\n  heat_capacity_ratio: 1.4",
     "case.yaml:8:3: fluid.heat_capacity_ratio: belongs to scheme splitting, but scheme is "
     "projection; leave it out"},
    {"local_iterations",
     "steps: 5",
     "steps: 5\n  local_iterations: 2",
     "case.yaml:16:3: time.local_iterations: belongs to scheme splitting, but scheme is "
     "projection; leave it out"},
    {"a_stretching_without_a_factor",
     points,
     points + "\n  stretching: {y: {type: tanh}}",
     "case.yaml:5:16: grid.stretching.y.factor is missing, but must be given: a number > 0 and <= "
     "10 (b in face_j = L (1 + tanh(b (2j/n - 1))/tanh(b))/2; the larger, the finer at the ends)"},
    {"a_factor_of_coordinates",
     points,
     points + "\n  stretching: {z: {factor: 1, coordinates: [0, 1, 2, 3, 4]}}",
     "case.yaml:5:20: grid.stretching.z.factor: not used by type coordinates; leave it out"},
    {"fine_at_of_coordinates",
     points,
     points + "\n  stretching: {z: {fine_at: low, coordinates: [0, 1, 2, 3, 4]}}",
     "case.yaml:5:20: grid.stretching.z.fine_at: not used by type coordinates; leave it out"},
    {"an_end_that_is_none",
     points,
     points + "\n  stretching: {y: {factor: 1, fine_at: lower}}",
     "case.yaml:5:31: grid.stretching.y.fine_at is lower, but must be low, high or both (the ends "
     "where cells are fine; low: face_j = L (1 - tanh(b (1 - j/n))/tanh(b)), high: its mirror "
     "image)"},
    {"too_few_coordinates",
     points,
     points + "\n  stretching: {z: {coordinates: [0, 0.5, 1]}}",
     "case.yaml:5:20: grid.stretching.z.coordinates: holds 3 numbers, but must hold 5, one more "
     "than the 4 cells of grid.points[2]"},
    {"coordinates_that_go_back",
     points,
     points + "\n  stretching: {z: {coordinates: [0, 0.5, 0.25, 0.75, 1]}}",
     "case.yaml:5:20: grid.stretching.z.coordinates is [0, 0.5, 0.25, 0.75, 1], but must be "
     "ascending (coordinates of the faces of the cells, ascending, one more than cells [L]); "
     "number 1 is 0.5, number 2 is 0.25"},
    {"a_length_that_is_no_list_beside_coordinates",
     points,
     points + "\n  length: 2\n  stretching: {z: {coordinates: [0, 0.5, 0.75, 0.8, 1]}}",
     "case.yaml:5:3: grid.length is 2, but must be a list of 3 numbers > 0 (size of the "
     "domain along x, y, z [L])"},
    {"coordinates_from_a_device_without_an_end",
     points,
     points + "\n  stretching: {z: {coordinates: /dev/zero}}",
     "case.yaml:5:20: grid.stretching.z.coordinates is /dev/zero, but must be a list of numbers, "
     "or a text file of them (coordinates of the faces of the cells, ascending, one more than "
     "cells [L]); it is no ordinary file"},
    {"a_length_that_is_not_that_of_the_coordinates",
     points,
     points + "\n  length: [1, 1, 2]\n  stretching: {z: {coordinates: [0, 0.5, 0.75, 0.8, 1]}}",
     "case.yaml:5:18: grid.length[2] is 2, but must be 1 (size of the domain along x, y, z [L]); "
     "so say grid.stretching.z.coordinates"},
    {"an_axis_that_is_none",
     points,
     points + "\n  stretching: {w: {factor: 1}}",
     "case.yaml:5:16: grid.stretching.w: unknown key; known keys of grid.stretching: x, y, z"},
    {"buoyancy_without_temperature",
     "  prandtl: 0.7\nboundaries:\n  x: periodic\n  y_min: {type: wall, temperature: 1}\n  y_max: "
     "{type: wall, temperature: 0}",
     "buoyancy: {rayleigh: 1}\nboundaries:\n  x: periodic\n  y_min: {type: wall}\n  y_max: {type: "
     "wall}",
     "case.yaml:7:1: buoyancy: needs a temperature: give fluid.prandtl too, or richardson in place "
     "of rayleigh and a scalar with a buoyancy"},
    {"buoyancy_without_a_number",
     "time:",
     "buoyancy: {}\ntime:",
     "case.yaml:13:1: buoyancy.rayleigh is missing, but must be given: a number >= 0, or "
     "buoyancy.richardson instead (Rayleigh number Ra, its length and temperature difference being "
     "L and T0: beta is Ra/(Pr Re^2))"},
    {"two_factors_of_buoyancy",
     "time:",
     "buoyancy: {rayleigh: 1, richardson: 1}\ntime:",
     "case.yaml:13:25: buoyancy.richardson: given together with buoyancy.rayleigh; keep one of the "
     "two"},
    {"no_direction",
     "time:",
     "buoyancy: {richardson: 1, direction: [0, 0, 0]}\ntime:",
     "case.yaml:13:27: buoyancy.direction is [0, 0, 0], but must be x, y or z, or a list of 3 "
     "numbers, not all 0 (direction e in which warm fluid rises, against gravity; its length does "
     "not matter)"},
    {"a_direction_of_two_numbers",
     "time:",
     "buoyancy: {richardson: 1, direction: [0, 1]}\ntime:",
     "case.yaml:13:27: buoyancy.direction is [0, 1], but must be x, y or z, or a list of 3 "
     "numbers, not all 0 (direction e in which warm fluid rises, against gravity; its length does "
     "not matter)"},
    {"a_direction_without_end",
     "time:",
     "buoyancy: {richardson: 1, direction: [0, 1, .inf]}\ntime:",
     "case.yaml:13:45: buoyancy.direction[2] is .inf, but must be a finite number that fits a "
     "double (direction e in which warm fluid rises, against gravity; its length does not matter)"},
    {"a_direction_that_is_no_axis",
     "time:",
     "buoyancy: {richardson: 1, direction: up}\ntime:",
     "case.yaml:13:27: buoyancy.direction is up, but must be x, y or z, or a list of 3 numbers, "
     "not all 0 (direction e in which warm fluid rises, against gravity; its length does not "
     "matter)"},
    {"forcing_without_keys",
     "time:",
     "forcing: {}\ntime:",
     "case.yaml:13:1: forcing.type is missing, but must be given: pressure_gradient, bulk_velocity "
     "or formula (what is held constant; formula: nothing, the keys below say what acts)"},
    {"driving_without_a_value",
     "time:",
     "forcing: {type: pressure_gradient}\ntime:",
     "case.yaml:13:1: forcing.value is missing, but must be given: a list of 3 numbers "
     "(pressure_gradient: the driving acceleration -dp/dx, -dp/dy, -dp/dz; bulk_velocity: the mean "
     "velocity [U^2/L or U])"},
    {"a_value_beside_formulas",
     "time:",
     "forcing: {type: formula, value: [1, 0, 0]}\ntime:",
     "case.yaml:13:26: forcing.value: not used by type formula; leave it out"},
    {"a_force_of_what_is_no_place",
     "time:",
     "forcing: {type: formula, acceleration: [0, r, 0]}\ntime:",
     "case.yaml:13:44: forcing.acceleration[1] is r, but must be a formula of x, y, z, t "
     "(acceleration of the fluid [U^2/L]): unknown name r at position 1; known are x, y, z, t, pi, "
     "e "
     "and functions such as sin, exp, sqrt"},
    {"a_rate_that_changes_with_time",
     "time:",
     "forcing: {type: formula, sponges: {end: {rate: t, velocity: [1, 0, 0]}}}\ntime:",
     "case.yaml:13:42: forcing.sponges.end.rate is t, but must be a formula of x, y, z (rate, 0 "
     "outside the region: the acceleration is rate (target - velocity) [U/L]): t is not among "
     "them"},
    {"a_sponge_without_a_target",
     "time:",
     "forcing: {type: formula, sponges: {end: {rate: 1}}}\ntime:",
     "case.yaml:13:36: forcing.sponges.end: has no target: give a velocity, a temperature "
     "or scalars"},
    {"a_linear_force_that_a_step_cannot_follow",
     "time:",
     "forcing: {type: formula, linear: 1.0e6}\ntime:",
     "case.yaml:13:26: forcing.linear is 1.0e6, but must be below 1/time.step (factor A of an "
     "acceleration A u, which keeps turbulence in a periodic box going [U/L]); the force is that "
     "of the "
     "mean "
     "of a step"},
    {"a_sponge_that_drives_away",
     "time:",
     "forcing: {type: formula, sponges: {end: {rate: -1, velocity: [1, 0, 0]}}}\ntime:",
     "case.yaml:13:42: forcing.sponges.end.rate is -1, but must be >= 0 (rate, 0 outside the "
     "region: the acceleration is rate (target - velocity) [U/L])"},
    {"a_bulk_velocity_through_walls",
     "time:",
     "forcing: {type: bulk_velocity, value: [1, 0.5, 0]}\ntime:",
     "case.yaml:13:43: forcing.value[1] is 0.5, but must be 0 (pressure_gradient: the driving "
     "acceleration -dp/dx, -dp/dy, -dp/dz; bulk_velocity: the mean velocity [U^2/L or U]); a bulk "
     "velocity is held along periodic axes only, and y is not periodic"},
    {"averages_across_walls",
     "time:",
     "output: {statistics: {average: [x, y]}}\ntime:",
     "case.yaml:13:23: output.statistics.average is [x, y], but must be periodic axes (periodic "
     "axes to average over); y is not periodic"},
    {"spectra_across_walls",
     "time:",
     "output: {statistics: {spectra: [x, y]}}\ntime:",
     "case.yaml:13:23: output.statistics.spectra is [x, y], but must be periodic axes " +
         axes_of_spectra + "; y is not periodic"},
    {"spectra_along_an_axis_that_is_kept",
     "time:",
     "output: {statistics: {average: [z], spectra: [x]}}\ntime:",
     "case.yaml:13:37: output.statistics.spectra is [x], but must be axes of "
     "output.statistics.average " +
         axes_of_spectra + "; x is not averaged over"},
    {"spectra_along_a_stretched_axis",
     points,
     points + "\n  stretching: {z: {factor: 1.5}}\noutput: {statistics: {spectra: [x, z]}}",
     "case.yaml:6:23: output.statistics.spectra is [x, z], but must be uniform axes " +
         axes_of_spectra + "; z is stretched"},
    {"a_quantity_of_an_unknown_variable",
     "time:",
     "output: {statistics: {quantities: {q: \"u*S\"}}}\ntime:",
     "case.yaml:13:36: output.statistics.quantities.q is \"u*S\", but must be a formula of u, v, "
     "w, p, "
     "T, scalars by their names, x, y, z, t " +
         one_formula +
         ": unknown name S at position 3; known are u, v, w, p, T, x, y, z, t, pi, e and functions "
         "such as sin, exp, sqrt"},
    {"a_quantity_with_the_name_of_a_covariance",
     "time:",
     "output: {statistics: {quantities: {uv: \"u*v\"}}}\ntime:",
     "case.yaml:13:36: output.statistics.quantities.uv: the name is that of another quantity, or "
     "begins like one"},
    {"a_quantity_with_the_name_of_a_coordinate",
     "time:",
     "output: {statistics: {quantities: {y_plus: \"u*v\"}}}\ntime:",
     "case.yaml:13:36: output.statistics.quantities.y_plus: the name is that of another quantity, "
     "or begins like one"},
    {"a_quantity_with_the_name_of_a_budget",
     "time:",
     "output: {statistics: {quantities: {budget_a: \"u*v\"}}}\ntime:",
     "case.yaml:13:36: output.statistics.quantities.budget_a: the name is that of another "
     "quantity, or begins like one"},
    {"a_quantity_with_a_name_of_signs",
     "time:",
     "output: {statistics: {quantities: {u-v: \"u-v\"}}}\ntime:",
     "case.yaml:13:36: output.statistics.quantities.u-v: the name of a quantity is made of "
     "letters, digits and '_', 50 at most"},
    {"a_parameter_that_hides_a_variable_of_quantities",
     "time:",
     "parameters: {u: 2}\noutput: {statistics: {quantities: {q: \"u*T\"}}}\ntime:",
     "case.yaml:13:14: parameters.u: output.statistics.quantities has another u: rename this one"},
    {"a_quantity_without_a_value",
     "time:",
     "output: {statistics: {quantities: {q: 1/0}}}\ntime:",
     "case.yaml:13:36: output.statistics.quantities.q is 1/0, but must be finite " + one_formula},
    {"bins_of_which_there_is_one",
     "time:",
     "output: {statistics: {phase: {period: 5, bins: 1}}}\ntime:",
     "case.yaml:13:42: output.statistics.phase.bins is 1, but must be from 2 to 10000 (parts of "
     "the period, of equal length, each with averages of its own)"},
    {"a_period_of_no_time",
     "time:",
     "output: {statistics: {phase: {period: 0}}}\ntime:",
     "case.yaml:13:31: output.statistics.phase.period is 0, but must be > 0 (the period; one "
     "begins at t = 0 [L/U])"},
    {"phases_without_a_period",
     "time:",
     "output: {statistics: {phase: {bins: 5}}}\ntime:",
     "case.yaml:13:23: output.statistics.phase.period is missing, but must be given: a number > 0 "
     "(the period; one begins at t = 0 [L/U])"},
    {"a_period_shorter_than_the_interval_between_samples",
     "time:",
     "output: {statistics: {every: 0.5 L/U, phase: {period: 0.25}}}\ntime:",
     "case.yaml:13:47: output.statistics.phase.period is 0.25, but must be >= 0.5, the interval "
     "between samples (the period; one begins at t = 0 [L/U]); output.statistics.every sets that"},
    {"budgets_beside_bodies",
     "time:",
     "solids: {ball: {shape: sphere, center: [0.5, 0.5, 0.5], radius: 0.25, temperature: 1}}\n"
     "output: {statistics: {budgets: true}}\ntime:",
     "case.yaml:14:23: output.statistics.budgets: what bodies do to the flow has no term in "
     "budgets"},
    {"budgets_of_a_flow_driven_by_a_linear_force",
     "time:",
     "forcing: {type: formula, linear: 0.1}\noutput: {statistics: {budgets: true}}\ntime:",
     "case.yaml:14:23: output.statistics.budgets: forces by formula, linear forces, drag and "
     "sponges "
     "have "
     "no term in budgets"},
    {"a_window_of_no_length",
     "time:",
     "output: {statistics: {window: 0}}\ntime:",
     "case.yaml:13:23: output.statistics.window is 0, but must be > 0 (length of windows of time "
     "with averages of their own: statistics_STEP.h5 [L/U])"},
    {"snapshots_of_a_temperature_that_is_not_there",
     "  prandtl: 0.7\nboundaries:\n  x: periodic\n  y_min: {type: wall, temperature: 1}\n  y_max: "
     "{type: wall, temperature: 0}",
     "output: {fields: {variables: [velocity, temperature]}}\nboundaries:\n  x: periodic\n  y_min: "
     "{type: wall}\n  y_max: {type: wall}",
     "case.yaml:7:19: output.fields.variables is [velocity, temperature], but must be variables "
     "that the flow has (variables of the snapshots); it has a temperature only with "
     "fluid.prandtl"},
    {"faces_of_a_velocity_that_is_left_out",
     "time:",
     "output: {fields: {location: faces, variables: [pressure]}}\ntime:",
     "case.yaml:13:19: output.fields.location is faces, but must be centers (velocity of the "
     "snapshots: at centres of cells; with faces also as computed, in velocity_x, velocity_y, "
     "velocity_z); output.fields.variables leaves out the velocity"},
    {"neither_step_nor_cfl",
     "  step: 0.01\n",
     "",
     "case.yaml:13:1: time.step is missing, but must be given: a number > 0, or time.cfl instead "
     "(time step [L/U])"},
    {"a_channel_along_its_walls_normal",
     "time:",
     "initial: {type: turbulent_channel, direction: y}\ntime:",
     "case.yaml:13:11: initial.type: turbulent_channel needs y (initial.direction) periodic, and "
     "across the others two walls, or a wall and a plane of symmetry; one of them may be periodic"},
    {"a_channel_with_formulas",
     "time:",
     "initial: {type: turbulent_channel, velocity: [1, 0, 0]}\ntime:",
     "case.yaml:13:36: initial.velocity: given together with initial.type turbulent_channel; keep "
     "one of the two"},
    {"an_amplitude_without_a_channel",
     "time:",
     "initial: {amplitude: 0.5}\ntime:",
     "case.yaml:13:11: initial.amplitude: used by initial.type turbulent_channel only; add type: "
     "turbulent_channel"},
    {"a_wall_without_temperature",
     "y_min: {type: wall, temperature: 1}",
     "y_min: {type: wall}",
     "case.yaml:10:3: boundaries.y_min.temperature is missing, but must be given: a formula of x, "
     "y, z, t, {gradient: ...}, {transfer: ...}, {profile: ...} or {planes: ...} (temperature at "
     "the face [T0])"},
};

INSTANTIATE_TEST_SUITE_P(keys, ProjectionMistake, testing::ValuesIn(mistakes), name_of_test);

TEST(projection_case, all_mistakes_are_reported_at_once) {
  const std::string yaml = R"(scheme: projection
grid: {points: [4, 4, 4], stretching: {y: {type: tann}}}
fluid: {reynolds: 1, heat_capacity_ratio: 1.4}
boundaries: {x: periodic, y: periodic, z_min: {type: wall, temperature: 1}, z_max: {type: wall}}
forcing: {type: bulk_velocity, value: [0, 0, 1]}
time: {steps: 1}
)";
  const std::string messages = messages_of(yaml);
  for (const char* const place : {"2:44: grid.stretching.y.type is tann",
                                  "3:22: fluid.heat_capacity_ratio: belongs to scheme splitting",
                                  "4:60: boundaries.z_min.temperature: the flow has a temperature",
                                  "5:46: forcing.value[2] is 1, but must be 0",
                                  "6:1: time.step is missing"}) {
    EXPECT_NE(messages.find("case.yaml:" + std::string(place)), std::string::npos) << messages;
  }
}

TEST(grid_of_a_case, spreads_cells_by_the_hyperbolic_tangent) {
  GridCase grid;
  grid.points = {4, 6, 5};
  grid.length = {1, 3, 1};
  grid.origin = {0, -1, 0};
  grid.stretching[1] = {StretchingCase::Kind::tanh, 2, {}};
  const std::vector<double> faces = face_coordinates(grid, 1);
  ASSERT_EQ(faces.size(), 7U);
  EXPECT_EQ(faces.front(), -1);
  EXPECT_EQ(faces.back(), 2);
  EXPECT_DOUBLE_EQ(faces[3], 0.5);
  EXPECT_DOUBLE_EQ(faces[1], -1 + 1.5 * (1 - std::tanh(4.0 / 3) / std::tanh(2.0)));
  EXPECT_FALSE(is_uniform(faces));
}

TEST(projection_case, reads_the_end_where_cells_are_fine) {
  const auto read = [](const std::string& more) {
    return parse_case(fmt::format(R"(scheme: projection
grid: {{points: [4, 5, 6], stretching: {{y: {{factor: 1.5{}}}}}}}
fluid: {{reynolds: 10}}
boundaries: {{x: periodic, y_min: {{type: wall}}, y_max: {{type: symmetry}}, z: periodic}}
time: {{step: 0.1, steps: 1}}
)",
                                  more),
                      "case.yaml",
                      {});
  };
  using FineAt = StretchingCase::FineAt;
  EXPECT_EQ(read("").grid.stretching[1].fine_at, FineAt::both);
  for (const FineAt fine_at : {FineAt::low, FineAt::high, FineAt::both}) {
    const std::string word(StretchingCase::fine_at_names.at(static_cast<std::size_t>(fine_at)));
    const Case resolved = read(", fine_at: " + word);
    EXPECT_EQ(resolved.grid.stretching[1].fine_at, fine_at);
    const std::string yaml = to_yaml(resolved);
    EXPECT_NE(yaml.find("fine_at: " + word), std::string::npos) << yaml;
    EXPECT_EQ(parse_case(yaml, "again.yaml", {}).grid.stretching[1].fine_at, fine_at);
  }
}

/// An axis with cells that are fine at one end.
GridCase one_sided(StretchingCase::FineAt fine_at, double factor, int cells) {
  GridCase grid;
  grid.points = {4, cells, 5};
  grid.length = {1, 3, 1};
  grid.origin = {0, -1, 0};
  grid.stretching[1] = {StretchingCase::Kind::tanh, factor, {}, fine_at};
  return grid;
}

TEST(grid_of_a_case, has_fine_cells_at_one_end) {
  using FineAt = StretchingCase::FineAt;
  for (const double factor : {0.01, 2.0, 10.0}) {
    for (const int cells : {1, 6, 33}) {
      const auto low = face_coordinates(one_sided(FineAt::low, factor, cells), 1);
      const auto high = face_coordinates(one_sided(FineAt::high, factor, cells), 1);
      GridCase twice = one_sided(FineAt::both, factor, 2 * cells);
      twice.length[1] = 6;
      const auto both = face_coordinates(twice, 1);
      ASSERT_EQ(low.size(), static_cast<std::size_t>(cells) + 1);
      for (const auto& faces : {low, high}) {
        EXPECT_EQ(faces.front(), -1);
        EXPECT_EQ(faces.back(), 2);
      }
      const double round_off = 8 * std::numeric_limits<double>::epsilon();
      for (std::size_t j = 0; j < low.size(); ++j) {
        EXPECT_NEAR(low[j] + high[low.size() - 1 - j], 1, round_off);  // mirror images
        EXPECT_NEAR(low[j], both[j], round_off);                       // half of an axis
        if (j == 0) continue;
        EXPECT_LT(low[j - 1], low[j]);
        if (j == 1) continue;
        EXPECT_GT(low[j] - low[j - 1], low[j - 1] - low[j - 2]);
      }
    }
  }
  const auto faces = face_coordinates(one_sided(FineAt::low, 2, 6), 1);
  EXPECT_DOUBLE_EQ(faces[2], -1 + 3 * (1 - std::tanh(4.0 / 3) / std::tanh(2.0)));
}

TEST(grid_of_a_case, knows_coordinates_that_are_equally_spaced) {
  GridCase grid;
  grid.points = {5, 7, 11};
  grid.length = {0.7, 3, 1};
  grid.origin = {0.1, -1, 1000};
  for (const int axis : {0, 1, 2}) EXPECT_TRUE(is_uniform(face_coordinates(grid, axis)));
  EXPECT_TRUE(is_uniform({0, 0.1, 0.2, 0.1 + 0.2, 0.4, 0.5}));
  EXPECT_FALSE(is_uniform({0, 0.1, 0.2, 0.3 + 1e-14, 0.4, 0.5}));
}

}  // namespace
}  // namespace dns::test_projection_case
