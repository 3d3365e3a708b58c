/// Colours for values. Our own: two polynomials, where a library would bring all of plotting.
#pragma once

#include <array>
#include <cstdint>

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

}  // namespace dns
