#include "solver/application/run/run_start.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include "solver/config/case_difference.hpp"
#include "solver/config/load_case.hpp"
#include "solver/core/error.hpp"
#include "solver/files/run_files.hpp"
#include "solver/output/statistics_file.hpp"
#include "solver/start/source_flow.hpp"

namespace dns {
namespace {

/// Throws where the system does not say: a run that is there must not be taken for none.
bool is_folder(const std::string& path) {
  return std::filesystem::is_directory(path);
}

/// Keeps other runs out of a folder before its checkpoints are read; none where there is no folder
/// yet or where nothing can be written, which the first write reports.
std::unique_ptr<FolderLock> lock_if_there(const std::string& directory) {
  if (!is_folder(directory) || ::access(directory.c_str(), W_OK | X_OK) != 0) return nullptr;
  return std::make_unique<FolderLock>(directory);
}

/// Records of another place do not go behind those of a probe. Throws CaseError.
void require_same_probes(const Case& before, const Case& now) {
  if (!before.output.probes || !now.output.probes) return;
  for (const ProbeCase& probe : now.output.probes->probes) {
    for (const ProbeCase& earlier : before.output.probes->probes) {
      if (earlier.name != probe.name || earlier == probe) continue;
      throw CaseError(fmt::format(
          "output.probes.{}: was elsewhere in the run so far, whose records its file holds; give "
          "this probe another name",
          probe.name));
    }
  }
}

/// A flow goes on in the points that it has: other ones are a start of its own, which
/// initial.type: file makes. Throws CaseError.
void require_grid_of(const Checkpoint& checkpoint,
                     const Case& before,
                     const std::vector<std::string>& differences) {
  std::vector<std::string> of_grid;
  std::ranges::copy_if(differences, std::back_inserter(of_grid), [](const std::string& key) {
    return key == "scheme" || key.starts_with("grid.");
  });
  if (of_grid.empty()) return;
  const Extents points = before.grid.points;
  throw CaseError(fmt::format(
      "{0}: a run goes on with its scheme and grid alone, {1}, {2} x {3} x {4} {5}, but {6} {7} "
      "given anew; a new run starts from it on any grid: initial: {{type: file, path: {0}}}",
      checkpoint.path,
      name_of(before.scheme),
      points.nx,
      points.ny,
      points.nz,
      before.scheme == Scheme::splitting ? "nodes" : "cells",
      fmt::join(of_grid, ", "),
      of_grid.size() == 1 ? "is" : "are"));
}

/// Averages of different flows are not mixed: where the case is that of another flow than the
/// checkpoint's, the averages are taken out of the checkpoint.
void go_on_from(Checkpoint from, Start& start) {
  start.checkpoint = std::move(from);
  const Checkpoint& checkpoint = *start.checkpoint;
  FlowState& state = start.checkpoint->state;
  start.recorded.time.begin_at(state.step, state.time);
  const bool has_averages = !state.statistics.sums.empty();
  Case before = parse_case(checkpoint.case_yaml,
                           checkpoint.path,
                           {},
                           has_averages ? NamedFiles::looked_at : NamedFiles::left_alone);
  const Interval& every = before.output.timeseries_every;
  start.drops_line_of_last_step = every.is_any() && !every.is_due(moment_of(state, before)) &&
                                  !start.recorded.time.is_over(state.step, state.time);
  require_same_probes(before, start.recorded);
  std::vector<std::string> differences = differences_of_flow(before, start.recorded);
  require_grid_of(checkpoint, before, differences);
  if (!has_averages || differences.empty()) return;
  start.begins_averages_anew = true;
  FlowState averages;
  averages.step = state.step;
  averages.time = state.time;
  averages.statistics = std::exchange(state.statistics, {});
  averages.window = std::exchange(state.window, {});
  start.earlier_averages = EarlierAverages{.state = std::move(averages),
                                           .resolved = std::move(before),
                                           .case_yaml = checkpoint.case_yaml,
                                           .differences = std::move(differences)};
}

/// Writes averages of the flow before the case was changed under a name of their own; where they
/// were taken over windows, the last one ends here.
void set_averages_aside(const EarlierAverages& earlier,
                        const std::string& directory,
                        Terminal& terminal) {
  if (earlier.state.statistics.samples == 0) return;
  const StatisticsSums& window = earlier.state.window;
  const bool has_windows = !window.sums.empty();
  const std::string name = has_windows ? "in the files of its windows"
                                       : numbered_name(statistics_prefix, earlier.state.step);
  if (!has_windows)
    write_statistics(directory, earlier.state, earlier.resolved, earlier.case_yaml, name);
  if (window.duration > 0) write_window(directory, window, earlier.resolved, earlier.case_yaml);
  std::error_code ignored;  // the next averages replace it anyway
  std::filesystem::remove(std::filesystem::path(directory) / statistics_name, ignored);
  terminal.say(
      fmt::format("averages   begin anew, since the flow is another one ({}); those of {} "
                  "samples up to here: {}",
                  fmt::join(earlier.differences, ", "),
                  earlier.state.statistics.samples,
                  name));
}

}  // namespace

void find_start_of_run(const Command& command, Start& start) {
  start.recorded = load_case(command.target, command.overrides);
  if (command.forces) start.existing = ExistingFolder::replace;
  const std::string& directory = start.recorded.output.directory;
  start.lock = lock_if_there(directory);
  if (command.resumes) {
    start.existing = ExistingFolder::replace;
    if (is_folder(directory) && !numbered_files(directory, checkpoint_prefix).empty())
      go_on_from(read_newest_checkpoint(directory), start);
  }
  if (!start.checkpoint) start.source = find_start_file(start.recorded);
}

void find_start_of_resume(const Command& command, Start& start) {
  if (!is_folder(command.target)) {
    throw IoError(fmt::format("{}: no such folder; give the folder of a run", command.target));
  }
  // What a run writes meanwhile into the folder that a branch leaves does no harm.
  if (!command.branches) start.lock = lock_if_there(command.target);
  Checkpoint checkpoint = read_newest_checkpoint(command.target);
  start.recorded = parse_case(checkpoint.case_yaml, checkpoint.path, command.overrides);
  const std::string& directory = start.recorded.output.directory;
  std::error_code ignored;
  const bool is_same = std::filesystem::equivalent(directory, command.target, ignored);
  if (command.branches && is_same)
    throw CaseError(fmt::format("-o {}: is the folder of the run itself; leave it out", directory));
  if (!is_same) start.lock = lock_if_there(directory);
  start.branches = command.branches;
  if (command.forces) start.existing = ExistingFolder::replace;
  go_on_from(std::move(checkpoint), start);
}

Warnings find_start_file(Case& resolved) {
  std::optional<std::string>& path = resolved.initial.file;
  if (!path || !is_folder(*path)) return {};
  return about_start_file([&] {
    Checkpoint newest = read_newest_checkpoint(*path);
    path = newest.path;
    return newest.warnings;
  });
}

void tidy_folder(const Start& start, const Outputs& outputs, Terminal& terminal) {
  const FlowState& state = start.checkpoint->state;
  remove_stop_file(start.resolved.output.directory);
  remove_unfinished_files(start.resolved.output.directory, outputs);
  const auto [removed, warnings] = outputs.cut_back(state);
  for (const std::string& warning : warnings) terminal.warn(warning);
  if (removed > 0) {
    terminal.say(
        fmt::format("removed    snapshots, slices, planes, lines and averages of later steps than "
                    "{}: {}",
                    state.step,
                    removed));
  }
}

void open_folder(Start& start, const Outputs& outputs, Terminal& terminal) {
  const Case& resolved = start.resolved;
  const std::string& directory = resolved.output.directory;
  const bool is_resumed = start.checkpoint.has_value();
  make_run_folder(directory);
  if (!start.lock) start.lock = std::make_unique<FolderLock>(directory);
  if (!is_resumed || start.branches) prepare_run_folder(directory, start.existing, outputs);
  terminal.open_log(path_in(directory, "log.txt"),
                    is_resumed ? Terminal::LogFile::append : Terminal::LogFile::fresh);
  write_text_file(path_in(directory, "case.yaml"), to_yaml(start.recorded));
  if (is_resumed) tidy_folder(start, outputs, terminal);
  if (start.earlier_averages) set_averages_aside(*start.earlier_averages, directory, terminal);
  if (!start.lock->keeps_others_out()) {
    terminal.warn(fmt::format("{}: its file system knows no locks: nothing keeps a second run out",
                              directory));
  }
}

}  // namespace dns
