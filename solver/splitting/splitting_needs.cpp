#include "solver/splitting/splitting_needs.hpp"

#include <algorithm>
#include <array>

#include "solver/forcing/source_values.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/grid/plane_points.hpp"
#include "solver/grid/probe_points.hpp"
#include "solver/splitting/solid_node_values.hpp"
#include "solver/splitting/time_level.hpp"

namespace dns {
namespace {

std::size_t boundary_nodes(const Subdomain& part) {
  const Extents n = part.points();
  const std::array<std::size_t, 3> face_nodes{Extents{1, n.ny, n.nz}.count(),
                                              Extents{n.nx, 1, n.nz}.count(),
                                              Extents{n.nx, n.ny, 1}.count()};
  std::size_t nodes = 0;
  for (std::size_t face = 0; face < 6; ++face) {
    if (part.is_boundary(face)) nodes += face_nodes[face / 2];
  }
  return nodes;
}

/// Time level n, S or D, N before and after relaxation; one more for the change of N over a global
/// iteration.
std::size_t levels_of(const Case& resolved) {
  return resolved.time.global_tolerance.has_value() ? 5 : 4;
}

std::size_t values_per_eliminated_row(const Case& resolved) {
  std::size_t values = 6;  // upper of two matrices, right-hand sides of four unknowns
  for (const FaceCase& face : resolved.faces) {
    if (face.kind == FaceKind::symmetry)
      values = std::max<std::size_t>(values, 7);  // a third matrix
    if (face.kind == FaceKind::periodic) values = std::max<std::size_t>(values, 8);  // x_before
  }
  return values;
}

/// A local iteration reads S and N and writes N; the last one along an axis writes D too; three
/// more words per point for the rest of a step.
double compulsory_bytes_per_step(const Case& resolved, const Subdomain& part) {
  const TimeCase& control = resolved.time;
  const double per_global_iteration =
      3.0 * (control.local_iterations * 3 * variables_per_level + variables_per_level);
  const double words_per_point = control.global_iterations * per_global_iteration + 3;
  return words_per_point *
         static_cast<double>(part.points().count() * bytes_of(resolved.precision));
}

}  // namespace

CaseNeeds needs_of_splitting(const Case& resolved,
                             const Subdomain& part,
                             const BackendMemory& memory) {
  const std::size_t word = bytes_of(resolved.precision);
  const LevelLayout layout = LevelLayout::of(part);
  CaseNeeds needs;
  needs.workspace_values = workspace_of_sweeps(
      memory, part.points(), values_per_eliminated_row(resolved), layout.interior().extents());
  std::size_t words = levels_of(resolved) * layout.values(memory.node_bytes(word)) +
                      variables_per_level * boundary_nodes(part) + needs.workspace_values +
                      seam_values(part, 3, variables_per_level) + values_in_planes(resolved, part);
  words += (solid_fields_at_nodes(resolved) + source_fields(resolved)) * layout.count(word);
  if (memory.stages_copies) words += part.points().count();
  if (resolved.output.fields.derived_components() > 0) words += part.points().count();
  needs.device_bytes = words * word + bytes_of_probes(resolved, word);
  needs.compulsory_bytes_per_step = compulsory_bytes_per_step(resolved, part);
  return needs;
}

}  // namespace dns
