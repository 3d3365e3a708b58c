#include "solver/run/run_start.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "solver/config/key_table.hpp"
#include "solver/config/load_case.hpp"
#include "solver/core/error.hpp"
#include "solver/files/run_files.hpp"
#include "solver/instances/make_simulation.hpp"
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
void require_grid_of(const Checkpoint& checkpoint, const Case& before, const Start& start) {
  std::vector<std::string> of_grid;
  for (const KeyDifference& difference : start.differences) {
    if (difference.key == "scheme" || difference.key.starts_with("grid."))
      of_grid.push_back(difference.key);
  }
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

/// Keys that every part of a run may have as it likes; parameters act through the keys that name
/// them.
bool may_differ(const std::string& key) {
  const Key* const known = find_key(key);
  const bool is_interval = known != nullptr && known->kind == KeyKind::interval;
  return key == "time.end" || key == "time.steps" || key == "device" || key == "output.directory" ||
         is_at_or_below(key, "run") || is_at_or_below(key, "parameters") ||
         (is_at_or_below(key, "output") && is_interval);
}

Case case_of(const RunOptions& options,
             const std::vector<Override>& overrides,
             Warnings* warnings = nullptr) {
  if (options.from == RunOptions::From::case_file)
    return load_case(options.target, overrides, warnings);
  return parse_case(options.text, options.target, overrides, NamedFiles::looked_at, warnings);
}

/// The keys that overrides change in the case, those that follow from them included; none where it
/// is no case without them.
std::vector<KeyDifference> changed_by(const RunOptions& options, const Case& now) {
  if (options.overrides.empty()) return {};
  try {
    return differences(case_of(options, {}), now);
  } catch (const CaseError&) {
    return {};
  }
}

/// `dns run CASE --resume` does not go on with the run of another case. Throws CaseError.
void require_same_case(const RunOptions& options, const Start& start) {
  const std::vector<KeyDifference> typed = changed_by(options, start.recorded);
  const auto is_typed = [&](const std::string& key) {
    return std::ranges::find(typed, key, &KeyDifference::key) != typed.end() ||
           std::ranges::any_of(options.overrides, [&](const Override& given) {
             return is_at_or_below(key, given.path);
           });
  };
  std::vector<std::string> messages;
  const std::string& directory = start.recorded.output.directory;
  for (const auto& [key, before, now] : start.differences) {
    if (may_differ(key) || is_typed(key)) continue;
    messages.push_back(
        fmt::format("{}: {} differs from {} of the run in {}", key, now, before, directory));
  }
  if (messages.empty()) return;
  messages.push_back(fmt::format(
      "{} holds the run of another case: --set KEY=VALUE goes on with the new value, -o DIR starts "
      "a run in another folder",
      directory));
  throw CaseError(messages);
}

/// The case to go on with, as the one before has it: the device is known, scalars have the order of
/// the checkpoint, and a start from the newest checkpoint of a folder is from that checkpoint.
void take_what_is_known(const Case& before, Case& now) {
  namespace fs = std::filesystem;
  now.device = resolve_device(now.device);
  take_order_of_scalars(before, now);
  if (!before.initial.file || !now.initial.file) return;
  const fs::path file = fs::path(*before.initial.file).lexically_normal();
  if ((fs::path(*now.initial.file) / "").lexically_normal() == file.parent_path() / "")
    now.initial.file = before.initial.file;
}

/// Averages of different flows, or taken in different ways, are not mixed: those of the checkpoint
/// are taken out of it.
void set_averages_apart(const Checkpoint& checkpoint, Case before, Start& start) {
  std::vector<std::string> keys;
  for (const KeyDifference& difference : start.differences) {
    if (is_of_flow(difference.key) || is_of_averages(difference.key))
      keys.push_back(difference.key);
  }
  FlowState& state = start.checkpoint->state;
  if (state.statistics.sums.empty() || keys.empty()) return;
  start.begins_averages_anew = true;
  FlowState averages;
  averages.step = state.step;
  averages.time = state.time;
  averages.statistics = std::exchange(state.statistics, {});
  averages.window = std::exchange(state.window, {});
  start.earlier_averages = EarlierAverages{.state = std::move(averages),
                                           .resolved = std::move(before),
                                           .case_yaml = checkpoint.case_yaml,
                                           .keys = std::move(keys)};
}

/// Throws CaseError where the case cannot go on from the checkpoint.
void go_on_from(Checkpoint from, const RunOptions& options, Start& start) {
  start.checkpoint = std::move(from);
  const Checkpoint& checkpoint = *start.checkpoint;
  const FlowState& state = checkpoint.state;
  Case before =
      parse_case(checkpoint.case_yaml,
                 checkpoint.path,
                 {},
                 state.statistics.sums.empty() ? NamedFiles::left_alone : NamedFiles::looked_at);
  take_what_is_known(before, start.recorded);
  start.recorded.time.begin_at(state.step, state.time);
  const Interval& every = before.output.timeseries_every;
  start.drops_line_of_last_step = every.is_any() && !every.is_due(moment_of(state, before)) &&
                                  !start.recorded.time.is_over(state.step, state.time);
  start.differences = differences(before, start.recorded);
  std::error_code ignored;
  const bool is_same_folder = std::filesystem::equivalent(
      before.output.directory, start.recorded.output.directory, ignored);
  std::erase_if(start.differences, [=](const KeyDifference& found) {
    return found.key == "output.directory" && is_same_folder;
  });
  if (options.from != RunOptions::From::folder) require_same_case(options, start);
  require_same_probes(before, start.recorded);
  require_grid_of(checkpoint, before, start);
  set_averages_apart(checkpoint, std::move(before), start);
}

/// Writes averages from before the case was changed under a name of their own; where they were
/// taken over windows, the last one ends here.
void set_averages_aside(const EarlierAverages& earlier, const std::string& directory, RunLog& log) {
  if (earlier.state.statistics.samples == 0) return;
  const StatisticsSums& window = earlier.state.window;
  const bool has_windows = !window.sums.empty();
  const std::string name = has_windows ? "in the files of its windows"
                                       : numbered_name(statistics_prefix, earlier.state.step);
  if (!has_windows)
    write_statistics(directory, earlier.state, earlier.resolved, earlier.case_yaml, name);
  write_phases(directory,
               earlier.state,
               earlier.resolved,
               earlier.case_yaml,
               numbered_name(phases_prefix, earlier.state.step));
  if (window.duration > 0) write_window(directory, window, earlier.resolved, earlier.case_yaml);
  std::error_code ignored;  // the next averages replace it anyway
  for (const std::string_view replaced : {statistics_name, phases_name})
    std::filesystem::remove(std::filesystem::path(directory) / replaced, ignored);
  log.say(fmt::format(
      "averages   begin anew, since the case has changed ({}); those of {} samples up to "
      "here: {}",
      fmt::join(earlier.keys, ", "),
      earlier.state.statistics.samples,
      name));
}

void find_start_of_case(const RunOptions& options, Start& start) {
  start.recorded = case_of(options, options.overrides, &start.warnings);
  if (options.overwrites) start.existing = ExistingFolder::replace;
  const std::string& directory = start.recorded.output.directory;
  if (!options.writes_nothing) start.lock = lock_if_there(directory);
  if (options.resumes) {
    start.existing = ExistingFolder::replace;
    if (is_folder(directory) && !numbered_files(directory, checkpoint_prefix).empty())
      go_on_from(read_newest_checkpoint(directory), options, start);
  }
  if (!start.checkpoint) start.source = find_start_file(start.recorded);
}

void find_start_in_folder(const RunOptions& options, Start& start) {
  if (!is_folder(options.target)) {
    throw IoError(fmt::format("{}: no such folder; give the folder of a run", options.target));
  }
  // What a run writes meanwhile into the folder that a branch leaves does no harm.
  if (!options.branches) start.lock = lock_if_there(options.target);
  Checkpoint checkpoint = options.step ? read_checkpoint_of(options.target, *options.step)
                                       : read_newest_checkpoint(options.target);
  start.is_chosen = options.step.has_value();
  start.recorded = parse_case(checkpoint.case_yaml,
                              checkpoint.path,
                              options.overrides,
                              NamedFiles::looked_at,
                              &start.warnings);
  std::erase_if(start.warnings, [&](const std::string& warning) {  // nobody edits a checkpoint
    return warning.starts_with(checkpoint.path);
  });
  const std::string& directory = start.recorded.output.directory;
  std::error_code ignored;
  const bool is_same = std::filesystem::equivalent(directory, options.target, ignored);
  if (options.branches && is_same)
    throw CaseError(fmt::format("-o {}: is the folder of the run itself; leave it out", directory));
  if (!is_same) start.lock = lock_if_there(directory);
  start.branches = options.branches;
  if (options.overwrites) start.existing = ExistingFolder::replace;
  go_on_from(std::move(checkpoint), options, start);
}

}  // namespace

