#include "solver/output/slab_values.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <thread>

#include "solver/core/error.hpp"
#include "solver/core/in_threads.hpp"
#include "solver/core/packed_bytes.hpp"
#include "solver/core/slab_planes.hpp"
#include "solver/files/checksum.hpp"
#include "solver/files/hdf5_dataset.hpp"
#include "solver/files/run_files.hpp"

namespace dns {
namespace {

/// The part of a dataset that a rank owns.
struct OwnedPart {
  const FlowDataset* dataset = nullptr;
  Planes planes;             // of the whole box
  int planes_per_block = 1;  // that make about 1 MiB
  std::size_t plane_points = 0;
  std::size_t plane_bytes = 0;  // in the file
};

/// The part of a dataset that the rank with the slab `owner` owns; the field is that of the rank
/// with the slab `part`.
OwnedPart part_of(const FlowDataset& dataset,
                  const FlowState& slab,
                  const Subdomain& part,
                  const Subdomain& owner) {
  const HostField& field = field_of(slab, dataset.fields.front());
  const Extents n = field.extents();
  OwnedPart own{.dataset = &dataset, .planes = owned(whole_planes(field, part), owner)};
  own.plane_points = n.plane();
  const std::size_t values = own.plane_points * dataset.fields.size();
  own.plane_bytes = values * bytes_of(dataset.precision);
  const std::vector<hsize_t> shape{static_cast<hsize_t>(own.planes.count), values};
  own.planes_per_block = static_cast<int>(planes_per_block(shape, dataset.precision));
  return own;
}

/// Some planes of it.
struct Block {
  const OwnedPart* part = nullptr;
  int first = 0;  // of the whole box
  int planes = 0;

