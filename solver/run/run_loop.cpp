#include "solver/run/run_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "solver/core/agreement.hpp"
#include "solver/core/error.hpp"
#include "solver/core/seconds.hpp"
#include "solver/files/run_files.hpp"
#include "solver/flow/body_quantities.hpp"
#include "solver/instances/case_needs.hpp"
#include "solver/output/output_writer.hpp"
#include "solver/output/run_folder.hpp"
#include "solver/ranks/step_messages.hpp"
#include "solver/run/stability.hpp"
#include "solver/run/words.hpp"

namespace dns {
namespace {

/// Writing speed assumed until a checkpoint has been written, on the slow side [B/s].
constexpr double assumed_writing_speed = 200e6;

/// Estimated with the present time step.
double steps_left(const TimeCase& time, const RunResult& result, double step) {
  double left = static_cast<double>(time.steps) - static_cast<double>(result.last_step);
  if (time.steps == unlimited_steps && step > 0)
    left = std::min(left, (*time.end - result.time) / step);
  return std::max(left, 0.0);
}

}  // namespace

class RunLoop::Steps {
  using Clock = std::chrono::steady_clock;

 public:
  Steps(RunParts parts, RunResult& result)
      : parts_(std::move(parts)),
        messages_(parts_.communicator),
        writer_(*parts_.simulation, parts_.communicator.size() > 1 ? &messages_ : nullptr),
        result_(result),
        stop_file_(stop_file(parts_.resolved.output.directory)) {
    result_.first_step = parts_.simulation->step();
    if (result_.first_step > 0) recorded_step_ = result_.first_step;
    result_.last_step = result_.first_step;
    result_.time = parts_.simulation->time();
    shown_ = interval_from_now();
    const auto bytes = static_cast<double>(needs_of(parts_.resolved).restart_bytes);
    checkpoint_seconds_ = 0.1 + bytes / assumed_writing_speed;
  }

  Steps(const Steps&) = delete;
  Steps& operator=(const Steps&) = delete;

  bool step() {
    bool is_taken = false;
    guarded([&] {
      watch_start_once();
      const auto own_requests = [this] { return requests_of_this_rank(); };
      requests_ = messages_.receive(own_requests);
      answer();
      messages_.post(own_requests);
      is_taken = may_go_on();
      if (is_taken) take_step();
    });
    return is_taken;
  }

  void change_flow(const std::function<void()>& change) {
    guarded([&] {
      finish_watch();
      change();
      is_flow_changed_ = true;
    });
  }

  void change_simulation(const std::function<Simulation*()>& remake) {
    guarded([&] {
      if (result_.diverged_step < 0) write_what_waits();
      under_way_.reset();
      writer_.finish();
      note_what_was_written();
      parts_.simulation = remake();
      writer_.take_simulation(*parts_.simulation);
      result_.diverged_step = -1;
      note_step({});
      is_flow_changed_ = true;
    });
  }

  void change_case(const std::function<void()>& change) {
    guarded([&] {
      writer_.finish();
      note_what_was_written();
      change();
    });
  }

  void write_records() {
    guarded([&] {
      watch_start_once();
      write_what_waits();
      writer_.finish();
      note_what_was_written();
    });
  }

  void write_for(const std::string& who) {
    guarded([&] {
      watch_start_once();
      who_wants_output_ = who;
      requests_.output = true;
      say_who_wants_output();
      write(Moment::Kind::asked);
      requests_.output = false;
      note_what_was_written();
    });
  }

  void stop(const std::string& reason) {
    const bool is_over = parts_.resolved.time.is_over(result_.last_step, result_.time);
    if (!is_over && result_.stop_reason.empty()) result_.stop_reason = reason;
  }

  void finish() {
    guarded([this] {
      watch_start_once();
      watch_end();
      const std::string& directory = parts_.resolved.output.directory;
      if (has_folder()) remove_stop_file(directory);
      write_last();
      if (has_folder()) remove_stop_file(directory);  // made meanwhile
    });
    note_seconds();
  }

