/// What a run says at its end.
#pragma once

#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/run/run_loop.hpp"
#include "solver/simulation/simulation.hpp"

namespace dns {

/// Diagnostics of a run that ended, in whatever way.
struct RunSummary {
  std::string status;  // finished, stopped, diverged, failed, complete
  RunResult result;
  const Simulation* simulation = nullptr;  // none: there was nothing to compute
  double copy_bandwidth = 0;               // [B/s], 0: unknown
  bool shows_phases = false;
};

/// Speed, share of each phase, where the files are, what to type next.
std::vector<std::string> closing_lines(const Case& resolved, const RunSummary& summary);

/// warnings: what the run warned of.
std::string to_json(const Case& resolved,
                    const RunSummary& summary,
                    const std::vector<std::string>& warnings);

}  // namespace dns
