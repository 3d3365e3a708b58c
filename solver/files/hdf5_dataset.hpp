/// Datasets of real numbers: written and read once, from the first plane to the last, and protected
/// by a checksum of their values.
///
/// The checksum is the attribute `crc32` of the dataset: CRC-32 (zlib) of the values as in a
/// contiguous file, little endian, the slowest axis first. Compressed values count as before
/// compression.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "solver/core/flow_state.hpp"
#include "solver/files/checksum.hpp"
#include "solver/files/hdf5_object.hpp"

namespace dns {

/// Planes along the first axis of a joined dataset: all those of a dataset of the same name in
/// another file of the same folder.
struct JoinedPart {
  std::string file;
  hsize_t planes = 0;
};

/// Shape and storage of a dataset of real numbers.
struct DatasetLayout {
  std::vector<hsize_t> shape;
  Precision precision = Precision::double_precision;
  int compression = 0;  // gzip level; 0: contiguous, its place in the file taken at once
  /// Unless there are none, the planes are those of the parts, one after the other (HDF5: a virtual
  /// dataset, in a file that is Hdf5Format::checksummed); those of a part that is missing are read
  /// as NaN.
  std::vector<JoinedPart> parts{};
};

/// The number of planes (along the first axis) that make about 1 MiB: at least 1, at most all.
/// Values are written, compressed and read in blocks of so many.
hsize_t planes_per_block(const std::vector<hsize_t>& shape, Precision precision);

/// A new dataset. Its values are appended, or written to its place in the file by others. All
/// members throw IoError.
class DatasetWriter : public Hdf5Object {
 public:
  /// Creates it in the open object `parent`.
  DatasetWriter(hid_t parent,
                const std::string& name,
                const DatasetLayout& layout,
                const std::string& where);

  /// The next `count` planes along the first axis; values in the precision of the layout.
  void append(hsize_t count, const void* values);

  /// Where its values begin in the file [bytes]. Requires that they are contiguous.
  [[nodiscard]] std::uint64_t offset() const;
  /// All values have been written there; `checksum` is theirs.
  void take_written(std::uint32_t checksum);

  /// Makes this dataset a dimension scale called `name`.
  void become_scale(const std::string& name);
  /// Labels the next axis, the slowest first, and unless null attaches a scale that is still open.
  /// The labels also make the attribute `axes`, such as "z y x".
  void label_axis(const std::string& label, const DatasetWriter* scale);

  /// Writes the labels, the checksum and all of the dataset that HDF5 still buffers. Without it the
  /// dataset cannot be read again. Requires that all planes are there; joined ones are, and have no
  /// checksum.
  void close();

 private:
  DatasetLayout layout_;
  hsize_t planes_written_ = 0;
  std::vector<std::string> labels_;
  Checksum checksum_;
};

/// A dataset of a file that may be damaged or hostile: its values are in this file, and as many as
/// its shape says, unless it is joined. All members throw IoError.
class DatasetReader : public Hdf5Object {
 public:
  /// Uses the planes first .. first+count-1 along the first axis; values in precision().
  using UsePlanes = std::function<void(hsize_t first, hsize_t count, const void* values)>;

  /// Whether a dataset that is joined of other files, whose values are not read, is refused.
  enum class Joined { refused, shown };

  /// Opens it by name in the open object `parent` of a file of `file_bytes`.
  DatasetReader(hid_t parent,
                const std::string& name,
                std::uintmax_t file_bytes,
                const std::string& where,
                Joined joined = Joined::refused);

  [[nodiscard]] const std::vector<hsize_t>& shape() const { return shape_; }
  [[nodiscard]] Precision precision() const { return precision_; }
  [[nodiscard]] bool is_joined() const { return is_joined_; }
  [[nodiscard]] bool has_checksum() const { return checksum_.has_value(); }
  /// Where its values lie in the file as they are in memory [bytes]; none for others.
  [[nodiscard]] std::optional<std::uint64_t> place() const { return place_; }
  /// What its values should have.
  [[nodiscard]] std::optional<std::uint32_t> checksum() const { return checksum_; }

  /// Reads all values once, in blocks of whole planes, in order. Throws IoError, after the last of
  /// them, where they do not match the checksum that the dataset may have; `advice` ends its
  /// message.
  void read(const UsePlanes& use_planes, const std::string& advice = "") const;
  /// Reads all values so.
  [[nodiscard]] std::vector<double> read_doubles() const;
  /// Reads the planes first .. first+count-1 in such blocks, without a look at the checksum, which
  /// is that of all.
  void read_some(hsize_t first, hsize_t count, const UsePlanes& use_planes) const;

 private:
  void find_type();
  void require_values(std::uintmax_t file_bytes, Joined joined);
  void read_planes(hsize_t first, hsize_t count, void* values) const;

  std::vector<hsize_t> shape_;
  Precision precision_ = Precision::double_precision;
  bool is_little_endian_ = false;
  bool is_joined_ = false;
  std::optional<std::uint64_t> place_;
  std::optional<std::uint32_t> checksum_;
};

}  // namespace dns
