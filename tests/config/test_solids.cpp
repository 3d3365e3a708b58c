/// Section solids: the bodies in the flow.
#include <filesystem>
#include <fstream>

#include "solver/config/case_difference.hpp"
#include "tests/config/broken_case.hpp"

namespace dns::test_solids {
namespace {

using Shape = SolidCase::Shape;
const std::string tetrahedron = DNS_TEST_DATA_FOLDER "/tetrahedron.stl";
/// A valid case with one body.
std::string with_body(const std::string& keys, const std::string& base = valid_case) {
  return base + "solids:\n  rod: {" + keys + "}\n";
}
Case read(const std::string& keys) {
  return parse_case(with_body(keys), "case.yaml", {});
}

TEST(solids, are_none_unless_given) {
  EXPECT_TRUE(parse_case(valid_case, "case.yaml", {}).solids.empty());
  EXPECT_EQ(to_yaml(parse_case(valid_case, "case.yaml", {})).find("solids"), std::string::npos);
}

TEST(solids, keep_the_order_of_the_file_and_rest_about_the_origin) {
  const Case resolved = parse_case(valid_case + R"(
solids:
  z_rod: {shape: cylinder, center: [1, 2, 3], radius: 0.5, temperature: 2}
  block: {shape: box, min: [0, 0, 0], max: [1, 2, 3], temperature: {gradient: 0}}
)",
                                   "case.yaml",
                                   {});
  ASSERT_EQ(resolved.solids.size(), 2U);
  const SolidCase& rod = resolved.solids[0];
  EXPECT_EQ(rod.name, "z_rod");
  EXPECT_EQ(rod.shape, Shape::cylinder);
  EXPECT_EQ(rod.axis, 2);
  EXPECT_FALSE(rod.length);
  EXPECT_FALSE(rod.moves());
  EXPECT_FALSE(rod.scalars[0].is_insulated());
  EXPECT_EQ(rod.scalars[0].value, 2);
  const SolidCase& block = resolved.solids[1];
  EXPECT_EQ(block.name, "block");
  EXPECT_EQ(block.center, (PerAxis<double>{}));
  EXPECT_EQ(block.low, (PerAxis<double>{}));
  EXPECT_EQ(block.high, (PerAxis<double>{1, 2, 3}));
  EXPECT_TRUE(block.scalars[0].is_insulated());
}

TEST(solids, may_give_their_surface_by_its_former_name) {
  const std::string before = "shape: formula, inside: 'x - 1', temperature: 1";
  std::vector<std::string> warnings;
  const auto read_old = [&](const std::vector<Override>& overrides) {
    return parse_case(with_body(before), "case.yaml", overrides, NamedFiles::looked_at, &warnings);
  };
  const Case now = read("shape: formula, surface: x - 1, temperature: 1");
  const std::string warning = "solids.rod.inside: is now named solids.rod.surface";
  const std::string in_file = "case.yaml:18:25: " + warning;
  EXPECT_EQ(to_yaml(read_old({})), to_yaml(now));
  EXPECT_EQ(warnings, std::vector{in_file});
  EXPECT_TRUE(differences(read_old({}), now).empty());

  EXPECT_EQ(read_old({{"solids.rod.surface", "y", "--set"}}).solids[0].surface.text(), "y");
  EXPECT_EQ(warnings, std::vector{in_file});
  EXPECT_EQ(read_old({{"solids.rod.inside", "y", "--set"}}).solids[0].surface.text(), "y");
  EXPECT_EQ(warnings, (std::vector{in_file, "--set solids.rod.inside=y: " + warning}));
  const std::string body = "{shape: formula, inside: z, temperature: 1}";
  EXPECT_EQ(read_old({{"solids.rod", body, "--set"}}).solids[0].surface.text(), "z");
  EXPECT_EQ(warnings, (std::vector{in_file, "--set solids.rod=" + body + ": " + warning}));

  EXPECT_EQ(messages_of(with_body("shape: formula, inside: x, surface: y, temperature: 1")),
            "case.yaml:18:25: solids.rod.inside: former name of solids.rod.surface, which is given "
            "in line 18; leave it out");
  EXPECT_EQ(messages_of(with_body("shape: formula, surface: x, inside: x, temperature: 1")),
            "case.yaml:18:37: solids.rod.inside: former name of solids.rod.surface, which is given "
            "in line 18; leave it out");
  parse_case(with_body("shape: formula, surface: x, temperature: 1"),
             "case.yaml",
             {},
             NamedFiles::looked_at,
             &warnings);
  EXPECT_TRUE(warnings.empty());
}

TEST(solids, may_say_what_their_coefficients_are_made_with) {
  const std::string sphere = "shape: sphere, center: [0, 0, 0], radius: 0.1, temperature: 1";
  EXPECT_FALSE(read(sphere).solids[0].reference);
  EXPECT_EQ(to_yaml(read(sphere)).find("reference"), std::string::npos);
  const Case resolved = read(sphere + ", reference: {area: 0.5, velocity: 2}");
  ASSERT_TRUE(resolved.solids[0].reference);
  EXPECT_EQ(resolved.solids[0].reference->area, 0.5);
  EXPECT_EQ(resolved.solids[0].reference->velocity, 2);
  EXPECT_FALSE(resolved.solids[0].reference->length);
  const Case again = parse_case(to_yaml(resolved), "case.yaml", {});
  EXPECT_EQ(to_yaml(again), to_yaml(resolved));
  EXPECT_EQ(again.solids[0].reference->area, 0.5);
  for (const std::string key : {"velocity", "area", "length", "surface"})
    EXPECT_NE(messages_of(with_body(sphere + ", reference: {" + key + ": 0}"))
                  .find("solids.rod.reference." + key + " is 0, but must be > 0"),
              std::string::npos);
}

TEST(solids, have_a_temperature_only_if_the_flow_has_one) {
  const std::string cold = R"(scheme: projection
grid: {points: [4, 4, 4]}
fluid: {reynolds: 1}
boundaries: {x: periodic, y: periodic, z: periodic}
time: {step: 1, steps: 1}
solids:
  rod: {shape: sphere, center: [0, 0, 0], radius: 0.2)";
  EXPECT_EQ(messages_of(cold + "}\n"), "");
  EXPECT_EQ(messages_of(cold + ", temperature: 1}\n"),
            "case.yaml:7:56: solids.rod.temperature: the flow has a temperature only if "
            "fluid.prandtl is given");
}

TEST(solids, with_a_nusselt_number_have_a_name_that_no_wall_has) {
  const std::string body =
      ": {shape: sphere, center: [0, 0, 0], radius: 1, temperature: 1, reference: "
      "{temperature_difference: 1}}\n";
  EXPECT_EQ(messages_of(valid_case + "solids:\n  ball" + body), "");
  for (const std::string name : {"y_min", "volume"})
    EXPECT_EQ(messages_of(valid_case + "solids:\n  " + name + body),
              "case.yaml:18:3: solids." + name + ": nusselt_" + name +
                  " is a wall's column of timeseries.csv");
}

TEST(solids, take_a_number_for_the_temperature_however_it_is_written) {
  const std::string sphere = "shape: sphere, center: [0, 0, 0], radius: 0.2, temperature: ";
  EXPECT_EQ(read(sphere + "1/4").solids[0].scalars[0].value, 0.25);
  EXPECT_EQ(read(sphere + "-3").solids[0].scalars[0].value, -3);
}

/// One shape with all the keys it has.
class ShapeOfBody : public testing::TestWithParam<BrokenCase> {};

TEST_P(ShapeOfBody, reads_back_from_its_own_text) {
  const BrokenCase& shape = GetParam();
  const Case resolved = read(shape.to);
  const std::string yaml = to_yaml(resolved);
  EXPECT_NE(yaml.find("\nsolids:\n  rod:" + shape.messages + "\n"), std::string::npos) << yaml;
  EXPECT_EQ(to_yaml(parse_case(yaml, "elsewhere/resolved.yaml", {})), yaml);
}

const std::string rest = "velocity: [0, 0, 0], rotation: [0, 0, 0], ";
INSTANTIATE_TEST_SUITE_P(
    shapes,
    ShapeOfBody,
    testing::Values(
        BrokenCase{"sphere",
                   "",
                   "shape: sphere, center: [1, 2, 3], radius: 0.1, temperature: 1",
                   " {shape: sphere, center: [1, 2, 3], radius: 0.1, " + rest + "temperature: 1}"},
        BrokenCase{"endless_cylinder",
                   "",
                   "shape: cylinder, center: [1, 2, 3], radius: 0.1, axis: x, temperature: 1",
                   " {shape: cylinder, center: [1, 2, 3], radius: 0.1, axis: x, " + rest +
                       "temperature: 1}"},
        BrokenCase{"turning_cylinder",
                   "",
                   "shape: cylinder, center: [1, 2, 3], radius: 0.1, length: 0.3, velocity: [1e-9, "
                   "0, 0], rotation: [0, 0, -7], temperature: {gradient: 0}",
                   " {shape: cylinder, center: [1, 2, 3], radius: 0.1, axis: z, length: 0.3, "
                   "velocity: [1.0e-09, 0, 0], rotation: [0, 0, -7], temperature: {gradient: 0}}"},
        BrokenCase{
            "box",
            "",
            "shape: box, min: [-1, -2, -3], max: [1, 2, 0.30000000000000004], temperature: 1",
            " {shape: box, center: [0, 0, 0], min: [-1, -2, -3], max: [1, 2, "
            "0.30000000000000004], " +
                rest + "temperature: 1}"},
        BrokenCase{"formula",
                   "",
                   "shape: formula, center: [1, 0, 0], surface: 'min(x, y) - z^2', temperature: 1",
                   " {shape: formula, center: [1, 0, 0], surface: \"min(x, y) - z^2\", " + rest +
                       "temperature: 1}"},
        BrokenCase{"stl",
                   "",
                   "shape: stl, path: " + tetrahedron +
                       ", scale: 0.001, orientation: [0, 90, 1], translation: [1, 2, 3], "
                       "temperature: 1",
                   " {shape: stl, center: [0, 0, 0], path: \"" +
                       std::filesystem::path(tetrahedron).lexically_normal().string() +
                       "\", content: " + tetrahedron_checksum +
                       ", scale: 0.001, orientation: [0, 90, 1], translation: [1, 2, 3], " + rest +
                       "temperature: 1}"}),
    name_of_test);

class WrongBody : public testing::TestWithParam<BrokenCase> {};

TEST_P(WrongBody, is_refused) {
  const BrokenCase& broken = GetParam();
  EXPECT_EQ(messages_of(with_body(broken.to)), broken.messages);
}

const std::string t1 = ", temperature: 1";
const std::string position = "case.yaml:18:";
const std::string radius_rule = " (radius [L])";

const std::vector<BrokenCase> wrong_bodies{
    {"without_a_shape",
     "",
     "radius: 1" + t1,
     position +
         "3: solids.rod.shape is missing, but must be given: sphere, cylinder, box, formula "
         "or stl (shape of the body; formula: any shape, stl: a closed surface of triangles in a "
         "file)"},
    {"of_an_unknown_shape",
     "",
     "shape: cilinder" + t1,
     position +
         "9: solids.rod.shape is cilinder, but must be sphere, cylinder, box, formula or "
         "stl (shape of the body; formula: any shape, stl: a closed surface of triangles in a "
         "file); did you mean cylinder?"},
    {"sphere_without_its_keys",
     "",
     "shape: sphere" + t1,
     position + "3: solids.rod.radius is missing, but must be given: a number > 0" + radius_rule +
         "\n" + position +
         "3: solids.rod.center is missing, but must be given: a list of 3 numbers (centre of the "
         "body, about which its surface turns and torques are taken [L])"},
    {"with_no_radius",
     "",
     "shape: sphere, center: [0, 0, 0], radius: 0" + t1,
     position + "43: solids.rod.radius is 0, but must be > 0" + radius_rule},
    {"with_a_word_for_a_number_in_a_list",
     "",
     "shape: sphere, center: [0, here, 0], radius: 1" + t1,
     position + "36: solids.rod.center[1] is here, but must be a number (centre of the body, about "
                "which its surface turns and torques are taken [L])"},
    {"cylinder_along_no_axis",
     "",
     "shape: cylinder, center: [0, 0, 0], radius: 1, axis: w" + t1,
     position + "56: solids.rod.axis is w, but must be x, y or z (axis of the cylinder)"},
    {"cylinder_of_no_length",
     "",
     "shape: cylinder, center: [0, 0, 0], radius: 1, length: -1" + t1,
     position + "56: solids.rod.length is -1, but must be > 0 (length of the cylinder, half of it "
                "on each side of center [L])"},
    {"with_keys_of_other_shapes",
     "",
     "shape: sphere, center: [0, 0, 0], radius: 1, axis: x, min: [0, 0, 0], surface: x, path: a, "
     "scale: 2" +
         t1,
     position + "54: solids.rod.axis: not used by shape sphere; leave it out\n" + position +
         "63: solids.rod.min: not used by shape sphere; leave it out\n" + position +
         "79: solids.rod.surface: not used by shape sphere; leave it out\n" + position +
         "91: solids.rod.path: not used by shape sphere; leave it out\n" + position +
         "100: solids.rod.scale: not used by shape sphere; leave it out"},
    {"box_with_a_radius",
     "",
     "shape: box, min: [0, 0, 0], max: [1, 1, 1], radius: 1" + t1,
     position + "53: solids.rod.radius: not used by shape box; leave it out"},
    {"box_without_corners",
     "",
     "shape: box" + t1,
     position +
         "3: solids.rod.min is missing, but must be given: a list of 3 numbers (lowest "
         "corner of the box [L])\n" +
         position +
         "3: solids.rod.max is missing, but must be given: a list of 3 numbers (highest corner of "
         "the box [L])"},
    {"box_with_corners_that_are_not_in_order",
     "",
     "shape: box, min: [0, 0, 0.5], max: [1, 0, 0.25]" + t1,
     position +
         "48: solids.rod.max[1] is 0, but must be > min (highest corner of the box [L]); "
         "that is 0\n" +
         position +
         "51: solids.rod.max[2] is 0.25, but must be > min (highest corner of the box [L]); that "
         "is 0.5"},
    {"box_with_a_wrong_corner_only",
     "",
     "shape: box, min: [here, 0, 0], max: [-1, 1, 1]" + t1,
     position + "27: solids.rod.min[0] is here, but must be a number (lowest corner of the box "
                "[L])"},
    {"formula_that_is_none",
     "",
     "shape: formula, surface: x + q" + t1,
     position + "25: solids.rod.surface is x + q, but must be a formula of x, y, z (a continuous "
                "function, 0 on the surface, > 0 in the fluid and < 0 in the body): unknown name q "
                "at position 5; "
                "known are x, y, "
                "z, t, pi, e and functions such as sin, exp, sqrt"},
    {"formula_of_the_time",
     "",
     "shape: formula, surface: x - t" + t1,
     position +
         "25: solids.rod.surface is x - t, but must be a formula of x, y, z (a continuous "
         "function, 0 on the surface, > 0 in the fluid and < 0 in the body): t is not among them"},
    {"without_a_temperature",
     "",
     "shape: formula, surface: x",
     position + "3: solids.rod.temperature is missing, but must be given: a number, or {gradient: "
                "...} (temperature of the surface [T0])"},
    {"with_a_temperature_that_varies",
     "",
     "shape: formula, surface: x, temperature: 1 + x",
     position + "37: solids.rod.temperature is 1 + x, but must be a number, or {gradient: 0} "
                "(temperature of the surface [T0])"},
    {"with_a_flow_of_heat",
     "",
     "shape: formula, surface: x, temperature: {gradient: 2}",
     position + "51: solids.rod.temperature.gradient is 2, but must be 0 (derivative of the "
                "temperature along the outward normal [T0/L])"},
    {"with_an_empty_temperature",
     "",
     "shape: formula, surface: x, temperature: {}",
     position + "37: solids.rod.temperature.gradient is missing, but must be given: 0 (derivative "
                "of the temperature along the outward normal [T0/L])"},
    {"that_conducts_in_scheme_splitting",
     "",
     "shape: formula, surface: x, temperature: {conducting: {}}",
     position + "51: solids.rod.temperature.conducting: belongs to scheme projection, but scheme "
                "is splitting; leave it out"},
    {"with_a_misspelt_key",
     "",
     "shape: sphere, center: [0, 0, 0], radios: 1" + t1,
     position + "43: solids.rod.radios: unknown key; did you mean solids.rod.radius?"},
    {"stl_without_a_file",
     "",
     "shape: stl" + t1,
     position +
         "3: solids.rod.path is missing, but must be given: text (STL file, text or binary; "
         "its surface must be closed; shells that overlap are a union, one within another is "
         "a cavity)"},
    {"stl_of_a_file_that_is_not_there",
     "",
     "shape: stl, path: /nowhere/rod.stl" + t1,
     position + "21: solids.rod.path: /nowhere/rod.stl is no file that can be read"},
    {"stl_of_a_folder",
     "",
     "shape: stl, path: /" + t1,
     position + "21: solids.rod.path: / is no file that can be read"},
    {"stl_that_has_changed",
     "",
     "shape: stl, path: " + tetrahedron + ", content: 00000000-1" + t1,
     position +
         "21: solids.rod.path: " + std::filesystem::path(tetrahedron).lexically_normal().string() +
         " has changed: its checksum is " + tetrahedron_checksum + ", and was 00000000-1"},
    {"stl_of_no_scale",
     "",
     "shape: stl, path: " + tetrahedron + ", scale: 0" + t1,
     position + std::to_string(29 + tetrahedron.size()) +
         ": solids.rod.scale is 0, but must be > 0 (factor of the coordinates in the STL file)"},
};

INSTANTIATE_TEST_SUITE_P(body, WrongBody, testing::ValuesIn(wrong_bodies), name_of_test);

/// Scheme projection, with a temperature.
const std::string projection_case = R"(scheme: projection
grid: {points: [4, 4, 4]}
fluid: {reynolds: 1, prandtl: 1}
boundaries: {x: periodic, y: periodic, z: periodic}
time: {step: 1e-3, steps: 1}
)";
const std::string in_line_7 = "case.yaml:7:";

