#include "solver/output/plane_store.hpp"

#include <utility>

#include "solver/files/plane_format.hpp"

namespace dns {

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

std::vector<PlaneGrid> plane_grids(const Case& resolved) {
  std::vector<PlaneGrid> grids;
  if (!resolved.output.planes) return grids;
  for (const PlaneCase& plane : resolved.output.planes->planes)
    grids.push_back(plane_grid(resolved, plane));
  return grids;
}

Output::FileKind kind_of_plane_file(std::string_view name, std::string_view prefix) {
  if (plane_of_file(name, prefix).empty()) return Output::FileKind::foreign;
  return step_of_name(prefix, name) ? Output::FileKind::data : Output::FileKind::list;
}

RemovedFiles remove_later_pieces(const std::string& directory,
                                 std::string_view prefix,
                                 std::int64_t last_step) {
  Warnings warnings;
  for (const std::string& plane : planes_with_files(directory, prefix)) {
    // First: it must never name a file that is gone.
    add_warnings(PlaneSeries(directory, plane, prefix).write(last_step), warnings);
  }
  return remove_after(last_step, directory, prefix, std::move(warnings));
}

}  // namespace dns
