#include "solver/instances/case_needs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cpu/cpu_facts.hpp"
#include "cuda/cuda_facts.hpp"
#include "solver/projection/projection_needs.hpp"
#include "solver/splitting/splitting_needs.hpp"

namespace dns {

CaseNeeds needs_of(const Case& resolved) {
  const BackendMemory memory =
      resolved.device == DeviceChoice::cuda ? memory_of_cuda : memory_of_openmp;
  return resolved.scheme == Scheme::projection ? needs_of_projection(resolved, memory)
                                               : needs_of_splitting(resolved, memory);
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
