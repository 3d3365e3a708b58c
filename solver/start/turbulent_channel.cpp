#include "solver/start/turbulent_channel.hpp"

#include <cmath>
#include <numbers>

#include "solver/core/index.hpp"
#include "solver/core/random_numbers.hpp"

namespace dns {
namespace {

constexpr double turn = 2 * std::numbers::pi;

/// Shape across the channel: p(y) = (1 - y^2)^2 and y p(y), with their derivatives.
struct Shape {
  double even, odd, even_slope, odd_slope;
};
Shape shape_at(double y) {
  const double rest = 1 - y * y;
  return {rest * rest, y * rest * rest, -4 * y * rest, rest * (1 - 5 * y * y)};
}

/// The sums over all waves for one component at one place along s and t: the factors of the even
/// and the odd shape.
struct Sums {
  double even = 0, odd = 0;
};

}  // namespace

TurbulentChannel::TurbulentChannel(const Case& resolved) {
  const TurbulentChannelCase& channel = *resolved.initial.turbulent_channel;
  axis_s_ = channel.axis;
  const int second = (axis_s_ + 1) % 3;
  across_ = walled_axis(resolved, resolved.is_periodic(second) ? (axis_s_ + 2) % 3 : second);
  axis_t_ = 3 - axis_s_ - across_.axis;
  bulk_velocity_ = channel.bulk_velocity;
  for (int component = 0; component < 3; ++component) {
    const double low = velocity_of_wall(resolved, across_.axis, false, component);
    const double high = velocity_of_wall(resolved, across_.axis, true, component);
    walls_[component] = (low + high) / 2;
    difference_[component] = (high - low) / 2;
  }

  const auto length = [&](int axis) { return resolved.grid.length[axis]; };
  const double half_height = across_.half;
  const int along = waves_on(length(axis_s_), 2 * half_height, most_waves_along);
  const int across = waves_on(length(axis_t_), half_height / 2, most_waves_across);
  // Means over y of squares: p 128/315, p' 128/105, y p 128/3465, (y p)' 128/315.
  const bool is_half = across_.ends_in_the_middle;
  const double squares = (is_half ? 0 : 128.0 / 315) + 128.0 / 3465;
  const double squares_of_slopes = (is_half ? 0 : 128.0 / 105) + 128.0 / 315;
  std::size_t number = 0;
  const auto random = [&] { return random_number(resolved.initial.noise.seed, 7, number++); };
  double mean_square = 0;  // of the disturbance, expected
  for (int t = 1; t <= across; ++t) {
    for (int s = -along; s <= along; ++s) {
      Wave wave{turn * s / length(axis_s_), turn * t / length(axis_t_), {}, {}, {}};
      const double k_squared = wave.k_s * wave.k_s + wave.k_t * wave.k_t;
      for (std::size_t which = 0; which < 2; ++which) {
        wave.even[which] = random() * (is_half ? 0 : 1);
        wave.odd[which] = random();
        wave.phase[which] = std::numbers::pi * random();
      }
      // The mean square of a random number is 1/3, of a cosine 1/2. A_s and A_t contribute alike,
      // and share k^2 in the normal component.
      mean_square +=
          (2 * squares_of_slopes / (half_height * half_height) + k_squared * squares) / 6;
      waves_.push_back(wave);
    }
  }
  const double scale = channel.amplitude * bulk_velocity_ / std::sqrt(mean_square);
  for (Wave& wave : waves_) {
    for (std::size_t which = 0; which < 2; ++which) {
      wave.even[which] *= scale;
      wave.odd[which] *= scale;
    }
  }
}

std::vector<double> TurbulentChannel::velocity(
    int component, const PerAxis<std::vector<double>>& coordinates) const {
  const auto along = [&](int axis) -> const std::vector<double>& { return coordinates[axis]; };
  // curl with (s, n, t) right-handed:  V_s = dA_t/dn,  V_n = dA_s/dt - dA_t/ds,  V_t = -dA_s/dn;
  // with the other orientation all of it changes sign, which makes no difference to random waves.
  const auto& s_values = along(axis_s_);
  const auto& t_values = along(axis_t_);
  std::vector<Sums> sums(s_values.size() * t_values.size());
#pragma omp parallel for schedule(static)
  for (std::size_t t = 0; t < t_values.size(); ++t) {
    for (std::size_t s = 0; s < s_values.size(); ++s) {
      Sums& sum = sums[t * s_values.size() + s];
      for (const Wave& wave : waves_) {
        const double angle = wave.k_s * s_values[s] + wave.k_t * t_values[t];
        double factor_s = 0;  // of A_s's a and b
        double factor_t = 0;  // of A_t's
        if (component == axis_s_) factor_t = std::cos(angle + wave.phase[1]) / across_.half;
        if (component == axis_t_) factor_s = -std::cos(angle + wave.phase[0]) / across_.half;
        if (component == across_.axis) {
          factor_s = -wave.k_t * std::sin(angle + wave.phase[0]);
          factor_t = wave.k_s * std::sin(angle + wave.phase[1]);
        }
        sum.even += factor_s * wave.even[0] + factor_t * wave.even[1];
        sum.odd += factor_s * wave.odd[0] + factor_t * wave.odd[1];
      }
    }
  }
  const auto value = [&](std::size_t s, std::size_t n, std::size_t t) {
    const double y = across_.place(along(across_.axis)[n]);
    const Shape shape = shape_at(y);
    const Sums& sum = sums[t * s_values.size() + s];
    if (component == across_.axis) return shape.even * sum.even + shape.odd * sum.odd;
    const std::size_t which = component;
    double laminar = walls_[which] + difference_[which] * y;
    if (component == axis_s_) laminar += 1.5 * bulk_velocity_ * (1 - y * y);
    return laminar + shape.even_slope * sum.even + shape.odd_slope * sum.odd;
  };
  const std::size_t nx = along(0).size();
  const std::size_t ny = along(1).size();
  const std::size_t nz = along(2).size();
  std::vector<double> values(nx * ny * nz);
#pragma omp parallel for schedule(static)
  for (std::size_t k = 0; k < nz; ++k) {
    for (std::size_t j = 0; j < ny; ++j) {
      for (std::size_t i = 0; i < nx; ++i) {
        const PerAxis<std::size_t> at{i, j, k};
        values[(k * ny + j) * nx + i] = value(at[axis_s_], at[across_.axis], at[axis_t_]);
      }
    }
  }
  return values;
}

}  // namespace dns
