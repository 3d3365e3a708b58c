#include "solver/start/axis_fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "solver/grid/case_grid.hpp"

namespace dns {
namespace {

constexpr double round_off = 1e-9;  // of lengths

/// Coordinates of the nodes, or of the faces of the cells, along one axis [L].
std::vector<double> grid_coordinates(const Case& resolved, int axis) {
  return resolved.scheme == Scheme::splitting ? point_coordinates(resolved, axis)
                                              : face_coordinates(resolved.grid, axis);
}

}  // namespace

AxisFit axis_fit(const Case& source, const Case& target, int axis) {
  const auto a = static_cast<std::size_t>(axis);
  AxisFit fit;
  fit.source_origin = source.grid.origin.at(a);
  fit.target_origin = target.grid.origin.at(a);
  const double ratio = target.grid.length.at(a) / source.grid.length.at(a);
  constexpr double most = 1e6;  // of parts that are all alike
  if (source.is_periodic(axis))
    fit.repeats = static_cast<int>(std::clamp(std::round(ratio), 1.0, most));
  fit.scale = ratio / fit.repeats;
  if (std::abs(fit.scale - 1) <= round_off) fit.scale = 1;
  return fit;
}

bool have_same_grid(const Case& one, const Case& other) {
  if (one.scheme != other.scheme) return false;
  for (int axis = 0; axis < 3; ++axis) {
    const std::vector<double> here = grid_coordinates(one, axis);
    const double least = round_off * (here.back() - here.front());
    const auto are_close = [=](double a, double b) { return std::abs(a - b) <= least; };
    if (!std::ranges::equal(here, grid_coordinates(other, axis), are_close)) return false;
  }
  return true;
}

}  // namespace dns