  FlowDiagnostics diagnostics() {
    guarded([this] {
      if (has_watched_start_) return watch_flow();
      result_.diagnostics =  // not yet those of the flow that the run starts from
          on_all_ranks(parts_.communicator, [&] { return parts_.simulation->diagnostics(); });
    });
    return result_.diagnostics;
  }

 private:
  struct Interval {
    Clock::time_point start = Clock::now();
    std::int64_t first_step = 0;
  };

  [[nodiscard]] bool is_first() const { return parts_.communicator.rank() == 0; }
  [[nodiscard]] bool has_folder() const { return parts_.lock != nullptr; }
  [[nodiscard]] Interval interval_from_now() const {
    return {.start = Clock::now(), .first_step = result_.last_step};
  }

  /// Calls function(). Whatever it throws, all output is on disk then, and the result is complete.
  template <class Function>
  void guarded(const Function& function) {
    try {
      try {
        try {
          function();
        } catch (const CaseError& error) {
          end_refused(error.what());
        }
      } catch (const DivergenceError& error) {
        end_diverged(error.what());
      }
    } catch (const std::exception& error) {
      if (is_met_by_all(error)) complete_output();
      note_seconds();
      throw;
    }
  }

  void note_seconds() {
    result_.loop_seconds = seconds_since(started_);
    result_.waited_seconds = writer_.waited_seconds();
  }

  void watch_start_once() {
    if (!std::exchange(has_watched_start_, true)) watch_start();
  }

  /// Whether neither the case nor anybody ends the run here.
  bool may_go_on() {
    if (parts_.resolved.time.is_over(result_.last_step, result_.time)) return false;
    if (result_.stop_reason.empty()) result_.stop_reason = reason_to_stop();
    return result_.stop_reason.empty();
  }

  void watch_end() {
    watch_flow();
    look_at_record();
    requests_ = messages_.agree(requests_of_this_rank());
    if (requests_.record_is_gone) end_without_record();
  }

  /// Writes what is due at the end of a run that fails. Returns what went wrong, if anything.
  std::string complete_output(std::optional<Moment::Kind> last = std::nullopt) {
    try {
      if (last) write(*last);
      writer_.finish();
    } catch (const IoError& error) {
      return error.what();
    }
    return "";
  }

  /// Step 0 is recorded like any other; the step that a resumed run starts from was recorded by the
  /// run before, except for the output that it still owes.
  void watch_start() {
    note_step({});
    watch_flow();
    if (result_.first_step > 0) {
      write(Moment::Kind::resumed, parts_.owed);
      if (!parts_.resolved.time.is_over(result_.last_step, result_.time)) return;
      for (const auto& output : parts_.outputs) output->note_done(result_.first_step);
      result_.checkpoint_step = result_.first_step;
      return;
    }
    on_outputs([this](Output& output) { output.record(*parts_.simulation); });
    write(Moment::Kind::begun);
  }

  /// On rank 0: before the first step only what ends the run.
  Requests requests_of_this_rank() {
    constexpr std::chrono::seconds between_looks{1};
    Requests requests;
    if (!is_first()) return requests;
    if (external_reason_.empty()) external_reason_ = external_reason_to_stop();
    requests.stop = !external_reason_.empty();
    const Clock::time_point now = Clock::now();
    const bool has_begun = result_.last_step > result_.first_step;
    if (has_begun && now - record_looked_at_ >= between_looks) look_at_record();
    requests.record_is_gone = !missing_record_.empty();
    requests.asks = parts_.outputs.asks(writer_.is_idle());
    if (!has_begun) return requests;
    who_wants_output_ = parts_.listener.asked_for_output();
    requests.output = !who_wants_output_.empty();
    requests.progress = parts_.log.is_progress_due(part_done());
    return requests;
  }

