#include "solver/output/snapshot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <type_traits>
#include <vector>

#include "solver/config/load_case.hpp"
#include "solver/core/error.hpp"
#include "solver/grid/point_coordinates.hpp"
#include "solver/output/file_format.hpp"
#include "solver/output/hdf5_file.hpp"
#include "solver/output/real_type.hpp"
#include "solver/output/run_files.hpp"

namespace dns {
namespace {

Hdf5Dataset write_coordinates(Hdf5File& file,
                              const std::string& name,
                              const std::vector<double>& coordinates) {
  const hsize_t points = coordinates.size();
  auto dataset =
      file.create_dataset(name, {.shape = {points}, .precision = Precision::double_precision});
  dataset.write_planes(0, points, coordinates.data());
  return dataset;
}

Hdf5Dataset write_scale(Hdf5File& file, const std::string& name, const Case& resolved, int axis) {
  auto dataset = write_coordinates(file, name, point_coordinates(resolved, axis));
  dataset.become_scale(name);
  return dataset;
}

/// Writes fields of one shape as one array, the number of the field fastest. Converted and
/// interleaved block by block, so that memory stays small.
template <class From, class To, std::size_t count>
void write_interleaved(Hdf5Dataset& dataset,
                       const std::array<const HostField*, count>& fields,
                       hsize_t planes_per_block) {
  const hsize_t planes = dataset.shape()[0];
  const std::size_t plane_points = fields[0]->extents().count() / planes;
  std::array<const From*, count> sources{};
  for (std::size_t n = 0; n < count; ++n) sources[n] = fields[n]->template values<From>().data();
  if constexpr (count == 1 && std::is_same_v<From, To>) {
    dataset.write_planes(0, planes, sources[0]);
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
    dataset.write_planes(first, here, block.data());
  }
}

/// Writes one variable as an array (nz, ny, nx, count), or (nz, ny, nx) for one field, its axes
/// labelled and joined to the coordinates.
template <std::size_t count>
void write_variable(Hdf5File& file,
                    const std::string& variable,
                    const std::array<const HostField*, count>& fields,
                    const FieldOutputCase& output,
                    const std::array<const Hdf5Dataset*, 3>& scales_zyx) {
  const auto [nx, ny, nz] = fields[0]->extents();
  DatasetLayout layout;
  layout.shape = {static_cast<hsize_t>(nz), static_cast<hsize_t>(ny), static_cast<hsize_t>(nx)};
  if constexpr (count > 1) layout.shape.push_back(count);
  layout.precision = output.precision;
  layout.compression = output.compression;
  const std::size_t plane_bytes =
      layout.shape[1] * layout.shape[2] * count * bytes_of(output.precision);
  const hsize_t block = planes_per_block(layout.shape[0], plane_bytes);
  if (output.compression > 0) layout.planes_per_chunk = block;

  Hdf5Dataset dataset = file.create_dataset(variable, layout);
  with_real(fields[0]->precision(), [&]<class From>(From) {
    with_real(output.precision,
              [&]<class To>(To) { write_interleaved<From, To>(dataset, fields, block); });
  });
  constexpr std::array axis_labels = {"z", "y", "x"};
  for (unsigned axis = 0; axis < 3; ++axis)
    dataset.label_axis(axis, axis_labels[axis], scales_zyx[axis]);
  if constexpr (count > 1) dataset.label_axis(3, "component", nullptr);
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
    write_coordinates(file, std::string(name), face_coordinates(resolved.grid, axis++));
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
  {
    const Hdf5Dataset x = write_scale(file, "x", resolved, 0);
    const Hdf5Dataset y = write_scale(file, "y", resolved, 1);
    const Hdf5Dataset z = write_scale(file, "z", resolved, 2);
    if (resolved.scheme == Scheme::projection) write_faces(file, resolved);
    const std::array scales_zyx = {&z, &y, &x};
    if (output.velocity) {
      const std::array fields = {
          &field_of(state, velocity_x), &field_of(state, velocity_y), &field_of(state, velocity_z)};
      write_variable(file, "velocity", fields, output, scales_zyx);
    }
    if (output.temperature) {
      const std::array fields = {&field_of(state, temperature)};
      write_variable(file, "temperature", fields, output, scales_zyx);
    }
    if (output.pressure) {
      const std::array fields = {&field_of(state, pressure)};
      write_variable(file, "pressure", fields, output, scales_zyx);
    }
  }
  file.close();
  aside.commit();
}

void write_snapshot(const std::string& directory,
                    const FlowState& state,
                    const Case& resolved,
                    const std::string& device) {
  write_snapshot(directory, state, resolved, device, to_yaml(resolved));
}

}  // namespace dns
