#include "solver/application/run/run.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "solver/application/run/live_page.hpp"
#include "solver/application/run/run_loop.hpp"
#include "solver/application/run/run_start.hpp"
#include "solver/application/run/summary.hpp"
#include "solver/application/terminal/terminal.hpp"
#include "solver/config/load_case.hpp"
#include "solver/core/agreement.hpp"
#include "solver/core/error.hpp"
#include "solver/core/packed_bytes.hpp"
#include "solver/core/version.hpp"
#include "solver/face_values/face_values.hpp"
#include "solver/files/run_files.hpp"
#include "solver/instances/make_simulation.hpp"
#include "solver/output/output_writer.hpp"
#include "solver/output/outputs.hpp"
#include "solver/run/case_in_words.hpp"
#include "solver/run/defined_formulas.hpp"
#include "solver/run/host_memory.hpp"
#include "solver/run/threads.hpp"
#include "solver/run/words.hpp"
#include "solver/simulation/flow_checks.hpp"
#include "solver/start/initial_state.hpp"
#include "solver/start/start_in_words.hpp"

namespace dns {
namespace {

using Clock = std::chrono::steady_clock;

void print_json(const Start& start, const RunSummary& summary, const Terminal& terminal) {
  if (!start.wants_json) return;
  std::fputs((to_json(start.resolved, summary, terminal.warnings()) + "\n").c_str(), stdout);
}

/// The keys whose values are not those of the checkpoint.
void say_differences(const Start& start, Terminal& terminal) {
  const char* name = "changed";
  for (const auto& [key, before, now] : start.differences)
    terminal.say(
        in_column({std::exchange(name, ""), fmt::format("{} {} -> {}", key, before, now)}));
}

/// Whether a checkpoint of scheme projection is of a version that did not keep the pressure at the
/// time of its velocity.
bool lacks_pressure_of_flow(const FlowState& checkpoint) {
  const auto has = [&](std::string_view name) {
    return std::ranges::find(checkpoint.fields, name, &HostField::name) != checkpoint.fields.end();
  };
  return has(pressure_name) && !has("pressure_of_flow");
}

void say_where_it_goes_on(const Start& start, Terminal& terminal) {
  if (!start.checkpoint) return;
  for (const std::string& warning : start.checkpoint->warnings) terminal.warn(warning);
  terminal.say(fmt::format("resumed    from {}: step {}, t = {:g}",
                           start.checkpoint->path,
                           start.checkpoint->state.step,
                           start.checkpoint->state.time));
  if (lacks_pressure_of_flow(start.checkpoint->state))
    terminal.say(in_column({"older",
                            "the checkpoint has the pressure of its last step alone; so have "
                            "outputs until the first step"}));
  say_differences(start, terminal);
}

void say_all(const std::vector<std::string>& lines, Terminal& terminal) {
  for (const std::string& line : lines) terminal.say(line);
}

/// Where it runs: device, precision, memory of all ranks [bytes]; the bandwidth of a copy [B/s]
/// unless it is 0, unknown; the methods chosen.
std::vector<NamedWords> about_device(const Case& resolved,
                                     const Simulation& simulation,
                                     std::size_t memory,
                                     double copy_bandwidth) {
  std::vector<NamedWords> lines{
      {"device",
       fmt::format("{}, {} precision", simulation.device_name(), name_of(resolved.precision))},
      {"memory", in_words_bytes(memory)}};
  if (copy_bandwidth > 0) {
    lines.push_back({"copy",
                     fmt::format("{}/s from memory to memory; \"% of copy\" compares a step's "
                                 "least traffic with it",
                                 in_words_bytes(copy_bandwidth))});
  }
  for (const std::string& method : simulation.methods()) lines.push_back({"method", method});
  return lines;
}

/// Throws CaseError if the fields do not fit the grid. It names the points of the whole box.
void require_extents(const FlowState& state, const Extents& points) {
  const auto fits = [&](const HostField& field, int ghosts) {
    const Extents n = field.extents();
    return n.nx == points.nx + ghosts && n.ny == points.ny + ghosts && n.nz == points.nz + ghosts;
  };
  for (const HostField& field : state.fields) {
    if (fits(field, 0) || fits(field, 2)) continue;
    refuse_extents(field, points, state.numbers.empty() ? 0 : 1);  // ghosts go with numbers
  }
}

/// Files are read only where planes are to end the run; see FaceValues::end.
double end_of_inflow(const Case& resolved) {
  const auto ends = [](const std::optional<InflowFileCase>& file) {
    return file && file->beyond == InflowFileCase::Beyond::stop;
  };
  const bool has_end = std::ranges::any_of(resolved.faces, [&](const FaceCase& face) {
    return ends(face.velocity_file) ||
           std::ranges::any_of(face.scalars,
                               [&](const ScalarAtFace& scalar) { return ends(scalar.file); });
  });
  return has_end ? FaceValues(resolved).end() : std::numeric_limits<double>::infinity();
}

/// A simulation of this rank's slab with its flow, its output and its messages.
class Run {
 public:
  Run(Start& start, const Command& command, Team& team, Terminal& terminal, const LivePage* page)
      : start_(start),
        team_(team),
        terminal_(terminal),
        page_(page),
        communicator_(team.communicator()),
        simulation_(team.make_simulation(start_.resolved, start_.recorded.run.threads, command)),
        outputs_(start_.recorded, communicator_, command.live_port.has_value()),
        shows_phases_(command.is_verbose) {}

