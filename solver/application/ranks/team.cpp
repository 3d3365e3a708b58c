#include "solver/application/ranks/team.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "solver/application/run/run.hpp"
#include "solver/application/run/signals.hpp"
#include "solver/config/order_of_axes.hpp"
#include "solver/core/agreement.hpp"
#include "solver/core/error.hpp"
#include "solver/core/version.hpp"
#include "solver/instances/make_simulation.hpp"
#include "solver/ranks/mpi.hpp"
#include "solver/run/words.hpp"

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

/// Throws Error where ranks do not say the same of themselves as rank 0 does.
template <class Error>
void require_same(Communicator& communicator, const std::string& own, const char* what_they_are) {
  const std::vector<std::string> texts = gathered_texts(communicator, own);
  const auto other =
      std::ranges::find_if(texts, [&](const std::string& text) { return text != texts.front(); });
  if (other == texts.end()) return;
  throw Error(fmt::format(
      "ranks 0 and {} {}: {} and {}", other - texts.begin(), what_they_are, texts.front(), *other));
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

void choose_own_gpu(int gpu, const RankPlace& place) {
  if (gpu >= 0) return choose_gpu(gpu);
  throw CaseError(fmt::format(
      "device is cuda, but {} has {} ranks and {} for them: at most one rank per GPU; start fewer "
      "ranks on it, or use device: cpu",
      place.host,
      place.ranks_on_host,
      counted(std::ssize(gpu_identities()), "GPU")));
}

/// The axis of planes of symmetry along which cosine transforms, without a sweep along any axis,
/// would need whole lines of slabs; none where there is none.
std::optional<int> axis_of_undivided_modes(const Case& resolved) {
  const auto& [order_x, order_y, order_z] = resolved.accuracy.order;
  if (order_z == 2) return {};
  if (!resolved.is_periodic(2)) return 2;
  for (const int axis : {0, 1})
    if (order_x > 2 && order_y > 2 && !resolved.is_periodic(axis) &&
        !has_rows_across_walls(resolved, axis))
      return axis;
  return {};
}

/// All lines, or the first and the last of many.
std::vector<std::string> abridged(const std::vector<std::string>& lines) {
  constexpr std::size_t most = 8;
  if (lines.size() <= most) return lines;
  std::vector<std::string> some(lines.begin(), lines.begin() + most - 2);
  some.push_back(fmt::format("           ... {} more", lines.size() - most + 1));
  some.push_back(lines.back());
  return some;
}

}  // namespace

void require_planes(const Case& resolved, int ranks) {
  const auto& [order_x, order_y, order_z] = resolved.accuracy.order;
  const std::optional<int> symmetric = axis_of_undivided_modes(resolved);
  if (ranks > 1 && symmetric) {
    throw CaseError(fmt::format(
        "accuracy.order is {} along z, but {} ranks divide the box along z; {} ends at planes of "
        "symmetry, and then they need order 2 along z: set accuracy.order=[{},{},2], or use one "
        "rank",
        order_z,
        ranks,
        axis_name(*symmetric),
        order_x,
        order_y));
  }
  const int planes = resolved.grid.points.nz;
  if (ranks == 1 || planes / ranks >= fewest_planes) return;
  throw CaseError(fmt::format(
      "{} ranks are too many for grid.points = {} along z: each needs {} planes at least, so at "
      "most {} can share them",
      ranks,
      planes,
      fewest_planes,
      counted(std::max(1, planes / fewest_planes), "rank")));
}

/// Calls function(); an error goes on to whoever reports it when it is this rank's turn. Ranks that
/// fail alike, each on its own, all have the same to say: once one of them has said it, the
/// launcher ends the others in their wait, after SIGTERM and a second.
void Team::speak_in_turn(const std::function<void()>& function) const {
  constexpr std::chrono::milliseconds turn{250};
  constexpr int last_turn = 20;
  constexpr std::chrono::seconds until_killed{3};
  try {
    function();
  } catch (...) {
    std::this_thread::sleep_for(turn * std::min(communicator_->rank(), last_turn));
    if (is_told_to_leave()) std::this_thread::sleep_for(until_killed);
    throw;
  }
}