class WrongHeatOfBody : public testing::TestWithParam<BrokenCase> {};

TEST_P(WrongHeatOfBody, is_refused) {
  const BrokenCase& broken = GetParam();
  EXPECT_EQ(messages_of(with_body(broken.to, projection_case)), broken.messages);
}

const std::vector<BrokenCase> wrong_heats{
    {"without_a_temperature",
     "",
     "shape: formula, surface: x",
     in_line_7 + "3: solids.rod.temperature is missing, but must be given: a number, {gradient: "
                 "...}, {heat_flux: ...}, {transfer: ...} or {conducting: ...} (temperature of the "
                 "surface [T0])"},
    {"with_a_transfer_to_nowhere",
     "",
     "shape: formula, surface: x, temperature: {transfer: 2}",
     in_line_7 + "37: solids.rod.temperature.outside is missing, but must be given: a number "
                 "(temperature beyond what resists the transfer, inside of the body [T0])"},
    {"with_an_outside_alone",
     "",
     "shape: formula, surface: x, temperature: {outside: 2}",
     in_line_7 +
         "37: solids.rod.temperature.transfer is missing, but must be given: a number >= 0 "
         "(h of -dT/dn = h (outside - T), n the outward normal: a heat transfer coefficient "
         "over the conductivity of the fluid [1/L])"},
    {"with_a_flux_and_something_outside",
     "",
     "shape: formula, surface: x, temperature: {heat_flux: 2, outside: 1}",
     in_line_7 + "65: solids.rod.temperature.outside: belongs to transfer, not to heat_flux"},
    {"with_two_conditions",
     "",
     "shape: formula, surface: x, temperature: {heat_flux: 2, conducting: {conductivity: 2}}",
     in_line_7 + "65: solids.rod.temperature.conducting: excludes heat_flux; leave one out"},
    {"with_no_conductivity",
     "",
     "shape: formula, surface: x, temperature: {conducting: {conductivity: 0}}",
     in_line_7 + "64: solids.rod.temperature.conducting.conductivity is 0, but must be > 0 "
                 "(conductivity of the body over that of the fluid)"},
    {"that_conducts_and_turns",
     "",
     "shape: sphere, center: [0, 0, 0], radius: 1, rotation: [0, 0, 1], temperature: {conducting: "
     "{}}",
     in_line_7 + "89: solids.rod.temperature.conducting: a body that conducts rests; leave out "
                 "solids.rod.rotation"},
    {"of_triangles_with_a_flux",
     "",
     "shape: stl, path: " + tetrahedron + ", temperature: {heat_flux: 1}",
     in_line_7 + std::to_string(29 + tetrahedron.size()) +
         ": solids.rod.temperature: needs "
         "the normal of the surface, which is not known of shape stl; give a value, {gradient: 0} "
         "or {conducting: ...}"},
    {"with_a_nusselt_number_of_nothing",
     "",
     "shape: box, min: [0, 0, 0], max: [1, 1, 1], temperature: 1, reference: "
     "{temperature_difference: 0, surface: 2}",
     in_line_7 +
         "69: solids.rod.reference.length is missing, but must be given: a number > 0 "
         "(length of Strouhal and Nusselt numbers [L])\n" +
         in_line_7 +
         "81: solids.rod.reference.temperature_difference is 0, but must be other than "
         "0 (temperature of the body less that of the stream, for nusselt_NAME in the "
         "time series [T0])"},
};

