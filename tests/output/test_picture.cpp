/// Colours, letters and PNG.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <string>

#include "png_reading.hpp"
#include "solver/output/axis_ticks.hpp"
#include "solver/output/picture.hpp"
#include "solver/output/stroke_font.hpp"

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

/// Whether there is ink, mostly: black covers more than half of the pixel.
bool is_inked(const Picture& picture, int column, int row) {
  return picture.at(column, row)[0] < 128;
}

TEST(PictureTest, letters_are_strokes_as_high_as_asked_for) {
  constexpr double size = 12;  // two pixels for a unit of the letters
  Picture picture(20, 30);
  picture.draw_text(4, 2, size, "L");
  const double middle = 2 + ascent(size) - size / 2;
  constexpr double half_width = 0.85;  // of strokes, which are round at their ends
  for (int row = 0; row < picture.height(); ++row) {
    const bool is_of_stem = std::abs(row + 0.5 - middle) < size / 2 + half_width;
    EXPECT_EQ(is_inked(picture, 4, row), is_of_stem) << row;
  }
  const int foot = 2 + static_cast<int>(ascent(size));
  EXPECT_TRUE(is_inked(picture, 4 + 7, foot));
  EXPECT_FALSE(is_inked(picture, 4 + 7, foot - 6));
}

TEST(PictureTest, text_is_as_wide_as_its_letters_and_cut_off_at_the_edge) {
  const double width = text_width("velocity_x = -1.5e-07", 10);
  Picture picture(static_cast<int>(width) + 12, 24);
  picture.draw_text(4, 2, 10, "velocity_x = -1.5e-07");
  int last = 0;
  for (int row = 0; row < picture.height(); ++row) {
    for (int column = 0; column < picture.width(); ++column) {
      if (is_inked(picture, column, row)) last = std::max(last, column);
    }
  }
  EXPECT_NEAR(last, 4 + width, 1.5);
  Picture small(5, 3);
  small.draw_text(-4, -4, 40, "W");  // beyond all four edges
  small.fill(-5, -5, 100, 100, {1, 2, 3});
  EXPECT_EQ(small.at(4, 2), (Colour{1, 2, 3}));
}

TEST(StrokeFont, has_different_letters_for_all_that_labels_are_made_of) {
  const std::string letters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNPQRSTUVWXYZ0123456789+-.,:=_/()[]^";
  std::set<std::string> seen;
  for (const char letter : letters) {
    std::string strokes;
    for (const Stroke& s : strokes_of(std::string(1, letter), 6))
      strokes += fmt::format("{},{},{},{} ", s.from_column, s.from_row, s.to_column, s.to_row);
    EXPECT_NE(strokes, "") << letter;
    EXPECT_TRUE(seen.insert(strokes).second) << letter;
  }
  EXPECT_TRUE(strokes_of(" ~", 6).empty());
}

std::string texts_of(double low, double high, int most) {
  std::string texts;
  for (const Tick& tick : ticks_between(low, high, most)) texts += tick.text + " ";
  return texts;
}

TEST(AxisTicks, are_round_numbers_inside_of_the_range) {
  EXPECT_EQ(texts_of(0, 1, 6), "0 0.2 0.4 0.6 0.8 1.0 ");
  EXPECT_EQ(texts_of(-1, 1, 5), "-1.0 -0.5 0 0.5 1.0 ");
  EXPECT_EQ(texts_of(0.013, 6.2832, 4), "2 4 6 ");
  EXPECT_EQ(texts_of(-3e-7, 5e-7, 5), "-2e-07 0 2e-07 4e-07 ");
  EXPECT_EQ(texts_of(100000, 100004, 3), "100000 100002 100004 ");
  EXPECT_EQ(texts_of(1, 1, 5), "");
  EXPECT_EQ(texts_of(1e17, 1e17 + 32, 5), "");
  EXPECT_EQ(texts_of(NAN, 1, 5), "");
  EXPECT_EQ(texts_of(-1e308, 1e308, 5), "");
}

}  // namespace
}  // namespace dns
