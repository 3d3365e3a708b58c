#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "solver/config/json_text.hpp"
#include "solver/config/key_table.hpp"
#include "solver/config/load_case.hpp"
#include "solver/config/number_text.hpp"

namespace dns {
namespace {

std::string json_choices(const Key& key) {
  JsonList list;
  for (const std::string_view choice : key.choices) list.add(json_string(choice));
  return list.text();
}

void add_range(JsonObject& schema, const Key& key) {
  if (std::isfinite(key.minimum)) {
    schema.add(key.minimum_is_excluded ? "exclusiveMinimum" : "minimum", number_text(key.minimum));
  }
  if (std::isfinite(key.maximum)) schema.add("maximum", number_text(key.maximum));
}

std::string number_or_formula() {
  return R"(["number","string"])";
}

/// The schema of one value, or of one item where the key is a list of three.
JsonObject scalar_schema(const Key& key) {
  JsonObject schema;
  switch (key.kind) {
    case KeyKind::text:
      schema.add("type", json_string("string"));
      schema.add("minLength", "1");
      break;
    case KeyKind::choice:
      schema.add("enum", json_choices(key));
      break;
    case KeyKind::flag:
      schema.add("type", json_string("boolean"));
      break;
    case KeyKind::choice_list:
      schema.add("type", json_string("array"));
      schema.add("items", JsonObject().add("enum", json_choices(key)).text());
      schema.add("minItems", "1");
      schema.add("uniqueItems", "true");
      break;
    case KeyKind::whole:
      schema.add("type", json_string("integer"));
      add_range(schema, key);
      break;
    case KeyKind::number:
      schema.add("type", json_string("number"));
      add_range(schema, key);
      break;
    case KeyKind::duration:
      schema.add("type", number_or_formula());
      schema.add("exclusiveMinimum", "0");
      schema.add("pattern", json_string("^[0-9]+:[0-5][0-9]:[0-5][0-9]$"));
      break;
    case KeyKind::coordinates:
      schema.add("type", R"(["array","string"])");
      schema.add("items", R"({"type":"number"})");
      break;
    case KeyKind::formula:
    case KeyKind::formula_or_gradient:
    case KeyKind::section:
      schema.add("type", number_or_formula());
      break;
  }
  return schema;
}

JsonObject vector_schema(const Key& key) {
  JsonObject schema;
  schema.add("type", json_string("array"));
  schema.add("items", scalar_schema(key).text());
  schema.add("minItems", "3").add("maxItems", "3");
  return schema;
}

std::string description(const Key& key) {
  std::string text = meaning_text(key);
  if (key.only) text += fmt::format(" (scheme {})", name_of(*key.only));
  if (!key.condition.empty()) text += fmt::format(" ({})", key.condition);
  return text;
}

/// A default as JSON: those of the table are numbers, flags, words and lists of them.
std::string json_default(const Key& key) {
  std::string text(key.default_text);
  if (number_from(text) || key.kind == KeyKind::flag) return text;
  if (text.front() != '[') return json_string(text);
  JsonList list;
  std::size_t begin = 1;
  while (begin < text.size()) {
    const std::size_t end = text.find_first_of(",]", begin);
    const std::string item = trimmed(text.substr(begin, end - begin));
    list.add(number_from(item) ? item : json_string(item));
    begin = end + 1;
  }
  return list.text();
}

/// {"properties":{"grid":{"properties":{"stretching":SCHEMA}}}} for the path grid.stretching.
std::string schema_at(std::string_view path, std::string schema) {
  while (!path.empty()) {
    schema = fmt::format(
        R"({{"properties":{{{}:{}}}}})", json_string(last_word_of(path)), std::move(schema));
    path = section_of(path);
  }
  return schema;
}

/// Keys of the other scheme must not be given.
std::string rule_of_scheme(Scheme scheme) {
  JsonList rules;
  for (const Key& key : key_table()) {
    const Key* const section = find_key(section_of(key.path));
    const bool is_first = section == nullptr || !section->only;
    if (key.only && *key.only != scheme && is_first) rules.add(schema_at(key.path, "false"));
  }
  if (scheme == Scheme::splitting) rules.add(schema_at("fluid", R"({"required":["prandtl"]})"));
  return fmt::format(R"({{"if":{{"required":["scheme"],"properties":{{"scheme":{{"const":{}}}}}}},)"
                     R"("then":{{"allOf":{}}}}})",
                     json_string(name_of(scheme)),
                     rules.text());
}

/// Faces where velocities are given have a temperature if the flow has.
std::string rule_of_temperature() {
  return R"({"if":{"properties":{"fluid":{"required":["prandtl"]}}},)"
         R"("then":{"properties":{"boundaries":{"additionalProperties":)"
         R"({"if":{"type":"object","properties":{"type":{"enum":["wall","inflow"]}}},)"
         R"("then":{"required":["temperature"]}}}}},)"
         R"("else":{"properties":{"buoyancy":false,"boundaries":{"additionalProperties":)"
         R"({"properties":{"temperature":false}}}}}})";
}

/// The conditions between the keys of a section that a schema can say.
void add_rules(JsonObject& schema, std::string_view section) {
  if (section.empty()) {
    JsonList rules;
    rules.add(rule_of_scheme(Scheme::splitting)).add(rule_of_scheme(Scheme::projection));
    schema.add("allOf", rules.add(rule_of_temperature()).text());
  }
  if (section == "time") {
    schema.add("oneOf", R"([{"required":["steps"]},{"required":["end"]}])");
    schema.add("allOf", R"([{"anyOf":[{"required":["step"]},{"required":["cfl"]}]}])");
    schema.add("dependentRequired",
               R"({"global_tolerance":["max_global_iterations"],)"
               R"("max_global_iterations":["global_tolerance"]})");
  }
  if (section == "boundaries") {
    JsonList axes;
    for (const std::string& axis : axis_names) {
      axes.add(fmt::format(
          R"({{"oneOf":[{{"required":["{0}"]}},{{"required":["{0}_min","{0}_max"]}}]}})", axis));
    }
    schema.add("allOf", axes.text());
  }
  if (section == "boundaries.FACE") {
    schema.add("allOf",
               R"([{"if":{"properties":{"type":{"const":"inflow"}}},)"
               R"("then":{"required":["velocity"]}},)"
               R"({"if":{"properties":{"type":{"enum":["outflow","symmetry"]}}},)"
               R"("then":{"properties":{"velocity":false,"temperature":false}}}])");
  }
}

std::string value_schema(const Key& key);

/// The schema of the map of keys at `section` ("" is the file). One schema serves all faces.
JsonObject section_schema(std::string_view section) {
  JsonObject properties;
  JsonObject named_properties;
  JsonList required;
  for (const Key& key : key_table()) {
    if (section_of(key.path) != section) continue;
    const std::string_view word = last_word_of(key.path);
    if (word == "AXIS") {
      for (const std::string& axis : axis_names) properties.add(axis, value_schema(key));
    } else if (word == "FACE") {
      for (const std::string& face : face_names) {
        properties.add(face, R"({"$ref":"#/$defs/face"})");
      }
    } else if (word == "NAME") {
      named_properties.add("^[A-Za-z0-9_-]{1,50}$", value_schema(key));
    } else {
      properties.add(word, value_schema(key));
    }
    if (key.is_required) required.add(json_string(word));
  }
  JsonObject schema;
  schema.add("type", json_string("object"));
  schema.add("additionalProperties", "false");
  schema.add("properties", properties.text());
  if (!named_properties.is_empty()) schema.add("patternProperties", named_properties.text());
  if (!required.is_empty()) schema.add("required", required.text());
  add_rules(schema, section);
  return schema;
}

std::string value_schema(const Key& key) {
  JsonObject schema;
  if (key.kind == KeyKind::section) {
    schema = section_schema(key.path);
  } else if (key.kind == KeyKind::formula_or_gradient) {
    JsonList forms;
    forms.add(scalar_schema(key).text());
    forms.add(section_schema(key.path).add("required", R"(["gradient"])").text());
    schema.add("anyOf", forms.text());
  } else {
    schema = key.is_vector ? vector_schema(key) : scalar_schema(key);
  }
  schema.add("description", json_string(description(key)));
  if (!key.default_text.empty()) schema.add("default", json_default(key));
  return schema.text();
}

}  // namespace

std::string case_schema() {
  JsonObject schema;
  schema.add("$schema", json_string("https://json-schema.org/draft/2020-12/schema"));
  schema.add("title", json_string("dns case file"));
  schema.add("$defs", JsonObject().add("face", value_schema(*find_key("boundaries.x_min"))).text());
  schema.merge(section_schema(""));
  return indented_json(schema.text()) + "\n";
}

}  // namespace dns
