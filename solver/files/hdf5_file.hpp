/// HDF5 files through the C API: every call checked, every failure an IoError that names the file,
/// the dataset and the reason HDF5 gives. Our own: HDF5's C++
/// interface closes in destructors, which cannot report that a write failed.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solver/files/hdf5_attributes.hpp"
#include "solver/files/hdf5_calls.hpp"
#include "solver/files/hdf5_dataset.hpp"

namespace dns {

/// Which versions of HDF5 can read the file. Metadata of datasets, and attributes of up to 64 kB,
/// are in blocks with a checksum.
enum class Hdf5Format {
  compatible,   // HDF5 1.8 and newer; but the places of compressed chunks have no checksum
  checksummed,  // HDF5 1.10 and newer
};

/// An open HDF5 file: attributes of its root, datasets by name. All members throw IoError.
class Hdf5File {
 public:
  /// A new file for writing; an existing one is replaced.
  static Hdf5File create(const std::string& path, Hdf5Format format);
  /// An existing file for reading.
  static Hdf5File open(const std::string& path);

  [[nodiscard]] const std::string& path() const { return path_; }

  void write_text(const std::string& name, const std::string& text);
  void write_integer(const std::string& name, std::int64_t value);
  void write_real(const std::string& name, double value);

  [[nodiscard]] bool has_attribute(const std::string& name) const;
  [[nodiscard]] std::string read_text(const std::string& name) const;
  [[nodiscard]] std::int64_t read_integer(const std::string& name) const;
  [[nodiscard]] double read_real(const std::string& name) const;

  DatasetWriter create_dataset(const std::string& name, const DatasetLayout& layout);
  /// One whose planes are those of datasets of the same name in other files of the same folder.
  /// Requires Hdf5Format::checksummed.
  void create_joined_dataset(const std::string& name,
                             const DatasetLayout& layout,
                             const std::vector<JoinedPart>& parts);
  /// The shape of such a dataset, which open_dataset refuses; none of any other.
  [[nodiscard]] std::optional<std::vector<hsize_t>> shape_of_joined(const std::string& name) const;
  /// Names of everything directly in the root, in alphabetical order.
  [[nodiscard]] std::vector<std::string> dataset_names() const;
  [[nodiscard]] bool has_dataset(const std::string& name) const;
  [[nodiscard]] DatasetReader open_dataset(const std::string& name) const;

  /// Passes everything to the operating system: the file has its full size then.
  void flush();
  /// The same, and closes. Requires that all datasets are closed.
  /// Without it the destructor closes and errors are lost.
  void close();

 private:
  Hdf5File(hid_t id, std::string path);
  [[nodiscard]] Hdf5Attributes attributes() const { return {file_.id(), path_}; }
  [[nodiscard]] std::string place_of(const std::string& dataset) const;

  std::string path_;
  Hdf5Handle file_;
};

/// Reads every dataset of a file, which must all have checksums, but for those joined of other
/// files. Throws IoError unless all match.
void verify_datasets(const Hdf5File& file);

/// A dataset whose values have been compared with their checksum.
struct KnownChecksum {
  std::string dataset;
  std::uint32_t value = 0;
};
/// The same, but of those that are `known` it only compares the checksum.
void verify_datasets(const Hdf5File& file, const std::vector<KnownChecksum>& known);

}  // namespace dns
