#include "solver/output/picture.hpp"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "solver/core/error.hpp"
#include "solver/output/stroke_font.hpp"

namespace dns {
namespace {

/// Distance of a point from the nearest point of a stroke.
double distance_from(const Stroke& stroke, double column, double row) {
  const double along_column = stroke.to_column - stroke.from_column;
  const double along_row = stroke.to_row - stroke.from_row;
  const double square = along_column * along_column + along_row * along_row;
  const double product =
      (column - stroke.from_column) * along_column + (row - stroke.from_row) * along_row;
  const double part = square > 0 ? std::clamp(product / square, 0.0, 1.0) : 0;
  return std::hypot(column - stroke.from_column - part * along_column,
                    row - stroke.from_row - part * along_row);
}

/// The grey of white paper under ink that covers this part of a pixel.
std::uint8_t grey_under_ink(double cover) {
  return static_cast<std::uint8_t>(std::lround(255 * (1 - cover)));
}

}  // namespace

Picture::Picture(int width, int height)
    : width_(width),
      height_(height),
      pixels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height),
              Colour{255, 255, 255}) {}

void Picture::fill(int column, int row, int width, int height, Colour colour) {
  for (int r = std::max(row, 0); r < std::min(row + height, height_); ++r) {
    for (int c = std::max(column, 0); c < std::min(column + width, width_); ++c) at(c, r) = colour;
  }
}

void Picture::paste(const Picture& other, int column, int row) {
  for (int r = std::max(-row, 0); r < std::min(other.height(), height_ - row); ++r) {
    for (int c = std::max(-column, 0); c < std::min(other.width(), width_ - column); ++c)
      at(column + c, row + r) = other.at(c, r);
  }
}

void Picture::draw_text(double column, double row, double size, std::string_view text) {
  constexpr double part_of_capitals = 0.08;
  const double half_width = std::max(0.6, part_of_capitals * size);  // of a stroke
  const double reach = half_width + 1;
  for (Stroke stroke : strokes_of(text, size)) {  // those that meet do not darken each other
    stroke.from_column += column;
    stroke.to_column += column;
    stroke.from_row += row;
    stroke.to_row += row;
    const auto [left, right] = std::minmax(stroke.from_column, stroke.to_column);
    const auto [top, bottom] = std::minmax(stroke.from_row, stroke.to_row);
    const int first_row = std::max(static_cast<int>(std::floor(top - reach)), 0);
    const int first_column = std::max(static_cast<int>(std::floor(left - reach)), 0);
    for (int r = first_row; r < std::min<double>(bottom + reach, height_); ++r) {
      for (int c = first_column; c < std::min<double>(right + reach, width_); ++c) {
        constexpr double half = 0.5;  // to the centre of a pixel
        const double outside = distance_from(stroke, c + half, r + half) - half_width;
        const std::uint8_t ink = grey_under_ink(std::clamp(half - outside, 0.0, 1.0));
        for (std::uint8_t& channel : at(c, r)) channel = std::min(channel, ink);
      }
    }
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
