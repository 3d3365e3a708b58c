/// Colours, letters and PNG.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "png_reading.hpp"
#include "solver/output/picture.hpp"

namespace dns {
namespace {

void expect_near(Colour colour, Colour expected) {
  constexpr int most = 6;  // 0.02 of the full scale and rounding
  for (std::size_t channel = 0; channel < 3; ++channel)
    EXPECT_LE(std::abs(int{colour.at(channel)} - int{expected.at(channel)}), most) << channel;
}

TEST(ColourMapTest, meets_the_published_tables) {
  expect_near(colour_of(ColourMap::sequential, 0), {68, 1, 84});
  expect_near(colour_of(ColourMap::sequential, 0.25), {59, 82, 139});
  expect_near(colour_of(ColourMap::sequential, 0.5), {33, 145, 140});
  expect_near(colour_of(ColourMap::sequential, 0.75), {94, 201, 98});
  expect_near(colour_of(ColourMap::sequential, 1), {253, 231, 37});
  expect_near(colour_of(ColourMap::diverging, 0), {59, 76, 192});
  expect_near(colour_of(ColourMap::diverging, 0.5), {221, 221, 221});
  expect_near(colour_of(ColourMap::diverging, 1), {180, 4, 38});
}

TEST(ColourMapTest, has_its_last_colours_beyond_its_ends) {
  EXPECT_EQ(colour_of(ColourMap::sequential, -3), colour_of(ColourMap::sequential, 0));
  EXPECT_EQ(colour_of(ColourMap::sequential, 1e300), colour_of(ColourMap::sequential, 1));
}

/// Relative luminance of sRGB, IEC 61966-2-1.
double luminance(Colour colour) {
  const auto linear = [](std::uint8_t value) {
    const double part = value / 255.0;
    return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2]);
}

TEST(ColourMapTest, the_sequential_one_grows_lighter_all_along) {
  for (int n = 0; n < 64; ++n) {
    EXPECT_LT(luminance(colour_of(ColourMap::sequential, n / 64.0)),
              luminance(colour_of(ColourMap::sequential, (n + 1) / 64.0)))
        << n;
  }
}

TEST(PictureTest, is_read_back_from_png_pixel_by_pixel) {
  Picture picture(5, 3);
  picture.at(4, 0) = {1, 2, 3};
  picture.at(0, 2) = {250, 0, 7};
  const ReadPicture read = read_png(picture.png());
  ASSERT_EQ(read.width, 5);
  ASSERT_EQ(read.height, 3);
  EXPECT_EQ(read.at(4, 0), (Colour{1, 2, 3}));
  EXPECT_EQ(read.at(0, 2), (Colour{250, 0, 7}));
  EXPECT_EQ(read.at(2, 1), (Colour{255, 255, 255}));
}

TEST(PictureTest, letters_are_dots_of_two_pixels_cut_off_at_the_edge) {
  Picture picture(9, 12);
  picture.draw_text(0, 0, "L-");
  std::string rows;
  for (int row = 0; row < 10; row += 2) {
    for (int column = 0; column < 9; column += 2)
      rows += picture.at(column, row)[0] == 0 ? '#' : '.';
    rows += '\n';
  }
  EXPECT_EQ(rows,
            "#....\n"
            "#....\n"
            "#...#\n"
            "#....\n"
            "###..\n");
}

}  // namespace
}  // namespace dns
