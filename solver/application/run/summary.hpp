/// What a run says at its start and at its end.
#pragma once

#include <string>
#include <vector>

#include "solver/application/run/run_loop.hpp"
#include "solver/application/terminal/words.hpp"
#include "solver/config/case.hpp"
#include "solver/simulation/simulation.hpp"

namespace dns {

/// Where it runs: device, precision, memory of all ranks [bytes]; the bandwidth of a copy [B/s]
/// unless it is 0, unknown; the methods chosen.
std::vector<NamedWords> about_device(const Case& resolved,
                                     const Simulation& simulation,
                                     std::size_t memory,
                                     double copy_bandwidth);

/// Diagnostics of a run that ended, in whatever way.
struct RunSummary {
  std::string status;  // finished, stopped, diverged, failed, complete
  RunResult result;
  const Simulation* simulation = nullptr;  // none: there was nothing to compute
  double copy_bandwidth = 0;               // [B/s], 0: unknown
};

/// Speed, share of each phase, where the files are, what to type next.
std::vector<std::string> closing_lines(const Case& resolved, const RunSummary& summary);

std::string to_json(const Case& resolved, const RunSummary& summary);

}  // namespace dns
