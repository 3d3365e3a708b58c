#include "solver/output/statistics_file.hpp"

#include <algorithm>
#include <cstddef>
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

namespace dns {
namespace {

/// Writes the coordinates of an axis that is kept.
void write_axis(Hdf5File& file, const Case& resolved, int axis, double wall_units, Scales& scales) {
  const std::string& name = axis_names[axis];
  const std::vector<double> faces = face_coordinates(resolved.grid, axis);
  std::vector<double> centres;
  std::vector<double> from_wall;
  const bool has_low_wall = has_wall_across_kept_axis(resolved, 2 * axis);
  const bool has_high_wall = has_wall_across_kept_axis(resolved, 2 * axis + 1);
  for (std::size_t cell = 0; cell + 1 < faces.size(); ++cell) {
    centres.push_back((faces[cell] + faces[cell + 1]) / 2);
    const double low = centres.back() - faces.front();
    const double high = faces.back() - centres.back();
    const double nearest =
        has_low_wall && has_high_wall ? std::min(low, high) : (has_low_wall ? low : high);
    from_wall.push_back(nearest * wall_units);
  }
  add_scale(file, name + "_faces", faces, scales);
  add_scale(file, name, centres, scales);
  if (!has_low_wall && !has_high_wall) return;
  DatasetWriter distances = write_list(file, name + "_plus", from_wall);
  distances.label_axis(name, &scales.at(name));
  distances.close();
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

void write_average(Hdf5File& file, const Average& average, const Scales& scales) {
  std::vector<hsize_t> shape;
  std::vector<std::string> axes;
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

}  // namespace

void write_statistics(const std::string& directory,
                      const FlowState& state,
                      const Case& resolved,
                      const std::string& case_yaml,
                      std::string_view name) {
  const StatisticsSums& statistics = state.statistics;
  if (statistics.samples == 0) return;
  const std::vector<Average> averages = averages_of(
      statistics, resolved.viscosity(), resolved.precision, resolved.output.statistics->quantities);
  const double u_tau = friction_velocity(averages, resolved);
  const double wall_units = u_tau / resolved.viscosity();

  AsideFile aside(path_in(directory, name));
  Hdf5File file = Hdf5File::create(aside.part_path(), Hdf5Format::compatible);
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
  for (const int axis : {2U, 1U, 0U}) {
    if (is_kept(resolved, axis)) write_axis(file, resolved, axis, wall_units, scales);
  }
  for (const Average& average : averages) write_average(file, average, scales);
  write_spectra(file, spectra_of(statistics, averages, resolved), scales);
  for (const Average& term : budgets_of(statistics, resolved)) write_average(file, term, scales);
  close_all(scales);
  file.close();
  verify_datasets(Hdf5File::open(aside.part_path()));
  aside.commit();
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
