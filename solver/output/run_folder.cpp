#include "solver/output/run_folder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "solver/core/error.hpp"
#include "solver/files/appended_table.hpp"
#include "solver/files/plane_series.hpp"
#include "solver/output/snapshot.hpp"

namespace dns {
namespace {

namespace fs = std::filesystem;

/// A file that a run writes.
bool is_run_file(std::string_view name) {
  constexpr std::array<std::string_view, 6> fixed_names = {"case.yaml",
                                                           "fields.xdmf",
                                                           "fields_points.xdmf",
                                                           "timeseries.csv",
                                                           "statistics.h5",
                                                           "log.txt"};
  return std::find(fixed_names.begin(), fixed_names.end(), name) != fixed_names.end() ||
         step_of_name(snapshot_prefix, name) || step_of_name(checkpoint_prefix, name) ||
         step_of_name(statistics_prefix, name) || step_of_slice(name) ||
         !plane_of_file(name).empty() || !plane_of_file(name, probes_prefix).empty() ||
         !probe_of_table(name).empty();
}

bool is_list(const fs::path& path) {
  const std::string name = path.filename().string();
  const auto stands_for_pieces = [&](std::string_view prefix) {
    return !plane_of_file(name, prefix).empty() && !step_of_plane_piece(name, prefix);
  };
  return path.extension() == ".xdmf" || stands_for_pieces(planes_prefix) ||
         stands_for_pieces(probes_prefix);
}

/// The beginning of a run file.
bool is_unfinished(std::string_view name) {
  constexpr std::string_view part = ".part";
  return name.ends_with(part) && is_run_file(name.substr(0, name.size() - part.size()));
}

/// A file that does not make a run: a request to stop, or the beginning of a run file.
bool is_leftover(std::string_view name) {
  return name == "STOP" || is_unfinished(name);
}

/// What cannot be removed does no harm.
void remove_unfinished_files(const std::string& directory) {
  std::vector<fs::path> unfinished;
  std::error_code ignored;
  for (fs::directory_iterator entry(directory, ignored), end; entry != end;
       entry.increment(ignored)) {
    if (is_unfinished(entry->path().filename().string())) unfinished.push_back(entry->path());
  }
  for (const fs::path& path : unfinished) fs::remove(path, ignored);
}

/// Removes the files of later steps. Returns how many.
std::size_t remove_after(std::int64_t last_step,
                         const std::string& directory,
                         const std::vector<NumberedFile>& files) {
  std::size_t removed = 0;
  for (const NumberedFile& file : files) {
    if (file.step <= last_step) continue;
    const fs::path path = fs::path(directory) / file.name;
    std::error_code error;
    fs::remove(path, error);
    if (error) throw IoError(system_message(path.string(), "removing the file", error.value()));
    ++removed;
  }
  return removed;
}

}  // namespace

void make_run_folder(const std::string& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error && !fs::is_directory(directory))
    throw IoError(system_message(directory, "creating the folder", error.value()));
  if (::access(directory.c_str(), W_OK | X_OK) != 0)
    throw IoError(system_message(directory, "writing to the folder", errno));
}

void prepare_run_folder(const std::string& directory, ExistingFolder policy) {
  make_run_folder(directory);
  try {
    std::vector<fs::path> removable;
    for (const auto& entry : fs::directory_iterator(directory)) {
      const std::string name = entry.path().filename().string();
      if (is_run_file(name) && policy == ExistingFolder::refuse) {
        throw CaseError(
            fmt::format("{0} already holds a run ({1}); use --force to replace it or "
                        "`dns resume {0}` to go on",
                        directory,
                        name));
      }
      if (!entry.is_directory() && (is_run_file(name) || is_leftover(name)))
        removable.push_back(entry.path());
    }
    // Lists first, so that none ever names a file that is gone.
    std::partition(removable.begin(), removable.end(), is_list);
    for (const fs::path& path : removable) fs::remove(path);
  } catch (const fs::filesystem_error& failure) {
    if (failure.code().value() == EINTR) return prepare_run_folder(directory, policy);
    throw IoError(system_message(directory, "clearing the folder", failure.code().value()));
  }
}

namespace {

/// The pieces of planes or of lines.
RemovedFiles remove_later_pieces(const std::string& directory,
                                 std::string_view prefix,
                                 std::int64_t last_step) {
  RemovedFiles removed;
  for (const std::string& plane : planes_with_files(directory, prefix)) {
    // First: it must never name a file that is gone.
    add_warnings(PlaneSeries(directory, plane, prefix).write(last_step), removed.warnings);
  }
  removed.count = remove_after(last_step, directory, plane_pieces(directory, {}, prefix));
  return removed;
}

}  // namespace

RemovedFiles remove_later_planes(const std::string& directory, std::int64_t last_step) {
  return remove_later_pieces(directory, planes_prefix, last_step);
}

RemovedFiles remove_later_probes(const std::string& directory, std::int64_t last_step) {
  for (const std::string& probe : probes_with_tables(directory))
    cut_table((fs::path(directory) / probe_table_name(probe)).string(), last_step);
  return remove_later_pieces(directory, probes_prefix, last_step);
}

std::size_t remove_later_windows(const std::string& directory, std::int64_t last_step) {
  return remove_after(last_step, directory, numbered_files(directory, statistics_prefix));
}

RemovedFiles remove_later_fields(const std::string& directory, std::int64_t last_step) {
  remove_unfinished_files(directory);
  RemovedFiles removed;
  // First: it must never name a file that is gone.
  removed.warnings = write_snapshot_list(directory, last_step);
  removed.count = remove_after(last_step, directory, numbered_files(directory, snapshot_prefix)) +
                  remove_after(last_step, directory, slice_files(directory));
  for (const auto& remove : {remove_later_planes, remove_later_probes}) {
    RemovedFiles more = remove(directory, last_step);
    removed.count += more.count;
    add_warnings(std::move(more.warnings), removed.warnings);
  }
  return removed;
}

}  // namespace dns
