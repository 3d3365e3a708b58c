#include "solver/files/plane_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <ranges>
#include <system_error>
#include <utility>

#include "solver/core/error.hpp"
#include "solver/core/index.hpp"
#include "solver/files/file_format.hpp"
#include "solver/files/plane_format.hpp"
#include "solver/files/run_files.hpp"
#include "solver/files/xdmf.hpp"

namespace dns {
namespace {

namespace fs = std::filesystem;

/// Planes and their pieces in order of time.
using Pieces = std::vector<const PlanePiece*>;

void write_pieces(Hdf5File& file, const Pieces& pieces, std::size_t datasets) {
  std::vector<double> steps;
  std::vector<double> records;
  std::vector<double> checksums;
  for (const PlanePiece* piece : pieces) {
    steps.push_back(piece->steps.back());
    records.push_back(static_cast<double>(piece->steps.size()));
    for (const PlanePiece::Values& values : piece->values)
      checksums.push_back(static_cast<double>(values.checksum));
  }
  write_list(file, "piece_step", steps).close();
  write_list(file, "piece_records", records).close();
  DatasetWriter of_datasets = file.create_dataset(
      "piece_checksums",
      {.shape = {pieces.size(), datasets}, .precision = Precision::double_precision});
  of_datasets.append(pieces.size(), checksums.data());
  of_datasets.close();
}

void write_series(const std::string& path, const Pieces& pieces) {
  const PlanePiece& newest = *pieces.back();
  const std::vector<PlaneDataset> datasets = datasets_of(newest.grid);
  std::vector<double> steps;
  std::vector<double> times;
  std::vector<JoinedPart> parts;
  for (const PlanePiece* piece : pieces) {
    std::ranges::copy(piece->steps, std::back_inserter(steps));
    std::ranges::copy(piece->times, std::back_inserter(times));
    parts.push_back({piece->name, piece->steps.size()});
  }
  AsideFile aside(path);
  Hdf5File file = Hdf5File::create(aside.part_path(), Hdf5Format::checksummed);
  write_common_attributes(file,
                          newest.grid.is_line() ? lines_format : planes_format,
                          static_cast<std::int64_t>(steps.back()),
                          times.back(),
                          newest.grid.precision,
                          newest.case_yaml);
  write_plane(file, newest.grid);
  const auto names = datasets | std::views::transform(&PlaneDataset::name);
  file.write_text("piece_datasets", fmt::format("{}", fmt::join(names, " ")));
  write_list(file, "step", steps).close();
  Scales scales = write_scales(file, newest.grid, times);
  close_all(scales);
  write_pieces(file, pieces, datasets.size());
  for (const PlaneDataset& dataset : datasets) {
    const DatasetLayout layout{.shape = shape_of(dataset, steps.size()),
                               .precision = newest.grid.precision,
                               .parts = parts};
    file.create_dataset(dataset.name, layout).close();
  }
  file.close();
  verify_datasets(Hdf5File::open(aside.part_path()));
  aside.commit();
}

/// One record as points, of cells too: "XDMF Reader" reads no values of cells of a flat grid.
/// Values are named by their place in the piece [bytes]: of a part of an HDF5 dataset no form is
/// read by all of ParaView's readers: Xdmf3ReaderS and Xdmf3ReaderT skip ItemType="HyperSlab",
/// "XDMF Reader" knows nothing else.
std::string grid_element(const std::string& series_name,
                         const PlanePiece& piece,
                         std::size_t record) {
  const PlaneGrid& grid = piece.grid;
  PerAxis<std::size_t> sizes{1, 1, 1};  // along x, y, z
  XdmfGrid element;
  element.name = "plane";
  element.time = piece.times[record];
  element.coordinates[grid.axis] =
      xdmf_item("1", sizeof(double), R"(Format="XML")", fmt::format("{}", grid.at));
  for (const PlaneGrid::Along& along : grid.along) {
    const std::size_t axis = along.axis;
    sizes[axis] = along.points.size();
    element.coordinates[axis] = xdmf_item_of_dataset(
        std::to_string(sizes[axis]), sizeof(double), series_name, axis_name(along.axis));
  }
  element.nodes = fmt::format("{} {} {}", sizes[2], sizes[1], sizes[0]);
  const std::size_t bytes = bytes_of(grid.precision);
  const std::vector<PlaneDataset> datasets = datasets_of(grid);
  for (std::size_t n = 0; n < datasets.size(); ++n) {
    if (datasets[n].is_at_faces) continue;
    const std::string place =
        fmt::format(R"(Format="Binary" Endian="Little" Seek="{}")",
                    piece.values[n].place + record * datasets[n].count() * bytes);
    element.values.push_back(
        {datasets[n].name, false, xdmf_item(element.nodes, bytes, place, piece.name)});
  }
  return xdmf_text(element);
}

/// The plane's nodes or centres of cells as points with values, at up to 2000 times evenly chosen:
/// a list of more takes ParaView long to read.
void write_time_series(const std::string& path,
                       const std::string& series_name,
                       const Pieces& pieces) {
  constexpr std::size_t most_times = 2000;
  std::size_t records = 0;
  for (const PlanePiece* piece : pieces) records += piece->steps.size();
  const std::size_t step = std::max<std::size_t>((records + most_times - 1) / most_times, 1);
  std::string grids;
  std::size_t number = 0;
  for (const PlanePiece* piece : pieces) {
    for (std::size_t record = 0; record < piece->steps.size(); ++record)
      if (number++ % step == 0) grids += grid_element(series_name, *piece, record);
  }
  write_xdmf(path, "planes", grids);
}

/// Whole numbers from `least` to `most` in a list of doubles.
std::vector<std::uint64_t> read_wholes(const Hdf5File& file,
                                       const std::string& name,
                                       const std::vector<double>& values,
                                       double most) {
  std::vector<std::uint64_t> wholes;
  for (const double value : values) {
    if (!(value >= 0 && value <= most) || std::floor(value) != value) {
      throw IoError(
          fmt::format("{}: dataset {}: {} is not a number it can hold", file.path(), name, value));
    }
    wholes.push_back(static_cast<std::uint64_t>(value));
  }
  return wholes;
}

/// (pieces, datasets), as one list.
std::vector<double> read_checksums(const Hdf5File& file, std::size_t pieces, std::size_t datasets) {
  const DatasetReader dataset = file.open_dataset("piece_checksums");
  if (dataset.shape() != std::vector<hsize_t>{pieces, datasets} ||
      dataset.precision() != Precision::double_precision)
    throw IoError(fmt::format("{}: dataset piece_checksums: does not fit", file.path()));
  return dataset.read_doubles();
}

}  // namespace

PlaneSeries::PlaneSeries(std::string directory, std::string name, std::string_view prefix)
    : directory_(std::move(directory)), name_(std::move(name)), prefix_(prefix) {}

/// Reads the pieces that are not known yet, and forgets those that are gone.
Warnings PlaneSeries::look_at_pieces(std::int64_t last_step) {
  Warnings warnings;
  std::vector<PlanePiece> found;
  std::set<std::string> refused;
  for (const NumberedFile& file : numbered_files(directory_, prefix_, name_)) {
    if (file.step > last_step) continue;
    if (const auto known = std::ranges::find(known_, file.name, &PlanePiece::name);
        known != known_.end()) {
      found.push_back(*known);
      continue;
    }
    try {
      found.push_back(read_plane_piece(directory_, file.name));
    } catch (const FileSystemError&) {  // it may be sound, unless it has just been taken away
      std::error_code error;
      if (fs::exists(fs::path(directory_) / file.name, error) || error) throw;
    } catch (const IoError& error) {
      refused.insert(file.name);
      if (!refused_.contains(file.name))
        warnings.push_back(fmt::format("{}; {}{}.h5 leaves it out", error.what(), prefix_, name_));
    }
  }
  known_ = std::move(found);
  refused_ = std::move(refused);
  return warnings;
}

Warnings PlaneSeries::write(std::int64_t last_step) {
  Warnings warnings = look_at_pieces(last_step);
  for (std::size_t n = 0; n + 1 < known_.size(); ++n)
    std::string().swap(known_[n].case_yaml);  // only the newest is used; its memory goes too
  Pieces pieces;
  for (const PlanePiece& piece : known_) {
    if (piece.grid == known_.back().grid) pieces.push_back(&piece);
  }
  const std::string series_name = fmt::format("{}{}.h5", prefix_, name_);
  const std::string series = path_in(directory_, series_name);
  const std::string list = path_in(directory_, fmt::format("{}{}.xdmf", prefix_, name_));
  if (pieces.empty()) {
    remove_file(list);
    remove_file(series);
    return warnings;
  }
  write_series(series, pieces);
  if (!pieces.back()->grid.is_line()) write_time_series(list, series_name, pieces);
  return warnings;
}

PlaneSeriesFacts read_plane_series(const std::string& path) {
  const Hdf5File file = Hdf5File::open(path);
  const bool is_line = std::filesystem::path(path).filename().string().starts_with(probes_prefix);
  check_format(file, is_line ? lines_format : planes_format);
  PlaneSeriesFacts facts;
  facts.grid = read_plane(file);
  facts.steps = read_list(file, "step");
  facts.times = read_list(file, "time");
  const std::vector<double> of_steps = read_list(file, "piece_step");
  const std::vector<double> of_records = read_list(file, "piece_records");
  constexpr double most_steps = 1e15;
  constexpr double most_checksum = 4294967295;
  const auto steps = read_wholes(file, "piece_step", of_steps, most_steps);
  const auto records = read_wholes(file, "piece_records", of_records, most_steps);
  const std::size_t datasets = datasets_of(facts.grid).size();
  const auto checksums = read_wholes(
      file, "piece_checksums", read_checksums(file, steps.size(), datasets), most_checksum);
  std::size_t sum = 0;
  for (std::size_t n = 0; n < steps.size() && n < records.size(); ++n) {
    ListedPiece& piece = facts.pieces.emplace_back();
    piece.name = plane_piece_name(
        facts.grid.name, static_cast<std::int64_t>(steps[n]), prefix_of(facts.grid));
    piece.records = records[n];
    for (std::size_t number = 0; number < datasets; ++number)
      piece.checksums.push_back(static_cast<std::uint32_t>(checksums[n * datasets + number]));
    sum += piece.records;
  }
  if (steps.size() != records.size() || sum != facts.steps.size() || sum != facts.times.size()) {
    throw IoError(
        fmt::format("{}: its pieces do not have its {} records", path, facts.steps.size()));
  }
  return facts;
}

}  // namespace dns
