/// Fields of a flow that stay in their file until each rank reads its slab.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "solver/core/other_ranks.hpp"

namespace dns {

/// A contiguous dataset (nz, ny, nx) in the precision of the field.
struct StoredField {
  std::string name;
  std::uint64_t offset = 0;  // of its first value in the file [bytes]
  std::uint32_t checksum = 0;

  static auto members(auto& field) { return std::tie(field.name, field.offset, field.checksum); }
};

/// As a text for ranks of this program, which may have been started in different folders.
std::string packed_fields(const std::string& path, const std::vector<StoredField>& fields);

/// Reads slabs of the fields that such a text names; all of them together are compared with the
/// checksums.
class StoredFields final : public SlabReader {
 public:
  std::string read(const std::string& file, const Subdomain& part, FlowState& slab) const override;
  void require_sound(const std::string& file, const std::vector<std::string>& read) const override;
};

}  // namespace dns
