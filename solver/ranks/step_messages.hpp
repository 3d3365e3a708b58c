/// What the ranks of a run tell each other in every step: all of them run the same loop, and what
/// one of them alone knows reaches the others here.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <future>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "solver/core/communicator.hpp"
#include "solver/core/other_ranks.hpp"

namespace dns {

/// What is to be done after a step because of the clock, a signal, the folder of the run or the
/// live page, which rank 0 alone looks at.
struct Requests {
  bool stop = false;            // the run ends here, with a checkpoint
  bool record_is_gone = false;  // likewise, with an error
  bool output = false;          // SIGUSR1: a snapshot and a checkpoint
  bool progress = false;        // is shown, with diagnostics of this step
  Asks asks{};                  // for each output of the run
};

/// One small message of each rank to all others per step, sent in one step and read in the next:
/// nobody waits, and all ranks decide alike from what rank 0 said. A run on one rank sends none.
///
/// Messages also say how far the tasks of output are, which rank 0's writer hands out one at a
/// time: each time all ranks know of a new one, it is broadcast; once all have carried it out,
/// their results go to rank 0.
///
/// An error that a rank meets alone while it computes leaves its messages unsent, and ends all
/// (Communicator::abort). Rank 0 also has files, log and terminal: an error there goes with its
/// next message, and all ranks throw.
class StepMessages final : public OtherRanks {
 public:
  /// The communicator outlives it.
  explicit StepMessages(Communicator& communicator) : communicator_(communicator) {}

  /// Sends what rank 0 asks for after this step; read by receive() after the next one. Of several
  /// ranks alone is own() called.
  void post(const std::function<Requests()>& own);
  /// On all ranks: what rank 0 asked for with its last post(), or where there was none, or there is
  /// but one rank, what it asks for now.
  Requests receive(const std::function<Requests()>& own);
  /// What rank 0 asks for now, whatever it asked for before: all ranks wait for it.
  Requests agree(const Requests& own);

  /// Calls function(), which rank 0 alone needs, on the thread that computes.
  void on_first_rank(const std::function<void()>& function);

  [[nodiscard]] int rank() const override { return communicator_.rank(); }
  [[nodiscard]] int ranks() const override { return communicator_.size(); }
  int answer_of_first(int answer, const std::exception_ptr& error) override;
  void carry_out_with(std::function<std::string(const std::string& task)> function) override {
    carry_out_ = std::move(function);
  }
  void start(const std::string& task) override;
  std::vector<std::string> results() override;
  void abandon() override;

 private:
  enum class Stage { none, given, at_work, done, abandoned };
  struct Message;
  struct Outcome {
    bool has_failed = false;
    std::string text;  // the result, or what went wrong
  };

  Message message_with(const Requests& requests);
  std::vector<Message> finish();
  Message read(const std::vector<Message>& of_ranks);
  void serve(const std::vector<Message>& of_ranks);
  void start_on_all(std::uint64_t bytes);
  void collect(const std::vector<Message>& of_ranks);
  void look_at_own_task();
  [[nodiscard]] Outcome outcome_of(const std::string& task) const;

  Communicator& communicator_;
  bool is_posted_ = false;
  std::exception_ptr error_;  // of rank 0, not sent yet

  // Numbers of tasks: messages on their way may be older than what is known already.
  std::uint64_t started_ = 0, collected_ = 0;

  std::function<std::string(const std::string&)> carry_out_;  // ranks 1, 2, ...
  std::future<Outcome> outcome_;
  std::optional<Outcome> own_outcome_;  // known, but not collected

  std::mutex mutex_;  // guards all below, on rank 0
  std::condition_variable changed_;
  Stage stage_ = Stage::none;
  std::string task_;
  std::vector<std::string> results_;  // of ranks 1, 2, ...
  std::string task_error_;            // of the lowest rank that has one
};

}  // namespace dns