  void say_who_wants_output() {
    watch_flow();
    parts_.log.say(fmt::format(
        "step {}: {}: writing a snapshot and a checkpoint", result_.last_step, who_wants_output_));
  }

  /// Does what rank 0 asks for, on all ranks.
  void answer() {
    if (requests_.record_is_gone) end_without_record();
    if (requests_.output) say_who_wants_output();
    if (result_.last_step > result_.first_step) write(Moment::Kind::asked);
    note_what_was_written();
    const bool was_last_step = result_.last_step > result_.first_step && part_done() >= 1;
    if (requests_.progress || was_last_step) {
      watch_flow();
      show_progress();
    }
  }

  /// On rank 0: the listener, the wall clock, or a file STOP in the folder, which this removes;
  /// empty: go on.
  std::string external_reason_to_stop() {
    // Looking for a file costs up to a millisecond on a network file system.
    constexpr std::chrono::milliseconds between_looks{20};
    if (std::string reason = parts_.listener.asked_to_stop(); !reason.empty()) return reason;
    const Clock::time_point now = Clock::now();
    const std::optional<double>& limit = parts_.resolved.run.wall_time_limit;  // [s]
    if (limit && seconds_between(parts_.started, now) + seconds_to_end() > *limit)
      return fmt::format("run.wall_time_limit of {}", in_words_duration(*limit));
    if (!has_folder() || now - stop_file_looked_at_ < between_looks) return "";
    stop_file_looked_at_ = now;
    std::error_code none;
    if (!std::filesystem::exists(stop_file_, none)) return "";
    const std::string failure = remove_stop_file(parts_.resolved.output.directory);
    if (failure.empty()) return fmt::format("the file {}", stop_file_);
    if (!std::exchange(has_warned_of_stop_file_, true))
      parts_.log.warn(fmt::format("{}; a STOP that cannot be removed ends no run", failure));
    return "";
  }

  std::string reason_to_stop() const {
    constexpr double rounding = 1e-9;  // of a time that is a sum of steps
    const double next = parts_.simulation->time() + parts_.simulation->time_step();
    if (next > parts_.inflow_end * (1 + rounding))
      return fmt::format("the end of the recorded inflow at t = {:g}", parts_.inflow_end);
    if (!requests_.stop) return "";
    return is_first() ? external_reason_ : "rank 0";
  }

  void take_step() {
    const Clock::time_point start = Clock::now();
    const StepReport report =
        on_all_ranks(parts_.communicator, [&] { return parts_.simulation->advance(); });
    finish_watch();  // of the step before
    note_step(report);
    if (is_watch_due()) begin_watch();
    if (parts_.resolved.time.is_over(result_.last_step, result_.time)) finish_watch();
    const double seconds = seconds_since(start);
    result_.step_seconds += seconds;
    longest_step_ = std::max(seconds, 0.9 * longest_step_);
    warn_of_step(report);
    on_outputs([this](Output& output) { output.record(*parts_.simulation); });
    write(Moment::Kind::stepped);
  }

  void note_step(const StepReport& report) {
    result_.last_step = parts_.simulation->step();
    result_.time = parts_.simulation->time();
    figures_ = {.step = result_.last_step,
                .time = result_.time,
                .time_step = parts_.simulation->time_step(),
                .time_before = parts_.simulation->time_before(),
                .report = report,
                .wall_seconds = seconds_since(started_),
                .diagnostics = {}};
  }

  void warn_of_step(const StepReport& report) {
    if (!report.reached_tolerance && !is_tolerance_missed_) {
      parts_.log.warn(
          fmt::format("step {}: time.global_tolerance not reached in {} global iterations (change "
                      "{:.2e}); said again only after a step that reaches it",
                      result_.last_step,
                      report.global_iterations,
                      report.iteration_change));
    }
    is_tolerance_missed_ = !report.reached_tolerance;
  }

