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
#include "solver/output/budget_averages.hpp"
#include "solver/output/mean_flow.hpp"
#include "solver/output/spectra_datasets.hpp"

namespace dns {
namespace {

constexpr std::array<const char*, 3> velocity_means{"u", "v", "w"};

const Average& average_named(const std::vector<Average>& averages, std::string_view name) {
  const auto found = std::ranges::find(averages, name, &Average::name);
  if (found == averages.end()) throw IoError(fmt::format("the statistics have no {}", name));
  return *found;
}

bool is_kept(const Case& resolved, std::size_t axis) {
  return !resolved.output.statistics->average.at(axis);
}

bool has_wall(const Case& resolved, std::size_t face) {
  return resolved.faces.at(face).kind == FaceKind::wall && is_kept(resolved, face / 2);
}

double velocity_of_wall(const FaceCase& wall, std::size_t component) {
  const Expression& velocity = wall.velocity.at(component);
  return velocity.is_constant() ? velocity(0, 0, 0, 0) : 0;
}

/// Integrals over a boundary plane outside of bodies, per length of the axes averaged over: of
/// |dV/dn|, from the cells next to it, and of 1.
struct PlaneIntegrals {
  double slope = 0;
  double area = 0;
};

PlaneIntegrals integrals_over(std::size_t face,
                              const std::vector<Average>& averages,
                              const Case& resolved,
                              const StaggeredGrid& grid) {
  const std::size_t normal = face / 2;
  const Extents n = average_named(averages, "u").extents;
  const int first = face % 2 == 0 ? 0 : n[static_cast<int>(normal)] - 1;
  const double distance = grid.at(normal).width(first) / 2;
  const auto fluid = std::ranges::find(averages, fluid_share_name, &Average::name);
  PlaneIntegrals integrals;
  std::size_t point = 0;
  for_each_point({{}, {n.nx, n.ny, n.nz}}, [&](Index3 c) {
    const std::size_t here = point++;
    if (c[static_cast<int>(normal)] != first) return;
    double area = fluid == averages.end() ? 1 : fluid->values[here];
    if (area == 0) return;
    for (const int axis : {0, 1, 2}) {
      const auto a = static_cast<std::size_t>(axis);
      if (a != normal && is_kept(resolved, a)) area *= grid.at(a).width(c[axis]);
    }
    double squares = 0;
    for (std::size_t component = 0; component < 3; ++component) {
      if (component == normal) continue;
      const double inside = average_named(averages, velocity_means.at(component)).values[here];
      const double difference = inside - velocity_of_wall(resolved.faces.at(face), component);
      squares += difference * difference;
    }
    integrals.slope += area * std::sqrt(squares) / distance;
    integrals.area += area;
  });
  return integrals;
}

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
  const bool has_low_wall = has_wall(resolved, 2 * axis);
  const bool has_high_wall = has_wall(resolved, 2 * axis + 1);
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

/// Where there are bodies, cells without fluid have no averages.
void leave_out_bodies(const StatisticsSums& statistics, std::vector<Average>& averages) {
  const auto fluid = std::ranges::find(statistics.sums, fluid_share_name, &HostField::name);
  if (fluid == statistics.sums.end()) return;
  const auto place = static_cast<std::size_t>(fluid - statistics.sums.begin());
  const std::vector<double> share = statistics.average(place);
  for (Average& average : averages) {
    for (std::size_t cell = 0; cell < share.size(); ++cell) {
      if (share[cell] == 0) average.values[cell] = std::numeric_limits<double>::quiet_NaN();
    }
  }
  averages.push_back(Average{std::string(fluid_share_name), fluid->extents(), share});
}

}  // namespace

std::vector<Average> averages_of(const StatisticsSums& statistics, double viscosity) {
  const MeanFlow flow(statistics);
  std::vector<Average> averages;
  const auto append = [&](const std::string& name, const auto& value) {
    Average& average = averages.emplace_back(Average{name, flow.cells(), {}});
    const auto [nx, ny, nz] = flow.cells();
    for_each_point({{}, {nx, ny, nz}}, [&](Index3 c) { average.values.push_back(value(c)); });
  };
  for (int variable = 0; variable < static_cast<int>(variable_letters.size()); ++variable) {
    if (!flow.has(variable)) continue;
    const std::string name(1, variable_letters[static_cast<std::size_t>(variable)]);
    append(name, [&](Index3 c) { return flow.mean(variable, c); });
    append(name + name, [&](Index3 c) { return flow.variance(variable, c); });
    append("skewness_" + name, [&](Index3 c) { return flow.normalised(variable, 3, c); });
    append("flatness_" + name, [&](Index3 c) { return flow.normalised(variable, 4, c); });
  }
  for (int one = 0; one < 3; ++one) {
    for (int other = one + 1; other < 3; ++other) {
      const std::string name{"uvw"[one], "uvw"[other]};
      const MeanOfSum product(statistics, name);
      append(name, [&](Index3 c) { return product(c) - flow.product_of_means(one, other, c); });
    }
    if (!flow.has(first_scalar)) continue;
    const std::string name{"uvw"[one], 'T'};
    const MeanOfSum product(statistics, name);
    append(name, [&](Index3 c) { return product(c) - flow.heat_flux_of_means(one, c); });
  }
  const MeanOfSum phi(statistics, "dissipation");
  append("dissipation", [&](Index3 c) { return viscosity * phi(c); });
  leave_out_bodies(statistics, averages);
  return averages;
}

double friction_velocity(const std::vector<Average>& averages, const Case& resolved) {
  const StaggeredGrid grid = staggered_grid(resolved);
  PlaneIntegrals walls;
  for (std::size_t face = 0; face < resolved.faces.size(); ++face) {
    if (!has_wall(resolved, face)) continue;
    const PlaneIntegrals wall = integrals_over(face, averages, resolved, grid);
    walls.slope += wall.slope;
    walls.area += wall.area;
  }
  return walls.area > 0 ? std::sqrt(resolved.viscosity() * walls.slope / walls.area) : 0;
}

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
    if (!has_wall(resolved, 2 * axis) || !has_wall(resolved, 2 * axis + 1)) continue;
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
  write_spectra(file, spectra_of(statistics, averages, resolved), resolved, scales);
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
