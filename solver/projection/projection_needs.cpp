#include "solver/projection/projection_needs.hpp"

#include "solver/config/step_limit.hpp"
#include "solver/core/transforms.hpp"
#include "solver/forcing/source_values.hpp"
#include "solver/grid/plane_points.hpp"
#include "solver/grid/probe_points.hpp"
#include "solver/projection/solid_pulls.hpp"
#include "solver/projection/spectra_plan.hpp"

namespace dns {
namespace {

/// Three values per eliminated row: upper, before and rhs. Rows of modes (poisson_transforms.hpp)
/// are longer than those of cells.
std::size_t workspace_of_projection(const Case& resolved,
                                    const Subdomain& part,
                                    const BackendMemory& memory) {
  const Extents n = part.points();
  const int line = BufferLayout::line_bytes / static_cast<int>(bytes_of(resolved.precision));
  const int row = (n.nx + 2 + line - 1) / line * line;
  return workspace_of_sweeps(memory, n, 3, {row, n.ny, n.nz});
}

/// Words per point and iteration (docs/performance_reasons.md); a scalar is a fourth component
/// without pressure. A step of three stages: 114 (13 of a stage's forces and right-hand sides, 10
/// in the first and the last, and 4 of its divergence, 14 of transforms, 9 of corrections); with
/// implicit diffusion along one axis 15 more, with a scalar 12.
double compulsory_bytes_per_step(const Case& resolved, const Subdomain& part) {
  double per_iteration = resolved.has_temperature() ? 92 : 72;
  if (resolved.time.scheme == TimeScheme::runge_kutta) {
    const bool is_implicit = has_implicit_diffusion(resolved, 0) ||
                             has_implicit_diffusion(resolved, 1) ||
                             has_implicit_diffusion(resolved, 2);
    per_iteration = (is_implicit ? 129 : 114) + (resolved.has_temperature() ? 12 : 0);
  }
  const double words_per_point = resolved.time.global_iterations * per_iteration + 3;
  return words_per_point *
         static_cast<double>(part.points().count() * bytes_of(resolved.precision));
}

}  // namespace

/// Three levels of velocity, p and phi, two of temperature, with ghost points; the Poisson solver
/// needs about two fields more.
CaseNeeds needs_of_projection(const Case& resolved,
                              const Subdomain& part,
                              const BackendMemory& memory) {
  const Extents n = part.points();
  const auto& [order_x, order_y, order_z] = resolved.accuracy.order;
  const std::size_t stored =
      Extents{n.nx + 2 * (order_x - 1), n.ny + 2 * (order_y - 1), n.nz + 2 * (order_z - 1)}.count();
  const bool has_stages = resolved.time.scheme == TimeScheme::runge_kutta;
  const std::size_t fields = (resolved.has_temperature() ? (has_stages ? 16 : 15) : 13) +
                             solid_fields(resolved) + source_fields(resolved);
  CaseNeeds needs;
  needs.workspace_values = workspace_of_projection(resolved, part, memory);
  needs.device_bytes = (fields * stored + needs.workspace_values + seam_values(part, 1, 1) +
                        values_in_planes(resolved, part) + spectra_values(resolved, part)) *
                           bytes_of(resolved.precision) +
                       bytes_of_probes(resolved, bytes_of(resolved.precision));
  // Sums of one sample at a time, of which the device keeps parts too.
  constexpr std::size_t sums_at_once = 17;
  needs.device_bytes += 2 * sums_at_once * points_of_averages(resolved, n, 1) * sizeof(double);
  needs.compulsory_bytes_per_step = compulsory_bytes_per_step(resolved, part);
  return needs;
}

}  // namespace dns
