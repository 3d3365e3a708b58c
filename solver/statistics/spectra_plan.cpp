#include "solver/statistics/spectra_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "solver/core/index.hpp"
#include "solver/core/names.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/statistics/average_names.hpp"

namespace dns {
namespace {

constexpr int pieces = 8;  // of a slab, so that a piece takes an eighth of a field

int rounded_up(int count, int parts) {
  return (count + parts - 1) / parts;
}

/// The square of a variable, as it is called among averages.
struct SquareOf {
  std::string name;
  int variable;
};

std::vector<SquareOf> squares_of(const Case& resolved) {
  std::vector<SquareOf> squares{{"uu", 0}, {"vv", 1}, {"ww", 2}, {"pp", pressure_in_spectra}};
  if (resolved.has_temperature()) squares.push_back({"TT", first_scalar});
  for (int n = 0; n < std::ssize(resolved.scalars); ++n)
    squares.push_back({name_of_power(resolved.scalars[n].name, 2), first_named_scalar + n});
  return squares;
}

}  // namespace

WaveShells WaveShells::of(Extents points, const PerAxis<double>& lengths) {
  WaveShells shells;
  const double shortest = std::ranges::min(lengths);
  shells.width = 2 * std::numbers::pi / shortest;
  double farthest = 0;
  for (int axis = 0; axis < 3; ++axis) {
    shells.step[axis] = shortest / lengths[axis];
    farthest += std::pow(shells.step[axis] * (points[axis] / 2), 2);
  }
  constexpr double round_off = 1e-9;  // an empty shell at the end does no harm
  shells.count = static_cast<int>(std::sqrt(farthest) + 0.5 + round_off) + 1;
  return shells;
}

SpectraPlan SpectraPlan::of(const Case& resolved, const Subdomain& part, int ranks) {
  SpectraPlan plan;
  if (!resolved.output.statistics) return plan;
  plan.axes = resolved.output.statistics->spectra;
  plan.has_shells = std::ranges::all_of(plan.axes, [](bool is) { return is; });
  plan.planes_at_once = rounded_up(part.points().nz, pieces);
  plan.rows_at_once = rounded_up(rounded_up(part.whole.ny, ranks), pieces);
  for (int axis = 0; axis < 3; ++axis) {
    const bool is_even = resolved.is_periodic(axis) && !resolved.is_stretched(axis);
    plan.last_faces[axis] = is_even && resolved.output.statistics->average[axis] ? 0 : 1;
  }
  return plan;
}

Extents SpectraPlan::piece_across_z(const Subdomain& part) const {
  return {
      part.whole.nx + last_faces[0], part.whole.ny + last_faces[1], planes_at_once + last_faces[2]};
}

Extents SpectraPlan::piece_along_z(const Subdomain& part) const {
  return {part.whole.nx + last_faces[0], rows_at_once + last_faces[1], part.whole.nz};
}

std::vector<SpectrumSum> spectra_sums(const Case& resolved) {
  std::vector<SpectrumSum> sums;
  const SpectraPlan plan = SpectraPlan::of(resolved, whole_box(resolved), 1);
  if (plan.is_empty()) return sums;
  const Extents points = resolved.grid.points;
  Extents kept = points;
  for (int axis = 0; axis < 3; ++axis) {
    if (resolved.output.statistics->average[axis]) kept[axis] = 1;
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (!plan.axes[axis]) continue;
    const auto along = static_cast<Axis>(axis);
    for (const auto& [name, variable] : squares_of(resolved)) {
      sums.push_back({.name = "spectrum_" + axis_names[axis] + "_" + name,
                      .extents = resized(kept, along, points[along] / 2 + 1),
                      .axis = axis,
                      .variable = variable});
    }
  }
  if (plan.has_shells) {
    const int shells = WaveShells::of(points, resolved.grid.length).count;
    sums.push_back({.name = "spectrum_k", .extents = {shells, 1, 1}, .axis = {}});
  }
  return sums;
}

}  // namespace dns
