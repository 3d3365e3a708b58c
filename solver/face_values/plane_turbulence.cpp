#include "solver/face_values/plane_turbulence.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <utility>

#include "solver/core/index.hpp"
#include "solver/face_values/face_points.hpp"

namespace dns {

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

/// Velocity of the eddies born at a moment, when their tops pass [U].
std::vector<double> PlaneTurbulence::born_at(std::int64_t moment,
                                             int component,
                                             const PlanePoints& points) const {
  assert(points.factors.size() == points.a.size() * points.b.size());
  const std::size_t components = component + 1;  // a is a lower triangle
  const auto e = eddies_.born_at(moment, points.a, points.b, components);
  std::vector<double> velocity(points.factors.size());
  for (std::size_t point = 0; point < velocity.size(); ++point) {
    PerAxis<double> here{};
    for (std::size_t n = 0; n < components; ++n) here[n] = e[n][point];
    velocity[point] = points.factors[point].velocity(component, here);
  }
  return velocity;
}

/// Velocity of the eddies born at a moment with m sqrt(R_nn) taken off: m is a sum over the eddies
/// as u' is.
std::vector<double> PlaneTurbulence::without_flux(std::int64_t birth,
                                                  int component,
                                                  const PlanePoints& points) const {
  std::vector<double> velocity = born_at(birth, component, points);
  const int normal = velocity_along(eddies_.settings().normal);
  if (component != normal || flux_of_deviation_ == 0) return velocity;
  const double m = integral(widths_, born_at(birth, normal, whole_)) / flux_of_deviation_;
  for (std::size_t point = 0; point < velocity.size(); ++point)
    velocity[point] -= m * points.factors[point].deviation(normal);
  return velocity;
}

const std::vector<double>& PlaneTurbulence::at_moment(std::int64_t moment,
                                                      PassingVelocity& part) const {
  constexpr int planes = SyntheticEddies::planes_of_eddies;
  constexpr std::size_t points_worth_threads = SyntheticEddies::points_worth_threads;
  return part.at_moments.get(moment, [&] {
    std::array<const double*, planes> born{};  // 0 moments ago: without a share
    std::array<double, planes> shares{};
    for (int age = 1; age < planes; ++age) {
      const std::size_t n = age;
      born[n] = part.born
                    .get(moment - age,
                         [&] { return without_flux(moment - age, part.component, part.points); })
                    .data();
      shares[n] = SyntheticEddies::share(age);
    }
    std::vector<double> velocity(part.points.factors.size());
    constexpr std::size_t block = 512;  // points that stay in a cache of the first level
    const std::size_t blocks = (velocity.size() + block - 1) / block;
#pragma omp parallel for schedule(static) if (velocity.size() >= points_worth_threads)
    for (std::size_t n = 0; n < blocks; ++n) {
      const std::size_t end = std::min((n + 1) * block, velocity.size());
      for (std::size_t age = 1; age < planes; ++age) {
        for (std::size_t point = n * block; point < end; ++point)
          velocity[point] += shares[age] * born[age][point];
      }
    }
    return velocity;
  });
}

PlaneTurbulence::Line PlaneTurbulence::line_through(double t, PassingVelocity& part) const {
  const double moments = eddies_.moments_at(t);
  const double whole = std::isnan(moments) ? 0 : std::floor(moments);
  const auto moment = static_cast<std::int64_t>(whole);
  return {at_moment(moment, part), at_moment(moment + 1, part), moments - whole};
}

void PlaneTurbulence::add(PassingVelocity& part, double t, std::vector<double>& values) const {
  const auto& [before, after, share] = line_through(t, part);
  assert(values.size() == before.size());
  for (std::size_t point = 0; point < values.size(); ++point)
    values[point] += before[point] + share * (after[point] - before[point]);
}

void PlaneTurbulence::prepare(PassingVelocity& part, double t) const {
  static_cast<void>(line_through(t, part));
}

}  // namespace dns
