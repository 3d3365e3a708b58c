/// Keys that are not in the table, and texts that are no case file.
#include <algorithm>
#include <string>

#include "tests/config/broken_case.hpp"

namespace dns::test_case_text {
namespace {

class TextMistake : public testing::TestWithParam<BrokenCase> {};

TEST_P(TextMistake, is_refused) {
  const BrokenCase& broken = GetParam();
  EXPECT_EQ(messages_of(edited_case(broken.from, broken.to)), broken.messages);
}

const std::vector<BrokenCase> unknown_keys{
    {"a_misspelt_key",
     "points: [8, 9, 10]",
     "points: [8, 9, 10]\n  lenght: [1, 1, 1]",
     "case.yaml:5:3: grid.lenght: unknown key; did you mean grid.length?"},
    {"a_misspelt_required_key_is_not_missing_too",
     "reynolds: 100",
     "reynold: 100",
     "case.yaml:6:3: fluid.reynold: unknown key; did you mean fluid.reynolds?"},
    {"a_misspelt_section",
     "grid:",
     "gird:",
     "case.yaml:3:1: gird: unknown key; did you mean grid?"},
    {"a_misspelt_face",
     "y_min:",
     "y_mim:",
     "case.yaml:11:3: boundaries.y_mim: unknown key; did you mean boundaries.y_min?"},
    {"a_key_in_the_wrong_section",
     "case: base",
     "threads: 4",
     "case.yaml:1:1: threads: unknown key; did you mean run.threads?"},
    {"a_key_like_no_other",
     "points: [8, 9, 10]",
     "points: [8, 9, 10]\n  colour: red",
     "case.yaml:5:3: grid.colour: unknown key; known keys of grid: points, length, origin"},
    {"a_section_like_no_other",
     "case: base",
     "weather: {c: 1}",
     "case.yaml:1:1: weather: unknown key; known keys: case, parameters, scheme, device, "
     "precision, grid, fluid, temperature, boundaries, initial, forcing, solids, time, output, "
     "run"},
    {"a_key_beside_gradient",
     "y_min: {type: wall, temperature: 1}",
     "y_min: {type: wall, temperature: {gradient: 0, value: 1}}",
     "case.yaml:11:50: boundaries.y_min.temperature.value: unknown key; known keys of "
     "boundaries.y_min.temperature: gradient, profile, planes, beyond, "
     "content"},
    {"a_key_given_twice",
     "prandtl: 0.7",
     "prandtl: 0.7\n  reynolds: 200",
     "case.yaml:8:3: fluid.reynolds: given twice; the first is in line 6"},
    {"a_section_given_twice",
     "",
     "grid: {points: [4, 4, 4]}",
     "case.yaml:17:1: grid: given twice; the first is in line 3"},
    {"a_merge_key",
     "prandtl: 0.7",
     "prandtl: 0.7\n  <<: {reynolds: 3}",
     "case.yaml:8:3: fluid.<<: merge keys are not supported; write the keys out, or refer to a "
     "whole section by an alias (*name)"},
    {"a_list_as_key",
     "prandtl: 0.7",
     "prandtl: 0.7\n  ? [a, b]\n  : 1",
     "case.yaml:8:5: fluid.[a, b]: unknown key; known keys of fluid: reynolds, prandtl, "
     "heat_capacity_ratio"},
    {"a_number_for_a_section",
     "fluid:\n  reynolds: 100\n  prandtl: 0.7\n",
     "fluid: 100\n",
     "case.yaml:5:1: fluid is 100, but must be a section with the keys reynolds, prandtl, "
     "heat_capacity_ratio (properties of the fluid)"},
    {"a_list_for_a_section",
     "",
     "output: [fields]",
     "case.yaml:17:1: output is [fields], but must be a section with the keys directory, fields, "
     "slices, planes, probes, timeseries, checkpoint, exact_times (what is written)"},
};

const std::string belongs_to_projection =
    ": belongs to scheme projection, but scheme is splitting; leave it out";

const std::vector<BrokenCase> keys_of_projection{
    {"stretching",
     "points: [8, 9, 10]",
     "points: [8, 9, 10]\n  stretching: {y: {type: tanh, factor: 2}}",
     "case.yaml:5:3: grid.stretching" + belongs_to_projection},
    {"buoyancy",
     "",
     "buoyancy: {rayleigh: 1e6}",
     "case.yaml:17:1: buoyancy" + belongs_to_projection},
    {"forcing",
     "",
     "forcing: {type: bulk_velocity}",
     "case.yaml:17:11: forcing.type is bulk_velocity, but must be formula (what is held constant; "
     "formula: nothing, the keys below say what acts); scheme splitting has no other"},
    {"cfl", "steps: 5", "steps: 5\n  cfl: 0.5", "case.yaml:17:3: time.cfl" + belongs_to_projection},
    {"statistics",
     "",
     "output: {statistics: {every: 10}}",
     "case.yaml:17:10: output.statistics" + belongs_to_projection},
};

INSTANTIATE_TEST_SUITE_P(unknown_key, TextMistake, testing::ValuesIn(unknown_keys), name_of_test);
INSTANTIATE_TEST_SUITE_P(key_of_projection,
                         TextMistake,
                         testing::ValuesIn(keys_of_projection),
                         name_of_test);

TEST(case_text, of_an_empty_file_is_refused) {
  const std::string message =
      "case.yaml:1:1: the case file is empty; `dns new NAME` writes one to start from";
  EXPECT_EQ(messages_of(""), message);
  EXPECT_EQ(messages_of("# only a comment\n"), message);
}

TEST(case_text, that_is_a_list_is_refused) {
  EXPECT_EQ(
      messages_of("- case: base\n- scheme: splitting\n"),
      "case.yaml:1:1: the case file is [{case: base}, {scheme: splitting}], but must be a map "
      "of keys, such as scheme: splitting");
}

TEST(case_text, of_two_documents_is_refused) {
  EXPECT_EQ(messages_of(valid_case + "---\ncase: other\n"),
            "case.yaml:17:1: a second YAML document; a case file holds one");
}

TEST(case_text, that_is_binary_is_refused) {
  EXPECT_EQ(messages_of(std::string("\x89HDF\r\n\0\0", 8)),
            "case.yaml:1:1: not a case file: it is no text");
}

TEST(case_text, with_an_alias_to_itself_is_refused) {
  EXPECT_EQ(messages_of("grid: &a [1, *a]\n"),
            "case.yaml:1:14: an alias to something that contains it");
}

TEST(case_text, that_aliases_blow_up_is_refused) {
  std::string yaml = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    yaml += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int j = 0; j < 9; ++j) yaml += before + ", ";
    yaml += before + "]\n";
  }
  EXPECT_NE(messages_of(yaml).find("too much for a case file"), std::string::npos);
}

