#include "solver/output/plane_store.hpp"

#include <cstddef>
#include <utility>

#include "solver/output/plane_format.hpp"

namespace dns {

namespace {

std::vector<PlaneGrid> grids_of_planes(const Case& resolved) {
  std::vector<PlaneGrid> grids;
  if (!resolved.output.planes) return grids;
  for (const PlaneCase& plane : resolved.output.planes->planes)
    grids.push_back(plane_grid(resolved, plane));
  return grids;
}

}  // namespace

PlaneStore::PlaneStore(const Case& resolved, std::string case_yaml)
    : PlaneStore(resolved.output.directory, grids_of_planes(resolved), std::move(case_yaml)) {}

PlaneStore::PlaneStore(std::string directory, std::vector<PlaneGrid> grids, std::string case_yaml)
    : directory_(std::move(directory)), case_yaml_(std::move(case_yaml)), grids_(std::move(grids)) {
  for (const PlaneGrid& grid : grids_) series_.emplace_back(directory_, grid.name, prefix_of(grid));
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
