#include "solver/start/initial_state.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "solver/core/random_numbers.hpp"
#include "solver/flow/variables.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/grid/values_of_formula.hpp"
#include "solver/simulation/flow_checks.hpp"
#include "solver/simulation/simulation.hpp"
#include "solver/start/flow_from_file.hpp"
#include "solver/start/turbulent_start.hpp"

namespace dns {
namespace {

/// Calls visit(number of a point in the part, its number in the box), x fastest.
template <class Visit>
void for_each_point(const Subdomain& part, const Visit& visit) {
  const auto nx = static_cast<std::size_t>(part.whole.nx);
  const auto ny = static_cast<std::size_t>(part.whole.ny);
  std::size_t here = 0;
  for (int k = part.part.begin.k; k < part.part.end.k; ++k) {
    for (int j = part.part.begin.j; j < part.part.end.j; ++j) {
      const std::size_t row = static_cast<std::size_t>(k) * ny + static_cast<std::size_t>(j);
      for (int i = part.part.begin.i; i < part.part.end.i; ++i)
        visit(here++, row * nx + static_cast<std::size_t>(i));
    }
  }
}

void add_noise(HostField& field, const Subdomain& part, int variable, const NoiseCase& noise) {
  const auto values = field.values<double>();
  for_each_point(part, [&](std::size_t here, std::size_t in_box) {
    values[here] += noise.amplitude * random_number(noise.seed, variable, in_box);
  });
}

std::string key_at_start(const Case& resolved, int variable) {
  if (is_velocity(variable)) return "initial.velocity";
  if (resolved.is_temperature(variable)) return "initial.temperature";
  return "scalars." + resolved.scalar(variable).name + ".initial";
}

FlowState flow_from_formulas(const Case& resolved, const Subdomain& part) {
  FlowState state;
  VelocityAtStart turbulent;
  if (resolved.initial.turbulent_channel) turbulent = turbulent_start(resolved);
  const std::vector<Variable> variables = solved_variables(resolved);
  for (int variable = 0; variable < transported_variables(resolved); ++variable) {
    HostField& field = state.fields.emplace_back(variables[static_cast<std::size_t>(variable)].name,
                                                 part.points(),
                                                 Precision::double_precision);
    if (turbulent && is_velocity(variable)) {
      const auto coordinates = point_coordinates(resolved, part, variable);
      std::ranges::copy(turbulent(variable, coordinates), field.values<double>().begin());
    } else {
      const Expression& formula = resolved.initial_formula(variable);
      const auto places = point_coordinates(resolved, part, variable);
      evaluate(formula, resolved, part, variable, 0, field.values<double>());
      require_finite(key_at_start(resolved, variable),
                     formula,
                     {places[0], places[1], places[2]},
                     0,
                     field.values<double>());
    }
  }
  return state;
}

}  // namespace

FlowState initial_state(const Case& resolved, const Subdomain& part) {
  FlowState state =
      resolved.initial.file ? flow_from_file(resolved, part) : flow_from_formulas(resolved, part);
  if (resolved.initial.noise.amplitude > 0) {
    for (int variable = 0; variable < 3; ++variable) {
      add_noise(
          state.fields[static_cast<std::size_t>(variable)], part, variable, resolved.initial.noise);
    }
  }
  return state;
}

FlowState initial_state(const Case& resolved) {
  return initial_state(resolved, whole_box(resolved));
}

}  // namespace dns
