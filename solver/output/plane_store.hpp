/// What becomes of the recorded planes of a run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/files/plane_series.hpp"

namespace dns {

/// Writes records as they come to the case's output directory, piece by piece.
class PlaneStore {
 public:
  PlaneStore(const Case& resolved, std::string case_yaml);
  /// Of other things that are stored like planes; a record has them in this order.
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

}  // namespace dns
