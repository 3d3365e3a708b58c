#include "solver/output/spectra_datasets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>

#include "solver/core/error.hpp"
#include "solver/core/names.hpp"

namespace dns {
namespace {

const std::string spectrum_prefix = "spectrum_";
const std::string correlation_prefix = "correlation_";
const std::string over_shells = spectrum_prefix + "k";

double first_wavenumber(const Case& resolved, int axis) {
  return 2 * std::numbers::pi / resolved.grid.length.at(static_cast<std::size_t>(axis));
}
double width_of_shells(const Case& resolved) {
  return 2 * std::numbers::pi / std::ranges::min(resolved.grid.length);
}

/// Calls visit(first, step) for each line of an array along an axis: the place of its first value,
/// and how far the next ones are.
template <class Visit>
void for_each_line(Extents extents, int axis, const Visit& visit) {
  const auto step = axis == 0 ? 1 : axis == 1 ? extents.nx : extents.nx * extents.ny;
  const auto length = static_cast<std::size_t>(step) * static_cast<std::size_t>(extents[axis]);
  for (std::size_t block = 0; block < extents.count(); block += length) {
    for (std::size_t line = 0; line < static_cast<std::size_t>(step); ++line)
      visit(block + line, static_cast<std::size_t>(step));
  }
}

/// What waves contribute to the mean square becomes what they contribute to the variance, whose
/// value at each line is known: that of m = 0 is what the others leave.
void leave_out_mean(Spectrum& waves, const std::vector<double>& variance) {
  auto known = variance.begin();
  const auto count = static_cast<std::size_t>(waves.extents[waves.axis]);
  for_each_line(waves.extents, waves.axis, [&](std::size_t first, std::size_t step) {
    double sum = 0;
    for (std::size_t m = 1; m < count; ++m) sum += waves.values[first + m * step];
    waves.values[first] = *known++ - sum;
  });
}

/// The correlations of waves on n points.
Spectrum correlation_of(const Spectrum& waves, int n) {
  const auto count = static_cast<std::size_t>(waves.extents[waves.axis]);
  std::vector<double> cosines;
  for (int part = 0; part < n; ++part) cosines.push_back(std::cos(2 * std::numbers::pi * part / n));
  Spectrum correlation = waves;
  correlation.name = correlation_prefix + waves.name.substr(spectrum_prefix.size());
  for_each_line(waves.extents, waves.axis, [&](std::size_t first, std::size_t step) {
    for (std::size_t r = 0; r < count; ++r) {
      double sum = 0;
      for (std::size_t m = 0; m < count; ++m)
        sum += waves.values[first + m * step] * cosines[m * r % static_cast<std::size_t>(n)];
      correlation.values[first + r * step] = sum;
    }
  });
  return correlation;
}

void divide(std::vector<double>& values, double divisor) {
  for (double& value : values) value /= divisor;
}

DatasetWriter write_scale(Hdf5File& file, const std::string& name, int count, double step) {
  DatasetWriter scale = file.create_dataset(name, {.shape = {static_cast<hsize_t>(count)}});
  for (int n = 0; n < count; ++n) {
    const double value = n * step;
    scale.append(1, &value);
  }
  scale.become_scale(name);
  return scale;
}

/// Distance of two neighbours among the values of a spectrum or a correlation.
double step_of(const Spectrum& spectrum, const Case& resolved) {
  if (spectrum.axis < 0) return width_of_shells(resolved);
  if (spectrum.name.starts_with(spectrum_prefix)) return first_wavenumber(resolved, spectrum.axis);
  const auto axis = static_cast<std::size_t>(spectrum.axis);
  return resolved.grid.length.at(axis) / resolved.grid.points[spectrum.axis];
}

std::string scale_of(const Spectrum& spectrum) {
  if (spectrum.axis < 0) return "wavenumber";
  const bool is_correlation = spectrum.name.starts_with(correlation_prefix);
  return (is_correlation ? "separation_" : "wavenumber_") + axis_name(spectrum.axis);
}

}  // namespace

std::vector<Spectrum> spectra_of(const StatisticsSums& statistics,
                                 const std::vector<Average>& averages,
                                 const Case& resolved) {
  std::vector<Spectrum> spectra;
  for (std::size_t which = 0; which < statistics.sums.size(); ++which) {
    const HostField& sum = statistics.sums[which];
    if (!sum.name().starts_with(spectrum_prefix)) continue;
    Spectrum spectrum{sum.name(), -1, sum.extents(), statistics.average(which)};
    if (sum.name() == over_shells) {
      divide(spectrum.values, width_of_shells(resolved));
      spectra.push_back(std::move(spectrum));
      continue;
    }
    const std::string along = sum.name().substr(spectrum_prefix.size(), 1);
    const std::string square = sum.name().substr(spectrum_prefix.size() + 2);
    const auto variance = std::ranges::find(averages, square, &Average::name);
    if (variance == averages.end()) throw IoError(fmt::format("the statistics have no {}", square));
    spectrum.axis = static_cast<int>(std::ranges::find(axis_names, along) - axis_names.begin());
    leave_out_mean(spectrum, variance->values);
    Spectrum correlation = correlation_of(spectrum, resolved.grid.points[spectrum.axis]);
    divide(spectrum.values, first_wavenumber(resolved, spectrum.axis));
    spectra.push_back(std::move(spectrum));
    spectra.push_back(std::move(correlation));
  }
  return spectra;
}

void write_spectra(Hdf5File& file,
                   const std::vector<Spectrum>& spectra,
                   const Case& resolved,
                   const std::array<const DatasetWriter*, 3>& scales) {
  std::map<std::string, DatasetWriter> own_scales;
  for (const Spectrum& spectrum : spectra) {
    const std::string own = scale_of(spectrum);
    const int count = spectrum.extents[std::max(spectrum.axis, 0)];
    if (!own_scales.contains(own))
      own_scales.emplace(own, write_scale(file, own, count, step_of(spectrum, resolved)));
    std::vector<std::pair<std::string, const DatasetWriter*>> axes;  // slowest first
    DatasetLayout layout;
    for (const int axis : {2, 1, 0}) {
      const bool is_own = axis == std::max(spectrum.axis, 0);
      const DatasetWriter* const kept = scales.at(static_cast<std::size_t>(axis));
      if (!is_own && (kept == nullptr || spectrum.axis < 0)) continue;
      layout.shape.push_back(static_cast<hsize_t>(spectrum.extents[axis]));
      axes.emplace_back(is_own ? own : axis_name(axis), is_own ? &own_scales.at(own) : kept);
    }
    DatasetWriter dataset = file.create_dataset(spectrum.name, layout);
    dataset.append(layout.shape[0], spectrum.values.data());
    for (const auto& [label, scale] : axes) dataset.label_axis(label, scale);
    dataset.close();
  }
  for (auto& [name, scale] : own_scales) {
    scale.label_axis(name, nullptr);
    scale.close();
  }
}

}  // namespace dns
