#include "solver/flow/variables.hpp"

#include <cstddef>

namespace dns {

std::vector<Variable> solved_variables(const Case& resolved) {
  const bool has_cells = resolved.scheme == Scheme::projection;
  const auto centres = has_cells ? Variable::Location::cells : Variable::Location::nodes;
  std::vector<Variable> variables;
  for (int axis = 0; axis < 3; ++axis) {
    variables.push_back({.name = std::string(velocity_names.at(axis)),
                         .dataset = std::string(velocity_name),
                         .symbol = std::string(1, "uvw"[axis]),
                         .unit = "U",
                         .location = has_cells ? Variable::Location::faces : centres,
                         .axis = axis,
                         .transport = Variable::Transport::momentum,
                         .diffusivity = resolved.viscosity()});
  }
  for (int n = 0; n < resolved.scalar_count(); ++n) {
    const int variable = first_scalar + n;
    const std::string name = resolved.name_of_scalar(variable);
    const bool is_temperature = resolved.is_temperature(variable);
    variables.push_back({.name = name,
                         .dataset = name,
                         .symbol = is_temperature ? "T" : name,
                         .unit = is_temperature ? "T0" : "",
                         .location = centres,
                         .transport = Variable::Transport::scalar,
                         .diffusivity = resolved.diffusivity(variable)});
  }
  if (has_cells) {
    variables.push_back({.name = std::string(pressure_name),
                         .dataset = std::string(pressure_name),
                         .symbol = "p",
                         .unit = "U^2",
                         .location = centres});
  }
  return variables;
}

std::vector<Variable> variables_of(const Case& resolved) {
  std::vector<Variable> variables = solved_variables(resolved);
  const auto location =
      resolved.scheme == Scheme::projection ? Variable::Location::cells : Variable::Location::nodes;
  if (!resolved.solids.empty()) {
    variables.push_back({.name = std::string(solid_name),
                         .dataset = std::string(solid_name),
                         .kind = Variable::Kind::constant,
                         .location = location});
  }
  for (const DerivedField& field : derived_fields) {
    for (int component = 0; component < field.components; ++component) {
      variables.push_back({.name = name_of(field, component),
                           .dataset = std::string(field.name),
                           .unit = std::string(field.unit),
                           .kind = Variable::Kind::derived,
                           .location = location,
                           .axis = field.components > 1 ? component : -1});
    }
  }
  return variables;
}

}  // namespace dns
