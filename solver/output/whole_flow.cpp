#include "solver/output/whole_flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <stdexcept>

#include "solver/core/error.hpp"
#include "solver/core/packed_bytes.hpp"

namespace dns {

// A task is a text for ranks of the same program: this, which copy of the flow, and more.
enum class FlowTask : int { write, check, convert, take_planes };

namespace {

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

/// The slab of the rank after that with the slab `part`; after the last one of the first.
Subdomain next_slab(const Subdomain& part, int ranks) {
  for (int rank = 0; ranks > 1 && rank < ranks; ++rank) {
    if (part.slab(rank, ranks).first(2) == part.part.end.k) return part.slab(rank, ranks);
  }
  return part.slab(0, ranks);
}

/// What a rank does, the first one too, with its own copy. `unpacker` is behind the kind and copy.
std::string carried_out(FlowTask kind,
                        ByteUnpacker& unpacker,
                        const FlowState& slab,
                        const Subdomain& part) {
  switch (kind) {
    case FlowTask::write:
    case FlowTask::check: {
      const auto path = unpacker.next<std::string>();
      const auto datasets = unpacker.next<std::vector<FlowDataset>>();
      if (kind == FlowTask::write) return packed(write_slab(path, datasets, slab, part));
      const Subdomain next = next_slab(part, unpacker.next<int>());
      return packed(check_slab(path, datasets, slab, part, next));
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

std::vector<std::string> WholeFlow::write(const std::string& path,
                                          const std::vector<FlowDataset>& datasets) const {
  return on_all_ranks(FlowTask::write, path_of_all(path), datasets);
}

void WholeFlow::check(const std::string& path,
                      const std::vector<FlowDataset>& datasets,
                      const std::vector<std::string>& written) const {
  if (datasets.empty()) return;
  const auto ranks = static_cast<int>(written.size());
  std::vector<std::string> parts =
      on_all_ranks(FlowTask::check, path_of_all(path), datasets, ranks);
  std::ranges::rotate(parts, parts.end() - 1);  // the last rank has read the first slab
  for (std::size_t n = 1; n <= written.size(); ++n) {
    const std::size_t rank = n % written.size();  // rank 0, which has made the file, comes last
    const std::vector<std::uint32_t> found = joined_checksums({parts[rank]});
    const std::vector<std::uint32_t> expected = joined_checksums({written[rank]});
    const auto wrong = std::ranges::mismatch(found, expected).in1 - found.begin();
    if (wrong == std::ssize(found)) continue;
    const std::string who =
        ranks == 1 ? "was written"
                   : fmt::format(
                         "rank {} wrote; all ranks must see the folder of the run, in a "
                         "shared file system",
                         rank);
    throw IoError(
        fmt::format("{}: dataset {}: its values are not what {}", path, datasets[wrong].name, who));
  }
}

void WholeFlow::for_each_block(const FlowDataset& dataset, const UseValues& use) const {
  dns::for_each_block(dataset, state_, part_, use);
  if (others_ == nullptr) return;
  const Extents plane = field_of(state_, dataset.fields.front()).extents();
  const std::size_t plane_bytes = static_cast<std::size_t>(plane.nx) * plane.ny *
                                  dataset.fields.size() * bytes_of(dataset.precision);
  const int ranks = others_->ranks();
  for (int rank = 1; rank < ranks; ++rank) {
    const std::vector<std::string> results =
        on_all_ranks(FlowTask::convert, part_.slab(rank, ranks).first(2), dataset);
    const std::string& values = results[rank];
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
  const std::size_t slot = unpacker.next<int>();
  const auto purpose = unpacker.next<CopyPurpose>();
  return carried_out(kind, unpacker, copies[slot].of(purpose), part);
}

}  // namespace dns
