/// HDF5 files through the C API: every call checked, every failure an IoError that names the file,
/// the dataset and the reason HDF5 gives. HDF5 itself prints nothing.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "solver/core/flow_state.hpp"

namespace dns {

/// Owns one HDF5 identifier of any kind.
class Hdf5Handle {
 public:
  using Closer = herr_t (*)(hid_t);

  Hdf5Handle() = default;
  Hdf5Handle(hid_t id, Closer closer) : id_(id), closer_(closer) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept
      : id_(std::exchange(other.id_, -1)), closer_(other.closer_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(closer_, other.closer_);
    return *this;
  }
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  ~Hdf5Handle() { close(); }

  [[nodiscard]] hid_t id() const { return id_; }
  /// Closes now. Returns what HDF5 returned: negative on failure.
  herr_t close() { return id_ < 0 ? 0 : closer_(std::exchange(id_, -1)); }

 private:
  hid_t id_ = -1;
  Closer closer_ = nullptr;
};

/// Which HDF5 may read the file, and what guards it.
enum class Hdf5Format {
  compatible,   // HDF5 1.8 and newer; text attributes have variable length (Python sees str)
  checksummed,  // HDF5 1.10 and newer; all metadata lie in blocks with a checksum
};

/// Shape and storage of a dataset of real numbers.
struct DatasetLayout {
  std::vector<hsize_t> shape;
  Precision precision = Precision::double_precision;
  hsize_t planes_per_chunk = 0;  // along the first axis; 0: contiguous, without filters
  int compression = 0;           // gzip level, 0: none
  bool has_checksum = false;     // a Fletcher-32 checksum per chunk
};

/// The number of planes of `plane_bytes` each that make about 1 MiB: at least 1, at most `planes`.
hsize_t planes_per_block(hsize_t planes, std::size_t plane_bytes);

/// An open dataset of float or double values. All members throw IoError.
class Hdf5Dataset {
 public:
  /// Takes over an identifier; `where` opens every message.
  Hdf5Dataset(hid_t id, std::string where);

  [[nodiscard]] const std::vector<hsize_t>& shape() const { return shape_; }
  [[nodiscard]] Precision precision() const { return precision_; }

  /// Planes first .. first+count-1 along the first axis; values in precision().
  void write_planes(hsize_t first, hsize_t count, const void* values);
  void read_planes(hsize_t first, hsize_t count, void* values) const;

  /// Makes this dataset a dimension scale called `name`.
  void become_scale(const std::string& name);
  /// Labels axis `axis` of this dataset and, unless null, attaches a scale to it.
  void label_axis(unsigned axis, const std::string& label, const Hdf5Dataset* scale);

 private:
  Hdf5Handle dataset_;
  std::string where_;
  std::vector<hsize_t> shape_;
  Precision precision_ = Precision::double_precision;
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

  Hdf5Dataset create_dataset(const std::string& name, const DatasetLayout& layout);
  /// Names of everything right in the root, in alphabetical order.
  [[nodiscard]] std::vector<std::string> dataset_names() const;
  [[nodiscard]] bool has_dataset(const std::string& name) const;
  [[nodiscard]] Hdf5Dataset open_dataset(const std::string& name) const;

  /// Hands everything to the operating system and closes. Without it the destructor closes and
  /// errors are lost.
  void close();

 private:
  Hdf5File(hid_t id, std::string path, Hdf5Format format);
  void write_number(const std::string& name, hid_t file_type, hid_t memory_type, const void* value);
  void read_number(const std::string& name, hid_t memory_type, void* value) const;
  [[nodiscard]] Hdf5Handle open_attribute(const std::string& name) const;

  std::string path_;
  Hdf5Format format_ = Hdf5Format::compatible;
  Hdf5Handle file_;
};

}  // namespace dns
