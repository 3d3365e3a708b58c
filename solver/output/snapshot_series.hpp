/// The list that opens all snapshots of a run as one time series.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/core/flow_state.hpp"
#include "solver/files/run_files.hpp"

namespace dns {

inline constexpr std::string_view snapshot_list_name = "fields.xdmf";
inline constexpr std::string_view snapshot_points_list_name = "fields_points.xdmf";  // of cells

/// What a list says of one snapshot.
struct SnapshotFacts {
  double time = 0;  // [L/U]
  Extents points;
  Precision precision = Precision::double_precision;
  std::vector<std::string> variables;  // that it holds, of those that lists name
  bool has_cells = false;              // values belong to cells, whose faces the file holds too
};

/// Reads what a list says of one snapshot. Throws IoError when the file is not a complete snapshot.
SnapshotFacts read_snapshot_facts(const std::string& path);

/// DIRECTORY/fields.xdmf, and of cells fields_points.xdmf with their centres as points, rewritten
/// repeatedly during a run: a file already examined is opened again only when it has changed.
class SnapshotSeries {
 public:
  explicit SnapshotSeries(std::string directory);

  /// Rewrites the lists from the snapshots on disk, aside and renamed. Files of steps beyond
  /// `last_step` are not listed, nor files that are damaged or foreign (a list that names one would
  /// crash ParaView), of which warnings are returned; a list without snapshots is removed. A file
  /// that the system does not let us look at keeps its place if it had one; else, as it may be
  /// sound, the list stays as it is. Throws IoError.
  Warnings write_list(std::int64_t last_step);

 private:
  /// A file as it was when it was looked at.
  struct Entry {
    std::uint64_t inode = 0;
    std::int64_t bytes = 0;
    std::int64_t modified_nanoseconds = 0;
    std::optional<SnapshotFacts> facts;  // none: damaged or foreign, or gone
  };

  const Entry& looked_at(const std::string& name, Warnings& warnings);

  std::string directory_;
  std::map<std::string, Entry> entries_;  // by name
};

}  // namespace dns
