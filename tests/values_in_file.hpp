/// The values of a dataset.
#pragma once

#include <string>
#include <vector>

#include "solver/files/hdf5_file.hpp"

namespace dns {

/// All values of a dataset of doubles, the fastest axis first. Throws IoError.
inline std::vector<double> values_in(const Hdf5File& file, const std::string& name) {
  const DatasetReader dataset = file.open_dataset(name);
  std::size_t plane = 1;  // values for one index of the slowest axis
  for (std::size_t axis = 1; axis < dataset.shape().size(); ++axis) plane *= dataset.shape()[axis];
  std::vector<double> values;
  dataset.read([&](hsize_t, hsize_t count, const void* planes) {
    const auto* const first = static_cast<const double*>(planes);
    values.insert(values.end(), first, first + count * plane);
  });
  return values;
}

}  // namespace dns
