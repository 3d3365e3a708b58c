#include "solver/application/run.hpp"

#include <fmt/format.h>
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "solver/application/case_in_words.hpp"
#include "solver/application/host_memory.hpp"
#include "solver/application/live_page.hpp"
#include "solver/application/run_loop.hpp"
#include "solver/application/stop_conditions.hpp"
#include "solver/application/summary.hpp"
#include "solver/application/terminal.hpp"
#include "solver/application/threads.hpp"
#include "solver/config/case_difference.hpp"
#include "solver/core/error.hpp"
#include "solver/output/checkpoint.hpp"
#include "solver/output/folder_lock.hpp"
#include "solver/output/missing_output.hpp"
#include "solver/output/path_watch.hpp"
#include "solver/output/run_folder.hpp"
#include "solver/output/statistics_file.hpp"

namespace dns {
namespace {

using Clock = std::chrono::steady_clock;

/// Averages of a checkpoint that are those of another flow than the case asks for now.
struct EarlierAverages {
  FlowState state;  // without fields
  Case resolved;    // of that flow
  std::string case_yaml;
  std::vector<std::string> differences;  // keys
};

/// A run about to start.
struct Start {
  std::unique_ptr<FolderLock> lock;  // none: the folder is still to be made
  Case recorded;  // as the run's folder keeps it: the number of threads is this start's own affair
  Case resolved;
  std::optional<Checkpoint> checkpoint;  // none: from the beginning
  std::optional<EarlierAverages> earlier_averages;
  ExistingFolder existing = ExistingFolder::refuse;
  Clock::time_point started;
  bool wants_json = false;
};

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

/// Keeps other runs out of a folder before its checkpoints are read; none where there is no folder
/// yet or where nothing can be written, which is said when something is to be.
std::unique_ptr<FolderLock> lock_if_there(const std::string& directory) {
  if (!is_folder(directory) || ::access(directory.c_str(), W_OK | X_OK) != 0) return nullptr;
  return std::make_unique<FolderLock>(directory);
}

/// Averages of different flows are not mixed: where the case is that of another one than the
/// checkpoint's, its averages are parted from it.
void go_on_from(Checkpoint from, Start& start) {
  start.checkpoint = std::move(from);
  const Checkpoint& checkpoint = *start.checkpoint;
  FlowState& state = start.checkpoint->state;
  if (state.statistics.sums.empty()) return;
  Case before = parse_case(checkpoint.case_yaml, checkpoint.path, {});
  std::vector<std::string> differences = differences_of_flow(before, start.recorded);
  if (differences.empty()) return;
  FlowState averages;
  averages.step = state.step;
  averages.time = state.time;
  averages.statistics = std::exchange(state.statistics, {});
  start.earlier_averages = EarlierAverages{.state = std::move(averages),
                                           .resolved = std::move(before),
                                           .case_yaml = checkpoint.case_yaml,
                                           .differences = std::move(differences)};
}

std::string file_in(const Case& resolved, const char* name) {
  return (std::filesystem::path(resolved.output.directory) / name).string();
}

void print_json(const Start& start, const RunSummary& summary) {
  if (start.wants_json) std::fputs((to_json(start.resolved, summary).str() + "\n").c_str(), stdout);
}

/// Writes averages of the flow before the case was changed under a name of their own.
void set_averages_aside(const EarlierAverages& earlier,
                        const std::string& directory,
                        Terminal& terminal) {
  if (earlier.state.statistics.samples == 0) return;
  const std::string name = numbered_name(statistics_prefix, earlier.state.step);
  write_statistics(directory, earlier.state, earlier.resolved, earlier.case_yaml, name);
  std::error_code ignored;  // the next averages replace it anyway
  std::filesystem::remove(std::filesystem::path(directory) / statistics_name, ignored);
  terminal.say(
      fmt::format("averages   begin anew, since the flow is another one ({}); those of {} "
                  "samples up to here: {}",
                  fmt::join(earlier.differences, ", "),
                  earlier.state.statistics.samples,
                  name));
}

/// Leaves in the folder what a run would that was not stopped at this checkpoint.
void tidy_folder(const Checkpoint& from, const OutputCase& output, Terminal& terminal) {
  remove_older_checkpoints(output.directory, from.state.step, output.checkpoint_keep);
  const std::size_t removed = remove_later_fields(output.directory, from.state.step);
  if (removed > 0) {
    terminal.say(fmt::format(
        "removed    snapshots and slices of later steps than {}: {}", from.state.step, removed));
  }
}

/// Makes the folder ready and opens log.txt. From here on what happens is recorded.
void open_folder(Start& start, Terminal& terminal) {
  const Case& resolved = start.resolved;
  const std::string& directory = resolved.output.directory;
  const bool is_resumed = start.checkpoint.has_value();
  make_run_folder(directory);
  if (!start.lock) start.lock = std::make_unique<FolderLock>(directory);
  if (!is_resumed) prepare_run_folder(directory, start.existing);
  terminal.open_log(file_in(resolved, "log.txt"),
                    is_resumed ? Terminal::LogFile::append : Terminal::LogFile::fresh);
  write_text_file(file_in(resolved, "case.yaml"), to_yaml(start.recorded));
  if (is_resumed) tidy_folder(*start.checkpoint, resolved.output, terminal);
  if (start.earlier_averages) set_averages_aside(*start.earlier_averages, directory, terminal);
  if (!start.lock->keeps_others_out()) {
    terminal.warn(fmt::format("{}: its file system knows no locks: nothing keeps a second run out",
                              directory));
  }
}

void say_where_it_goes_on(const Start& start, Terminal& terminal) {
  if (!start.checkpoint) return;
  for (const std::string& warning : start.checkpoint->warnings) terminal.warn(warning);
  terminal.say(fmt::format("resumed    from {}: step {}, t = {:g}",
                           start.checkpoint->path,
                           start.checkpoint->state.step,
                           start.checkpoint->state.time));
}

void say_all(const std::vector<std::string>& lines, Terminal& terminal) {
  for (const std::string& line : lines) terminal.say(line);
}

/// A simulation with its flow, its output and what it says.
class Run {
 public:
  Run(Start start, Terminal& terminal, LivePage* page)
      : start_(std::move(start)),
        terminal_(terminal),
        page_(page),
        simulation_(make_simulation(start_.resolved)),
        stop_(
            start_.resolved.output.directory, start_.resolved.run.wall_time_limit, start_.started) {
  }

