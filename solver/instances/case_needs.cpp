#include "solver/instances/case_needs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/config/step_limit.hpp"
#include "solver/core/level_view.hpp"
#include "solver/instances/solvers.hpp"

namespace dns {

CaseNeeds needs_of_rank(const Case& resolved, int rank, int ranks) {
  if (resolved.device == DeviceChoice::cuda) return needs_on_cuda(resolved, rank, ranks);
  return needs_on_cpu(resolved, rank, ranks);
}

CaseNeeds needs_of(const Case& resolved, int ranks) {
  CaseNeeds most;
  for (int rank = 0; rank < ranks; ++rank) {
    const CaseNeeds needs = needs_of_rank(resolved, rank, ranks);
    most.methods = needs.methods;
    for (auto bytes :
         {&CaseNeeds::device_bytes, &CaseNeeds::restart_bytes, &CaseNeeds::viewing_bytes})
      most.*bytes = std::max(most.*bytes, needs.*bytes);
  }
  return most;
}

/// Words per point (docs/notes/performance_reasons.md). Scheme splitting: a local iteration reads S
/// and N and writes N, the last one along an axis D too. Scheme projection: a scalar is a fourth
/// component without pressure. Three stages: 114 (13 of a stage's forces and right-hand sides, 10
/// in the first and the last, 4 of its divergence, 14 of transforms, 9 of corrections); with
/// implicit diffusion along one axis 15 more, with a scalar 12. The rest of a step: 3.
double compulsory_bytes_per_step(const Case& resolved) {
  const int scalars = resolved.scalar_count();
  double words = 72 + 20 * scalars;
  if (resolved.scheme == Scheme::splitting) {
    words = 3.0 * variables_per_level * (3 * resolved.time.local_iterations + 1);
  } else if (resolved.time.scheme == TimeScheme::runge_kutta) {
    const bool is_implicit = has_implicit_diffusion(resolved, 0) ||
                             has_implicit_diffusion(resolved, 1) ||
                             has_implicit_diffusion(resolved, 2);
    words = (is_implicit ? 129 : 114) + 12 * scalars;
  }
  return (resolved.time.global_iterations * words + 3) *
         static_cast<double>(resolved.grid.points.count() * bytes_of(resolved.precision));
}

std::string grid_that_fits(const Case& resolved, std::size_t needed, std::size_t available) {
  constexpr double margin = 0.97;  // for what does not grow with the number of points
  constexpr int fewest = 4;        // along an axis
  const double scale =
      std::cbrt(margin * static_cast<double>(available) / static_cast<double>(needed));
  const auto scaled = [&](int points) {
    const int even = static_cast<int>(scale * points) / 2 * 2;
    return points <= fewest ? points : even;
  };
  const Extents points = resolved.grid.points;
  const Extents fitting{scaled(points.nx), scaled(points.ny), scaled(points.nz)};
  if (std::min({fitting.nx, fitting.ny, fitting.nz}) < fewest) return {};
  return fmt::format("grid.points: [{}, {}, {}]", fitting.nx, fitting.ny, fitting.nz);
}

}  // namespace dns
