#include "solver/start/turbulent_duct.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "solver/core/index.hpp"
#include "solver/core/random_numbers.hpp"

namespace dns {
namespace {

constexpr double pi = std::numbers::pi;

/// p(y) cos(k x + phase) at y, k x = k half y, or its derivative d/dx.
double enveloped(const WalledAxis& across, double k, double phase, double x, bool is_slope) {
  const double y = across.place(x);
  const double rest = 1 - y * y;
  const double angle = k * across.half * y + phase;
  if (!is_slope) return rest * rest * std::cos(angle);
  return -4 * y * rest / across.half * std::cos(angle) - rest * rest * k * std::sin(angle);
}

/// +1, -1: the sign of d/d(along) A_of in component c of curl A; 0 where it does not occur.
int sign_in_curl(int c, int along, int of) {
  if ((along + 3 - c) % 3 == 1 && (of + 3 - c) % 3 == 2) return 1;
  if ((along + 3 - c) % 3 == 2 && (of + 3 - c) % 3 == 1) return -1;
  return 0;
}

/// Midpoints of `count` equal parts of the whole axis, wall to wall [L].
std::vector<double> midpoints(const WalledAxis& across, int count) {
  std::vector<double> points;
  for (int n = 0; n < count; ++n)
    points.push_back(across.middle + across.half * ((2.0 * n + 1) / count - 1));
  return points;
}

}  // namespace

double laminar_duct_flow(double aspect, double y, double z) {
  constexpr int last = 59;  // the next is 2e-5 of the sum at most
  double value = 0;
  double mean = 0;
  double sign = 1;
  for (int m = 1; m <= last; m += 2) {
    const double x = m * pi * aspect / 2;
    const double cubed = static_cast<double>(m) * m * m;
    // cosh(x z)/cosh(x) without overflow.
    const double ratio = std::exp(x * (std::abs(z) - 1)) * (1 + std::exp(-2 * x * std::abs(z))) /
                         (1 + std::exp(-2 * x));
    value += sign / cubed * (1 - ratio) * std::cos(m * pi * y / 2);
    mean += 2 / (m * pi) / cubed * (1 - std::tanh(x) / x);
    sign = -sign;
  }
  return value / mean;
}

TurbulentDuct::TurbulentDuct(const Case& resolved) {
  const TurbulentChannelCase& channel = *resolved.initial.turbulent_channel;
  axes_ = {channel.axis, (channel.axis + 1) % 3, (channel.axis + 2) % 3};
  across_ = {walled_axis(resolved, axes_[1]), walled_axis(resolved, axes_[2])};
  turn_of_box_ = 2 * pi / resolved.grid.length[axes_[0]];
  bulk_velocity_ = channel.bulk_velocity;
  for (int component = 0; component < 3; ++component) {
    for (const WalledAxis& across : across_) {
      for (const bool is_high : {false, true})
        walls_[component] += velocity_of_wall(resolved, across.axis, is_high, component) / 4;
    }
  }
  add_waves(resolved);
  const double scale = channel.amplitude * bulk_velocity_ / std::sqrt(mean_square());
  for (Wave& wave : waves_) wave.size *= scale;
}

void TurbulentDuct::add_waves(const Case& resolved) {
  const double side = 2 * std::min(across_[0].half, across_[1].half);
  waves_along_ = waves_on(2 * pi / turn_of_box_, side, most_waves_along);
  std::array<int, 2> most{};
  for (std::size_t n = 0; n < 2; ++n)
    most.at(n) = waves_on(2 * across_.at(n).half, side / 4, most_waves_across);
  std::size_t number = 0;
  const auto random = [&] { return random_number(resolved.initial.noise.seed, 7, number++); };
  for (int of = 0; of < 3; ++of) {
    for (int s = 0; s <= waves_along_; ++s) {
      for (int n = 1; n <= most[0]; ++n) {
        for (int t = 1; t <= most[1]; ++t) {
          const PerAxis<double> k{
              turn_of_box_ * s, n * pi / across_[0].half, t * pi / across_[1].half};
          Wave wave{of, s, k, {pi * random(), pi * random(), pi * random()}, random()};
          wave.size /= std::hypot(k[0], k[1], k[2]);
          for (int direction = 1; direction < 3; ++direction) {
            const std::size_t d = direction;
            if (across_.at(d - 1).ends_in_the_middle) wave.phase[d] = of == direction ? 0 : -pi / 2;
          }
          waves_.push_back(wave);
        }
      }
    }
  }
}

/// For each place along n and t (n fastest), what curl A along a direction is made of:
/// SUM over m = 0 .. waves_along_ of first cos(m s) + second sin(m s), s in turns of the box.
std::vector<double> TurbulentDuct::sums_across(int direction,
                                               const std::vector<double>& n_values,
                                               const std::vector<double>& t_values) const {
  const std::size_t of_place = 2 * (static_cast<std::size_t>(waves_along_) + 1);
  std::vector<double> sums(of_place * n_values.size() * t_values.size());
  for (const Wave& wave : waves_) {
    if (wave.of == direction) continue;
    const int along = 3 - wave.of - direction;  // that of the derivative
    const double size = sign_in_curl(direction, along, wave.of) * wave.size;
    // cos(k s + f) and its derivative, as multiples of cos(k s) and sin(k s).
    const double factor = along == 0 ? -wave.number_k[0] : 1;
    const double angle = along == 0 ? wave.phase[0] - pi / 2 : wave.phase[0];
    const double first = size * factor * std::cos(angle);
    const double second = -size * factor * std::sin(angle);
    std::vector<double> of_n;
    for (const double x : n_values)
      of_n.push_back(enveloped(across_[0], wave.number_k[1], wave.phase[1], x, along == 1));
    for (std::size_t t = 0; t < t_values.size(); ++t) {
      const double of_t =
          enveloped(across_[1], wave.number_k[2], wave.phase[2], t_values[t], along == 2);
      for (std::size_t n = 0; n < n_values.size(); ++n) {
        double* const here = sums.data() + (t * n_values.size() + n) * of_place +
                             2 * static_cast<std::size_t>(wave.number);
        here[0] += first * of_n[n] * of_t;
        here[1] += second * of_n[n] * of_t;
      }
    }
  }
  return sums;
}

/// Mean square of curl A over the whole duct, by the midpoint rule.
double TurbulentDuct::mean_square() const {
  constexpr int points = 64;  // along each side: at most 8 waves, within an envelope
  const std::vector<double> n_values = midpoints(across_[0], points);
  const std::vector<double> t_values = midpoints(across_[1], points);
  const std::size_t of_place = 2 * (static_cast<std::size_t>(waves_along_) + 1);
  double sum = 0;
  for (int direction = 0; direction < 3; ++direction) {
    const std::vector<double> sums = sums_across(direction, n_values, t_values);
    for (std::size_t n = 0; n < sums.size(); ++n) {
      const std::size_t which = n % of_place;  // 0: the mean along s; 1: times sin(0)
      sum += which == 0 ? sums[n] * sums[n] : which == 1 ? 0 : sums[n] * sums[n] / 2;
    }
  }
  return sum / (points * points);
}

double TurbulentDuct::laminar(double y, double z) const {
  const double aspect = across_[1].half / across_[0].half;
  return aspect >= 1 ? laminar_duct_flow(aspect, y, z) : laminar_duct_flow(1 / aspect, z, y);
}

/// For each place along s: cos(m s), sin(m s) for m = 0 .. waves_along_, s in turns of the box.
std::vector<double> TurbulentDuct::waves_at(const std::vector<double>& s_values) const {
  std::vector<double> waves;
  for (const double s : s_values) {
    for (int m = 0; m <= waves_along_; ++m) {
      waves.push_back(std::cos(turn_of_box_ * m * s));
      waves.push_back(std::sin(turn_of_box_ * m * s));
    }
  }
  return waves;
}

std::vector<double> TurbulentDuct::velocity(int component,
                                            const PerAxis<std::vector<double>>& coordinates) const {
  const auto along = [&](int direction) -> const std::vector<double>& {
    return coordinates[axes_.at(direction)];
  };
  const int direction = (component - axes_[0] + 3) % 3;
  const auto& s_values = along(0);
  const auto& n_values = along(1);
  const auto& t_values = along(2);
  const std::vector<double> sums = sums_across(direction, n_values, t_values);
  const auto numbers = static_cast<std::size_t>(waves_along_) + 1;
  const std::vector<double> waves = waves_at(s_values);
  const PerAxis<std::size_t> stride{
      1, coordinates[0].size(), coordinates[0].size() * coordinates[1].size()};
  const auto step = [&](int d) { return stride[axes_.at(d)]; };
  std::vector<double> values(stride[2] * coordinates[2].size());
#pragma omp parallel for schedule(static)
  for (std::size_t t = 0; t < t_values.size(); ++t) {
    for (std::size_t n = 0; n < n_values.size(); ++n) {
      double mean = walls_[component];
      if (direction == 0) {
        mean +=
            bulk_velocity_ * laminar(across_[0].place(n_values[n]), across_[1].place(t_values[t]));
      }
      const double* const here = sums.data() + (t * n_values.size() + n) * 2 * numbers;
      for (std::size_t s = 0; s < s_values.size(); ++s) {
        double value = mean;
        for (std::size_t m = 0; m < 2 * numbers; ++m) value += here[m] * waves[2 * s * numbers + m];
        values[s * step(0) + n * step(1) + t * step(2)] = value;
      }
    }
  }
  return values;
}

}  // namespace dns
