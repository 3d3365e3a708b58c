/// A PNG file as libpng reads it.
#pragma once

#include <gtest/gtest.h>
#include <png.h>

#include <cstddef>
#include <string>
#include <vector>

#include "solver/output/colour_map.hpp"

namespace dns {

struct ReadPicture {
  int width = 0;
  int height = 0;
  std::vector<Colour> pixels;  // row by row from the top

  [[nodiscard]] Colour at(int column, int row) const {
    return pixels.at(static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                     static_cast<std::size_t>(column));
  }
};

inline ReadPicture read_png(const std::string& content) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  EXPECT_NE(png_image_begin_read_from_memory(&image, content.data(), content.size()), 0)
      << image.message;
  image.format = PNG_FORMAT_RGB;
  ReadPicture picture{.width = static_cast<int>(image.width),
                      .height = static_cast<int>(image.height),
                      .pixels = std::vector<Colour>(PNG_IMAGE_SIZE(image) / sizeof(Colour))};
  EXPECT_NE(png_image_finish_read(&image, nullptr, picture.pixels.data(), 0, nullptr), 0)
      << image.message;
  return picture;
}

}  // namespace dns
