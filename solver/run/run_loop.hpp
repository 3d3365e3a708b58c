/// The time loop of a run, on every rank, a step at a time: advance, watch, write, stop.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "solver/config/case.hpp"
#include "solver/files/folder_lock.hpp"
#include "solver/output/outputs.hpp"
#include "solver/run/run_listener.hpp"
#include "solver/run/run_log.hpp"
#include "solver/simulation/simulation.hpp"

namespace dns {

/// How a run went.
struct RunResult {
  std::string stop_reason;      // why it ended before its last step; empty: finished
  std::int64_t first_step = 0;  // where this start went on from
  std::int64_t last_step = 0;
  std::int64_t sound_step = 0;        // newest whose diagnostics were good
  std::int64_t diverged_step = -1;    // whose diagnostics were not; -1: none
  std::int64_t checkpoint_step = -1;  // of the newest checkpoint asked for here; -1: none
  std::int64_t good_checkpoint = -1;  // step of the newest checkpoint on disk; -1: none
  double time = 0;                    // [L/U]
  double loop_seconds = 0;
  double step_seconds = 0;      // spent in steps, diagnostics included
  double waited_seconds = 0;    // for output
  FlowDiagnostics diagnostics;  // of the last step that was watched
};

/// What the loop works on; everything outlives it. Lock and record are there on rank 0 alone, and
/// where the run writes files; on other ranks the log is silent.
struct RunParts {
  Simulation* simulation;  // of this rank's slab
  Communicator& communicator;
  const Case& resolved;
  const Outputs& outputs;
  Outputs::Set owed;                              // missing in the folder, of the checkpoint's step
  FolderLock* lock;                               // of the folder
  PathWatch record;                               // what must not be taken away while it runs
  std::chrono::steady_clock::time_point started;  // for run.wall_time_limit
  RunLog& log;
  RunListener& listener;
  double copy_bandwidth = 0;  // [B/s], 0: unknown
  double inflow_end = 0;      // of recorded inflow, see FaceValues::end [L/U]
};

/// Points of the whole grid.
[[nodiscard]] inline double points_of(const Case& resolved) {
  return static_cast<double>(resolved.grid.points.count());
}

/// Advances a simulation from where it is to the last step of its case, and asks each output what
/// is due. What is due is so for all ranks alike; what depends on the clock, on the listener and on
/// the live page they learn from rank 0 (Requests), which asks for it after one step and gets it
/// after the next, or with one rank at once. Diagnostics are read after the next step too, or
/// before anything of the flow is written or shown: no device waits for the host.
///
/// Its functions throw DivergenceError (nothing of the diverged flow is written), IoError (also
/// when the record is taken away; then there is a checkpoint of the last step if it could be
/// written), DeviceError. After an error the loop has ended, and what could be written is on disk.
class RunLoop {
 public:
  /// `result`: how it went so far, also after an exception; it outlives the loop.
  RunLoop(RunParts parts, RunResult& result);
  ~RunLoop();
  RunLoop(const RunLoop&) = delete;
  RunLoop& operator=(const RunLoop&) = delete;

  /// Takes one step and writes what is due with it; false: the run is over, and no step was taken.
  /// The first call first writes step 0, or what a resumed run owes.
  bool step();
  /// Calls change(), which gives the present step another flow; its diagnostics are found anew.
  void change_flow(const std::function<void()>& change);
  /// Calls remake(), which makes another simulation for the run and returns it; the present one may
  /// be destroyed then. The flow may have diverged, and step and time may become other ones.
  /// Nothing is being written meanwhile.
  void change_simulation(const std::function<Simulation*()>& remake);
  /// Calls change(), which changes the case, while nothing is being written.
  void change_case(const std::function<void()>& change);
  /// Returns when the records of probes up to this step are in the folder.
  void write_records();
  /// Writes a snapshot and a checkpoint of the present flow for `who`, who asks for it by all
  /// ranks; returns while they are being written.
  void write_for(const std::string& who);
  /// The run ends after this step, with a checkpoint. Called by all ranks alike; the first reason
  /// counts.
  void stop(const std::string& reason);
  /// Writes what is due at the end. Returns when all output is on disk.
  void finish();
  /// Diagnostics of the present flow. Called by all ranks.
  FlowDiagnostics diagnostics();

 private:
  class Steps;
  std::unique_ptr<Steps> steps_;
};

}  // namespace dns
