#include "solver/equations/case_needs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "solver/core/layer_view.hpp"
#include "solver/core/transforms.hpp"
#include "solver/equations/layer.hpp"
#include "solver/time/simulation.hpp"

namespace dns {
namespace {

std::size_t boundary_nodes(const Case& resolved) {
  const Extents n = resolved.grid.points;
  const std::array<std::size_t, 3> face_nodes{Extents{1, n.ny, n.nz}.count(),
                                              Extents{n.nx, 1, n.nz}.count(),
                                              Extents{n.nx, n.ny, 1}.count()};
  std::size_t nodes = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (!resolved.is_periodic(axis)) nodes += 2 * face_nodes[static_cast<std::size_t>(axis)];
  }
  return nodes;
}

}  // namespace

int layers_needed(const Case& resolved) {
  return resolved.time.global_tolerance.has_value() ? 5 : 4;
}

std::size_t sweep_workspace_words(const Case& resolved) {
  const Extents n = resolved.grid.points;
  if (std::max({n.nx, n.ny, n.nz}) <= longest_line_on_chip) return 0;
  if (resolved.scheme == Scheme::projection) {
    // One unknown and x_before; rows of modes (poisson_transforms.hpp) are longer than of cells.
    const int line = BufferLayout::line_bytes / static_cast<int>(bytes_of(resolved.precision));
    return 3 * Extents{(n.nx + 2 + line - 1) / line * line, n.ny, n.nz}.count();
  }
  std::size_t words = 6;  // upper of two matrices, right-hand sides of four unknowns
  for (const FaceCase& face : resolved.faces) {
    if (face.kind == FaceKind::symmetry) words = std::max<std::size_t>(words, 7);  // a third matrix
    if (face.kind == FaceKind::periodic) words = std::max<std::size_t>(words, 8);  // x_before
  }
  return words * LayerShape::of(resolved).interior().extents().count();
}

namespace {

/// Scheme projection: three layers of velocity, p and phi, two of temperature, with the points
/// around the box; what the Poisson solver takes besides is about two more.
CaseNeeds needs_of_projection(const Case& resolved) {
  const std::size_t word = bytes_of(resolved.precision);
  const Extents n = resolved.grid.points;
  const std::size_t stored = Extents{n.nx + 2, n.ny + 2, n.nz + 2}.count();
  const std::size_t fields = resolved.has_temperature() ? 15 : 13;
  // Of a step with one iteration: docs/performance.md; a scalar is a fourth component without
  // pressure.
  const double per_iteration = resolved.has_temperature() ? 92 : 72;
  const double words_per_point = resolved.time.global_iterations * per_iteration + 3;
  const std::size_t workspace =
      resolved.device == DeviceChoice::cuda ? sweep_workspace_words(resolved) : 0;
  return {.device_bytes = (fields * stored + workspace) * word,
          .compulsory_bytes_per_step = words_per_point * static_cast<double>(n.count() * word)};
}

}  // namespace

CaseNeeds needs_of(const Case& resolved) {
  if (resolved.scheme == Scheme::projection) return needs_of_projection(resolved);
  const std::size_t word = bytes_of(resolved.precision);
  const LayerShape shape = LayerShape::of(resolved);
  const std::size_t node_bytes = resolved.device == DeviceChoice::cuda ? gpu_piece : word;
  std::size_t words = static_cast<std::size_t>(layers_needed(resolved)) * shape.values(node_bytes) +
                      variables_per_layer * boundary_nodes(resolved);
  if (resolved.device == DeviceChoice::cuda) {
    words += sweep_workspace_words(resolved);
    words += resolved.grid.points.count();  // a field by itself, for copies to the host
  }

  // A local iteration reads S and N and writes N; the last one along an axis writes D too; three
  // more words a point for what a step does besides.
  const TimeCase& control = resolved.time;
  const double per_global_iteration =
      3.0 * (control.local_iterations * 3 * variables_per_layer + variables_per_layer);
  const double words_per_point = control.global_iterations * per_global_iteration + 3;
  CaseNeeds needs;
  needs.device_bytes = words * word;
  needs.compulsory_bytes_per_step =
      words_per_point * static_cast<double>(resolved.grid.points.count() * word);
  return needs;
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
