#include "solver/output/snapshot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <type_traits>
#include <utility>
#include <vector>

#include "solver/config/load_case.hpp"
#include "solver/core/error.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/output/file_format.hpp"
#include "solver/output/hdf5_file.hpp"
#include "solver/output/run_files.hpp"

namespace dns {
namespace {

DatasetWriter write_coordinates(Hdf5File& file,
                                const std::string& name,
                                const std::vector<double>& coordinates) {
  const hsize_t points = coordinates.size();
  DatasetWriter dataset =
      file.create_dataset(name, {.shape = {points}, .precision = Precision::double_precision});
  dataset.append(points, coordinates.data());
  return dataset;
}

/// The coordinates of one axis; they stay open to be attached.
DatasetWriter write_scale(Hdf5File& file, const std::string& name, const Case& resolved, int axis) {
  DatasetWriter dataset = write_coordinates(file, name, point_coordinates(resolved, axis));
  dataset.become_scale(name);
  return dataset;
}

/// Writes fields of one shape as one array, the number of the field fastest. Converted and
/// interleaved block by block, so that memory stays small.
template <class From, class To, std::size_t count>
void write_interleaved(DatasetWriter& dataset,
                       const std::array<const HostField*, count>& fields,
                       hsize_t planes,
                       hsize_t planes_per_block) {
  const std::size_t plane_points = fields[0]->extents().count() / planes;
  std::array<const From*, count> sources{};
  for (std::size_t n = 0; n < count; ++n) sources[n] = fields[n]->template values<From>().data();
  if constexpr (count == 1 && std::is_same_v<From, To>) {
    dataset.append(planes, sources[0]);
    return;
  }
  std::vector<To> block(planes_per_block * plane_points * count);
  for (hsize_t first = 0; first < planes; first += planes_per_block) {
    const hsize_t here = std::min(planes_per_block, planes - first);
    const std::size_t start = first * plane_points;
    To* target = block.data();
    for (std::size_t point = start; point < start + here * plane_points; ++point) {
      for (std::size_t n = 0; n < count; ++n) *target++ = static_cast<To>(sources[n][point]);
    }
    dataset.append(here, block.data());
  }
}

/// Writes one variable as an array (nz, ny, nx, count), or (nz, ny, nx) for one field, its axes
/// labelled and joined to the coordinates.
template <std::size_t count>
void write_variable(Hdf5File& file,
                    const std::string& variable,
                    const std::array<const HostField*, count>& fields,
                    const FieldOutputCase& output,
                    const std::array<const DatasetWriter*, 3>& scales_zyx) {
  const auto [nx, ny, nz] = fields[0]->extents();
  DatasetLayout layout;
  layout.shape = {static_cast<hsize_t>(nz), static_cast<hsize_t>(ny), static_cast<hsize_t>(nx)};
  if constexpr (count > 1) layout.shape.push_back(count);
  layout.precision = output.precision;
  layout.compression = output.compression;

  DatasetWriter dataset = file.create_dataset(variable, layout);
  const hsize_t block = planes_per_block(layout.shape, layout.precision);
  with_real(fields[0]->precision(), [&]<class From>(From) {
    with_real(output.precision, [&]<class To>(To) {
      write_interleaved<From, To>(dataset, fields, layout.shape[0], block);
    });
  });
  constexpr std::array axis_labels = {"z", "y", "x"};
  for (std::size_t axis = 0; axis < 3; ++axis)
    dataset.label_axis(axis_labels[axis], scales_zyx[axis]);
  if constexpr (count > 1) dataset.label_axis("component", nullptr);
  dataset.close();
}

/// What the non-dimensional numbers in the file mean.
std::string scales_text(const Case& resolved) {
  const FluidCase& fluid = resolved.fluid;
  std::string text = fmt::format(
      "length L, velocity U, time L/U, temperature T0, pressure / density U^2 (the user's choice "
      "of "
      "scales); U L / viscosity = {}",
      fluid.reynolds);
  if (fluid.prandtl > 0)
    text += fmt::format(", viscosity / thermal diffusivity = {}", fluid.prandtl);
  if (resolved.scheme == Scheme::splitting)
    text += fmt::format(", heat capacity ratio = {}", fluid.heat_capacity_ratio);
  if (resolved.buoyancy) text += fmt::format(", Rayleigh number = {}", resolved.buoyancy->rayleigh);
  return text;
}

/// Faces of cells, for programs that show values as those of true cells.
void write_faces(Hdf5File& file, const Case& resolved) {
  int axis = 0;
  for (const std::string_view name : face_dataset_names)
    write_coordinates(file, std::string(name), face_coordinates(resolved.grid, axis++)).close();
}

}  // namespace

const HostField& field_of(const FlowState& state, std::string_view name) {
  for (const HostField& field : state.fields)
    if (field.name() == name) return field;
  throw IoError(fmt::format("the flow to be written has no {}", name));
}

void write_snapshot(const std::string& directory,
                    const FlowState& state,
                    const Case& resolved,
                    const std::string& device,
                    const std::string& case_yaml) {
  const FieldOutputCase& output = resolved.output.fields;
  const std::filesystem::path folder(directory);
  AsideFile aside((folder / numbered_name(snapshot_prefix, state.step)).string());
  Hdf5File file = Hdf5File::create(aside.part_path(), Hdf5Format::compatible);
  write_common_attributes(file, snapshot_format, state, output.precision, case_yaml);
  file.write_text("device", device);
  file.write_text("scales", scales_text(resolved));
  DatasetWriter x = write_scale(file, "x", resolved, 0);
  DatasetWriter y = write_scale(file, "y", resolved, 1);
  DatasetWriter z = write_scale(file, "z", resolved, 2);
  if (resolved.scheme == Scheme::projection) write_faces(file, resolved);
  const std::array<const DatasetWriter*, 3> scales_zyx = {&z, &y, &x};
  if (output.velocity) {
    const std::array fields = {&field_of(state, velocity_x_name),
                               &field_of(state, velocity_y_name),
                               &field_of(state, velocity_z_name)};
    write_variable(file, "velocity", fields, output, scales_zyx);
  }
  for (const auto& [is_asked_for, name] : {std::pair{output.temperature, temperature_name},
                                           std::pair{output.pressure, pressure_name}}) {
    if (!is_asked_for) continue;
    const std::array fields = {&field_of(state, name)};
    write_variable(file, std::string(name), fields, output, scales_zyx);
  }
  for (DatasetWriter* const scale : {&x, &y, &z}) scale->close();
  file.close();
  verify_datasets(Hdf5File::open(aside.part_path()));
  aside.commit();
}

void write_snapshot(const std::string& directory,
                    const FlowState& state,
                    const Case& resolved,
                    const std::string& device) {
  write_snapshot(directory, state, resolved, device, to_yaml(resolved));
}

}  // namespace dns
