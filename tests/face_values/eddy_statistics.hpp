/// Planes of synthetic turbulence, and means over many independent times with their errors.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "solver/face_values/synthetic_eddies.hpp"

namespace dns {

/// Unequal lengths, speed other than 1; the plane's first axis ends, its second is periodic.
[[nodiscard]] inline EddySettings plane_across(Axis normal) {
  EddySettings settings{normal, {0, -1, 0.5}, {2, 2, 3}, {}, {0.4, 0.3, 0.45}, 1.7, 11};
  settings.is_periodic[axes_in_plane(normal).second] = true;
  return settings;
}

/// The half-width of eddies [L].
[[nodiscard]] inline double size_along(const EddySettings& settings, Axis axis) {
  return 4.0 / 3 * settings.length[axis];
}

/// The time [L/U] after which all eddies are others.
[[nodiscard]] inline double renewal_time(const EddySettings& settings) {
  return 2 * size_along(settings, settings.normal) / settings.convection_speed;
}

/// `count` equally spaced points from one end of the plane to the other.
[[nodiscard]] inline std::vector<double> points_along(const EddySettings& settings,
                                                      Axis axis,
                                                      std::size_t count) {
  const double low = settings.low[axis];
  const double high = settings.high[axis];
  std::vector<double> points(count);
  for (std::size_t n = 0; n < count; ++n)
    points[n] = low + (high - low) * static_cast<double>(n) / static_cast<double>(count - 1);
  return points;
}

/// The correlation coefficient of tents at a distance in units of their half-width.
[[nodiscard]] inline double tent_correlation(double q) {
  if (q >= 2) return 0;
  return q < 1 ? 1 - 1.5 * q * q + 0.75 * q * q * q : 0.25 * (2 - q) * (2 - q) * (2 - q);
}

/// The mean of samples, and its standard error from the means of blocks of them.
class BlockMean {
 public:
  void add(double sample) {
    sum_ += sample;
    if (++in_block_ < per_block) return;
    blocks_.push_back(sum_ / per_block);
    sum_ = 0;
    in_block_ = 0;
  }
  [[nodiscard]] double mean() const {
    double sum = 0;
    for (const double block : blocks_) sum += block;
    return sum / count();
  }
  [[nodiscard]] double error() const {
    const double centre = mean();
    double squares = 0;
    for (const double block : blocks_) squares += (block - centre) * (block - centre);
    return std::sqrt(squares / (count() - 1) / count());
  }

  static constexpr int per_block = 100;

 private:
  [[nodiscard]] double count() const { return static_cast<double>(blocks_.size()); }
  double sum_ = 0;
  int in_block_ = 0;
  std::vector<double> blocks_;
};

}  // namespace dns
