#include "solver/output/slice_labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/config/case.hpp"
#include "solver/output/axis_ticks.hpp"
#include "solver/output/stroke_font.hpp"

namespace dns {
namespace {

constexpr Colour ink{0, 0, 0};
constexpr double half = 0.5;

/// The measures of a picture [pixels].
struct Layout {
  double text = 10;  // height of capitals
  int line = 0;      // of text
  int mark = 0;      // length of a tick
  int gap = 0;
  int bar_width = 0;
  int label_width = 0;  // room for any number
  int left = 0, top = 0;
  int plane_width = 0, plane_height = 0;
  int bar_height = 0;
  int width = 0, height = 0;

  [[nodiscard]] int bar_column() const { return left + plane_width + 2 * gap; }
};

std::string first_line(const SlicePicture& slice) {
  return fmt::format("{} [{}]   {} = {:.4g} [L]",
                     slice.plane.variable,
                     unit_of_slice(slice.plane.variable),
                     axis_name(slice.plane.axis),
                     slice.plane.at);
}

std::string second_line(const SlicePicture& slice) {
  return fmt::format("t = {:.5g} [L/U]   step {}", slice.time, slice.step);
}

int up_to_even(double pixels) {
  return 2 * static_cast<int>(std::ceil(pixels / 2));
}

Layout layout_of(const SlicePicture& slice) {
  constexpr int pixels_for_text = 640;  // up to these, text keeps its size
  constexpr double least_text = 10;
  Layout layout;
  layout.plane_width = slice.picture.width();
  layout.plane_height = slice.picture.height();
  const int longer = std::max(layout.plane_width, layout.plane_height);
  layout.text = least_text * std::max(1.0, static_cast<double>(longer) / pixels_for_text);
  layout.line = static_cast<int>(std::ceil(line_height(layout.text)));
  layout.gap = static_cast<int>(layout.text);
  layout.mark = layout.gap / 2;
  layout.bar_width = 3 * layout.gap / 2;
  layout.label_width = static_cast<int>(std::ceil(text_width("-1.25e-05", layout.text)));
  layout.left = layout.label_width + layout.mark + layout.gap;
  layout.top = 3 * layout.line + 3 * layout.gap / 2;
  layout.bar_height = std::max(layout.plane_height, 4 * layout.line);
  const double title = std::max(text_width(first_line(slice), layout.text),
                                text_width("t = 1.2345e-05 [L/U]   step 123456789", layout.text));
  const int labels = layout.mark + layout.gap / 2 + layout.label_width;
  layout.width = up_to_even(
      std::max<double>(layout.bar_column() + layout.bar_width + labels, 2 * layout.gap + title));
  layout.height = up_to_even(layout.top + layout.bar_height + layout.mark + 5 * layout.line / 2);
  return layout;
}

/// The outermost pixels around a rectangle.
void draw_frame(Picture& picture, int column, int row, int width, int height) {
  picture.fill(column - 1, row - 1, width + 2, 1, ink);
  picture.fill(column - 1, row + height, width + 2, 1, ink);
  picture.fill(column - 1, row - 1, 1, height + 2, ink);
  picture.fill(column + width, row - 1, 1, height + 2, ink);
}

/// As many ticks as have room for their numbers, one below the other.
std::vector<Tick> ticks_upwards(int pixels, const Layout& layout, double low, double high) {
  return ticks_between(low, high, std::max(2, pixels / (2 * layout.line)));
}

/// The same side by side.
std::vector<Tick> ticks_to_the_right(int pixels, const Layout& layout, double low, double high) {
  std::vector<Tick> ticks;
  for (int most = std::max(2, pixels / (3 * layout.gap)); most >= 2; --most) {
    ticks = ticks_between(low, high, most);
    double widest = 0;
    for (const Tick& tick : ticks) widest = std::max(widest, text_width(tick.text, layout.text));
    if (ticks.size() < 2) break;
    const double distance = (ticks[1].value - ticks[0].value) / (high - low) * pixels;
    if (distance >= widest + layout.gap) break;
  }
  return ticks;
}

void draw_axis_to_the_right(Picture& picture, const Layout& layout, const PictureAxis& axis) {
  const int foot = layout.top + layout.plane_height;
  const std::string name = fmt::format("{} [L]", axis_name(axis.axis));
  for (const Tick& tick :
       ticks_to_the_right(layout.plane_width, layout, axis.origin, axis.origin + axis.length)) {
    const double column =
        layout.left + (tick.value - axis.origin) / axis.length * layout.plane_width;
    picture.fill(static_cast<int>(std::lround(column - half)), foot, 1, layout.mark, ink);
    picture.draw_text(column - text_width(tick.text, layout.text) / 2,
                      foot + layout.mark,
                      layout.text,
                      tick.text);
  }
  picture.draw_text(layout.left + (layout.plane_width - text_width(name, layout.text)) / 2,
                    foot + layout.mark + layout.line,
                    layout.text,
                    name);
}

void draw_axis_upwards(Picture& picture, const Layout& layout, const PictureAxis& axis) {
  const std::string name = fmt::format("{} [L]", axis_name(axis.axis));
  for (const Tick& tick :
       ticks_upwards(layout.plane_height, layout, axis.origin, axis.origin + axis.length)) {
    const double row = layout.top + layout.plane_height -
                       (tick.value - axis.origin) / axis.length * layout.plane_height;
    picture.fill(layout.left - 1 - layout.mark,
                 static_cast<int>(std::lround(row - half)),
                 layout.mark,
                 1,
                 ink);
    picture.draw_text(layout.left - 2 * layout.mark - text_width(tick.text, layout.text),
                      row - ascent(layout.text) + layout.text / 2,
                      layout.text,
                      tick.text);
  }
  picture.draw_text(layout.left - 2 * layout.mark - text_width(name, layout.text),
                    layout.top - layout.line - layout.gap / 2,
                    layout.text,
                    name);
}

void draw_bar(Picture& picture, const Layout& layout, const SlicePicture& slice) {
  const int column = layout.bar_column();
  const auto colours = static_cast<int>(slice.colours.size());
  for (int row = 0; row < layout.bar_height; ++row) {
    const int part = (layout.bar_height - 1 - row) * colours / layout.bar_height;
    picture.fill(column,
                 layout.top + row,
                 layout.bar_width,
                 1,
                 slice.colours.at(static_cast<std::size_t>(part)));
  }
  draw_frame(picture, column, layout.top, layout.bar_width, layout.bar_height);
  const ColourRange range = slice.range;
  std::vector<Tick> ticks = ticks_upwards(layout.bar_height, layout, range.low, range.high);
  const bool is_one_value = ticks.empty();
  if (is_one_value) ticks.push_back({.value = range.low, .text = fmt::format("{:.4g}", range.low)});
  for (const Tick& tick : ticks) {
    const double part = is_one_value ? half : (tick.value - range.low) / (range.high - range.low);
    const double row = layout.top + (1 - part) * layout.bar_height;
    picture.fill(column + layout.bar_width + 1,
                 static_cast<int>(std::lround(row - half)),
                 layout.mark,
                 1,
                 ink);
    picture.draw_text(column + layout.bar_width + 1 + layout.mark + layout.gap / 2,
                      row - ascent(layout.text) + layout.text / 2,
                      layout.text,
                      tick.text);
  }
}

}  // namespace

LabelledSlice with_axes(const SlicePicture& slice) {
  const Layout layout = layout_of(slice);
  LabelledSlice labelled{.picture = Picture(layout.width, layout.height),
                         .column = layout.left,
                         .row = layout.top,
                         .bar_column = layout.bar_column()};
  Picture& picture = labelled.picture;
  picture.draw_text(layout.gap, layout.gap / 2, layout.text, first_line(slice));
  picture.draw_text(layout.gap, layout.gap / 2 + layout.line, layout.text, second_line(slice));
  picture.paste(slice.picture, layout.left, layout.top);
  draw_frame(picture, layout.left, layout.top, layout.plane_width, layout.plane_height);
  draw_axis_to_the_right(picture, layout, slice.axes[0]);
  draw_axis_upwards(picture, layout, slice.axes[1]);
  draw_bar(picture, layout, slice);
  return labelled;
}

std::string_view unit_of_slice(std::string_view variable) {
  if (variable == temperature_name) return "T0";
  return variable == pressure_name ? "U^2" : "U";
}

}  // namespace dns
