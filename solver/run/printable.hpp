/// Text for terminals that may quote a foreign file.
#pragma once

#include <cstdio>
#include <string_view>

namespace dns {

/// Writes `text` with "\x1b" in place of control characters, which can write anywhere on a
/// terminal, change its title or its colours. Ends of lines and tabs stay. Needs no memory.
void print_printable(std::string_view text, std::FILE* file);

/// Writes `text` as a line, like print_printable; the line is there at once.
void print_line(std::string_view text, std::FILE* file);

}  // namespace dns
