/// The JSON schema of the case file.
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <map>
#include <string>
#include <string_view>

#include "solver/config/key_table.hpp"
#include "solver/config/load_case.hpp"

namespace dns::test_case_schema {
namespace {

/// JSON is YAML.
YAML::Node schema() {
  return YAML::Load(case_schema());
}

/// The schema of `path`, faces through their definition; not defined when there is none.
YAML::Node schema_of(const YAML::Node& root, std::string_view path) {
  YAML::Node node = root;
  while (true) {
    const std::size_t dot = path.find('.');
    std::string word(path.substr(0, dot));
    if (word == "AXIS") word = "y";
    if (word == "FACE") word = "y_min";
    if (node["anyOf"]) node.reset(node["anyOf"][1]);
    if (word == "NAME") {
      node.reset(node["patternProperties"].begin()->second);
      if (dot == std::string_view::npos) return node;
      path.remove_prefix(dot + 1);
      continue;
    }
    const YAML::Node properties = node["properties"];
    if (!properties || !properties[word]) return YAML::Node(YAML::NodeType::Undefined);
    node.reset(properties[word]);
    if (node["$ref"]) node.reset(root["$defs"]["face"]);
    if (dot == std::string_view::npos) return node;
    path.remove_prefix(dot + 1);
  }
}

TEST(case_schema, names_its_draft) {
  EXPECT_EQ(schema()["$schema"].as<std::string>(), "https://json-schema.org/draft/2020-12/schema");
}

TEST(case_schema, holds_every_key_of_the_table_with_its_meaning) {
  const YAML::Node root = schema();
  for (const Key& key : key_table()) {
    const YAML::Node node = schema_of(root, key.path);
    ASSERT_TRUE(node.IsDefined()) << key.path;
    EXPECT_EQ(node["description"].as<std::string>().find(meaning_text(key)), 0U) << key.path;
  }
}

TEST(case_schema, refuses_unknown_keys_in_every_section) {
  const YAML::Node root = schema();
  EXPECT_FALSE(root["additionalProperties"].as<bool>());
  for (const Key& key : key_table()) {
    if (key.kind != KeyKind::section) continue;
    EXPECT_FALSE(schema_of(root, key.path)["additionalProperties"].as<bool>()) << key.path;
  }
}

TEST(case_schema, carries_ranges_choices_and_defaults) {
  const YAML::Node root = schema();
  EXPECT_EQ(schema_of(root, "fluid.reynolds")["exclusiveMinimum"].as<double>(), 0);
  EXPECT_EQ(schema_of(root, "fluid.heat_capacity_ratio")["minimum"].as<double>(), 1);
  EXPECT_EQ(schema_of(root, "output.fields.compression")["maximum"].as<int>(), 9);
  const YAML::Node points = schema_of(root, "grid.points");
  // A text is a formula.
  EXPECT_EQ(points["items"]["type"].as<std::vector<std::string>>(),
            (std::vector<std::string>{"integer", "string"}));
  EXPECT_EQ(points["items"]["minimum"].as<int>(), 4);
  EXPECT_EQ(points["minItems"].as<int>(), 3);
  EXPECT_EQ(points["maxItems"].as<int>(), 3);
  EXPECT_EQ(schema_of(root, "device")["enum"].as<std::vector<std::string>>(),
            (std::vector<std::string>{"auto", "cpu", "cuda"}));
  EXPECT_EQ(schema_of(root, "precision")["default"].as<std::string>(), "double");
  EXPECT_EQ(schema_of(root, "grid.length")["default"].as<std::vector<int>>(),
            (std::vector<int>{1, 1, 1}));
  EXPECT_EQ(schema_of(root, "output.fields.variables")["items"]["anyOf"][0]["enum"]
                .as<std::vector<std::string>>(),
            (std::vector<std::string>{"velocity",
                                      "temperature",
                                      "pressure",
                                      "solid",
                                      "vorticity",
                                      "q_criterion",
                                      "current",
                                      "electric_potential"}));
}

TEST(case_schema, names_the_required_keys) {
  const YAML::Node root = schema();
  using Words = std::vector<std::string>;
  EXPECT_EQ(root["required"].as<Words>(), (Words{"scheme", "grid", "fluid", "boundaries", "time"}));
  EXPECT_EQ(schema_of(root, "fluid")["required"].as<Words>(), (Words{"reynolds"}));
  EXPECT_EQ(schema_of(root, "boundaries.FACE")["required"].as<Words>(), (Words{"type"}));
  const YAML::Node alternatives =
      schema_of(root, "boundaries.FACE.temperature")["anyOf"][1]["oneOf"];
  Words words;
  for (const YAML::Node& one : alternatives) words.push_back(one["required"][0].as<std::string>());
  EXPECT_EQ(words, (Words{"gradient", "transfer", "profile", "planes"}));
}

TEST(case_schema, marks_the_former_names_of_keys_as_deprecated) {
  const YAML::Node root = schema();
  for (const Key& key : key_table()) {
    const YAML::Node now = schema_of(root, key.path);
    EXPECT_FALSE(now["deprecated"].IsDefined()) << key.path;
    if (key.former.empty()) continue;
    const std::string path = joined_path(section_of(key.path), key.former);
    const YAML::Node before = schema_of(root, path);
    ASSERT_TRUE(before.IsDefined()) << path;
    EXPECT_TRUE(before["deprecated"].as<bool>()) << path;
    EXPECT_EQ(before["description"].as<std::string>(),
              "is now named " + std::string(last_word_of(key.path)));
    EXPECT_EQ(YAML::Dump(before["type"]), YAML::Dump(now["type"])) << path;
  }
  EXPECT_TRUE(schema_of(root, "solids.NAME.inside").IsDefined());
}

TEST(case_schema, asks_for_the_keys_of_the_shape_of_a_body) {
  const YAML::Node root = schema();
  const YAML::Node bodies = schema_of(root, "solids")["patternProperties"];
  ASSERT_EQ(bodies.size(), 1U);
  EXPECT_EQ(bodies.begin()->first.as<std::string>(), "^[A-Za-z0-9_]{1,50}$");
  EXPECT_EQ(schema_of(root, "solids.NAME")["required"].as<std::vector<std::string>>(),
            (std::vector<std::string>{"shape"}));
  // Each key that some shapes have is refused by one rule, required by that or by none.
  std::map<std::string, std::string> refused_unless;
  for (const YAML::Node& rule : schema_of(root, "solids.NAME")["allOf"]) {
    const YAML::Node shape = rule["if"]["properties"]["shape"];
    std::string shapes;
    if (shape["const"]) shapes = shape["const"].as<std::string>();
    for (const YAML::Node& one : shape["enum"]) shapes += one.as<std::string>() + " ";
    for (const auto& key : rule["else"]["properties"])
      refused_unless[key.first.as<std::string>()] = shapes;
  }
  EXPECT_EQ(refused_unless,
            (std::map<std::string, std::string>{{"radius", "sphere cylinder "},
                                                {"axis", "cylinder"},
                                                {"length", "cylinder"},
                                                {"min", "box"},
                                                {"max", "box"},
                                                {"surface", "formula"},
                                                {"inside", "formula"},
                                                {"path", "stl"},
                                                {"content", "stl"},
                                                {"scale", "stl"},
                                                {"orientation", "stl"},
                                                {"translation", "stl"}}));
}

}  // namespace
}  // namespace dns::test_case_schema
