#include "solver/files/hdf5_dataset.hpp"

#include <fmt/format.h>
#include <hdf5_hl.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <limits>

#include "solver/core/error.hpp"

namespace dns {
namespace {

static_assert(std::endian::native == std::endian::little,
              "checksums are made of values in memory, which must lie as in the file");

const std::string checksum_name = "crc32";

hid_t memory_type_of(Precision precision) {
  return precision == Precision::single_precision ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
}

hid_t file_type_of(Precision precision) {
  return precision == Precision::single_precision ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
}

std::size_t plane_bytes_of(const std::vector<hsize_t>& shape, Precision precision) {
  std::size_t bytes = bytes_of(precision);
  for (std::size_t axis = 1; axis < shape.size(); ++axis) bytes *= shape[axis];
  return bytes;
}

/// The product of all sizes and `bytes`; none where it does not fit into 64 bits or is zero.
std::optional<std::uintmax_t> product(const std::vector<hsize_t>& shape, std::uintmax_t bytes) {
  for (const hsize_t n : shape) {
    if (n == 0 || bytes > std::numeric_limits<std::uintmax_t>::max() / n) return std::nullopt;
    bytes *= n;
  }
  return bytes;
}

Hdf5Handle space_of(const std::vector<hsize_t>& shape, const std::string& where) {
  const hid_t id = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  return {check_hdf5(id, where, "creating it"), H5Sclose};
}

/// The planes first .. first+count-1 of a dataset, as dataspaces in file and memory.
struct PlaneSelection {
  Hdf5Handle file, memory;

