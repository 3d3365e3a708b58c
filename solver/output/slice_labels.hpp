/// Title, axes and colour bar around a picture of a plane.
#pragma once

#include <string>
#include <string_view>

#include "solver/output/slice_painter.hpp"

namespace dns {

/// A picture of a plane for a file.
struct LabelledSlice {
  Picture picture;
  int column = 0;  // where the plane begins, its top left corner
  int row = 0;
  int bar_column = 0;  // where the colour bar begins, beside the plane
};

/// Draws a title (variable, place of the plane, time, step) above the plane, ticks and names of its
/// axes below and on its left, a colour bar with ticks on its right. All pictures of a plane have
/// the same size, in even numbers, as films need them; text grows with large pictures.
[[nodiscard]] LabelledSlice with_axes(const SlicePicture& slice);

/// "U", "T0", "U^2": the scale of a variable of pictures.
[[nodiscard]] std::string_view unit_of_slice(std::string_view variable);

}  // namespace dns