  /// The completed part of the run; exactly 1 when it is over.
  double part_done() const {
    const TimeCase& time = parts_.resolved.time;
    if (time.is_over(result_.last_step, result_.time)) return 1;
    double done = static_cast<double>(result_.last_step) / static_cast<double>(time.steps);
    if (time.steps == unlimited_steps) done = std::max(done, result_.time / *time.end);
    return std::min(done, std::nextafter(1.0, 0.0));
  }

  void begin_watch() {
    is_flow_changed_ = false;
    parts_.simulation->begin_diagnostics();
    under_way_ = figures_;
  }

  /// Takes the diagnostics that are under way, if any, or throws DivergenceError. The step that a
  /// resumed run starts from has been recorded.
  void finish_watch() {
    if (!under_way_) return;
    under_way_->diagnostics =
        on_all_ranks(parts_.communicator, [&] { return parts_.simulation->finish_diagnostics(); });
    watched_ = *std::exchange(under_way_, std::nullopt);
    result_.diagnostics = watched_.diagnostics;
    result_.sound_step = watched_.step;
    warn_of_slip();
    warn_of_steps();
    warn_of_oblique_stream();
    warn_of_fast_particles();
    warn_once(has_warned_of_bounce_, result_.diagnostics.hard_bounce);
    if (watched_.step <= recorded_step_) return;
    recorded_step_ = watched_.step;
    on_outputs([this](Output& output) { output.record_figures(watched_); });
  }

  /// Warnings of steps too short and too long for the flow.
  void warn_of_steps() {
    const FlowDiagnostics& flow = result_.diagnostics;
    const double speed = std::sqrt(2 * flow.kinetic_energy);
    warn_once(has_warned_of_round_off_, warning_of_round_off(parts_.resolved, flow.cfl, speed));
    warn_once(has_warned_of_long_steps_, warning_of_long_steps(parts_.resolved, flow.cfl));
  }

  void warn_once(bool& has_warned, const std::string& warning) {
    if (has_warned || warning.empty()) return;
    has_warned = true;
    parts_.log.warn(fmt::format("step {}: {}", watched_.step, warning));
  }

  /// The one of this name among those beside the diagnostics that all flows have; none: there is
  /// none.
  std::optional<double> diagnostic(const std::string& name) const {
    const std::vector<std::string> names = parts_.simulation->diagnostic_names();
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) return std::nullopt;
    return result_.diagnostics.others.at(found - names.begin());
  }

  void warn_of_oblique_stream() {
    if (has_warned_of_stream_) return;
    PerAxis<double> stream{};
    for (int axis = 0; axis < 3; ++axis) {
      const std::optional<double> along = diagnostic("bulk_velocity_" + axis_name(axis));
      if (!along) return;
      stream[axis] = *along;
    }
    warn_once(has_warned_of_stream_,
              warning_of_oblique_stream(parts_.resolved, stream, parts_.simulation->time_step()));
  }

  void warn_of_fast_particles() {
    if (parts_.resolved.particles.empty() || has_warned_of_fast_particles_) return;
    for (const SpeciesCase& species : parts_.resolved.particles) {
      if (diagnostic(species.name + "_fast").value_or(0) == 0) continue;
      warn_once(
          has_warned_of_fast_particles_,
          fmt::format("particles.{}: particles have a Reynolds number above 1000, which drag: "
                      "schiller_naumann is not for; {}_fast in {} counts them",
                      species.name,
                      species.name,
                      timeseries_name));
    }
  }

  /// Takes the diagnostics of the present flow, begun here unless they are there or under way;
  /// throws DivergenceError.
  void watch_flow() {
    if (!under_way_ && (watched_.step != figures_.step || is_flow_changed_)) begin_watch();
    finish_watch();
  }

