/// Title, axes and colour bar around pictures of planes.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "solver/output/slice_labels.hpp"

namespace dns {
namespace {

constexpr Colour colour_of_plane{10, 200, 30};

SlicePicture slice_of(int width, int height) {
  SlicePicture slice;
  slice.plane.axis = 2;
  slice.plane.variable = "velocity_x";
  slice.range = {.low = -1, .high = 1};
  slice.axes = {PictureAxis{0, 0, 4.0}, PictureAxis{1, -1, 4.0 * height / width}};
  for (int n = 0; n < 64; ++n)
    slice.colours.push_back({static_cast<std::uint8_t>(100 + n), 150, 200});
  slice.picture = Picture(width, height);
  slice.picture.fill(0, 0, width, height, colour_of_plane);
  return slice;
}

/// Whether any pixel of a rectangle is darker than grey.
bool has_ink(const Picture& picture, int column, int row, int width, int height) {
  for (int r = std::max(row, 0); r < std::min(row + height, picture.height()); ++r) {
    for (int c = std::max(column, 0); c < std::min(column + width, picture.width()); ++c) {
      const Colour& pixel = picture.at(c, r);
      if (std::max({pixel[0], pixel[1], pixel[2]}) < 128) return true;
    }
  }
  return false;
}

TEST(SliceLabels, leave_every_pixel_of_the_plane_as_it_is) {
  const SlicePicture slice = slice_of(160, 90);
  const LabelledSlice labelled = with_axes(slice);
  for (int row = 0; row < 90; ++row) {
    for (int column = 0; column < 160; ++column)
      ASSERT_EQ(labelled.picture.at(labelled.column + column, labelled.row + row),
                slice.picture.at(column, row));
  }
  constexpr Colour black{0, 0, 0};  // the frame
  EXPECT_EQ(labelled.picture.at(labelled.column - 1, labelled.row + 50), black);
  EXPECT_EQ(labelled.picture.at(labelled.column + 160, labelled.row + 50), black);
  EXPECT_EQ(labelled.picture.at(labelled.column + 80, labelled.row - 1), black);
  EXPECT_EQ(labelled.picture.at(labelled.column + 80, labelled.row + 90), black);
}

TEST(SliceLabels, stand_on_all_sides) {
  const LabelledSlice labelled = with_axes(slice_of(160, 90));
  const Picture& picture = labelled.picture;
  const int foot = labelled.row + 90;
  EXPECT_TRUE(has_ink(picture, 0, 0, picture.width(), 20)) << "title";
  EXPECT_TRUE(has_ink(picture, 0, labelled.row, labelled.column - 8, 90)) << "numbers of y";
  EXPECT_TRUE(has_ink(picture, labelled.column, foot + 8, 160, 12)) << "numbers of x";
  EXPECT_TRUE(has_ink(picture, labelled.bar_column + 25, labelled.row, 80, 90)) << "numbers of bar";
}

TEST(SliceLabels, are_nowhere_cut_off_by_the_edge) {
  for (const int width : {16, 200, 1400}) {
    const Picture picture = with_axes(slice_of(width, 120)).picture;
    EXPECT_FALSE(has_ink(picture, 0, 0, picture.width(), 1)) << width;
    EXPECT_FALSE(has_ink(picture, 0, picture.height() - 1, picture.width(), 1)) << width;
    EXPECT_FALSE(has_ink(picture, 0, 0, 1, picture.height())) << width;
    EXPECT_FALSE(has_ink(picture, picture.width() - 1, 0, 1, picture.height())) << width;
  }
}

TEST(SliceLabels, of_a_plane_make_pictures_of_one_size_in_even_numbers) {
  SlicePicture slice = slice_of(121, 63);
  const Picture first = with_axes(slice).picture;
  slice.time = 1234.5678;
  slice.step = 123456789;
  slice.range = {.low = -1.234e-7, .high = 5.4321e-6};
  const Picture later = with_axes(slice).picture;
  EXPECT_EQ(first.width(), later.width());
  EXPECT_EQ(first.height(), later.height());
  EXPECT_EQ(first.width() % 2, 0);
  EXPECT_EQ(first.height() % 2, 0);
}

TEST(SliceLabels, have_a_tick_of_each_axis_at_its_place) {
  const LabelledSlice labelled = with_axes(slice_of(160, 80));  // x from 0 to 4, y from -1 to 1
  const int foot = labelled.row + 80 + 1;                       // under the frame
  EXPECT_TRUE(has_ink(labelled.picture, labelled.column + 79, foot, 2, 1)) << "x = 2";
  EXPECT_FALSE(has_ink(labelled.picture, labelled.column + 85, foot, 20, 1)) << "beyond it";
  EXPECT_TRUE(has_ink(labelled.picture, labelled.column - 4, labelled.row + 39, 1, 2)) << "y = 0";
  EXPECT_FALSE(has_ink(labelled.picture, labelled.column - 4, labelled.row + 45, 1, 12));
}

TEST(SliceLabels, show_the_colours_from_the_highest_value_down) {
  const SlicePicture slice = slice_of(160, 128);
  const LabelledSlice labelled = with_axes(slice);
  EXPECT_EQ(labelled.picture.at(labelled.bar_column + 3, labelled.row), slice.colours.back());
  EXPECT_EQ(labelled.picture.at(labelled.bar_column + 3, labelled.row + 127),
            slice.colours.front());
}

TEST(SliceLabels, of_a_range_that_is_one_value_show_it_once) {
  SlicePicture slice = slice_of(160, 90);
  slice.range = {.low = 2.5, .high = 2.5};
  const LabelledSlice labelled = with_axes(slice);
  const int beside = labelled.bar_column + 25;
  EXPECT_TRUE(has_ink(labelled.picture, beside, labelled.row + 38, 80, 14));
  EXPECT_FALSE(has_ink(labelled.picture, beside, labelled.row, 80, 30));
}

}  // namespace
}  // namespace dns
