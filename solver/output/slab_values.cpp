#include "solver/output/slab_values.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <type_traits>

#include "solver/core/error.hpp"
#include "solver/core/packed_bytes.hpp"
#include "solver/core/slab_planes.hpp"
#include "solver/files/checksum.hpp"
#include "solver/files/hdf5_dataset.hpp"
#include "solver/files/run_files.hpp"

namespace dns {
namespace {

/// The part of a dataset that a rank owns.
struct OwnedPart {
  Planes planes;             // of the whole box
  int planes_per_block = 1;  // that make about 1 MiB
  std::size_t plane_points = 0;
  std::size_t plane_bytes = 0;  // in the file
  std::uint64_t offset = 0;     // of the first of them in the file [bytes]

  [[nodiscard]] std::uint64_t bytes() const {
    return static_cast<std::uint64_t>(planes.count) * plane_bytes;
  }
};

/// Of the rank with the slab `owner`; the field is that of the rank with the slab `part`.
OwnedPart place_of(const FlowDataset& dataset,
                   const FlowState& slab,
                   const Subdomain& part,
                   const Subdomain& owner) {
  const HostField& field = field_of(slab, dataset.fields.front());
  const Extents n = field.extents();
  OwnedPart place;
  place.planes = owned(whole_planes(field, part), owner);
  place.plane_points = static_cast<std::size_t>(n.nx) * static_cast<std::size_t>(n.ny);
  const std::size_t values = place.plane_points * dataset.fields.size();
  place.plane_bytes = values * bytes_of(dataset.precision);
  const std::vector<hsize_t> shape{static_cast<hsize_t>(place.planes.count), values};
  place.planes_per_block = static_cast<int>(planes_per_block(shape, dataset.precision));
  place.offset =
      dataset.offset + static_cast<std::uint64_t>(place.planes.first) * place.plane_bytes;
  return place;
}

/// Of one field in the precision of the file values are where they are already.
template <class From, class To>
void use_blocks(const std::vector<const From*>& sources,
                const OwnedPart& place,
                const UseValues& use) {
  const std::size_t count = sources.size();
  const bool is_ready = std::is_same_v<From, To> && count == 1;
  const auto block_planes = static_cast<std::size_t>(place.planes_per_block);
  std::vector<To> block(is_ready ? 0 : block_planes * place.plane_points * count);
  for (int first = 0; first < place.planes.count; first += place.planes_per_block) {
    const int here = std::min(place.planes_per_block, place.planes.count - first);
    const std::size_t bytes = static_cast<std::size_t>(here) * place.plane_bytes;
    const std::size_t start = static_cast<std::size_t>(first) * place.plane_points;
    if (is_ready) {
      use(here, sources[0] + start, bytes);
      continue;
    }
    const std::size_t end = start + static_cast<std::size_t>(here) * place.plane_points;
    To* target = block.data();
    for (std::size_t point = start; point < end; ++point) {
      for (std::size_t n = 0; n < count; ++n) *target++ = static_cast<To>(sources[n][point]);
    }
    use(here, block.data(), bytes);
  }
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
  const OwnedPart place = place_of(dataset, slab, part, part);
  const int first = place.planes.first - part.first(2);  // of the slab
  with_real(field_of(slab, dataset.fields.front()).precision(), [&]<class From>(From) {
    std::vector<const From*> sources;
    for (const std::string& name : dataset.fields) {
      const auto values = field_of(slab, name).template values<From>();
      sources.push_back(values.data() + static_cast<std::size_t>(first) * place.plane_points);
    }
    with_real(dataset.precision, [&]<class To>(To) { use_blocks<From, To>(sources, place, use); });
  });
}

std::vector<PartOfDataset> write_slab(const std::string& path,
                                      const std::vector<FlowDataset>& datasets,
                                      const FlowState& slab,
                                      const Subdomain& part) {
  FileDescriptor file = open_of_all_ranks(path, O_WRONLY, part);
  std::vector<PartOfDataset> parts;
  for (const FlowDataset& dataset : datasets) {
    const OwnedPart place = place_of(dataset, slab, part, part);
    const std::string where = in_words(path, dataset);
    std::uint64_t at = place.offset;
    Checksum checksum;
    for_each_block(dataset, slab, part, [&](int, const void* values, std::size_t bytes) {
      checksum.add(values, bytes);
      file.write_at(at, values, bytes, where);
      at += bytes;
    });
    parts.push_back({place.bytes(), checksum.value()});
  }
  file.flush_to_disk(path);
  file.close(path);
  return parts;
}

std::vector<PartOfDataset> check_slab(const std::string& path,
                                      const std::vector<FlowDataset>& datasets,
                                      const FlowState& slab,
                                      const Subdomain& part,
                                      const Subdomain& owner) {
  const FileDescriptor file = open_of_all_ranks(path, O_RDONLY, part);
  std::vector<PartOfDataset> parts;
  for (const FlowDataset& dataset : datasets) {
    const OwnedPart place = place_of(dataset, slab, part, owner);
    std::vector<std::byte> block(static_cast<std::size_t>(place.planes_per_block) *
                                 place.plane_bytes);
    Checksum checksum;
    for (std::uint64_t done = 0; done < place.bytes(); done += block.size()) {
      const auto bytes =
          static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), place.bytes() - done));
      file.read_at(place.offset + done, block.data(), bytes, in_words(path, dataset));
      checksum.add(block.data(), bytes);
    }
    parts.push_back({place.bytes(), checksum.value()});
  }
  return parts;
}

std::vector<double> plane_of_slab(const PlaneOfField& plane,
                                  const FlowState& slab,
                                  const Subdomain& part) {
  const HostField& field = field_of(slab, plane.field);
  const Planes own = owned(whole_planes(field, part), part);
  Index3 begin{0, 0, own.first - part.first(2)};
  Index3 end{field.extents().nx, field.extents().ny, begin.k + own.count};
  if (plane.axis == 2) {
    const int k = plane.index - part.first(2);
    if (k < begin.k || k >= end.k) return {};
    begin.k = k;
    end.k = k + 1;
  } else if (plane.axis == 1) {
    begin.j = plane.index;
    end.j = plane.index + 1;
  } else {
    begin.i = plane.index;
    end.i = plane.index + 1;
  }
  const auto nx = static_cast<std::size_t>(field.extents().nx);
  const auto ny = static_cast<std::size_t>(field.extents().ny);
  std::vector<double> values;
  values.reserve(Box{begin, end}.extents().count());
  with_real(field.precision(), [&]<class Real>(Real) {
    const auto all = field.values<Real>();
    for (int k = begin.k; k < end.k; ++k) {
      for (int j = begin.j; j < end.j; ++j) {
        const std::size_t line =
            nx * (static_cast<std::size_t>(j) + ny * static_cast<std::size_t>(k));
        for (int i = begin.i; i < end.i; ++i)
          values.push_back(static_cast<double>(all[line + static_cast<std::size_t>(i)]));
      }
    }
  });
  return values;
}

}  // namespace dns
