#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "config_texts.hpp"
#include "solver/config/key_table.hpp"
#include "solver/config/load_case.hpp"
#include "solver/core/json_text.hpp"

namespace dns {
namespace {

using Json = nlohmann::ordered_json;

Json number_schema(const Key& key) {
  const bool is_whole = key.kind == KeyKind::whole || key.kind == KeyKind::interval;
  Json schema{{"type", {is_whole ? "integer" : "number", "string"}}};
  const char* const minimum = key.range.minimum_is_excluded ? "exclusiveMinimum" : "minimum";
  if (std::isfinite(key.range.minimum)) schema[minimum] = json_number(key.range.minimum);
  if (std::isfinite(key.range.maximum)) schema["maximum"] = json_number(key.range.maximum);
  return schema;
}

/// One of the choices of a key; of scalars only the form of their names is known.
Json choices_schema(const Key& key) {
  Json listed{{"enum", key.choices}};
  if (!key.takes_scalars) return listed;
  return {
      {"anyOf", Json::array({listed, {{"type", "string"}, {"pattern", "^[A-Za-z0-9_]{1,50}$"}}})}};
}

/// The schema of one value, or of one item where the key is a list of three.
Json scalar_schema(const Key& key) {
  const Json number_or_formula{"number", "string"};
  switch (key.kind) {
    case KeyKind::text:
      return {{"type", "string"}, {"minLength", 1}};
    case KeyKind::choice:
      return choices_schema(key);
    case KeyKind::flag:
      return {{"type", "boolean"}};
    case KeyKind::choice_list:
      return {{"type", "array"},
              {"items", choices_schema(key)},
              {"minItems", key.may_be_empty ? 0 : 1},
              {"uniqueItems", true}};
    case KeyKind::order:
      return Json::parse(R"({"anyOf": [
        {"enum": [2, 4, 6, 8]},
        {"type": "array", "items": {"enum": [2, 4, 6, 8]}, "minItems": 3, "maxItems": 3}]})");
    case KeyKind::direction:
      return Json::parse(R"({"anyOf": [
        {"enum": ["x", "y", "z"]},
        {"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3,
         "contains": {"not": {"const": 0}}}]})");
    case KeyKind::whole:
    case KeyKind::number:
    case KeyKind::interval:
      return number_schema(key);
    case KeyKind::duration:
      return {{"type", number_or_formula},
              {"exclusiveMinimum", 0},
              {"pattern",
               "^([0-9]+:[0-5][0-9]:[0-5][0-9]|(?=.)([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?)$"}};
    case KeyKind::coordinates:
      return {{"type", {"array", "string"}}, {"items", {{"type", number_or_formula}}}};
    case KeyKind::parts:
      return Json::parse(R"({"anyOf": [
        {"type": "array", "items": {"type": ["number", "string"]}, "minItems": 3, "maxItems": 3},
        {"type": "array", "minItems": 1, "items": {"type": "array", "minItems": 3, "maxItems": 3,
         "items": {"type": ["number", "string"]}}}]})");
    case KeyKind::formula:
    case KeyKind::formula_or_section:
    case KeyKind::section:
      break;
  }
  return {{"type", number_or_formula}};
}

/// The schema of a value that is no section.
Json items_schema(const Key& key) {
  if (!key.word.empty()) {
    Key without = key;
    without.word = {};
    Json word;
    word["const"] = std::string(key.word);
    Json schema;
    schema["anyOf"] = Json::array({items_schema(without), word});
    return schema;
  }
  if (!key.is_vector) return scalar_schema(key);
  Json list{{"type", "array"},
            {"items", scalar_schema(key)},
            {"minItems", key.may_be_two ? 2 : 3},
            {"maxItems", 3}};
  if (key.may_be_auto) {
    list["type"] = {"array", "string"};
    list["pattern"] = "^auto$";
  }
  return list;
}

std::string description(const Key& key) {
  std::string text = meaning_text(key);
  if (key.only) text += fmt::format(" (scheme {})", name_of(*key.only));
  if (!key.condition.empty()) text += fmt::format(" ({})", key.condition);
  return text;
}

/// A default as JSON: those of the table are numbers, flags and lists of them, or words.
Json json_default(const Key& key) {
  Json value = Json::parse(key.default_text, nullptr, false);
  return value.is_discarded() ? Json(key.default_text) : value;
}

