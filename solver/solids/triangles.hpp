/// A surface of triangles.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "solver/config/case.hpp"

namespace dns {

struct Triangles {
  std::vector<std::array<double, 3>> points;          // [L], each once
  std::vector<std::array<std::uint32_t, 3>> corners;  // numbers of points
};

/// The surface of an STL file, text or binary, scaled, turned and moved as the body says. Triangles
/// that are a line or a point are left out. Throws IoError, naming the file, when it cannot be read
/// or the surface is not closed: each edge belongs to an even number of triangles.
Triangles read_stl(const SolidCase& body);

/// With those images of a surface that sticks out of a periodic side of the box which come in at
/// the other.
Triangles with_images(const Triangles& surface, const Case& resolved);

}  // namespace dns