  ExitCode execute() {
    set_up();
    std::unique_ptr<TimeSeries> series;
    const OutputCase& output = start_.resolved.output;
    if (output.timeseries_every > 0) {
      // Step 0 is recorded anew by every run that starts or goes on from there.
      const std::int64_t step = simulation_->step();
      series = std::make_unique<TimeSeries>(
          output.directory, step > 0 ? step : -1, simulation_->figure_names());
    }
    open_page();
    OutputWriter writer(
        start_.recorded, *simulation_, page_ == nullptr ? nullptr : &page_->pictures());
    RunLoop loop({.simulation = *simulation_,
                  .resolved = start_.resolved,
                  .writer = writer,
                  .series = series.get(),
                  .owed = owed_,
                  .record = record_of_the_run(),
                  .stop = stop_,
                  .terminal = terminal_,
                  .page = page_,
                  .copy_bandwidth = copy_bandwidth_});
    try {
      loop.run();
    } catch (const DivergenceError&) {
      print_json(start_, summary_of(loop, writer, "diverged"));
      throw;
    }
    const bool is_stopped = !loop.result().stop_reason.empty();
    close(summary_of(loop, writer, is_stopped ? "stopped" : "finished"));
    return is_stopped ? ExitCode::stopped_early : ExitCode::finished;
  }

 private:
  /// No file is touched before the first flow is known to be good.
  void set_up() {
    const FlowState state =
        start_.checkpoint ? start_.checkpoint->state : initial_state(start_.resolved);
    simulation_->set_state(state);
    if (start_.checkpoint) start_.checkpoint->state.fields.clear();
    open_folder(start_, terminal_);
    if (start_.checkpoint) owed_ = missing_output(start_.recorded, start_.checkpoint->state);
    say_all(lines_about_case(start_.resolved), terminal_);
    copy_bandwidth_ = simulation_->measure_copy_bandwidth(
        {.run_bytes = simulation_->memory_bytes(), .spare_host_bytes = available_host_memory()});
    say_all(lines_about_device(start_.resolved, *simulation_, copy_bandwidth_), terminal_);
    say_where_it_goes_on(start_, terminal_);
  }

  /// Without these a run has no record.
  [[nodiscard]] PathWatch record_of_the_run() const {
    PathWatch record;
    record.add(start_.resolved.output.directory);
    record.add(file_in(start_.resolved, "log.txt"));
    if (start_.resolved.output.timeseries_every > 0)
      record.add(file_in(start_.resolved, timeseries_name));
    return record;
  }

  /// From here on the run can be looked at.
  void open_page() {
    if (page_ == nullptr) return;
    page_->show(start_.resolved.name, file_in(start_.resolved, timeseries_name));
    terminal_.say(fmt::format("live       {}", page_->address()));
  }