void find_start(const RunOptions& options, Start& start) {
  start.started = options.started;
  if (options.from == RunOptions::From::folder) {
    find_start_in_folder(options, start);
  } else {
    find_start_of_case(options, start);
  }
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

void tidy_folder(const Start& start, const Outputs& outputs, RunLog& log) {
  const FlowState& state = start.checkpoint->state;
  remove_stop_file(start.resolved.output.directory);
  remove_unfinished_files(start.resolved.output.directory, outputs);
  auto [removed, warnings] = outputs.cut_back(state);
  for (const std::string& warning : warnings) log.warn(warning);
  // Later ones would be the newest for who resumes next.
  if (start.is_chosen)
    removed += remove_after(state.step, start.resolved.output.directory, checkpoint_prefix).count;
  if (removed > 0) {
    log.say(
        fmt::format("removed    snapshots, slices, planes, lines and averages of later steps than "
                    "{}: {}",
                    state.step,
                    removed));
  }
}

void open_folder(Start& start, const Outputs& outputs, RunLog& log) {
  const Case& resolved = start.resolved;
  const std::string& directory = resolved.output.directory;
  const bool is_resumed = start.checkpoint.has_value();
  make_run_folder(directory);
  if (!start.lock) start.lock = std::make_unique<FolderLock>(directory);
  if (!is_resumed || start.branches) prepare_run_folder(directory, start.existing, outputs);
  log.open(path_in(directory, "log.txt"), is_resumed ? RunLog::File::append : RunLog::File::fresh);
  if (is_resumed) tidy_folder(start, outputs, log);
  if (!start.lock->keeps_others_out()) {
    log.warn(fmt::format("{}: its file system knows no locks: nothing keeps a second run out",
                         directory));
  }
}

void write_case(const Start& start) {
  write_text_file(path_in(start.resolved.output.directory, "case.yaml"), to_yaml(start.recorded));
}

void record_case(const Start& start, RunLog& log) {
  const std::string& directory = start.resolved.output.directory;
  write_case(start);
  if (start.earlier_averages) set_averages_aside(*start.earlier_averages, directory, log);
}

}  // namespace dns