void Team::join(const Launched& launched, const std::vector<std::string>& arguments) {
  std::unique_ptr<Communicator> all;
  {
    const std::jthread in_time(watch_joining, launched);
    all = join_mpi();
  }
  if (all->size() != launched.ranks) refuse_size(launched, all->size());
  communicator_ = std::move(all);
  is_in_step_ = false;  // until all speak the same language
  speak_in_turn([&] {
    require_same<DeviceError>(
        *communicator_, fmt::format("dns {}", version()), "are different programs");
    // Rank 0 alone reads the case: what another rank is told to do would be left undone.
    require_same<CaseError>(*communicator_,
                            fmt::format("'dns {}'", fmt::join(arguments, " ")),
                            "were started with different arguments");
  });
  place_ = find_place(*communicator_);
  is_in_step_ = true;
}

int Team::cores() const {
  return place_ ? place_->cores : available_cores();
}

/// Chooses the GPU of this rank for device cuda, and calls prepare(). All ranks throw where one
/// fails.
Communicator& Team::communicator_on(DeviceChoice device, const std::function<void()>& prepare) {
  const bool is_on_gpu = device == DeviceChoice::cuda;
  const int gpu = is_on_gpu ? find_gpu(*communicator_, *place_) : -1;
  require_on_all_ranks(*communicator_, [&] {
    resolve_device(device);
    if (is_on_gpu) choose_own_gpu(gpu, *place_);
    if (prepare) prepare();
  });
  return *communicator_;
}

/// A case that cannot be computed is one for all ranks, whichever of them finds out.
std::unique_ptr<Simulation> Team::make_simulation(const Case& resolved,
                                                  int threads,
                                                  const Command& command) {
  if (!communicator_) return dns::make_simulation(resolved);
  Case own_case = resolved;
  own_case.run.threads = threads;
  communicator_on(resolved.device, [&] { use_threads(own_case, command, cores()); });
  std::unique_ptr<Simulation> own;
  std::exception_ptr wrong_case;
  try {
    own = dns::make_simulation(own_case, *communicator_);
  } catch (const CaseError&) {
    wrong_case = std::current_exception();
  }
  require_on_all_ranks(*communicator_, [&] {
    if (wrong_case) std::rethrow_exception(wrong_case);
  });
  describe(*own, warning_about_cores(own_case.device, own_case.run.threads));
  return own;
}

std::string Team::warning_about_cores(DeviceChoice device, int threads) const {
  return place_ ? dns::warning_about_cores(*place_, device, threads) : "";
}

void Team::describe(const Simulation& own, const std::string& warning) {
  const Subdomain& part = own.subdomain();
  const std::string place = fmt::format("{:<10} {}: {}, planes {} to {} along z, {}",
                                        fmt::format("rank {}", communicator_->rank()),
                                        place_->host,
                                        own.device_name(),
                                        part.part.begin.k,
                                        part.part.end.k - 1,
                                        in_words_bytes(own.memory_bytes()));
  const std::vector<std::string> places = gathered_texts(*communicator_, place);
  std::vector<std::string> warnings = gathered_texts(*communicator_, warning);
  lines_ = {fmt::format("ranks      {} on {}, {}",
                        ranks(),
                        counted(place_->hosts, "host"),
                        own.transport().empty() ? communicator_->transport() : own.transport())};
  const std::vector<std::string> shown = abridged(places);
  lines_.insert(lines_.end(), shown.begin(), shown.end());
  for (std::size_t rank = 0; rank < warnings.size(); ++rank) {
    if (warnings[rank].empty()) continue;
    warnings_.push_back(fmt::format("rank {}: {}", rank, warnings[rank]));
  }
  warnings_ = abridged(warnings_);
}

ExitCode Team::together(const std::function<ExitCode()>& function) {
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

ExitCode Team::end(ExitCode code) {
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