  PlaneSelection(hid_t dataset,
                 std::vector<hsize_t> shape,
                 hsize_t first,
                 hsize_t count,
                 const std::string& where)
      : file(check_hdf5(H5Dget_space(dataset), where, "selecting"), H5Sclose) {
    std::vector<hsize_t> start(shape.size(), 0);
    start[0] = first;
    shape[0] = count;
    memory = space_of(shape, where);
    check_hdf5(H5Sselect_hyperslab(
                   file.id(), H5S_SELECT_SET, start.data(), nullptr, shape.data(), nullptr),
               where,
               "selecting");
  }
};

/// Makes the planes of a new dataset those of its parts.
void join_parts(const Hdf5Handle& storage,
                const std::string& name,
                const DatasetLayout& layout,
                const std::string& where) {
  const auto set = [&](herr_t result) { check_hdf5(result, where, "creating it"); };
  constexpr double missing = std::numeric_limits<double>::quiet_NaN();
  set(H5Pset_fill_value(storage.id(), H5T_NATIVE_DOUBLE, &missing));
  const Hdf5Handle space = space_of(layout.shape, where);
  std::vector<hsize_t> start(layout.shape.size(), 0);
  for (const JoinedPart& part : layout.parts) {
    std::vector<hsize_t> shape = layout.shape;
    shape[0] = part.planes;
    set(H5Sselect_hyperslab(
        space.id(), H5S_SELECT_SET, start.data(), nullptr, shape.data(), nullptr));
    const Hdf5Handle source = space_of(shape, where);
    set(H5Pset_virtual(storage.id(), space.id(), part.file.c_str(), name.c_str(), source.id()));
    start[0] += part.planes;
  }
}

/// How a new dataset is stored. Values never written must not be read as zeros: there is no fill
/// value, and the checksum reveals them.
Hdf5Handle storage_of(const std::string& name,
                      const DatasetLayout& layout,
                      const std::string& where) {
  const auto set = [&](herr_t result) { check_hdf5(result, where, "creating it"); };
  Hdf5Handle storage(check_hdf5(H5Pcreate(H5P_DATASET_CREATE), where, "creating it"), H5Pclose);
  if (!layout.parts.empty()) {
    join_parts(storage, name, layout, where);
    return storage;
  }
  set(H5Pset_fill_time(storage.id(), H5D_FILL_TIME_NEVER));
  if (layout.compression == 0) {
    set(H5Pset_layout(storage.id(), H5D_CONTIGUOUS));
    set(H5Pset_alloc_time(storage.id(), H5D_ALLOC_TIME_EARLY));
    return storage;
  }
  std::vector<hsize_t> chunk = layout.shape;
  chunk[0] = planes_per_block(layout.shape, layout.precision);
  set(H5Pset_chunk(storage.id(), static_cast<int>(chunk.size()), chunk.data()));
  set(H5Pset_shuffle(storage.id()));
  set(H5Pset_deflate(storage.id(), static_cast<unsigned>(layout.compression)));
  return storage;
}

/// Opens a dataset that is in this file, not behind a link to somewhere else.
hid_t open_dataset(hid_t parent, const std::string& name, const std::string& where) {
  if (name.find('/') != std::string::npos || name == ".")
    throw IoError(fmt::format("{}: it cannot be called so", where));
  if (check_hdf5(H5Lexists(parent, name.c_str(), H5P_DEFAULT), where, "looking for it") == 0)
    throw IoError(fmt::format("{}: it is missing", where));
  H5L_info_t link{};
  check_hdf5(H5Lget_info(parent, name.c_str(), &link, H5P_DEFAULT), where, "looking for it");
  if (link.type != H5L_TYPE_HARD)
    throw IoError(fmt::format("{}: it is a link, which is not followed", where));
  return check_hdf5(H5Dopen2(parent, name.c_str(), H5P_DEFAULT), where, "opening it");
}

std::vector<hsize_t> shape_of(hid_t dataset, const std::string& where) {
  const char* const doing = "reading its shape";
  const Hdf5Handle space(check_hdf5(H5Dget_space(dataset), where, doing), H5Sclose);
  const int rank = check_hdf5(H5Sget_simple_extent_ndims(space.id()), where, doing);
  std::vector<hsize_t> shape(rank);
  check_hdf5(H5Sget_simple_extent_dims(space.id(), shape.data(), nullptr), where, doing);
  return shape;
}

/// Creates one in the open object `parent`.
Hdf5Handle created(hid_t parent,
                   const std::string& name,
                   const DatasetLayout& layout,
                   const std::string& where) {
  const hid_t id = H5Dcreate2(parent,
                              name.c_str(),
                              file_type_of(layout.precision),
                              space_of(layout.shape, where).id(),
                              H5P_DEFAULT,
                              storage_of(name, layout, where).id(),
                              H5P_DEFAULT);
  return {check_hdf5(id, where, "creating it"), H5Dclose};
}

}  // namespace

hsize_t planes_per_block(const std::vector<hsize_t>& shape, Precision precision) {
  constexpr std::size_t block_bytes = std::size_t{1} << 20;
  const std::size_t plane_bytes = std::max<std::size_t>(plane_bytes_of(shape, precision), 1);
  return std::clamp<hsize_t>(block_bytes / plane_bytes, 1, std::max<hsize_t>(shape[0], 1));
}

DatasetWriter::DatasetWriter(hid_t parent,
                             const std::string& name,
                             const DatasetLayout& layout,
                             const std::string& where)
    : Hdf5Object(created(parent, name, layout, where), where),
      layout_(layout),
      planes_written_(layout.parts.empty() ? 0 : layout.shape[0]) {}

void DatasetWriter::append(hsize_t count, const void* values) {
  assert(planes_written_ + count <= layout_.shape[0]);
  const PlaneSelection planes(id(), layout_.shape, planes_written_, count, where());
  const hid_t type = memory_type_of(layout_.precision);
  check(H5Dwrite(id(), type, planes.memory.id(), planes.file.id(), H5P_DEFAULT, values), "writing");
  checksum_.add(values, count * plane_bytes_of(layout_.shape, layout_.precision));
  planes_written_ += count;
}

std::uint64_t DatasetWriter::offset() const {
  const haddr_t place = H5Dget_offset(id());
  if (place == HADDR_UNDEF) throw IoError(fmt::format("{}: it has no place in the file", where()));
  return place;
}

void DatasetWriter::take_written(std::uint32_t checksum) {
  assert(planes_written_ == 0);
  checksum_ = Checksum(checksum);
  planes_written_ = layout_.shape[0];
}

void DatasetWriter::become_scale(const std::string& name) {
  check(H5DSset_scale(id(), name.c_str()), "making it a dimension scale");
}

void DatasetWriter::label_axis(const std::string& label, const DatasetWriter* scale) {
  const auto axis = static_cast<unsigned>(labels_.size());
  check(H5DSset_label(id(), axis, label.c_str()), "labelling an axis");
  labels_.push_back(label);
  if (scale != nullptr) check(H5DSattach_scale(id(), scale->id(), axis), "attaching a scale");
}

void DatasetWriter::close() {
  assert(planes_written_ == layout_.shape[0]);
  if (layout_.parts.empty()) write_checksum(checksum_name, checksum_.value());
  if (!labels_.empty()) write_text("axes", fmt::format("{}", fmt::join(labels_, " ")));
  close_object("writing");
}

DatasetReader::DatasetReader(hid_t parent,
                             const std::string& name,
                             std::uintmax_t file_bytes,
                             const std::string& where,
                             Joined joined)
    : Hdf5Object({open_dataset(parent, name, where), H5Dclose}, where) {
  find_type();
  shape_ = shape_of(id(), where);
  if (shape_.empty()) throw IoError(fmt::format("{}: it is not an array", where));
  require_values(file_bytes, joined);
  if (has_attribute(checksum_name)) checksum_ = read_checksum(checksum_name);
}

void DatasetReader::find_type() {
  const Hdf5Handle type(check(H5Dget_type(id()), "reading its type"), H5Tclose);
  const auto is_one_of = [&](hid_t little_endian, hid_t big_endian) {
    return H5Tequal(type.id(), little_endian) > 0 || H5Tequal(type.id(), big_endian) > 0;
  };
  const bool is_float = is_one_of(H5T_IEEE_F32LE, H5T_IEEE_F32BE);
  if (!is_float && !is_one_of(H5T_IEEE_F64LE, H5T_IEEE_F64BE))
    throw IoError(fmt::format("{}: its values are neither float nor double", where()));
  is_little_endian_ =
      H5Tequal(type.id(), H5T_IEEE_F32LE) > 0 || H5Tequal(type.id(), H5T_IEEE_F64LE) > 0;
  precision_ = is_float ? Precision::single_precision : Precision::double_precision;
}

/// Before any memory is allocated, and lest missing values are read as zeros.
void DatasetReader::require_values(std::uintmax_t file_bytes, Joined joined) {
  const char* const doing = "reading how it is stored";
  const Hdf5Handle storage(check(H5Dget_create_plist(id()), doing), H5Pclose);
  const H5D_layout_t layout = H5Pget_layout(storage.id());
  is_joined_ = layout == H5D_VIRTUAL && joined == Joined::shown;
  if (is_joined_) return;
  if (check(H5Pget_external_count(storage.id()), doing) > 0 || layout == H5D_VIRTUAL)
    throw IoError(fmt::format("{}: its values lie in another file, which is not read", where()));
  constexpr std::uintmax_t best_compression = 1032;  // of gzip
  const std::uintmax_t most = layout == H5D_CHUNKED ? best_compression : 1;
  const std::uintmax_t stored = H5Dget_storage_size(id());
  if (stored == 0 && H5Eget_num(H5E_DEFAULT) > 0) fail_hdf5(where(), doing);
  const auto bytes = product(shape_, bytes_of(precision_));
  if (!bytes || stored > file_bytes || *bytes / most > stored) {
    throw IoError(fmt::format("{}: {} values cannot be in {} bytes of a file of {}",
                              where(),
                              fmt::join(shape_, " x "),
                              stored,
                              file_bytes));
  }
  if (layout != H5D_CONTIGUOUS) return;
  const haddr_t place = H5Dget_offset(id());
  if (place > file_bytes - stored)
    throw IoError(fmt::format("{}: its values lie beyond the end of the file", where()));
  if (is_little_endian_) place_ = place;
}

void DatasetReader::read_planes(hsize_t first, hsize_t count, void* values) const {
  const PlaneSelection planes(id(), shape_, first, count, where());
  const hid_t type = memory_type_of(precision_);
  check(H5Dread(id(), type, planes.memory.id(), planes.file.id(), H5P_DEFAULT, values), "reading");
}

void DatasetReader::read_some(hsize_t first, hsize_t count, const UsePlanes& use_planes) const {
  const hsize_t planes = std::min(planes_per_block(shape_, precision_), count);
  std::vector<std::byte> block(planes * plane_bytes_of(shape_, precision_));
  for (hsize_t done = 0; done < count; done += planes) {
    const hsize_t here = std::min(planes, count - done);
    read_planes(first + done, here, block.data());
    use_planes(first + done, here, block.data());
  }
}

void DatasetReader::read(const UsePlanes& use_planes, const std::string& advice) const {
  const std::size_t plane_bytes = plane_bytes_of(shape_, precision_);
  Checksum checksum;
  read_some(0, shape_[0], [&](hsize_t first, hsize_t planes, const void* values) {
    checksum.add(values, planes * plane_bytes);
    use_planes(first, planes, values);
  });
  if (checksum_ && *checksum_ != checksum.value())
    throw IoError(fmt::format("{}: its values do not match their checksum{}", where(), advice));
}

std::vector<double> DatasetReader::read_doubles() const {
  const std::size_t of_plane = plane_bytes_of(shape_, precision_) / bytes_of(precision_);
  std::vector<double> values;
  with_real(precision_, [&]<class Real>(Real) {
    read([&](hsize_t, hsize_t count, const void* read) {
      const auto* const first = static_cast<const Real*>(read);
      values.insert(values.end(), first, first + count * of_plane);
    });
  });
  return values;
}

}  // namespace dns
