#include "solver/instances/case_needs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cpu/cpu_facts.hpp"
#include "cuda/cuda_facts.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/projection/projection_needs.hpp"
#include "solver/splitting/splitting_needs.hpp"

namespace dns {

namespace {

/// The thickest slab, of those with the most seams.
Subdomain largest_slab(const Case& resolved, int ranks) {
  const Subdomain box = whole_box(resolved);
  Subdomain largest = box.slab(ranks / 2, ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    const Subdomain slab = box.slab(rank, ranks);
    if (slab.points().nz > largest.points().nz) largest = slab;
  }
  return largest;
}

}  // namespace

CaseNeeds needs_of(const Case& resolved, int ranks) {
  const BackendMemory memory =
      resolved.device == DeviceChoice::cuda ? memory_of_cuda : memory_of_openmp;
  const Subdomain part = largest_slab(resolved, ranks);
  return resolved.scheme == Scheme::projection ? needs_of_projection(resolved, part, memory)
                                               : needs_of_splitting(resolved, part, memory);
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
