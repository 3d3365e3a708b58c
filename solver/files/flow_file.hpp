/// Snapshots, checkpoints and plain files of a flow, read plane by plane.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "solver/core/flow_state.hpp"
#include "solver/core/index.hpp"

namespace dns {

class DatasetReader;
class Hdf5File;

/// A flow in a file, of which some planes along z are read at a time. All members throw IoError.
class FlowFile {
 public:
  /// plain: datasets that somebody else wrote, without the attribute `format` and without a case.
  enum class Kind { snapshot, checkpoint, plain };

  /// Opens it and reads what it says about the flow. Throws CaseError where the path names no file,
  /// or one of another kind: "PATH is ..., but must be a snapshot, a checkpoint or plain datasets
  /// of a flow".
  explicit FlowFile(const std::string& path);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] Kind kind() const { return kind_; }
  /// The resolved case that it was made with, as YAML; empty, and step and time 0, of plain files.
  [[nodiscard]] const std::string& case_text() const { return case_text_; }
  [[nodiscard]] std::int64_t step() const { return step_; }
  [[nodiscard]] double time() const { return time_; }  // [L/U]

  /// A number of a checkpoint; 0 where the file has none of that name.
  [[nodiscard]] double number(const std::string& name) const;

  /// A dataset (nz, ny, nx), or (nz, ny, nx, 3) of the three components of the velocity.
  struct Dataset {
    std::string name;
    Extents extents;
    int components = 1;
    Precision precision = Precision::double_precision;
    std::shared_ptr<const DatasetReader> values;
  };
  [[nodiscard]] bool has(const std::string& name) const;
  /// The names of all datasets, in alphabetical order.
  [[nodiscard]] std::vector<std::string> names() const;
  /// The numbers of a dataset of one axis, float or double. Throws IoError for another shape.
  [[nodiscard]] std::vector<double> list(const std::string& name) const;
  /// Throws IoError for one of another shape, or one of a checkpoint that lacks its checksum.
  [[nodiscard]] Dataset dataset(const std::string& name) const;

 private:
  std::string path_;
  std::shared_ptr<const Hdf5File> file_;
  Kind kind_;
  std::string case_text_;
  std::int64_t step_ = 0;
  double time_ = 0;
};

/// Uses plane k of a dataset, (ny, nx, components) in its precision.
using UsePlane = std::function<void(int k, const void* values)>;

/// Reads all planes in order and compares them with the checksum.
void read_all_planes(const FlowFile::Dataset& dataset, const UsePlane& use);
/// Reads those that are `wanted`, by their number, in order.
void read_planes(const FlowFile::Dataset& dataset,
                 const std::vector<bool>& wanted,
                 const UsePlane& use);

}  // namespace dns
