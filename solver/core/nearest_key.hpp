/// "Did you mean": the known word closest to a misspelt one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dns {

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The closest of `known`, capitals ignored; empty when none is within a third of the word.
[[nodiscard]] std::string nearest_key(const std::string& word,
                                      const std::vector<std::string>& known);

/// "; did you mean 'NEAREST'?"; empty where there is none.
[[nodiscard]] std::string or_nearest(const std::string& word,
                                     const std::vector<std::string>& known);

}  // namespace dns
