/// output.probes: the points that are recorded.
#include <yaml-cpp/yaml.h>

#include <regex>

#include "solver/config/case_difference.hpp"
#include "tests/config/broken_case.hpp"

namespace dns {
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
  EXPECT_EQ(probes.probes[0].place(0), (std::array{0.25, 1.0, 0.0}));
  EXPECT_EQ(probes.probes[1].name, "line-2");
  EXPECT_EQ(probes.probes[1].count, 5);
  EXPECT_EQ(probes.probes[1].place(0), (std::array{0.0, 0.0, 0.0}));
  EXPECT_EQ(probes.probes[1].place(1), (std::array{0.25, 0.125, 0.0}));
  EXPECT_EQ(probes.probes[1].place(4), (std::array{1.0, 0.5, 0.0}));
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

class WrongProbes : public testing::TestWithParam<BrokenCase> {};

TEST_P(WrongProbes, are_refused) {
  const BrokenCase& broken = GetParam();
  EXPECT_EQ(messages_of(edited_case("", "output:\n  probes:\n    " + broken.to)), broken.messages);
}

const std::string meaning_of_at =
    " (where the point is; linear interpolation between those of each variable [L])";

const std::vector<BrokenCase> wrong_probes{
    {"of_an_interval_of_nothing",
     "",
     "{every: 0, wake: {at: [0, 0, 0]}}",
     "case.yaml:19:6: output.probes.every is 0, but must be >= 1 (distance between records "
     "[steps])"},
    {"outside_the_domain",
     "",
     "{wake: {at: [0, 1.5, -1]}}",
     "case.yaml:19:21: output.probes.wake.at[1] is 1.5, but must be from 0 to 1" + meaning_of_at +
         "; that is the domain along y\n"
         "case.yaml:19:26: output.probes.wake.at[2] is -1, but must be from 0 to 1" +
         meaning_of_at + "; that is the domain along z"},
    {"without_a_place",
     "",
     "{wake: {}}",
     "case.yaml:19:6: output.probes.wake: needs at, the place of a point, or from, to and count, a "
     "line"},
    {"of_two_kinds",
     "",
     "{wake: {at: [0, 0, 0], count: 3}}",
     "case.yaml:19:6: output.probes.wake: a point has at, a line from, to and count, but none has "
     "both"},
    {"of_a_line_without_an_end",
     "",
     "{wake: {from: [0, 0, 0], count: 3}}",
     "case.yaml:19:6: output.probes.wake.to is missing, but must be given: a list of 3 numbers "
     "(last point of the line [L])"},
    {"of_a_line_of_one_point",
     "",
     "{wake: {from: [0, 0, 0], to: [1, 0, 0], count: 1}}",
     "case.yaml:19:45: output.probes.wake.count is 1, but must be from 2 to 1000000 (points on the "
     "line, both ends included)"},
    {"of_a_line_without_length",
     "",
     "{wake: {from: [0, 0, 0], to: [0, 0, 0], count: 3}}",
     "case.yaml:19:6: output.probes.wake: a line ends at another place than it begins; at makes it "
     "a point"},
    {"a_misspelt_key",
     "",
     "{wake: {att: [0, 0, 0]}}",
     "case.yaml:19:13: output.probes.wake.att: unknown key; did you mean output.probes.wake.at?"},
    {"none_at_all",
     "",
     "{every: 1}",
     "case.yaml:18:3: output.probes: names no point, such as wake: {at: [2, 0, 0]}"},
    {"a_name_with_a_slash",
     "",
     "{a/b: {at: [0, 0, 0]}}",
     "case.yaml:19:6: output.probes.a/b: the name of a probe is made of letters, digits, '_' and "
     "'-', 50 at most"},
    {"a_name_like_that_of_a_piece",
     "",
     "{a_00000120: {at: [0, 0, 0]}}",
     "case.yaml:19:6: output.probes.a_00000120: the name of a probe must not end in '_' and eight "
     "digits or more"},
};

INSTANTIATE_TEST_SUITE_P(probes, WrongProbes, testing::ValuesIn(wrong_probes), name_of_test);

}  // namespace
}  // namespace dns
