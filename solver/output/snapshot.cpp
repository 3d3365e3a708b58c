#include "solver/output/snapshot.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <utility>
#include <vector>

#include "solver/config/load_case.hpp"
#include "solver/core/error.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/output/file_format.hpp"
#include "solver/output/flow_datasets.hpp"
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

/// Creates one variable as an array (nz, ny, nx, count), or (nz, ny, nx) of one field, its axes
/// labelled and joined to the coordinates. Its values are written at once, block by block, where
/// they are compressed, else with those of the other datasets.
void write_variable(Hdf5File& file,
                    const WholeFlow& flow,
                    const FlowDataset& variable,
                    int compression,
                    const std::array<const DatasetWriter*, 3>& scales_zyx,
                    FlowDatasets& contiguous) {
  const std::size_t count = variable.fields.size();
  const auto [nx, ny, nz] = flow.extents_of(field_of(flow.slab(), variable.fields.front()));
  DatasetLayout layout;
  layout.shape = {static_cast<hsize_t>(nz), static_cast<hsize_t>(ny), static_cast<hsize_t>(nx)};
  if (count > 1) layout.shape.push_back(count);
  layout.precision = variable.precision;
  layout.compression = compression;

  DatasetWriter dataset = file.create_dataset(variable.name, layout);
  constexpr std::array axis_labels = {"z", "y", "x"};
  for (std::size_t axis = 0; axis < 3; ++axis)
    dataset.label_axis(axis_labels[axis], scales_zyx[axis]);
  if (count > 1) dataset.label_axis("component", nullptr);
  if (compression == 0) {
    contiguous.add(variable, std::move(dataset));
    return;
  }
  flow.for_each_block(variable, [&](int planes, const void* values, std::size_t /*bytes*/) {
    dataset.append(static_cast<hsize_t>(planes), values);
  });
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

void write_snapshot(const std::string& directory,
                    const WholeFlow& flow,
                    const Case& resolved,
                    const std::string& device,
                    const std::string& case_yaml) {
  const FieldOutputCase& output = resolved.output.fields;
  const FlowState& state = flow.slab();
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
  FlowDatasets contiguous(flow);
  const auto write = [&](std::string_view name, std::vector<std::string> fields) {
    const FlowDataset variable{
        .name = std::string(name), .fields = std::move(fields), .precision = output.precision};
    write_variable(file, flow, variable, output.compression, scales_zyx, contiguous);
  };
  if (output.velocity) write("velocity", {velocity_names.begin(), velocity_names.end()});
  for (const auto& [is_asked_for, name] : {std::pair{output.temperature, temperature_name},
                                           std::pair{output.pressure, pressure_name},
                                           std::pair{output.solid, solid_name}}) {
    if (is_asked_for) write(name, {std::string(name)});
  }
  contiguous.write(file);
  for (DatasetWriter* const scale : {&x, &y, &z}) scale->close();
  file.close();
  const std::vector<KnownChecksum> known = contiguous.checked(aside.part_path());
  verify_datasets(Hdf5File::open(aside.part_path()), known);
  aside.commit();
}

void write_snapshot(const std::string& directory,
                    const WholeFlow& flow,
                    const Case& resolved,
                    const std::string& device) {
  write_snapshot(directory, flow, resolved, device, to_yaml(resolved));
}

}  // namespace dns
