/// Colours for values, and pictures of them as PNG. The colours are our own: two polynomials, where
/// a library would bring all of plotting.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dns {

using Colour = std::array<std::uint8_t, 3>;  // red, green, blue

enum class ColourMap {
  sequential,  // viridis: perceptually uniform, lighter is more
  diverging    // blue below, grey in the middle, red above
};

/// The colour of `fraction`, 0 .. 1 from the first colour to the last; beyond, the nearer of them.
///
/// Each channel is a polynomial of degree 6 fitted to a published table, which it matches within
/// 0.02 of the full scale: viridis by S. van der Walt & N. Smith (2015), and the cool to warm map
/// of K. Moreland, "Diverging color maps for scientific visualization", ISVC 2009.
[[nodiscard]] Colour colour_of(ColourMap map, double fraction);

/// Pixels, row by row from the top, as the content of a PNG file, with `text` (ASCII) in its first
/// chunk of text, under the keyword "dns". Throws IoError.
[[nodiscard]] std::string png_of(int width,
                                 int height,
                                 const std::vector<Colour>& pixels,
                                 std::string_view text);

/// What a PNG file says at its beginning.
struct PictureFacts {
  std::int64_t width = 0;  // of a damaged file beyond what an int can be
  std::int64_t height = 0;
  std::string text;  // as given to png_of; empty: a picture of another program
};

/// None of a file that is no PNG. Throws IoError where the text is damaged or the file cannot be
/// read.
[[nodiscard]] std::optional<PictureFacts> read_picture_facts(const std::string& path);

/// The library that this program runs with: "1.6.39".
[[nodiscard]] std::string png_version();

}  // namespace dns
