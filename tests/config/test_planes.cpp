/// output.planes: the planes that are recorded.
#include <yaml-cpp/yaml.h>

#include <regex>

#include "solver/config/case_difference.hpp"
#include "tests/config/broken_case.hpp"

namespace dns::test_planes {
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

}  // namespace
}  // namespace dns::test_planes