  /// In the first steps of a flow that starts abruptly the pressure is not known yet, and the flow
  /// may be slow: the slip in bodies says nothing then.
  void warn_of_slip() {
    constexpr std::int64_t first_steps = 10;
    constexpr double small = 1e-3;  // [U], as at the start
    constexpr double much = 0.3;    // of the root mean square of the velocity, or a body's speed
    if (has_warned_of_slip_ || watched_.step < first_steps) return;
    const double slip = diagnostic("body_slip").value_or(0);
    double speed = std::sqrt(2 * result_.diagnostics.kinetic_energy);
    for (const SolidCase& body : parts_.resolved.solids) {
      PerAxis<double> velocity{};
      for (int axis = 0; axis < 3; ++axis) {
        velocity[axis] =
            diagnostic(fmt::format("velocity_{}_{}", body.name, axis_name(axis))).value_or(0);
      }
      speed = std::max(speed, std::hypot(velocity[0], velocity[1], velocity[2]));
    }
    for (const NamedList& bodies : result_.diagnostics.bodies)
      speed = std::max(speed, largest_speed(parts_.resolved, bodies));
    if (!(slip > small) || !(slip > much * speed)) return;
    has_warned_of_slip_ = true;
    const Case& resolved = parts_.resolved;
    parts_.log.warn(fmt::format(
        "step {}: body_slip is {:.2g}: the flow crosses bodies, as fast as it flows elsewhere; a "
        "smaller {}{} brings it down, if the flow has a way around them",
        watched_.step,
        slip,
        resolved.time.cfl ? "time.cfl" : "time.step",
        resolved.has_moving_bodies() ? ", or more time.body_projections," : ""));
  }

  /// The continuity error of scheme splitting is recorded in every step. Diagnostics of the other
  /// scheme are evaluated when they are shown or the flow is written, and often enough to notice
  /// divergence soon.
  bool is_watch_due() const {
    constexpr std::int64_t most_steps_unwatched = 50;
    const Case& resolved = parts_.resolved;
    const std::int64_t step = parts_.simulation->step();
    return resolved.scheme == Scheme::splitting || step % most_steps_unwatched == 0 ||
           parts_.outputs.is_scheduled(figures_.moment()) ||
           resolved.time.is_over(step, parts_.simulation->time());
  }

  /// An error of rank 0, which alone has the files, reaches all ranks.
  template <class Function>
  void on_outputs(const Function& function) {
    for (const auto& output : parts_.outputs) {
      try {
        function(*output);
      } catch (const IoError&) {
        messages_.on_first_rank([] { throw; });
      }
    }
  }

  /// Only flows that are known to be sound are written, and records up to the last of them.
  void write(Moment::Kind kind, Outputs::Set owed = {}) {
    const bool is_diverged = kind == Moment::Kind::diverged;
    const StepFigures& of = is_diverged ? watched_ : figures_;
    Moment moment{.kind = kind,
                  .flow = of.moment(),
                  .is_signalled = kind == Moment::Kind::asked && requests_.output};
    const Outputs::Set due = parts_.outputs.due(moment, requests_.asks, owed);
    if (due.none()) return;
    const double waited = writer_.waited_seconds();
    const Clock::time_point start = Clock::now();
    if (!is_diverged) watch_flow();
    const std::vector<Output*> outputs = parts_.outputs.of(due);
    writer_.write(outputs, moment);
    const double seconds = seconds_since(start) - (writer_.waited_seconds() - waited);
    for (Output* const output : outputs) output->spent(seconds);
    for (std::size_t n = 0; n < due.size(); ++n)
      if (due[n]) requests_.asks.at(n) = Ask::nothing;
    if (moment.others.restart) result_.checkpoint_step = result_.last_step;
  }

  /// Has records written that wait in the memory of the simulation; before the start is written
  /// there are none to keep.
  void write_what_waits() {
    if (!has_watched_start_) return;
    finish_watch();
    const Asks asks = std::exchange(requests_.asks, parts_.outputs.asks_for_waiting());
    write(Moment::Kind::asked);
    requests_.asks = asks;
  }

