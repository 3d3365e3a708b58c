/// The datasets of one file that hold values of the flow.
#pragma once

#include <string>
#include <vector>

#include "solver/files/hdf5_file.hpp"
#include "solver/output/whole_flow.hpp"

namespace dns {

/// Datasets that are created first, then get their values together, from all ranks at once. All
/// members throw IoError.
class FlowDatasets {
 public:
  explicit FlowDatasets(const WholeFlow& flow) : flow_(flow) {}

  /// A contiguous dataset of the file that has just been created and is still open.
  void add(FlowDataset dataset, DatasetWriter writer);
  /// Writes the values and closes the datasets. Nothing else of the file is being written then.
  void write(Hdf5File& file);
  /// Reads the values of the closed file again; returns their checksums.
  [[nodiscard]] std::vector<KnownChecksum> checked(const std::string& path) const;

 private:
  const WholeFlow& flow_;
  std::vector<FlowDataset> datasets_;
  std::vector<DatasetWriter> writers_;
  std::vector<std::string> parts_;  // of all ranks, as written
};

}  // namespace dns
