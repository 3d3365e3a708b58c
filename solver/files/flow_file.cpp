#include "solver/files/flow_file.hpp"

#include <fmt/format.h>

#include <climits>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "solver/core/error.hpp"
#include "solver/files/file_facts.hpp"
#include "solver/files/file_format.hpp"
#include "solver/files/hdf5_file.hpp"

namespace dns {
namespace {

constexpr const char* advice_on_checksums =
    "; whoever changed them on purpose may delete its attribute crc32";

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw CaseError(fmt::format(
      "{} {}, but must be a snapshot, a checkpoint or plain datasets of a flow", path, what));
}

/// Opens what can be such a file.
std::shared_ptr<const Hdf5File> opened(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) refuse(path, "is not there");
  if (std::filesystem::is_directory(status)) refuse(path, "is a folder");
  if (!error && !std::filesystem::is_regular_file(status)) refuse(path, "is no ordinary file");
  if (std::ifstream(path).good() && !is_hdf5(path)) refuse(path, "is no HDF5 file");
  return std::make_shared<const Hdf5File>(Hdf5File::open(path));
}

FlowFile::Kind kind_of(const Hdf5File& file) {
  if (!file.has_attribute("format")) return FlowFile::Kind::plain;
  const std::string format = file.read_text("format");
  if (format != checkpoint_format && format != snapshot_format)
    refuse(file.path(), fmt::format("is of format \"{}\"", format));
  check_format(file, format);
  return format == checkpoint_format ? FlowFile::Kind::checkpoint : FlowFile::Kind::snapshot;
}

std::size_t plane_bytes(const FlowFile::Dataset& dataset) {
  const auto [nx, ny, nz] = dataset.extents;
  return Extents{nx, ny, 1}.count() * dataset.components * bytes_of(dataset.precision);
}

/// Uses planes that were read together.
DatasetReader::UsePlanes one_by_one(const FlowFile::Dataset& dataset, const UsePlane& use) {
  return [&use, bytes = plane_bytes(dataset)](hsize_t first, hsize_t count, const void* values) {
    const auto* plane = static_cast<const std::byte*>(values);
    for (hsize_t n = 0; n < count; ++n, plane += bytes) use(static_cast<int>(first + n), plane);
  };
}

}  // namespace

FlowFile::FlowFile(const std::string& path)
    : path_(path),
      file_(opened(path)),
      kind_(kind_of(*file_)),
      case_text_(kind_ == Kind::plain ? "" : file_->read_text("case")),
      step_(kind_ == Kind::plain ? 0 : read_step(*file_)),
      time_(kind_ == Kind::plain ? 0 : read_time(*file_)) {}

double FlowFile::number(const std::string& name) const {
  const std::string attribute = std::string(number_prefix) + name;
  return file_->has_attribute(attribute) ? read_finite(*file_, attribute) : 0;
}

bool FlowFile::has(const std::string& name) const {
  return file_->has_dataset(name);
}

std::vector<std::string> FlowFile::names() const {
  return file_->dataset_names();
}

std::vector<double> FlowFile::list(const std::string& name) const {
  return read_list(*file_, name);
}

FlowFile::Dataset FlowFile::dataset(const std::string& name) const {
  Dataset dataset;
  dataset.name = name;
  dataset.values = std::make_shared<const DatasetReader>(file_->open_dataset(name));
  dataset.precision = dataset.values->precision();
  const std::vector<hsize_t>& shape = dataset.values->shape();
  bool fits = shape.size() == 3 || (shape.size() == 4 && shape[3] == 3);
  for (const hsize_t n : shape) fits = fits && n <= INT_MAX;
  if (!fits) {
    throw IoError(fmt::format(
        "{}: dataset {}: its shape is ({}), but must be (nz, ny, nx) or (nz, ny, nx, 3)",
        path(),
        name,
        fmt::join(shape, ", ")));
  }
  dataset.extents = {.nx = static_cast<int>(shape[2]),
                     .ny = static_cast<int>(shape[1]),
                     .nz = static_cast<int>(shape[0])};
  if (shape.size() == 4) dataset.components = 3;
  if (kind_ == Kind::checkpoint && !dataset.values->has_checksum())
    throw IoError(fmt::format("{}: dataset {}: it has no checksum", path(), name));
  return dataset;
}

void read_all_planes(const FlowFile::Dataset& dataset, const UsePlane& use) {
  dataset.values->read(one_by_one(dataset, use), advice_on_checksums);
}

void read_planes(const FlowFile::Dataset& dataset,
                 const std::vector<bool>& wanted,
                 const UsePlane& use) {
  const std::ptrdiff_t planes = std::ssize(wanted);
  for (int first = 0; first < planes; ++first) {
    int end = first;
    while (end < planes && wanted[end]) ++end;
    if (end == first) continue;
    dataset.values->read_some(
        static_cast<hsize_t>(first), static_cast<hsize_t>(end - first), one_by_one(dataset, use));
    first = end;
  }
}

}  // namespace dns
