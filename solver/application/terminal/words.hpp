/// Numbers as people read them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace dns {

/// "12 ms", "3.4 s", "4m12s", "1h02m", "3d04h", "2.74 years"; "?" of what is none.
std::string in_words_duration(double seconds);

/// "512 B", "1.2 MB", "45 GB": powers of 1000.
std::string in_words_bytes(double bytes);

/// "640", "12.3 k", "7.08 M", "1.2 G".
std::string in_words_count(double count);

/// Lines of a header under one name: "start      FIRST", "           SECOND".
std::vector<std::string> in_column(const std::string& name, const std::vector<std::string>& lines);

}  // namespace dns
