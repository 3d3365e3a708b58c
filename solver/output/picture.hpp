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
  static constexpr int letter_width = 8;    // of draw_text, gap included
  static constexpr int letter_height = 12;  // of draw_text, gap included

  Picture(int width, int height);

  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }
  [[nodiscard]] Colour& at(int column, int row) {
    return pixels_[static_cast<std::size_t>(row) * static_cast<std::size_t>(width_) +
                   static_cast<std::size_t>(column)];
  }

  /// Draws letters, digits and "+-.=_" in black, the top left corner of the first at the place
  /// given. Parts outside of the picture are left out.
  void draw_text(int column, int row, std::string_view text);

  /// The picture as the content of a PNG file. Throws IoError.
  [[nodiscard]] std::string png() const;

 private:
  int width_;
  int height_;
  std::vector<Colour> pixels_;
};

}  // namespace dns
