/// What becomes of records of planes, and of lines, which are stored likewise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/files/plane_series.hpp"
#include "solver/output/output.hpp"

namespace dns {

/// Records that wait in memory.
class WaitingRecords {
 public:
  void add(PlaneRecord record) {
    bytes_ += bytes_of(record);
    records_.push_back(std::move(record));
  }
  /// Whether the records take more than 32 MiB, and are to be set down.
  [[nodiscard]] bool are_many() const { return bytes_ > std::size_t{32} << 20; }
  [[nodiscard]] const std::vector<PlaneRecord>& records() const { return records_; }
  std::vector<PlaneRecord> take() {
    bytes_ = 0;
    return std::exchange(records_, {});
  }

 private:
  std::vector<PlaneRecord> records_;
  std::size_t bytes_ = 0;
};

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

/// The grids of all planes that a case records.
[[nodiscard]] std::vector<PlaneGrid> plane_grids(const Case& resolved);

/// What such a file is.
[[nodiscard]] Output::FileKind kind_of_plane_file(std::string_view name, std::string_view prefix);

/// Removes pieces of later records, of all where last_step is -1; lists the others anew.
RemovedFiles remove_later_pieces(const std::string& directory,
                                 std::string_view prefix,
                                 std::int64_t last_step);

}  // namespace dns