INSTANTIATE_TEST_SUITE_P(body, WrongHeatOfBody, testing::ValuesIn(wrong_heats), name_of_test);

TEST(solids, may_give_a_flux_or_a_transfer_or_conduct) {
  using Condition = ScalarAtBody::Condition;
  const auto of = [](const std::string& temperature) {
    const Case resolved = parse_case(
        with_body("shape: sphere, center: [0, 0, 0], radius: 0.2, temperature: " + temperature,
                  projection_case),
        "case.yaml",
        {});
    const std::string yaml = to_yaml(resolved);
    EXPECT_NE(yaml.find("temperature: " + temperature + "}\n"), std::string::npos) << yaml;
    EXPECT_EQ(to_yaml(parse_case(yaml, "case.yaml", {})), yaml);
    return resolved.solids[0].scalars[0];
  };
  const ScalarAtBody flux = of("{heat_flux: -0.25}");
  EXPECT_EQ(flux.condition, Condition::flux);
  EXPECT_EQ(flux.flux, -0.25);
  EXPECT_FALSE(flux.is_insulated());
  EXPECT_TRUE(of("{gradient: 0}").is_insulated());
  const ScalarAtBody transfer = of("{transfer: 4, outside: 3}");
  EXPECT_EQ(transfer.condition, Condition::transfer);
  EXPECT_EQ(transfer.transfer, 4);
  EXPECT_EQ(transfer.value, 3);
  const ScalarAtBody conducting = of("{conducting: {conductivity: 5, heat_capacity: 0.5}}");
  EXPECT_EQ(conducting.condition, Condition::conducting);
  EXPECT_EQ(conducting.conductivity, 5);
  EXPECT_EQ(conducting.heat_capacity, 0.5);
  const ScalarAtBody as_fluid =
      parse_case(
          with_body("shape: formula, surface: x, temperature: {conducting: {}}", projection_case),
          "case.yaml",
          {})
          .solids[0]
          .scalars[0];
  EXPECT_TRUE(as_fluid.conducts());
  EXPECT_EQ(as_fluid.conductivity, 1);
  EXPECT_EQ(as_fluid.heat_capacity, 1);
}
TEST(solids, with_a_name_that_is_no_part_of_that_of_a_column_are_refused) {
  const std::string rule = ": the name of a body is made of letters, digits and '_', 50 at most";
  const std::string taken = " is a wall's column of timeseries.csv";
  const auto named = [](const std::string& name) {
    return valid_case + "solids:\n  " + name +
           ": {shape: sphere, center: [0, 0, 0], radius: 1, temperature: 1}\n";
  };
  EXPECT_EQ(messages_of(named("x_2")), "");
  EXPECT_EQ(messages_of(named("flux_y")), "");
  EXPECT_EQ(messages_of(named("flux_y_min")),
            "case.yaml:18:3: solids.flux_y_min: heat_flux_y_min" + taken);
  EXPECT_EQ(messages_of(named(std::string(50, 'a'))), "");
  for (const std::string& name :
       {std::string("left-hand"), std::string("a b"), std::string("ö"), std::string(51, 'a')})
    EXPECT_EQ(messages_of(named(name)), "case.yaml:18:3: solids." + name + rule);
}

