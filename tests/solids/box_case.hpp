/// Cases with bodies, and where their points are.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "solver/config/load_case.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/solids/solid_points.hpp"
#include "tests/thread_ranks.hpp"

namespace dns::testing {

inline const std::string boundaries_with_walls =
    "x: periodic, y_min: {type: wall}, y_max: {type: "
    "wall}, z: periodic";
inline const std::string all_periodic = "x: periodic, y: periodic, z: periodic";

/// Scheme projection on a grid of odd and unequal numbers of cells, stretched along y and z.
inline Case staggered_case(const std::string& solids,
                           const std::string& boundaries = boundaries_with_walls,
                           const std::string& grid = R"({
  points: [13, 17, 11], length: [1.3, 1.5, 1.1], origin: [0.1, -0.7, 0.2],
  stretching: {y: {type: tanh, factor: 1.2},
               z: {type: coordinates, coordinates: [0.2, 0.28, 0.4, 0.51, 0.6, 0.7, 0.79, 0.88,
                                                    0.97, 1.08, 1.2, 1.3]}}})") {
  return parse_case("scheme: projection\ngrid: " + grid + "\nfluid: {reynolds: 1}\nboundaries: {" +
                        boundaries + "}\ntime: {step: 1, steps: 1}\nrun: {threads: 3}\nsolids:\n" +
                        solids + "\n",
                    "case.yaml",
                    {});
}

/// Scheme splitting on nodes of odd and unequal numbers.
inline Case nodal_case(const std::string& solids) {
  return parse_case(R"(scheme: splitting
grid: {points: [13, 17, 11], length: [1.3, 1.5, 1.1], origin: [0.1, -0.7, 0.2]}
fluid: {reynolds: 1, prandtl: 1}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: 1}
  y_max: {type: wall, temperature: 1}
  z: periodic
time: {step: 1, steps: 1}
solids:
)" + solids + "\n",
                    "case.yaml",
                    {});
}

/// A cube of n cells.
inline std::string cube_of(int n, double length = 1) {
  const std::string cells = std::to_string(n);
  const std::string side = std::to_string(length);
  return "{points: [" + cells + ", " + cells + ", " + cells + "], length: [" + side + ", " + side +
         ", " + side + "]}";
}

inline std::vector<SolidPoints> points_of(const Case& resolved) {
  std::vector<SolidPoints> points;
  ThreadRanks::run(1, [&](Communicator& communicator) {
    points = find_solid_points(resolved, whole_box(resolved), communicator);
  });
  return points;
}

template <class Visit>
void for_each_point(const Case& resolved, const Visit& visit) {
  const Extents n = resolved.grid.points;
  for (int k = 0; k < n.nz; ++k) {
    for (int j = 0; j < n.ny; ++j) {
      for (int i = 0; i < n.nx; ++i) visit(Index3{i, j, k});
    }
  }
}

inline std::size_t count_in_bodies(const Case& resolved, const SolidPoints& points) {
  std::size_t count = 0;
  for_each_point(resolved, [&](Index3 c) { count += points.body_at(c) == no_body ? 0 : 1; });
  return count;
}

/// Places of a variable's points, one more at every end included.
class Places {
 public:
  Places(const Case& resolved, int variable) {
    for (int axis = 0; axis < 3; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      std::vector<double> along = point_coordinates(resolved, axis, variable);
      const double length = resolved.grid.length[a];
      const bool is_periodic = resolved.is_periodic(axis);
      const double before = is_periodic ? along.back() - length : 2 * along[0] - along[1];
      const double behind = is_periodic ? along.front() + length : 1e30;  // never in a body
      along.insert(along.begin(), before);
      along.push_back(behind);
      along_[a] = along;
    }
  }
  [[nodiscard]] PerAxis<double> at(Index3 c) const {
    return {along_[0][c.i + 1], along_[1][c.j + 1], along_[2][c.k + 1]};
  }

 private:
  PerAxis<std::vector<double>> along_;
};

inline Index3 moved(Index3 c, int axis, int steps) {
  c[axis] += steps;
  return c;
}

/// Whether the sweeps solve for a variable at a point of the box.
inline bool is_unknown(const Case& resolved, int variable, Index3 c) {
  for (int axis = 0; axis < 3; ++axis) {
    if (resolved.is_periodic(axis)) continue;
    const int index = c[axis];
    const bool is_nodal = resolved.scheme == Scheme::splitting;
    if (index == 0 && (is_nodal || axis == variable)) return false;
    if (is_nodal && index == resolved.grid.points[axis] - 1) return false;
  }
  return true;
}

}  // namespace dns::testing
