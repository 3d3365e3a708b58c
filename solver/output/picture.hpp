/// A picture in memory, and as PNG.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/output/colour_map.hpp"

namespace dns {

/// Pixels, black at first. Columns count from the left, rows from the top.
class Picture {
 public:
  Picture(int width, int height);

  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }
  [[nodiscard]] Colour& at(int column, int row) {
    return pixels_[static_cast<std::size_t>(row) * static_cast<std::size_t>(width_) +
                   static_cast<std::size_t>(column)];
  }

  /// The picture as the content of a PNG file, with `text` (ASCII) in its first chunk of text,
  /// under the keyword "dns". Throws IoError.
  [[nodiscard]] std::string png(std::string_view text) const;

 private:
  int width_;
  int height_;
  std::vector<Colour> pixels_;
};

/// What a PNG file says at its beginning.
struct PictureFacts {
  std::int64_t width = 0;  // of a damaged file beyond what an int can be
  std::int64_t height = 0;
  std::string text;  // as given to Picture::png; empty: a picture of another program
};

/// None of a file that is no PNG. Throws IoError where the text is damaged or the file cannot be
/// read.
[[nodiscard]] std::optional<PictureFacts> read_picture_facts(const std::string& path);

}  // namespace dns
