#include "solver/output/statistics_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/core/error.hpp"
#include "solver/files/file_format.hpp"
#include "solver/files/hdf5_file.hpp"
#include "solver/files/run_files.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/output/spectra_datasets.hpp"
#include "solver/statistics/budget_averages.hpp"
#include "solver/statistics/energy_spectra.hpp"
#include "solver/statistics/flow_averages.hpp"

namespace dns {
namespace {

/// The coordinates of one axis that is kept; the scale stays open to be attached.
DatasetWriter write_axis(Hdf5File& file,
                         const Case& resolved,
                         std::size_t axis,
                         double wall_units) {
  const std::string& name = axis_names.at(axis);
  const std::vector<double> faces = face_coordinates(resolved.grid, static_cast<int>(axis));
  const std::size_t cells = faces.size() - 1;
  std::vector<double> centres(cells);
  std::vector<double> from_wall(cells);
  const bool has_low_wall = has_wall_across_kept_axis(resolved, 2 * axis);
  const bool has_high_wall = has_wall_across_kept_axis(resolved, 2 * axis + 1);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    centres[cell] = (faces[cell] + faces[cell + 1]) / 2;
    const double low = centres[cell] - faces.front();
    const double high = faces.back() - centres[cell];
    const double nearest =
        has_low_wall && has_high_wall ? std::min(low, high) : (has_low_wall ? low : high);
    from_wall[cell] = nearest * wall_units;
  }
  const auto write = [&](const std::string& called, const std::vector<double>& values) {
    DatasetWriter dataset = file.create_dataset(
        called, {.shape = {values.size()}, .precision = Precision::double_precision});
    dataset.append(values.size(), values.data());
    return dataset;
  };
  DatasetWriter scale_of_faces = write(name + "_faces", faces);
  scale_of_faces.become_scale(name + "_faces");
  scale_of_faces.close();
  DatasetWriter scale = write(name, centres);
  scale.become_scale(name);
  if (has_low_wall || has_high_wall) {
    DatasetWriter distances = write(name + "_plus", from_wall);
    distances.label_axis(name, &scale);
    distances.close();
  }
  return scale;
}

void write_average(Hdf5File& file,
                   const Average& average,
                   const std::vector<std::pair<std::size_t, DatasetWriter>>& axes) {
  DatasetLayout layout{.shape = {}, .precision = Precision::double_precision};
  for (const auto& [axis, scale] : axes)
    layout.shape.push_back(static_cast<hsize_t>(average.extents[static_cast<int>(axis)]));
  if (axes.empty()) layout.shape.push_back(1);
  DatasetWriter dataset = file.create_dataset(average.name, layout);
  dataset.append(layout.shape[0], average.values.data());
  for (const auto& [axis, scale] : axes) dataset.label_axis(axis_names.at(axis), &scale);
  dataset.close();
}

}  // namespace

void write_statistics(const std::string& directory,
                      const FlowState& state,
                      const Case& resolved,
                      const std::string& case_yaml,
                      std::string_view name) {
  const StatisticsSums& statistics = state.statistics;
  if (statistics.samples == 0) return;
  const std::vector<Average> averages = averages_of(statistics, resolved.viscosity());
  const double u_tau = friction_velocity(averages, resolved);
  const double wall_units = u_tau / resolved.viscosity();

  AsideFile aside((std::filesystem::path(directory) / name).string());
  Hdf5File file = Hdf5File::create(aside.part_path(), Hdf5Format::compatible);
  write_common_attributes(file, statistics_format, state, Precision::double_precision, case_yaml);
  file.write_integer("samples", statistics.samples);
  file.write_real("first_time", statistics.first_time);
  file.write_real("last_time", statistics.last_time);
  file.write_real("friction_velocity", u_tau);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!has_wall_across_kept_axis(resolved, 2 * axis) ||
        !has_wall_across_kept_axis(resolved, 2 * axis + 1))
      continue;
    file.write_real("friction_reynolds", wall_units * resolved.grid.length.at(axis) / 2);
    break;
  }
  std::vector<std::pair<std::size_t, DatasetWriter>> axes;  // kept, slowest first
  for (const std::size_t axis : {2U, 1U, 0U}) {
    if (is_kept(resolved, axis))
      axes.emplace_back(axis, write_axis(file, resolved, axis, wall_units));
  }
  for (const Average& average : averages) write_average(file, average, axes);
  std::array<const DatasetWriter*, 3> scales{};
  for (const auto& [axis, scale] : axes) scales.at(axis) = &scale;
  write_spectra(file, spectra_of(statistics, averages, resolved), scales);
  for (const Average& term : budgets_of(statistics, resolved)) write_average(file, term, axes);
  for (auto& [axis, scale] : axes) scale.close();
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
