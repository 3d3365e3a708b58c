#include "solver/output/hdf5_file.hpp"

#include <fmt/format.h>
#include <hdf5_hl.h>

#include <algorithm>
#include <atomic>
#include <string_view>
#include <type_traits>

#include "solver/core/error.hpp"

namespace dns {
namespace {

/// Called for each entry of HDF5's error stack, the innermost first; keeps that one.
herr_t keep_first(unsigned /*position*/, const H5E_error2_t* entry, void* kept) {
  auto& text = *static_cast<std::string*>(kept);
  if (text.empty() && entry->desc != nullptr) text = entry->desc;
  return 0;
}

/// The innermost reason of the HDF5 call that just failed; where the system refused, only its
/// words ("No space left on device").
std::string innermost_reason() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &text);
  constexpr std::string_view system_words = "error message = '";
  if (const auto start = text.find(system_words); start != std::string::npos) {
    const auto from = start + system_words.size();
    return text.substr(from, text.find('\'', from) - from);
  }
  if (text == "file signature not found") return "not an HDF5 file";
  return text.empty() ? "HDF5 gives no reason" : text;
}

[[noreturn]] void fail(std::string_view where, std::string_view doing) {
  throw IoError(fmt::format("{}: {}: {}", where, doing, innermost_reason()));
}

/// Returns `result` of an HDF5 call (an identifier or a status) unless it says failure.
template <class Result>
Result check(Result result, std::string_view where, std::string_view doing) {
  static_assert(std::is_signed_v<Result>);
  if (result < 0) fail(where, doing);
  return result;
}

/// The HDF5 library is left alone at the exit of the program once closing a
/// file has failed (disk full), because its clean-up would then touch freed memory.
class Library {
 public:
  Library() { H5dont_atexit(); }
  ~Library() {
    if (is_sound_) H5close();
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  void give_up() { is_sound_ = false; }

 private:
  std::atomic<bool> is_sound_ = true;
};

Library& library() {
  static Library instance;
  return instance;
}

/// Switches off what HDF5 prints: a thread-safe build of it keeps that switch per thread.
void prepare_thread() {
  library();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

herr_t close_file(hid_t id) {
  const herr_t result = H5Fclose(id);
  if (result < 0) library().give_up();
  return result;
}

/// Access properties: no file locks. Files are complete before they get their name, and some
/// parallel file systems refuse locks.
Hdf5Handle access_properties(const std::string& path) {
  Hdf5Handle properties(check(H5Pcreate(H5P_FILE_ACCESS), path, "preparing"), H5Pclose);
  check(H5Pset_file_locking(properties.id(), false, true), path, "switching off file locks");
  return properties;
}

hid_t memory_type_of(Precision precision) {
  return precision == Precision::single_precision ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
}

hid_t file_type_of(Precision precision) {
  return precision == Precision::single_precision ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
}

}  // namespace

hsize_t planes_per_block(hsize_t planes, std::size_t plane_bytes) {
  constexpr std::size_t block_bytes = std::size_t{1} << 20;
  const std::size_t fitting = block_bytes / std::max<std::size_t>(plane_bytes, 1);
  return std::clamp<hsize_t>(fitting, 1, std::max<hsize_t>(planes, 1));
}

Hdf5Dataset::Hdf5Dataset(hid_t id, std::string where)
    : dataset_(id, H5Dclose), where_(std::move(where)) {
  const Hdf5Handle type(check(H5Dget_type(id), where_, "reading its type"), H5Tclose);
  const std::size_t bytes = H5Tget_size(type.id());
  if (H5Tget_class(type.id()) != H5T_FLOAT || (bytes != sizeof(float) && bytes != sizeof(double)))
    throw IoError(fmt::format("{}: its values are neither float nor double", where_));
  precision_ = bytes == sizeof(float) ? Precision::single_precision : Precision::double_precision;
  const Hdf5Handle space(check(H5Dget_space(id), where_, "reading its shape"), H5Sclose);
  const int rank = check(H5Sget_simple_extent_ndims(space.id()), where_, "reading its shape");
  if (rank < 1) throw IoError(fmt::format("{}: it is not an array", where_));
  shape_.resize(static_cast<std::size_t>(rank));
  check(H5Sget_simple_extent_dims(space.id(), shape_.data(), nullptr), where_, "reading its shape");
}

namespace {

/// The planes first .. first+count-1 of a dataset, as dataspaces in file and memory.
struct PlaneSelection {
  Hdf5Handle file, memory;

