/// The time loop of a run, on every rank: advance, watch, write, stop.
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
#include "solver/output/outputs.hpp"
#include "solver/ranks/step_messages.hpp"
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

/// What the loop works on; everything outlives it. Lock, record and page are there on rank 0 alone;
/// elsewhere the terminal is silent.
struct RunParts {
  Simulation& simulation;  // of this rank's slab
  Communicator& communicator;
  StepMessages& messages;
  const Case& resolved;
  const Outputs& outputs;
  OutputWriter& writer;
  Outputs::Set owed;  // missing in the folder, of the checkpoint's step
  FolderLock* lock;   // of the folder
  PathWatch record;   // what must not be taken away while it runs
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

/// Advances a simulation from where it is to the last step of its case, and asks each output what
/// is due. What is due is so for all ranks alike; what depends on the clock, on signals and on the
/// live page they learn from rank 0 (Requests), which asks for it after one step and gets it after
/// the next, or with one rank at once.
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
  [[nodiscard]] bool is_first() const { return parts_.communicator.rank() == 0; }
  [[nodiscard]] Requests requests_of_this_rank();
  void answer();
  [[nodiscard]] std::string reason_to_stop() const;
  void take_step();
  void warn_of_step(const StepReport& report);
  void watch_flow();
  void watch_flow_unless_watched();
  void warn_of_slip();
  [[nodiscard]] bool is_watch_due() const;
  void record(const StepReport& report);
  void write(Moment::Kind kind, Outputs::Set owed = {});
  void write_last();
  void note_what_was_written();
  void look_at_record();
  [[noreturn]] void end_without_record();
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
  Requests requests_;            // of rank 0
  std::string external_reason_;  // to stop, of rank 0; empty: none
  std::string missing_record_;   // of rank 0; empty: none
  Clock::time_point started_ = Clock::now();
  std::int64_t watched_step_ = -1;  // whose diagnostics were taken last
  double watched_time_ = 0;
  double longest_step_ = 0;            // [s] of late
  double checkpoint_seconds_;          // estimate, then measured
  std::int64_t good_checkpoint_ = -1;  // step of the newest on disk
  bool is_tolerance_missed_ = false;   // in the last step
  bool is_buoyancy_limited_ = false;   // and the warning given
  bool has_warned_of_slip_ = false;
  Clock::time_point record_looked_at_ = Clock::now();
  Interval shown_;  // since the terminal showed progress
  Interval told_;   // since the page was told
};

}  // namespace dns
