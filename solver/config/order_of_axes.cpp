#include "solver/config/order_of_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <vector>

#include "solver/config/face_coordinates.hpp"
#include "solver/config/operators_across_walls.hpp"
#include "solver/core/index.hpp"

namespace dns {
namespace {

/// Whether no line along an axis meets the surface of a body: an endless cylinder along it, or a
/// box from end to end. Of bodies by formula and from files that is not known.
bool spans(const SolidCase& body, const Case& read, int axis) {
  if (body.shape == SolidCase::Shape::cylinder) return body.axis == axis && !body.length;
  const double low = read.grid.origin[axis];
  return body.shape == SolidCase::Shape::box && body.low[axis] <= low &&
         body.high[axis] >= low + read.grid.length[axis];
}

}  // namespace

std::string obstacle_to(int order, const Case& read, int axis) {
  const std::string& name = axis_name(axis);
  if (order == 2) return {};
  if (!read.is_periodic(axis)) {
    const std::array faces{face_index(axis, false), face_index(axis, true)};
    for (const int face : faces) {
      if (read.faces[face].kind != FaceKind::symmetry)
        return fmt::format("{} is neither periodic nor between two faces of type symmetry", name);
    }
    for (const int face : faces) {
      for (int n = 0; n < read.scalar_count(); ++n) {
        const int variable = first_scalar + n;
        if (read.faces[face].gives(variable))
          return fmt::format("the {} given at {} is not symmetric to it",
                             read.name_of_scalar(variable),
                             face_names[face]);
      }
    }
    if (read.buoyancy && read.buoyancy->direction[axis] != 0)
      return fmt::format("buoyancy acts across the planes of symmetry along {}", name);
    const PerAxis<double> rate = read.coriolis_rate();
    if (std::abs(rate[axis]) < read.coriolis_frequency())
      return fmt::format("rotation acts across the planes of symmetry along {}", name);
    if (read.magnetic && std::abs(read.magnetic->direction()[axis]) < 1)
      return fmt::format("a magnetic field acts across the planes of symmetry along {}", name);
  }
  if (read.is_stretched(axis)) return fmt::format("{} is stretched", name);
  if (read.grid.points[axis] < order)
    return fmt::format("{} has {} cells", name, read.grid.points[axis]);
  for (const SolidCase& body : read.solids) {
    if (!spans(body, read, axis))
      return fmt::format("the surface of {} crosses lines along {}", body.name, name);
  }
  return {};
}

std::string obstacle_across_walls(const Case& read, int axis) {
  constexpr int fewest = OperatorsAcrossWalls::fewest_cells;
  const std::string& name = axis_name(axis);
  if (axis != 1)
    return fmt::format(
        "{} ends at boundaries, and order 4 goes across these along y alone: put the walls along y",
        name);
  for (const int across : {0, 2}) {
    if (!read.is_periodic(across) || read.is_stretched(across))
      return fmt::format(
          "order 4 across walls along y needs x and z periodic and uniform, but {} is {}",
          axis_name(across),
          read.is_periodic(across) ? "stretched" : "not periodic");
  }
  for (const int face : {face_index(axis, false), face_index(axis, true)}) {
    const FaceCase& at = read.faces[face];
    if (at.kind != FaceKind::wall && at.kind != FaceKind::symmetry)
      return fmt::format(
          "order 4 goes across walls and planes of symmetry alone, but the flow passes {}",
          face_names[face]);
    if (!at.slip_length.is_constant())
      return fmt::format("the slip_length of {} is a formula; give a number", face_names[face]);
  }
  if (!read.solids.empty()) return "bodies and order 4 across walls exclude each other";
  if (read.grid.points[axis] <= 0) return {};  // which has a message of its own
  if (read.grid.points[axis] < fewest)
    return fmt::format(
        "y has {} cells; order 4 across walls needs {}", read.grid.points[axis], fewest);
  const std::vector<double> faces = face_coordinates(read.grid, axis);
  if (std::ssize(faces) != read.grid.points[axis] + 1) return {};  // likewise
  const OperatorsAcrossWalls operators(faces);
  if (!operators.has_positive_volumes())
    return "the widths of the cells beside walls differ so much that volumes of order 4 are "
           "negative; "
           "take more cells or less stretching";
  return {};
}

bool has_rows_across_walls(const Case& resolved, int axis) {
  return axis == 1 && resolved.scheme == Scheme::projection && resolved.accuracy.order[axis] == 4 &&
         !resolved.is_periodic(axis) && !obstacle_to(4, resolved, axis).empty();
}

int fewest_cells(const Case& resolved, int axis) {
  return has_rows_across_walls(resolved, axis) ? OperatorsAcrossWalls::fewest_cells
                                               : resolved.accuracy.order[axis];
}

double roughness_of_widths(const std::vector<double>& faces) {
  double largest = 0;
  for (std::size_t i = 1; i + 2 < faces.size(); ++i) {
    const double low = faces[i] - faces[i - 1];
    const double here = faces[i + 1] - faces[i];
    const double high = faces[i + 2] - faces[i + 1];
    largest = std::max(largest, std::abs(high - 2 * here + low) / here);
  }
  return largest;
}

}  // namespace dns
