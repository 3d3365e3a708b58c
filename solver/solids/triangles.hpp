/// A surface of triangles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/index.hpp"

namespace dns {

using Place = PerAxis<double>;  // [L]

/// A closed part of a surface, connected along edges: some of the triangles.
struct Shell {
  std::size_t begin = 0, end = 0;
  bool is_cavity = false;   // of the shell around it
  bool is_oriented = true;  // its triangles turn counter-clockwise seen from outside; else nothing
                            // is known of them
};

struct Triangles {
  std::vector<Place> points;                          // each once
  std::vector<std::array<std::uint32_t, 3>> corners;  // numbers of points
  std::vector<Shell> shells;                          // one behind the other in `corners`
  double tolerance = 0;  // places are known up to it: single precision of the file [L]
};

/// Corners of triangle n, moved as an image is.
[[nodiscard]] std::array<Place, 3> triangle_of(const Triangles& surface,
                                               std::size_t n,
                                               const Place& image);

/// The surface of an STL file, text or binary, scaled, turned and moved as the body says. Triangles
/// that are a line or a point are left out. Throws IoError, naming the file, when it cannot be read
/// or the surface is not closed: each edge belongs to an even number of triangles.
Triangles read_stl(const SolidCase& body);

/// Finds the shells of a closed surface and turns their triangles, whatever they were turned like.
/// Points are in the body where they are in more shells than cavities: shells that overlap make a
/// union, a shell within another is a cavity of it, one within a cavity is solid again.
void find_shells(Triangles& surface);

/// Compares the size of a surface with that of the box: throws CaseError, naming the body and the
/// likely mistake of units, where it lies beside the box or has too many images in it.
void require_fitting_size(const Triangles& surface, const SolidCase& body, const Case& resolved);

/// "; in millimetres? ..." where another unit of length would make a surface fit the box; else
/// empty.
std::string likely_unit(const Triangles& surface, const SolidCase& body, const Case& resolved);

/// Corners of the smallest box around some places.
struct Bounds {
  Place low{}, high{};
};
[[nodiscard]] Bounds bounds_of(const Triangles& surface);

/// How far a surface and its images beyond periodic sides that reach into some bounds are moved.
std::vector<Place> images_of(const Triangles& surface, const Case& resolved, const Bounds& bounds);

/// From a place to the nearest one of a triangle.
[[nodiscard]] double distance_from(const Place& x, const std::array<Place, 3>& triangle);

/// +1 or -1 where the line along an axis through a place passes through a triangle: upwards or
/// downwards through it, by the turn of its corners; else 0. Whether it passes on one side or the
/// other of an edge is the same for both triangles there. `crossing`: where it does.
[[nodiscard]] int crosses_line(const std::array<Place, 3>& triangle,
                               int axis,
                               const Place& line,
                               double& crossing);

}  // namespace dns
