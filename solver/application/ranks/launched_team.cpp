#include "solver/application/ranks/launched_team.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stop_token>
#include <thread>
#include <utility>

#include "solver/application/run/signals.hpp"
#include "solver/core/agreement.hpp"
#include "solver/core/error.hpp"
#include "solver/ranks/mpi.hpp"

namespace dns {
namespace {

/// All processes have the same to say: the first says it before the launcher ends them all.
[[noreturn]] void refuse_size(const Launched& launched, int known_to_mpi) {
  if (launched.rank > 0) std::this_thread::sleep_for(std::chrono::seconds(1));
  throw CaseError(fmt::format(
      "{} started {} processes, but MPI knows of {}: each would be a run of its own{}",
      launched.launcher,
      launched.ranks,
      known_to_mpi,
      launched.launcher == "srun"
          ? "; start them with srun --mpi=pmix (srun --mpi=list shows what there is), or with "
            "mpirun within the job"
          : fmt::format("; {} must belong to the MPI that dns was built with, {}",
                        launched.launcher,
                        mpi_facts().version)));
}

/// How long all processes may take to join [s]: to start them takes seconds on a busy machine,
/// however soon a rank is to be taken for dead later.
double longest_wait_to_join() {
  return std::max(longest_wait_for_ranks(), 10.0);
}

[[noreturn]] void leave_unjoined(const Launched& launched, ExitCode code) {
  const std::string words = fmt::format(
      "error: rank {}: not all of the {} processes that {} started have joined: each must be dns "
      "with the same arguments (DNS_RANK_TIMEOUT sets how long to wait, now {:g} s)\n",
      launched.rank,
      launched.ranks,
      launched.launcher,
      longest_wait_to_join());
  std::fputs(words.c_str(), stderr);
  std::_Exit(static_cast<int>(code));
}

/// Ends this process where MPI waits too long for the others, which no error can interrupt.
void watch_joining(const std::stop_token& joined, const Launched& launched) {
  using Time = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds turn{10};
  constexpr std::chrono::seconds after_a_signal{5};
  const std::chrono::duration<double> longest(longest_wait_to_join());
  const Time::time_point begin = Time::now();
  Time::time_point unasked = begin;  // the last moment without a signal to stop
  for (; !joined.stop_requested(); std::this_thread::sleep_for(turn)) {
    const Time::time_point now = Time::now();
    if (stop_signal().empty()) unasked = now;
    if (now - unasked > after_a_signal) leave_unjoined(launched, ExitCode::stopped_early);
    if (now - begin > longest) leave_unjoined(launched, ExitCode::device);
  }
}

}  // namespace

/// Calls function(); an error goes on to whoever reports it when it is this rank's turn. Ranks that
/// fail alike, each on its own, all have the same to say: once one of them has said it, the
/// launcher ends the others in their wait, after SIGTERM and a second.
void LaunchedTeam::speak_in_turn(const std::function<void()>& function) const {
  constexpr std::chrono::seconds first_wait{3};  // a busy launcher needs as long to tell the others
  constexpr std::chrono::seconds turn{1};
  constexpr int last_turn = 5;
  constexpr std::chrono::seconds until_killed{3};
  try {
    function();
  } catch (...) {
    const int after = std::min(communicator_->rank(), last_turn);
    if (after > 0) std::this_thread::sleep_for(first_wait + turn * (after - 1));
    if (is_told_to_leave()) std::this_thread::sleep_for(until_killed);
    throw;
  }
}

void LaunchedTeam::join(const Launched& launched, const std::vector<std::string>& arguments) {
  std::unique_ptr<Communicator> all;
  {
    const std::jthread in_time(watch_joining, launched);
    all = join_mpi();
  }
  if (all->size() != launched.ranks) refuse_size(launched, all->size());
  communicator_ = std::move(all);
  is_in_step_ = false;  // until all speak the same language
  speak_in_turn([&] {
    require_same_program();
    // Rank 0 alone reads the case: what another rank is told to do would be left undone.
    const std::string difference =
        difference_of_ranks(*communicator_,
                            fmt::format("'dns {}'", fmt::join(arguments, " ")),
                            "were started with different arguments");
    if (!difference.empty()) throw CaseError(difference);
  });
  place_ = find_place(*communicator_);
  is_in_step_ = true;
}

ExitCode LaunchedTeam::together(const std::function<ExitCode()>& function) {
  if (!communicator_) return function();
  is_in_step_ = false;
  try {
    const ExitCode code = function();
    is_in_step_ = true;
    return code;
  } catch (const std::exception& error) {
    is_in_step_ = is_met_by_all(error);
    if (is_first()) throw;
    if (!is_in_step_) speak_in_turn([&] { with_name_of_rank(*communicator_, [] { throw; }); });
  }
  return ExitCode::bug;  // the code of rank 0 counts
}

ExitCode LaunchedTeam::end(ExitCode code) {
  if (!communicator_) return code;
  // Once a rank is gone the launcher sends SIGTERM to the others.
  handle_signals(of_follower);
  int number = static_cast<int>(code);
  if (!is_in_step_) communicator_->abort(number);
  try {
    communicator_->finish_gather();  // what the loop sent last
    communicator_->broadcast_at_leisure(&number, sizeof number, 0);
    static_cast<void>(communicator_->gathered(number));  // nobody leaves before all have written
  } catch (const DeviceError&) {
    communicator_->abort(number);
  }
  communicator_.reset();
  return static_cast<ExitCode>(number);
}

}  // namespace dns
