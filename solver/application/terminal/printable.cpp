#include "solver/application/terminal/printable.hpp"

#include <fmt/format.h>

namespace dns {
namespace {

/// How many bytes at the start of a text are a control character: of ASCII, or U+0080 to U+009F in
/// UTF-8.
std::size_t control_bytes(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first == '\n' || first == '\t') return 0;
  if (first < 0x20 || first == 0x7f) return 1;
  if (first != 0xc2 || text.size() < 2) return 0;
  const auto second = static_cast<unsigned char>(text[1]);
  return second >= 0x80 && second < 0xa0 ? 2 : 0;
}

/// Calls plain(part) for what can be printed as it is, and control(byte) for the rest, in order.
template <class Plain, class Control>
void split(std::string_view text, const Plain& plain, const Control& control) {
  while (!text.empty()) {
    std::size_t end = 0;
    while (end < text.size() && control_bytes(text.substr(end)) == 0) ++end;
    plain(text.substr(0, end));
    text.remove_prefix(end);
    for (std::size_t bytes = text.empty() ? 0 : control_bytes(text); bytes > 0; --bytes) {
      control(static_cast<unsigned char>(text[0]));
      text.remove_prefix(1);
    }
  }
}

}  // namespace

std::string printable(std::string_view text) {
  std::string printed;
  split(
      text,
      [&](std::string_view part) { printed += part; },
      [&](unsigned char byte) { printed += fmt::format("\\x{:02x}", byte); });
  return printed;
}

void print_printable(std::string_view text, std::FILE* file) {
  split(
      text,
      [&](std::string_view part) { std::fwrite(part.data(), 1, part.size(), file); },
      [&](unsigned char byte) { std::fprintf(file, "\\x%02x", byte); });
}

}  // namespace dns
