#include "solver/output/snapshot_series.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <vector>

#include "solver/core/error.hpp"
#include "solver/files/file_format.hpp"
#include "solver/files/hdf5_file.hpp"
#include "solver/files/run_files.hpp"
#include "solver/files/xdmf.hpp"
#include "solver/output/snapshot.hpp"

namespace dns {
namespace {

std::size_t components_of(std::string_view variable) {
  for (const DerivedField& field : derived_fields)
    if (field.name == variable) return field.components;
  return variable == velocity_name ? 3 : 1;
}

/// What the values of a list's grids belong to.
enum class Center { cell, node };

/// The number of coordinates along one axis. Throws IoError.
int stored_points_along(const Hdf5File& file, const std::string& axis) {
  const std::vector<hsize_t> shape = file.open_dataset(axis).shape();
  if (shape.size() != 1 || shape[0] < 1 || shape[0] > INT_MAX)
    throw IoError(fmt::format("{}: dataset {}: not a list of coordinates", file.path(), axis));
  return static_cast<int>(shape[0]);
}

/// Whether the file holds the variable. Throws IoError when its shape or precision is not `shape`
/// or `precision`.
bool has_variable(const Hdf5File& file,
                  const std::string& variable,
                  const std::vector<hsize_t>& shape,
                  Precision precision) {
  if (!file.has_dataset(variable)) return false;
  const DatasetReader dataset = file.open_dataset(variable);
  if (dataset.shape() != shape || dataset.precision() != precision)
    throw IoError(fmt::format("{}: dataset {}: does not fit the grid", file.path(), variable));
  return true;
}

/// One time of the collection. Sizes are listed slowest axis first, as in the file; those of nodes
/// of cells are of their corners.
std::string grid_element(const std::string& file, const SnapshotFacts& facts, Center center) {
  const auto [nx, ny, nz] = facts.points;
  const bool is_of_cells = center == Center::cell;
  const int more = is_of_cells ? 1 : 0;
  const auto coordinates = [&](int count, const std::string& axis) {
    return xdmf_item_of_dataset(
        std::to_string(count + more), sizeof(double), file, is_of_cells ? axis + "_faces" : axis);
  };
  XdmfGrid grid{.name = "flow",
                .time = facts.time,
                .nodes = fmt::format("{} {} {}", nz + more, ny + more, nx + more),
                .coordinates = {coordinates(nx, "x"), coordinates(ny, "y"), coordinates(nz, "z")},
                .has_cells = is_of_cells,
                .values = {}};
  for (const std::string& name : facts.variables) {
    const bool is_vector = components_of(name) > 1;
    const std::string sizes = fmt::format("{} {} {}{}", nz, ny, nx, is_vector ? " 3" : "");
    grid.values.push_back(
        {name, is_vector, xdmf_item_of_dataset(sizes, bytes_of(facts.precision), file, name)});
  }
  return xdmf_text(grid);
}

/// Whether the file holds cells: the coordinates of their faces, one more than of their centres.
/// Throws IoError when it holds others.
bool has_cells(const Hdf5File& file, Extents points) {
  if (!file.has_dataset(std::string(face_dataset_names[0]))) return false;
  const std::array counts{points.nx, points.ny, points.nz};
  for (int axis = 0; axis < 3; ++axis) {
    const std::string name(face_dataset_names.at(axis));
    if (stored_points_along(file, name) != counts.at(axis) + 1)
      throw IoError(fmt::format("{}: dataset {}: does not fit the grid", file.path(), name));
  }
  return true;
}

}  // namespace

SnapshotFacts read_snapshot_facts(const std::string& path) {
  const Hdf5File file = Hdf5File::open(path);
  check_format(file, snapshot_format);
  SnapshotFacts facts;
  facts.time = file.read_real("time");
  facts.precision = read_precision(file);
  facts.points = {.nx = stored_points_along(file, "x"),
                  .ny = stored_points_along(file, "y"),
                  .nz = stored_points_along(file, "z")};
  const std::vector<hsize_t> shape = {static_cast<hsize_t>(facts.points.nz),
                                      static_cast<hsize_t>(facts.points.ny),
                                      static_cast<hsize_t>(facts.points.nx)};
  facts.has_cells = has_cells(file, facts.points);
  for (const std::string_view name : FieldOutputCase::all_variables()) {
    std::vector<hsize_t> shape_of_values = shape;
    if (components_of(name) > 1) shape_of_values.push_back(3);
    if (has_variable(file, std::string(name), shape_of_values, facts.precision))
      facts.variables.emplace_back(name);
  }
  for (const std::string& name : file.dataset_names()) {  // scalars of the user's
    const bool is_known = std::ranges::find(facts.variables, name) != facts.variables.end();
    if (!is_known && file.open_dataset(name).shape() == shape &&
        has_variable(file, name, shape, facts.precision))
      facts.variables.push_back(name);
  }
  return facts;
}

SnapshotSeries::SnapshotSeries(std::string directory) : directory_(std::move(directory)) {}

const SnapshotSeries::Entry& SnapshotSeries::looked_at(const std::string& name,
                                                       Warnings& warnings) {
  const std::string path = path_in(directory_, name);
  const auto known = entries_.find(name);
  Entry entry;
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) {
    constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;
    entry.inode = status.st_ino;
    entry.bytes = status.st_size;
    entry.modified_nanoseconds =
        status.st_mtim.tv_sec * nanoseconds_per_second + status.st_mtim.tv_nsec;
  } else if (errno != ENOENT) {
    if (known != entries_.end()) return known->second;
    throw FileSystemError(system_message(path, "looking at the file", errno));
  }
  if (known != entries_.end() && known->second.inode == entry.inode &&
      known->second.bytes == entry.bytes &&
      known->second.modified_nanoseconds == entry.modified_nanoseconds)
    return known->second;
  try {
    if (entry.inode != 0) entry.facts = read_snapshot_facts(path);
  } catch (const FileSystemError&) {  // it may be sound, unless it has just been taken away
    if (::stat(path.c_str(), &status) == 0 || errno != ENOENT) throw;
    entry = {};
  } catch (const IoError& error) {
    warnings.push_back(fmt::format("{}; {} leaves it out", error.what(), snapshot_list_name));
  }
  return entries_.insert_or_assign(name, entry).first->second;
}

Warnings SnapshotSeries::write_list(std::int64_t last_step) {
  Warnings warnings;
  std::string grids;
  std::string grids_of_points;  // of files that hold cells
  for (const NumberedFile& file : numbered_files(directory_, snapshot_prefix)) {
    if (file.step > last_step) continue;
    const std::optional<SnapshotFacts>& facts = looked_at(file.name, warnings).facts;
    if (!facts) continue;
    grids += grid_element(file.name, *facts, facts->has_cells ? Center::cell : Center::node);
    if (facts->has_cells) grids_of_points += grid_element(file.name, *facts, Center::node);
  }
  write_xdmf(path_in(directory_, snapshot_list_name), "fields", grids);
  write_xdmf(path_in(directory_, snapshot_points_list_name), "fields", grids_of_points);
  return warnings;
}

}  // namespace dns
