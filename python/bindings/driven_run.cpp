#include "python/bindings/driven_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <utility>

#include "solver/config/load_case.hpp"
#include "solver/core/agreement.hpp"
#include "solver/core/error.hpp"
#include "solver/core/seconds.hpp"
#include "solver/run/printable.hpp"

namespace dns {

bool Mailbox::wants_progress() {
  if (!(interval_ > 0) || seconds_since(last_progress_) < interval_) return false;
  last_progress_ = Clock::now();
  return true;
}

DrivenRun::Use::Use(DrivenRun& run) : run_(run) {
  if (getpid() != run.process_) {
    throw std::logic_error(
        "this process is a fork of the one that made the simulation, whose threads and device it "
        "lacks: use the start method spawn of multiprocessing");
  }
  if (run.is_used_.exchange(true)) {
    throw std::logic_error(
        "another thread, or a function that this step has called, is using the simulation: one at "
        "a time may");
  }
}

/// Calls function() on all ranks. After an error that this rank meets alone the others would wait
/// for ever: it ends all of them.
template <class Function>
auto DrivenRun::together(const Function& function) {
  if (team_.ranks() == 1) return function();
  try {
    return function();
  } catch (const std::exception& error) {
    if (!is_met_by_all(error)) {
      print_line(fmt::format("dns: {}: {}", rank_in_words(team_.communicator()), error.what()),
                 stderr);
      team_.communicator().abort(1);
    }
    throw;
  }
}

/// Calls function() likewise; messages about the case of a file get their places there.
template <class Function>
auto DrivenRun::located(const Function& function) {
  if (options_.from != RunOptions::From::case_file) return together(function);
  try {
    return together(function);
  } catch (const CaseError& error) {
    throw dns::located(error, options_.target, options_.overrides);
  } catch (const IoError& error) {
    throw dns::located(error, options_.target, options_.overrides);
  }
}

DrivenRun::DrivenRun(const RunOptions& options, std::unique_ptr<Communicator> ranks)
    : options_(options), team_(std::move(ranks)), process_(getpid()) {
  located([this] {
    run_ = std::make_unique<Run>(options_, team_, mailbox_);
    if (run_->is_complete()) {
      const std::vector<Said> said = mailbox_.take_said();
      throw CaseError(said.empty() ? "the run is complete" : said.back().text);
    }
    run_->begin();
  });
}

DrivenRun::~DrivenRun() = default;

bool DrivenRun::is_any(bool own) {
  if (team_.ranks() == 1) return own;
  return std::ranges::any_of(team_.communicator().gathered(own ? 1 : 0),
                             [](int of_rank) { return of_rank != 0; });
}

Pause DrivenRun::advance(std::int64_t most, double until, const std::function<void()>& look) {
  constexpr double between_looks = 0.05;  // [s]
  constexpr double round_off = 1e-9;      // of a time that is a sum of steps
  const Use use(*this);
  const Simulation& simulation = run_->simulation();
  Pause pause;
  Clock::time_point looked = Clock::now();
  while (pause.steps < most && simulation.time() < until * (1 - round_off)) {
    pause.is_over = !located([this] { return run_->step(); });
    if (pause.is_over) break;
    ++pause.steps;
    pause.due = due_now();
    pause.has_progress = mailbox_.has_progress();
    // Throws where the flow has diverged.
    if (!pause.due.empty()) located([this] { return run_->diagnostics(); });
    if (!pause.due.empty() || pause.has_progress) break;
    if (seconds_since(looked) < between_looks) continue;
    look();
    looked = Clock::now();
  }
  return pause;
}

std::vector<int> DrivenRun::due_now() {
  const Simulation& simulation = run_->simulation();
  const FlowMoment now{simulation.step(), simulation.time(), simulation.time_before()};
  std::vector<int> due;
  for (Watched& watched : watches_) {
    const bool is_by_clock = watched.watch.wall_seconds > 0;
    bool is_due = is_by_clock ? seconds_since(watched.last) >= watched.watch.wall_seconds
                              : watched.watch.every.is_due(now);
    if (is_by_clock && team_.ranks() > 1)  // by the clock of rank 0
      team_.communicator().broadcast(&is_due, sizeof is_due, 0);
    if (!is_due) continue;
    watched.last = Clock::now();
    due.push_back(watched.number);
  }
  return due;
}

int DrivenRun::watch(const Watch& watch) {
  watches_.push_back({next_watch_, watch, Clock::now()});
  if (watch.is_exact) meet_exact_watches();
  return next_watch_++;
}

void DrivenRun::forget(int watch) {
  const auto found = std::ranges::find(watches_, watch, &Watched::number);
  if (found == watches_.end()) return;
  const bool is_exact = found->watch.is_exact;
  watches_.erase(found);
  if (is_exact) meet_exact_watches();
}

void DrivenRun::meet_exact_watches() {
  std::vector<double> intervals;
  for (const Watched& watched : watches_)
    if (watched.watch.is_exact) intervals.push_back(watched.watch.every.time);
  with_run([&](Run& run) { run.meet(intervals); });
}

void DrivenRun::finish(const std::string& reason) {
  const Use use(*this);
  run_->stop(reason);
  located([this] { run_->finish(); });
  if (team_.ranks() > 1) team_.communicator().finish_gather();  // what the loop sent last
}

}  // namespace dns
