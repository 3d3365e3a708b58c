/// The time loop of a run: advance, watch, write, stop.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "solver/application/live/live_page.hpp"
#include "solver/application/run/stop_conditions.hpp"
#include "solver/application/terminal/terminal.hpp"
#include "solver/config/case.hpp"
#include "solver/files/folder_lock.hpp"
#include "solver/files/path_watch.hpp"
#include "solver/output/output_writer.hpp"
#include "solver/output/timeseries.hpp"
#include "solver/simulation/simulation.hpp"

namespace dns {

/// How a run went.
struct RunResult {
  std::string stop_reason;      // why it ended before its last step; empty: finished
  std::int64_t first_step = 0;  // where this start went on from
  std::int64_t last_step = 0;
  std::int64_t checkpoint_step = -1;  // of the newest checkpoint asked for here; -1: none
  double time = 0;                    // [L/U]
  double loop_seconds = 0;
  double step_seconds = 0;      // spent in steps, diagnostics included
  FlowDiagnostics diagnostics;  // of the last step that was watched
};

/// What the loop works on; everything outlives it.
struct RunParts {
  Simulation& simulation;
  const Case& resolved;
  OutputWriter& writer;
  TimeSeries* series;  // none: not asked for
  WriteRequest owed;   // of the step it goes on from
  FolderLock& lock;
  PathWatch record;  // what must not be taken away while it runs
  StopConditions& stop;
  Terminal& terminal;
  LivePage* page = nullptr;   // none: not asked for
  double copy_bandwidth = 0;  // [B/s], 0: unknown
  double inflow_end = 0;      // of recorded inflow, see FaceValues::end [L/U]
};

/// Points of the whole grid.
[[nodiscard]] inline double points_of(const Case& resolved) {
  return static_cast<double>(resolved.grid.points.count());
}

/// Advances a simulation from where it is to the last step of its case.
class RunLoop {
 public:
  explicit RunLoop(RunParts parts);

  /// Runs to the end or to a reason to stop, and returns when all output is on disk. Throws
  /// DivergenceError (nothing of the diverged flow is written), IoError (also when the record is
  /// taken away; then there is a checkpoint of the last step if it could be written), DeviceError.
  void run();

  /// So far; also after an exception.
  [[nodiscard]] RunResult result() const;

 private:
  using Clock = std::chrono::steady_clock;

  void watch_start();
  [[nodiscard]] std::string reason_to_stop();
  void take_step();
  void watch_flow();
  void watch_flow_unless_watched();
  void warn_of_slip();
  [[nodiscard]] bool is_watch_due() const;
  [[nodiscard]] bool is_line_of_series_due() const;
  void append_to_series(const StepReport& report);
  void record_planes();
  void write_probes_now_and_then();
  void write_sound_probes();
  void record_window_under_way();
  void write_due();
  void write(WriteRequest request);
  void write_live_pictures();
  void write_last();
  void note_what_was_written();
  void require_record();
  void require_record_now_and_then();
  struct Interval {
    Clock::time_point start = Clock::now();
    std::int64_t first_step = 0;
  };

  void show_progress();
  void tell_page_of_start();
  void tell_page();
  [[nodiscard]] Progress progress_since(Interval interval) const;
  [[nodiscard]] Interval interval_from_now() const {
    return {.start = Clock::now(), .first_step = result_.last_step};
  }
  [[nodiscard]] double part_done() const;
  [[nodiscard]] double seconds_to_end() const;
  [[noreturn]] void end_diverged(const std::string& what);
  [[noreturn]] void end_refused(const std::string& what);

  RunParts parts_;
  RunResult result_;
  Clock::time_point started_ = Clock::now();
  std::int64_t watched_step_ = -1;  // whose diagnostics were taken last
  double watched_time_ = 0;
  std::int64_t snapshot_step_ = -1;    // of the newest snapshot
  std::int64_t slices_step_ = -1;      // of the newest pictures in files
  double longest_step_ = 0;            // [s] of late
  double checkpoint_seconds_;          // estimate, then measured
  std::int64_t good_checkpoint_ = -1;  // step of the newest on disk
  bool is_tolerance_missed_ = false;   // in the last step
  bool is_buoyancy_limited_ = false;   // and the warning given
  bool has_warned_of_slip_ = false;
  bool windows_ended_ = false;  // of averages, in the last step
  Clock::time_point record_looked_at_ = Clock::now();
  Interval shown_;  // since the terminal showed progress
  Interval told_;   // since the page was told
  Clock::time_point probes_taken_at_ = Clock::now();
};

}  // namespace dns
