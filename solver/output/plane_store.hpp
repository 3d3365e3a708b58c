/// What becomes of records of planes, and of lines, which are stored likewise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/files/plane_series.hpp"
#include "solver/output/output.hpp"

namespace dns {

constexpr std::size_t most_bytes_of_records = std::size_t{32} << 20;  // that wait in memory

/// Writes records as they come, piece by piece.
class PlaneStore {
 public:
  /// A record has the planes in the order of their grids.
  PlaneStore(std::string directory, std::vector<PlaneGrid> grids, std::string case_yaml);

  /// Writes one piece of each plane. Returns when they are on the disk; without records there is
  /// nothing to do. Throws IoError.
  void set_down(const std::vector<PlaneRecord>& records);

  /// Rewrites what stands for all records of each plane, if some were set down since the last time.
  /// Returns warnings of PlaneSeries::write. Throws IoError.
  [[nodiscard]] Warnings write_lists();

 private:
  std::string directory_;
  std::string case_yaml_;
  std::vector<PlaneGrid> grids_;
  std::vector<PlaneSeries> series_;
  std::optional<std::int64_t> unlisted_step_;  // the last one set down; none: all are in the lists
};

/// What such a file is.
[[nodiscard]] Output::FileKind kind_of_plane_file(std::string_view name, std::string_view prefix);

/// Removes pieces of later records, of all where last_step is -1; lists the others anew.
RemovedFiles remove_later_pieces(const std::string& directory,
                                 std::string_view prefix,
                                 std::int64_t last_step);

}  // namespace dns
