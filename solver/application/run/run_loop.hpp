/// The time loop of a run, on every rank: advance, watch, write, stop.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "solver/application/terminal/terminal.hpp"
#include "solver/config/case.hpp"
#include "solver/files/folder_lock.hpp"
#include "solver/output/outputs.hpp"
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
  double waited_seconds = 0;    // for output
  FlowDiagnostics diagnostics;  // of the last step that was watched
};

/// What the loop works on; everything outlives it. Lock and record are there on rank 0 alone;
/// elsewhere the terminal is silent.
struct RunParts {
  Simulation& simulation;  // of this rank's slab
  Communicator& communicator;
  const Case& resolved;
  const Outputs& outputs;
  Outputs::Set owed;                              // missing in the folder, of the checkpoint's step
  FolderLock* lock;                               // of the folder
  PathWatch record;                               // what must not be taken away while it runs
  std::chrono::steady_clock::time_point started;  // for run.wall_time_limit
  Terminal& terminal;
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
/// the next, or with one rank at once. Diagnostics are read after the next step too, or before
/// anything of the flow is written or shown: no device waits for the host.
///
/// Runs to the end or to a reason to stop, and returns when all output is on disk. `result`: how it
/// went so far, also after an exception. Throws DivergenceError (nothing of the diverged flow is
/// written), IoError (also when the record is taken away; then there is a checkpoint of the last
/// step if it could be written), DeviceError.
void run_loop(RunParts parts, RunResult& result);

}  // namespace dns