  ExitCode execute() {
    double inflow_end = 0;
    require_on_all_ranks(communicator_, [&] { inflow_end = end_of_inflow(start_.resolved); });
    set_flow();
    open_files();
    say_what_runs();
    if (page_ != nullptr) terminal_.say(page_->address());
    RunParts parts{.simulation = *simulation_,
                   .communicator = communicator_,
                   .resolved = start_.resolved,
                   .outputs = outputs_,
                   .owed = owed_,
                   .lock = start_.lock.get(),
                   .record = std::move(record_),
                   .started = start_.started,
                   .terminal = terminal_,
                   .copy_bandwidth = copy_bandwidth_,
                   .inflow_end = inflow_end};
    RunSummary summary;
    summary.simulation = simulation_.get();
    summary.copy_bandwidth = copy_bandwidth_;
    summary.shows_phases = shows_phases_;
    try {
      run_loop(std::move(parts), summary.result);
    } catch (const DivergenceError&) {
      summary.status = "diverged";
      print_json(start_, summary, terminal_);
      throw;
    }
    const bool is_stopped = !summary.result.stop_reason.empty();
    summary.status = is_stopped ? "stopped" : "finished";
    close(summary);
    return is_stopped ? ExitCode::stopped_early : ExitCode::finished;
  }

 private:
  /// No file is touched before the first flow is known to be good.
  void set_flow() {
    if (!start_.checkpoint) {
      FlowState flow;
      require_on_all_ranks(
          communicator_, [&] { flow = initial_state(start_.resolved, simulation_->subdomain()); });
      on_all_ranks(communicator_, [&] { simulation_->set_state(flow); });
      return;
    }
    Checkpoint& checkpoint = *start_.checkpoint;
    try {
      text_of_first(communicator_, [&] {
        require_extents(checkpoint.state, start_.resolved.grid.points);
        return std::string();
      });
      // Each reads what it needs; ranks may have been started in different folders.
      for (StatisticsSums* const sums : {&checkpoint.state.statistics, &checkpoint.state.window})
        sums->sums = sums->last = {};
      const std::string path = std::filesystem::absolute(checkpoint.path).string();
      FlowState slab = read_slab(communicator_, path, simulation_->subdomain());
      if (start_.begins_averages_anew) slab.statistics = slab.window = {};
      on_all_ranks(communicator_, [&] { simulation_->set_state(slab); });
    } catch (const CaseError& mismatch) {
      throw ErrorOfAll<CaseError>(
          CaseError(fmt::format("{}: {}", checkpoint.path, mismatch.what())));
    }
  }

