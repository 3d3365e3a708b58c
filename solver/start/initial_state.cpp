#include "solver/start/initial_state.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "solver/grid/case_grid.hpp"
#include "solver/simulation/flow_checks.hpp"
#include "solver/simulation/simulation.hpp"
#include "solver/start/flow_from_file.hpp"
#include "solver/start/random_numbers.hpp"
#include "solver/start/turbulent_channel.hpp"

namespace dns {
namespace {

using Positions =
    std::array<std::vector<double>, 3>;  // along each axis [L], where a variable lives

Positions positions_of(const Case& resolved, int variable) {
  return {point_coordinates(resolved, 0, variable),
          point_coordinates(resolved, 1, variable),
          point_coordinates(resolved, 2, variable)};
}

void fill(HostField& field,
          const Expression& expression,
          const Positions& positions,
          const Case& resolved) {
  const Extents n = field.extents();
  const std::vector<double>& x = positions[0];  // OpenMP regions know no structured bindings
  const std::vector<double>& y = positions[1];
  const std::vector<double>& z = positions[2];
  const auto values = field.values<double>();
#pragma omp parallel num_threads(std::max(1, resolved.run.threads))
  {
    const Expression own = expression;  // a parser is for one thread
#pragma omp for schedule(static)
    for (int k = 0; k < n.nz; ++k) {
      std::size_t node = static_cast<std::size_t>(k) * static_cast<std::size_t>(n.nx) *
                         static_cast<std::size_t>(n.ny);
      for (int j = 0; j < n.ny; ++j) {
        for (int i = 0; i < n.nx; ++i) {
          values[node++] = own(x[static_cast<std::size_t>(i)],
                               y[static_cast<std::size_t>(j)],
                               z[static_cast<std::size_t>(k)],
                               0);
        }
      }
    }
  }
}

void add_noise(HostField& field, int variable, const NoiseCase& noise) {
  const auto values = field.values<double>();
  for (std::size_t node = 0; node < values.size(); ++node) {
    values[node] += noise.amplitude * random_number(noise.seed, variable, node);
  }
}

FlowState flow_from_formulas(const Case& resolved) {
  FlowState state;
  const auto& [u, v, w] = resolved.initial.velocity;
  const std::array<const Expression*, 4> expressions{&u, &v, &w, &resolved.initial.temperature};
  std::optional<TurbulentChannel> channel;
  if (resolved.initial.turbulent_channel) channel.emplace(resolved);
  const std::size_t variables = resolved.has_temperature() ? 4 : 3;
  for (std::size_t variable = 0; variable < variables; ++variable) {
    HostField& field = state.fields.emplace_back(
        std::string(field_names[variable]), resolved.grid.points, Precision::double_precision);
    const Positions positions = positions_of(resolved, static_cast<int>(variable));
    if (channel && variable < 3) {
      std::ranges::copy(channel->velocity(static_cast<int>(variable), positions),
                        field.values<double>().begin());
    } else {
      fill(field, *expressions[variable], positions, resolved);
    }
  }
  return state;
}

}  // namespace

FlowState initial_state(const Case& resolved) {
  FlowState state = resolved.initial.file ? flow_from_file(resolved) : flow_from_formulas(resolved);
  if (resolved.initial.noise.amplitude > 0) {
    for (int variable = 0; variable < 3; ++variable) {
      add_noise(state.fields[static_cast<std::size_t>(variable)], variable, resolved.initial.noise);
    }
  }
  return state;
}

}  // namespace dns
