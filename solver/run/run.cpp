#include "solver/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <filesystem>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "solver/config/case_difference.hpp"
#include "solver/config/load_case.hpp"
#include "solver/core/agreement.hpp"
#include "solver/core/error.hpp"
#include "solver/core/packed_bytes.hpp"
#include "solver/core/version.hpp"
#include "solver/face_values/face_values.hpp"
#include "solver/files/run_files.hpp"
#include "solver/flow/variables.hpp"
#include "solver/forcing/source_values.hpp"
#include "solver/instances/make_simulation.hpp"
#include "solver/output/output_writer.hpp"
#include "solver/output/outputs.hpp"
#include "solver/run/case_in_words.hpp"
#include "solver/run/defined_formulas.hpp"
#include "solver/run/host_memory.hpp"
#include "solver/run/run_log.hpp"
#include "solver/run/run_loop.hpp"
#include "solver/run/run_start.hpp"
#include "solver/run/threads.hpp"
#include "solver/run/words.hpp"
#include "solver/simulation/flow_checks.hpp"
#include "solver/simulation/given_sources.hpp"
#include "solver/start/initial_state.hpp"
#include "solver/start/start_in_words.hpp"

namespace dns {
namespace {

/// The keys whose values are not those of the checkpoint.
void say_differences(const Start& start, RunLog& log) {
  const char* name = "changed";
  for (const auto& [key, before, now] : start.differences)
    log.say(in_column({std::exchange(name, ""), fmt::format("{} {} -> {}", key, before, now)}));
}

/// Whether a checkpoint of scheme projection is of a version that did not keep the pressure at the
/// time of its velocity.
bool lacks_pressure_of_flow(const FlowState& checkpoint) {
  const auto has = [&](std::string_view name) {
    return std::ranges::find(checkpoint.fields, name, &HostField::name) != checkpoint.fields.end();
  };
  return has(pressure_name) && !has("pressure_of_flow");
}

void say_where_it_goes_on(const Start& start, RunLog& log) {
  if (!start.checkpoint) return;
  for (const std::string& warning : start.checkpoint->warnings) log.warn(warning);
  log.say(fmt::format("resumed    from {}: step {}, t = {:g}",
                      start.checkpoint->path,
                      start.checkpoint->state.step,
                      start.checkpoint->state.time));
  if (lacks_pressure_of_flow(start.checkpoint->state))
    log.say(in_column({"older",
                       "the checkpoint has the pressure of its last step alone; so have "
                       "outputs until the first step"}));
  say_differences(start, log);
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

/// Throws CaseError for keys that may not change while a run goes on.
void require_changeable(const std::vector<KeyDifference>& changes) {
  constexpr std::array may_change{"forcing.value",
                                  "forcing.acceleration",
                                  "forcing.heat",
                                  "forcing.linear",
                                  "time.cfl",
                                  "time.step",
                                  "time.steps",
                                  "time.end"};
  for (const auto& [key, before, now] : changes) {
    const bool is_made = key == "forcing" && before == "none";
    const bool is_of_face = key.starts_with("boundaries.") && !key.ends_with(".type");
    const bool has_value = before != "none" && now != "none";
    const bool is_of_time = key.starts_with("time.");
    if (is_made || (is_of_face && has_value) ||
        (std::ranges::find(may_change, key) != may_change.end() && (has_value || !is_of_time)))
      continue;
    throw CaseError(
        fmt::format("{}: {} -> {}, but while a run goes on only these may change: {}, and values "
                    "at boundaries",
                    key,
                    before,
                    now,
                    fmt::join(may_change, ", ")));
  }
}

/// True where all steps are done and no output is missing; then it tells the user so.
bool is_complete(const Start& start, RunLog& log, RunSummary& summary) {
  if (!start.checkpoint) return false;
  const FlowState& state = start.checkpoint->state;
  if (!start.resolved.time.is_over(state.step, state.time)) return false;
  const Outputs outputs(start.recorded, alone());
  if (outputs.owed(state).any()) return false;
  const std::string from = std::filesystem::path(start.checkpoint->path).parent_path().string();
  if (start.lock) tidy_folder(start, outputs, log);
  for (const std::string& warning : start.warnings) log.warn(warning);
  say_differences(start, log);
  log.say(
      fmt::format("{} is complete: step {}, t = {:g}. To go on: {}{}",
                  from,
                  state.step,
                  state.time,
                  command_for_more(start.resolved.time, from, state.step, state.time),
                  start.branches ? fmt::format(" -o {}", start.resolved.output.directory) : ""));
  summary.status = "complete";
  summary.result.first_step = state.step;
  summary.result.last_step = state.step;
  summary.result.time = state.time;
  return true;
}

/// What is of this start alone, and the same on all ranks.
void resolve(Start& start, const RunOptions& options) {
  start.resolved = start.recorded;
  if (options.has_page) start.resolved.output.slices = slices_to_draw(start.resolved);
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

void unpack(const std::string& text, const RunOptions& options, Start& start) {
  ByteUnpacker unpacker(text);
  start.recorded = parse_case(unpacker.next<std::string>(), "the case of rank 0", {});
  Checkpoint checkpoint;
  unpacker(
      checkpoint.path, checkpoint.state.step, checkpoint.state.time, start.begins_averages_anew);
  if (!checkpoint.path.empty()) {
    start.recorded.time.begin_at(checkpoint.state.step, checkpoint.state.time);
    start.checkpoint = std::move(checkpoint);
  }
  resolve(start, options);
}

}  // namespace

class Run::Parts {
 public:
  Parts(RunOptions options, Team& team, RunListener& listener)
      : options_(std::move(options)),
        team_(team),
        communicator_(team.communicator()),
        listener_(listener),
        log_(listener, team.is_first() ? RunLog::Volume::normal : RunLog::Volume::silent) {
    const std::string text = text_of_first(communicator_, [this] {
      find_start(options_, start_);
      if (!prepare()) return std::string();
      listener_.starts(start_.resolved);
      return packed(start_);
    });
    is_complete_ = text.empty();
    if (!is_complete_ && !team_.is_first()) unpack(text, options_, start_);
  }

  void begin() {
    recorded([this] {
      make_simulation();
      outputs_ = options_.writes_nothing
                     ? Outputs()
                     : Outputs(start_.recorded, communicator_, options_.has_page);
      double inflow_end = 0;
      require_on_all_ranks(communicator_, [&] { inflow_end = end_of_inflow(start_.resolved); });
      set_flow();
      if (!options_.writes_nothing) open_files();
      say_what_runs();
      if (team_.is_first()) say_all(listener_.further_lines());
      summary_.copy_bandwidth = copy_bandwidth_;
      summary_.shows_phases = options_.shows_phases;
      loop_.emplace(RunParts{.simulation = simulation_.get(),
                             .communicator = communicator_,
                             .resolved = start_.resolved,
                             .outputs = outputs_,
                             .owed = owed_,
                             .lock = start_.lock.get(),
                             .record = std::move(record_),
                             .started = start_.started,
                             .log = log_,
                             .listener = listener_,
                             .copy_bandwidth = copy_bandwidth_,
                             .inflow_end = inflow_end},
                    summary_.result);
    });
  }

  bool step() {
    bool is_taken = false;
    recorded([&] { is_taken = loop_->step(); });
    return is_taken;
  }
  void set_flow(const std::string& file, TimeOfFlow time) {
    const bool goes_back = time == TimeOfFlow::begun_anew && simulation_->step() > 0;
    if (goes_back && !options_.writes_nothing) {
      throw CaseError(
          "a run that writes files cannot go back to step 0: let it write none, keep the time, or "
          "begin another run");
    }
    Case from_file = start_.resolved;
    from_file.initial = {};
    from_file.initial.file = file;
    FlowState flow;
    require_on_all_ranks(communicator_,
                         [&] { flow = initial_state(from_file, simulation_->subdomain()); });
    const bool has_diverged = summary_.result.diverged_step >= 0;
    if (!goes_back && !has_diverged) return begin_anew(&flow);
    if (!goes_back) {
      flow.step = simulation_->step();
      flow.time = simulation_->time();
    }
    FlowState present = simulation_->allocate_state(CopyPurpose::restart);
    simulation_->copy_state(present, CopyPurpose::restart);
    GivenSources::pass_on(present, flow);
    for (Case* const own : {&start_.recorded, &start_.resolved})
      own->time.begin_at(flow.step, flow.time);
    recorded([&] { loop_->change_simulation([&] { return remake_simulation(flow); }); });
    summary_.result.stop_reason.clear();
    say_change("the flow is set anew, and averages begin anew");
  }
  void take_written_flow() { begin_anew(nullptr); }

  void change(const std::vector<Override>& changes) {
    Case changed =
        parse_case(to_yaml(start_.recorded), "the case", changes, NamedFiles::left_alone);
    const std::vector<KeyDifference> found = differences(start_.recorded, changed);
    require_changeable(found);
    if (found.empty()) return;
    require_defined_formulas(changed);
    changed.time.meet(start_.resolved.time.met_intervals);
    changed.time.begin_at(simulation_->step(), simulation_->time());
    const bool is_at_faces = std::ranges::any_of(found, [](const KeyDifference& difference) {
      return difference.key.starts_with("boundaries.");
    });
    if (is_at_faces) {
      change_faces(changed);
    } else {
      loop_->change_case([&] {
        take_changes(changed);
        on_all_ranks(communicator_, [&] { simulation_->change(start_.resolved); });
      });
    }
    is_case_changed_ = true;
    for (const auto& [key, before, now] : found)
      say_change(fmt::format("{} {} -> {}", key, before, now));
  }

  void meet(const std::vector<double>& intervals) {
    loop_->change_case([&] {
      for (Case* const own : {&start_.recorded, &start_.resolved}) own->time.meet(intervals);
      simulation_->change(start_.resolved);
    });
  }

  void set_source(const std::string& variable, const std::vector<double>& values) {
    const std::vector<Variable> variables = solved_variables(start_.resolved);
    const auto found = std::ranges::find(variables, variable, &Variable::name);
    const auto number = static_cast<int>(found - variables.begin());
    if (found == variables.end() || number >= transported_variables(start_.resolved))
      throw CaseError(fmt::format("{}: is no variable that a source acts on", variable));
    if (!start_.resolved.source_formula(number).is_zero() ||
        has_rate_field(start_.resolved, number)) {
      throw CaseError(fmt::format(
          "{}: has a formula, a sponge or a region of drag in the case, beside which there are no "
          "values of a source",
          variable));
    }
    const std::size_t points = simulation_->subdomain().points().count();
    if (values.size() != points)
      throw CaseError(fmt::format(
          "{}: a source has {} values here, but must have {}", variable, values.size(), points));
    if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); }))
      throw CaseError(fmt::format("{}: the values of a source must be finite", variable));
    simulation_->set_source(number, values);
    say_change(variable + " gets a source by its values");
  }

  void write_records() {
    recorded([&] { loop_->write_records(); });
  }
  void write_for(const std::string& who) {
    recorded([&] { loop_->write_for(who); });
  }
  void stop(const std::string& reason) { loop_->stop(reason); }
  FlowDiagnostics diagnostics() {
    FlowDiagnostics diagnostics;
    recorded([&] { diagnostics = loop_->diagnostics(); });
    return diagnostics;
  }

  void finish() {
    recorded([this] {
      loop_->finish();
      summary_.status = is_stopped() ? "stopped" : "finished";
      if (is_case_changed_ && start_.lock) write_case(start_);
      say_all(closing_lines());
      start_.lock.reset();
    });
  }

  [[nodiscard]] bool is_complete() const { return is_complete_; }
  [[nodiscard]] bool has_simulation() const { return simulation_ != nullptr; }
  [[nodiscard]] Simulation& simulation() const { return *simulation_; }
  [[nodiscard]] const Case& resolved() const { return start_.resolved; }
  [[nodiscard]] const RunSummary& summary() const { return summary_; }
  [[nodiscard]] const std::vector<std::string>& warnings() const { return log_.warnings(); }

 private:
  [[nodiscard]] bool is_stopped() const { return !summary_.result.stop_reason.empty(); }

  /// Calls function(); log.txt gets its error.
  template <class Function>
  void recorded(const Function& function) {
    try {
      function();
    } catch (const DivergenceError& error) {
      summary_.status = "diverged";
      log_.record(fmt::format("error: {}", error.what()));
      throw;
    } catch (const std::exception& error) {
      log_.record(fmt::format("error: {}", error.what()));
      throw;
    }
  }

  /// Makes the start ready on rank 0, which alone has read the case; false: there is nothing to do.
  bool prepare() {
    start_.recorded.device = resolve_device(start_.recorded.device);
    resolve(start_, options_);
    Case& resolved = start_.resolved;
    use_threads(resolved, options_.overrides, team_.cores());
    if (dns::is_complete(start_, log_, summary_)) return false;
    require_planes(resolved, team_.ranks());
    require_host_memory(resolved, {team_.ranks(), team_.ranks_on_host()});
    require_defined_formulas(resolved);
    prepare_output();
    // Before anything else is done: what it says may end the run.
    if (resolved.initial.file && !start_.checkpoint) {
      Warnings damaged = std::exchange(start_.source, start_in_words(resolved));
      add_warnings(std::move(damaged), start_.source);
    }
    return true;
  }

  /// Takes what may change while the run goes on; nothing is being written.
  void take_changes(const Case& changed) {
    for (Case* const own : {&start_.recorded, &start_.resolved}) {
      own->forcing = changed.forcing;
      own->faces = changed.faces;
      own->time = changed.time;
    }
    outputs_.take_changes(start_.recorded);
  }

  /// Goes on with another case as a resumed run would. Where that refuses the flow, the run is as
  /// it was.
  void change_faces(const Case& changed) {
    if (team_.ranks() > 1 && !start_.resolved.particles.empty())
      throw CaseError("boundaries of a run with particles are changed on one rank alone");
    std::exception_ptr refused;
    recorded([&] {
      loop_->change_simulation([&] {
        FlowState flow = simulation_->allocate_state(CopyPurpose::restart);
        simulation_->copy_state(flow, CopyPurpose::restart);
        flow.statistics = simulation_->statistics();
        flow.window = simulation_->window();
        const Case former = start_.recorded;
        try {
          take_changes(changed);
          return remake_simulation(flow);
        } catch (const CaseError&) {
          refused = std::current_exception();
          take_changes(former);
          return remake_simulation(flow);
        }
      });
    });
    if (refused) std::rethrow_exception(refused);
  }

  void make_simulation() {
    simulation_ =
        team_.make_simulation(start_.resolved, start_.recorded.run.threads, options_.overrides);
    summary_.simulation = simulation_.get();
  }

  /// Makes the simulation anew for the present case, without the memory of two, from `flow`.
  Simulation* remake_simulation(const FlowState& flow) {
    summary_.simulation = nullptr;
    simulation_.reset();
    make_simulation();
    on_all_ranks(communicator_, [&] { simulation_->set_state(flow); });
    return simulation_.get();
  }

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
      require_place_for_sources(slab);
      if (start_.begins_averages_anew) slab.statistics = slab.window = {};
      on_all_ranks(communicator_, [&] { simulation_->set_state(slab); });
    } catch (const CaseError& mismatch) {
      throw ErrorOfAll<CaseError>(
          CaseError(fmt::format("{}: {}", checkpoint.path, mismatch.what())));
    }
  }

  /// Throws CaseError where the case by now has what the source of a checkpoint cannot act beside.
  void require_place_for_sources(const FlowState& copy) const {
    for (const auto& [variable, values] : GivenSources::in(copy, start_.resolved)) {
      if (!has_rate_field(start_.resolved, variable)) continue;
      throw CaseError(fmt::format(
          "{}: its source was given by values, beside which there is no sponge or region of drag",
          solved_variables(start_.resolved)[variable].name));
    }
  }

  /// On rank 0; what is owed all ranks are to know.
  void open_files() {
    const std::string owed = text_of_first(communicator_, [this] {
      open_folder(start_, outputs_, log_);
      Outputs::Set missing;
      if (start_.checkpoint) missing = outputs_.owed(start_.checkpoint->state);
      const std::vector<std::string> files = outputs_.open(
          {.simulation = *simulation_, .drops_line_of_last_step = start_.drops_line_of_last_step});
      record_case(start_, log_);
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
    log_.say(fmt::format("dns {}", version()));
    say_in_columns(about_case(start_.resolved));
    std::vector<NamedWords> source;
    for (const std::string& line : start_.source)
      source.push_back({source.empty() ? "start" : "", line});
    say_in_columns(source);
    copy_bandwidth_ = bandwidth_of_all();
    say_in_columns(about_device(start_.resolved, *simulation_, memory_of_all(), copy_bandwidth_));
    say_all(team_.lines());
    for (const std::string& warning : team_.warnings()) log_.warn(warning);
    for (const std::string& warning : start_.warnings) log_.warn(warning);
    for (const std::string& warning : warnings_about(start_.resolved)) log_.warn(warning);
    if (team_.is_first()) say_where_it_goes_on(start_, log_);
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

  void say_all(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) log_.say(line);
  }

  void say_in_columns(const std::vector<NamedWords>& lines) {
    for (const NamedWords& line : lines) log_.say(in_column(line));
  }

  void begin_anew(const FlowState* flow) {
    recorded([&] {
      loop_->change_flow(
          [&] { on_all_ranks(communicator_, [&] { simulation_->begin_anew(flow); }); });
    });
    say_change("the flow is set anew");
  }

  /// A change of the present step; of a run that changes in every step the first ones.
  void say_change(const std::string& what) {
    constexpr int most = 20;
    if (++changes_ > most) return;
    log_.say(fmt::format("step {}: {}{}",
                         simulation_->step(),
                         what,
                         changes_ == most ? "; further changes are not logged" : ""));
  }

  [[nodiscard]] std::vector<std::string> closing_lines() const {
    std::vector<std::string> lines = dns::closing_lines(start_.resolved, summary_);
    if (is_stopped()) {
      lines.insert(lines.begin(),
                   fmt::format("stopped by {} after step {}, checkpoint written",
                               summary_.result.stop_reason,
                               summary_.result.last_step));
    }
    return lines;
  }

  RunOptions options_;
  Team& team_;
  Communicator& communicator_;
  RunListener& listener_;
  RunLog log_;
  Start start_;
  bool is_complete_ = false;
  std::unique_ptr<Simulation> simulation_;  // of this rank's slab
  Outputs outputs_;
  PathWatch record_;   // of rank 0
  Outputs::Set owed_;  // of the checkpoint's step, by a run that ended before it was written
  double copy_bandwidth_ = 0;
  int changes_ = 0;  // of flow and forces while it goes on
  bool is_case_changed_ = false;
  RunSummary summary_;
  std::optional<RunLoop> loop_;  // from begin() on
};

Run::Run(const RunOptions& options, Team& team, RunListener& listener)
    : parts_(std::make_unique<Parts>(options, team, listener)) {}
Run::~Run() = default;

bool Run::is_complete() const {
  return parts_->is_complete();
}
void Run::begin() {
  parts_->begin();
}
bool Run::step() {
  return parts_->step();
}
void Run::set_flow(const std::string& file, TimeOfFlow time) {
  parts_->set_flow(file, time);
}
void Run::take_written_flow() {
  parts_->take_written_flow();
}
void Run::change(const std::vector<Override>& changes) {
  parts_->change(changes);
}
void Run::meet(const std::vector<double>& intervals) {
  parts_->meet(intervals);
}
void Run::set_source(const std::string& variable, const std::vector<double>& values) {
  parts_->set_source(variable, values);
}
void Run::write_records() {
  parts_->write_records();
}
void Run::write_for(const std::string& who) {
  parts_->write_for(who);
}
void Run::stop(const std::string& reason) {
  parts_->stop(reason);
}
void Run::finish() {
  parts_->finish();
}
FlowDiagnostics Run::diagnostics() {
  return parts_->diagnostics();
}
bool Run::has_simulation() const {
  return parts_->has_simulation();
}
Simulation& Run::simulation() {
  return parts_->simulation();
}
const Simulation& Run::simulation() const {
  return parts_->simulation();
}
const Case& Run::resolved() const {
  return parts_->resolved();
}
const RunSummary& Run::summary() const {
  return parts_->summary();
}
const std::vector<std::string>& Run::warnings() const {
  return parts_->warnings();
}

}  // namespace dns
