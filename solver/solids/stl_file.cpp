#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <numbers>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "solver/core/error.hpp"
#include "solver/core/index.hpp"
#include "solver/core/text_file.hpp"
#include "solver/solids/triangles.hpp"

namespace dns {
namespace {

constexpr std::size_t header_bytes = 84;    // a title of 80, the number of triangles
constexpr std::size_t triangle_bytes = 50;  // normal, three corners, two bytes more

std::string bytes_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file && !file.eof()) throw IoError(fmt::format("{}: cannot be read", path));
  if (bytes.empty()) throw IoError(fmt::format("{}: not an STL file: it is empty", path));
  return without_byte_order_mark(std::move(bytes));
}

std::uint32_t count_in(const std::string& bytes) {
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + header_bytes - sizeof(count), sizeof(count));
  return count;
}

/// A binary file may begin with "solid" as a text does; its size tells.
bool is_binary(const std::string& bytes) {
  return bytes.size() >= header_bytes &&
         bytes.size() == header_bytes + triangle_bytes * std::size_t{count_in(bytes)};
}

std::vector<Place> corners_of_binary(const std::string& bytes) {
  std::vector<Place> corners;
  corners.reserve(std::size_t{3} * count_in(bytes));
  for (std::size_t at = header_bytes; at < bytes.size(); at += triangle_bytes) {
    std::array<float, 12> numbers{};
    std::memcpy(numbers.data(), bytes.data() + at, sizeof(numbers));
    for (std::size_t corner = 3; corner < numbers.size(); corner += 3) {
      corners.push_back({static_cast<double>(numbers[corner]),
                         static_cast<double>(numbers[corner + 1]),
                         static_cast<double>(numbers[corner + 2])});
    }
  }
  return corners;
}

/// Words between blanks, and the line they stand in.
class Words {
 public:
  Words(const std::string& path, std::string_view text) : path_(path), text_(text) {}

  /// Empty at the end.
  std::string_view next() {
    while (at_ < text_.size() && is_blank(text_[at_])) line_ += text_[at_++] == '\n' ? 1 : 0;
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_blank(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  double number() {
    const std::string_view word = next();
    const std::string_view digits = word.starts_with('+') ? word.substr(1) : word;
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size())
      fail(fmt::format("'{}' is no number", word));
    return value;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw IoError(fmt::format("{}:{}: not an STL file: {}", path_, line_, what));
  }

 private:
  static bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
  const std::string& path_;
  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

std::vector<Place> corners_of_text(const std::string& path, const std::string& text) {
  Words words(path, text);
  if (words.next() != "solid" || text.find('\0') != std::string::npos)
    words.fail("it is no text that begins with 'solid', and its size is not that of a binary one");
  std::vector<Place> corners;
  bool is_in_facet = false;
  std::size_t of_facet = 0;
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word == "facet") {
      if (is_in_facet && of_facet > 0) words.fail("a facet begins within another");
      is_in_facet = true;
      of_facet = 0;
    } else if (word == "vertex" && is_in_facet) {
      const double x = words.number();
      const double y = words.number();
      corners.push_back({x, y, words.number()});
      ++of_facet;
    } else if (word == "endfacet") {
      if (of_facet != 3) words.fail(fmt::format("a facet has {} corners", of_facet));
      is_in_facet = false;
    }
  }
  if (is_in_facet) words.fail("it ends within a facet");
  return corners;
}

/// Turns about x, y and z in turn.
Place turned(Place p, const PerAxis<double>& degrees) {
  for (int axis = 0; axis < 3; ++axis) {
    if (degrees[axis] == 0) continue;
    const double angle = degrees[axis] * std::numbers::pi / 180;
    double& first = p[(axis + 1) % 3];
    double& second = p[(axis + 2) % 3];
    const double before = first;
    first = std::cos(angle) * before - std::sin(angle) * second;
    second = std::sin(angle) * before + std::cos(angle) * second;
  }
  return p;
}

/// Corners that are equal become one point. Texts are written with no more digits than the binary
/// numbers have, so that both know places up to single precision.
Triangles joined(const std::vector<Place>& corners, const SolidCase& body) {
  Triangles surface;
  double largest = 0;  // coordinate in the file
  std::map<Place, std::uint32_t> numbers;
  const auto number_of = [&](Place corner) {
    for (double& x : corner) {
      if (!std::isfinite(x))
        throw IoError(fmt::format("{}: a corner's coordinate is {}", body.file.path, x));
      x += 0.0;  // -0 is 0
      largest = std::max(largest, std::abs(x));
    }
    const auto [entry, is_new] =
        numbers.try_emplace(corner, static_cast<std::uint32_t>(surface.points.size()));
    if (is_new) {
      for (double& x : corner) x *= body.scale;
      corner = turned(corner, body.orientation);
      for (int axis = 0; axis < 3; ++axis) corner[axis] += body.translation[axis];
      surface.points.push_back(corner);
    }
    return entry->second;
  };
  for (std::size_t n = 0; n + 2 < corners.size(); n += 3) {
    const std::array triangle{
        number_of(corners[n]), number_of(corners[n + 1]), number_of(corners[n + 2])};
    if (triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0])
      continue;
    surface.corners.push_back(triangle);
  }
  const auto& [x, y, z] = body.translation;
  surface.tolerance =
      static_cast<double>(std::numeric_limits<float>::epsilon()) * largest * std::abs(body.scale) +
      8 * std::numeric_limits<double>::epsilon() * (std::abs(x) + std::abs(y) + std::abs(z));
  return surface;
}

void require_closed(const Triangles& surface, const std::string& path) {
  if (surface.corners.empty()) throw IoError(fmt::format("{}: it has no triangles", path));
  std::unordered_map<std::uint64_t, int> triangles_at;  // edges
  triangles_at.reserve(surface.corners.size() * 2);
  for (const auto& triangle : surface.corners) {
    for (std::size_t n = 0; n < 3; ++n) {
      const auto [low, high] = std::minmax(triangle[n], triangle[(n + 1) % 3]);
      ++triangles_at[std::uint64_t{low} << 32U | high];
    }
  }
  std::size_t open = 0;
  std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
  for (const auto& [edge, count] : triangles_at) {
    if (count % 2 == 0) continue;
    ++open;
    first = std::min(first, edge);
  }
  if (open == 0) return;
  const Place& from = surface.points[first >> 32U];
  const Place& to = surface.points[first & 0xffffffffU];
  throw IoError(fmt::format(
      "{}: the surface is not closed: {} of {} edges belong to one triangle alone, such as that "
      "from ({:.6g}, {:.6g}, {:.6g}) to ({:.6g}, {:.6g}, {:.6g})",
      path,
      open,
      triangles_at.size(),
      from[0],
      from[1],
      from[2],
      to[0],
      to[1],
      to[2]));
}

}  // namespace

Triangles read_stl(const SolidCase& body) {
  const std::string bytes = bytes_of_file(body.file.path);
  Triangles surface = joined(
      is_binary(bytes) ? corners_of_binary(bytes) : corners_of_text(body.file.path, bytes), body);
  require_closed(surface, body.file.path);
  find_shells(surface);
  return surface;
}

}  // namespace dns
