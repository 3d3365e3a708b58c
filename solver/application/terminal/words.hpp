/// Numbers as people read them, and lines of a header.
#pragma once

#include <cstddef>
#include <string>

namespace dns {

/// "12 ms", "3.4 s", "4m12s", "1h02m", "3d04h", "2.74 years"; "?" of what is none.
std::string in_words_duration(double seconds);

/// "512 B", "1.2 MB", "45 GB": powers of 1000.
std::string in_words_bytes(double bytes);

/// "640", "12.3 k", "7.08 M", "1.2 G".
std::string in_words_count(double count);

/// A line of a header; without a name it goes on with the one before.
struct NamedWords {
  std::string name;  // "flow"
  std::string words;
};

/// "flow       Reynolds 100"
std::string in_column(const NamedWords& line);

}  // namespace dns