  RunSummary summary_of(const RunLoop& loop, const OutputWriter& writer, const char* status) const {
    return {.status = status,
            .result = loop.result(),
            .device = simulation_->device_name(),
            .figure_names = simulation_->figure_names(),
            .phases = simulation_->phase_times(),
            .waited_seconds = writer.waited_seconds(),
            .compulsory_bytes_per_step = simulation_->compulsory_bytes_per_step(),
            .copy_bandwidth = copy_bandwidth_};
  }

  void close(const RunSummary& summary) {
    if (!summary.result.stop_reason.empty()) {
      terminal_.say(fmt::format("stopped by {} after step {}, checkpoint written",
                                summary.result.stop_reason,
                                summary.result.last_step));
    }
    say_all(closing_lines(start_.resolved, summary), terminal_);
    print_json(start_, summary);
  }

  Start start_;
  Terminal& terminal_;
  LivePage* page_;  // none: not asked for
  std::unique_ptr<Simulation> simulation_;
  StopConditions stop_;
  WriteRequest owed_;  // of the checkpoint's step, by a run that ended before it was written
  double copy_bandwidth_ = 0;
};

/// All steps are done, and all of their output is there.
bool is_complete(const Start& start) {
  if (!start.checkpoint) return false;
  const FlowState& state = start.checkpoint->state;
  return start.resolved.time.is_over(state.step, state.time) &&
         missing_output(start.recorded, state).is_empty();
}

ExitCode say_complete(const Start& start, Terminal& terminal) {
  const FlowState& state = start.checkpoint->state;
  const std::string& directory = start.resolved.output.directory;
  if (start.lock) tidy_folder(*start.checkpoint, start.resolved.output, terminal);
  terminal.say(fmt::format("{} is complete: step {}, t = {:g}. To go on: {}",
                           directory,
                           state.step,
                           state.time,
                           command_for_more(start.resolved)));
  RunSummary summary;
  summary.status = "complete";
  summary.result.first_step = state.step;
  summary.result.last_step = state.step;
  summary.result.time = state.time;
  print_json(start, summary);
  return ExitCode::finished;
}

ExitCode execute(Start start, const Command& command) {
  Terminal terminal(command.is_quiet ? Terminal::Volume::quiet : Terminal::Volume::normal);
  start.recorded.device = resolve_device(start.recorded.device);
  start.wants_json = command.wants_json;
  start.resolved = start.recorded;
  use_threads(start.resolved, command);
  if (is_complete(start)) return say_complete(start, terminal);
  if (command.live_port) start.resolved.output.slices = slices_to_draw(start.resolved);
  require_host_memory(start.resolved);
  std::unique_ptr<LivePage> page;
  if (command.live_port) page = std::make_unique<LivePage>(*command.live_port);
  try {
    return Run(std::move(start), terminal, page.get()).execute();
  } catch (const std::exception& error) {
    terminal.record(fmt::format("error: {}", error.what()));
    throw;
  }
}

}  // namespace

void use_threads(Case& resolved, const Command& command) {
  const bool is_typed =
      std::any_of(command.overrides.begin(), command.overrides.end(), [](const Override& typed) {
        return typed.path == "run.threads";
      });
  const Threads threads = resolve_threads(
      resolved.run.threads, is_typed ? ThreadSource::command_line : ThreadSource::case_file);
  require_threads(threads);
  resolved.run.threads = threads.count;
  omp_set_num_threads(threads.count);
}

ExitCode run(const Command& command, Clock::time_point started) {
  Start start;
  start.started = started;
  start.recorded = load_case(command.target, command.overrides);
  if (command.forces) start.existing = ExistingFolder::replace;
  const std::string& directory = start.recorded.output.directory;
  start.lock = lock_if_there(directory);
  if (command.resumes) {
    start.existing = ExistingFolder::replace;
    if (is_folder(directory) && !numbered_files(directory, checkpoint_prefix).empty())
      go_on_from(read_newest_checkpoint(directory), start);
  }
  return execute(std::move(start), command);
}

ExitCode resume(const Command& command, Clock::time_point started) {
  if (!is_folder(command.target)) {
    throw IoError(fmt::format("{}: no such folder; give the folder of a run", command.target));
  }
  Start start;
  start.started = started;
  start.lock = lock_if_there(command.target);
  Checkpoint checkpoint = read_newest_checkpoint(command.target);
  start.recorded = parse_case(checkpoint.case_yaml, checkpoint.path, command.overrides);
  const std::string& directory = start.recorded.output.directory;
  std::error_code ignored;
  if (!std::filesystem::equivalent(directory, command.target, ignored))
    start.lock = lock_if_there(directory);
  go_on_from(std::move(checkpoint), start);
  return execute(std::move(start), command);
}

}  // namespace dns