  [[nodiscard]] const FlowDataset& dataset() const { return *part->dataset; }
  [[nodiscard]] std::size_t bytes() const { return part->plane_bytes * planes; }
  /// Place of the first value of the block in the file [bytes].
  [[nodiscard]] std::uint64_t offset() const {
    return dataset().offset + static_cast<std::uint64_t>(first) * part->plane_bytes;
  }
};

std::vector<Block> blocks_of(const std::vector<OwnedPart>& parts) {
  std::vector<Block> blocks;
  for (const OwnedPart& part : parts) {
    const int end = part.planes.first + part.planes.count;
    for (int first = part.planes.first; first < end; first += part.planes_per_block)
      blocks.push_back({&part, first, std::min(part.planes_per_block, end - first)});
  }
  return blocks;
}

/// Values of the rank with the slab `part` as they are to be in the file: where they are already,
/// or converted and interleaved in `room`.
const void* values_of(const Block& block,
                      const FlowState& slab,
                      const Subdomain& part,
                      std::vector<std::byte>& room) {
  const std::size_t first = block.first - part.first(2);
  const std::size_t start = first * block.part->plane_points;
  const std::size_t points = block.part->plane_points * block.planes;
  const std::vector<std::string>& names = block.dataset().fields;
  const HostField& field = field_of(slab, names.front());
  const Precision precision = block.dataset().precision;
  if (names.size() == 1 && field.precision() == precision)
    return static_cast<const std::byte*>(field.data()) + start * bytes_of(precision);
  room.resize(block.bytes());
  with_real(field.precision(), [&]<class From>(From) {
    std::vector<const From*> sources;
    sources.reserve(names.size());
    for (const std::string& name : names)
      sources.push_back(field_of(slab, name).template values<From>().data() + start);
    with_real(precision, [&]<class To>(To) {
      To* target = reinterpret_cast<To*>(room.data());
      for (std::size_t point = 0; point < points; ++point) {
        for (const From* const source : sources) *target++ = static_cast<To>(source[point]);
      }
    });
  });
  return room.data();
}

/// The checksums of what `use(block, room)` returns: the values of a block that the rank with the
/// slab `owner` owns. Several threads use one block after the other.
template <class Use>
std::vector<PartOfDataset> use_blocks(const std::vector<FlowDataset>& datasets,
                                      const FlowState& slab,
                                      const Subdomain& part,
                                      const Subdomain& owner,
                                      const Use& use) {
  constexpr unsigned most_threads = 8;
  constexpr int least_blocks = 4;  // of a thread
  std::vector<OwnedPart> own;
  own.reserve(datasets.size());
  for (const FlowDataset& dataset : datasets) own.push_back(part_of(dataset, slab, part, owner));
  const std::vector<Block> blocks = blocks_of(own);
  const auto count = static_cast<int>(blocks.size());
  const auto cores = static_cast<int>(std::min(std::thread::hardware_concurrency(), most_threads));
  std::vector<Checksum> checksums(blocks.size());
  in_threads(std::min(cores, count / least_blocks), count, [&] {
    return [&, room = std::vector<std::byte>()](int n) mutable {
      const Block& block = blocks[n];
      checksums[n].add(use(block, room), block.bytes());
    };
  });
  std::vector<Checksum> joined(datasets.size());
  std::vector<PartOfDataset> parts(datasets.size());
  for (std::size_t n = 0; n < blocks.size(); ++n) {
    const std::size_t dataset = blocks[n].part - own.data();
    joined[dataset].add_known(checksums[n].value(), blocks[n].bytes());
    parts[dataset] = {parts[dataset].bytes + blocks[n].bytes(), joined[dataset].value()};
  }
  return parts;
}

std::string in_words(const std::string& path, const FlowDataset& dataset) {
  return fmt::format("{}: dataset {}", path, dataset.name);
}

}  // namespace

const HostField& field_of(const FlowState& state, std::string_view name) {
  for (const HostField& field : state.fields)
    if (field.name() == name) return field;
  throw IoError(fmt::format("the flow to be written has no {}", name));
}

std::vector<std::uint32_t> joined_checksums(const std::vector<std::string>& parts_of_ranks) {
  std::vector<Checksum> checksums;
  for (const std::string& text : parts_of_ranks) {
    const auto parts = ByteUnpacker(text).next<std::vector<PartOfDataset>>();
    if (checksums.empty()) checksums.resize(parts.size());
    if (parts.size() != checksums.size()) throw IoError("ranks see different files");
    for (std::size_t n = 0; n < parts.size(); ++n)
      checksums[n].add_known(parts[n].checksum, parts[n].bytes);
  }
  std::vector<std::uint32_t> values;
  values.reserve(checksums.size());
  for (const Checksum& checksum : checksums) values.push_back(checksum.value());
  return values;
}

FileDescriptor open_of_all_ranks(const std::string& path, int flags, const Subdomain& part) {
  const int number = open_number(path, flags);
  if (number >= 0) return FileDescriptor(number);
  const int reason = errno;
  std::string message = system_message(path, "opening the file", reason);
  if (reason == ENOENT && part.part.begin.k > 0)
    message += "; all ranks must see the folder of the run, in a shared file system";
  throw IoError(message);
}

Extents whole_extents(const HostField& slab, const Subdomain& part) {
  Extents extents = slab.extents();
  extents.nz = whole_planes(slab, part);
  return extents;
}

void for_each_block(const FlowDataset& dataset,
                    const FlowState& slab,
                    const Subdomain& part,
                    const UseValues& use) {
  std::vector<std::byte> room;
  const std::vector<OwnedPart> own{part_of(dataset, slab, part, part)};
  for (const Block& block : blocks_of(own))
    use(block.planes, values_of(block, slab, part, room), block.bytes());
}

std::vector<PartOfDataset> write_slab(const std::string& path,
                                      const std::vector<FlowDataset>& datasets,
                                      const FlowState& slab,
                                      const Subdomain& part) {
  FileDescriptor file = open_of_all_ranks(path, O_WRONLY, part);
  const auto write = [&](const Block& block, std::vector<std::byte>& room) {
    const void* const values = values_of(block, slab, part, room);
    file.write_at(block.offset(), values, block.bytes(), in_words(path, block.dataset()));
    file.begin_flush(block.offset(), block.bytes());
    return values;
  };
  std::vector<PartOfDataset> parts = use_blocks(datasets, slab, part, part, write);
  if (part.points().nz < part.whole.nz) file.flush_to_disk(path);
  file.close(path);
  return parts;
}

std::vector<PartOfDataset> check_slab(const std::string& path,
                                      const std::vector<FlowDataset>& datasets,
                                      const FlowState& slab,
                                      const Subdomain& part,
                                      const Subdomain& owner) {
  const FileDescriptor file = open_of_all_ranks(path, O_RDONLY, part);
  return use_blocks(
      datasets, slab, part, owner, [&](const Block& block, std::vector<std::byte>& room) {
        room.resize(block.bytes());
        file.read_at(block.offset(), room.data(), room.size(), in_words(path, block.dataset()));
        return room.data();
      });
}

std::vector<double> plane_of_slab(const PlaneOfField& plane,
                                  const FlowState& slab,
                                  const Subdomain& part) {
  const HostField& field = field_of(slab, plane.field);
  const Planes own = owned(whole_planes(field, part), part);
  const Extents n = field.extents();
  const int first = own.first - part.first(2);
  Box box{{0, 0, first}, {n.nx, n.ny, first + own.count}};
  const int at = plane.index - (plane.axis == 2 ? part.first(2) : 0);
  if (at < box.begin[plane.axis] || at >= box.end[plane.axis]) return {};
  box.begin[plane.axis] = at;
  box.end[plane.axis] = at + 1;
  std::vector<double> values;
  values.reserve(box.extents().count());
  with_real(field.precision(), [&]<class Real>(Real) {
    const auto all = field.values<Real>();
    for_each_point(box, [&](Index3 c) {
      const std::size_t before = Extents{n.nx, n.ny, c.k}.count() + Extents{n.nx, c.j, 1}.count();
      values.push_back(static_cast<double>(all[before + c.i]));
    });
  });
  return values;
}

}  // namespace dns
