#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "solver/config/section_readers.hpp"

namespace dns {
namespace {

const std::string section = "output.planes";

PlaneCase read_plane(ValueReader& reader, const GridCase& grid, const std::string& name) {
  PlaneCase plane;
  plane.name = name;
  const std::string path = fmt::format("{}.{}", section, name);
  if (!is_plane_name(name)) {
    reader.add_problem(path,
                       "the name of a plane is made of letters, digits, '_' and '-', 50 at most");
    return plane;
  }
  if (ends_like_a_piece(name)) {
    reader.add_problem(path, "the name of a plane must not end in '_' and eight digits or more");
    return plane;
  }
  const std::optional<std::string> axis = reader.choice(path + ".axis");
  if (axis) plane.axis = value_named<int>(*axis, axis_names).value();
  const double first = grid.origin.at(static_cast<std::size_t>(plane.axis));
  if (!axis) {
    plane.at = reader.number(path + ".at").value_or(first);
    return plane;
  }
  plane.at = read_place_of_plane(reader, path + ".at", grid, plane.axis, first);
  return plane;
}

}  // namespace

bool ends_like_a_piece(const std::string& name) {
  constexpr std::size_t fewest_digits = 8;
  const std::string after = name.substr(name.rfind('_') + 1);
  return after.size() < name.size() && after.size() >= fewest_digits &&
         std::ranges::all_of(
             after, [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
}

PlanesCase read_planes(ValueReader& reader, const Case& read) {
  PlanesCase planes;
  planes.every = reader.whole(section + ".every").value_or(1);
  planes.start = reader.number(section + ".start").value_or(0);
  if (reader.choice(section + ".precision") == "double")
    planes.precision = Precision::double_precision;
  for (const std::string& name : reader.words_in(section)) {
    const std::string path = fmt::format("{}.{}", section, name);
    const Key* const key = find_key(path);
    const bool is_plane =
        key != nullptr && key->path == section + ".NAME";  // else refused, or a key
    if (is_plane) planes.planes.push_back(read_plane(reader, read.grid, name));
  }
  if (planes.planes.empty() && reader.is_map(section))
    reader.add_problem(section, "names no plane, such as inlet: {axis: x, at: 1}");
  return planes;
}

}  // namespace dns
