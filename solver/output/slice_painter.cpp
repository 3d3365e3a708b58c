#include "solver/output/slice_painter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "solver/output/flow_slice.hpp"
#include "solver/output/picture.hpp"

namespace dns {
namespace {

constexpr int gap = 8;         // pixels
constexpr int bar_width = 12;  // pixels

/// The next range of a plane that shows values of `seen`.
ColourRange followed(const std::optional<ColourRange>& before,
                     ColourRange seen,
                     const SliceCase& plane) {
  constexpr double inwards = 0.1;  // part of the way per picture
  if (before) {
    seen.low = std::min(seen.low, before->low + inwards * (seen.low - before->low));
    seen.high = std::max(seen.high, before->high + inwards * (seen.high - before->high));
  }
  return {.low = plane.low.value_or(seen.low), .high = plane.high.value_or(seen.high)};
}

/// From values to colours.
class ColourScale {
 public:
  ColourScale(const std::string& variable, ColourRange range) : range_(range) {
    constexpr double least_part = 0.2;  // of the larger side, for a scale of both signs
    const bool is_signed = variable != "velocity_magnitude" && variable != "temperature";
    const double smaller = std::min(-range.low, range.high);
    const double larger = std::max(-range.low, range.high);
    if (is_signed && smaller > least_part * larger) {
      map_ = ColourMap::diverging;
      range_ = {.low = -larger, .high = larger};
    }
  }

  [[nodiscard]] Colour colour(double value) const {
    const double length = range_.high - range_.low;
    return colour_of(map_, length > 0 ? (value - range_.low) / length : 0.5);
  }

 private:
  ColourMap map_ = ColourMap::sequential;
  ColourRange range_;  // of the whole map
};

std::string number(double value) {
  return fmt::format("{:.3g}", value);
}

/// "velocity_x  y = 0.1  step 50  t = 0.25"
std::string caption(const SliceCase& plane, const FlowState& state) {
  constexpr std::string_view axes = "xyz";
  return fmt::format("{}  {} = {:.4g}  step {}  t = {:.4g}",
                     plane.variable,
                     axes[static_cast<std::size_t>(plane.axis)],
                     plane.at,
                     state.step,
                     state.time);
}

int width_of(const std::string& text) {
  return static_cast<int>(text.size()) * Picture::letter_width;
}

/// The bar on the right of a plane of this size, from `range.high` at its top to `range.low`.
void draw_bar(Picture& picture,
              const FlowSlice& slice,
              const ColourScale& scale,
              ColourRange range) {
  const int left = slice.width + gap;
  const int height = std::max(slice.height, 2 * Picture::letter_height);
  for (int row = 0; row < height; ++row) {
    const double part = (height - row - 0.5) / height;
    const Colour colour = scale.colour(range.low + part * (range.high - range.low));
    for (int column = 0; column < bar_width; ++column) picture.at(left + column, row) = colour;
  }
  const int beside = left + bar_width + gap / 2;
  picture.draw_text(beside, 0, number(range.high));
  picture.draw_text(beside, height - Picture::letter_height + 2, number(range.low));
}

std::string drawn(const FlowSlice& slice,
                  const ColourScale& scale,
                  ColourRange range,
                  const std::string& text) {
  const int labels = std::max(width_of(number(range.low)), width_of(number(range.high)));
  const int width = slice.width + gap + bar_width + gap / 2 + labels;
  const int height = std::max(slice.height, 2 * Picture::letter_height);
  Picture picture(std::max(width, width_of(text)), height + gap + Picture::letter_height);
  auto value = slice.values.begin();
  for (int row = 0; row < slice.height; ++row) {
    for (int column = 0; column < slice.width; ++column)
      picture.at(column, row) = scale.colour(*value++);
  }
  draw_bar(picture, slice, scale, range);
  picture.draw_text(0, height + gap, text);
  return picture.png();
}

}  // namespace

SlicePainter::SlicePainter(Case resolved, SlicesCase slices)
    : case_(std::move(resolved)), slices_(std::move(slices)), ranges_(slices_.planes.size()) {}

std::vector<SlicePicture> SlicePainter::draw(const WholeFlow& viewing) {
  const FlowState& state = viewing.slab();
  std::vector<SlicePicture> pictures;
  auto range = ranges_.begin();
  for (const SliceCase& plane : slices_.planes) {
    const FlowSlice slice = sample_slice(viewing, case_, plane, slices_.pixels);
    const auto [least, most] = std::ranges::minmax(slice.values);
    *range = followed(*range, {.low = least, .high = most}, plane);
    const ColourScale scale(plane.variable, **range);
    pictures.push_back({.plane = plane,
                        .step = state.step,
                        .time = state.time,
                        .range = **range,
                        .png = drawn(slice, scale, **range, caption(plane, state))});
    ++range;
  }
  return pictures;
}

}  // namespace dns
