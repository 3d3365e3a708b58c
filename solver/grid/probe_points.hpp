/// From which points of a variable its value at a place of the box is interpolated.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <vector>

#include "solver/core/index.hpp"
#include "solver/grid/plane_points.hpp"

namespace dns {

/// A value that a case records: a variable at a point of one of its probes.
struct ProbeSample {
  std::size_t probe = 0;
  int point = 0;
  int variable = 0;  // its number
};

/// The numbers of the variables that are recorded: the velocity, pressure, then scalars.
[[nodiscard]] inline std::vector<int> variables_at_probes(const Case& resolved) {
  const std::vector<Variable> variables = solved_variables(resolved);
  std::vector<int> numbers(variables.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  std::stable_partition(numbers.begin(), numbers.end(), [&](int number) {
    return variables[number].transport != Variable::Transport::scalar;
  });
  return numbers;
}

/// All of them: probe by probe, point by point, variable by variable.
[[nodiscard]] inline std::vector<ProbeSample> probe_samples(const Case& resolved) {
  std::vector<ProbeSample> samples;
  if (!resolved.output.probes) return samples;
  const std::vector<int> variables = variables_at_probes(resolved);
  const std::vector<ProbeCase>& probes = resolved.output.probes->probes;
  for (std::size_t probe = 0; probe < probes.size(); ++probe) {
    for (int point = 0; point < probes[probe].count; ++point) {
      for (const int variable : variables) samples.push_back({probe, point, variable});
    }
  }
  return samples;
}

/// How many records of so many samples a device keeps: those of 1 MiB, one at least.
[[nodiscard]] inline std::size_t records_on_device(std::size_t samples, std::size_t bytes) {
  constexpr std::size_t most_bytes = std::size_t{1} << 20;
  constexpr std::size_t most_records = 4096;
  return std::clamp<std::size_t>(
      most_bytes / std::max<std::size_t>(samples * bytes, 1), 1, most_records);
}

/// A point of a variable, by its index in the box, and its part in an interpolated value.
struct WeightedPoint {
  Index3 point;
  double weight = 0;
};

/// Linear interpolation along x, y and z, of second order: exact for linear flows.
///
/// In the half cell beside a closed face of scheme projection it goes from the cell centre to the
/// value on the face, the mean of the two values on both sides of it, so that a probe on a wall
/// records what holds there. On a face there are no ghost points beyond its own edges that are of
/// the flow: there it is continued from the two points inside. So is the pressure, which has no
/// value on a face.
class ProbeStencils {
 public:
  explicit ProbeStencils(const Case& resolved) : variables_(solved_variables(resolved)) {
    for (int axis = 0; axis < 3; ++axis) {
      cells_[axis] = resolved.grid.points[axis];
      has_ghosts_[axis] = resolved.scheme == Scheme::projection && !resolved.is_periodic(axis);
      for (int variable = 0; variable < std::ssize(variables_); ++variable)
        planes_[axis].push_back(point_planes(resolved, axis, variable));
    }
  }

  /// At a place in the box [L]; the weights add up to 1, and none is 0.
  [[nodiscard]] std::vector<WeightedPoint> at(const PerAxis<double>& place, int variable) const {
    Stencil stencil{place, variable, {0, 1, 2}, {}};
    // What is on a face across the variable's own axis is known before the others are gone along.
    if (is_velocity(variable)) std::swap(stencil.order[0], stencil.order[variable]);
    const bool has_conditions = variables_.at(variable).transport != Variable::Transport::none;
    add(stencil, 0, {{}, 1}, has_conditions);
    return stencil.points;
  }

  /// The plane across z, 0 .. n-1, whose rank interpolates it.
  [[nodiscard]] int owned_plane(double z, int variable) const {
    return std::clamp(between(2, z, variable).below, 0, cells_[2] - 1);
  }

 private:
  struct Stencil {
    PerAxis<double> place;
    int variable;
    PerAxis<int> order;  // of the axes
    std::vector<WeightedPoint> points;
  };

  [[nodiscard]] const PointPlanes& planes(int axis, int variable) const {
    return planes_.at(axis).at(variable);
  }
  [[nodiscard]] PlaneBetween between(int axis, double at, int variable) const {
    return plane_between(planes(axis, variable), at);
  }

  /// Goes along the axes from number `which` on, having come to a point with a weight.
  void add(Stencil& stencil, int which, WeightedPoint reached, bool may_use_ghosts) const {
    if (which == stencil.order.size()) return add_point(stencil.points, reached);
    const int axis = stencil.order[which];
    const int n = cells_[axis];
    const bool is_at_faces = has_ghosts_[axis] && stencil.variable == axis;
    const PlaneBetween place = between(axis, stencil.place[axis], stencil.variable);
    const auto go_to = [&](int index, double weight, bool uses_ghosts) {
      WeightedPoint next = reached;
      next.point[axis] = index;
      next.weight *= weight;
      if (next.weight != 0) add(stencil, which + 1, next, uses_ghosts);
    };
    const bool is_at_end = place.weight > 0 && (place.below < 0 || place.below == n - 1);
    if (!has_ghosts_[axis] || is_at_faces || !is_at_end) {
      for (const int above : {0, 1}) {
        const int index = place.below + above;
        const bool is_on_face = is_at_faces && (index == 0 || index == n);
        go_to(index, above == 1 ? place.weight : 1 - place.weight, may_use_ghosts && !is_on_face);
      }
      return;
    }
    const bool is_low = place.below < 0;
    const int inside = is_low ? 0 : n - 1;
    if (!may_use_ghosts) {
      const int next = n == 1 ? 0 : (is_low ? 1 : n - 2);
      const double way = n == 1 ? 0 : beyond(stencil, axis, inside, next);
      go_to(inside, 1 + way, false);
      go_to(next, -way, false);
      return;
    }
    const double from_face = is_low ? 2 * place.weight - 1 : 1 - 2 * place.weight;
    go_to(is_low ? -1 : n, (1 - from_face) / 2, false);
    go_to(inside, (1 - from_face) / 2, false);
    go_to(inside, from_face, true);
  }

  /// How far the place is beyond point `inside`, in distances from there to point `next`.
  [[nodiscard]] double beyond(const Stencil& stencil, int axis, int inside, int next) const {
    const PointPlanes& along = planes(axis, stencil.variable);
    const double x = along.coordinates.at(inside - along.first);
    const double x_next = along.coordinates.at(next - along.first);
    return (stencil.place[axis] - x) / (x - x_next);
  }

  static void add_point(std::vector<WeightedPoint>& points, const WeightedPoint& added) {
    const auto same = std::ranges::find_if(points, [&](const WeightedPoint& known) {
      return known.point[0] == added.point[0] && known.point[1] == added.point[1] &&
             known.point[2] == added.point[2];
    });
    if (same == points.end()) return points.push_back(added);
    same->weight += added.weight;
  }

  PerAxis<int> cells_{};
  PerAxis<bool> has_ghosts_{};  // beyond boundaries
  std::vector<Variable> variables_;
  std::array<std::vector<PointPlanes>, 3> planes_;  // of each axis, those of each variable
};

}  // namespace dns
