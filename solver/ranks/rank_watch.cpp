#include "solver/ranks/rank_watch.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <utility>

namespace dns {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double turn = 0.1;        // [s]
constexpr double longest_turn = 1;  // what lasts longer was a stop of this process [s]
// The launcher ends the other ranks one or two seconds after one of them.
constexpr double until_launcher_has_ended_all = 5;  // [s]
constexpr double until_failed_rank_has_ended = 15;  // [s]
constexpr double first_to_speak = 3;                // [s]
constexpr double turn_to_speak = 1.5;               // of each rank [s]
constexpr int last_turn = 4;
constexpr int exit_code_of_device_error = 5;

enum class State { running, stopped, ended };

State state_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string stat;
  if (!std::getline(file, stat)) return State::ended;
  const std::size_t name_end = stat.rfind(") ");  // PID (NAME) STATE
  switch (name_end == std::string::npos ? '?' : stat[name_end + 2]) {
    case 'Z':  // its parent has not asked yet how it ended
    case 'X':
      return State::ended;
    case 'T':
      return State::stopped;
    default:
      return State::running;
  }
}

std::string whole_seconds(double seconds) {
  return std::to_string(static_cast<long>(seconds));
}

}  // namespace

RankWatch::Peer RankWatch::this_process(int rank) {
  struct stat name_space {};
  static_cast<void>(stat("/proc/self/ns/pid", &name_space));  // 0 where there is none
  return {.rank = rank, .process = getpid(), .name_space = name_space.st_ino};
}

/// Ranks in containers of their own cannot see each other.
RankWatch::RankWatch(int rank, std::vector<Peer> peers, double limit)
    : rank_(rank), peers_(std::move(peers)), limit_(limit) {
  const ino_t own = this_process(rank).name_space;
  std::erase_if(peers_, [&](const Peer& peer) {
    return peer.rank == rank || peer.name_space != own || state_of(peer.process) == State::ended;
  });
  thread_ = std::thread([this] { watch(); });
}

RankWatch::~RankWatch() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void RankWatch::begin_waiting() {
  ++beats_;
  is_waiting_ = true;
}

void RankWatch::end_waiting() {
  is_waiting_ = false;
}

void RankWatch::expect_end(const std::string& message) {
  const std::lock_guard lock(mutex_);
  if (failure_.empty()) failure_ = message;
}

void RankWatch::watch() {
  Clock::time_point last = Clock::now();
  std::unique_lock lock(mutex_);
  while (
      !changed_.wait_for(lock, std::chrono::duration<double>(turn), [this] { return is_over_; })) {
    const Clock::time_point now = Clock::now();
    const double passed = std::min(std::chrono::duration<double>(now - last).count(), longest_turn);
    last = now;
    look_for_peers(passed);
    const std::string reason = reason_to_leave(passed);
    if (reason.empty()) continue;
    const double delay = turn_to_speak * std::min(rank_, last_turn);
    if (changed_.wait_for(lock, std::chrono::duration<double>(delay), [this] { return is_over_; }))
      return;
    leave(reason);
  }
}

/// passed: since the last turn.
void RankWatch::look_for_peers(double passed) {
  int stopped = -1;
  for (const Peer& peer : peers_) {
    const State state = state_of(peer.process);
    if (state == State::ended && !has_lost_a_rank()) lost_ = peer.rank;
    if (state == State::stopped) stopped = peer.rank;
  }
  since_stopped_ = stopped >= 0 ? since_stopped_ + passed : 0;
  stopped_ = stopped;
}

/// Empty: none.
std::string RankWatch::reason_to_leave(double passed) {
  const unsigned beats = beats_;
  waited_ = is_waiting_ && beats == beats_seen_ ? waited_ + passed : 0;
  beats_seen_ = beats;
  if (has_lost_a_rank()) since_lost_ += passed;
  if (!failure_.empty()) since_failed_ += passed;
  if (since_failed_ > until_failed_rank_has_ended) return failure_;
  if (since_lost_ > until_launcher_has_ended_all)
    return "rank " + std::to_string(lost_) + " has ended: the run ends here";
  // Messages of the host have this limit too; what waits for them is first to say so.
  const double limit = limit_ + first_to_speak;
  if (since_stopped_ > limit)
    return "rank " + std::to_string(stopped_) + " has been stopped for " + whole_seconds(limit_) +
           " s: the run ends here (DNS_RANK_TIMEOUT sets another limit)";
  if (waited_ > limit)
    return "waited " + whole_seconds(limit_) +
           " s for messages between GPUs; another rank may hang or be cut off: the run ends here "
           "(DNS_RANK_TIMEOUT sets another limit)";
  return "";
}

/// Only what works while the other threads hold any lock.
void RankWatch::leave(const std::string& reason) {
  const std::string line = "error: rank " + std::to_string(rank_) + ": " + reason + "\n";
  static_cast<void>(!write(STDERR_FILENO, line.data(), line.size()));
  _exit(exit_code_of_device_error);
}

}  // namespace dns
