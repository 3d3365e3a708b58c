#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "solver/config/section_readers.hpp"
#include "solver/config/value_parsers.hpp"

namespace dns {
namespace {

/// "inlet_00000120": planes_inlet_00000120.h5 is a piece of the records called inlet.
bool ends_like_a_piece(const std::string& name) {
  constexpr std::size_t fewest_digits = 8;
  const std::string after = name.substr(name.rfind('_') + 1);
  return after.size() < name.size() && after.size() >= fewest_digits &&
         std::ranges::all_of(
             after, [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
}

void read_plane(ValueReader& reader, Case& read, const std::string& name) {
  const std::size_t number = read.output.planes->planes.size();
  PlaneCase& plane = read.output.planes->planes.emplace_back();
  plane.name = name;
  const std::string path = "output.planes." + name;
  if (!check_name_of_file(reader, path, "plane", name)) return;
  reader.read_section(path, read, number);
  const bool has_axis = reader.is_given(path + ".axis") && !reader.is_wrong(path + ".axis");
  if (has_axis) check_place_of_plane(reader, path + ".at", read.grid, plane.axis, plane.at);
}

}  // namespace

bool check_name(ValueReader& reader,
                const std::string& path,
                const std::string& what,
                const std::string& name) {
  if (is_name(name, "_-", 50)) return true;
  reader.add_problem(
      path,
      fmt::format("the name of a {} is made of letters, digits, '_' and '-', 50 at most", what));
  return false;
}

bool check_name_of_file(ValueReader& reader,
                        const std::string& path,
                        const std::string& what,
                        const std::string& name) {
  if (!check_name(reader, path, what, name)) return false;
  if (!ends_like_a_piece(name)) return true;
  reader.add_problem(
      path, fmt::format("the name of a {} must not end in '_' and eight digits or more", what));
  return false;
}

void read_planes(ValueReader& reader, Case& read) {
  read.output.planes.emplace();
  const std::string section = "output.planes";
  reader.read_section(section, read);
  for (const std::string& name : reader.names_in(section)) read_plane(reader, read, name);
  if (read.output.planes->planes.empty() && reader.is_map(section))
    reader.add_problem(section, "names no plane, such as inlet: {axis: x, at: 1}");
}

}  // namespace dns
