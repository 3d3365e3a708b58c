#include "solver/output/plane_store.hpp"

#include <cstddef>
#include <utility>

#include "solver/files/plane_format.hpp"

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
  for (std::size_t which = 0; which < grids_.size(); ++which)
    write_plane_piece(directory_, grids_[which], records, which, case_yaml_);
  unlisted_step_ = records.back().step;
}

Warnings PlaneStore::write_lists() {
  Warnings warnings;
  if (!unlisted_step_) return warnings;
  for (PlaneSeries& series : series_) add_warnings(series.write(*unlisted_step_), warnings);
  unlisted_step_.reset();
  return warnings;
}

}  // namespace dns
