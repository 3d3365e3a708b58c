#include "solver/config/case_override.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "solver/config/case_keys.hpp"
#include "solver/config/key_table.hpp"
#include "solver/core/error.hpp"
#include "solver/core/number_text.hpp"

namespace dns {
namespace {

/// The value of an override: of a text key as it stands, unless in quotes; of other keys YAML.
CaseNode value_of(const Override& given, const Key& key, Position position) {
  const std::string value = trimmed(given.value);
  const bool is_quoted = !value.empty() && (value[0] == '"' || value[0] == '\'');
  CaseNode node;
  if (key.kind != KeyKind::text || is_quoted) {
    node = parse_tree(given.value, position.source);
  } else if (!value.empty()) {
    node.kind = CaseNode::Kind::scalar;
    node.text = value;
  }
  node.position = position;
  return node;
}

/// Sets the value at `path` of a map. Sections on the way that are no maps become maps.
void put(CaseNode& map, std::string_view path, CaseNode value) {
  const std::size_t dot = path.find('.');
  const std::string word(path.substr(0, dot));
  if (!map.is_map()) {
    map = CaseNode{};
    map.kind = CaseNode::Kind::map;
    map.position = value.position;
  }
  auto entry = std::ranges::find(map.entries, word, &CaseEntry::key);
  if (entry == map.entries.end())
    entry = map.entries.insert(entry, CaseEntry{word, value.position, CaseNode{}});
  if (dot != std::string_view::npos)
    return put(entry->value, path.substr(dot + 1), std::move(value));
  entry->position = value.position;
  entry->value = std::move(value);
}

/// Removes `path`, a key in a section of the file, from the tree if it comes from the file.
void drop_from_file(CaseNode& root, std::string_view path) {
  const auto is_dropped = [path](const CaseEntry& entry) {
    return entry.key == last_word_of(path) && entry.position.source == 0;
  };
  for (CaseEntry& section : root.entries)
    if (section.key == section_of(path)) std::erase_if(section.value.entries, is_dropped);
}

/// Removes from the file the keys that exclude the one given.
void drop_alternatives(CaseNode& root, const Override& given) {
  const auto drop_beside = [&](std::string_view path, std::string_view other) {
    if (given.path == path) drop_from_file(root, other);
  };
  drop_beside("time.steps", "time.end");
  drop_beside("time.end", "time.steps");
  // A step beside a CFL number that is there is the largest one.
  const bool is_projection = scheme_of(root) == Scheme::projection;
  if (is_projection && find_entry(root, "time.cfl") == nullptr)
    drop_beside("time.cfl", "time.step");
  if (is_projection && find_entry(root, "time.step") == nullptr)
    drop_beside("time.step", "time.cfl");
  const std::string value = trimmed(given.value);
  if (value == "file" || value == "turbulent_channel")
    drop_beside("initial.type", "initial.velocity");
  for (const std::string& axis : axis_names) {
    const std::string path = "boundaries." + axis;
    for (const std::string& face : {path + "_min", path + "_max"}) {
      drop_beside(path, face);
      if (given.path.starts_with(face)) drop_from_file(root, path);
    }
  }
}

/// The override with the present name of its key.
Override renamed(const Override& given, Position position, CaseProblems& problems) {
  const std::string_view section = section_of(given.path);
  const std::string word = present_word(section, last_word_of(given.path));
  Override now = given;
  if (word == last_word_of(given.path)) return now;
  now.path = joined_path(section, word);
  problems.warn(position, fmt::format("{}: is now named {}", given.path, now.path));
  return now;
}

void apply_override(CaseNode& root, const Override& typed, int source, CaseProblems& problems) {
  const Position position{source, 1, 1};
  const Override given = renamed(typed, position, problems);
  const Key* const key = find_key(given.path);
  if (key == nullptr)
    return problems.add(position, unknown_key_message(given.path, scheme_of(root)));
  try {
    CaseNode value = value_of(given, *key, position);
    rename_keys(value, given.path, problems);
    drop_alternatives(root, given);
    put(root, given.path, std::move(value));
  } catch (const SyntaxError& error) {
    problems.add(position, fmt::format("{}: the value is no YAML: {}", given.path, error.what()));
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

void apply_overrides(CaseNode& root,
                     const std::vector<Override>& overrides,
                     CaseProblems& problems) {
  int source = 0;
  for (const Override& given : overrides) apply_override(root, given, ++source, problems);
}

}  // namespace dns
