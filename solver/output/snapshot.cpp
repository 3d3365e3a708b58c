#include "solver/output/snapshot.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "solver/core/error.hpp"
#include "solver/core/index.hpp"
#include "solver/files/file_format.hpp"
#include "solver/files/hdf5_file.hpp"
#include "solver/files/run_files.hpp"
#include "solver/flow/variables.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/output/flow_datasets.hpp"

namespace dns {
namespace {

/// Writes the scales of points, the faces of cells, and the components of vectors.
Scales write_scales(Hdf5File& file, const Case& resolved) {
  Scales scales;
  for (int axis = 0; axis < 3; ++axis)
    add_scale(file, axis_name(axis), point_coordinates(resolved, axis), scales);
  for (int axis = 0; resolved.scheme == Scheme::projection && axis < 3; ++axis) {
    const std::string name(face_dataset_names.at(axis));
    add_scale(file, name, face_coordinates(resolved.grid, axis), scales);
  }
  add_scale(file, component_name, {0, 1, 2}, scales);
  scales.at(component_name).write_text("meaning", "0, 1, 2: along x, y, z");
  return scales;
}

/// A dataset with the names of its axes, the slowest first, and what its values belong to.
struct Array {
  FlowDataset dataset;
  std::vector<std::string> axes;
  std::string location;
};

/// An array at the points of the grid, beginning with its first field.
Array at_points(const Variable& variable) {
  const std::array<std::string_view, 3> locations{
      "nodes", "cell centres", "cell centres, mean of both faces"};
  Array array{{.name = variable.dataset, .fields = {}}, {"z", "y", "x"}, {}};
  array.location = name_in(locations, variable.location);
  if (variable.axis >= 0) array.axes.emplace_back(component_name);
  return array;
}

/// The velocity component at the faces across its axis.
Array at_faces(int axis) {
  Array array{{.name = std::string(velocity_names.at(axis)),
               .fields = {std::string(face_velocity_names.at(axis))}},
              {"z", "y", "x"},
              "faces across " + axis_names[axis]};
  array.axes[2 - axis] = face_dataset_names.at(axis);
  return array;
}

/// What the case asks for.
std::vector<Array> arrays_of(const Case& resolved) {
  const FieldOutputCase& output = resolved.output.fields;
  std::vector<Array> arrays;
  for (const Variable& variable : variables_of(resolved)) {
    if (!output.has(variable.dataset)) continue;
    if (arrays.empty() || arrays.back().dataset.name != variable.dataset)
      arrays.push_back(at_points(variable));
    arrays.back().dataset.fields.push_back(variable.name);
  }
  for (int axis = 0; output.has_faces() && axis < 3; ++axis) arrays.push_back(at_faces(axis));
  for (Array& array : arrays) array.dataset.precision = output.precision;
  return arrays;
}

/// Creates an array (nz, ny, nx, count), or (nz, ny, nx) of one field, its axes
/// labelled and joined to the coordinates. Its values are written at once, block by block, where
/// they are compressed, else with those of the other datasets.
void write_array(Hdf5File& file,
                 const WholeFlow& flow,
                 const Array& array,
                 int compression,
                 const Scales& scales,
                 FlowDatasets& contiguous) {
  const FlowDataset& values = array.dataset;
  const auto [nx, ny, nz] = flow.extents_of(field_of(flow.slab(), values.fields.front()));
  DatasetLayout layout;
  layout.shape = {static_cast<hsize_t>(nz), static_cast<hsize_t>(ny), static_cast<hsize_t>(nx)};
  if (values.fields.size() > 1) layout.shape.push_back(values.fields.size());
  layout.precision = values.precision;
  layout.compression = compression;

  DatasetWriter dataset = file.create_dataset(values.name, layout);
  for (const std::string& axis : array.axes) dataset.label_axis(axis, &scales.at(axis));
  dataset.write_text("location", array.location);
  if (compression == 0) {
    contiguous.add(values, std::move(dataset));
    return;
  }
  flow.for_each_block(values, [&](int planes, const void* block, std::size_t /*bytes*/) {
    dataset.append(static_cast<hsize_t>(planes), block);
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
  for (const ScalarCase& scalar : resolved.scalars)
    text += fmt::format(", viscosity / diffusivity of {} = {}", scalar.name, scalar.prandtl);
  if (resolved.scheme == Scheme::splitting)
    text += fmt::format(", heat capacity ratio = {}", fluid.heat_capacity_ratio);
  if (resolved.buoyancy) {
    text += resolved.buoyancy->richardson
                ? fmt::format(", Richardson number = {}", *resolved.buoyancy->richardson)
                : fmt::format(", Rayleigh number = {}", *resolved.buoyancy->rayleigh);
  }
  return text;
}

}  // namespace

void write_snapshot(const std::string& directory,
                    const WholeFlow& flow,
                    const Case& resolved,
                    const std::string& device,
                    const std::string& case_yaml) {
  const FieldOutputCase& output = resolved.output.fields;
  const FlowState& state = flow.slab();
  AsideFile aside(path_in(directory, numbered_name(snapshot_prefix, state.step)));
  Hdf5File file = Hdf5File::create(aside.part_path(), Hdf5Format::compatible);
  write_common_attributes(
      file, snapshot_format, state.step, state.time, output.precision, case_yaml);
  file.write_text("device", device);
  file.write_text("scales", scales_text(resolved));
  Scales scales = write_scales(file, resolved);
  FlowDatasets contiguous(flow);
  for (const Array& array : arrays_of(resolved))
    write_array(file, flow, array, output.compression, scales, contiguous);
  contiguous.write(file);
  close_all(scales);
  file.close();
  const std::vector<KnownChecksum> known = contiguous.checked(aside.part_path());
  verify_datasets(Hdf5File::open(aside.part_path()), known);
  aside.commit();
}

}  // namespace dns
