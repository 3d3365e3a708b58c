#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "solver/config/case_formulas.hpp"
#include "solver/config/key_table.hpp"
#include "solver/config/load_case.hpp"

namespace dns {
namespace {

/// "key: value" for all that a case has in a section, in the order of the table. `which` counts the
/// axes, faces, planes or bodies that a placeholder in the path stands for.
struct Entries {
  std::vector<std::string> lines;
  bool hold_sections = false;
};
Entries entries_of(const Case& resolved,
                   std::string_view section,
                   std::size_t which,
                   const std::string& indent) {
  Entries entries;
  const std::string inner = indent + "  ";
  // What stands after "key:"; empty where the case has no such value. Sections without subsections
  // take one line, except at the top level.
  const auto value_of = [&](const Key& key, std::size_t number) -> std::string {
    if (key.kind != KeyKind::section || key.written) {
      const bool is_there = (!key.needs_temperature || resolved.has_temperature()) &&
                            (key.is_written == nullptr || key.is_written(resolved, number));
      const std::string text = is_there && key.written ? key.written(resolved, number) : "";
      return text.empty() ? text : " " + text;
    }
    const Entries below = entries_of(resolved, key.path, number, inner);
    if (below.lines.empty()) return {};
    if (!section_of(key.path).empty() && !below.hold_sections)
      return fmt::format(" {{{}}}", fmt::join(below.lines, ", "));
    return fmt::format("\n{}{}", inner, fmt::join(below.lines, "\n" + inner));
  };
  const auto add = [&](const Key& key, std::string_view word, std::size_t number) {
    const std::string value = value_of(key, number);
    if (value.empty()) return;
    entries.lines.push_back(fmt::format("{}:{}", word, value));
    entries.hold_sections |= key.kind == KeyKind::section && !key.written;
  };
  std::string kind;  // as the choice `type` or `shape` of the section has it
  for (const Key* key : keys_of_section(section)) {
    if (!key->is_of(resolved.scheme)) continue;
    const std::string_view word = last_word_of(key->path);
    if (word == "type" || word == "shape") kind = key->written(resolved, which);
    if (!key->kinds.empty() && std::ranges::count(key->kinds, kind) == 0) continue;
    if (placeholder_of(word).empty()) {
      add(*key, word, which);
      continue;
    }
    std::size_t number = 0;
    for (const std::string& name : key->names ? key->names(resolved) : words_for(word))
      add(*key, name, number++);
  }
  return entries;
}

}  // namespace

std::string to_yaml(const Case& resolved) {
  std::string yaml;
  bool is_section = false;
  for (const std::string& entry : entries_of(resolved, "", 0, "").lines) {
    const bool was_section = is_section;
    is_section = entry.find('\n') != std::string::npos;
    if (is_section || was_section) yaml += '\n';
    yaml += lines_of_formulas(resolved, entry.substr(0, entry.find(':'))) + entry + '\n';
  }
  return yaml;
}

}  // namespace dns
