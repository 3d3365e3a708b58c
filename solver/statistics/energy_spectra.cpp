#include "solver/statistics/energy_spectra.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <utility>

#include "solver/core/error.hpp"
#include "solver/core/names.hpp"

namespace dns {
namespace {

const std::string spectrum_prefix = "spectrum_";
const std::string over_shells = spectrum_prefix + "k";

double first_wavenumber(const Case& resolved, int axis) {
  return 2 * std::numbers::pi / resolved.grid.length[axis];
}
double width_of_shells(const Case& resolved) {
  return 2 * std::numbers::pi / std::ranges::min(resolved.grid.length);
}

/// Calls visit(first, step) for each line of an array along an axis: the place of its first value,
/// and how far the next ones are.
template <class Visit>
void for_each_line(Extents extents, int axis, const Visit& visit) {
  const std::size_t step = axis == 0 ? 1 : axis == 1 ? extents.nx : extents.plane();
  const std::size_t length = step * extents[axis];
  for (std::size_t block = 0; block < extents.count(); block += length) {
    for (std::size_t line = 0; line < step; ++line) visit(block + line, step);
  }
}

/// What waves contribute to the mean square becomes what they contribute to the variance, whose
/// value at each line is known: that of m = 0 is what the others leave.
void leave_out_mean(Spectrum& waves, const std::vector<double>& variance) {
  auto known = variance.begin();
  const std::size_t count = waves.extents[waves.axis];
  for_each_line(waves.extents, waves.axis, [&](std::size_t first, std::size_t step) {
    double sum = 0;
    for (std::size_t m = 1; m < count; ++m) sum += waves.values[first + m * step];
    waves.values[first] = *known++ - sum;
  });
}

/// The correlations of waves.
Spectrum correlation_of(const Spectrum& waves, const Case& resolved) {
  const int n = resolved.grid.points[waves.axis];
  const std::size_t count = waves.extents[waves.axis];
  std::vector<double> cosines;
  for (int part = 0; part < n; ++part) cosines.push_back(std::cos(2 * std::numbers::pi * part / n));
  Spectrum correlation = waves;
  correlation.name = "correlation_" + waves.name.substr(spectrum_prefix.size());
  correlation.scale = "separation_" + axis_name(waves.axis);
  correlation.step = resolved.grid.length[waves.axis] / n;
  for_each_line(waves.extents, waves.axis, [&](std::size_t first, std::size_t step) {
    for (std::size_t r = 0; r < count; ++r) {
      double sum = 0;
      for (std::size_t m = 0; m < count; ++m)
        sum += waves.values[first + m * step] * cosines[m * r % n];
      correlation.values[first + r * step] = sum;
    }
  });
  return correlation;
}

void divide(std::vector<double>& values, double divisor) {
  for (double& value : values) value /= divisor;
}

}  // namespace

std::vector<Spectrum> spectra_of(const StatisticsSums& statistics,
                                 const std::vector<Average>& averages,
                                 const Case& resolved) {
  std::vector<Spectrum> spectra;
  for (std::size_t which = 0; which < statistics.sums.size(); ++which) {
    const HostField& sum = statistics.sums[which];
    if (!sum.name().starts_with(spectrum_prefix)) continue;
    Spectrum spectrum{.name = sum.name(),
                      .extents = sum.extents(),
                      .values = statistics.average(which),
                      .step = width_of_shells(resolved)};
    if (sum.name() == over_shells) {
      divide(spectrum.values, spectrum.step);
      spectra.push_back(std::move(spectrum));
      continue;
    }
    const std::string along = sum.name().substr(spectrum_prefix.size(), 1);
    const std::string square = sum.name().substr(spectrum_prefix.size() + 2);
    const auto variance = std::ranges::find(averages, square, &Average::name);
    if (variance == averages.end()) throw IoError(fmt::format("the statistics have no {}", square));
    spectrum.axis = static_cast<int>(std::ranges::find(axis_names, along) - axis_names.begin());
    spectrum.scale += "_" + along;
    spectrum.step = first_wavenumber(resolved, spectrum.axis);
    leave_out_mean(spectrum, variance->values);
    Spectrum correlation = correlation_of(spectrum, resolved);
    divide(spectrum.values, spectrum.step);
    spectra.push_back(std::move(spectrum));
    spectra.push_back(std::move(correlation));
  }
  return spectra;
}

}  // namespace dns