  /// On rank 0; what is owed all ranks are to know.
  void open_files() {
    const std::string owed = text_of_first(communicator_, [this] {
      open_folder(start_, outputs_, terminal_);
      Outputs::Set missing;
      if (start_.checkpoint) missing = outputs_.owed(start_.checkpoint->state);
      const std::vector<std::string> files = outputs_.open(
          {.simulation = *simulation_, .drops_line_of_last_step = start_.drops_line_of_last_step});
      record_case(start_, terminal_);
      // Without these a run has no record.
      const std::string& directory = start_.resolved.output.directory;
      record_.add(directory);
      record_.add(path_in(directory, "log.txt"));
      for (const std::string& file : files) record_.add(file);
      return missing.to_string();
    });
    owed_ = Outputs::Set(owed);
  }

  void say_what_runs() {
    terminal_.say(fmt::format("dns {}", version()));
    say_in_columns(about_case(start_.resolved));
    std::vector<NamedWords> source;
    for (const std::string& line : start_.source)
      source.push_back({source.empty() ? "start" : "", line});
    say_in_columns(source);
    copy_bandwidth_ = bandwidth_of_all();
    say_in_columns(about_device(start_.resolved, *simulation_, memory_of_all(), copy_bandwidth_));
    say_all(team_.lines(), terminal_);
    for (const std::string& warning : team_.warnings()) terminal_.warn(warning);
    for (const std::string& warning : start_.warnings) terminal_.warn(warning);
    for (const std::string& warning : warnings_about(start_.resolved)) terminal_.warn(warning);
    if (team_.is_first()) say_where_it_goes_on(start_, terminal_);
  }

  /// Measured by all ranks at once, each in its share of the memory of its host [B/s].
  double bandwidth_of_all() {
    const std::size_t sharing = team_.ranks_on_host();
    const std::vector<double> of_ranks = communicator_.gathered(simulation_->measure_copy_bandwidth(
        {.run_bytes = simulation_->memory_bytes(),
         .spare_host_bytes = available_host_memory() / sharing}));
    const bool is_known = std::ranges::all_of(of_ranks, [](double speed) { return speed > 0; });
    return is_known ? std::accumulate(of_ranks.begin(), of_ranks.end(), 0.0) : 0;
  }

  std::size_t memory_of_all() {
    const std::vector<std::size_t> of_ranks = communicator_.gathered(simulation_->memory_bytes());
    return std::accumulate(of_ranks.begin(), of_ranks.end(), std::size_t{0});
  }

  void say_in_columns(const std::vector<NamedWords>& lines) {
    for (const NamedWords& line : lines) terminal_.say(in_column(line));
  }

  void close(const RunSummary& summary) {
    const bool is_stopped = !summary.result.stop_reason.empty();
    std::vector<std::string> lines = closing_lines(start_.resolved, summary);
    if (is_stopped) {
      lines.insert(lines.begin(),
                   fmt::format("stopped by {} after step {}, checkpoint written",
                               summary.result.stop_reason,
                               summary.result.last_step));
    }
    say_all(lines, terminal_);
    print_json(start_, summary, terminal_);
  }

