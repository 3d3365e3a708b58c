#include "solver/face_values/plane_turbulence.hpp"

#include <array>
#include <cassert>
#include <cstddef>
#include <utility>

#include "solver/face_values/face_points.hpp"

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
    : eddies_(settings), whole_(std::move(whole)), widths_{std::move(width_a), std::move(width_b)} {
  assert(whole_.a.size() == widths_[0].size() && whole_.b.size() == widths_[1].size());
  std::vector<double> deviations;
  for (const StressFactor& factor : whole_.factors)
    deviations.push_back(factor.deviation(velocity_along(settings.normal)));
  flux_of_deviation_ = integral(widths_, deviations);
}

double PlaneTurbulence::excess(double t) const {
  if (flux_of_deviation_ == 0) return 0;
  const int normal = velocity_along(eddies_.settings().normal);
  return integral(widths_, with_flux(eddies_, normal, whole_, t)) / flux_of_deviation_;
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
