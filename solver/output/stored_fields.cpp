#include "solver/output/stored_fields.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <filesystem>

#include "solver/core/error.hpp"
#include "solver/core/file_descriptor.hpp"
#include "solver/core/packed_bytes.hpp"
#include "solver/core/slab_planes.hpp"
#include "solver/files/checksum.hpp"
#include "solver/output/slab_values.hpp"

namespace dns {
namespace {

struct StoredFlow {
  explicit StoredFlow(const std::string& text) {
    ByteUnpacker unpacker(text);
    unpacker(path, fields);
  }

  std::string path;
  std::vector<StoredField> fields;
};

/// Of the planes that the rank owns, among those that it holds.
PartOfDataset owned_part(const HostField& slab, const Subdomain& part) {
  const Planes own = owned(whole_planes(slab, part), part);
  const HostField planes = slab.planes(own.first - part.first(2), own.count);
  Checksum checksum;
  checksum.add(planes.data(), planes.bytes());
  return {.bytes = planes.bytes(), .checksum = checksum.value()};
}

}  // namespace

std::string packed_fields(const std::string& path, const std::vector<StoredField>& fields) {
  return packed(std::filesystem::absolute(path).string(), fields);
}

std::string StoredFields::read(const std::string& file,
                               const Subdomain& part,
                               FlowState& slab) const {
  const StoredFlow stored(file);
  const FileDescriptor opened = open_of_all_ranks(stored.path, O_RDONLY, part);
  BytePacker packer;
  for (std::size_t n = 0; n < stored.fields.size(); ++n) {
    HostField& field = slab.fields.at(n);
    const std::size_t plane_bytes = field.bytes() / static_cast<std::size_t>(field.extents().nz);
    const auto first = static_cast<std::uint64_t>(held(whole_planes(field, part), part).first);
    opened.read_at(stored.fields[n].offset + first * plane_bytes,
                   field.data(),
                   field.bytes(),
                   fmt::format("{}: dataset {}", stored.path, stored.fields[n].name));
    packer(owned_part(field, part));
  }
  return packer.take();
}

void StoredFields::require_sound(const std::string& file,
                                 const std::vector<std::string>& read) const {
  const StoredFlow stored(file);
  std::vector<Checksum> found(stored.fields.size());
  for (const std::string& of_rank : read) {
    ByteUnpacker unpacker(of_rank);
    for (Checksum& checksum : found) {
      const auto part = unpacker.next<PartOfDataset>();
      checksum.add_known(part.checksum, part.bytes);
    }
  }
  for (std::size_t n = 0; n < found.size(); ++n) {
    if (found[n].value() == stored.fields[n].checksum) continue;
    throw IoError(
        fmt::format("{}: dataset {}: its values, read by {} ranks, do not match their "
                    "checksum; do all see the same file, in a shared file system?",
                    stored.path,
                    stored.fields[n].name,
                    read.size()));
  }
}

}  // namespace dns