  Start& start_;
  Team& team_;
  Terminal& terminal_;
  const LivePage* page_;  // none: not asked for
  Communicator& communicator_;
  std::unique_ptr<Simulation> simulation_;
  Outputs outputs_;
  PathWatch record_;   // of rank 0
  Outputs::Set owed_;  // of the checkpoint's step, by a run that ended before it was written
  double copy_bandwidth_ = 0;
  bool shows_phases_;
};

/// True where all steps are done and no output is missing; then it tells the user so.
bool is_complete(const Start& start, Terminal& terminal) {
  if (!start.checkpoint) return false;
  const FlowState& state = start.checkpoint->state;
  if (!start.resolved.time.is_over(state.step, state.time)) return false;
  const Outputs outputs(start.recorded, alone());
  if (outputs.owed(state).any()) return false;
  const std::string from = std::filesystem::path(start.checkpoint->path).parent_path().string();
  if (start.lock) tidy_folder(start, outputs, terminal);
  for (const std::string& warning : start.warnings) terminal.warn(warning);
  say_differences(start, terminal);
  terminal.say(
      fmt::format("{} is complete: step {}, t = {:g}. To go on: {}{}",
                  from,
                  state.step,
                  state.time,
                  command_for_more(start.resolved.time, from, state.step, state.time),
                  start.branches ? fmt::format(" -o {}", start.resolved.output.directory) : ""));
  RunSummary summary;
  summary.status = "complete";
  summary.result.first_step = state.step;
  summary.result.last_step = state.step;
  summary.result.time = state.time;
  print_json(start, summary, terminal);
  return true;
}

/// What is of this start alone, and the same on all ranks.
void resolve(Start& start, const Command& command) {
  start.resolved = start.recorded;
  if (command.live_port) start.resolved.output.slices = slices_to_draw(start.resolved);
}

/// What the other ranks need to know of a start. They may have been started in another folder.
std::string packed(const Start& start) {
  Case recorded = start.recorded;
  if (recorded.initial.file)
    recorded.initial.file = std::filesystem::absolute(*recorded.initial.file).string();
  const auto& [path, state, yaml, warnings] = start.checkpoint.value_or(Checkpoint{});
  return dns::packed(to_yaml(recorded),
                     path.empty() ? path : std::filesystem::absolute(path).string(),
                     state.step,
                     state.time,
                     start.begins_averages_anew);
}

void unpack(const std::string& text, const Command& command, Start& start) {
  ByteUnpacker unpacker(text);
  start.recorded = parse_case(unpacker.next<std::string>(), "the case of rank 0", {});
  Checkpoint checkpoint;
  unpacker(
      checkpoint.path, checkpoint.state.step, checkpoint.state.time, start.begins_averages_anew);
  if (!checkpoint.path.empty()) {
    start.recorded.time.begin_at(checkpoint.state.step, checkpoint.state.time);
    start.checkpoint = std::move(checkpoint);
  }
  resolve(start, command);
}

/// Makes a start ready on rank 0, which alone has read the case; false: there is nothing to do.
bool prepare(Start& start, const Command& command, const Team& team, Terminal& terminal) {
  start.recorded.device = resolve_device(start.recorded.device);
  start.wants_json = command.wants_json;
  resolve(start, command);
  use_threads(start.resolved, command, team.cores());
  if (is_complete(start, terminal)) return false;
  require_planes(start.resolved, team.ranks());
  require_host_memory(start.resolved, {team.ranks(), team.ranks_on_host()});
  require_defined_formulas(start.resolved);
  prepare_output();
  // Before anything else is done: what it says may end the run.
  if (start.resolved.initial.file && !start.checkpoint) {
    Warnings damaged = std::exchange(start.source, start_in_words(start.resolved));
    add_warnings(std::move(damaged), start.source);
  }
  return true;
}

}  // namespace

ExitCode run(const Command& command, Clock::time_point started, Team& team) {
  Terminal terminal(!team.is_first()   ? Terminal::Volume::silent
                    : command.is_quiet ? Terminal::Volume::quiet
                                       : Terminal::Volume::normal);
  const auto start = std::make_unique<Start>();  // of 14 kB, which a small stack has no room for
  std::unique_ptr<const LivePage> page;
  const std::string text = text_of_first(team.communicator(), [&] {
    start->started = started;
    if (command.verb == Verb::resume) {
      find_start_of_resume(command, *start);
    } else {
      find_start_of_run(command, *start);
    }
    if (!prepare(*start, command, team, terminal)) return std::string();
    if (command.live_port) {
      page = std::make_unique<LivePage>(start->resolved.output.directory, *command.live_port);
    }
    return packed(*start);
  });
  if (text.empty()) return ExitCode::finished;
  if (!team.is_first()) unpack(text, command, *start);
  try {
    return Run(*start, command, team, terminal, page.get()).execute();
  } catch (const std::exception& error) {
    terminal.record(fmt::format("error: {}", error.what()));
    throw;
  }
}

void use_threads(Case& resolved, const Command& command, int cores) {
  const bool is_typed = std::ranges::find(command.overrides, "run.threads", &Override::path) !=
                        command.overrides.end();
  const int asked = resolved.run.threads;
  const Threads threads = resolve_threads(is_typed ? asked : 0, asked, cores);
  require_threads(threads);
  resolved.run.threads = threads.count;
  omp_set_num_threads(threads.count);
}

}  // namespace dns
