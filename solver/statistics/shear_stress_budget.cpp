#include <algorithm>
#include <array>
#include <cmath>

#include "solver/statistics/budget_terms.hpp"

namespace dns {
namespace {

std::string letters(int one, int other) {
  return {"uvw"[std::min(one, other)], "uvw"[std::max(one, other)]};
}

/// "uvv" of 0, 1, 1 in any order.
std::string sorted_letters(std::array<int, 3> components) {
  std::ranges::sort(components);
  std::string name;
  for (const int component : components) name += "uvw"[component];
  return name;
}

std::size_t place(int one, int other) {
  return 3 * one + other;
}

}  // namespace

ShearStressBudget::ShearStressBudget(const StatisticsSums& statistics,
                                     const MeanFlow& flow,
                                     const BudgetGrid& grid,
                                     int first,
                                     int second)
    : flow_(&flow),
      grid_(&grid),
      first_(first),
      second_(second),
      pressure_(statistics, "p"),
      strain_(statistics, "budget_strain_" + letters(first, second)),
      gradients_(statistics, "budget_gradients_" + letters(first, second)) {
  for (int a = 0; a < 3; ++a) {
    const std::string name(1, "uvw"[a]);
    pressure_velocity_.emplace_back(statistics, "budget_p" + name);
    triples_.emplace_back(statistics, "budget_" + sorted_letters({first, second, a}));
    for (int b = 0; b < 3; ++b) {
      squares_.emplace_back(statistics, "budget_" + letters(a, b));
      gradient_.emplace_back(statistics, "budget_" + name + "_" + "xyz"[b]);
    }
  }
  const bool is_buoyant = grid.buoyancy_along(first) != 0 || grid.buoyancy_along(second) != 0;
  if (!is_buoyant) return;
  heat_flux_[0].emplace(statistics, std::string(1, "uvw"[first]) + "T");
  heat_flux_[1].emplace(statistics, std::string(1, "uvw"[second]) + "T");
}

double ShearStressBudget::covariance(int one, int other, Index3 c) const {
  return squares_[place(one, other)](c) -
         flow_->shifted_mean(one, c) * flow_->shifted_mean(other, c);
}

/// The third central moment of both components and component k.
double ShearStressBudget::triple(int k, Index3 c) const {
  const auto mean = [&](int a) { return flow_->shifted_mean(a, c); };
  const auto square = [&](int a, int b) { return squares_[place(a, b)](c); };
  return triples_[k](c) - mean(k) * square(first_, second_) - mean(first_) * square(second_, k) -
         mean(second_) * square(first_, k) + 2 * mean(k) * mean(first_) * mean(second_);
}

/// First and second derivative at a cell of a moment of fluctuations of these velocity components
/// and maybe p, second order in the widths. On a wall a product q grows by dq/dn = k q, k the sum
/// of growth_at_wall of its components: the parabola through the cells at distances a and b has
///   q = (b^2 q_a - a^2 q_b)/(b^2 - a^2 + k a b (b - a))   there, 0 where one of them is given.
/// On other boundaries q has no normal gradient.
template <class Values>
std::array<double, 2> ShearStressBudget::derivatives(int axis,
                                                     Index3 c,
                                                     std::initializer_list<int> components,
                                                     const Values& values) const {
  const StaggeredAxis& along = grid_->along(axis);
  const int i = c[axis];
  const int n = along.cells();
  const double here = values(c);
  const auto beside = [&](int cell, int face) -> std::array<double, 2> {
    const int between = std::max(i, cell);
    Index3 there = c;
    there[axis] = (cell + n) % n;
    if (along.is_periodic || (cell >= 0 && cell < n))
      return {values(there), along.mirrored_distance(between)};
    const double mirrored = along.mirrored_distance(std::max(i, cell));
    if (!grid_->conditions[face].is_wall()) return {here, mirrored};
    double growth = 0;
    for (const int component : components) growth += grid_->growth_at_wall(face, component);
    const double a = mirrored / 2;
    if (!std::isfinite(growth)) return {0, a};
    const int inwards = cell < 0 ? 1 : -1;
    if (n == 1) return {here / (1 + growth * a), a};
    const double b = a + along.mirrored_distance(std::max(i, i + inwards));
    there[axis] = i + inwards;
    return {(b * b * here - a * a * values(there)) / (b * b - a * a + growth * a * b * (b - a)), a};
  };
  const int face = face_index(axis, false);
  const auto [below, low] = beside(i - 1, face);
  const auto [above, high] = beside(i + 1, face + 1);
  const double slope_low = (here - below) / low;
  const double slope_high = (above - here) / high;
  return {(high * slope_low + low * slope_high) / (low + high),
          2 * (slope_high - slope_low) / (low + high)};
}

BudgetTerms ShearStressBudget::at_cell(Index3 c) const {
  const double viscosity = grid_->resolved->viscosity();
  const auto mean_gradient = [&](int a, int k) { return gradient_[place(a, k)](c); };
  BudgetTerms terms{};
  double mean_product = 0;
  for (int k = 0; k < 3; ++k) {
    terms[production_term] -= covariance(first_, k, c) * mean_gradient(second_, k) +
                              covariance(second_, k, c) * mean_gradient(first_, k);
    mean_product += mean_gradient(first_, k) * mean_gradient(second_, k);
    if (!grid_->is_kept(k)) continue;
    const auto [slope, curvature] = derivatives(
        k, c, {first_, second_}, [&](Index3 at) { return covariance(first_, second_, at); });
    terms[advection_term] -= flow_->mean(k, c) * slope;
    terms[viscous_diffusion_term] += viscosity * curvature;
    terms[turbulent_transport_term] -=
        derivatives(k, c, {first_, second_, k}, [&](Index3 at) { return triple(k, at); })[0];
    const int carried = k == first_ ? second_ : k == second_ ? first_ : -1;
    if (carried < 0) continue;
    const std::size_t a = carried;
    terms[pressure_transport_term] -= derivatives(k, c, {carried}, [&](Index3 at) {
      return pressure_velocity_[a](at) - pressure_(at) * flow_->shifted_mean(carried, at);
    })[0];
  }
  terms[dissipation_term] = -2 * viscosity * (gradients_(c) - mean_product);
  terms[pressure_strain_term] =
      strain_(c) - pressure_(c) * (mean_gradient(first_, second_) + mean_gradient(second_, first_));
  if (!heat_flux_[0]) return terms;
  const auto flux = [&](std::size_t which, int component) {
    return (*heat_flux_.at(which))(c)-flow_->flux_of_means(component, first_scalar, c);
  };
  terms[buoyancy_term] = grid_->buoyancy_along(second_) * flux(0, first_) +
                         grid_->buoyancy_along(first_) * flux(1, second_);
  return terms;
}

}  // namespace dns