  void note_what_was_written() {
    for (const WriteRecord& record : writer_.take_records()) {
      for (const std::string& warning : record.warnings) parts_.log.warn(warning);
      if (record.outputs.size() == 1) record.outputs.front()->spent(record.seconds);
      if (!record.has_checkpoint) continue;
      result_.good_checkpoint = record.step;
      checkpoint_seconds_ = std::max(record.seconds, checkpoint_seconds_ / 2);
    }
  }

  /// On rank 0, where there is a folder: no other run may enter it.
  void look_at_record() {
    record_looked_at_ = Clock::now();
    if (!has_folder()) return;
    messages_.on_first_rank([this] {
      missing_record_ = parts_.record.missing();
      if (missing_record_.empty()) parts_.lock->renew();
    });
  }

  /// When the record of the run is gone, the flow is still saved, but the run does not go on.
  [[noreturn]] void end_without_record() {
    std::string message =
        fmt::format("{} is gone or is another one now: the run ended after step {}",
                    missing_record_,
                    result_.last_step);
    const std::string failure = complete_output(Moment::Kind::cut_off);
    message += failure.empty() ? fmt::format(", with a checkpoint; dns resume {} goes on",
                                             parts_.resolved.output.directory)
                               : fmt::format("; moreover {}", failure);
    throw ErrorOfAll<IoError>(IoError(message));
  }

  void write_last() {
    write(result_.stop_reason.empty() ? Moment::Kind::finished : Moment::Kind::stopped);
    writer_.finish();
    note_what_was_written();
  }

  void show_progress() {
    parts_.log.show_progress(progress_since(shown_));
    shown_ = interval_from_now();
  }

  /// Before a step was taken, speed and time left are not known: 0.
  Progress progress_since(Interval interval) const {
    const std::int64_t steps = result_.last_step - interval.first_step;
    const double seconds =
        steps > 0 ? seconds_since(interval.start) / static_cast<double>(steps) : 0;
    const auto per_second = [&](double count) { return steps > 0 ? count / seconds : 0; };
    const double left = steps_left(parts_.resolved.time, result_, parts_.simulation->time_step());
    const double needed = compulsory_bytes_per_step(parts_.resolved);
    const double copied = parts_.copy_bandwidth;
    return {.step = result_.last_step,
            .steps = parts_.resolved.time.steps,
            .time = result_.time,
            .end = parts_.resolved.time.end.value_or(0),
            .done = part_done(),
            .cfl = result_.diagnostics.cfl,
            .divergence = result_.diagnostics.divergence_mean,
            .step_seconds = seconds,
            .points_per_second = per_second(points_of(parts_.resolved)),
            .copy_fraction = copied > 0 ? per_second(needed) / copied : 0,
            .seconds_left = left * seconds};
  }

  /// One more step, or on several ranks two until all know of the end; the last checkpoint behind
  /// one still being written, and the end of the program.
  double seconds_to_end() const {
    constexpr double least_margin = 0.2;  // [s]
    constexpr double most_margin = 10;    // [s]
    const double limit = parts_.resolved.run.wall_time_limit.value_or(0);
    const double margin = std::clamp(0.1 * limit, least_margin, most_margin);
    const double steps = parts_.communicator.size() == 1 ? 1.5 : 2.5;
    return steps * longest_step_ + 2 * checkpoint_seconds_ + margin;
  }

  /// The boundary values of the next step cannot be satisfied; the flow of the last step is sound.
  [[noreturn]] void end_refused(const std::string& what) {
    watch_flow();
    result_.stop_reason = what;
    write_last();
    throw ErrorOfAll<CaseError>(
        CaseError(fmt::format("after step {} (t = {:.6g}), of which there is a checkpoint: {}",
                              result_.last_step,
                              result_.time,
                              what)));
  }

