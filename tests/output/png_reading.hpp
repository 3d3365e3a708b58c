/// A PNG file as libpng reads it.
#pragma once

#include <gtest/gtest.h>
#include <png.h>

#include <cstddef>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "solver/output/picture.hpp"

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

/// The chunks of text of a sound picture: libpng checks them, and ends the program for others.
inline std::map<std::string, std::string> texts_of_png(const std::string& content) {
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  const char* place = content.data();
  png_set_read_fn(png, &place, [](png_structp reader, png_bytep bytes, std::size_t count) {
    auto* const from = static_cast<const char**>(png_get_io_ptr(reader));
    std::memcpy(bytes, *from, count);
    *from += count;
  });
  png_read_png(png, info, PNG_TRANSFORM_IDENTITY, nullptr);
  png_textp text = nullptr;
  int count = 0;
  png_get_text(png, info, &text, &count);
  std::map<std::string, std::string> texts;
  for (int n = 0; n < count; ++n)
    texts[text[n].key] = std::string(text[n].text, text[n].text_length);
  png_destroy_read_struct(&png, &info, nullptr);
  return texts;
}

}  // namespace dns
