#include "solver/projection/wall_diagnostics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solver/core/index.hpp"
#include "solver/projection/projection_boundary_values.hpp"

namespace dns {
namespace {

/// Whether a scalar may diffuse through a face through which nothing flows.
bool passes(const FaceConditions& face, int variable) {
  return !face.is_opening() && face[variable].is_given;
}

/// Whether a formula gives the temperature at a face, or outside of it.
bool has_given_temperature(const FaceConditions& face) {
  const Condition& condition = face[first_scalar];
  return passes(face, first_scalar) && condition.has_formula() &&
         condition.kind == Condition::Kind::value && condition.weights.value_weight > 0;
}

bool depends_on_time(const std::array<Expression, 2>& of_ends) {
  return of_ends[0].depends_on_time() || of_ends[1].depends_on_time();
}

}  // namespace

double WallDiagnostics::HeatedAxis::gradient(double time) const {
  constexpr double round_off = 1e-12;
  std::array<double, 2> mean{};
  double magnitude = 0;
  for (std::size_t end = 0; end < 2; ++end) {
    std::vector<double> values = values_of_formula(temperature[end], points[end], time);
    mean[end] = points[end].mean(values);
    for (double& value : values) value = std::abs(value);
    magnitude = std::max(magnitude, points[end].mean(values));
  }
  const double difference = mean[0] - mean[1];
  return std::abs(difference) <= round_off * magnitude ? 0 : difference / whole_length();
}

WallDiagnostics::WallDiagnostics(const Case& resolved, const StaggeredGrid& grid)
    : viscosity_(resolved.viscosity()) {
  const Conditions conditions = conditions_of(resolved);
  for (int face = 0; face < face_names.size(); ++face) {
    if (conditions[face].is_wall())
      walls_.push_back({face, area_of(grid, face), conditions[face].is_free()});
  }
  has_friction_ = !std::ranges::all_of(walls_, &Wall::is_free);
  for (int n = 0; n < resolved.scalar_count(); ++n) {
    const int variable = first_scalar + n;
    Scalar scalar{resolved.name_of_scalar(variable), resolved.diffusivity(variable), {}};
    for (int face = 0; face < face_names.size(); ++face) {
      if (passes(conditions[face], variable))
        scalar.walls.push_back({face, area_of(grid, face), false});
    }
    if (resolved.is_temperature(variable)) {
      temperature_ = std::move(scalar);
    } else {
      scalars_.push_back(std::move(scalar));
    }
  }
  for (int axis = 0; temperature_ && axis < grid.size(); ++axis) {
    if (!has_given_temperature(conditions[2 * axis]) ||
        !has_given_temperature(conditions[2 * axis + 1]))
      continue;
    const Condition& low = conditions[2 * axis][first_scalar];
    const Condition& high = conditions[2 * axis + 1][first_scalar];
    HeatedAxis heated{
        .points = {face_points(resolved, 2 * axis), face_points(resolved, 2 * axis + 1)},
        .temperature = {low.given, high.given},
        .resistance = {low.distance_of_given(), high.distance_of_given()},
        .length = grid[axis].length(),
        .constant = {}};
    if (depends_on_time(heated.temperature)) {
      if (low.given.text() == high.given.text()) continue;
    } else {
      heated.constant = heated.gradient(0);
      if (*heated.constant == 0) continue;
    }
    heated_[axis] = std::move(heated);
    if (heated_axis_ < 0) heated_axis_ = axis;
  }
}

std::vector<std::string> WallDiagnostics::names() const {
  std::vector<std::string> names;
  for (const Wall& wall : walls_) {
    const auto [first, second] = axes_in_plane(wall.face / 2);
    for (const Axis axis : {first, second}) {
      names.push_back("wall_shear_" + face_names[wall.face] + "_" + axis_name(axis));
    }
  }
  if (has_friction_) names.emplace_back("friction_velocity");
  if (temperature_) {
    for (const Wall& wall : temperature_->walls)
      names.push_back((heated_[wall.face / 2] ? "nusselt_" : "heat_flux_") + face_names[wall.face]);
  }
  if (heated_axis_ >= 0) names.emplace_back("nusselt_volume");
  for (const Scalar& scalar : scalars_) {
    for (const Wall& wall : scalar.walls)
      names.push_back(scalar.name + "_flux_" + face_names[wall.face]);
  }
  return names;
}

WallDiagnostics::Values WallDiagnostics::values(const WallSums& sums,
                                                double transport,
                                                double time) const {
  Values values;
  double force = 0;
  double area = 0;
  for (const Wall& wall : walls_) {
    const auto& slopes = sums.planes[wall.face];
    values.all.push_back(viscosity_ * slopes[0] / wall.area);
    values.all.push_back(viscosity_ * slopes[1] / wall.area);
    if (wall.is_free) continue;
    force += viscosity_ * std::hypot(slopes[0], slopes[1]);
    area += wall.area;
  }
  if (has_friction_) values.all.push_back(std::sqrt(force / area));
  const auto along_axis = [](const Wall& wall) {  // slopes are towards the inside
    return wall.face % 2 == 0 ? -1 : 1;
  };
  PerAxis<double> conducted{};  // [T0/L]
  for (int axis = 0; axis < conducted.size(); ++axis) {
    if (heated_[axis]) conducted[axis] = heated_[axis]->constant.value_or(0);
    if (heated_[axis] && !heated_[axis]->constant) conducted[axis] = heated_[axis]->gradient(time);
  }
  const auto add_nusselt = [&](double gradient, double excess, int axis) {
    const double ratio = gradient / conducted[axis];
    const bool is_undefined = conducted[axis] == 0 && std::isfinite(gradient);
    values.undefined += is_undefined ? 1 : 0;
    values.all.push_back(is_undefined ? std::numeric_limits<double>::quiet_NaN() : excess + ratio);
  };
  if (temperature_) {
    for (const Wall& wall : temperature_->walls) {
      const double gradient = along_axis(wall) * sums.planes[wall.face][2] / wall.area;
      if (heated_[wall.face / 2]) {
        add_nusselt(gradient, 0, wall.face / 2);
      } else {
        values.all.push_back(temperature_->diffusivity * gradient);
      }
    }
  }
  if (heated_axis_ >= 0) {
    // A wall with a transfer has the temperature T + slope/h, T that outside.
    const HeatedAxis& heated = *heated_[heated_axis_];
    double gradient = transport / temperature_->diffusivity;
    for (const Wall& wall : temperature_->walls) {
      if (wall.face / 2 != heated_axis_) continue;
      gradient -= along_axis(wall) * heated.resistance[wall.face % 2] * sums.planes[wall.face][2] /
                  wall.area / heated.length;
    }
    add_nusselt(gradient, heated.whole_length() / heated.length, heated_axis_);
  }
  for (std::size_t n = 0; n < scalars_.size(); ++n) {
    for (const Wall& wall : scalars_[n].walls) {
      values.all.push_back(scalars_[n].diffusivity * along_axis(wall) * sums.scalars[n][wall.face] /
                           wall.area);
    }
  }
  return values;
}

}  // namespace dns