  PlaneSelection(const Hdf5Handle& dataset,
                 std::vector<hsize_t> shape,
                 hsize_t first,
                 hsize_t count,
                 const std::string& where)
      : file(check(H5Dget_space(dataset.id()), where, "selecting"), H5Sclose) {
    std::vector<hsize_t> start(shape.size(), 0);
    start[0] = first;
    shape[0] = count;
    memory =
        Hdf5Handle(check(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
                         where,
                         "selecting"),
                   H5Sclose);
    check(H5Sselect_hyperslab(
              file.id(), H5S_SELECT_SET, start.data(), nullptr, shape.data(), nullptr),
          where,
          "selecting");
  }
};

}  // namespace

void Hdf5Dataset::write_planes(hsize_t first, hsize_t count, const void* values) {
  const PlaneSelection planes(dataset_, shape_, first, count, where_);
  check(H5Dwrite(dataset_.id(),
                 memory_type_of(precision_),
                 planes.memory.id(),
                 planes.file.id(),
                 H5P_DEFAULT,
                 values),
        where_,
        "writing");
}

void Hdf5Dataset::read_planes(hsize_t first, hsize_t count, void* values) const {
  const PlaneSelection planes(dataset_, shape_, first, count, where_);
  check(H5Dread(dataset_.id(),
                memory_type_of(precision_),
                planes.memory.id(),
                planes.file.id(),
                H5P_DEFAULT,
                values),
        where_,
        "reading");
}

void Hdf5Dataset::become_scale(const std::string& name) {
  check(H5DSset_scale(dataset_.id(), name.c_str()), where_, "making it a dimension scale");
}

void Hdf5Dataset::label_axis(unsigned axis, const std::string& label, const Hdf5Dataset* scale) {
  check(H5DSset_label(dataset_.id(), axis, label.c_str()), where_, "labelling an axis");
  if (scale != nullptr)
    check(H5DSattach_scale(dataset_.id(), scale->dataset_.id(), axis), where_, "attaching a scale");
}

Hdf5File::Hdf5File(hid_t id, std::string path, Hdf5Format format)
    : path_(std::move(path)), format_(format), file_(id, close_file) {}

Hdf5File Hdf5File::create(const std::string& path, Hdf5Format format) {
  prepare_thread();
  const Hdf5Handle access = access_properties(path);
  const auto oldest = format == Hdf5Format::compatible ? H5F_LIBVER_V18 : H5F_LIBVER_V110;
  check(H5Pset_libver_bounds(access.id(), oldest, H5F_LIBVER_V110), path, "preparing");
  const hid_t id = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id());
  return {check(id, path, "creating the file"), path, format};
}

Hdf5File Hdf5File::open(const std::string& path) {
  prepare_thread();
  const Hdf5Handle access = access_properties(path);
  const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id());
  return {check(id, path, "opening the file"), path, Hdf5Format::compatible};
}

void Hdf5File::write_number(const std::string& name,
                            hid_t file_type,
                            hid_t memory_type,
                            const void* value) {
  const std::string doing = "writing attribute " + name;
  const Hdf5Handle space(check(H5Screate(H5S_SCALAR), path_, doing), H5Sclose);
  const hid_t id =
      H5Acreate2(file_.id(), name.c_str(), file_type, space.id(), H5P_DEFAULT, H5P_DEFAULT);
  const Hdf5Handle attribute(check(id, path_, doing), H5Aclose);
  check(H5Awrite(attribute.id(), memory_type, value), path_, doing);
}

