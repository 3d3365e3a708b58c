#include <omp.h>

#include <array>
#include <cstdint>
#include <string>

#include "solver/core/error.hpp"
#include "solver/equations/flow_checks.hpp"
#include "solver/grid/uniform_grid.hpp"
#include "solver/output/checkpoint.hpp"
#include "solver/time/simulation.hpp"

namespace dns {
namespace {

/// A hash whose value is uniform over all 64-bit numbers. Source: Steele, Lea & Flood, Fast
/// splittable pseudorandom number generators, OOPSLA 2014 (SplitMix64).
std::uint64_t mixed(std::uint64_t bits) {
  bits += 0x9e3779b97f4a7c15U;
  bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31U);
}

/// Uniform in [-1, 1), a function of its arguments alone: independent of threads and device.
double noise_at(std::uint64_t seed, int variable, std::size_t node) {
  const std::uint64_t bits =
      mixed(mixed(seed + 0x632be59bd9b4e019U * static_cast<std::uint64_t>(variable + 1)) + node);
  return static_cast<double>(bits >> 11U) * 0x1.0p-52 - 1;
}

void fill(HostField& field, const Expression& expression, const Case& resolved) {
  const Extents n = field.extents();
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
          values[node++] = own(coordinate(resolved, 0, i),
                               coordinate(resolved, 1, j),
                               coordinate(resolved, 2, k),
                               0);
        }
      }
    }
  }
}

void add_noise(HostField& field, int variable, const NoiseCase& noise) {
  const auto values = field.values<double>();
  for (std::size_t node = 0; node < values.size(); ++node) {
    values[node] += noise.amplitude * noise_at(noise.seed, variable, node);
  }
}

}  // namespace

FlowState initial_state(const Case& resolved) {
  FlowState state;
  if (resolved.initial.file) {
    FlowState read = read_flow(*resolved.initial.file);
    try {
      state.fields = fields_in_order(read, resolved.grid.points, Precision::double_precision);
    } catch (const CaseError& mismatch) {
      throw CaseError("initial.path is " + *resolved.initial.file + ": " + mismatch.what());
    }
  } else {
    const auto& [u, v, w] = resolved.initial.velocity;
    const std::array<const Expression*, 4> expressions{&u, &v, &w, &resolved.initial.temperature};
    for (std::size_t variable = 0; variable < expressions.size(); ++variable) {
      HostField& field = state.fields.emplace_back(
          std::string(field_names[variable]), resolved.grid.points, Precision::double_precision);
      fill(field, *expressions[variable], resolved);
    }
  }
  if (resolved.initial.noise.amplitude > 0) {
    for (int variable = 0; variable < 3; ++variable) {
      add_noise(state.fields[static_cast<std::size_t>(variable)], variable, resolved.initial.noise);
    }
  }
  return state;
}

}  // namespace dns
