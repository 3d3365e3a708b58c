#include "solver/output/slice_painter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
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

constexpr Colour inside_body{190, 190, 190};
constexpr Colour outline{60, 60, 60};

/// Whether a pixel in a body has one of the flow beside it.
bool is_on_surface(const FlowSlice& slice, int column, int row) {
  const auto is_of_flow = [&](int c, int r) {
    return c >= 0 && c < slice.width && r >= 0 && r < slice.height && !std::isnan(slice.at(c, r));
  };
  return is_of_flow(column - 1, row) || is_of_flow(column + 1, row) ||
         is_of_flow(column, row - 1) || is_of_flow(column, row + 1);
}

/// The least and the largest value of the flow in a slice; 0 and 0 where there is none.
ColourRange range_of(const FlowSlice& slice) {
  std::optional<ColourRange> range;
  for (const double value : slice.values) {
    if (std::isnan(value)) continue;
    if (!range) range = {.low = value, .high = value};
    range->low = std::min(range->low, value);
    range->high = std::max(range->high, value);
  }
  return range.value_or(ColourRange{.low = 0, .high = 0});
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
  for (int row = 0; row < slice.height; ++row) {
    for (int column = 0; column < slice.width; ++column) {
      const double value = slice.at(column, row);
      picture.at(column, row) = !std::isnan(value)                  ? scale.colour(value)
                                : is_on_surface(slice, column, row) ? outline
                                                                    : inside_body;
    }
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
    *range = followed(*range, range_of(slice), plane);
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
