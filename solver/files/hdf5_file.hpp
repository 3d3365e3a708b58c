/// HDF5 files through the C API: every call checked, every failure an IoError that names the file,
/// the dataset and the reason HDF5 gives. Our own: HDF5's C++
/// interface closes in destructors, which cannot report that a write failed.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "solver/files/hdf5_dataset.hpp"

namespace dns {

/// Which versions of HDF5 can read the file. Metadata of datasets, and attributes of up to 64 kB,
/// are in blocks with a checksum.
enum class Hdf5Format {
  compatible,   // HDF5 1.8 and newer; but the places of compressed chunks have no checksum
  checksummed,  // HDF5 1.10 and newer
};

/// An open HDF5 file: attributes of its root, datasets by name. All members throw IoError.
class Hdf5File : public Hdf5Object {
 public:
  /// A new file for writing; an existing one is replaced.
  static Hdf5File create(const std::string& path, Hdf5Format format);
  /// An existing file for reading.
  static Hdf5File open(const std::string& path);

  [[nodiscard]] const std::string& path() const { return where(); }

  DatasetWriter create_dataset(const std::string& name, const DatasetLayout& layout);
  /// Names of everything directly in the root, in alphabetical order.
  [[nodiscard]] std::vector<std::string> dataset_names() const;
  [[nodiscard]] bool has_dataset(const std::string& name) const;
  [[nodiscard]] DatasetReader open_dataset(
      const std::string& name, DatasetReader::Joined joined = DatasetReader::Joined::refused) const;

  /// Passes everything to the operating system: the file has its full size then.
  void flush();
  /// Passes everything to the operating system and closes. Requires that all datasets are closed.
  /// Without it the destructor closes and errors are lost.
  void close();

 private:
  Hdf5File(hid_t id, const std::string& path) : Hdf5Object({id, H5Fclose}, path) {}
  [[nodiscard]] std::string place_of(const std::string& dataset) const;
};

/// Writes a list of numbers in double, which stays open. Throws IoError.
DatasetWriter write_list(Hdf5File& file,
                         const std::string& name,
                         const std::vector<double>& values);
/// Reads one, float or double. Throws IoError for another shape.
std::vector<double> read_list(const Hdf5File& file, const std::string& name);

/// Coordinates by the name of their axis; they stay open to be attached to datasets.
using Scales = std::map<std::string, DatasetWriter>;
/// Writes one more. Throws IoError.
void add_scale(Hdf5File& file,
               const std::string& name,
               const std::vector<double>& coordinates,
               Scales& scales);
/// Throws IoError.
void close_all(Scales& scales);

/// A dataset whose values have been compared with their checksum.
struct KnownChecksum {
  std::string dataset;
  std::uint32_t value = 0;
};

/// Reads every dataset of a file, which must all have checksums, but for those joined of other
/// files. Throws IoError unless all match. Of those that are `known` it only compares the checksum.
void verify_datasets(const Hdf5File& file, const std::vector<KnownChecksum>& known = {});

}  // namespace dns
