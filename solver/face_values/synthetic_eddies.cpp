#include "solver/face_values/synthetic_eddies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ranges>

#include "solver/core/error.hpp"
#include "solver/core/index.hpp"
#include "solver/core/names.hpp"
#include "solver/core/random_numbers.hpp"
#include "solver/face_values/recent.hpp"

namespace dns {
namespace {

constexpr double size_of_length = 4.0 / 3;  // s/L
constexpr double eddies_in_own_volume = 4;  // N s_n s_a s_b / V
constexpr double most_eddies = 1e7;

/// Numbers of an eddy.
enum Sequence : int { of_first_place, of_second_place, of_sign };

void require_sound(const EddySettings& settings) {
  if (!(settings.convection_speed > 0) || !std::isfinite(settings.convection_speed)) {
    throw CaseError(fmt::format("eddies move at a speed of {:g}, but it must be > 0",
                                settings.convection_speed));
  }
  for (int axis = 0; axis < 3; ++axis) {
    const double length = settings.length[axis];
    if (!(length > 0) || !std::isfinite(length)) {
      throw CaseError(fmt::format(
          "the length of eddies along {} is {:g}, but must be > 0", axis_names[axis], length));
    }
    if (static_cast<Axis>(axis) == settings.normal) continue;
    const double extent = settings.high[axis] - settings.low[axis];
    if (!(extent > 0) || !std::isfinite(extent)) {
      throw CaseError(fmt::format(
          "the plane of eddies is {:g} long along {}, but must be > 0", extent, axis_names[axis]));
    }
    const double most = extent / (2 * size_of_length);
    if (settings.is_periodic[axis] && length > most) {
      throw CaseError(fmt::format(
          "the length of eddies along {} is {:g}, but must be at most {:g}, 3/8 of the period",
          axis_names[axis],
          length,
          most));
    }
  }
}

/// f(r)/sqrt(3/2); NaN of NaN.
double tent(double r) {
  return std::max(1 - std::abs(r), 0.0);
}

/// The first of ascending coordinates above `low`, and the first that is not below `high`.
struct Range {
  std::size_t begin = 0, end = 0;
};
Range range_between(std::span<const double> coordinates, double low, double high) {
  const auto begin = std::ranges::upper_bound(coordinates, low);
  const auto end = std::lower_bound(begin, coordinates.end(), high);
  return {static_cast<std::size_t>(begin - coordinates.begin()),
          static_cast<std::size_t>(end - coordinates.begin())};
}

}  // namespace

struct SyntheticEddies::Footprint {
  std::array<double, 2> centre;
  PerAxis<double> amplitude;
  Range columns, rows;  // along the plane's first and second axis
};

SyntheticEddies::SyntheticEddies(const EddySettings& settings) : settings_(settings) {
  require_sound(settings);
  const AxesInPlane axes = axes_in_plane(settings.normal);
  axes_ = {axes.first, axes.second};
  for (int axis = 0; axis < 3; ++axis) size_[axis] = size_of_length * settings.length[axis];
  double own_volumes = 2;  // V/(s_n s_a s_b)
  for (const Axis axis : axes_) {
    own_volumes *= (settings.high[axis] - settings.low[axis]) / size_[axis] +
                   (settings.is_periodic[axis] ? 0 : 2);
  }
  constexpr auto planes = static_cast<double>(planes_of_eddies);
  const double wanted = std::ceil(eddies_in_own_volume * own_volumes / planes) * planes;
  if (!(wanted < most_eddies)) {
    throw CaseError(
        fmt::format("{:g} eddies of these lengths fill the plane, but they must be fewer than {:g}",
                    wanted,
                    most_eddies));
  }
  eddies_ = static_cast<std::size_t>(wanted);
  amplitude_ = std::sqrt(own_volumes / wanted) * std::pow(1.5, 1.5);
  offset_ = planes * (1 + random_number(mixed(settings_.seed), 0, 0)) / 2;
}

/// Eddy k in the n-th of its lives.
SyntheticEddies::Eddy SyntheticEddies::eddy_of(std::size_t k, std::int64_t generation) const {
  const std::uint64_t own =
      mixed(mixed(mixed(settings_.seed) + k) + static_cast<std::uint64_t>(generation));
  Eddy eddy{};
  for (std::size_t n = 0; n < 2; ++n) {
    const Axis axis = axes_.at(n);
    const double margin = settings_.is_periodic[axis] ? 0 : size_[axis];
    const double low = settings_.low[axis] - margin;
    const double high = settings_.high[axis] + margin;
    const double share = (1 + random_number(own, n == 0 ? of_first_place : of_second_place, 0)) / 2;
    eddy.centre.at(n) = low + share * (high - low);
  }
  for (int component = 0; component < 3; ++component) {
    eddy.amplitude[component] =
        random_number(own, of_sign, component) < 0 ? -amplitude_ : amplitude_;
  }
  return eddy;
}

/// Appends those of an eddy and its images, whole periods off, that have points.
void SyntheticEddies::add_footprints(const Eddy& eddy,
                                     std::span<const double> a,
                                     std::span<const double> b,
                                     std::vector<Footprint>& prints) const {
  const std::array<std::span<const double>, 2> points{a, b};
  const auto for_each_image = [&](std::size_t n, double centre, const auto& visit) {
    const Axis axis = axes_.at(n);
    const double size = size_[axis];
    const double period = settings_.high[axis] - settings_.low[axis];
    int first = 0;
    int last = 0;
    if (settings_.is_periodic[axis]) {
      first = static_cast<int>(std::floor((points.at(n).front() - size - centre) / period));
      last = static_cast<int>(std::ceil((points.at(n).back() + size - centre) / period));
    }
    for (int shift = first; shift <= last; ++shift) {
      const double here = centre + shift * period;
      const Range range = range_between(points.at(n), here - size, here + size);
      if (range.begin < range.end) visit(here, range);
    }
  };
  for_each_image(1, eddy.centre[1], [&](double centre_b, Range rows) {
    for_each_image(0, eddy.centre[0], [&](double centre_a, Range columns) {
      prints.push_back({{centre_a, centre_b}, eddy.amplitude, columns, rows});
    });
  });
}

/// Footprints of the eddies born at a moment, in their order. Every 24th eddy has the same moments
/// of birth.
std::vector<SyntheticEddies::Footprint> SyntheticEddies::footprints(std::span<const double> a,
                                                                    std::span<const double> b,
                                                                    std::int64_t birth) const {
  std::vector<Footprint> prints;
  if (a.empty() || b.empty()) return prints;
  const std::int64_t first = place_in_cycle(-birth, planes_of_eddies);
  const std::int64_t generation = (birth + first) / planes_of_eddies;
  for (std::size_t k = first; k < eddies_; k += planes_of_eddies)
    add_footprints(eddy_of(k, generation), a, b, prints);
  return prints;
}

SyntheticEddies::Fluctuations SyntheticEddies::born_at(std::int64_t moment,
                                                       std::span<const double> a,
                                                       std::span<const double> b,
                                                       std::size_t components) const {
  const std::vector<Footprint> prints = footprints(a, b, moment);
  const double size_a = size_[axes_[0]];
  const double size_b = size_[axes_[1]];
  Fluctuations e;
  for (std::size_t n = 0; n < components; ++n) e[n].resize(a.size() * b.size());
  constexpr std::size_t rows_at_once = 4;  // by one thread, which looks through all eddies for them
  const std::size_t blocks = (b.size() + rows_at_once - 1) / rows_at_once;
#pragma omp parallel if (a.size() * b.size() >= points_worth_threads)
  {
    std::vector<double> along_a(a.size());
#pragma omp for schedule(static)
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t first_row = block * rows_at_once;
      const std::size_t end_row = std::min(first_row + rows_at_once, b.size());
      for (const Footprint& eddy : prints) {
        const std::size_t first = std::max(first_row, eddy.rows.begin);
        const std::size_t end = std::min(end_row, eddy.rows.end);
        if (first >= end) continue;
        const auto [begin_column, end_column] = eddy.columns;
        for (std::size_t column = begin_column; column < end_column; ++column)
          along_a[column] = tent((a[column] - eddy.centre[0]) / size_a);
        for (std::size_t row = first; row < end; ++row) {
          const double along_b = tent((b[row] - eddy.centre[1]) / size_b);
          for (std::size_t n = 0; n < components; ++n) {
            const double weight = eddy.amplitude[n] * along_b;
            double* const values = e[n].data() + row * a.size();
            for (std::size_t column = begin_column; column < end_column; ++column)
              values[column] += weight * along_a[column];
          }
        }
      }
    }
  }
  return e;
}

