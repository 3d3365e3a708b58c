#include "solver/output/picture.hpp"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <cctype>
#include <cstdint>

#include "solver/core/error.hpp"

namespace dns {
namespace {

/// A letter of 3 x 5 dots: five octal digits, the rows from the top, their bits from the left.
struct Glyph {
  char letter;
  unsigned rows;
};
constexpr int glyph_columns = 3;
constexpr int glyph_rows = 5;

constexpr Glyph glyphs[] = {
    {'0', 075557}, {'1', 026227}, {'2', 071747}, {'3', 071717}, {'4', 055711}, {'5', 074717},
    {'6', 074757}, {'7', 071222}, {'8', 075757}, {'9', 075717}, {'a', 025755}, {'b', 065656},
    {'c', 034443}, {'d', 065556}, {'e', 074647}, {'f', 074644}, {'g', 034553}, {'h', 055755},
    {'i', 072227}, {'j', 011152}, {'k', 055655}, {'l', 044447}, {'m', 057755}, {'n', 065555},
    {'o', 025552}, {'p', 065644}, {'q', 025563}, {'r', 065655}, {'s', 034216}, {'t', 072222},
    {'u', 055557}, {'v', 055552}, {'w', 055775}, {'x', 055255}, {'y', 055222}, {'z', 071247},
    {'-', 000700}, {'+', 002720}, {'.', 000002}, {'=', 007070}, {'_', 000007}};

unsigned rows_of(char letter) {
  const auto lower = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  const auto* const found = std::ranges::find(glyphs, lower, &Glyph::letter);
  return found == std::end(glyphs) ? 0 : found->rows;
}

bool has_dot(unsigned rows, int column, int row) {
  const int bit = (glyph_rows - 1 - row) * glyph_columns + glyph_columns - 1 - column;
  return ((rows >> static_cast<unsigned>(bit)) & 1U) != 0;
}

}  // namespace

Picture::Picture(int width, int height)
    : width_(width),
      height_(height),
      pixels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height),
              Colour{255, 255, 255}) {}

void Picture::draw_text(int column, int row, std::string_view text) {
  constexpr int dot = 2;  // pixels
  for (const char letter : text) {
    const unsigned rows = rows_of(letter);
    for (int y = 0; y < dot * glyph_rows; ++y) {
      for (int x = 0; x < dot * glyph_columns; ++x) {
        const bool is_inside = column + x < width_ && row + y < height_;
        if (is_inside && has_dot(rows, x / dot, y / dot)) at(column + x, row + y) = {0, 0, 0};
      }
    }
    column += letter_width;
  }
}

std::string Picture::png() const {
  static_assert(sizeof(Colour) == 3, "libpng takes the pixels as they are");
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width_);
  image.height = static_cast<png_uint_32>(height_);
  image.format = PNG_FORMAT_RGB;
  image.flags = PNG_IMAGE_FLAG_FAST;  // pictures are many and small
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string content(bytes, '\0');
  const bool is_written =
      png_image_write_to_memory(&image, content.data(), &bytes, 0, pixels_.data(), 0, nullptr) != 0;
  if (!is_written) throw IoError(fmt::format("drawing a picture: {}", image.message));
  content.resize(bytes);
  return content;
}

}  // namespace dns