/// Every anchor keeps a copy of what it names: 300 of 1001 nodes here.
TEST(case_text, that_anchors_within_anchors_blow_up_is_refused) {
  std::string yaml = "a: ";
  for (int i = 0; i < 300; ++i) yaml += "&a" + std::to_string(i) + " [";
  for (int i = 0; i < 1000; ++i) yaml += "1, ";
  yaml += "1" + std::string(300, ']') + "\n";
  EXPECT_NE(messages_of(yaml).find("too much for a case file"), std::string::npos);
}

/// The length of a text counts as often as it is repeated, and the message names the place.
TEST(case_text, that_repeats_a_long_text_by_aliases_is_refused) {
  const std::string text(100000, 'x');
  std::string yaml = "case: &long " + text + "\nscheme:\n";
  for (int i = 0; i < 1000; ++i) yaml += "  - *long\n";
  const std::string message = messages_of(yaml);
  EXPECT_EQ(message.substr(0, message.find("; ")),
            "case.yaml:168:5: too much for a case file: more than 16 MiB with all aliases (*name) "
            "in full");
}

TEST(case_text, with_thousands_of_mistakes_names_a_thousand) {
  std::string yaml = "solids:\n";
  for (int i = 0; i < 40000; ++i) yaml += "  s" + std::to_string(i) + ": 1\n";
  const std::string message = messages_of(yaml);
  EXPECT_EQ(std::ranges::count(message, '\n'), 999);
}

