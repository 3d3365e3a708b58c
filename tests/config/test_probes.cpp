/// output.probes: the points that are recorded.
#include <yaml-cpp/yaml.h>

#include <regex>

#include "solver/config/case_difference.hpp"
#include "tests/config/broken_case.hpp"

namespace dns::test_probes {
namespace {

Case case_with_probes(const std::string& probes) {
  return parse_case(valid_case + "output:\n  probes: " + probes + "\n", "case.yaml", {});
}

TEST(probes, are_not_recorded_unless_asked_for) {
  EXPECT_FALSE(parse_case(valid_case, "case.yaml", {}).output.probes);
}

TEST(probes, are_points_and_lines_beside_the_keys_of_all) {
  const Case resolved = case_with_probes(
      "{wake: {at: [0.25, 1, 0]}, every: 10, line-2: {from: [0, 0, 0], to: [1, 0.5, 0], count: "
      "5}}");
  const ProbesCase& probes = resolved.output.probes.value();
  EXPECT_EQ(probes.every, 10);
  EXPECT_EQ(probes.start, 0);
  ASSERT_EQ(probes.probes.size(), 2U);
  EXPECT_EQ(probes.probes[0].name, "wake");
  EXPECT_FALSE(probes.probes[0].is_line());
  EXPECT_EQ(probes.probes[0].place(0), (PerAxis<double>{0.25, 1.0, 0.0}));
  EXPECT_EQ(probes.probes[1].name, "line-2");
  EXPECT_EQ(probes.probes[1].count, 5);
  EXPECT_EQ(probes.probes[1].place(0), (PerAxis<double>{0.0, 0.0, 0.0}));
  EXPECT_EQ(probes.probes[1].place(1), (PerAxis<double>{0.25, 0.125, 0.0}));
  EXPECT_EQ(probes.probes[1].place(4), (PerAxis<double>{1.0, 0.5, 0.0}));
  const std::string yaml = to_yaml(resolved);
  EXPECT_EQ(to_yaml(parse_case(yaml, "again.yaml", {})), yaml);
  EXPECT_NE(yaml.find("every: 10\n    start: 0\n    wake: {at: [0.25, 1, 0]}\n"
                      "    line-2: {from: [0, 0, 0], to: [1, 0.5, 0], count: 5}\n"),
            std::string::npos)
      << yaml;
  EXPECT_EQ(case_with_probes("{a: {at: [0, 0, 0]}}").output.probes->every, 1);
}

TEST(probes, can_be_changed_by_overrides) {
  const Case resolved = parse_case(valid_case + "output: {probes: {wake: {at: [0, 0, 0]}}}\n",
                                   "case.yaml",
                                   {{"output.probes.every", "3", "--set"},
                                    {"output.probes.wake.at", "[0.5, 0.5, 0.5]", "--set"},
                                    {"output.probes.out", "{at: [1, 1, 0]}", "--set"}});
  const ProbesCase& probes = resolved.output.probes.value();
  EXPECT_EQ(probes.every, 3);
  ASSERT_EQ(probes.probes.size(), 2U);
  EXPECT_EQ(probes.probes[0].from[1], 0.5);
  EXPECT_EQ(probes.probes[1].name, "out");
}

TEST(probes, make_no_other_flow) {
  const Case with = case_with_probes("{a: {at: [0, 0, 0]}}");
  EXPECT_TRUE(differences_of_flow(with, parse_case(valid_case, "case.yaml", {})).empty());
}

TEST(probes, are_told_from_keys_by_the_schema) {
  const YAML::Node probes = YAML::Load(
      case_schema())["properties"]["output"]["properties"]["probes"]["patternProperties"];
  ASSERT_EQ(probes.size(), 1U);
  const std::regex pattern(probes.begin()->first.as<std::string>());
  for (const char* const name : {"wake", "every2", "a_1234567", "x-1", "precision"})
    EXPECT_TRUE(std::regex_search(name, pattern)) << name;
  for (const char* const name : {"every", "start", "a_12345678", "a/b", ""})
    EXPECT_FALSE(std::regex_search(name, pattern)) << name;
}

}  // namespace
}  // namespace dns::test_probes
