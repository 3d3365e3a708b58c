#include "solver/output/statistics_file.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "solver/core/error.hpp"
#include "solver/files/file_format.hpp"
#include "solver/files/hdf5_file.hpp"
#include "solver/files/run_files.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/statistics/budget_averages.hpp"
#include "solver/statistics/energy_spectra.hpp"
#include "solver/statistics/flow_averages.hpp"
#include "solver/statistics/phase_bins.hpp"

namespace dns {
namespace {

/// Writes the coordinates of an axis that is kept.
void write_axis(Hdf5File& file, const Case& resolved, int axis, double wall_units, Scales& scales) {
  const std::string& name = axis_names[axis];
  const std::vector<double> faces = face_coordinates(resolved.grid, axis);
  const std::vector<double> centres = point_coordinates(resolved, axis);
  std::vector<double> from_wall;
  const bool has_low_wall = has_wall_across_kept_axis(resolved, 2 * axis);
  const bool has_high_wall = has_wall_across_kept_axis(resolved, 2 * axis + 1);
  for (const double centre : centres) {
    const double low = centre - faces.front();
    const double high = faces.back() - centre;
    const double nearest =
        has_low_wall && has_high_wall ? std::min(low, high) : (has_low_wall ? low : high);
    from_wall.push_back(nearest * wall_units);
  }
  add_scale(file, name + "_faces", faces, scales);
  add_scale(file, name, centres, scales);
  const auto add_list = [&](const std::string& of, const std::vector<double>& values) {
    DatasetWriter list = write_list(file, name + of, values);
    list.label_axis(name, &scales.at(name));
    list.close();
  };
  if (has_rows_across_walls(resolved, axis)) {
    const OperatorsAcrossWalls operators(faces);
    std::vector<double> widths;
    widths.reserve(operators.cells());
    for (int cell = 0; cell < operators.cells(); ++cell)
      widths.push_back(operators.cell_volume(cell));
    add_list("_widths", widths);
  }
  if (has_low_wall || has_high_wall) add_list("_plus", from_wall);
}

/// Writes an array over the axes of these names, the slowest first.
void write_array(Hdf5File& file,
                 const std::string& name,
                 const std::vector<hsize_t>& shape,
                 const std::vector<double>& values,
                 const std::vector<std::string>& axes,
                 const Scales& scales) {
  DatasetWriter dataset = file.create_dataset(name, {.shape = shape});
  dataset.append(shape[0], values.data());
  for (const std::string& axis : axes) dataset.label_axis(axis, &scales.at(axis));
  dataset.close();
}

/// Writes an average over the axes that are kept; behind the axis `first`, if one is named.
void write_average(Hdf5File& file,
                   const Average& average,
                   const Scales& scales,
                   const std::string& first = {}) {
  std::vector<hsize_t> shape;
  std::vector<std::string> axes;
  if (!first.empty()) {
    shape.push_back(average.values.size() / average.extents.count());
    axes.push_back(first);
  }
  for (const int axis : {2, 1, 0}) {
    if (!scales.contains(axis_name(axis))) continue;
    shape.push_back(static_cast<hsize_t>(average.extents[axis]));
    axes.push_back(axis_name(axis));
  }
  if (axes.empty()) shape.push_back(1);
  write_array(file, average.name, shape, average.values, axes, scales);
}

/// Writes spectra with their coordinates wavenumber_x, separation_x, ..., wavenumber.
void write_spectra(Hdf5File& file, const std::vector<Spectrum>& spectra, Scales& scales) {
  std::set<std::string> own_scales;
  for (const Spectrum& spectrum : spectra) {
    const std::string& own = spectrum.scale;
    const int own_axis = std::max(spectrum.axis, 0);
    if (own_scales.insert(own).second) {
      std::vector<double> multiples;
      multiples.reserve(spectrum.extents[own_axis]);
      for (int n = 0; n < spectrum.extents[own_axis]; ++n) multiples.push_back(n * spectrum.step);
      add_scale(file, own, multiples, scales);
    }
    std::vector<hsize_t> shape;
    std::vector<std::string> axes;
    for (const int axis : {2, 1, 0}) {
      const bool is_kept = spectrum.axis >= 0 && scales.contains(axis_name(axis));
      if (axis != own_axis && !is_kept) continue;
      shape.push_back(static_cast<hsize_t>(spectrum.extents[axis]));
      axes.push_back(axis == own_axis ? own : axis_name(axis));
    }
    write_array(file, spectrum.name, shape, spectrum.values, axes, scales);
  }
  for (const std::string& own : own_scales) scales.at(own).label_axis(own, nullptr);
}

/// Writes attributes, and the coordinates of the axes that are kept. u_tau: friction velocity [U].
Scales write_head(Hdf5File& file,
                  const FlowState& state,
                  const Case& resolved,
                  const std::string& case_yaml,
                  double u_tau) {
  const StatisticsSums& statistics = state.statistics;
  const double wall_units = u_tau / resolved.viscosity();
  write_common_attributes(
      file, statistics_format, state.step, state.time, Precision::double_precision, case_yaml);
  file.write_integer("samples", statistics.samples);
  file.write_real("first_time", statistics.first_time);
  file.write_real("last_time", statistics.last_time);
  file.write_real("friction_velocity", u_tau);
  for (int axis = 0; axis < 3; ++axis) {
    if (!has_wall_across_kept_axis(resolved, 2 * axis) ||
        !has_wall_across_kept_axis(resolved, 2 * axis + 1))
      continue;
    file.write_real("friction_reynolds", wall_units * resolved.grid.length[axis] / 2);
    break;
  }
  Scales scales;
  for (const int axis : {2, 1, 0}) {
    if (is_kept(resolved, axis)) write_axis(file, resolved, axis, wall_units, scales);
  }
  return scales;
}

/// Calls write(file) for a new file, which is then read back and gets its name.
template <class Write>
void write_aside(const std::string& directory, std::string_view name, const Write& write) {
  AsideFile aside(path_in(directory, name));
  Hdf5File file = Hdf5File::create(aside.part_path(), Hdf5Format::compatible);
  write(file);
  file.close();
  verify_datasets(Hdf5File::open(aside.part_path()));
  aside.commit();
}

/// Averages by phase: of each bin in turn, NaN where no time lies in one.
std::vector<Average> averages_by_phase(const StatisticsSums& statistics,
                                       const std::vector<double>& durations,
                                       const std::vector<Average>& of_all,
                                       const Case& resolved) {
  std::vector<Average> averages;
  for (int bin = 0; bin < std::ssize(durations); ++bin) {
    const StatisticsSums sums = sums_of_bin(statistics, durations, bin);
    std::vector<Average> of_bin = of_all;
    if (sums.duration > 0) {
      of_bin = averages_of(sums, resolved);
    } else {
      for (Average& average : of_bin)
        std::ranges::fill(average.values, std::numeric_limits<double>::quiet_NaN());
    }
    if (bin == 0) averages.resize(of_bin.size());
    for (std::size_t n = 0; n < of_bin.size(); ++n) {
      averages[n].name = of_bin[n].name;
      averages[n].extents = of_bin[n].extents;
      averages[n].values.insert(
          averages[n].values.end(), of_bin[n].values.begin(), of_bin[n].values.end());
    }
  }
  return averages;
}

}  // namespace

void write_statistics(const std::string& directory,
                      const FlowState& state,
                      const Case& resolved,
                      const std::string& case_yaml,
                      std::string_view name) {
  const StatisticsSums& statistics = state.statistics;
  if (statistics.samples == 0) return;
  const std::vector<Average> averages = averages_of(statistics, resolved);
  write_aside(directory, name, [&](Hdf5File& file) {
    Scales scales =
        write_head(file, state, resolved, case_yaml, friction_velocity(averages, resolved));
    for (const Average& average : averages) write_average(file, average, scales);
    write_spectra(file, spectra_of(statistics, averages, resolved), scales);
    for (const Average& term : budgets_of(statistics, resolved)) write_average(file, term, scales);
    close_all(scales);
  });
}

void write_phases(const std::string& directory,
                  const FlowState& state,
                  const Case& resolved,
                  const std::string& case_yaml,
                  std::string_view name) {
  const StatisticsSums& statistics = state.statistics;
  if (statistics.phases.empty() || !(statistics.duration > 0)) return;
  const PhaseCase& phase = *resolved.output.statistics->phase;
  const std::vector<Average> of_all = averages_of(statistics, resolved);
  write_aside(directory, name, [&](Hdf5File& file) {
    Scales scales =
        write_head(file, state, resolved, case_yaml, friction_velocity(of_all, resolved));
    file.write_real("period", phase.period);
    std::vector<double> centres;
    centres.reserve(phase.bins);
    for (int bin = 0; bin < phase.bins; ++bin) centres.push_back((bin + 0.5) / phase.bins);
    const std::string axis = "phase";
    add_scale(file, axis, centres, scales);
    const std::vector<double> durations =
        durations_in_bins(phase, statistics.first_time, statistics.last_time);
    write_array(file, axis + "_duration", {durations.size()}, durations, {axis}, scales);
    for (const Average& average : averages_by_phase(statistics, durations, of_all, resolved))
      write_average(file, average, scales, axis);
    close_all(scales);
  });
}

void write_window(const std::string& directory,
                  const StatisticsSums& window,
                  const Case& resolved,
                  const std::string& case_yaml) {
  FlowState state;
  state.step = window.last_step;
  state.time = window.last_time;
  state.statistics = window;
  const std::string name = numbered_name(statistics_prefix, window.last_step);
  write_statistics(directory, state, resolved, case_yaml, name);
}

}  // namespace dns