TEST(solids, that_are_no_sections_are_refused) {
  EXPECT_NE(
      messages_of(valid_case + "solids: 3\n").find("case.yaml:17:1: solids is 3, but must be "),
      std::string::npos);
  EXPECT_NE(messages_of(valid_case + "solids: {rod: 3}\n")
                .find("case.yaml:17:10: solids.rod is 3, but must be a section with the keys "
                      "shape, center, "),
            std::string::npos);
}

TEST(solids, find_their_files_from_the_folder_of_the_case_file) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / "dns_solids_of_a_case";
  fs::create_directories(folder / "parts");
  fs::copy_file(tetrahedron, folder / "parts/a.stl", fs::copy_options::overwrite_existing);
  std::ofstream(folder / "case.yaml") << with_body("shape: stl, path: parts/../parts/a.stl" + t1);
  const Case resolved = load_case((folder / "case.yaml").string(), {});
  EXPECT_EQ(resolved.solids.at(0).file.path, (folder / "parts/a.stl").lexically_normal().string());
  EXPECT_EQ(resolved.solids.at(0).file.content, tetrahedron_checksum);

  // What a run keeps of the case is read elsewhere; the file must then be the same still.
  const std::string kept = to_yaml(resolved);
  EXPECT_EQ(to_yaml(parse_case(kept, "elsewhere.yaml", {})), kept);
  std::ofstream(folder / "parts/a.stl", std::ios::app) << '\n';
  EXPECT_NE(messages_of(kept).find("a.stl has changed: its checksum is "), std::string::npos);
  EXPECT_NE(messages_of(kept).find(std::string(", and was ") + tetrahedron_checksum),
            std::string::npos);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace dns::test_solids
