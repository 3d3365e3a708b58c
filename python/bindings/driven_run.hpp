/// A run that another program steps.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/run/run.hpp"

namespace dns {

/// What a run has said since it was asked last.
struct Said {
  bool is_warning = false;
  std::string text;
};

/// When a function of the user is to be called: after steps of an interval, or when some seconds
/// have passed.
struct Watch {
  Interval every;
  bool is_exact = false;    // steps end at the times of `every`
  double wall_seconds = 0;  // 0: by `every`
};

/// Keeps what a run says until it is taken, and passes on what its owner wants.
class Mailbox final : public RunListener {
 public:
  void say(std::string_view line) override { said_.push_back({false, std::string(line)}); }
  void warn(std::string_view line) override { said_.push_back({true, std::string(line)}); }
  bool wants_progress() override;
  void progress(const Progress& progress) override { progress_ = progress; }
  std::string asked_to_stop() override { return stop_reason_; }
  std::string asked_for_output() override { return std::exchange(who_wants_output_, {}); }

  [[nodiscard]] std::vector<Said> take_said() { return std::exchange(said_, {}); }
  /// Whether progress is to be told, at most every `interval` seconds; 0: never.
  void tell_progress_every(double interval) { interval_ = interval; }
  [[nodiscard]] bool has_progress() const { return progress_.has_value(); }
  [[nodiscard]] std::optional<Progress> take_progress() {
    return std::exchange(progress_, std::nullopt);
  }
  void ask_to_stop(const std::string& reason) { stop_reason_ = reason; }
  void ask_for_output(const std::string& who) { who_wants_output_ = who; }

 private:
  using Clock = std::chrono::steady_clock;

  std::vector<Said> said_;
  std::optional<Progress> progress_;
  double interval_ = 0;  // [s]
  Clock::time_point last_progress_;
  std::string stop_reason_, who_wants_output_;
};

/// Why advance() has returned.
struct Pause {
  std::int64_t steps = 0;     // that were taken
  bool is_over = false;       // the run is over or stopped: no further step is taken
  std::vector<int> due;       // numbers of watches whose turn it is
  bool has_progress = false;  // take_progress() has something
};

/// A run between whose steps its owner does what it likes. One thread at a time may use it, in the
/// process that made it: all members throw std::logic_error elsewhere.
class DrivenRun {
 public:
  /// Begins the run, alone or on ranks. Throws the errors of error.hpp.
  DrivenRun(const RunOptions& options, std::unique_ptr<Communicator> ranks);
  ~DrivenRun();
  DrivenRun(const DrivenRun&) = delete;
  DrivenRun& operator=(const DrivenRun&) = delete;

  /// Takes up to `most` steps, ends after the first one that reaches the time `until` [L/U], and
  /// earlier where a watch is due or there is progress to show. Calls look() every 50 ms, which may
  /// throw. The flow is known to be sound when a watch is due.
  Pause advance(std::int64_t most, double until, const std::function<void()>& look);
  /// Number of a new watch.
  int watch(const Watch& watch);
  void forget(int watch);

  /// Writes what is due at the end, with a checkpoint if the run is not over and `stops`, and
  /// leaves the folder.
  void finish(const std::string& reason);

  /// Calls function(run) while no other thread uses the run; on ranks all do so.
  template <class Function>
  auto with_run(const Function& function) {
    const Use use(*this);
    return function(*run_);
  }
  /// Whether something is so on any rank; called by all of them.
  bool is_any(bool own);
  [[nodiscard]] Team& team() { return team_; }
  /// Facts that may be asked for from any thread.
  [[nodiscard]] const Run& run() const { return *run_; }
  Mailbox& mailbox() { return mailbox_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Watched {
    int number;
    Watch watch;
    Clock::time_point last;
  };
  /// The time in which a thread uses the run.
  class Use {
   public:
    explicit Use(DrivenRun& run);
    ~Use() { run_.is_used_ = false; }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    DrivenRun& run_;
  };

  template <class Function>
  auto located(const Function& function);
  template <class Function>
  auto together(const Function& function);
  std::vector<int> due_now();
  void meet_exact_watches();

  RunOptions options_;
  Mailbox mailbox_;
  Team team_;
  std::unique_ptr<Run> run_;
  std::vector<Watched> watches_;
  int next_watch_ = 0;
  std::atomic<bool> is_used_ = false;
  int process_;
};

}  // namespace dns
