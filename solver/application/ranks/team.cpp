#include "solver/application/ranks/team.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "solver/application/run/run.hpp"
#include "solver/application/run/signals.hpp"
#include "solver/application/terminal/words.hpp"
#include "solver/config/load_case.hpp"
#include "solver/core/agreement.hpp"
#include "solver/core/error.hpp"
#include "solver/core/version.hpp"
#include "solver/instances/make_simulation.hpp"
#include "solver/ranks/led_simulation.hpp"
#include "solver/ranks/mpi.hpp"
#include "solver/start/initial_state.hpp"

namespace dns {
namespace {

constexpr int fewest_planes = 8;

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

/// Programs of different versions do not understand each other.
void require_same_version(Communicator& communicator) {
  const std::vector<std::string> versions = gathered_texts(communicator, std::string(version()));
  const auto other = std::ranges::find_if(
      versions, [&](const std::string& text) { return text != versions.front(); });
  if (other == versions.end()) return;
  throw DeviceError(fmt::format("ranks 0 and {} are different programs: dns {} and dns {}",
                                other - versions.begin(),
                                versions.front(),
                                *other));
}

/// Rank 0 alone reads the case: what another rank is told to do would be left undone.
void require_same_arguments(Communicator& communicator, const std::vector<std::string>& arguments) {
  const std::vector<std::string> typed =
      gathered_texts(communicator, fmt::format("dns {}", fmt::join(arguments, " ")));
  const auto other =
      std::ranges::find_if(typed, [&](const std::string& text) { return text != typed.front(); });
  if (other == typed.end()) return;
  throw CaseError(fmt::format("ranks 0 and {} were started with different arguments: '{}' and '{}'",
                              other - typed.begin(),
                              typed.front(),
                              *other));
}

/// Ends this process where MPI waits too long for the others, which no error can interrupt.
class JoinsInTime {
 public:
  explicit JoinsInTime(const Launched& launched)
      : watch_([launched](const std::stop_token& joined) { watch(joined, launched); }) {}

 private:
  static void watch(const std::stop_token& joined, const Launched& launched) {
    using Time = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds turn{50};
    constexpr std::chrono::seconds after_a_signal{5};
    const std::chrono::duration<double> longest(longest_wait_for_ranks());
    const Time::time_point begin = Time::now();
    Time::time_point unasked = begin;  // the last moment without a signal to stop
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any waiting;
    while (!waiting.wait_for(lock, joined, turn, [&] { return joined.stop_requested(); })) {
      const Time::time_point now = Time::now();
      if (stop_signal().empty()) unasked = now;
      if (now - unasked > after_a_signal) leave(launched, ExitCode::stopped_early);
      if (now - begin > longest) leave(launched, ExitCode::device);
    }
  }

  [[noreturn]] static void leave(const Launched& launched, ExitCode code) {
    const std::string words = fmt::format(
        "error: rank {}: not all of the {} processes that {} started have joined: each must be dns "
        "with the same arguments (DNS_RANK_TIMEOUT sets how long to wait, now {:g} s)\n",
        launched.rank,
        launched.ranks,
        launched.launcher,
        longest_wait_for_ranks());
    std::fputs(words.c_str(), stderr);
    std::_Exit(static_cast<int>(code));
  }