double SyntheticEddies::share(double age) {
  return tent(2 * age / planes_of_eddies - 1);
}

double SyntheticEddies::moments_at(double t) const {
  const double passage = 2 * size_[settings_.normal] / settings_.convection_speed;
  const double moments = offset_ + t / passage * planes_of_eddies;
  constexpr double most = 1e15;  // whole numbers and their fractions
  return std::abs(moments) < most ? moments : std::numeric_limits<double>::quiet_NaN();
}

SyntheticEddies::Fluctuations SyntheticEddies::unit_fluctuations(std::span<const double> a,
                                                                 std::span<const double> b,
                                                                 double t) const {
  const double moments = moments_at(t);
  const auto latest = std::isnan(moments) ? 0 : static_cast<std::int64_t>(std::floor(moments));
  Fluctuations e;
  for (std::vector<double>& component : e) component.resize(a.size() * b.size());
  for (std::int64_t birth = latest - planes_of_eddies + 1; birth <= latest; ++birth) {
    const Fluctuations born = born_at(birth, a, b);
    const double felt = share(moments - static_cast<double>(birth));
    for (int n = 0; n < e.size(); ++n) {
      for (std::size_t point = 0; point < e[n].size(); ++point)
        e[n][point] += felt * born[n][point];
    }
  }
  return e;
}

}  // namespace dns
