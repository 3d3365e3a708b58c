/// output.planes: the planes that are recorded.
#include <yaml-cpp/yaml.h>

#include <regex>

#include "solver/config/case_difference.hpp"
#include "tests/config/broken_case.hpp"

namespace dns {
namespace {

Case case_with_planes(const std::string& planes) {
  return parse_case(valid_case + "output:\n  planes: " + planes + "\n", "case.yaml", {});
}

TEST(planes, are_not_recorded_unless_asked_for) {
  EXPECT_FALSE(parse_case(valid_case, "case.yaml", {}).output.planes);
}

TEST(planes, stand_beside_the_keys_of_all) {
  const Case resolved = case_with_planes(
      "{inlet: {axis: x, at: 0.25}, every: 10, wake-2: {at: 1, axis: z}, precision: double}");
  const PlanesCase& planes = resolved.output.planes.value();
  EXPECT_EQ(planes.every, 10);
  EXPECT_EQ(planes.precision, Precision::double_precision);
  ASSERT_EQ(planes.planes.size(), 2U);
  EXPECT_EQ(planes.planes[0].name, "inlet");
  EXPECT_EQ(planes.planes[0].axis, 0);
  EXPECT_EQ(planes.planes[0].at, 0.25);
  EXPECT_EQ(planes.planes[1].name, "wake-2");
  EXPECT_EQ(planes.planes[1].axis, 2);
  const std::string yaml = to_yaml(resolved);
  EXPECT_EQ(to_yaml(parse_case(yaml, "again.yaml", {})), yaml);
  EXPECT_NE(
      yaml.find("every: 10\n    start: 0\n    precision: double\n    inlet: {axis: x, at: 0.25}\n"),
      std::string::npos)
      << yaml;
  EXPECT_EQ(case_with_planes("{every: 1, a: {axis: x, at: 0}}").output.planes->precision,
            Precision::single_precision);
}

TEST(planes, can_be_changed_by_overrides) {
  const Case resolved =
      parse_case(valid_case + "output: {planes: {every: 2, inlet: {axis: x, at: 0}}}\n",
                 "case.yaml",
                 {{"output.planes.every", "3", "--set"},
                  {"output.planes.inlet.at", "0.5", "--set"},
                  {"output.planes.out", "{axis: y, at: 1}", "--set"}});
  const PlanesCase& planes = resolved.output.planes.value();
  EXPECT_EQ(planes.every, 3);
  ASSERT_EQ(planes.planes.size(), 2U);
  EXPECT_EQ(planes.planes[0].at, 0.5);
  EXPECT_EQ(planes.planes[1].name, "out");
}

TEST(planes, make_no_other_flow) {
  const Case with = case_with_planes("{every: 1, a: {axis: x, at: 0}}");
  EXPECT_TRUE(differences_of_flow(with, parse_case(valid_case, "case.yaml", {})).empty());
}

TEST(planes, are_told_from_keys_by_the_schema) {
  const YAML::Node planes = YAML::Load(
      case_schema())["properties"]["output"]["properties"]["planes"]["patternProperties"];
  ASSERT_EQ(planes.size(), 1U);
  const std::regex pattern(planes.begin()->first.as<std::string>());
  for (const char* const name : {"inlet", "every2", "a_1234567", "x-1", "precisio"})
    EXPECT_TRUE(std::regex_search(name, pattern)) << name;
  for (const char* const name : {"every", "precision", "a_12345678", "a/b", ""})
    EXPECT_FALSE(std::regex_search(name, pattern)) << name;
}

class WrongPlanes : public testing::TestWithParam<BrokenCase> {};

TEST_P(WrongPlanes, are_refused) {
  const BrokenCase& broken = GetParam();
  EXPECT_EQ(messages_of(edited_case("", "output:\n  planes:\n    " + broken.to)), broken.messages);
}

const std::vector<BrokenCase> wrong_planes{
    {"without_an_interval",
     "",
     "inlet: {axis: x, at: 0.5}",
     "case.yaml:18:3: output.planes.every is missing, but must be given: a whole number >= 1 "
     "(distance between records [steps])"},
    {"of_an_interval_of_nothing",
     "",
     "{every: 0, inlet: {axis: x, at: 0.5}}",
     "case.yaml:19:6: output.planes.every is 0, but must be >= 1 (distance between records "
     "[steps])"},
    {"outside_the_domain",
     "",
     "{every: 1, inlet: {axis: y, at: 1.5}}",
     "case.yaml:19:33: output.planes.inlet.at is 1.5, but must be from 0 to 1 (where the plane "
     "cuts "
     "that axis; linear interpolation between points [L]); that is the domain along y"},
    {"without_axis_and_place",
     "",
     "{every: 1, inlet: {}}",
     "case.yaml:19:16: output.planes.inlet.axis is missing, but must be given: x, y or z (axis "
     "normal to the plane)\n"
     "case.yaml:19:16: output.planes.inlet.at is missing, but must be given: a number (where the "
     "plane cuts that axis; linear interpolation between points [L])"},
    {"a_misspelt_key",
     "",
     "{every: 1, inlet: {axsi: y, at: 0}}",
     "case.yaml:19:24: output.planes.inlet.axsi: unknown key; did you mean "
     "output.planes.inlet.axis?"},
    {"a_plane_that_is_no_section",
     "",
     "{every: 1, evry: 3}",
     "case.yaml:19:16: output.planes.evry is 3, but must be a section with the keys axis, at (one "
     "plane, which gives its files their NAME)"},
    {"a_precision_that_is_a_plane",
     "",
     "{every: 1, precision: {axis: x, at: 0}, a: {axis: x, at: 0}}",
     "case.yaml:19:16: output.planes.precision is {axis: x, at: 0}, but must be float or double "
     "(floating-point numbers of the records)"},
    {"none_at_all",
     "",
     "{every: 1}",
     "case.yaml:18:3: output.planes: names no plane, such as inlet: {axis: x, at: 1}"},
    {"a_name_with_a_slash",
     "",
     "{every: 1, a/b: {axis: x, at: 0}}",
     "case.yaml:19:16: output.planes.a/b: the name of a plane is made of letters, digits, '_' and "
     "'-', 50 at most"},
    {"a_name_like_that_of_a_piece",
     "",
     "{every: 1, a_00000120: {axis: x, at: 0}}",
     "case.yaml:19:16: output.planes.a_00000120: the name of a plane must not end in '_' and eight "
     "digits or more"},
};

INSTANTIATE_TEST_SUITE_P(planes, WrongPlanes, testing::ValuesIn(wrong_planes), name_of_test);

}  // namespace
}  // namespace dns
