#include "solver/output/flow_datasets.hpp"

#include <cstddef>
#include <utility>

namespace dns {

void FlowDatasets::add(FlowDataset dataset, DatasetWriter writer) {
  dataset.offset = writer.offset();
  datasets_.push_back(std::move(dataset));
  writers_.push_back(std::move(writer));
}

void FlowDatasets::write(Hdf5File& file) {
  if (datasets_.empty()) return;
  file.flush();
  parts_ = flow_.write(file.path(), datasets_);
  const std::vector<std::uint32_t> checksums = joined_checksums(parts_);
  for (std::size_t n = 0; n < writers_.size(); ++n) {
    writers_[n].take_written(checksums[n]);
    writers_[n].close();
  }
}

std::vector<KnownChecksum> FlowDatasets::checked(const std::string& path) const {
  flow_.check(path, datasets_, parts_);
  const std::vector<std::uint32_t> checksums = joined_checksums(parts_);
  std::vector<KnownChecksum> known;
  for (std::size_t n = 0; n < datasets_.size(); ++n)
    known.push_back({datasets_[n].name, checksums[n]});
  return known;
}

}  // namespace dns
