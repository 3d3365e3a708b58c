#include "solver/output/slice_painter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "solver/core/json_text.hpp"
#include "solver/flow/variables.hpp"
#include "solver/output/flow_slice.hpp"
#include "solver/output/picture.hpp"

namespace dns {
namespace {

using nlohmann::ordered_json;

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
    const bool is_signed = variable == pressure_name ||
                           std::ranges::find(velocity_names, variable) != velocity_names.end();
    const double larger = std::max(-range.low, range.high);
    if (is_signed && larger > 0) {
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

std::vector<Colour> painted(const FlowSlice& slice, const ColourScale& scale) {
  std::vector<Colour> pixels;
  for (int row = 0; row < slice.height; ++row) {
    for (int column = 0; column < slice.width; ++column) {
      const double value = slice.at(column, row);
      pixels.push_back(!std::isnan(value)                  ? scale.colour(value)
                       : is_on_surface(slice, column, row) ? outline
                                                           : inside_body);
    }
  }
  return pixels;
}

/// The colours of the middles of equal parts of a range, six hexadecimal digits each.
std::string colours_of(const ColourScale& scale, ColourRange range) {
  constexpr int parts = 64;
  std::string colours;
  for (int part = 0; part < parts; ++part) {
    const auto [red, green, blue] =
        scale.colour(range.low + (part + 0.5) / parts * (range.high - range.low));
    colours += fmt::format("{:02x}{:02x}{:02x}", red, green, blue);
  }
  return colours;
}

/// The scale of a variable of pictures; that of a magnitude is the velocity's.
std::string unit_of(const Case& resolved, std::string_view variable) {
  const std::vector<Variable> variables = solved_variables(resolved);
  const auto found = std::ranges::find(variables, variable, &Variable::name);
  return found == variables.end() ? variables.front().unit : found->unit;
}

ordered_json json_of_axis(const GridCase& grid, int axis) {
  return {{"name", axis_name(axis)},
          {"origin", json_number(grid.origin[axis])},
          {"length", json_number(grid.length[axis])}};
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
    const auto [right, up] = axes_of_picture(case_, plane.axis);
    const std::string facts = json_line({{"name", plane.name},
                                         {"variable", plane.variable},
                                         {"unit", unit_of(case_, plane.variable)},
                                         {"axis", axis_name(plane.axis)},
                                         {"at", json_number(plane.at)},
                                         {"step", state.step},
                                         {"time", json_number(state.time)},
                                         {"low", json_number((*range)->low)},
                                         {"high", json_number((*range)->high)},
                                         {"right", json_of_axis(case_.grid, right)},
                                         {"up", json_of_axis(case_.grid, up)},
                                         {"width", slice.width},
                                         {"height", slice.height},
                                         {"colours", colours_of(scale, **range)}});
    pictures.push_back(
        {plane.name, state.step, png_of(slice.width, slice.height, painted(slice, scale), facts)});
    ++range;
  }
  return pictures;
}

}  // namespace dns
