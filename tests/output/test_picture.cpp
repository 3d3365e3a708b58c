/// Colours and PNG.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include "output_testing.hpp"
#include "png_reading.hpp"
#include "solver/output/picture.hpp"

namespace dns::test_picture {
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

std::string black(int width, std::string_view text) {
  return png_of(width, 3, std::vector<Colour>(static_cast<std::size_t>(3 * width)), text);
}

TEST(PictureTest, is_read_back_from_png_pixel_by_pixel) {
  std::vector<Colour> pixels(15);
  pixels[4] = {1, 2, 3};
  pixels[10] = {250, 0, 7};
  const ReadPicture read = read_png(png_of(5, 3, pixels, "text"));
  ASSERT_EQ(read.width, 5);
  ASSERT_EQ(read.height, 3);
  EXPECT_EQ(read.at(4, 0), (Colour{1, 2, 3}));
  EXPECT_EQ(read.at(0, 2), (Colour{250, 0, 7}));
  EXPECT_EQ(read.at(2, 1), (Colour{0, 0, 0}));
}

TEST(PictureTest, has_its_text_as_other_programs_read_it) {
  for (const std::string& text : {std::string("{\"low\":-1.5e-07}"), std::string(3000, 'a')}) {
    const auto texts = texts_of_png(black(5, text));
    EXPECT_EQ(texts, (std::map<std::string, std::string>{{"dns", text}}));
  }
}

class PictureFileTest : public FolderTest {
 protected:
  [[nodiscard]] std::optional<PictureFacts> facts_of(const std::string& content) const {
    write_whole(in_folder("picture"), content);
    return read_picture_facts(in_folder("picture"));
  }
};

TEST_F(PictureFileTest, tells_size_and_text) {
  const auto facts = facts_of(black(258, "some text"));
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->width, 258);
  EXPECT_EQ(facts->height, 3);
  EXPECT_EQ(facts->text, "some text");
  EXPECT_FALSE(facts_of("GIF89a and more than 24 bytes"));
  EXPECT_FALSE(facts_of(""));
}

/// Behind the header stands the text: its length, "tEXt", "dns" and 0, the text, its checksum.
constexpr std::size_t header = 33;
constexpr std::size_t around_text = 4 + 4 + 4 + 4;

TEST_F(PictureFileTest, of_another_program_has_no_text) {
  std::string content = black(5, "some text");
  content.erase(header, around_text + std::string_view("some text").size());
  EXPECT_EQ(read_png(content).width, 5);
  const auto facts = facts_of(content);
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->width, 5);
  EXPECT_EQ(facts->text, "");
}

/// Whatever byte of the text is another one, and wherever the file ends, no wrong text is told.
TEST_F(PictureFileTest, that_is_damaged_tells_no_wrong_text) {
  const std::string text = "some text";
  const std::string whole = black(5, text);
  const std::size_t end = header + around_text + text.size();
  const auto text_in = [&](const std::string& content) -> std::string {
    try {
      const auto facts = facts_of(content);
      return facts ? facts->text : "";
    } catch (const IoError& error) {
      EXPECT_TRUE(contains(error.what(), "picture: damaged: "));
      return "refused";
    }
  };
  for (std::size_t place = header; place < end; ++place) {
    std::string damaged = whole;
    damaged[place] = static_cast<char>(damaged[place] ^ 0x20);
    const bool is_kind_or_keyword = place >= header + 4 && place < header + 12;
    EXPECT_EQ(text_in(damaged), is_kind_or_keyword ? "" : "refused") << place;
  }
  for (std::size_t bytes = 0; bytes < end; ++bytes)
    EXPECT_NE(text_in(whole.substr(0, bytes)), text) << bytes;
  EXPECT_EQ(text_in(whole.substr(0, end - 1)), "refused");
  EXPECT_EQ(text_in(whole.substr(0, end)), text);
}

}  // namespace
}  // namespace dns::test_picture