  /// What was good goes to disk; the diverged flow never does.
  [[noreturn]] void end_diverged(const std::string& what) {
    const std::string_view length_of_steps = parts_.resolved.time.cfl ? "time.cfl" : "time.step";
    const StepFigures& diverged = under_way_ ? *under_way_ : figures_;
    result_.diverged_step = diverged.step;
    if (diverged.step > result_.first_step && diverged.step == result_.last_step) {
      --result_.last_step;
      result_.time = diverged.time_before;
    }
    std::string message =
        fmt::format("step {}: the flow diverged: {}\nlast good step {} (t = {:.6g}, CFL {:.3g}); ",
                    diverged.step,
                    what,
                    watched_.step,
                    watched_.time,
                    watched_.diagnostics.cfl);
    const std::string failure = complete_output(Moment::Kind::diverged);
    if (!failure.empty()) message += fmt::format("moreover {}; ", failure);
    note_what_was_written();
    if (result_.good_checkpoint >= 0) {
      message += fmt::format(
          "its last good checkpoint is that of step {}: dns resume {} --set {}=... goes on from "
          "there",
          result_.good_checkpoint,
          parts_.resolved.output.directory,
          length_of_steps);
    } else {
      message += "no checkpoint was written";
    }
    throw ErrorOfAll<DivergenceError>(DivergenceError(
        fmt::format("{}\na smaller {} or a finer grid may help", message, length_of_steps)));
  }

  RunParts parts_;
  StepMessages messages_;
  OutputWriter writer_;
  RunResult& result_;
  bool has_watched_start_ = false;
  bool is_flow_changed_ = false;     // since diagnostics were begun
  std::int64_t recorded_step_ = -1;  // the last one whose figures were recorded
  Requests requests_;                // of rank 0
  std::string stop_file_;            // makes the run stop; looked for on rank 0
  Clock::time_point stop_file_looked_at_;
  std::string external_reason_;   // to stop, of rank 0; empty: none
  std::string who_wants_output_;  // of rank 0; empty: nobody
  std::string missing_record_;    // of rank 0; empty: none
  Clock::time_point started_ = Clock::now();
  StepFigures figures_;                   // of the present step, but for its diagnostics
  std::optional<StepFigures> under_way_;  // of the step whose diagnostics have been begun
  StepFigures watched_;                   // of the step whose diagnostics were taken last
  double longest_step_ = 0;               // [s] of late
  double checkpoint_seconds_;             // estimate, then measured
  bool is_tolerance_missed_ = false;      // in the last step
  bool has_warned_of_slip_ = false;
  bool has_warned_of_round_off_ = false;
  bool has_warned_of_stream_ = false;
  bool has_warned_of_fast_particles_ = false;
  bool has_warned_of_bounce_ = false;
  bool has_warned_of_long_steps_ = false;
  bool has_warned_of_stop_file_ = false;
  Clock::time_point record_looked_at_ = Clock::now();
  Interval shown_;  // since the terminal showed progress
};

RunLoop::RunLoop(RunParts parts, RunResult& result)
    : steps_(std::make_unique<Steps>(std::move(parts), result)) {}
RunLoop::~RunLoop() = default;

bool RunLoop::step() {
  return steps_->step();
}
void RunLoop::change_flow(const std::function<void()>& change) {
  steps_->change_flow(change);
}
void RunLoop::change_simulation(const std::function<Simulation*()>& remake) {
  steps_->change_simulation(remake);
}
void RunLoop::change_case(const std::function<void()>& change) {
  steps_->change_case(change);
}
void RunLoop::write_records() {
  steps_->write_records();
}
void RunLoop::write_for(const std::string& who) {
  steps_->write_for(who);
}
void RunLoop::stop(const std::string& reason) {
  steps_->stop(reason);
}
void RunLoop::finish() {
  steps_->finish();
}
FlowDiagnostics RunLoop::diagnostics() {
  return steps_->diagnostics();
}

}  // namespace dns
