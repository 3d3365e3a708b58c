#include <string>

#include "solver/config/section_readers.hpp"

namespace dns {

void check_planes(ValueReader& reader, const Case& read) {
  for (const PlaneCase& plane : read.output.planes->planes) {
    const std::string path = "output.planes." + plane.name;
    if (!reader.is_wrong(path) && reader.is_right(path + ".axis"))
      check_place_of_plane(reader, path + ".at", read.grid, plane.axis, plane.at);
  }
  if (read.output.planes->planes.empty() && reader.is_map("output.planes"))
    reader.add_problem("output.planes", "names no plane, such as inlet: {axis: x, at: 1}");
}

}  // namespace dns
