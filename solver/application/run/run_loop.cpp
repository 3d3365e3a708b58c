#include "solver/application/run/run_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "solver/application/run/host_memory.hpp"
#include "solver/application/run/signals.hpp"
#include "solver/core/error.hpp"
#include "solver/instances/case_needs.hpp"

namespace dns {
namespace {

/// Writing speed assumed until a checkpoint has been written, on the slow side [B/s].
constexpr double assumed_writing_speed = 200e6;

bool is_due(std::int64_t step, std::int64_t every) {
  return every > 0 && step % every == 0;
}

/// Steps between pictures in files; 0: none.
std::int64_t slices_every(const OutputCase& output) {
  return output.slices ? output.slices->every : 0;
}

bool is_record_of_planes_due(const OutputCase& output, std::int64_t step, double time) {
  return output.planes && is_record_due(output.planes->every, output.planes->start, step, time);
}

double seconds_between(std::chrono::steady_clock::time_point from,
                       std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

/// Estimated with the present time step.
double steps_left(const TimeCase& time, const RunResult& result, double step) {
  double left = static_cast<double>(time.steps) - static_cast<double>(result.last_step);
  if (time.cfl && time.end && step > 0) left = std::min(left, (*time.end - result.time) / step);
  return std::max(left, 0.0);
}

}  // namespace

RunLoop::RunLoop(RunParts parts) : parts_(std::move(parts)) {
  result_.first_step = parts_.simulation.step();
  result_.last_step = result_.first_step;
  result_.time = parts_.simulation.time();
  shown_ = told_ = interval_from_now();
  const double bytes = points_of(parts_.resolved) * fields_for_restart(parts_.resolved) *
                       static_cast<double>(bytes_of(parts_.resolved.precision));
  checkpoint_seconds_ = 0.1 + bytes / assumed_writing_speed;
}

void RunLoop::run() {
  try {
    watch_start();
    while (!parts_.resolved.time.is_over(result_.last_step, result_.time)) {
      result_.stop_reason = reason_to_stop();
      if (!result_.stop_reason.empty()) break;
      take_step();
      require_record_now_and_then();
    }
    watch_flow_unless_watched();
    require_record();
  } catch (const DivergenceError& error) {
    end_diverged(error.what());
  } catch (const CaseError& error) {
    end_refused(error.what());
  }
  parts_.stop.remove_stop_file();
  write_last();
  parts_.stop.remove_stop_file();  // made meanwhile
}

RunResult RunLoop::result() const {
  RunResult result = result_;
  result.loop_seconds = seconds_between(started_, Clock::now());
  return result;
}

/// Step 0 is recorded like any other; the step that a resumed run starts from was recorded by the
/// run before, except for the output that it still owes.
void RunLoop::watch_start() {
  watch_flow();
  tell_page_of_start();
  const OutputCase& output = parts_.resolved.output;
  if (result_.first_step > 0) {
    if (parts_.owed.windows) record_window_under_way();
    write(parts_.owed);
    if (parts_.resolved.time.is_over(result_.last_step, result_.time))
      snapshot_step_ = slices_step_ = result_.checkpoint_step = result_.first_step;
    return;
  }
  append_to_series({});
  if (is_record_of_planes_due(output, result_.first_step, result_.time)) record_planes();
  write({.snapshot = output.fields.every > 0, .slices = slices_every(output) > 0});
}

std::string RunLoop::reason_to_stop() {
  constexpr double rounding = 1e-9;  // of a time that is a sum of steps
  const double next = parts_.simulation.time() + parts_.simulation.time_step();
  if (next > parts_.inflow_end * (1 + rounding))
    return fmt::format("the end of the recorded inflow at t = {:g}", parts_.inflow_end);
  return parts_.stop.reason_to_stop(seconds_to_end());
}

void RunLoop::take_step() {
  const Clock::time_point start = Clock::now();
  const StepReport report = parts_.simulation.advance();
  if (is_watch_due()) watch_flow();
  const double seconds = seconds_between(start, Clock::now());
  result_.step_seconds += seconds;
  longest_step_ = std::max(seconds, 0.9 * longest_step_);
  result_.last_step = parts_.simulation.step();
  result_.time = parts_.simulation.time();
  if (!report.reached_tolerance && !is_tolerance_missed_) {
    parts_.terminal.warn(
        fmt::format("step {}: time.global_tolerance not reached in {} global iterations (change "
                    "{:.2e}); said again only after a step that reaches it",
                    result_.last_step,
                    report.global_iterations,
                    report.iteration_change));
  }
  is_tolerance_missed_ = !report.reached_tolerance;
  if (report.limited_wave > 0 && !is_buoyancy_limited_) {
    parts_.terminal.warn(fmt::format(
        "step {}: N dt is {:.3g} in the stable stratification: such steps do not follow its waves, "
        "and buoyancy is reduced so that they stay stable; results are those of the equations for "
        "N dt below 1.8 (smaller time.step)",
        result_.last_step,
        report.limited_wave));
    is_buoyancy_limited_ = true;
  }
  if (is_line_of_series_due()) append_to_series(report);
  parts_.writer.serve();
  write_probes_now_and_then();
  if (is_record_of_planes_due(parts_.resolved.output, result_.last_step, result_.time))
    record_planes();
  for (StatisticsSums& window : parts_.simulation.take_ended_windows()) {
    parts_.writer.record_window(std::move(window));
    windows_ended_ = true;
  }
  write_due();
  write_live_pictures();
  tell_page();
  note_what_was_written();
  if (parts_.terminal.is_progress_due(part_done())) {
    watch_flow_unless_watched();
    show_progress();
  }
}

/// The completed part of the run; exactly 1 when it is over.
double RunLoop::part_done() const {
  const TimeCase& time = parts_.resolved.time;
  if (time.is_over(result_.last_step, result_.time)) return 1;
  double done = static_cast<double>(result_.last_step) / static_cast<double>(time.steps);
  if (time.cfl && time.end) done = std::max(done, result_.time / *time.end);
  return std::min(done, std::nextafter(1.0, 0.0));
}

/// Evaluates the diagnostics of the present flow, or throws DivergenceError.
void RunLoop::watch_flow() {
  result_.diagnostics = parts_.simulation.diagnostics();
  watched_step_ = parts_.simulation.step();
  watched_time_ = parts_.simulation.time();
  warn_of_slip();
}

/// In the first steps of a flow that starts abruptly the pressure is not known yet, and the flow
/// may be slow: the slip in bodies says nothing then.
void RunLoop::warn_of_slip() {
  constexpr std::int64_t first_steps = 10;
  constexpr double small = 1e-3;  // [U], as at the start
  constexpr double much = 0.3;    // of the root mean square of the velocity
  if (has_warned_of_slip_ || watched_step_ < first_steps) return;
  const std::vector<std::string> names = parts_.simulation.diagnostic_names();
  const auto found = std::ranges::find(names, "body_slip");
  if (found == names.end()) return;
  const double slip =
      result_.diagnostics.others.at(static_cast<std::size_t>(found - names.begin()));
  if (!(slip > small) || !(slip > much * std::sqrt(2 * result_.diagnostics.kinetic_energy))) return;
  has_warned_of_slip_ = true;
  parts_.terminal.warn(
      fmt::format("step {}: body_slip is {:.2g}: the flow crosses bodies, as fast as it flows "
                  "elsewhere; a smaller {} brings it down, if the flow has a way around them",
                  watched_step_,
                  slip,
                  parts_.resolved.time.cfl ? "time.cfl" : "time.step"));
}

void RunLoop::watch_flow_unless_watched() {
  if (watched_step_ != parts_.simulation.step()) watch_flow();
}

/// The continuity error of scheme splitting is recorded in every step. Diagnostics make a GPU wait,
/// so those of the other scheme are evaluated when they are shown or the flow is written, and often
/// enough to notice divergence soon.
bool RunLoop::is_watch_due() const {
  constexpr std::int64_t most_steps_unwatched = 50;
  const Case& resolved = parts_.resolved;
  const std::int64_t step = parts_.simulation.step();
  return resolved.scheme == Scheme::splitting || step % most_steps_unwatched == 0 ||
         is_due(step, resolved.output.timeseries_every) ||
         is_due(step, resolved.output.fields.every) ||
         is_due(step, slices_every(resolved.output)) ||
         is_record_of_planes_due(resolved.output, step, parts_.simulation.time()) ||
         is_due(step, resolved.output.checkpoint_every) ||
         resolved.time.is_over(step, parts_.simulation.time());
}

/// A finished run has a line of its last step, due or not; one that goes on from there drops it.
bool RunLoop::is_line_of_series_due() const {
  const std::int64_t every = parts_.resolved.output.timeseries_every;
  return is_due(result_.last_step, every) ||
         (every > 0 && parts_.resolved.time.is_over(result_.last_step, result_.time));
}

void RunLoop::append_to_series(const StepReport& report) {
  if (parts_.series == nullptr) return;
  parts_.series->append(parts_.simulation.step(),
                        parts_.simulation.time(),
                        parts_.simulation.time_step(),
                        result_.diagnostics,
                        report,
                        seconds_between(started_, Clock::now()));
}

void RunLoop::record_planes() {
  parts_.writer.record({.step = parts_.simulation.step(),
                        .time = parts_.simulation.time(),
                        .planes = parts_.simulation.planes()});
}

/// Records of probes are taken off the device seldom, as the host waits for it, and only when the
/// present flow is sound: so are those before it.
void RunLoop::write_probes_now_and_then() {
  constexpr std::chrono::seconds interval{2};
  if (!parts_.resolved.output.probes || watched_step_ != result_.last_step) return;
  const Clock::time_point now = Clock::now();
  if (now - probes_taken_at_ < interval) return;
  probes_taken_at_ = now;
  if (parts_.writer.record_probes(parts_.simulation.take_probes())) write({.probes = true});
}

/// The end of the run cuts the last window short.
void RunLoop::record_window_under_way() {
  parts_.writer.record_window(parts_.simulation.window());
}

void RunLoop::write_due() {
  const OutputCase& output = parts_.resolved.output;
  WriteRequest request{.snapshot = is_due(result_.last_step, output.fields.every),
                       .checkpoint = is_due(result_.last_step, output.checkpoint_every),
                       .slices = is_due(result_.last_step, slices_every(output)),
                       .windows = std::exchange(windows_ended_, false)};
  if (request.windows) watch_flow_unless_watched();
  if (take_output_request()) {
    watch_flow_unless_watched();
    request.snapshot = request.checkpoint = true;
    parts_.terminal.say(
        fmt::format("step {}: SIGUSR1: writing a snapshot and a checkpoint", result_.last_step));
  }
  write(request);
}

/// A request made anyway includes pictures for the page when they are due, so that continuous
/// output does not keep them from the page.
void RunLoop::write(WriteRequest request) {
  if (request.is_empty()) return;
  LivePage* const page = parts_.page;
  if (page != nullptr && page->wants_pictures()) request.live = true;
  if (parts_.resolved.output.probes && request.sets_down_planes())
    static_cast<void>(parts_.writer.record_probes(parts_.simulation.take_probes()));
  const double waited = parts_.writer.waited_seconds();
  const Clock::time_point start = Clock::now();
  parts_.writer.write(request);
  if (page != nullptr && request.live)
    page->spend(seconds_between(start, Clock::now()) - (parts_.writer.waited_seconds() - waited));
  if (request.snapshot) snapshot_step_ = result_.last_step;
  if (request.slices) slices_step_ = result_.last_step;
  if (request.checkpoint) result_.checkpoint_step = result_.last_step;
}

/// Pictures for the page, when somebody looks at it and output has nothing else to do.
void RunLoop::write_live_pictures() {
  if (parts_.page == nullptr || !parts_.page->wants_pictures() || !parts_.writer.is_idle()) return;
  const Clock::time_point start = Clock::now();
  watch_flow_unless_watched();
  parts_.page->spend(seconds_between(start, Clock::now()));
  write({.live = true});
}

void RunLoop::note_what_was_written() {
  for (const WriteRecord& record : parts_.writer.take_records()) {
    for (const std::string& warning : record.warnings) parts_.terminal.warn(warning);
    if (record.request.is_live_alone()) parts_.page->spend(record.seconds);
    if (!record.request.checkpoint) continue;
    good_checkpoint_ = record.step;
    checkpoint_seconds_ = std::max(record.seconds, checkpoint_seconds_ / 2);
  }
}

/// No other run may enter the folder. When the record of the run is gone, the flow is still saved,
/// but the run does not go on.
void RunLoop::require_record() {
  const std::string missing = parts_.record.missing();
  if (missing.empty()) return parts_.lock.renew();
  std::string message = fmt::format(
      "{} is gone or is another one now: the run ended after step {}", missing, result_.last_step);
  try {
    watch_flow_unless_watched();
    write({.checkpoint = result_.checkpoint_step != result_.last_step});
    parts_.writer.finish();
    message +=
        fmt::format(", with a checkpoint; dns resume {} goes on", parts_.resolved.output.directory);
  } catch (const IoError& error) {
    message += fmt::format("; moreover {}", error.what());
  }
  throw IoError(message);
}

void RunLoop::require_record_now_and_then() {
  constexpr std::chrono::seconds interval{1};
  const Clock::time_point now = Clock::now();
  if (now - record_looked_at_ < interval) return;
  record_looked_at_ = now;
  require_record();
}

void RunLoop::write_last() {
  const OutputCase& output = parts_.resolved.output;
  const bool is_stopped = !result_.stop_reason.empty();
  const bool wants_checkpoint = is_stopped || output.checkpoint_final;
  const bool wants_snapshot = !is_stopped && output.fields.every > 0;
  const bool has_window = output.statistics && output.statistics->window && !is_stopped &&
                          result_.last_step > result_.first_step &&
                          parts_.simulation.window().duration > 0;
  if (has_window) record_window_under_way();
  write({.snapshot = wants_snapshot && snapshot_step_ != result_.last_step,
         .checkpoint = wants_checkpoint && result_.checkpoint_step != result_.last_step,
         .statistics = output.statistics.has_value(),
         .slices = !is_stopped && slices_every(output) > 0 && slices_step_ != result_.last_step,
         .live = parts_.page != nullptr && parts_.page->is_watched(),
         .planes = output.planes || output.probes,
         .windows = has_window});
  if (parts_.page != nullptr)
    parts_.page->put(progress_since({.start = started_, .first_step = result_.first_step}));
  parts_.writer.finish();
  note_what_was_written();
}

void RunLoop::show_progress() {
  parts_.terminal.show_progress(progress_since(shown_));
  shown_ = interval_from_now();
}

/// Speed and time left are not known yet.
void RunLoop::tell_page_of_start() {
  if (parts_.page == nullptr) return;
  Progress progress = progress_since(told_);
  progress.step_seconds = progress.points_per_second = progress.seconds_left = 0;
  parts_.page->put(progress);
}

/// With the diagnostics of the step that was watched last.
void RunLoop::tell_page() {
  if (parts_.page == nullptr || !parts_.page->wants_progress()) return;
  parts_.page->put(progress_since(told_));
  told_ = interval_from_now();
}

Progress RunLoop::progress_since(Interval interval) const {
  const std::int64_t steps = result_.last_step - interval.first_step;
  const double seconds = seconds_between(interval.start, Clock::now()) /
                         static_cast<double>(std::max<std::int64_t>(steps, 1));
  const double left = steps_left(parts_.resolved.time, result_, parts_.simulation.time_step());
  const double needed = needs_of(parts_.resolved).compulsory_bytes_per_step;
  return {.step = result_.last_step,
          .steps = parts_.resolved.time.steps,
          .time = result_.time,
          .end = parts_.resolved.time.end.value_or(0),
          .done = part_done(),
          .cfl = result_.diagnostics.cfl,
          .divergence = result_.diagnostics.divergence_mean,
          .step_seconds = seconds,
          .points_per_second = points_of(parts_.resolved) / seconds,
          .copy_fraction = parts_.copy_bandwidth > 0 ? needed / seconds / parts_.copy_bandwidth : 0,
          .seconds_left = left * seconds};
}

/// One more step, the last checkpoint behind one still being written, and the end of the program.
double RunLoop::seconds_to_end() const {
  constexpr double least_margin = 0.2;  // [s]
  constexpr double most_margin = 10;    // [s]
  const double limit = parts_.resolved.run.wall_time_limit.value_or(0);
  const double margin = std::clamp(0.1 * limit, least_margin, most_margin);
  return 1.5 * longest_step_ + 2 * checkpoint_seconds_ + margin;
}

/// The boundary values of the next step cannot be satisfied; the flow of the last step is sound.
void RunLoop::end_refused(const std::string& what) {
  watch_flow_unless_watched();
  result_.stop_reason = what;
  write_last();
  throw CaseError(fmt::format("after step {} (t = {:.6g}), of which there is a checkpoint: {}",
                              result_.last_step,
                              result_.time,
                              what));
}

/// The records of probes up to the last flow that was known to be sound.
void RunLoop::write_sound_probes() {
  if (!parts_.resolved.output.probes) return;
  ProbeRecords records = parts_.simulation.take_probes();
  records.drop_after(watched_step_);
  static_cast<void>(parts_.writer.record_probes(records));
  parts_.writer.write({.probes = true});
}

/// What was good goes to disk; the diverged flow never does.
void RunLoop::end_diverged(const std::string& what) {
  const std::string_view length_of_steps = parts_.resolved.time.cfl ? "time.cfl" : "time.step";
  std::string message =
      fmt::format("step {}: the flow diverged: {}\nlast good step {} (t = {:.6g}, CFL {:.3g}); ",
                  parts_.simulation.step(),
                  what,
                  watched_step_,
                  watched_time_,
                  result_.diagnostics.cfl);
  try {
    write_sound_probes();
    parts_.writer.finish();
  } catch (const IoError& error) {
    message += fmt::format("moreover {}; ", error.what());
  }
  note_what_was_written();
  if (good_checkpoint_ >= 0) {
    message += fmt::format(
        "its last good checkpoint is that of step {}: dns resume {} --set {}=... goes on from "
        "there",
        good_checkpoint_,
        parts_.resolved.output.directory,
        length_of_steps);
  } else {
    message += "no checkpoint was written";
  }
  throw DivergenceError(
      fmt::format("{}\na smaller {} or a finer grid may help", message, length_of_steps));
}

}  // namespace dns
