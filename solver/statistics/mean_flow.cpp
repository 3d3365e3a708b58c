#include "solver/statistics/mean_flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "solver/core/error.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/numerics/staggered_orders.hpp"

namespace dns {
namespace {

std::size_t place_of(const StatisticsSums& statistics, std::string_view name) {
  const auto sum = std::ranges::find(statistics.sums, name, &HostField::name);
  if (sum == statistics.sums.end()) throw IoError(fmt::format("the statistics have no {}", name));
  return sum - statistics.sums.begin();
}

Extents cells_of(const StatisticsSums& statistics) {
  return statistics.sums[place_of(statistics, "dissipation")].extents();
}

/// u, v, w, T, p, then the scalars whose fluxes there are besides uT.
std::vector<std::string> symbols_in(const StatisticsSums& statistics) {
  std::vector<std::string> symbols;
  for (const char letter : variable_letters) symbols.emplace_back(1, letter);
  constexpr std::string_view of_flux = "u_";
  for (const HostField& sum : statistics.sums)
    if (sum.name().starts_with(of_flux)) symbols.push_back(sum.name().substr(of_flux.size()));
  return symbols;
}

/// The share of the fluid where a sum is taken; empty where there are no bodies.
std::vector<double> fluid_at(const StatisticsSums& statistics, std::string_view name) {
  std::string share(fluid_share_name);
  for (const std::string& symbol : symbols_in(statistics)) {
    for (std::size_t order = 1; order <= 4; ++order)
      if (name == name_of_power(symbol, order)) share = share_name_of(symbol);
  }
  const bool has_bodies =
      std::ranges::find(statistics.sums, share, &HostField::name) != statistics.sums.end();
  if (!has_bodies || name.starts_with(fluid_share_name)) return {};
  return statistics.average(place_of(statistics, share));
}

}  // namespace

/// Sums with one point more than cells along an axis begin with the first face, those with two more
/// with the point below the first cell.
MeanOfSum::MeanOfSum(const StatisticsSums& statistics, std::string_view name) {
  const std::size_t place = place_of(statistics, name);
  const Extents cells = cells_of(statistics);
  extents_ = statistics.sums[place].extents();
  values_ = statistics.average(place);
  for (int axis = 0; axis < 3; ++axis) first_[axis] = extents_[axis] == cells[axis] + 2 ? -1 : 0;
  const std::vector<double> fluid = fluid_at(statistics, name);
  for (std::size_t point = 0; point < fluid.size(); ++point) values_[point] /= fluid[point];
}

double MeanOfSum::operator()(Index3 c) const {
  const auto index = [&](int axis) { return extents_[axis] == 1 ? 0 : c[axis] - first_[axis]; };
  const std::size_t nx = extents_.nx;
  const std::size_t ny = extents_.ny;
  return values_[(index(2) * ny + index(1)) * nx + index(0)];
}

MeanFlow::MeanFlow(const StatisticsSums& statistics, const Case& resolved)
    : cells_(cells_of(statistics)),
      symbols_(symbols_in(statistics)),
      powers_(symbols_.size()),
      grid_(staggered_grid(resolved)) {
  // Around bodies products have order 2 (StatisticsSampler).
  if (!resolved.solids.empty()) std::ranges::for_each(grid_, [](auto& axis) { axis.order = 2; });
  for (std::size_t variable = 0; variable < powers_.size(); ++variable) {
    const std::string& symbol = symbols_[variable];
    references_.push_back(statistics.reference(symbol));
    offsets_.push_back(statistics.offset(symbol));
    if (std::ranges::find(statistics.sums, symbol, &HostField::name) == statistics.sums.end())
      continue;
    const auto power = [&](std::size_t order) {
      return MeanOfSum(statistics, name_of_power(symbol, order));
    };
    powers_[variable].emplace(Powers{power(1), power(2), power(3), power(4)});
  }
}

/// f at the place of a variable in cell c, or the mean of f at both faces of its own axis.
template <class Formula>
double MeanFlow::mean_over_places(int variable, Index3 c, const Formula& f) const {
  if (variable > 2 || of(variable)->front().is_averaged(variable)) return f(c);
  Index3 behind = c;
  ++behind[variable];
  return 0.5 * (f(c) + f(behind));
}

/// The mean at cell c of f at the faces across an axis, as products have it: over both faces, or J
/// f across walls.
template <class Formula>
double MeanFlow::mean_of_products(int axis, Index3 c, const Formula& f) const {
  const auto at = [&](int face) {
    Index3 there = c;
    there[axis] = face;
    return f(there);
  };
  const int cell = c[axis];
  if (of(axis)->front().is_averaged(axis)) return f(c);
  if (!grid_[axis].across_walls) return 0.5 * (at(cell) + at(cell + 1));
  const OperatorsAcrossWalls& rows = *grid_[axis].across_walls;
  const int first = MatricesAcrossWalls::first_face(cell, rows.cells());
  double sum = 0;
  for (int face = first; face < first + MatricesAcrossWalls::row_width; ++face)
    sum += rows.mean(face, cell) / rows.weight_of_cell(cell) * at(face);
  return sum;
}

/// The mean of a variable at a face across an axis, or at an edge there, in the order of the axis.
double MeanFlow::beside(int variable, int axis, Index3 at) const {
  const MeanOfSum& q = of(variable)->front();
  if (q.is_averaged(axis)) return q(at);
  const StaggeredAxis& along = grid_[axis];
  const int n = along.cells();
  const int face = at[axis];
  const auto value = [&](int cell) {
    at[axis] = cell;
    return q(at);
  };
  if (along.across_walls && face > 0 && face < n) {
    const int first = MatricesAcrossWalls::first_cell(face, n);
    double sum = 0;
    for (int cell = first; cell < first + MatricesAcrossWalls::row_width; ++cell)
      sum += along.across_walls->mean(face, cell) / along.across_walls->weight_of_face(face) *
             value(cell);
    return sum;
  }
  if (along.order == 2) return 0.5 * (value(face - 1) + value(face));
  // Beyond the ends the values go on periodically, or mirrored at planes of symmetry.
  return mean_of<double, true>(AnyOrder<double>(along.order), [&](int steps) {
    const int cell = face + steps;
    if (along.is_periodic) return value((cell + n) % n);
    return value(cell < 0 ? -1 - cell : cell < n ? cell : 2 * n - 1 - cell);
  });
}

double MeanFlow::shifted_mean(int variable, Index3 c) const {
  return mean_over_places(variable, c, [&](Index3 at) { return of(variable)->front()(at); });
}

double MeanFlow::central_moment(int variable, int order, Index3 at) const {
  const Powers& powers = *of(variable);
  const double m1 = powers[0](at);
  const double m2 = powers[1](at);
  if (order == 2) return m2 - m1 * m1;
  const double m3 = powers[2](at);
  if (order == 3) return m3 - 3 * m1 * m2 + 2 * m1 * m1 * m1;
  return powers[3](at) - 4 * m1 * m3 + 6 * m1 * m1 * m2 - 3 * m1 * m1 * m1 * m1;
}

double MeanFlow::variance(int variable, Index3 c) const {
  return mean_over_places(variable, c, [&](Index3 at) { return central_moment(variable, 2, at); });
}

double MeanFlow::normalised(int variable, int order, double epsilon, Index3 c) const {
  constexpr double smallest_share = 1e-6;
  const double variance_here = variance(variable, c);
  const double square =
      mean_over_places(variable, c, [&](Index3 at) { return (*of(variable))[1](at); });
  const double round_off = epsilon * computed_mean(variable, c);
  if (!(variance_here > std::max(smallest_share * square, round_off * round_off)))
    return std::numeric_limits<double>::quiet_NaN();
  const double moment =
      mean_over_places(variable, c, [&](Index3 at) { return central_moment(variable, order, at); });
  return moment / std::pow(variance_here, 0.5 * order);
}

double MeanFlow::product_of_means(int one, int other, Index3 c) const {
  return mean_of_products(one, c, [&](Index3 face) {
    return mean_of_products(other, face, [&](Index3 edge) {
      return beside(one, other, edge) * beside(other, one, edge);
    });
  });
}

double MeanFlow::flux_of_means(int component, int scalar, Index3 c) const {
  return mean_of_products(component, c, [&](Index3 face) {
    return of(component)->front()(face) * beside(scalar, component, face);
  });
}

}  // namespace dns
