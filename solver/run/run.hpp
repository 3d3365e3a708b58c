/// A run: a simulation with its outputs, its folder and its clock.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "solver/run/ranks/team_of_ranks.hpp"
#include "solver/run/run_listener.hpp"
#include "solver/run/run_options.hpp"
#include "solver/run/summary.hpp"

namespace dns {

/// A run goes from begin() by steps to finish():
///
///   Run run(options, team, listener);
///   run.begin();
///   while (run.step()) {
///   }
///   run.finish();
///
/// All functions that are not const are called by all ranks of the team alike. They throw the
/// errors of error.hpp; what went wrong is in log.txt then, and of the functions only const ones
/// may follow, or set_flow() where the flow has diverged.
class Run {
 public:
  /// Whether a flow that is set has step and time of the present one, or those of a beginning.
  enum class TimeOfFlow { kept, begun_anew };

  /// Reads case and checkpoint and keeps other runs out of the folder. Nothing is allocated before
  /// the case is valid. Team and listener outlive the run.
  Run(const RunOptions& options, Team& team, RunListener& listener);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  /// Whether all steps are done and no output is missing, which the listener has been told: there
  /// is nothing to begin.
  [[nodiscard]] bool is_complete() const;

  /// Makes the simulation and its first flow, then the folder.
  void begin();
  /// Takes one step and writes what is due with it; false: the run is over, and no step was taken.
  /// The first call first writes what is due at the start.
  bool step();
  /// Begins anew from the flow in a file; see Simulation::begin_anew. Before the first step it is
  /// the flow that the run starts from. A flow that has diverged, and one at step 0 and time 0,
  /// also begins its averages anew. Throws CaseError where files of the run would go back in time.
  void set_flow(const std::string& file, TimeOfFlow time);
  /// Begins anew from what was written to Simulation::device_fields.
  void take_written_flow();
  /// Gives keys other values from here on: what drives the flow (forcing.value, acceleration, heat,
  /// linear), time.cfl, step, steps and end, and what is given at boundaries. Checkpoints have
  /// them. Boundaries are changed as by a restart, bit for bit, in the time that this takes. Throws
  /// CaseError for others; the run goes on as it was then.
  void change(const std::vector<Override>& changes);
  /// From here on steps end at the multiples of these intervals, too; none: no more [L/U].
  void meet(const std::vector<double>& intervals);
  /// Gives the source of a variable at the points of this rank, see Simulation::set_source.
  void set_source(const std::string& variable, const std::vector<double>& values);

  /// Returns when the records of probes up to this step are in the folder.
  void write_records();
  /// Writes a snapshot and a checkpoint of the present flow, which `who` asks for, and returns
  /// while they are being written.
  void write_for(const std::string& who);
  /// Ends the run after this step, with a checkpoint, unless it is over: step() returns false then.
  void stop(const std::string& reason);
  /// Writes what is due at the end and leaves the folder. Requires that the run is over or stopped.
  void finish();

  /// Diagnostics of the present flow.
  FlowDiagnostics diagnostics();
  /// Whether there is one: after begin(), unless another one could not be made in its place.
  [[nodiscard]] bool has_simulation() const;
  /// Requires it.
  [[nodiscard]] Simulation& simulation();
  [[nodiscard]] const Simulation& simulation() const;

  /// The case with all defaults, the device and the number of threads.
  [[nodiscard]] const Case& resolved() const;
  /// How it went so far; its status is set by finish() or by divergence.
  [[nodiscard]] const RunSummary& summary() const;
  /// The first hundred warnings.
  [[nodiscard]] const std::vector<std::string>& warnings() const;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace dns
