#include "solver/run/printable.hpp"

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

}  // namespace

void print_printable(std::string_view text, std::FILE* file) {
  while (!text.empty()) {
    std::size_t end = 0;
    while (end < text.size() && control_bytes(text.substr(end)) == 0) ++end;
    std::fwrite(text.data(), 1, end, file);
    text.remove_prefix(end);
    for (std::size_t bytes = text.empty() ? 0 : control_bytes(text); bytes > 0; --bytes) {
      std::fprintf(file, "\\x%02x", static_cast<unsigned char>(text[0]));
      text.remove_prefix(1);
    }
  }
}

void print_line(std::string_view text, std::FILE* file) {
  print_printable(text, file);
  std::fputc('\n', file);
  std::fflush(file);
}

}  // namespace dns
