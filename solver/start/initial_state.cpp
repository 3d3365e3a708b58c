#include "solver/start/initial_state.hpp"

#include <algorithm>
#include <vector>

#include "solver/core/random_numbers.hpp"
#include "solver/flow/variables.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/grid/values_of_formula.hpp"
#include "solver/simulation/flow_checks.hpp"
#include "solver/start/flow_from_file.hpp"
#include "solver/start/turbulent_start.hpp"

namespace dns {
namespace {

/// The numbers depend on the place of a point in the box.
void add_noise(HostField& field, const Subdomain& part, int variable, const NoiseCase& noise) {
  const Extents n = part.whole;
  double* next = field.values<double>().data();
  for_each_point(part.part, [&](Index3 c) {
    const std::size_t before = Extents{n.nx, n.ny, c.k}.count() + Extents{n.nx, c.j, 1}.count();
    const std::size_t number = before + c.i;
    *next++ += noise.amplitude * random_number(noise.seed, variable, number);
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
    HostField& field = state.fields.emplace_back(
        variables[variable].name, part.points(), Precision::double_precision);
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
      add_noise(state.fields[variable], part, variable, resolved.initial.noise);
    }
  }
  return state;
}

FlowState initial_state(const Case& resolved) {
  return initial_state(resolved, whole_box(resolved));
}

}  // namespace dns
