#include "solver/statistics/flow_averages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>

#include "solver/core/error.hpp"
#include "solver/core/index.hpp"
#include "solver/flow/conditions.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/statistics/mean_flow.hpp"
#include "solver/statistics/spectra_plan.hpp"

namespace dns {
namespace {

constexpr PerAxis<const char*> velocity_means{"u", "v", "w"};

const Average& average_named(const std::vector<Average>& averages, std::string_view name) {
  const auto found = std::ranges::find(averages, name, &Average::name);
  if (found == averages.end()) throw IoError(fmt::format("the statistics have no {}", name));
  return *found;
}

bool has_sum(const StatisticsSums& statistics, std::string_view name) {
  return std::ranges::find(statistics.sums, name, &HostField::name) != statistics.sums.end();
}

double velocity_of_wall(const FaceCase& wall, int component) {
  const Expression& velocity = wall.velocity[component];
  return velocity.is_constant() ? velocity(0, 0, 0, 0) : 0;
}

/// Integrals over a boundary plane outside of bodies, per length of the axes averaged over: of
/// |dV/dn|, from the cells next to it, with slip from what is a slip length behind it, and of 1.
struct PlaneIntegrals {
  double slope = 0;
  double area = 0;
};

PlaneIntegrals integrals_over(int face,
                              const std::vector<Average>& averages,
                              const Case& resolved,
                              const StaggeredGrid& grid) {
  const int normal = face / 2;
  const Extents n = average_named(averages, "u").extents;
  const int first = face % 2 == 0 ? 0 : n[normal] - 1;
  const double slip_length = resolved.faces[face].slip_length(0, 0, 0, 0);
  const auto& across_walls = grid[normal].across_walls;
  const double distance = (across_walls ? across_walls->face_volume(face % 2 == 0 ? 0 : n[normal])
                                        : grid[normal].width(first) / 2) +
                          slip_length;
  const std::ptrdiff_t steps[] = {1, n.nx, std::ptrdiff_t{n.nx} * n.ny};
  const std::ptrdiff_t inward = face % 2 == 0 ? steps[normal] : -steps[normal];
  const auto fluid = std::ranges::find(averages, fluid_share_name, &Average::name);
  PlaneIntegrals integrals;
  std::size_t point = 0;
  for_each_point({{}, {n.nx, n.ny, n.nz}}, [&](Index3 c) {
    const std::size_t here = point++;
    if (c[normal] != first) return;
    double area = fluid == averages.end() ? 1 : fluid->values[here];
    if (area == 0) return;
    for (const int axis : {0, 1, 2}) {
      if (axis != normal && is_kept(resolved, axis)) area *= grid[axis].width(c[axis]);
    }
    double squares = 0;
    for (int component = 0; component < 3; ++component) {
      if (component == normal) continue;
      const std::vector<double>& means = average_named(averages, velocity_means[component]).values;
      const auto mean_at = [&](int cell) { return means[here + cell * inward]; };
      const double inside =
          across_walls ? value_beside_end<double>(mean_at(0), mean_at(1), mean_at(2)) : mean_at(0);
      const double difference = inside - velocity_of_wall(resolved.faces[face], component);
      squares += difference * difference;
    }
    integrals.slope += area * std::sqrt(squares) / distance;
    integrals.area += area;
  });
  return integrals;
}

/// Where there are bodies, cells without fluid have no averages.
void leave_out_bodies(const StatisticsSums& statistics, std::vector<Average>& averages) {
  const auto fluid = std::ranges::find(statistics.sums, fluid_share_name, &HostField::name);
  if (fluid == statistics.sums.end()) return;
  const std::size_t place = fluid - statistics.sums.begin();
  const std::vector<double> share = statistics.average(place);
  for (Average& average : averages) {
    for (std::size_t cell = 0; cell < share.size(); ++cell) {
      if (share[cell] == 0) average.values[cell] = std::numeric_limits<double>::quiet_NaN();
    }
  }
  averages.push_back(Average{std::string(fluid_share_name), fluid->extents(), share});
}

}  // namespace

bool is_kept(const Case& resolved, int axis) {
  return !resolved.output.statistics->average[axis];
}

bool has_wall_across_kept_axis(const Case& resolved, int face) {
  return FaceConditions(resolved, face).has_friction_of_means() && is_kept(resolved, face / 2);
}

std::vector<Average> averages_of(const StatisticsSums& statistics, const Case& resolved) {
  const double epsilon = resolved.precision == Precision::double_precision
                             ? std::numeric_limits<double>::epsilon()
                             : static_cast<double>(std::numeric_limits<float>::epsilon());
  const double viscosity = resolved.viscosity();
  const MeanFlow flow(statistics, resolved);
  std::vector<Average> averages;
  const auto append = [&](const std::string& name, const auto& value) {
    Average& average = averages.emplace_back(Average{name, flow.cells(), {}});
    const auto [nx, ny, nz] = flow.cells();
    for_each_point({{}, {nx, ny, nz}}, [&](Index3 c) { average.values.push_back(value(c)); });
  };
  for (int variable = 0; variable < flow.variables(); ++variable) {
    if (!flow.has(variable)) continue;
    const std::string& name = flow.symbol(variable);
    append(name, [&](Index3 c) { return flow.mean(variable, c); });
    append(name_of_power(name, 2), [&](Index3 c) { return flow.variance(variable, c); });
    append("skewness_" + name, [&](Index3 c) { return flow.normalised(variable, 3, epsilon, c); });
    append("flatness_" + name, [&](Index3 c) { return flow.normalised(variable, 4, epsilon, c); });
  }
  for (int one = 0; one < 3; ++one) {
    for (int other = one + 1; other < 3; ++other) {
      const std::string name{"uvw"[one], "uvw"[other]};
      const MeanOfSum product(statistics, name);
      append(name, [&](Index3 c) { return product(c) - flow.product_of_means(one, other, c); });
    }
    for (int scalar = first_scalar; scalar < flow.variables(); ++scalar) {
      if (!flow.has(scalar) || scalar == pressure_in_spectra) continue;
      const std::string name = name_of_product(velocity_means[one], flow.symbol(scalar));
      const MeanOfSum product(statistics, name);
      append(name, [&](Index3 c) { return product(c) - flow.flux_of_means(one, scalar, c); });
    }
  }
  const MeanOfSum phi(statistics, "dissipation");
  append("dissipation", [&](Index3 c) { return viscosity * phi(c); });
  if (has_sum(statistics, "advection_u")) {
    for (const char* const component : {"u", "w"}) {
      const std::string prefix = fmt::format("momentum_{}_", component);
      const MeanOfSum advection(statistics, fmt::format("advection_{}", component));
      const MeanOfSum diffusion(statistics, fmt::format("diffusion_{}", component));
      append(prefix + "advection", [&](Index3 c) { return -advection(c); });
      append(prefix + "diffusion", [&](Index3 c) { return viscosity * diffusion(c); });
    }
  }
  for (const QuantityCase& quantity : resolved.output.statistics->quantities)
    append(quantity.name, MeanOfSum(statistics, quantity.name));
  leave_out_bodies(statistics, averages);
  return averages;
}

double friction_velocity(const std::vector<Average>& averages, const Case& resolved) {
  const StaggeredGrid grid = staggered_grid(resolved);
  PlaneIntegrals walls;
  for (int face = 0; face < resolved.faces.size(); ++face) {
    if (!has_wall_across_kept_axis(resolved, face)) continue;
    const PlaneIntegrals wall = integrals_over(face, averages, resolved, grid);
    walls.slope += wall.slope;
    walls.area += wall.area;
  }
  return walls.area > 0 ? std::sqrt(resolved.viscosity() * walls.slope / walls.area) : 0;
}

}  // namespace dns
