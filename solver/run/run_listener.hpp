/// What a run tells its owner, and asks it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/run/progress.hpp"

namespace dns {

/// Owner of a run, on rank 0: it shows what the run says and may end it. Its functions are called
/// on the thread that steps, those for progress and requests in every step. One that overrides
/// nothing is silent and asks for nothing.
class RunListener {
 public:
  RunListener() = default;
  RunListener(const RunListener&) = delete;
  RunListener& operator=(const RunListener&) = delete;
  virtual ~RunListener() = default;

  /// The case is valid, and the run is about to allocate its memory.
  virtual void starts(const Case& /*resolved*/) {}
  /// Lines to say behind those about the case, the device and the ranks.
  virtual std::vector<std::string> further_lines() { return {}; }

  virtual void say(std::string_view /*line*/) {}
  virtual void warn(std::string_view /*line*/) {}

  /// Whether it wants progress() after this step: it costs the diagnostics of the flow.
  virtual bool wants_progress() { return false; }
  virtual void progress(const Progress& /*progress*/) {}
  /// Progress as a line now and then, rarer in long runs.
  virtual void progress_in_words(std::string_view /*line*/) {}

  /// Why the run is to end after this step, with a checkpoint: "SIGTERM"; empty: it goes on.
  virtual std::string asked_to_stop() { return {}; }
  /// Who wants a snapshot and a checkpoint of this step: "SIGUSR1"; empty: nobody does.
  virtual std::string asked_for_output() { return {}; }
};

}  // namespace dns