void Hdf5File::write_integer(const std::string& name, std::int64_t value) {
  write_number(name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
}

void Hdf5File::write_real(const std::string& name, double value) {
  write_number(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

void Hdf5File::write_text(const std::string& name, const std::string& text) {
  const bool is_variable = format_ == Hdf5Format::compatible;
  const Hdf5Handle type(check(H5Tcopy(H5T_C_S1), path_, "writing attribute " + name), H5Tclose);
  H5Tset_size(type.id(), is_variable ? H5T_VARIABLE : text.size() + 1);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  const char* characters = text.c_str();
  const void* value = is_variable ? static_cast<const void*>(&characters) : characters;
  write_number(name, type.id(), type.id(), value);
}

bool Hdf5File::has_attribute(const std::string& name) const {
  return check(H5Aexists(file_.id(), name.c_str()), path_, "looking for " + name) > 0;
}

Hdf5Handle Hdf5File::open_attribute(const std::string& name) const {
  if (!has_attribute(name)) throw IoError(fmt::format("{}: attribute {} is missing", path_, name));
  const hid_t id = H5Aopen(file_.id(), name.c_str(), H5P_DEFAULT);
  return {check(id, path_, "reading attribute " + name), H5Aclose};
}

void Hdf5File::read_number(const std::string& name, hid_t memory_type, void* value) const {
  const std::string doing = "reading attribute " + name;
  const Hdf5Handle attribute = open_attribute(name);
  const Hdf5Handle space(check(H5Aget_space(attribute.id()), path_, doing), H5Sclose);
  if (H5Sget_simple_extent_npoints(space.id()) != 1)
    throw IoError(fmt::format("{}: attribute {} is not a single value", path_, name));
  check(H5Aread(attribute.id(), memory_type, value), path_, doing);
}

std::int64_t Hdf5File::read_integer(const std::string& name) const {
  std::int64_t value = 0;
  read_number(name, H5T_NATIVE_INT64, &value);
  return value;
}

double Hdf5File::read_real(const std::string& name) const {
  double value = 0;
  read_number(name, H5T_NATIVE_DOUBLE, &value);
  return value;
}

std::string Hdf5File::read_text(const std::string& name) const {
  const Hdf5Handle attribute = open_attribute(name);
  const std::string doing = "reading attribute " + name;
  const Hdf5Handle type(check(H5Aget_type(attribute.id()), path_, doing), H5Tclose);
  if (H5Tget_class(type.id()) != H5T_STRING)
    throw IoError(fmt::format("{}: attribute {} is not text", path_, name));
  if (check(H5Tis_variable_str(type.id()), path_, doing) > 0) {
    char* characters = nullptr;
    read_number(name, type.id(), static_cast<void*>(&characters));
    std::string text = characters == nullptr ? "" : characters;
    H5free_memory(characters);
    return text;
  }
  std::string text(H5Tget_size(type.id()) + 1, '\0');
  read_number(name, type.id(), text.data());
  text.resize(text.find('\0'));
  return text;
}

Hdf5Dataset Hdf5File::create_dataset(const std::string& name, const DatasetLayout& layout) {
  const std::string where = fmt::format("{}: dataset {}", path_, name);
  const auto make = [&](hid_t result) { return check(result, where, "creating it"); };
  const auto set = [&](herr_t result) { check(result, where, "creating it"); };

  const int rank = static_cast<int>(layout.shape.size());
  const Hdf5Handle space(make(H5Screate_simple(rank, layout.shape.data(), nullptr)), H5Sclose);
  const Hdf5Handle storage(make(H5Pcreate(H5P_DATASET_CREATE)), H5Pclose);
  set(H5Pset_fill_time(storage.id(), H5D_FILL_TIME_NEVER));
  if (layout.planes_per_chunk > 0) {
    std::vector<hsize_t> chunk = layout.shape;
    chunk[0] = layout.planes_per_chunk;
    set(H5Pset_chunk(storage.id(), rank, chunk.data()));
    if (layout.compression > 0) {
      set(H5Pset_shuffle(storage.id()));
      set(H5Pset_deflate(storage.id(), static_cast<unsigned>(layout.compression)));
    }
    if (layout.has_checksum) set(H5Pset_fletcher32(storage.id()));
  }
  const hid_t id = H5Dcreate2(file_.id(),
                              name.c_str(),
                              file_type_of(layout.precision),
                              space.id(),
                              H5P_DEFAULT,
                              storage.id(),
                              H5P_DEFAULT);
  return {make(id), where};
}

std::vector<std::string> Hdf5File::dataset_names() const {
  std::vector<std::string> names;
  const auto add = [](hid_t /*group*/, const char* name, const H5L_info_t* /*link*/, void* list) {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return herr_t{0};
  };
  check(H5Literate(file_.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names),
        path_,
        "listing what it holds");
  return names;
}

bool Hdf5File::has_dataset(const std::string& name) const {
  return check(H5Lexists(file_.id(), name.c_str(), H5P_DEFAULT), path_, "looking for " + name) > 0;
}

Hdf5Dataset Hdf5File::open_dataset(const std::string& name) const {
  const std::string where = fmt::format("{}: dataset {}", path_, name);
  if (!has_dataset(name)) throw IoError(fmt::format("{}: it is missing", where));
  return {check(H5Dopen2(file_.id(), name.c_str(), H5P_DEFAULT), where, "opening it"), where};
}

void Hdf5File::close() {
  check(H5Fflush(file_.id(), H5F_SCOPE_LOCAL), path_, "writing");
  check(file_.close(), path_, "closing the file");
}

}  // namespace dns
