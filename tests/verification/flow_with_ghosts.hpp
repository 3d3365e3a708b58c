/// The flow of a simulation of scheme projection, point by point.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "solver/grid/case_grid.hpp"
#include "tests/verification/devices.hpp"

namespace dns::testing {

/// The fields of a copy for restart, with the points around the box; the pressure is that of the
/// flow.
class FlowWithGhosts {
 public:
  FlowWithGhosts(const Simulation& simulation, const Case& resolved)
      : FlowWithGhosts(state_of(simulation), resolved) {}
  FlowWithGhosts(const FlowState& state, const Case& resolved) : grid_(staggered_grid(resolved)) {
    for (const HostField& field : state.fields) fields_[field.name()] = in_doubles(field);
    fields_["pressure"] = fields_.at("pressure_of_flow");
    const Extents n = resolved.grid.points;
    row_ = static_cast<std::size_t>(n.nx) + 2;
    plane_ = row_ * (static_cast<std::size_t>(n.ny) + 2);
  }

  [[nodiscard]] double at(const std::string& field, PerAxis<int> c) const {
    const auto index = [&](int axis) { return static_cast<std::size_t>(c[axis] + 1); };
    return fields_.at(field)[index(2) * plane_ + index(1) * row_ + index(0)];
  }
  [[nodiscard]] double velocity(int component, PerAxis<int> c) const {
    return at(PerAxis<const char*>{"velocity_x", "velocity_y", "velocity_z"}[component], c);
  }
  [[nodiscard]] const StaggeredAxis& axis(int axis) const { return grid_[axis]; }
  [[nodiscard]] double width(int axis, int i) const { return grid_[axis].width(i); }

  /// Between the unknowns at both sides of a face: to the mirror image beyond a wall.
  [[nodiscard]] double step_across(int axis, int face) const {
    const StaggeredAxis& along = grid_[axis];
    const bool is_end = !along.is_periodic && (face == 0 || face == along.cells());
    return is_end ? 2 * along.centre_distance(face) : along.centre_distance(face % along.cells());
  }

 private:
  StaggeredGrid grid_;
  std::map<std::string, std::vector<double>> fields_;
  std::size_t row_ = 0, plane_ = 0;
};

inline PerAxis<int> moved(PerAxis<int> c, int axis, int steps) {
  c[axis] += steps;
  return c;
}

}  // namespace dns::testing