  std::jthread watch_;
};

InitialFlow initial_flow_of(const Case& resolved) {
  return [resolved](const Subdomain& part) { return initial_state(resolved, part); };
}

void choose_own_gpu(int gpu, const RankPlace& place) {
  if (gpu >= 0) return choose_gpu(gpu);
  throw CaseError(fmt::format(
      "device is cuda, but {} has {} ranks and {} GPU{} for them: at most one rank per GPU; start "
      "fewer ranks on it, or use device: cpu",
      place.host,
      place.ranks_on_host,
      gpu_identities().size(),
      gpu_identities().size() == 1 ? "" : "s"));
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
  const int planes = resolved.grid.points.nz;
  if (ranks == 1 || planes / ranks >= fewest_planes) return;
  const int most = std::max(1, planes / fewest_planes);
  throw CaseError(fmt::format(
      "{} ranks are too many for grid.points = {} along z: each needs {} planes at least, so at "
      "most {} rank{} can share them",
      ranks,
      planes,
      fewest_planes,
      most,
      most == 1 ? "" : "s"));
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
    const JoinsInTime in_time(launched);
    all = join_mpi();
  }
  if (all->size() != launched.ranks) refuse_size(launched, all->size());
  communicator_ = std::move(all);
  lead_.emplace(*communicator_);
  lead_->is_in_step = false;  // until all speak the same language
  speak_in_turn([&] {
    require_same_version(*communicator_);
    require_same_arguments(*communicator_, arguments);
  });
  place_ = find_place(*communicator_);
  lead_->is_in_step = true;
}

int Team::cores() const {
  return place_ ? place_->cores : available_cores();
}

std::unique_ptr<Simulation> Team::make_simulation(const Case& resolved,
                                                  int threads,
                                                  const Command& command) {
  if (!communicator_) return dns::make_simulation(resolved);
  require_planes(resolved, ranks());
  Case given = resolved;
  given.run.threads = threads;
  if (given.initial.file)  // the others may have been started in another folder
    given.initial.file = std::filesystem::absolute(*given.initial.file).string();
  const std::string yaml = to_yaml(given);
  lead_->give({.kind = OrderKind::make_simulation, .bytes = yaml.size()});
  give_text(*communicator_, yaml);
  std::unique_ptr<Simulation> own = make_own(given, command);
  return std::make_unique<LedSimulation>(std::move(own), *lead_);
}

/// Takes this rank's GPU, if any is asked for, then calls prepare(); the error of any rank, or
/// null.
std::exception_ptr Team::take_device(DeviceChoice device, const std::function<void()>& prepare) {
  const bool is_on_gpu = device == DeviceChoice::cuda;
  const int gpu = is_on_gpu ? find_gpu(*communicator_, *place_) : -1;
  return common_error(*communicator_, [&] {
    resolve_device(device);
    if (is_on_gpu) choose_own_gpu(gpu, *place_);
    prepare();
  });
}

Communicator& Team::communicator_on(DeviceChoice device) {
  const std::exception_ptr error = take_device(device, [] {});
  if (error) std::rethrow_exception(error);
  return *communicator_;
}

/// Errors that this rank meets alone end all of them; for what all ranks know they wait for the
/// next order. Sets the number of threads.
std::unique_ptr<Simulation> Team::make_own(Case& resolved, const Command& command) {
  std::exception_ptr error =
      take_device(resolved.device, [&] { use_threads(resolved, command, cores()); });
  std::unique_ptr<Simulation> own;
  if (!error) {
    std::exception_ptr met_by_all;
    try {
      own = dns::make_simulation(resolved, *communicator_);
    } catch (const CaseError&) {
      met_by_all = std::current_exception();
    }
    error = common_error(*communicator_, [&] {
      if (met_by_all) std::rethrow_exception(met_by_all);
    });
  }
  if (error) {
    lead_->is_in_step = true;
    std::rethrow_exception(error);
  }
  describe(*own, warning_about_cores(resolved.device, resolved.run.threads));
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
                                        in_words_bytes(static_cast<double>(own.memory_bytes())));
  const std::vector<std::string> places = gathered_texts(*communicator_, place);
  std::vector<std::string> warnings = gathered_texts(*communicator_, warning);
  lines_ = {fmt::format("ranks      {} on {} host{}, {}",
                        ranks(),
                        place_->hosts,
                        place_->hosts == 1 ? "" : "s",
                        own.transport().empty() ? communicator_->transport() : own.transport())};
  const std::vector<std::string> shown = abridged(places);
  lines_.insert(lines_.end(), shown.begin(), shown.end());
  for (std::size_t rank = 0; rank < warnings.size(); ++rank) {
    if (warnings[rank].empty()) continue;
    warnings_.push_back(fmt::format("rank {}: {}", rank, warnings[rank]));
  }
  warnings_ = abridged(warnings_);
}

void Team::set_initial_flow(Simulation& simulation, const Case& resolved) {
  auto* const led = dynamic_cast<LedSimulation*>(&simulation);
  if (led != nullptr) return led->set_initial_flow(initial_flow_of(resolved));
  simulation.set_state(initial_state(resolved, simulation.subdomain()));
}

void Team::set_state(Simulation& simulation, const Checkpoint& checkpoint) {
  if (checkpoint.stored.empty()) return simulation.set_state(checkpoint.state);
  dynamic_cast<LedSimulation&>(simulation)
      .read_state(checkpoint.state, checkpoint.stored, stored_fields_);
}

OutputSource Team::output_of(const Simulation& simulation) {
  const auto* const led = dynamic_cast<const LedSimulation*>(&simulation);
  if (led == nullptr) return {simulation};
  tasks_.emplace(*lead_);
  return {led->slab(), &*tasks_};
}

ExitCode Team::follow(const Command& command) {
  ExitCode code{};
  speak_in_turn(
      [&] { with_name_of_rank(*communicator_, [&] { code = carry_out_orders(command); }); });
  return code;
}

ExitCode Team::carry_out_orders(const Command& command) {
  for (;;) {
    const Order order = await_order(*communicator_);
    if (order.kind == OrderKind::end) {
      was_told_to_end_ = true;
      return static_cast<ExitCode>(order.argument);
    }
    lead_->is_in_step = false;
    Case resolved = parse_case(receive_text(*communicator_, order.bytes), "the case of rank 0", {});
    std::unique_ptr<Simulation> own;
    try {
      own = make_own(resolved, command);
    } catch (...) {
      if (!lead_->is_in_step) throw;  // else rank 0 reports it, and ends all
      continue;
    }
    SlabOutput output(*own);
    const Duties duties{initial_flow_of(resolved), output, stored_fields_};
    const int code = dns::follow(*own, *communicator_, duties);
    was_told_to_end_ = true;
    return static_cast<ExitCode>(code);
  }
}

void Team::together(const std::function<void()>& function) {
  lead_->is_in_step = false;
  if (leads()) {
    function();
  } else {
    speak_in_turn([&] { with_name_of_rank(*communicator_, function); });
  }
  lead_->is_in_step = true;
}

ExitCode Team::end(ExitCode code) {
  if (!communicator_) return code;
  // Once a rank is gone the launcher sends SIGTERM to the others.
  leave_signals_to_others();
  const int number = static_cast<int>(code);
  const bool can_end_in_step = leads() ? lead_->is_in_step : was_told_to_end_;
  if (!can_end_in_step) communicator_->abort(number);
  try {
    if (leads()) lead_->give({.kind = OrderKind::end, .argument = number});
    static_cast<void>(communicator_->gathered(number));  // nobody leaves before all have written
  } catch (const DeviceError&) {
    communicator_->abort(number);
  }
  communicator_.reset();
  return code;
}

}  // namespace dns
