#include "solver/config/pieces_of_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "solver/config/value_parsers.hpp"
#include "solver/core/number_text.hpp"

namespace dns {
namespace {

constexpr double round_off_of_widths = 1e-9;  // of numbers written by hand, relative to widths
constexpr double no_part = std::numeric_limits<double>::infinity();
constexpr int most_cells = 65536;

/// Widths of the `count` cells between neighbours of these widths, of which one may be no part.
std::vector<double> widths_between(double low, double high, double ratio, int count) {
  std::vector<double> widths;
  for (int cell = 1; cell <= count; ++cell) {
    widths.push_back(
        std::min(low * std::pow(ratio, cell), high * std::pow(ratio, count + 1 - cell)));
  }
  return widths;
}

double sum_of(const std::vector<double>& widths) {
  double sum = 0;
  for (const double width : widths) sum += width;
  return sum;
}

/// The fewest cells between neighbours of these widths that reach over a gap [L]. Throws
/// ValueMistake where most_cells do not.
int fewest_cells(double gap, double low, double high, double ratio) {
  const auto reach = [&](int count) {
    return sum_of(widths_between(low, high, ratio, count)) >= gap * (1 - round_off_of_widths);
  };
  int too_few = 0;
  int enough = 1;
  while (!reach(enough)) {
    if (enough == most_cells)
      throw ValueMistake("a part whose cells reach the ends", "; they would be more than 65536");
    too_few = enough;
    enough = std::min(2 * enough, most_cells);
  }
  while (enough - too_few > 1) {
    const int middle = (too_few + enough) / 2;
    (reach(middle) ? enough : too_few) = middle;
  }
  return enough;
}

/// Appends the faces of the cells that fill the gap from the last of `faces` to `end`.
void fill_gap(std::vector<double>& faces, double end, double low, double high, double ratio) {
  const double begin = faces.back();
  const double gap = end - begin;
  if (gap <= round_off_of_widths * std::min(low, high)) return;
  const int count = fewest_cells(gap, low, high, ratio);
  double least = 1 / ratio;
  double most = ratio;
  for (int halving = 0; halving < 200; ++halving) {
    const double middle = (least + most) / 2;
    (sum_of(widths_between(low, high, middle, count)) < gap ? least : most) = middle;
  }
  std::vector<double> widths = widths_between(low, high, most, count);
  const double scale = gap / sum_of(widths);
  double before = low;
  double largest = 1;
  for (double& width : widths) {
    width *= scale;
    if (before < no_part) largest = std::max({largest, width / before, before / width});
    before = width;
  }
  if (high < no_part) largest = std::max({largest, before / high, high / before});
  if (largest > ratio * (1 + 1e-6)) {
    throw ValueMistake(
        "followed by enough space for cells that grow",
        fmt::format(
            "; from {} to {} the best ratio of neighbours is {:.3g}, above {}: move an end, "
            "or give a larger ratio",
            number_text(begin),
            number_text(end),
            largest,
            number_text(ratio)));
  }
  double distance = 0;
  for (int cell = 0; cell + 1 < count; ++cell) {
    distance += widths[cell];
    faces.push_back(begin + distance);
  }
  faces.push_back(end);
}

/// Sets the widths to those of whole numbers of cells; checks the order of the parts.
void settle(std::vector<UniformPart>& parts, double low, double high) {
  double before = low;
  for (UniformPart& part : parts) {
    const double length = part.last - part.first;
    if (!(part.width > 0)) throw ValueMistake("made of widths > 0");
    if (!(length > 0)) throw ValueMistake("ascending: first < last");
    const double slack = round_off_of_widths * part.width;
    if (part.first < before - slack || part.last > high + slack) {
      throw ValueMistake(fmt::format("made of parts from {} to {} that do not overlap",
                                     number_text(low),
                                     number_text(high)),
                         "; these ends are grid.origin and grid.length");
    }
    if (length / part.width > most_cells) throw ValueMistake("made of at most 65536 cells");
    part.first = std::max(part.first, before);
    part.last = std::min(part.last, high);
    part.width = length / std::max(1.0, std::round(length / part.width));
    before = part.last;
  }
}

}  // namespace

std::vector<double> faces_of_pieces(double low,
                                    double high,
                                    std::vector<UniformPart> parts,
                                    double ratio) {
  std::ranges::sort(parts, {}, &UniformPart::first);
  settle(parts, low, high);
  std::vector<double> faces{low};
  double before = no_part;
  for (const UniformPart& part : parts) {
    if (before == no_part && part.first - low <= round_off_of_widths * part.width) {
      faces.back() = low;
    } else {
      fill_gap(faces, part.first, before, part.width, ratio);
    }
    const int count = static_cast<int>(std::lround((part.last - part.first) / part.width));
    for (int cell = 1; cell <= count; ++cell)
      faces.push_back(part.first + (part.last - part.first) * (static_cast<double>(cell) / count));
    before = part.width;
  }
  fill_gap(faces, high, before, no_part, ratio);
  faces.back() = high;
  return faces;
}

LargestRatio largest_ratio(const std::vector<double>& faces, bool is_periodic) {
  LargestRatio found{.face = faces.front()};
  const std::size_t cells = faces.size() - 1;
  const auto width = [&](std::size_t cell) { return faces[cell + 1] - faces[cell]; };
  for (std::size_t cell = 0; cell < cells; ++cell) {
    if (cell == 0 && !is_periodic) continue;
    const double here = width(cell);
    const double below = width(cell == 0 ? cells - 1 : cell - 1);
    const double ratio = std::max(here / below, below / here);
    if (ratio > found.ratio * (1 + round_off_of_widths)) found = {ratio, faces[cell]};
  }
  return found;
}

}  // namespace dns
