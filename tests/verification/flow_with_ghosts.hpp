/// The flow of a simulation of scheme projection, point by point.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "solver/grid/case_grid.hpp"
#include "tests/verification/devices.hpp"

namespace dns::testing {

/// The fields of a copy for restart, with the points around the box.
class FlowWithGhosts {
 public:
  FlowWithGhosts(const Simulation& simulation, const Case& resolved)
      : FlowWithGhosts(state_of(simulation), resolved) {}
  FlowWithGhosts(const FlowState& state, const Case& resolved) : grid_(staggered_grid(resolved)) {
    for (const HostField& field : state.fields) fields_[field.name()] = in_doubles(field);
    const Extents n = resolved.grid.points;
    row_ = static_cast<std::size_t>(n.nx) + 2;
    plane_ = row_ * (static_cast<std::size_t>(n.ny) + 2);
  }

  [[nodiscard]] double at(const std::string& field, std::array<int, 3> c) const {
    const auto index = [&](int axis) {
      return static_cast<std::size_t>(c.at(static_cast<std::size_t>(axis)) + 1);
    };
    return fields_.at(field)[index(2) * plane_ + index(1) * row_ + index(0)];
  }
  [[nodiscard]] double velocity(std::size_t component, std::array<int, 3> c) const {
    return at(std::array<const char*, 3>{"velocity_x", "velocity_y", "velocity_z"}.at(component),
              c);
  }
  [[nodiscard]] const StaggeredAxis& axis(std::size_t axis) const { return grid_.at(axis); }
  [[nodiscard]] double width(std::size_t axis, int i) const { return grid_.at(axis).width(i); }

  /// Between the unknowns at both sides of a face: to the mirror image beyond a wall.
  [[nodiscard]] double step_across(std::size_t axis, int face) const {
    const StaggeredAxis& along = grid_.at(axis);
    const bool is_end = !along.is_periodic && (face == 0 || face == along.cells());
    return is_end ? 2 * along.centre_distance(face) : along.centre_distance(face % along.cells());
  }

 private:
  StaggeredGrid grid_;
  std::map<std::string, std::vector<double>> fields_;
  std::size_t row_ = 0, plane_ = 0;
};

inline std::array<int, 3> moved(std::array<int, 3> c, std::size_t axis, int steps) {
  c.at(axis) += steps;
  return c;
}

}  // namespace dns::testing
