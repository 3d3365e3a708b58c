#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "solver/config/key_table.hpp"
#include "solver/core/number_text.hpp"

namespace dns {
namespace {

/// What stands in the table for `word` in `section`: itself, or a placeholder.
const Key* key_in_section(std::string_view section, std::string_view word) {
  const auto named = [section](std::string_view last) {
    const auto found = std::ranges::find(key_table(), joined_path(section, last), &Key::path);
    return found == key_table().end() ? nullptr : &*found;
  };
  if (const Key* const key = named(word)) return key;
  const Key* key = nullptr;
  if (std::ranges::count(axis_names, word) > 0) key = named("AXIS");
  if (std::ranges::count(face_names, word) > 0) key = named("FACE");
  return key == nullptr && !word.empty() ? named("NAME") : key;
}

std::string choices_text(const Key& key) {
  std::vector<std::string_view> choices = key.choices;
  if (key.takes_scalars) choices.emplace_back("one of scalars");
  return joined_with("or", choices);
}

std::string scalar_text(const Key& key, bool is_plural) {
  const std::string ending = is_plural ? "s" : "";
  switch (key.kind) {
    case KeyKind::section:
      return "a section";
    case KeyKind::text:
      return "text";
    case KeyKind::choice:
      return choices_text(key);
    case KeyKind::flag:
      return "true or false";
    case KeyKind::choice_list:
      return "a list of any of " + choices_text(key);
    case KeyKind::whole:
      return "whole number" + ending;
    case KeyKind::order:
      return "2, 4, 6 or 8, or a list of 3 of them, for x, y, z";
    case KeyKind::direction:
      return "x, y or z, or a list of 3 numbers, not all 0";
    case KeyKind::number:
      return "number" + ending;
    case KeyKind::coordinates:
      return "a list of numbers, or a text file of them";
    case KeyKind::parts:
      return "a list [first, last, width] with first < last, or a list of such lists";
    case KeyKind::formula:
    case KeyKind::formula_or_section:
      if (key.variables.empty()) return "number" + ending;
      return "formula" + ending + " of " + std::string(key.variables);
    case KeyKind::interval:
      return fmt::format(
          "a whole number of steps {}, or a time such as 0.5 {}", range_text(key), unit_of_time);
    case KeyKind::duration:
      return "a number of seconds > 0, \"HH:MM:SS\" or a text such as 11h30m";
  }
  return {};
}

bool takes_an_article(KeyKind kind) {
  return kind == KeyKind::whole || kind == KeyKind::number || takes_formulas(kind);
}

}  // namespace

std::string_view placeholder_of(std::string_view path) {
  for (const std::string_view placeholder : {"AXIS", "FACE", "NAME"}) {
    const std::size_t found = path.find(placeholder);
    if (found != std::string_view::npos) return path.substr(found, placeholder.size());
  }
  return {};
}

std::vector<std::string> words_for(std::string_view placeholder) {
  if (placeholder == "AXIS") return {axis_names.begin(), axis_names.end()};
  if (placeholder == "FACE") return {face_names.begin(), face_names.end()};
  return {};
}

const Key* find_key(std::string_view path) {
  const Key* key = nullptr;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    const std::string_view section = key == nullptr ? std::string_view{} : key->path;
    key = key_in_section(section, path.substr(begin, end - begin));
    if (key == nullptr) return nullptr;
    begin = end + 1;
  }
  return key;
}

std::string present_word(std::string_view path, std::string_view word) {
  for (const Key* key : keys_of_section(path))
    if (!word.empty() && key->former == word) return std::string(last_word_of(key->path));
  return std::string(word);
}

std::vector<const Key*> keys_of_section(std::string_view path) {
  const Key* const known = find_key(path);
  const std::string_view section = known == nullptr ? path : known->path;
  std::vector<const Key*> keys;
  for (const Key& key : key_table())
    if (section_of(key.path) == section) keys.push_back(&key);
  return keys;
}

std::vector<std::string> keys_in_section(std::string_view path, std::optional<Scheme> scheme) {
  std::vector<std::string> words;
  for (const Key* key : keys_of_section(path)) {
    if (!key->is_of(scheme)) continue;
    const std::string_view word = last_word_of(key->path);
    const std::vector<std::string> meant = words_for(word);
    if (meant.empty()) words.emplace_back(word);
    words.insert(words.end(), meant.begin(), meant.end());
  }
  return words;
}

std::vector<std::string_view> alternatives_to(const Key& key) {
  std::vector<std::string_view> words;
  for (const Key* other : keys_of_section(key.path))
    if (other->is_alternative && other->is_of(key.only)) words.push_back(last_word_of(other->path));
  return words;
}

std::string kind_text(const Key& key) {
  if (key.range.minimum == key.range.maximum) return range_text(key);
  std::string text = scalar_text(key, key.is_vector);
  if (key.is_vector) {
    text.insert(0, "a list of 3 ");
  } else if (takes_an_article(key.kind)) {
    text.insert(0, "a ");
  }
  const bool has_range = key.kind != KeyKind::duration && key.kind != KeyKind::interval;
  const std::string range = has_range ? range_text(key) : "";
  if (!range.empty()) text += " " + range;
  if (key.may_be_auto && key.only == Scheme::projection) text += ", or auto";
  if (!key.word.empty()) text.append(", or ").append(key.word);
  std::vector<std::string> sections;
  for (const std::string_view word : alternatives_to(key))
    sections.push_back(fmt::format("{{{}: ...}}", word));
  if (sections.size() == 1) text += ", or " + sections.front();
  if (sections.size() > 1) text += ", " + joined_with("or", {sections.begin(), sections.end()});
  return text;
}

std::string range_text(const Key& key) {
  const auto& [minimum, maximum, minimum_is_excluded] = key.range;
  if (minimum == maximum) return number_text(minimum);
  if (std::isfinite(minimum) && std::isfinite(maximum))
    return minimum_is_excluded ? "> " + number_text(minimum) + " and <= " + number_text(maximum)
                               : "from " + number_text(minimum) + " to " + number_text(maximum);
  if (std::isfinite(minimum)) return (minimum_is_excluded ? "> " : ">= ") + number_text(minimum);
  return std::isfinite(maximum) ? "<= " + number_text(maximum) : "";
}

std::string requirement_text(const Key& key) {
  std::vector<std::string> parts;
  if (key.is_required) parts.emplace_back("required");
  if (key.only) parts.push_back(fmt::format("scheme {} only", name_of(*key.only)));
  if (!key.default_text.empty()) parts.push_back(fmt::format("default {}", key.default_text));
  if (!key.condition.empty()) parts.emplace_back(key.condition);
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string meaning_text(const Key& key) {
  const bool has_other = key.only == Scheme::projection && !key.meaning_in_projection.empty();
  std::string text{has_other ? key.meaning_in_projection : key.meaning};
  if (!key.unit.empty()) text.append(" [").append(key.unit).append("]");
  return text;
}

std::string joined_with(std::string_view last, const std::vector<std::string_view>& words) {
  if (words.size() < 2) return fmt::format("{}", fmt::join(words, ""));
  return fmt::format(
      "{} {} {}", fmt::join(words.begin(), words.end() - 1, ", "), last, words.back());
}

}  // namespace dns