/// {"properties": {"grid": {"properties": {"stretching": schema}}}} for the path grid.stretching.
Json schema_at(std::string_view path, Json schema) {
  for (; !path.empty(); path = section_of(path)) {
    schema = {{"properties", {{std::string(last_word_of(path)), schema}}}};
  }
  return schema;
}

/// Keys of the other scheme must not be given.
Json rule_of_scheme(Scheme scheme) {
  Json rules = Json::array();
  for (const Key& key : key_table()) {
    const Key* const section = find_key(section_of(key.path));
    const bool is_first = section == nullptr || !section->only;
    if (key.only && *key.only != scheme && is_first) rules.push_back(schema_at(key.path, false));
  }
  if (scheme == Scheme::splitting) rules.push_back(schema_at("fluid", {{"required", {"prandtl"}}}));
  Json rule = Json::parse(R"({"if": {"required": ["scheme"], "properties": {}}, "then": {}})");
  rule["if"]["properties"]["scheme"]["const"] = name_of(scheme);
  rule["then"]["allOf"] = rules;
  return rule;
}

Json value_schema(const Key& key);

/// What a NAME looks like: as no other key of its section, and as no piece of records.
std::string pattern_of(const Key& name) {
  std::vector<std::string> others = keys_in_section(section_of(name.path), std::nullopt);
  std::erase(others, "NAME");
  return fmt::format("^{}{}[A-Za-z0-9{}]{{1,50}}$",
                     others.empty() ? "" : fmt::format("(?!({})$)", fmt::join(others, "|")),
                     name.names_records ? "(?!.*_[0-9]{8,}$)" : "",
                     name.marks);
}

/// Under its former name a key is still read, with a warning.
Json former_schema(const Key& key) {
  Json schema = value_schema(key);
  schema["description"] = fmt::format("is now named {}", last_word_of(key.path));
  schema["deprecated"] = true;
  return schema;
}

/// The schema of the map of keys at `section` ("" is the file). One schema serves all faces.
Json section_schema(std::string_view section) {
  Json schema{{"type", "object"}, {"additionalProperties", false}};
  schema["properties"] = Json::object();
  Json& properties = schema["properties"];
  Json named_properties;
  Json required;
  for (const Key* key_of_section : keys_of_section(section)) {
    const Key& key = *key_of_section;
    const std::string word(last_word_of(key.path));
    if (word == "AXIS") {
      Json of_axis = value_schema(key);
      if (section == "boundaries") {  // both faces at once
        const Json words{{"enum", of_axis["enum"]}};
        of_axis.erase("enum");
        of_axis["anyOf"] = Json::array({words, {{"$ref", "#/$defs/face"}}});
      }
      for (const std::string& axis : axis_names) properties[axis] = of_axis;
    } else if (word == "FACE") {
      for (const std::string& face : face_names) properties[face]["$ref"] = "#/$defs/face";
    } else if (word == "NAME") {
      named_properties[pattern_of(key)] = value_schema(key);
    } else {
      properties[word] = value_schema(key);
      if (!key.former.empty()) properties[std::string(key.former)] = former_schema(key);
    }
    if (key.is_required) required.push_back(word);
  }
  if (!named_properties.empty()) schema["patternProperties"] = named_properties;
  if (!required.empty()) schema["required"] = required;
  static const Json rules = Json::parse(schema_rules);
  if (const auto found = rules.find(std::string(section)); found != rules.end())
    schema.update(*found);
  return schema;
}

Json value_schema(const Key& key) {
  Json schema;
  if (key.kind == KeyKind::section) {
    schema = section_schema(key.path);
  } else if (key.kind == KeyKind::formula_or_section) {
    Json section = section_schema(key.path);
    for (const std::string_view word : alternatives_to(key))
      section["oneOf"].push_back({{"required", Json::array({word})}});
    if (section["properties"].contains("transfer"))
      section["dependentRequired"] = {{"transfer", {"outside"}}, {"outside", {"transfer"}}};
    schema["anyOf"] = {items_schema(key), section};
  } else {
    schema = items_schema(key);
  }
  schema["description"] = description(key);
  if (!key.default_text.empty()) schema["default"] = json_default(key);
  return schema;
}

}  // namespace

std::string case_schema() {
  Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
              {"title", "dns case file"},
              {"$defs", {{"face", value_schema(*find_key("boundaries.x_min"))}}}};
  schema.update(section_schema(""));
  Json& rules = schema["allOf"];
  for (const Scheme scheme : {Scheme::projection, Scheme::splitting})
    rules.insert(rules.begin(), rule_of_scheme(scheme));
  return json_page(schema);
}

}  // namespace dns