/// The reason is yaml-cpp's and differs between its versions; the place is ours.
TEST(case_text, with_a_syntax_mistake_names_its_place) {
  const auto start_of = [](const std::string& yaml) { return messages_of(yaml).substr(0, 14); };
  EXPECT_EQ(start_of("grid:\n  points: [8, 9\nfluid: 1\n"), "case.yaml:2:11");
  EXPECT_EQ(start_of("case: *name\n"), "case.yaml:1:7:");
  EXPECT_EQ(start_of("case: a: b\n"), "case.yaml:1:8:");
}

TEST(case_text, indented_with_a_tab_is_refused_with_advice) {
  const std::string message = messages_of("grid:\n  length: [1, 1, 1]\n\tpoints: [8, 8, 8]\n");
  EXPECT_EQ(message.substr(0, 12), "case.yaml:3:");
  EXPECT_NE(message.find("YAML indents with spaces, not tabs"), std::string::npos) << message;
}

TEST(case_text, with_several_mistakes_names_all_in_the_order_of_the_file) {
  const std::string yaml = R"(scheme: splitting
time: {step: -1, steps: 2.5}
grid:
  lenght: [1, 1, 1]
  points: [8, 9]
fluid: {reynolds: 0}
boundaries:
  x: periodic
  y_max: {type: wall, temperature: "1+"}
  z: periodicc
)";
  EXPECT_EQ(
      messages_of(yaml),
      "case.yaml:2:8: time.step is -1, but must be > 0 (time step [L/U])\n"
      "case.yaml:2:18: time.steps is 2.5, but must be a whole number >= 0 (number of time "
      "steps of the whole run)\n"
      "case.yaml:4:3: grid.lenght: unknown key; did you mean grid.length?\n"
      "case.yaml:5:3: grid.points is [8, 9], but must be a list of 3 whole numbers from 4 to "
      "65536 (nodes along x, y, z, boundary nodes included; periodic: distinct nodes)\n"
      "case.yaml:6:1: fluid.prandtl is missing, but must be given: a number > 0 (Prandtl "
      "number, kinematic viscosity / thermal diffusivity)\n"
      "case.yaml:6:9: fluid.reynolds is 0, but must be > 0 (Reynolds number U L / kinematic "
      "viscosity)\n"
      "case.yaml:7:1: boundaries.y_min is missing, but must be given: such as {type: wall, "
      "temperature: 1}, or y: periodic for both faces (boundary conditions of one face)\n"
      "case.yaml:9:23: boundaries.y_max.temperature is \"1+\", but must be a formula of x, y, "
      "z, t, {gradient: ...}, {profile: ...} or {planes: ...} (temperature at the face [T0]): "
      "unexpected end of expression "
      "at position 3\n"
      "case.yaml:10:3: boundaries.z is periodicc, but must be periodic, wall or symmetry (what "
      "both faces are; a "
      "section holds for both, as that of one face does for one); did you mean periodic?");
}

TEST(case_text, with_an_open_bracket_names_the_line_that_opens_it) {
  const std::string head = "scheme: projection\n# {[\nname: \"{\"\ngrid: ";
  const std::string tail = "\nfluid: {reynolds: 100}\n";
  EXPECT_EQ(
      messages_of(head + "{points: [8, 9, 4], length: [1, 1, 1]" + tail),
      "case.yaml:4:7: the '{' here is not closed by a '}': end of map flow not found in line 5");
  EXPECT_EQ(messages_of(head + "{points: [8, 9, 4}" + tail),
            "case.yaml:4:16: the '[' here is not closed by a ']': illegal flow end in line 4");
  EXPECT_EQ(
      messages_of(head + "{points: [8, 9, 4" + tail),
      "case.yaml:4:16: the '[' here is not closed by a ']': end of sequence flow not found in "
      "line 5");
}

TEST(case_text, with_the_name_of_a_file_that_cannot_name_a_case_asks_for_a_name) {
  const std::string yaml = edited_case("case: base\n", "");
  EXPECT_EQ(parse_case(yaml, "folder/channel_7.yaml", {}).name, "channel_7");
  EXPECT_EQ(message_of<CaseError>([&] { return parse_case(yaml, "my case.yaml", {}); }),
            "my case.yaml:1:1: case is missing, but must be given: letters, digits, '_', '-' "
            "and '.', the first a letter or a digit, 100 at most; the file's name will not do "
            "(name of the case)");
}

}  // namespace
}  // namespace dns::test_case_text
