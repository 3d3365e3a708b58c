/// output.slices, planes and probes: entries that are refused, and what is said about them.
#include "tests/config/broken_case.hpp"

namespace dns::test_wrong_output {
namespace {

const std::string in_slices = "output:\n  slices:\n    planes:\n      ";
const std::string in_planes = "output:\n  planes:\n    ";
const std::string in_probes = "output:\n  probes:\n    ";

/// `to` stands behind `from`, the sections that it is in, at the end of a valid case.
class WrongOutput : public testing::TestWithParam<BrokenCase> {};

TEST_P(WrongOutput, is_refused) {
  const auto& [name, sections, entry, messages] = GetParam();
  EXPECT_EQ(messages_of(valid_case + sections + entry), messages);
}

const std::vector<BrokenCase> wrong_slices{
    {"outside_the_domain",
     in_slices,
     "lid: {axis: y, at: 1.5}",
     "case.yaml:20:22: output.slices.planes.lid.at is 1.5, but must be from 0 to 1 (where the "
     "plane "
     "cuts that axis [L]); that is the domain along y"},
    {"no_axis",
     in_slices,
     "lid: {axis: w}",
     "case.yaml:20:13: output.slices.planes.lid.axis is w, but must be x, y or z (axis normal to "
     "the "
     "plane)"},
    {"a_misspelt_variable",
     in_slices,
     "lid: {variable: velocity_magnitud}",
     "case.yaml:20:13: output.slices.planes.lid.variable is velocity_magnitud, but must be "
     "velocity_x, velocity_y, velocity_z, velocity_magnitude, temperature or pressure (what the "
     "colours show; pressure: scheme projection); did you mean velocity_magnitude?"},
    {"a_variable_of_the_other_scheme",
     in_slices,
     "lid: {variable: pressure}",
     "case.yaml:20:13: output.slices.planes.lid.variable is pressure, but must be a velocity or "
     "temperature (what the colours show; pressure: scheme projection); pressure belongs to scheme "
     "projection"},
    {"colours_the_wrong_way_round",
     in_slices,
     "lid: {min: 1, max: 0}",
     "case.yaml:20:21: output.slices.planes.lid.max is 0, but must be > min (value of the last "
     "colour); that is 1"},
    {"a_misspelt_key",
     in_slices,
     "lid: {axsi: y}",
     "case.yaml:20:13: output.slices.planes.lid.axsi: unknown key; did you mean "
     "output.slices.planes.lid.axis?"},
    {"a_plane_that_is_no_section",
     in_slices,
     "lid: 3",
     "case.yaml:20:7: output.slices.planes.lid is 3, but must be a section with the keys axis, at, "
     "variable, min, max (one plane; its NAME stands in the names of its files)"},
    {"a_name_that_leads_elsewhere",
     in_slices,
     "../lid: {}",
     "case.yaml:20:7: output.slices.planes.../lid: unknown key; known keys of "
     "output.slices.planes: NAME"},
    {"a_name_with_a_slash",
     in_slices,
     "a/b: {}",
     "case.yaml:20:7: output.slices.planes.a/b: the name of a plane is made of letters, digits, "
     "'_' "
     "and '-', 50 at most"},
};

INSTANTIATE_TEST_SUITE_P(slices, WrongOutput, testing::ValuesIn(wrong_slices), name_of_test);

const std::vector<BrokenCase> wrong_planes{
    {"without_an_interval",
     in_planes,
     "inlet: {axis: x, at: 0.5}",
     "case.yaml:18:3: output.planes.every is missing, but must be given: a whole number of "
     "steps >= 1, or a time such as 0.5 L/U (interval between records [steps or L/U])"},
    {"of_an_interval_of_nothing",
     in_planes,
     "{every: 0, inlet: {axis: x, at: 0.5}}",
     "case.yaml:19:6: output.planes.every is 0, but must be >= 1 (interval between records "
     "[steps or L/U])"},
    {"outside_the_domain",
     in_planes,
     "{every: 1, inlet: {axis: y, at: 1.5}}",
     "case.yaml:19:33: output.planes.inlet.at is 1.5, but must be from 0 to 1 (where the plane "
     "cuts "
     "that axis; linear interpolation between points [L]); that is the domain along y"},
    {"without_axis_and_place",
     in_planes,
     "{every: 1, inlet: {}}",
     "case.yaml:19:16: output.planes.inlet.axis is missing, but must be given: x, y or z (axis "
     "normal to the plane)\n"
     "case.yaml:19:16: output.planes.inlet.at is missing, but must be given: a number (where the "
     "plane cuts that axis; linear interpolation between points [L])"},
    {"a_misspelt_key",
     in_planes,
     "{every: 1, inlet: {axsi: y, at: 0}}",
     "case.yaml:19:24: output.planes.inlet.axsi: unknown key; did you mean "
     "output.planes.inlet.axis?"},
    {"a_plane_that_is_no_section",
     in_planes,
     "{every: 1, evry: 3}",
     "case.yaml:19:16: output.planes.evry is 3, but must be a section with the keys axis, at (one "
     "plane; its NAME stands in the names of its files)"},
    {"a_precision_that_is_a_plane",
     in_planes,
     "{every: 1, precision: {axis: x, at: 0}, a: {axis: x, at: 0}}",
     "case.yaml:19:16: output.planes.precision is {axis: x, at: 0}, but must be float or double "
     "(floating-point numbers of the records)"},
    {"none_at_all",
     in_planes,
     "{every: 1}",
     "case.yaml:18:3: output.planes: names no plane, such as inlet: {axis: x, at: 1}"},
    {"a_name_with_a_slash",
     in_planes,
     "{every: 1, a/b: {axis: x, at: 0}}",
     "case.yaml:19:16: output.planes.a/b: the name of a plane is made of letters, digits, '_' and "
     "'-', 50 at most"},
    {"a_name_like_that_of_a_piece",
     in_planes,
     "{every: 1, a_00000120: {axis: x, at: 0}}",
     "case.yaml:19:16: output.planes.a_00000120: the name of a plane must not end in '_' and eight "
     "digits or more"},
};

INSTANTIATE_TEST_SUITE_P(planes, WrongOutput, testing::ValuesIn(wrong_planes), name_of_test);

const std::string meaning_of_at =
    " (where the point is; linear interpolation between the points of each variable [L])";

const std::vector<BrokenCase> wrong_probes{
    {"of_an_interval_of_nothing",
     in_probes,
     "{every: 0, wake: {at: [0, 0, 0]}}",
     "case.yaml:19:6: output.probes.every is 0, but must be >= 1 (interval between records "
     "[steps or L/U])"},
    {"outside_the_domain",
     in_probes,
     "{wake: {at: [0, 1.5, -1]}}",
     "case.yaml:19:21: output.probes.wake.at[1] is 1.5, but must be from 0 to 1" + meaning_of_at +
         "; that is the domain along y\n"
         "case.yaml:19:26: output.probes.wake.at[2] is -1, but must be from 0 to 1" +
         meaning_of_at + "; that is the domain along z"},
    {"without_a_place",
     in_probes,
     "{wake: {}}",
     "case.yaml:19:6: output.probes.wake: needs at, the place of a point, or from, to and count, a "
     "line"},
    {"of_two_kinds",
     in_probes,
     "{wake: {at: [0, 0, 0], count: 3}}",
     "case.yaml:19:6: output.probes.wake: a point has at, a line from, to and count, but none has "
     "both"},
    {"of_a_line_without_an_end",
     in_probes,
     "{wake: {from: [0, 0, 0], count: 3}}",
     "case.yaml:19:6: output.probes.wake.to is missing, but must be given: a list of 3 numbers "
     "(last point of the line [L])"},
    {"of_a_line_of_one_point",
     in_probes,
     "{wake: {from: [0, 0, 0], to: [1, 0, 0], count: 1}}",
     "case.yaml:19:45: output.probes.wake.count is 1, but must be from 2 to 1000000 (points on the "
     "line, both ends included)"},
    {"of_a_line_without_length",
     in_probes,
     "{wake: {from: [0, 0, 0], to: [0, 0, 0], count: 3}}",
     "case.yaml:19:6: output.probes.wake: a line ends at another place than it begins; at makes it "
     "a point"},
    {"a_misspelt_key",
     in_probes,
     "{wake: {att: [0, 0, 0]}}",
     "case.yaml:19:13: output.probes.wake.att: unknown key; did you mean output.probes.wake.at?"},
    {"none_at_all",
     in_probes,
     "{every: 1}",
     "case.yaml:18:3: output.probes: names no point, such as wake: {at: [2, 0, 0]}"},
    {"a_name_with_a_slash",
     in_probes,
     "{a/b: {at: [0, 0, 0]}}",
     "case.yaml:19:6: output.probes.a/b: the name of a probe is made of letters, digits, '_' and "
     "'-', 50 at most"},
    {"a_name_like_that_of_a_piece",
     in_probes,
     "{a_00000120: {at: [0, 0, 0]}}",
     "case.yaml:19:6: output.probes.a_00000120: the name of a probe must not end in '_' and eight "
     "digits or more"},
};

INSTANTIATE_TEST_SUITE_P(probes, WrongOutput, testing::ValuesIn(wrong_probes), name_of_test);

}  // namespace
}  // namespace dns::test_wrong_output
