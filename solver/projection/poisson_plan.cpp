#include "solver/projection/poisson_plan.hpp"

#include <algorithm>
#include <limits>

#include "solver/core/backend.hpp"
#include "solver/core/index.hpp"
#include "solver/core/names.hpp"
#include "solver/numerics/poisson_rows.hpp"

namespace dns {
namespace {

constexpr PerAxis<Axis> all_axes{Axis::x, Axis::y, Axis::z};

/// Cost of a transform along an axis, roughly in passes over the field.
double transform_cost(AxisModes modes, int cells) {
  switch (modes) {
    case AxisModes::none:
      return 0;
    case AxisModes::fourier:
      return 1;
    case AxisModes::cosine:
      return 2;
    case AxisModes::eigenbasis:
      return 2 + cells / 64.0;
  }
  return 0;
}

/// Cost of a sweep along an axis, roughly in passes over the field, beyond the cost of the cheapest
/// one.
double sweep_cost(Axis axis, bool is_cyclic, int cells) {
  double cost = 0;
  if (axis == Axis::x) cost += 1;
  if (is_cyclic) cost += 0.5;
  if (cells > longest_line_on_chip(axis)) cost += 0.5;  // reads part of the field twice
  return cost;
}

bool is_fourier_or_none(AxisModes modes) {
  return modes == AxisModes::fourier || modes == AxisModes::none;
}

std::string joined(const std::vector<std::string>& parts, const std::string& between) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
}

}  // namespace

PoissonPlan plan_poisson(const StaggeredGrid& grid, Axis sweep) {
  PoissonPlan plan;
  plan.sweep = sweep;
  plan.has_sweep = grid[sweep].order == 2 && !grid[sweep].across_walls;
  plan.has_products = grid[sweep].across_walls.has_value();
  plan.is_cyclic = is_cyclic(grid[sweep]);
  for (const Axis axis : all_axes) plan.modes[axis] = modes_of(grid[axis]);
  if (sweep != Axis::x) {
    plan.second = third_axis(Axis::x, sweep);
    plan.has_planes = plan.of(Axis::x) == AxisModes::fourier &&
                      is_fourier_or_none(plan.of(plan.second)) &&
                      (plan.has_sweep || plan.of(sweep) == AxisModes::fourier || plan.has_products);
  }
  return plan;
}

PoissonPlan plan_poisson(const StaggeredGrid& grid) {
  if (grid[1].across_walls) return plan_poisson(grid, Axis::y);
  PoissonPlan best = plan_poisson(grid, Axis::z);
  double best_cost = std::numeric_limits<double>::infinity();
  for (const Axis sweep : {Axis::z, Axis::y, Axis::x}) {
    const PoissonPlan plan = plan_poisson(grid, sweep);
    if (!plan.has_sweep) continue;
    double cost = sweep_cost(sweep, plan.is_cyclic, cells_of(grid)[sweep]);
    for (const Axis axis : all_axes) {
      if (axis != sweep) cost += transform_cost(plan.of(axis), cells_of(grid)[axis]);
    }
    if (cost < best_cost) {
      best = plan;
      best_cost = cost;
    }
  }
  return best;
}

PoissonPlan plan_poisson_on_ranks(const StaggeredGrid& grid) {
  PoissonPlan along_z = plan_poisson(grid, Axis::z);
  if (along_z.has_sweep) return along_z;
  PoissonPlan plan = along_z.has_planes ? along_z : plan_poisson(grid);
  plan.has_planes = along_z.has_planes;
  plan.is_transposed = true;
  plan.has_waves =
      !plan.has_planes && plan.sweep == Axis::y && plan.of(Axis::x) == AxisModes::fourier;
  return plan;
}

std::vector<Axis> PoissonPlan::single_axes() const {
  std::vector<Axis> axes;
  if (has_planes) return axes;
  for (const Axis axis : all_axes) {
    if (axis == sweep && (has_sweep || has_products)) continue;
    if (of(axis) != AxisModes::none || is_transposed) axes.push_back(axis);
  }
  return axes;
}

std::string PoissonPlan::description() const {
  std::vector<std::string> parts;
  const auto add = [&](AxisModes which, const char* name) {
    std::vector<std::string> axes;
    for (const Axis axis : all_axes) {
      if ((axis != sweep || !has_sweep) && of(axis) == which) axes.push_back(axis_name(axis));
    }
    if (!axes.empty()) {
      parts.push_back(std::string(name) + " along " +
                      (axes.size() == 3 ? "x, y and z" : joined(axes, " and ")));
    }
  };
  add(AxisModes::fourier, "FFT");
  add(AxisModes::cosine, "cosine transform");
  add(AxisModes::eigenbasis, "eigenbasis");
  if (has_sweep) {
    parts.push_back(std::string(is_cyclic ? "cyclic sweep" : "sweep") + " along " +
                    axis_name(sweep));
  }
  if (is_transposed) parts.emplace_back("modes transposed between ranks");
  return joined(parts, ", ");
}

namespace {

/// The solution of ConstantModeLine for rhs = 1, whose mean is not subtracted [L^2].
std::vector<double> parabola_of(const PoissonLineConstants& line, bool is_periodic) {
  const auto points = static_cast<int>(line.width.size());
  const std::vector<double> nothing(points, 0);
  std::vector<double> parabola(points);
  const ConstantModeLine of_ones{{.width = line.width.data(),
                                  .distance = line.distance.data(),
                                  .centre = line.centre.data(),
                                  .parabola = nothing.data(),
                                  .inverse_length = 1 / line.length,
                                  .inverse_period = is_periodic ? 1 / line.length : 0,
                                  .points = points}};
  of_ones.solve(
      OneThread{}, [](int) { return 1.0; }, [&](int m, double phi, double) { parabola[m] = phi; });
  return parabola;
}

}  // namespace

PoissonLineConstants line_constants(const StaggeredAxis& axis, double gain) {
  const int n = axis.cells();
  PoissonLineConstants line;
  line.length = axis.length();
  line.inverse_distance = inverse_distances(axis);
  double mean_centre = 0;
  for (int m = 0; m < n; ++m) {
    const double conductance = line.inverse_distance[m + 1];
    line.width.push_back(axis.width(m));
    line.source.push_back(-axis.width(m) / gain);
    line.distance.push_back(conductance > 0 ? 1 / conductance : 0);
    line.centre.push_back(axis.centre(m));
    mean_centre += axis.width(m) * axis.centre(m) / line.length;
  }
  for (double& centre : line.centre) centre -= mean_centre;
  line.parabola = parabola_of(line, is_cyclic(axis));
  return line;
}

double eigenvalue_in_place_of_zero(const StaggeredAxis& axis) {
  double width = axis.width(0);
  for (int m = 1; m < axis.cells(); ++m) width = std::min(width, axis.width(m));
  return 1 / (width * width);
}

}  // namespace dns
