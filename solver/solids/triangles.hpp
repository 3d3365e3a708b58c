/// A surface of triangles.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/index.hpp"
#include "solver/solids/point_places.hpp"

namespace dns {

struct Triangles {
  std::vector<std::array<double, 3>> points;          // [L], each once
  std::vector<std::array<std::uint32_t, 3>> corners;  // numbers of points
  std::size_t images = 1;  // closed surfaces that may overlap, one behind the other in `corners`
};

/// The surface of an STL file, text or binary, scaled, turned and moved as the body says. Triangles
/// that are a line or a point are left out. Throws IoError, naming the file, when it cannot be read
/// or the surface is not closed: each edge belongs to an even number of triangles.
Triangles read_stl(const SolidCase& body);

/// Those of a surface and its images beyond periodic sides that reach the points, or the places one
/// beyond them.
Triangles with_images(const Triangles& surface,
                      const Case& resolved,
                      const PointPlaces& places,
                      Extents points);

}  // namespace dns
