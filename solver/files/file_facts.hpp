/// What a file of this program says of itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solver/core/flow_state.hpp"

namespace dns {

struct FileFacts {
  std::string format, version, device, case_yaml;  // device: empty where it is not recorded
  std::int64_t step = 0;
  double time = 0;                   // [L/U]
  std::vector<NamedNumber> numbers;  // of statistics: samples, times, friction
  struct Array {
    std::string name;
    std::vector<std::size_t> shape;      // slowest axis first
    std::string axes;                    // "z y x component"; empty where they have no names
    std::optional<Precision> precision;  // none: joined from the pieces that the file lists
  };
  std::vector<Array> arrays;
};

/// Reads them from a snapshot, a checkpoint or statistics.h5. Throws IoError.
FileFacts read_file_facts(const std::string& path);

/// Whether a file begins as HDF5 files do; false where it cannot be read.
bool is_hdf5(const std::string& path);

/// The library that this program runs with: "1.10.8".
std::string hdf5_version();

}  // namespace dns
