/// Text files of numbers, as measured profiles and coordinates come in.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace dns {

/// A file that cannot be read as text; completes "PATH ...": "cannot be read: Permission denied".
class UnreadableText : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A line of a text file with something in it.
struct TextLine {
  int number = 0;                  // in the file, from 1
  std::vector<std::string> words;  // between blanks or commas, before any '#'
};

/// A text without the byte order mark that some programs put before UTF-8.
[[nodiscard]] std::string without_byte_order_mark(std::string text);

/// The lines of a file that hold words; '#' starts a comment. Throws UnreadableText, also of a file
/// that is empty, no ordinary file, or larger than 16 MiB.
[[nodiscard]] std::vector<TextLine> lines_of_text(const std::string& path);

/// CRC-32 and size of any file, "1a2b3c4d-684"; empty when it cannot be read.
[[nodiscard]] std::string checksum_of_file(const std::string& path);

}  // namespace dns
