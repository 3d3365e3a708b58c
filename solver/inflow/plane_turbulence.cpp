#include "solver/inflow/plane_turbulence.hpp"

#include <array>
#include <cassert>
#include <cstddef>
#include <utility>

namespace dns {
namespace {

std::vector<double> with_flux(const SyntheticEddies& eddies,
                              int component,
                              const PlanePoints& points,
                              double t) {
  assert(points.factors.size() == points.a.size() * points.b.size());
  const auto components = static_cast<std::size_t>(component) + 1;  // a is a lower triangle
  const auto e = eddies.unit_fluctuations(points.a, points.b, t, components);
  std::vector<double> velocity(points.factors.size());
  for (std::size_t point = 0; point < velocity.size(); ++point) {
    std::array<double, 3> here{};
    for (std::size_t n = 0; n < components; ++n) here.at(n) = e.at(n)[point];
    velocity[point] = points.factors[point].velocity(component, here);
  }
  return velocity;
}

}  // namespace

PlaneTurbulence::PlaneTurbulence(const EddySettings& settings,
                                 PlanePoints whole,
                                 std::vector<double> width_a,
                                 std::vector<double> width_b)
    : eddies_(settings),
      whole_(std::move(whole)),
      width_a_(std::move(width_a)),
      width_b_(std::move(width_b)) {
  assert(whole_.a.size() == width_a_.size() && whole_.b.size() == width_b_.size());
}

double PlaneTurbulence::excess(double t) const {
  const int normal = velocity_along(eddies_.settings().normal);
  const std::vector<double> velocity = with_flux(eddies_, normal, whole_, t);
  double flux = 0;
  double flux_of_deviation = 0;
  for (std::size_t point = 0; point < velocity.size(); ++point) {
    const std::size_t columns = whole_.a.size();
    const double area = width_a_[point % columns] * width_b_[point / columns];
    flux += velocity[point] * area;
    flux_of_deviation += whole_.factors[point].deviation(normal) * area;
  }
  return flux_of_deviation > 0 ? flux / flux_of_deviation : 0;
}

std::vector<double> PlaneTurbulence::velocity(int component,
                                              const PlanePoints& part,
                                              double t) const {
  std::vector<double> velocity = with_flux(eddies_, component, part, t);
  if (component != velocity_along(eddies_.settings().normal)) return velocity;
  const double m = excess(t);
  for (std::size_t point = 0; point < velocity.size(); ++point)
    velocity[point] -= m * part.factors[point].deviation(component);
  return velocity;
}

}  // namespace dns
