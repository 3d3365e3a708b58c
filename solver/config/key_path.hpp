/// Paths of keys, such as "grid.points".
#pragma once

#include <string>
#include <string_view>

namespace dns {

/// "grid.points" -> "grid"; "scheme" -> "".
[[nodiscard]] constexpr std::string_view section_of(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? std::string_view{} : path.substr(0, dot);
}

/// "grid.points" -> "points"; "scheme" -> "scheme".
[[nodiscard]] constexpr std::string_view last_word_of(std::string_view path) {
  return path.substr(path.rfind('.') + 1);
}

/// Whether `path` is `section` or one of the keys below it.
[[nodiscard]] constexpr bool is_at_or_below(std::string_view path, std::string_view section) {
  return path.starts_with(section) &&
         (path.size() == section.size() || path[section.size()] == '.');
}

/// "grid" and "points" -> "grid.points"; "" and "scheme" -> "scheme".
[[nodiscard]] inline std::string joined_path(std::string_view section, std::string_view word) {
  std::string path(section);
  return path.append(section.empty() ? "" : ".").append(word);
}

}  // namespace dns
