#include "solver/ranks/rank_tasks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <new>
#include <utility>

#include "solver/core/agreement.hpp"
#include "solver/core/error.hpp"
#include "solver/core/system_errors.hpp"

namespace dns {
namespace {

/// What a rank says of its task, before it sends `bytes` of result or of an error.
struct TaskReport {
  enum class State : std::int32_t { at_work, done, failed };
  State state = State::done;
  std::uint64_t bytes = 0;
};

bool are_all_done(const std::vector<TaskReport>& reports) {
  return std::ranges::none_of(
      reports, [](const auto& report) { return report.state == TaskReport::State::at_work; });
}

}  // namespace

void RankTasks::copy(std::int32_t what) {
  lead_.give({.kind = OrderKind::copy_output, .argument = what});
  lead_.is_in_step = true;  // it takes no messages
}

void RankTasks::serve() {
  if (!lead_.is_in_step) return abandon();
  Stage stage{};
  {
    const std::lock_guard lock(mutex_);
    stage = stage_;
  }
  if (stage == Stage::asked_for) send_task();
  if (stage == Stage::asked_for || stage == Stage::at_work) collect();
}

void RankTasks::send_task() {
  lead_.give({.kind = OrderKind::start_task, .bytes = task_.size()});
  give_text(lead_.communicator, task_);
  lead_.is_in_step = true;
  const std::lock_guard lock(mutex_);
  stage_ = Stage::at_work;
}

void RankTasks::collect() {
  Communicator& communicator = lead_.communicator;
  lead_.give({.kind = OrderKind::collect_result});
  const std::vector<TaskReport> reports = communicator.gathered(TaskReport{});
  if (!are_all_done(reports)) {
    lead_.is_in_step = true;
    return;
  }
  std::vector<std::string> results;
  std::vector<ReceivedMessage> messages;
  for (std::size_t rank = 1; rank < reports.size(); ++rank)
    results.emplace_back(static_cast<std::size_t>(reports[rank].bytes), '\0');
  for (std::size_t rank = 1; rank < reports.size(); ++rank) {
    std::string& result = results[rank - 1];
    if (!result.empty()) messages.push_back({static_cast<int>(rank), result.data(), result.size()});
  }
  communicator.transfer({}, messages);
  lead_.is_in_step = true;
  const auto failed = std::ranges::find(reports, TaskReport::State::failed, &TaskReport::state);
  const std::lock_guard lock(mutex_);
  error_.clear();
  if (failed != reports.end())
    error_ = results[static_cast<std::size_t>(failed - reports.begin()) - 1];
  results_ = std::move(results);
  stage_ = Stage::done;
  changed_.notify_all();
}

void RankTasks::abandon() {
  const std::lock_guard lock(mutex_);
  stage_ = Stage::abandoned;
  changed_.notify_all();
}

void RankTasks::start(const std::string& task) {
  const std::lock_guard lock(mutex_);
  if (stage_ == Stage::abandoned) return;
  task_ = task;
  stage_ = Stage::asked_for;
}

std::vector<std::string> RankTasks::results() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return stage_ == Stage::done || stage_ == Stage::abandoned; });
  if (stage_ == Stage::abandoned)
    throw IoError("output is incomplete: the ranks ended before all had written their part");
  stage_ = Stage::none;
  if (!error_.empty()) throw IoError(error_);
  return std::move(results_);
}

void TaskOfRank::start(std::string task) {
  outcome_ = std::async(std::launch::async, [this, given = std::move(task)]() -> Outcome {
    try {
      return {false, output_.carry_out(given)};
    } catch (const std::bad_alloc&) {
      return {true, fmt::format("{}: {}", rank_in_words(communicator_), out_of_memory)};
    } catch (const std::exception& error) {
      return {true, fmt::format("{}: {}", rank_in_words(communicator_), error.what())};
    }
  });
}

void TaskOfRank::give_result() {
  TaskReport report;
  if (!said_ && outcome_.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
    said_ = outcome_.get();
  report.state = !said_          ? TaskReport::State::at_work
                 : said_->failed ? TaskReport::State::failed
                                 : TaskReport::State::done;
  if (said_) report.bytes = said_->text.size();
  if (!are_all_done(communicator_.gathered(report))) return;
  const SentMessage message{0, said_->text.data(), said_->text.size()};
  communicator_.transfer({&message, said_->text.empty() ? 0U : 1U}, {});
  said_.reset();
}

}  // namespace dns
