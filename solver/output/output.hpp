/// What a run leaves behind, one object for each kind of file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/communicator.hpp"
#include "solver/core/other_ranks.hpp"
#include "solver/files/run_files.hpp"
#include "solver/output/whole_flow.hpp"
#include "solver/simulation/simulation.hpp"

namespace dns {

/// When output may be due.
struct Moment {
  enum class Kind {
    begun,     // before the first step
    resumed,   // the same of a run that goes on: what it owes is due
    stepped,   // after a step
    asked,     // after a step, for what rank 0 asks for
    finished,  // after the last step
    stopped,   // after the last step of a run that is to go on later
    cut_off,   // the folder of the run is gone
    diverged   // the flow has no values any more
  };

  Kind kind = Kind::stepped;
  FlowMoment flow;            // diverged: of the last that was sound
  bool is_signalled = false;  // SIGUSR1
  bool has_others = false;    // something is written of this flow anyway
  CopyNeeds others{};         // for which this is copied

  [[nodiscard]] bool is_end() const { return kind == Kind::finished || kind == Kind::stopped; }
};

/// A step that was taken, or step 0, and its flow, which is sound.
struct StepFigures {
  std::int64_t step = -1;
  double time = 0;
  double time_step = 0;
  double time_before = 0;
  StepReport report;
  double wall_seconds = 0;  // since the start
  FlowDiagnostics diagnostics;

  [[nodiscard]] FlowMoment moment() const { return {step, time, time_before}; }
};

/// What is known when the files of a run are opened.
struct RunOpening {
  const Simulation& simulation;
  bool drops_line_of_last_step = false;  // of the time series, which was due at the end alone
};

/// A flow while it is written.
struct CopiedFlow {
  std::size_t slot = 0;
  WholeFlow viewing, restart;  // as far as they were copied
  std::string device;          // where it was computed
};

/// Files that were removed, and warnings of lists that were written anew.
struct RemovedFiles {
  std::size_t count = 0;
  Warnings warnings;
};

/// Removes the numbered_files of later steps.
RemovedFiles remove_after(std::int64_t last_step,
                          const std::string& directory,
                          std::string_view prefix,
                          Warnings warnings = {});

/// The step after which a checkpoint was written.
[[nodiscard]] FlowMoment moment_of(const FlowState& checkpoint, const Case& resolved);

/// What outputs are made of; outlives them.
struct OutputContext {
  Case resolved;
  std::string case_yaml;
  Communicator& communicator;
  bool is_live = false;  // has a page, which may want pictures

  [[nodiscard]] const OutputCase& output() const { return resolved.output; }
};

/// One kind of output. The loop of a run asks each in every step; those that are due are collected
/// on the thread that computes, on all ranks alike, and written on rank 0 by another thread. What
/// an output collects stays untouched in its slot until it is written.
///
/// What it records of a step and what opens, writes or removes files throws IoError.
class Output {
 public:
  /// every: for an output of that kind; else none. prefix: of the names of numbered files.
  Output(const OutputContext& context,
         CopyNeeds needs,
         const Interval& every = {},
         std::string_view prefix = {})
      : context_(context), needs_(needs), every_(every), prefix_(prefix) {}
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  virtual ~Output() = default;

  // The folder, before a run begins; on rank 0.

  /// What a file of this name is to this output, whether or not the case asks for it. Lists stand
  /// for other files and go before them.
  enum class FileKind { foreign, list, data };
  [[nodiscard]] virtual FileKind kind_of(std::string_view name) const {
    return !prefix_.empty() && step_of_name(prefix_, name) ? FileKind::data : FileKind::foreign;
  }
  /// Removes what is of later steps than a checkpoint from which the run goes on.
  virtual RemovedFiles cut_back(const FlowState& checkpoint) {
    return prefix_.empty() ? RemovedFiles{} : remove_after(checkpoint.step, directory(), prefix_);
  }
  /// Whether something that was due with a checkpoint is not in the folder.
  [[nodiscard]] virtual bool is_owed(const FlowState& /*checkpoint*/) const { return false; }
  /// Opens what lines are added to. Returns the paths without which the run has no record.
  virtual std::vector<std::string> open(const RunOpening& /*opening*/) { return {}; }

  // The thread that computes, on all ranks.

  /// Whether something is done with the flow of this step because of its number or time, so that it
  /// must be known to be sound.
  [[nodiscard]] virtual bool is_scheduled(const FlowMoment& flow) const {
    return every_.is_due(flow);
  }
  /// Takes what it keeps of a step, or of step 0. The flow may turn out to have diverged.
  virtual void record(Simulation& /*simulation*/) {}
  /// Takes the figures of each step for which something is scheduled, and maybe of others; they are
  /// known one step later, or before anything is due that is written of this step.
  virtual void record_figures(const StepFigures& /*figures*/) {}
  /// Whether records for it wait in the memory of the simulation; Ask::now makes it take them.
  [[nodiscard]] virtual bool waits_in_simulation() const { return false; }
  /// On rank 0 alone.
  [[nodiscard]] virtual Ask asks(bool /*is_writer_idle*/) const { return Ask::nothing; }
  [[nodiscard]] virtual bool is_due(const Moment& moment, Ask ask) const = 0;
  [[nodiscard]] const CopyNeeds& needs() const { return needs_; }
  /// Puts aside what is to be written, beside the copy of the flow, which is made by others.
  virtual void collect(Simulation& /*simulation*/, const Moment& moment, std::size_t /*slot*/) {
    note_done(moment.flow.step);
  }
  /// Learns what this thread spent on a copy for it, or what it took to write it alone [s].
  virtual void spent(double /*seconds*/) {}

  // The thread that writes, on rank 0.

  /// Puts on the disk what a checkpoint of this flow claims to be there.
  virtual void secure(const CopiedFlow& /*flow*/) {}
  virtual Warnings write(const CopiedFlow& /*flow*/) { return {}; }

  /// What is due once for this step need not be done any more.
  void note_done(std::int64_t step) { done_step_ = step; }

 protected:
  [[nodiscard]] bool is_done(std::int64_t step) const { return done_step_ == step; }
  /// When an interval is over, and after the last step of a run that finishes.
  [[nodiscard]] bool is_on_schedule(const Moment& moment) const;
  [[nodiscard]] bool was_on_schedule(const FlowState& checkpoint) const;
  [[nodiscard]] bool is_last(const FlowState& checkpoint) const {
    return context_.resolved.time.is_over(checkpoint.step, checkpoint.time);
  }
  [[nodiscard]] const Interval& every() const { return every_; }
  [[nodiscard]] const std::string& directory() const { return context_.output().directory; }
  [[nodiscard]] std::string path(std::string_view name) const { return path_in(directory(), name); }
  [[nodiscard]] bool has_file(std::string_view name) const;

  const OutputContext& context_;

 private:
  CopyNeeds needs_;
  Interval every_;
  std::string_view prefix_;  // empty: no numbered files
  std::int64_t done_step_ = -1;
};

}  // namespace dns
