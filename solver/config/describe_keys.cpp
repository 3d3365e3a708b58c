#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "solver/config/case_keys.hpp"
#include "solver/config/key_table.hpp"
#include "solver/config/load_case.hpp"
#include "solver/config/value_parsers.hpp"
#include "solver/core/error.hpp"
#include "solver/core/number_text.hpp"

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

/// The keys at and below a path; for a word that is no path those that end in it, or that other
/// codes call so, or that have it as a choice, or whose paths hold it, or whose meanings do: the
/// first of these that are any.
std::vector<const Key*> keys_for(const std::string& asked) {
  const std::string word = lower_case(asked);
  const auto those = [](const auto& are_meant) {
    std::vector<const Key*> keys;
    for (const Key& key : key_table())
      if (are_meant(key)) keys.push_back(&key);
    return keys;
  };
  const auto holds = [&word](std::string_view text) {
    return lower_case(text).find(word) != std::string::npos;
  };
  if (asked.empty()) return those([](const Key&) { return true; });
  if (const Key* const known = find_key(asked))
    return those([&](const Key& key) { return is_at_or_below(key.path, known->path); });
  std::vector<const Key*> keys =
      those([&](const Key& key) { return last_word_of(key.path) == asked; });
  if (keys.empty()) {
    keys = those([&](const Key& key) {
      return (" " + std::string(key.other_names) + " ").find(" " + word + " ") != std::string::npos;
    });
  }
  if (keys.empty()) {
    keys = those([&](const Key& key) {
      return std::ranges::count(key.choices, word) > 0 || !choice_for_word(word, key).empty();
    });
  }
  if (keys.empty()) keys = those([&](const Key& key) { return holds(key.path); });
  if (keys.empty()) keys = those([&](const Key& key) { return holds(key.meaning); });
  return keys;
}

}  // namespace

std::string key_names(const std::string& path) {
  require_key(path);
  std::string text = path.empty() ? "" : path + "\n";
  add_names_below(path, text);
  return text;
}

std::string describe_keys(const std::string& path) {
  const std::vector<const Key*> keys = keys_for(path);
  if (keys.empty()) require_key(path);
  std::string text;
  for (const Key* of_word : keys) {
    const Key& key = *of_word;
    const std::string requirement = requirement_text(key);
    text += fmt::format("{}: {}{}{}\n    {}\n",
                        find_key(path) == nullptr ? key.path : path_as_asked(key, path),
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
