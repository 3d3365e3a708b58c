#include "solver/files/hdf5_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "solver/core/error.hpp"
#include "solver/core/file_descriptor.hpp"
#include "solver/core/system_errors.hpp"

namespace dns {
namespace {

/// Access properties: no file locks. Files are complete before they get their name, and some
/// parallel file systems refuse locks.
Hdf5Handle access_properties(const std::string& path) {
  Hdf5Handle properties(check_hdf5(H5Pcreate(H5P_FILE_ACCESS), path, "preparing"), H5Pclose);
  check_hdf5(H5Pset_file_locking(properties.id(), false, true), path, "switching off file locks");
  return properties;
}

/// Creation properties. Names and attributes stay in the header of the root, whose blocks have
/// checksums. HDF5 would move a large number of them to a separate heap, where texts of more than 4
/// kB have no checksum and where HDF5 1.10 may crash when listing the names of a damaged file.
Hdf5Handle creation_properties(const std::string& path) {
  Hdf5Handle properties(check_hdf5(H5Pcreate(H5P_FILE_CREATE), path, "preparing"), H5Pclose);
  constexpr unsigned most = 65535;
  check_hdf5(H5Pset_attr_phase_change(properties.id(), most, 0), path, "preparing");
  check_hdf5(H5Pset_link_phase_change(properties.id(), most, 0), path, "preparing");
  return properties;
}

/// The file that `open` opens, again while a signal interrupts it.
template <class Open>
hid_t opened(const std::string& path, const char* doing, Open open) {
  for (;;) {
    const hid_t id = open();
    if (id >= 0) return id;
    if (!was_interrupted()) fail_hdf5(path, doing);
  }
}

}  // namespace

Hdf5File Hdf5File::create(const std::string& path, Hdf5Format format) {
  prepare_hdf5();
  const Hdf5Handle access = access_properties(path);
  const auto oldest = format == Hdf5Format::compatible ? H5F_LIBVER_V18 : H5F_LIBVER_V110;
  check_hdf5(H5Pset_libver_bounds(access.id(), oldest, H5F_LIBVER_V110), path, "preparing");
  const Hdf5Handle creation = creation_properties(path);
  return {
      opened(path,
             "creating the file",
             [&] { return H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.id(), access.id()); }),
      path};
}

Hdf5File Hdf5File::open(const std::string& path) {
  prepare_hdf5();
  static_cast<void>(open_regular(path));  // HDF5 would wait for the other end of a pipe
  const Hdf5Handle access = access_properties(path);
  return {opened(path,
                 "opening the file",
                 [&] { return H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()); }),
          path};
}

std::string Hdf5File::place_of(const std::string& dataset) const {
  return fmt::format("{}: dataset {}", path(), dataset);
}

DatasetWriter Hdf5File::create_dataset(const std::string& name, const DatasetLayout& layout) {
  return {id(), name, layout, place_of(name)};
}

std::vector<std::string> Hdf5File::dataset_names() const {
  std::vector<std::string> names;
  const auto add = [](hid_t /*group*/, const char* name, const H5L_info_t* /*link*/, void* list) {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return herr_t{0};
  };
  // In the order of the file: in any other, HDF5 1.10 frees memory it never allocated where names
  // in a heap are damaged.
  check(H5Literate(id(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, add, &names),
        "listing what it holds");
  std::sort(names.begin(), names.end());
  return names;
}

bool Hdf5File::has_dataset(const std::string& name) const {
  return check(H5Lexists(id(), name.c_str(), H5P_DEFAULT), "looking for " + name) > 0;
}

DatasetReader Hdf5File::open_dataset(const std::string& name, DatasetReader::Joined joined) const {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path(), error);
  if (error) throw FileSystemError(system_message(path(), "reading its size", error.value()));
  return {id(), name, bytes, place_of(name), joined};
}

void Hdf5File::flush() {
  check(H5Fflush(id(), H5F_SCOPE_LOCAL), "writing");
}

void Hdf5File::close() {
  flush();
  close_object("closing the file");
}

DatasetWriter write_list(Hdf5File& file,
                         const std::string& name,
                         const std::vector<double>& values) {
  const hsize_t count = values.size();
  DatasetWriter dataset =
      file.create_dataset(name, {.shape = {count}, .precision = Precision::double_precision});
  dataset.append(count, values.data());
  return dataset;
}

std::vector<double> read_list(const Hdf5File& file, const std::string& name) {
  const DatasetReader dataset = file.open_dataset(name);
  if (dataset.shape().size() != 1) {
    throw IoError(fmt::format("{}: dataset {}: its shape is ({}), but must be (n): one axis",
                              file.path(),
                              name,
                              fmt::join(dataset.shape(), ", ")));
  }
  return dataset.read_doubles();
}

void add_scale(Hdf5File& file,
               const std::string& name,
               const std::vector<double>& coordinates,
               Scales& scales) {
  DatasetWriter& scale = scales.emplace(name, write_list(file, name, coordinates)).first->second;
  scale.become_scale(name);
}

void close_all(Scales& scales) {
  for (auto& [name, scale] : scales) scale.close();
}

void verify_datasets(const Hdf5File& file, const std::vector<KnownChecksum>& known) {
  for (const std::string& name : file.dataset_names()) {
    const DatasetReader dataset = file.open_dataset(name, DatasetReader::Joined::shown);
    if (dataset.is_joined()) continue;
    if (!dataset.has_checksum())
      throw IoError(fmt::format("{}: dataset {}: it has no checksum", file.path(), name));
    const auto found = std::ranges::find(known, name, &KnownChecksum::dataset);
    if (found == known.end()) {
      dataset.read([](hsize_t, hsize_t, const void*) {});
    } else if (dataset.checksum() != found->value) {
      throw IoError(
          fmt::format("{}: dataset {}: its checksum is not what was written", file.path(), name));
    }
  }
}

}  // namespace dns
