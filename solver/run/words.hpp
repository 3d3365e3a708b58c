/// Numbers as people read them, lines of a header, and parts of texts.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dns {

/// "12 ms", "3.4 s", "4m12s", "1h02m", "3d04h", "2.74 years"; "?" of what is none.
std::string in_words_duration(double seconds);

/// "512 B", "1.2 MB", "45 GB": powers of 1000.
std::string in_words_bytes(double bytes);
template <std::integral Count>
std::string in_words_bytes(Count bytes) {
  return in_words_bytes(static_cast<double>(bytes));
}

/// "640", "12.3 k", "7.08 M", "1.2 G".
std::string in_words_count(double count);

/// "1 core", "4 cores".
std::string counted(std::int64_t count, std::string_view thing);

/// The parts of a text between separators; a separator at its end is followed by none.
std::vector<std::string> split(const std::string& text, char separator);

/// A line of a header; without a name it goes on with the one before.
struct NamedWords {
  std::string name;  // "flow"
  std::string words;
};

/// "flow       Reynolds 100"
std::string in_column(const NamedWords& line);

}  // namespace dns
