/// A picture in memory, and as PNG.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "solver/output/colour_map.hpp"

namespace dns {

/// Pixels, white at first. Columns count from the left, rows from the top.
class Picture {
 public:
  Picture(int width, int height);

  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }
  [[nodiscard]] Colour& at(int column, int row) { return pixels_[index(column, row)]; }
  [[nodiscard]] const Colour& at(int column, int row) const { return pixels_[index(column, row)]; }

  /// Fills a rectangle; parts outside of the picture are left out, here and below.
  void fill(int column, int row, int width, int height, Colour colour);

  /// Copies another picture, its top left corner to the place given.
  void paste(const Picture& other, int column, int row);

  /// Draws a line of text in black (see strokes_of), its top left corner at the place given and its
  /// capitals `size` pixels high, with smooth edges.
  void draw_text(double column, double row, double size, std::string_view text);

  /// The picture as the content of a PNG file. Throws IoError.
  [[nodiscard]] std::string png() const;

 private:
  [[nodiscard]] std::size_t index(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(column);
  }

  int width_;
  int height_;
  std::vector<Colour> pixels_;
};

}  // namespace dns
