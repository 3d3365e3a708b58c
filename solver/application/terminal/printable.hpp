/// Text for terminals that may quote a foreign file.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace dns {

/// `text` with "\x1b" in place of control characters, which can write anywhere on a terminal,
/// change its title or its colours. Ends of lines and tabs stay.
[[nodiscard]] std::string printable(std::string_view text);

/// Writes the same; needs no memory.
void print_printable(std::string_view text, std::FILE* file);

}  // namespace dns
