#include "solver/output/stroke_font.hpp"

#include <algorithm>
#include <cstddef>

namespace dns {
namespace {

/// Points "xy" of the lines of a letter: x from its left; y is 2 at its foot, 6 at the top of small
/// letters, 8 at that of capitals. '/' begins another line; a point alone is a dot.
struct Glyph {
  char letter;
  std::string_view points;
};
constexpr double capital_height = 6;  // of these units
constexpr int foot = 2;
constexpr int letter_gap = 2;
constexpr int space_width = 3;

constexpr Glyph glyphs[] = {{'0', "12 32 43 47 38 18 07 03 12"},
                            {'1', "06 28 22/02 42"},
                            {'2', "07 18 38 47 46 02 42"},
                            {'3', "07 18 38 47 46 35 15/35 44 43 32 12 03"},
                            {'4', "32 38 04 44"},
                            {'5', "48 08 05 35 44 43 32 12 03"},
                            {'6', "47 38 18 07 03 12 32 43 44 35 15 04"},
                            {'7', "08 48 12"},
                            {'8', "15 35 46 47 38 18 07 06 15 04 03 12 32 43 44 35"},
                            {'9', "03 12 32 43 47 38 18 07 06 15 35 46"},
                            {'a', "16 36 45 42/44 14 03 12 32 43"},
                            {'b', "08 02/05 16 36 45 43 32 12 03"},
                            {'c', "45 36 16 05 03 12 32 43"},
                            {'d', "48 42/45 36 16 05 03 12 32 43"},
                            {'e', "04 44 45 36 16 05 03 12 32 43"},
                            {'f', "38 28 17 12/06 36"},
                            {'g', "46 41 30 10 01/45 36 16 05 03 12 32 43"},
                            {'h', "08 02/05 16 36 45 42"},
                            {'i', "02 06/08"},
                            {'j', "16 11 00/18"},
                            {'k', "08 02/36 04 32"},
                            {'l', "08 03 12"},
                            {'m', "02 06/05 16 26 35 32/35 46 56 65 62"},
                            {'n', "02 06/05 16 36 45 42"},
                            {'o', "12 32 43 45 36 16 05 03 12"},
                            {'p', "06 00/05 16 36 45 43 32 12 03"},
                            {'q', "46 40/45 36 16 05 03 12 32 43"},
                            {'r', "02 06/05 16 36"},
                            {'s', "45 36 16 05 14 34 43 32 12 03"},
                            {'t', "18 13 22 32/06 36"},
                            {'u', "06 03 12 32 43/46 42"},
                            {'v', "06 22 46"},
                            {'w', "06 12 25 32 46"},
                            {'x', "06 42/02 46"},
                            {'y', "06 22/46 10"},
                            {'z', "06 46 02 42"},
                            {'A', "02 06 28 46 42/04 44"},
                            {'B', "02 08 38 47 46 35 05/35 44 43 32 02"},
                            {'C', "47 38 18 07 03 12 32 43"},
                            {'D', "02 08 28 46 44 22 02"},
                            {'E', "48 08 02 42/05 35"},
                            {'F', "48 08 02/05 35"},
                            {'G', "47 38 18 07 03 12 32 43 45 25"},
                            {'H', "08 02/48 42/05 45"},
                            {'I', "08 28/02 22/18 12"},
                            {'J', "48 43 32 12 03"},
                            {'K', "08 02/48 05 42"},
                            {'L', "08 02 42"},
                            {'M', "02 08 25 48 42"},
                            {'N', "02 08 42 48"},
                            {'O', "12 32 43 47 38 18 07 03 12"},
                            {'P', "02 08 38 47 46 35 05"},
                            {'Q', "12 32 43 47 38 18 07 03 12/24 42"},
                            {'R', "02 08 38 47 46 35 05/25 42"},
                            {'S', "47 38 18 07 06 15 35 44 43 32 12 03"},
                            {'T', "08 48/28 22"},
                            {'U', "08 03 12 32 43 48"},
                            {'V', "08 22 48"},
                            {'W', "08 12 26 32 48"},
                            {'X', "08 42/02 48"},
                            {'Y', "08 25 48/25 22"},
                            {'Z', "08 48 02 42"},
                            {'+', "05 45/23 27"},
                            {'-', "05 35"},
                            {'.', "02"},
                            {',', "12 01"},
                            {':', "03/06"},
                            {'=', "04 44/06 46"},
                            {'_', "01 41"},
                            {'/', "01 38"},
                            {'(', "18 07 03 12"},
                            {')', "08 17 13 02"},
                            {'[', "18 08 01 11"},
                            {']', "08 18 11 01"},
                            {'^', "06 17 26"}};

std::string_view points_of(char letter) {
  const auto* const found = std::ranges::find(glyphs, letter, &Glyph::letter);
  return found == std::end(glyphs) ? std::string_view{} : found->points;
}

/// In units of a letter, without the gap after it.
int width_of(std::string_view points) {
  constexpr std::size_t next_point = 3;  // "xy" and what stands between
  if (points.empty()) return space_width;
  int width = 0;
  for (std::size_t n = 0; n < points.size(); n += next_point)
    width = std::max(width, points[n] - '0');
  return width;
}

/// Appends the strokes of a letter that begins at `left`.
void append(std::vector<Stroke>& strokes, std::string_view points, double left, double size) {
  constexpr std::size_t next_point = 3;
  const double unit = size / capital_height;
  const auto column = [&](std::size_t n) { return left + unit * (points[n] - '0'); };
  const auto row = [&](std::size_t n) {
    return ascent(size) - unit * (points[n + 1] - '0' - foot);
  };
  const auto joins = [&](std::size_t n) {  // the point before
    return n > 0 && points[n - 1] == ' ';
  };
  for (std::size_t n = 0; n < points.size(); n += next_point) {
    const std::size_t next = n + next_point;
    const bool is_alone = !joins(n) && (next >= points.size() || !joins(next));
    if (joins(n))
      strokes.push_back({column(n - next_point), row(n - next_point), column(n), row(n)});
    if (is_alone) strokes.push_back({column(n), row(n), column(n), row(n)});
  }
}

}  // namespace

double text_width(std::string_view text, double size) {
  int units = 0;
  for (const char letter : text) units += width_of(points_of(letter)) + letter_gap;
  return size / capital_height * std::max(units - letter_gap, 0);
}

std::vector<Stroke> strokes_of(std::string_view text, double size) {
  std::vector<Stroke> strokes;
  double left = 0;
  for (const char letter : text) {
    const std::string_view points = points_of(letter);
    append(strokes, points, left, size);
    left += size / capital_height * (width_of(points) + letter_gap);
  }
  return strokes;
}

}  // namespace dns
