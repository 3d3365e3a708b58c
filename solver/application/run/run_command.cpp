#include "solver/application/run/run_command.hpp"

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/application/run/live_page.hpp"
#include "solver/application/run/signals.hpp"
#include "solver/application/terminal/terminal.hpp"
#include "solver/core/error.hpp"
#include "solver/run/run.hpp"

namespace dns {
namespace {

/// A terminal whose user stops the run by signals, and may watch it on a page.
class RunOnTerminal final : public Terminal {
 public:
  explicit RunOnTerminal(const Command& command)
      : Terminal(command.is_quiet ? Volume::quiet : Volume::normal), port_(command.live_port) {}

  void starts(const Case& resolved) override {
    if (port_) page_ = std::make_unique<LivePage>(resolved.output.directory, *port_);
  }
  std::vector<std::string> further_lines() override {
    return page_ ? std::vector{page_->address()} : std::vector<std::string>{};
  }
  std::string asked_to_stop() override { return stop_signal(); }
  std::string asked_for_output() override { return take_output_request() ? "SIGUSR1" : ""; }

 private:
  std::optional<int> port_;
  std::unique_ptr<const LivePage> page_;  // none: not asked for
};

RunOptions options_of(const Command& command, std::chrono::steady_clock::time_point started) {
  using From = RunOptions::From;
  return {.from = command.verb == Verb::resume ? From::folder : From::case_file,
          .target = command.target,
          .text = {},
          .overrides = command.overrides,
          .resumes = command.resumes,
          .branches = command.branches,
          .overwrites = command.forces,
          .has_page = command.live_port.has_value(),
          .shows_phases = command.is_verbose,
          .started = started};
}

void print_json(const Run& run) {
  const std::string text = to_json(run.resolved(), run.summary(), run.warnings());
  std::fputs((text + "\n").c_str(), stdout);
}

}  // namespace

ExitCode run(const Command& command, std::chrono::steady_clock::time_point started, Team& team) {
  RunOnTerminal terminal(command);
  Run run(options_of(command, started), team, terminal);
  const bool prints_json = command.wants_json && team.is_first();
  try {
    if (!run.is_complete()) {
      run.begin();
      while (run.step()) {
      }
      run.finish();
    }
  } catch (const DivergenceError&) {
    if (prints_json) print_json(run);
    throw;
  }
  if (prints_json) print_json(run);
  return run.summary().status == "stopped" ? ExitCode::stopped_early : ExitCode::finished;
}

}  // namespace dns
