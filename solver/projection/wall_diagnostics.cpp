#include "solver/projection/wall_diagnostics.hpp"

#include <cmath>

#include "solver/core/level_view.hpp"
#include "solver/inflow/face_points.hpp"
#include "solver/projection/projection_boundary_values.hpp"

namespace dns {
namespace {

bool has_given_temperature(const FaceCase& face) {
  return face.kind == FaceKind::wall && face.temperature_condition == TemperatureCondition::value;
}

double mean_temperature(const Case& resolved, std::size_t face) {
  const FacePoints points = face_points(resolved, face);
  return points.mean(values_of_formula(resolved.faces[face].temperature, points, 0));
}

}  // namespace

WallDiagnostics::WallDiagnostics(const Case& resolved, const StaggeredGrid& grid)
    : has_temperature_(resolved.has_temperature()),
      viscosity_(resolved.viscosity()),
      conductivity_(has_temperature_ ? resolved.conductivity() : 0) {
  for (std::size_t face = 0; face < face_names.size(); ++face) {
    if (resolved.faces[face].kind == FaceKind::wall) walls_.push_back({face, area_of(grid, face)});
  }
  for (std::size_t axis = 0; has_temperature_ && axis < grid.size(); ++axis) {
    if (!has_given_temperature(resolved.faces[2 * axis]) ||
        !has_given_temperature(resolved.faces[2 * axis + 1])) {
      continue;
    }
    const double difference =
        mean_temperature(resolved, 2 * axis) - mean_temperature(resolved, 2 * axis + 1);
    if (difference == 0) continue;
    conducted_[axis] = difference / grid[axis].length();
    if (heated_axis_ < 0) heated_axis_ = static_cast<int>(axis);
  }
}

std::vector<std::string> WallDiagnostics::names() const {
  std::vector<std::string> names;
  for (const Wall& wall : walls_) {
    const auto [first, second] = axes_in_plane(static_cast<Axis>(wall.face / 2));
    for (const Axis axis : {first, second}) {
      names.push_back("wall_shear_" + face_names[wall.face] + "_" +
                      axis_name(static_cast<int>(axis)));
    }
  }
  if (!walls_.empty()) names.emplace_back("friction_velocity");
  if (!has_temperature_) return names;
  for (const Wall& wall : walls_) names.push_back("nusselt_" + face_names[wall.face]);
  if (heated_axis_ >= 0) names.emplace_back("nusselt_volume");
  return names;
}

std::vector<double> WallDiagnostics::values(const WallSums& sums, double transport) const {
  std::vector<double> values;
  double force = 0;
  double area = 0;
  for (const Wall& wall : walls_) {
    const auto& slopes = sums.planes[wall.face];
    values.push_back(viscosity_ * slopes[0] / wall.area);
    values.push_back(viscosity_ * slopes[1] / wall.area);
    force += viscosity_ * std::hypot(slopes[0], slopes[1]);
    area += wall.area;
  }
  if (!walls_.empty()) values.push_back(std::sqrt(force / area));
  if (!has_temperature_) return values;
  for (const Wall& wall : walls_) {
    const double along_axis = wall.face % 2 == 0 ? -1 : 1;  // slopes are towards the inside
    values.push_back(along_axis * sums.planes[wall.face][2] / wall.area /
                     conducted_[wall.face / 2]);
  }
  if (heated_axis_ >= 0) {
    values.push_back(1 + transport / conductivity_ /
                             conducted_[static_cast<std::size_t>(heated_axis_)]);
  }
  return values;
}

}  // namespace dns
