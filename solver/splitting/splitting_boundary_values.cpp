#include "solver/splitting/splitting_boundary_values.hpp"

#include "solver/grid/case_grid.hpp"

namespace dns {

BoundaryCondition condition_on(const FaceCase& face, int axis, int variable) {
  if (face.kind == FaceKind::outflow) return BoundaryCondition::extrapolate();
  if (face.kind == FaceKind::symmetry) {
    return variable == axis ? BoundaryCondition::value() : BoundaryCondition::gradient();
  }
  return face.gives_gradient(variable) ? BoundaryCondition::gradient() : BoundaryCondition::value();
}

std::vector<double> given_at_nodes(
    const Case& resolved, const Subdomain& part, std::size_t face, int variable, double t) {
  const int normal = static_cast<int>(face / 2);
  const auto [along_rows, across_rows] = axes_in_plane(static_cast<Axis>(normal));
  const int first = static_cast<int>(along_rows);
  const int second = static_cast<int>(across_rows);
  const int first_points = part.points()[first];
  const int second_points = part.points()[second];
  std::vector<double> values(static_cast<std::size_t>(first_points) *
                             static_cast<std::size_t>(second_points));
  const FaceCase& conditions = resolved.faces[face];
  if (!conditions.gives_values()) return values;

  const Expression& expression = conditions.given(variable);
  double at[3] = {};
  at[normal] = coordinate(resolved, normal, face % 2 == 0 ? 0 : part.whole[normal] - 1);
  std::size_t n = 0;
  for (int b = 0; b < second_points; ++b) {
    at[second] = coordinate(resolved, second, part.first(second) + b);
    for (int a = 0; a < first_points; ++a) {
      at[first] = coordinate(resolved, first, part.first(first) + a);
      values[n++] = expression(at[0], at[1], at[2], t);
    }
  }
  return values;
}

}  // namespace dns
