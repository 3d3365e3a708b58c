/// Tasks of output that all ranks carry out in the background. Their threads send no messages:
/// those that compute do, by orders.
#pragma once

#include <condition_variable>
#include <future>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "solver/core/communicator.hpp"
#include "solver/core/other_ranks.hpp"
#include "solver/ranks/orders.hpp"

namespace dns {

/// On rank 0: one task at a time.
class RankTasks final : public OtherRanks {
 public:
  /// `lead` outlives it.
  explicit RankTasks(Lead& lead) : lead_(lead) {}

  [[nodiscard]] int ranks() const override { return lead_.communicator.size(); }
  void copy(std::int32_t what) override;
  void serve() override;
  void abandon() override;
  void start(const std::string& task) override;
  std::vector<std::string> results() override;

 private:
  enum class Stage { none, asked_for, at_work, done, abandoned };

  void send_task();
  void collect();

  Lead& lead_;
  std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  Stage stage_ = Stage::none;
  std::string task_;
  std::vector<std::string> results_;  // of ranks 1, 2, ...
  std::string error_;                 // of the lowest rank that has one
};

/// On the others: the task at hand.
class TaskOfRank {
 public:
  TaskOfRank(RankOutput& output, Communicator& communicator)
      : output_(output), communicator_(communicator) {}

  void start(std::string task);
  /// Says whether it is done; once all ranks have done theirs, sends the result.
  void give_result();

 private:
  struct Outcome {
    bool failed = false;
    std::string text;  // the result, or what went wrong
  };

  RankOutput& output_;
  Communicator& communicator_;
  std::future<Outcome> outcome_;
  std::optional<Outcome> said_;  // known, but not yet sent
};

}  // namespace dns
