/// The values of a slab in the datasets of a file, which the slabs of all ranks make together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "solver/core/file_descriptor.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/core/subdomain.hpp"

namespace dns {

/// A dataset of the whole box, (nz, ny, nx) of one field or (nz, ny, nx, count) of several of one
/// shape. Its place in the file is contiguous.
struct FlowDataset {
  std::string name;
  std::vector<std::string> fields;                    // of the flow; several are interleaved
  Precision precision = Precision::double_precision;  // in the file
  std::uint64_t offset = 0;                           // of the first value in the file [bytes]

  static auto members(auto& d) { return std::tie(d.name, d.fields, d.precision, d.offset); }
};

/// What a rank knows of its part of a dataset.
struct PartOfDataset {
  std::uint64_t bytes = 0;
  std::uint32_t checksum = 0;
};

/// The checksums of whole datasets, from the packed lists of the parts of all of them that one rank
/// after the other has. Throws IoError where ranks do not have as many.
std::vector<std::uint32_t> joined_checksums(const std::vector<std::string>& parts_of_ranks);

/// The field of a flow called `name`. Throws IoError when there is none.
const HostField& field_of(const FlowState& state, std::string_view name);

/// Points of a field of the whole box, of which `slab` has a part.
[[nodiscard]] Extents whole_extents(const HostField& slab, const Subdomain& part);

/// Opens an existing file, which rank 0 has found or made and all ranks should see. Throws IoError.
FileDescriptor open_of_all_ranks(const std::string& path, int flags, const Subdomain& part);

/// Uses values as they are to be in the file, some planes at a time.
using UseValues = std::function<void(int planes, const void* values, std::size_t bytes)>;
/// Calls `use` for the planes of a dataset that the rank with the slab `part` owns, in order, in
/// blocks of about 1 MiB: converted and interleaved block by block, so that memory stays small.
void for_each_block(const FlowDataset& dataset,
                    const FlowState& slab,
                    const Subdomain& part,
                    const UseValues& use);

/// Writes the planes that the rank owns to their places in a file that is there, in several
/// threads. On several ranks it returns when they are on the disk; whoever has the whole box
/// flushes the file when it is complete. Throws IoError.
std::vector<PartOfDataset> write_slab(const std::string& path,
                                      const std::vector<FlowDataset>& datasets,
                                      const FlowState& slab,
                                      const Subdomain& part);

/// Reads the planes of the rank with the slab `owner` again, in several threads.
std::vector<PartOfDataset> check_slab(const std::string& path,
                                      const std::vector<FlowDataset>& datasets,
                                      const FlowState& slab,
                                      const Subdomain& part,
                                      const Subdomain& owner);

/// Points of a field in one plane normal to an axis.
struct PlaneOfField {
  std::string field;
  int axis = 0;
  int index = 0;  // along the axis

  static auto members(auto& plane) { return std::tie(plane.field, plane.axis, plane.index); }
};

/// Values of a plane of a field at the points that the rank owns, in double, the first axis
/// fastest. Those of all ranks, one rank after the other, make the plane. Requires a field without
/// ghost points.
std::vector<double> plane_of_slab(const PlaneOfField& plane,
                                  const FlowState& slab,
                                  const Subdomain& part);

}  // namespace dns
