#include "solver/output/plane_store.hpp"

#include <cstddef>
#include <utility>

namespace dns {

PlaneStore::PlaneStore(const Case& resolved, std::string case_yaml)
    : directory_(resolved.output.directory), case_yaml_(std::move(case_yaml)) {
  if (!resolved.output.planes) return;
  for (const PlaneCase& plane : resolved.output.planes->planes) {
    grids_.push_back(plane_grid(resolved, plane));
    series_.emplace_back(directory_, plane.name);
  }
}

void PlaneStore::set_down(const std::vector<PlaneRecord>& records) {
  if (records.empty()) return;
  const bool had_gap = std::exchange(has_gap_, true);
  for (std::size_t which = 0; which < grids_.size(); ++which)
    write_plane_piece(directory_, grids_[which], records, which, case_yaml_);
  has_gap_ = had_gap;
  for (PlaneSeries& series : series_) series.write(records.back().step);
}

}  // namespace dns
