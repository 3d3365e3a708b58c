/// A recorded plane and its points, and the datasets that its files have.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/index.hpp"

namespace dns {

/// A plane and its points as its files describe them.
struct PlaneGrid {
  /// One of the two axes in the plane.
  struct Along {
    int axis = 0;
    bool is_periodic = false;
    std::vector<double> points;  // cell centres or nodes [L]
    std::vector<double> faces;   // one more; none for nodes [L]
    friend bool operator==(const Along&, const Along&) = default;
  };
  std::string name;
  int axis = 0;   // normal to the plane
  double at = 0;  // along it [L]
  bool is_of_cells = false;
  /// What is recorded besides the velocity: temperature, pressure; by their numbers.
  std::vector<std::string> scalars;
  Precision precision = Precision::single_precision;
  std::array<Along, 2> along;  // first, the faster one, and second; none of a line
  /// x, y and z of the points of a line of probes, which is stored like a plane of one row; of a
  /// plane empty [L].
  PerAxis<std::vector<double>> line;
  [[nodiscard]] bool is_line() const { return !line[0].empty(); }
  friend bool operator==(const PlaneGrid&, const PlaneGrid&) = default;
};

PlaneGrid plane_grid(const Case& resolved, const PlaneCase& plane);
/// In the precision of the run.
PlaneGrid line_grid(const Case& resolved, const ProbeCase& line);

/// A dataset (records, second, first) of a piece; of a line (records, points).
struct PlaneDataset {
  std::string name;                 // velocity_y, velocity_y_faces, ...
  int variable = 0;                 // its number
  bool is_at_faces = false;         // of cells, of a velocity along the plane
  std::array<std::string, 2> axes;  // of its coordinates: second, first; of a line "", "point"
  std::array<std::size_t, 2> points{};
  [[nodiscard]] std::size_t count() const { return points[0] * points[1]; }
};

/// At the cell centres or nodes: velocity_x, velocity_y, velocity_z, the scalars; of cells then the
/// two velocities along the plane at their own faces.
std::vector<PlaneDataset> datasets_of(const PlaneGrid& grid);

}  // namespace dns
