#include "solver/files/plane_piece.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "solver/core/error.hpp"
#include "solver/files/file_format.hpp"
#include "solver/files/plane_format.hpp"
#include "solver/files/run_files.hpp"

namespace dns {
namespace {

/// Means of neighbours along the first or the second axis of an array (second, first): from
/// `points` of it, one more than there are means along that axis.
std::vector<double> means(const std::vector<double>& at_faces,
                          std::array<std::size_t, 2> points,
                          bool is_along_first) {
  const std::size_t row = points[1] + (is_along_first ? 1 : 0);
  const std::size_t to_next = is_along_first ? 1 : row;
  std::vector<double> at_centres;
  at_centres.reserve(points[0] * points[1]);
  for (std::size_t second = 0; second < points[0]; ++second) {
    for (std::size_t first = 0; first < points[1]; ++first) {
      const std::size_t low = second * row + first;
      at_centres.push_back((at_faces[low] + at_faces[low + to_next]) / 2);
    }
  }
  return at_centres;
}

/// The values of a dataset in one record.
std::vector<double> values_of(const PlaneGrid& grid,
                              const PlaneDataset& dataset,
                              const PlaneValues& plane) {
  const std::vector<double>& own = plane.at(dataset.variable);
  const bool is_along_plane = dataset.variable < 3 && dataset.variable != grid.axis;
  if (!grid.is_of_cells || !is_along_plane || dataset.is_at_faces) return own;
  return means(own, dataset.points, dataset.variable == grid.along[0].axis);
}

template <class Real>
void append(DatasetWriter& writer, const std::vector<double>& values) {
  std::vector<Real> rounded(values.size());
  std::ranges::transform(values, rounded.begin(), [](double x) { return static_cast<Real>(x); });
  writer.append(1, rounded.data());
}

std::string_view format_of(const PlaneGrid& grid) {
  return grid.is_line() ? line_piece_format : plane_piece_format;
}

void write_dataset(Hdf5File& file,
                   const PlaneGrid& grid,
                   const PlaneDataset& dataset,
                   const std::vector<PlaneRecord>& records,
                   std::size_t which,
                   const Scales& scales) {
  DatasetWriter writer = file.create_dataset(
      dataset.name, {.shape = shape_of(dataset, records.size()), .precision = grid.precision});
  const auto label = [&](const std::string& axis) {
    const auto scale = scales.find(axis);
    writer.label_axis(axis, scale == scales.end() ? nullptr : &scale->second);
  };
  label("time");
  for (const std::string& axis : dataset.axes) {
    if (!axis.empty()) label(axis);
  }
  for (const PlaneRecord& record : records) {
    const std::vector<double> values = values_of(grid, dataset, record.planes.at(which));
    with_real(grid.precision, [&]<class Real>(Real) { append<Real>(writer, values); });
  }
  writer.close();
}

}  // namespace

PlanePiece write_plane_piece(const std::string& directory,
                             const PlaneGrid& grid,
                             const std::vector<PlaneRecord>& records,
                             std::size_t which,
                             const std::string& case_yaml) {
  const PlaneRecord& last = records.back();
  std::string name = plane_piece_name(grid.name, last.step, prefix_of(grid));
  AsideFile aside(path_in(directory, name));
  Hdf5File file = Hdf5File::create(aside.part_path(), Hdf5Format::compatible);
  write_common_attributes(file, format_of(grid), last.step, last.time, grid.precision, case_yaml);
  write_plane(file, grid);
  std::vector<double> steps;
  std::vector<double> times;
  for (const PlaneRecord& record : records) {
    steps.push_back(static_cast<double>(record.step));
    times.push_back(record.time);
  }
  write_list(file, "step", steps).close();
  Scales scales = write_scales(file, grid, times);
  for (const PlaneDataset& dataset : datasets_of(grid))
    write_dataset(file, grid, dataset, records, which, scales);
  close_all(scales);
  file.close();
  verify_datasets(Hdf5File::open(aside.part_path()));
  aside.commit();
  return read_plane_piece(directory, name);
}

PlanePiece read_plane_piece(const std::string& directory, const std::string& name) {
  const Hdf5File file = Hdf5File::open(path_in(directory, name));
  check_format(file, name.starts_with(probes_prefix) ? line_piece_format : plane_piece_format);
  PlanePiece piece;
  piece.name = name;
  piece.grid = read_plane(file);
  piece.steps = read_list(file, "step");
  piece.times = read_list(file, "time");
  piece.case_yaml = file.read_text("case");
  if (piece.times.size() != piece.steps.size())
    throw IoError(fmt::format("{}: dataset time: not as many as in step", file.path()));
  const std::string_view prefix = prefix_of(piece.grid);
  if (plane_of_file(name, prefix) != piece.grid.name ||
      static_cast<double>(step_of_name(prefix, name).value_or(-1)) != piece.steps.back()) {
    throw IoError(fmt::format("{}: it holds plane {} up to step {}; was it renamed?",
                              file.path(),
                              piece.grid.name,
                              piece.steps.back()));
  }
  for (const PlaneDataset& wanted : datasets_of(piece.grid)) {
    const DatasetReader dataset = file.open_dataset(wanted.name);
    const bool fits = dataset.shape() == shape_of(wanted, piece.steps.size()) &&
                      dataset.precision() == piece.grid.precision;
    if (!fits || !dataset.place() || !dataset.checksum()) {
      throw IoError(
          fmt::format("{}: dataset {}: {}",
                      file.path(),
                      wanted.name,
                      fits ? "not contiguous with a checksum" : "does not fit the plane"));
    }
    piece.values.push_back({*dataset.place(), *dataset.checksum()});
  }
  return piece;
}

}  // namespace dns
