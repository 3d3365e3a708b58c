#include "solver/flow/conditions.hpp"

#include <algorithm>
#include <utility>

#include "solver/flow/variables.hpp"

namespace dns {
namespace {

using Kind = Condition::Kind;

Condition given_velocity(const FaceCase& face, int axis, int component) {
  const std::size_t c = component;
  Condition condition{.kind = Kind::value, .is_given = true, .given = face.velocity[c]};
  if (const auto& shear = face.shear[c]) {
    condition.kind = Kind::gradient;
    condition.weights = {0, -1};
    condition.given = *shear;
  } else if (component != axis) {
    if (face.slip_length.is_constant()) {
      condition.weights.gradient_weight = face.slip_length(0, 0, 0, 0);
    } else {
      condition.slip_length = face.slip_length;
    }
  }
  condition.file = face.velocity_file;
  condition.is_turbulent = face.turbulence.has_value();
  return condition;
}

Condition given_scalar(const ScalarAtFace& scalar) {
  Condition condition{
      .kind = Kind::value, .is_given = true, .given = scalar.given, .file = scalar.file};
  if (scalar.condition == ScalarAtFace::Condition::gradient) {
    condition.kind = Kind::gradient;
    condition.weights = BoundaryCondition::gradient();
  } else if (scalar.condition == ScalarAtFace::Condition::transfer) {
    condition.weights = {scalar.transfer, 1};
    condition.given_weight = scalar.transfer;
  }
  return condition;
}

/// What holds where the case gives nothing.
Condition condition_by_kind(const Case& resolved, FaceKind kind, bool is_normal) {
  if (kind == FaceKind::outflow) {
    const bool has_cells = resolved.scheme == Scheme::projection;
    return {.kind = Kind::open,
            .weights = has_cells ? BoundaryCondition::value() : BoundaryCondition::extrapolate()};
  }
  if (kind == FaceKind::symmetry && !is_normal)
    return {.kind = Kind::gradient, .weights = BoundaryCondition::gradient(), .given_weight = 0};
  return {.kind = kind == FaceKind::periodic ? Kind::periodic : Kind::value};
}

Condition condition_at(const Case& resolved, int face, int variable) {
  const FaceCase& at = resolved.faces[face];
  const int axis = (face / 2);
  if (!at.gives(variable)) return condition_by_kind(resolved, at.kind, variable == axis);
  Condition condition = is_velocity(variable) ? given_velocity(at, axis, variable)
                                              : given_scalar(at.scalar(variable));
  condition.moves =
      condition.is_turbulent || condition.slip_length.depends_on_time() ||
      (condition.file ? condition.file->changes_with_time() : condition.given.depends_on_time());
  return condition;
}

}  // namespace

FaceConditions::FaceConditions(const Case& resolved, int face) : kind_(resolved.faces[face].kind) {
  for (int variable = 0; variable < transported_variables(resolved); ++variable)
    of_.push_back(condition_at(resolved, face, variable));
}

bool FaceConditions::is_free() const {
  return std::any_of(of_.begin(), of_.begin() + first_scalar, [](const Condition& velocity) {
    return velocity.kind == Kind::gradient;
  });
}

bool FaceConditions::has_friction_of_means() const {
  return is_wall() && !is_free() && std::ranges::none_of(of_, &Condition::varies);
}

Conditions conditions_of(const Case& resolved) {
  return [&]<std::size_t... face>(std::index_sequence<face...>) {
    return Conditions{FaceConditions(resolved, face)...};
  }
  (std::make_index_sequence<std::tuple_size_v<Conditions>>());
}

}  // namespace dns
