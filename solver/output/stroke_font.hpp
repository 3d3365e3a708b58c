/// Letters for pictures, made of strokes. Our own: pictures look the same on machines that have no
/// fonts, as compute nodes, and need no library for text.
#pragma once

#include <string_view>
#include <vector>

namespace dns {

/// A straight piece of a letter, in pixels: columns to the right, rows downwards.
struct Stroke {
  double from_column, from_row, to_column, to_row;
};

/// Of a letter whose capitals are `size` pixels high: the height of a line of text, and the part of
/// it above the foot of the letters.
[[nodiscard]] constexpr double line_height(double size) {
  return 1.7 * size;
}
[[nodiscard]] constexpr double ascent(double size) {
  return 1.2 * size;
}

/// Pixels from the left of the first letter to the right of the last.
[[nodiscard]] double text_width(std::string_view text, double size);

/// The strokes of a line of text whose top left corner is at 0, 0. Letters, digits and
/// "+-.,:=_/()[]^" are drawn, anything else is a gap.
[[nodiscard]] std::vector<Stroke> strokes_of(std::string_view text, double size);

}  // namespace dns
