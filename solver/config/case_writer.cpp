#include <fmt/format.h>

#include <string>
#include <vector>

#include "solver/config/key_table.hpp"
#include "solver/config/load_case.hpp"
#include "solver/config/yaml_text.hpp"

namespace dns {
namespace {

/// The words that stand in a case for the last one of the path of a key, a placeholder.
std::vector<std::string> words_in(const Case& resolved, std::string_view path) {
  std::vector<std::string> words = words_for(last_word_of(path));
  if (path == "solids.NAME") {
    for (const SolidCase& body : resolved.solids) words.push_back(yaml_text(body.name));
  } else if (path == "forcing.sponges.NAME") {
    for (const SpongeCase& sponge : resolved.forcing.sponges)
      words.push_back(yaml_text(sponge.name));
  } else if (path == "output.slices.planes.NAME" && resolved.output.slices) {
    for (const SliceCase& plane : resolved.output.slices->planes)
      words.push_back(yaml_text(plane.name));
  } else if (path == "output.planes.NAME" && resolved.output.planes) {
    for (const PlaneCase& plane : resolved.output.planes->planes)
      words.push_back(yaml_text(plane.name));
  } else if (path == "output.probes.NAME" && resolved.output.probes) {
    for (const ProbeCase& probe : resolved.output.probes->probes)
      words.push_back(yaml_text(probe.name));
  }
  return words;
}

/// "key: value" for all that a case has in a section, in the order of the table. `which` counts the
/// axes, faces, planes or bodies that a placeholder in the path stands for.
struct Entries {
  std::vector<std::string> lines;
  bool hold_sections = false;
};
Entries entries_of(const Case& resolved,
                   std::string_view section,
                   std::size_t which,
                   const std::string& indent);

/// The text after "key:"; empty where the case has no such value. Sections without subsections take
/// one line, except at the top level.
std::string value_of(const Case& resolved,
                     const Key& key,
                     std::size_t which,
                     const std::string& indent) {
  if (key.kind != KeyKind::section) {
    const std::string text = key.written == nullptr ? "" : key.written(resolved, which);
    return text.empty() ? text : " " + text;
  }
  const std::string inner = indent + "  ";
  const Entries entries = entries_of(resolved, key.path, which, inner);
  if (entries.lines.empty()) return {};
  if (!section_of(key.path).empty() && !entries.hold_sections)
    return fmt::format(" {{{}}}", fmt::join(entries.lines, ", "));
  return fmt::format("\n{}{}", inner, fmt::join(entries.lines, "\n" + inner));
}

Entries entries_of(const Case& resolved,
                   std::string_view section,
                   std::size_t which,
                   const std::string& indent) {
  Entries entries;
  const auto add = [&](const Key& key, std::string_view word, std::size_t number) {
    const std::string value = value_of(resolved, key, number, indent);
    if (value.empty()) return;
    entries.lines.push_back(fmt::format("{}:{}", word, value));
    entries.hold_sections |= key.kind == KeyKind::section;
  };
  for (const Key& key : key_table()) {
    if (section_of(key.path) != section) continue;
    if (key.only.value_or(resolved.scheme) != resolved.scheme) continue;
    const std::string_view word = last_word_of(key.path);
    if (placeholder_of(word).empty()) {
      add(key, word, which);
      continue;
    }
    std::size_t number = 0;
    for (const std::string& name : words_in(resolved, key.path)) add(key, name, number++);
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
    yaml += entry + '\n';
  }
  return yaml;
}

}  // namespace dns
