#include "solver/output/whole_flow.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <exception>
#include <filesystem>
#include <stdexcept>

#include "solver/core/error.hpp"
#include "solver/core/packed_bytes.hpp"
#include "solver/files/checksum.hpp"

namespace dns {

// A task is a text for ranks of the same program: this, which copy of the flow, and more.
enum class FlowTask : int { write, check, convert, take_planes };

namespace {

/// A file and its datasets.
struct FileTask {
  explicit FileTask(ByteUnpacker& unpacker) { unpacker(path, datasets); }

  std::string path;
  std::vector<FlowDataset> datasets;
};

/// All values of a dataset that the rank owns.
std::string converted(const FlowDataset& dataset, const FlowState& slab, const Subdomain& part) {
  const Extents most = field_of(slab, dataset.fields.front()).extents();
  BytePacker packer;
  packer.reserve(most.count() * dataset.fields.size() * bytes_of(dataset.precision));
  for_each_block(dataset, slab, part, [&](int, const void* values, std::size_t bytes) {
    packer.add_bytes(values, bytes);
  });
  return packer.take();
}

std::string taken_planes(const std::vector<PlaneOfField>& wanted,
                         const FlowState& slab,
                         const Subdomain& part) {
  std::string planes;
  for (const PlaneOfField& plane : wanted) planes += packed(plane_of_slab(plane, slab, part));
  return planes;
}

/// What a rank does, the first one too, with its own copy. `unpacker` is behind the kind and copy.
std::string carried_out(FlowTask kind,
                        ByteUnpacker& unpacker,
                        const FlowState& slab,
                        const Subdomain& part) {
  switch (kind) {
    case FlowTask::write: {
      const FileTask file(unpacker);
      return packed(write_slab(file.path, file.datasets, slab, part));
    }
    case FlowTask::check: {
      const FileTask file(unpacker);
      return packed(check_slab(file.path, file.datasets, slab, part));
    }
    case FlowTask::convert: {
      const int first_plane = unpacker.next<int>();
      const auto dataset = unpacker.next<FlowDataset>();
      return first_plane == part.first(2) ? converted(dataset, slab, part) : std::string();
    }
    case FlowTask::take_planes:
      return taken_planes(unpacker.next<std::vector<PlaneOfField>>(), slab, part);
  }
  throw std::logic_error("a task that is none for output");
}

/// The parts of all datasets, of each rank.
std::vector<std::vector<PartOfDataset>> parts_in(const std::vector<std::string>& results) {
  std::vector<std::vector<PartOfDataset>> parts;
  for (const std::string& result : results)
    parts.push_back(ByteUnpacker(result).next<std::vector<PartOfDataset>>());
  return parts;
}

std::vector<std::uint32_t> joined(const std::vector<std::vector<PartOfDataset>>& parts) {
  std::vector<std::uint32_t> checksums;
  for (std::size_t dataset = 0; dataset < parts.front().size(); ++dataset) {
    Checksum checksum;
    for (const auto& of_rank : parts)
      checksum.add_known(of_rank[dataset].checksum, of_rank[dataset].bytes);
    checksums.push_back(checksum.value());
  }
  return checksums;
}

}  // namespace

/// The results of all ranks, in their order.
template <class... Values>
std::vector<std::string> WholeFlow::on_all_ranks(FlowTask kind, const Values&... values) const {
  const std::string task = packed(kind, slot_, purpose_, values...);
  if (others_ != nullptr) others_->start(task);
  std::vector<std::string> results(1);
  std::exception_ptr error;
  try {
    const std::string own = packed(values...);
    ByteUnpacker unpacker(own);
    results[0] = carried_out(kind, unpacker, state_, part_);
  } catch (...) {
    error = std::current_exception();  // the others finish first: the file is still there
  }
  if (others_ != nullptr) {
    try {
      for (std::string& result : others_->results()) results.push_back(std::move(result));
    } catch (const IoError&) {
      if (!error) throw;
    }
  }
  if (error) std::rethrow_exception(error);
  return results;
}

/// Ranks may have been started in different folders.
std::string WholeFlow::path_of_all(const std::string& path) const {
  return others_ == nullptr ? path : std::filesystem::absolute(path).string();
}

std::vector<std::uint32_t> WholeFlow::write(const std::string& path,
                                            const std::vector<FlowDataset>& datasets) const {
  return joined(parts_in(on_all_ranks(FlowTask::write, path_of_all(path), datasets)));
}

void WholeFlow::check(const std::string& path,
                      const std::vector<FlowDataset>& datasets,
                      const std::vector<std::uint32_t>& checksums) const {
  if (datasets.empty()) return;
  const auto parts = parts_in(on_all_ranks(FlowTask::check, path_of_all(path), datasets));
  const std::vector<std::uint32_t> found = joined(parts);
  for (std::size_t n = 0; n < datasets.size(); ++n) {
    if (found[n] == checksums[n]) continue;
    throw IoError(
        fmt::format("{}: dataset {}: its values are not what was written", path, datasets[n].name));
  }
  require_one_file(path, datasets.front(), parts);
}

/// What a rank took for the file may be another of this path, on a disk of its own host: rank 0
/// looks for the first plane of each.
void WholeFlow::require_one_file(const std::string& path,
                                 const FlowDataset& dataset,
                                 const std::vector<std::vector<PartOfDataset>>& parts) const {
  const int ranks = static_cast<int>(parts.size());
  for (int rank = 1; rank < ranks; ++rank) {
    if (checksum_of_first_plane(path, dataset, state_, part_, part_.slab(rank, ranks)) ==
        parts[static_cast<std::size_t>(rank)].front().checksum_of_first_plane)
      continue;
    throw IoError(
        fmt::format("{}: what rank {} wrote is not there: it has another file of this name; all "
                    "ranks must see the folder of the run, in a shared file system",
                    path,
                    rank));
  }
}

void WholeFlow::for_each_block(const FlowDataset& dataset, const UseValues& use) const {
  dns::for_each_block(dataset, state_, part_, use);
  if (others_ == nullptr) return;
  const Extents plane = field_of(state_, dataset.fields.front()).extents();
  const std::size_t plane_bytes = static_cast<std::size_t>(plane.nx) *
                                  static_cast<std::size_t>(plane.ny) * dataset.fields.size() *
                                  bytes_of(dataset.precision);
  const int ranks = others_->ranks();
  for (int rank = 1; rank < ranks; ++rank) {
    const std::vector<std::string> results =
        on_all_ranks(FlowTask::convert, part_.slab(rank, ranks).first(2), dataset);
    const std::string& values = results[static_cast<std::size_t>(rank)];
    use(static_cast<int>(values.size() / plane_bytes), values.data(), values.size());
  }
}

std::vector<std::vector<double>> WholeFlow::planes(const std::vector<PlaneOfField>& wanted) const {
  std::vector<std::vector<double>> planes(wanted.size());
  for (const std::string& result : on_all_ranks(FlowTask::take_planes, wanted)) {
    ByteUnpacker unpacker(result);
    for (std::vector<double>& plane : planes) unpacker.append_list(plane);
  }
  return planes;
}

std::string carry_out(const std::string& task,
                      std::span<const FlowCopies> copies,
                      const Subdomain& part) {
  ByteUnpacker unpacker(task);
  const auto kind = unpacker.next<FlowTask>();
  const auto slot = static_cast<std::size_t>(unpacker.next<int>());
  const auto purpose = unpacker.next<CopyPurpose>();
  return carried_out(kind, unpacker, copies[slot].of(purpose), part);
}

}  // namespace dns
