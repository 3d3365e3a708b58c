#include "solver/splitting/splitting_boundary_values.hpp"

#include "solver/grid/uniform_grid.hpp"

namespace dns {
namespace {

bool has_given_values(const FaceCase& face) {
  return face.kind == FaceKind::wall || face.kind == FaceKind::inflow;
}

const Expression& target_expression(const FaceCase& face, int variable) {
  return variable == temperature_variable ? face.temperature
                                          : face.velocity[static_cast<std::size_t>(variable)];
}

}  // namespace

BoundaryCondition condition_on(const FaceCase& face, int axis, int variable) {
  if (face.kind == FaceKind::outflow) return BoundaryCondition::extrapolate();
  if (face.kind == FaceKind::symmetry) {
    return variable == axis ? BoundaryCondition::value() : BoundaryCondition::gradient();
  }
  const bool is_gradient = variable == temperature_variable &&
                           face.temperature_condition == TemperatureCondition::gradient;
  return is_gradient ? BoundaryCondition::gradient() : BoundaryCondition::value();
}

std::vector<double> face_targets(const Case& resolved, std::size_t face, int variable, double t) {
  const int normal = static_cast<int>(face / 2);
  const int first = normal == 0 ? 1 : 0;  // the axis along which values are contiguous
  const int second = normal == 2 ? 1 : 2;
  const int first_points = points_along(resolved.grid, first);
  const int second_points = points_along(resolved.grid, second);
  std::vector<double> targets(static_cast<std::size_t>(first_points) *
                              static_cast<std::size_t>(second_points));
  const FaceCase& conditions = resolved.faces[face];
  if (!has_given_values(conditions)) return targets;

  const Expression& expression = target_expression(conditions, variable);
  double at[3] = {};
  at[normal] =
      coordinate(resolved, normal, face % 2 == 0 ? 0 : points_along(resolved.grid, normal) - 1);
  std::size_t n = 0;
  for (int b = 0; b < second_points; ++b) {
    at[second] = coordinate(resolved, second, b);
    for (int a = 0; a < first_points; ++a) {
      at[first] = coordinate(resolved, first, a);
      targets[n++] = expression(at[0], at[1], at[2], t);
    }
  }
  return targets;
}

bool has_moving_targets(const FaceCase& face, int variable) {
  return has_given_values(face) && target_expression(face, variable).depends_on_time();
}

}  // namespace dns
