#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "solver/config/case_keys.hpp"
#include "solver/config/key_table.hpp"
#include "solver/config/load_case.hpp"
#include "solver/core/error.hpp"

namespace dns {
namespace {

/// The key's path, with the word that `asked` has in place of its placeholder if it has one.
std::string path_as_asked(const Key& key, std::string_view asked) {
  std::string path{key.path};
  const std::string_view placeholder = placeholder_of(key.path);
  const std::size_t found = path.find(placeholder);
  if (placeholder.empty() || found >= asked.size()) return path;
  const std::string_view word = asked.substr(found, asked.find('.', found) - found);
  return path.replace(found, placeholder.size(), word);
}

/// The key at `path`; null for the empty path, which is the whole file.
const Key* require_key(const std::string& path) {
  const Key* const key = find_key(path);
  if (key == nullptr && !path.empty()) throw CaseError(unknown_key_message(path, std::nullopt));
  return key;
}

/// The paths of all keys below `section`.
void add_names_below(const std::string& section, std::string& text) {
  for (const std::string& word : keys_in_section(section, std::nullopt)) {
    const std::string path = joined_path(section, word);
    text += path + "\n";
    add_names_below(path, text);
  }
}

}  // namespace

std::string key_names(const std::string& path) {
  require_key(path);
  std::string text = path.empty() ? "" : path + "\n";
  add_names_below(path, text);
  return text;
}

std::string describe_keys(const std::string& path) {
  const bool is_path = path.empty() || find_key(path) != nullptr;
  const auto ends_so = [&](const Key& key) { return last_word_of(key.path) == path; };
  if (!is_path && std::ranges::none_of(key_table(), ends_so)) require_key(path);
  const std::string section = is_path && !path.empty() ? find_key(path)->path : "";
  std::string text;
  for (const Key& key : key_table()) {
    if (is_path ? !section.empty() && !is_at_or_below(key.path, section) : !ends_so(key)) continue;
    const std::string requirement = requirement_text(key);
    text += fmt::format("{}: {}{}{}\n    {}\n",
                        path_as_asked(key, path),
                        kind_text(key),
                        requirement.empty() ? "" : "; ",
                        requirement,
                        meaning_text(key));
  }
  std::string placeholders;
  if (text.find("AXIS") != std::string::npos)
    placeholders += fmt::format("AXIS: {}\n", fmt::join(axis_names, ", "));
  if (text.find("FACE") != std::string::npos)
    placeholders += fmt::format("FACE: {}\n", fmt::join(face_names, ", "));
  if (text.find("NAME:") != std::string::npos) placeholders += "NAME: a word of your choice\n";
  if (!placeholders.empty()) text += "\n" + placeholders;
  return text;
}

}  // namespace dns
