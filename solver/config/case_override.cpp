#include "solver/config/case_override.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "solver/config/case_keys.hpp"
#include "solver/config/key_table.hpp"
#include "solver/config/number_text.hpp"
#include "solver/core/error.hpp"

namespace dns {
namespace {

/// The value of an override: of a text key as it stands, unless in quotes; of other keys YAML.
CaseNode value_of(const Override& given, const Key& key, Position position) {
  const std::string value = trimmed(given.value);
  const bool is_quoted = !value.empty() && (value[0] == '"' || value[0] == '\'');
  if (key.kind != KeyKind::text || is_quoted) {
    CaseNode node = parse_tree(given.value, position.source);
    node.position = position;
    return node;
  }
  CaseNode node;
  node.kind = value.empty() ? CaseNode::Kind::empty : CaseNode::Kind::scalar;
  node.text = value;
  node.position = position;
  return node;
}

/// The entry `word` of a map, added when it is not there. A node that is no map becomes one.
CaseEntry& entry_of(CaseNode& section, const std::string& word, Position position) {
  if (!section.is_map()) {
    section = CaseNode{};
    section.kind = CaseNode::Kind::map;
    section.position = position;
  }
  if (CaseEntry* const entry = section.find(word)) return *entry;
  section.entries.push_back({word, position, {}});
  return section.entries.back();
}

void put(CaseNode& root, std::string_view path, CaseNode value) {
  const Position position = value.position;
  CaseNode* section = &root;
  while (true) {
    const std::size_t dot = path.find('.');
    CaseEntry& entry = entry_of(*section, std::string(path.substr(0, dot)), position);
    if (dot == std::string_view::npos) {
      entry.position = position;
      entry.value = std::move(value);
      return;
    }
    section = &entry.value;
    path.remove_prefix(dot + 1);
  }
}

/// Removes `path` from the tree if it comes from the file.
void drop_from_file(CaseNode& root, const std::string& path) {
  const std::string section_path{section_of(path)};
  CaseEntry* const section = root.find(section_path);
  if (section == nullptr) return;
  const std::string word{last_word_of(path)};
  std::erase_if(section->value.entries, [&word](const CaseEntry& entry) {
    return entry.key == word && entry.position.source == 0;
  });
}

/// Removes from the file the keys that exclude the one given.
void drop_alternatives(CaseNode& root, const Override& given) {
  if (given.path == "time.steps") drop_from_file(root, "time.end");
  if (given.path == "time.end") drop_from_file(root, "time.steps");
  const bool has_cfl = scheme_of(root) == Scheme::projection;
  if (has_cfl && given.path == "time.cfl" && find_entry(root, "time.cfl") == nullptr)
    drop_from_file(root, "time.step");
  if (has_cfl && given.path == "time.step" && find_entry(root, "time.step") == nullptr)
    drop_from_file(root, "time.cfl");
  const bool is_start = given.path == "initial.type";
  const std::string start_type = is_start ? trimmed(given.value) : std::string{};
  if (start_type == "file" || start_type == "turbulent_channel")
    drop_from_file(root, "initial.velocity");
  for (const std::string& axis : axis_names) {
    const std::string path = "boundaries." + axis;
    if (given.path == path) {
      drop_from_file(root, path + "_min");
      drop_from_file(root, path + "_max");
    }
    const std::string_view start = std::string_view(given.path).substr(0, path.size() + 4);
    if (start == path + "_min" || start == path + "_max") drop_from_file(root, path);
  }
}

}  // namespace

Override parse_override(const std::string& text, const std::string& from) {
  const std::size_t sign = text.find('=');
  if (sign == std::string::npos || trimmed(text.substr(0, sign)).empty()) {
    throw CaseError(fmt::format(
        "{} {}: must be key.path=value, such as {} grid.points=[64,64,64]", from, text, from));
  }
  return {trimmed(text.substr(0, sign)), trimmed(text.substr(sign + 1)), from};
}

void apply_override(CaseNode& root, const Override& given, int source, CaseProblems& problems) {
  const Position position{source, 1, 1};
  const Key* const key = find_key(given.path);
  if (key == nullptr) {
    problems.add(position, unknown_key_message(given.path, scheme_of(root)));
    return;
  }
  try {
    CaseNode value = value_of(given, *key, position);
    drop_alternatives(root, given);
    put(root, given.path, std::move(value));
  } catch (const SyntaxError& error) {
    problems.add(position, fmt::format("{}: the value is no YAML: {}", given.path, error.what()));
  }
}

}  // namespace dns
