#include "solver/ranks/step_messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>
#include <utility>

#include "solver/core/agreement.hpp"
#include "solver/core/error.hpp"
#include "solver/core/system_errors.hpp"

namespace dns {

struct StepMessages::Message {
  Requests requests;                // of rank 0
  bool has_failed = false;          // rank 0
  std::int32_t answer = 0;          // of rank 0, see answer_of_first
  std::uint64_t tasks = 0;          // rank 0: given; others: carried out
  std::uint64_t bytes = 0;          // of the last of them, or of its result or error
  bool has_failed_in_task = false;  // the last one
};

StepMessages::Message StepMessages::message_with(const Requests& requests) {
  Message message{};
  message.requests = requests;
  message.has_failed = error_ != nullptr;
  if (rank() == 0) {
    const std::lock_guard lock(mutex_);
    message.tasks = started_ + (stage_ == Stage::given ? 1 : 0);
    message.bytes = task_.size();
    return message;
  }
  look_at_own_task();
  message.tasks = collected_;
  if (!own_outcome_) return message;
  message.tasks = started_;
  message.bytes = own_outcome_->text.size();
  message.has_failed_in_task = own_outcome_->has_failed;
  return message;
}

void StepMessages::post(const std::function<Requests()>& own) {
  if (ranks() == 1) return;
  const Message message = message_with(own());
  communicator_.start_gather(&message, sizeof message);
  is_posted_ = true;
}

std::vector<StepMessages::Message> StepMessages::finish() {
  const std::span<const std::byte> bytes = communicator_.finish_gather();
  is_posted_ = false;
  std::vector<Message> of_ranks(bytes.size() / sizeof(Message));
  std::memcpy(of_ranks.data(), bytes.data(), bytes.size());
  return of_ranks;
}

/// What rank 0 says. Throws its error.
StepMessages::Message StepMessages::read(const std::vector<Message>& of_ranks) {
  serve(of_ranks);
  if (of_ranks.front().has_failed) throw_error_of_first(std::exchange(error_, nullptr));
  return of_ranks.front();
}

Requests StepMessages::receive(const std::function<Requests()>& own) {
  if (ranks() == 1) return own();
  if (!is_posted_) post(own);
  return read(finish()).requests;
}

Requests StepMessages::agree(const Requests& own) {
  if (ranks() == 1) return own;
  if (is_posted_) finish();
  return read(communicator_.gathered(message_with(own))).requests;
}

void StepMessages::on_first_rank(const std::function<void()>& function) {
  if (rank() > 0) return;
  if (ranks() == 1) return function();
  try {
    function();
  } catch (...) {
    if (!error_) error_ = std::current_exception();
  }
}

int StepMessages::answer_of_first(int answer, const std::exception_ptr& error) {
  if (error && !error_) error_ = error;
  Message message = message_with({});
  message.answer = answer;
  return read(communicator_.gathered(message)).answer;
}

/// All ranks have the same messages: so all take part in what follows from them.
void StepMessages::serve(const std::vector<Message>& of_ranks) {
  const auto has_done = [&](const Message& of_rank) { return of_rank.tasks >= started_; };
  if (of_ranks.front().tasks > started_) {
    start_on_all(of_ranks.front().bytes);
  } else if (collected_ < started_ && std::all_of(of_ranks.begin() + 1, of_ranks.end(), has_done)) {
    collect(of_ranks);
  }
}

void StepMessages::start_on_all(std::uint64_t bytes) {
  ++started_;
  std::string task;
  if (rank() == 0) {
    const std::lock_guard lock(mutex_);
    task = task_;
    if (stage_ == Stage::given) stage_ = Stage::at_work;
  }
  task.resize(bytes);
  communicator_.broadcast(task.data(), task.size(), 0);
  if (rank() == 0) return;
  outcome_ =
      std::async(std::launch::async, [this, given = std::move(task)] { return outcome_of(given); });
}

StepMessages::Outcome StepMessages::outcome_of(const std::string& task) const {
  try {
    return {false, carry_out_(task)};
  } catch (const std::bad_alloc&) {
    return {true, fmt::format("{}: {}", rank_in_words(communicator_), out_of_memory)};
  } catch (const std::exception& error) {
    return {true, fmt::format("{}: {}", rank_in_words(communicator_), error.what())};
  }
}

void StepMessages::look_at_own_task() {
  if (!outcome_.valid()) return;
  if (outcome_.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
    own_outcome_ = outcome_.get();
}

void StepMessages::collect(const std::vector<Message>& of_ranks) {
  ++collected_;
  if (rank() > 0) {
    const SentMessage message{0, own_outcome_->text.data(), own_outcome_->text.size()};
    communicator_.transfer({&message, message.bytes > 0 ? 1U : 0U}, {});
    own_outcome_.reset();
    return;
  }
  std::vector<std::string> results;
  for (std::size_t other = 1; other < of_ranks.size(); ++other)
    results.emplace_back(of_ranks[other].bytes, '\0');
  std::vector<ReceivedMessage> messages;
  for (std::size_t n = 0; n < results.size(); ++n) {
    if (results[n].empty()) continue;
    messages.push_back({static_cast<int>(n) + 1, results[n].data(), results[n].size()});
  }
  communicator_.transfer({}, messages);
  const auto failed = std::ranges::find(of_ranks, true, &Message::has_failed_in_task);
  const std::lock_guard lock(mutex_);
  if (stage_ == Stage::abandoned) return;
  task_error_.clear();
  if (failed != of_ranks.end()) task_error_ = results[failed - of_ranks.begin() - 1];
  results_ = std::move(results);
  stage_ = Stage::done;
  changed_.notify_all();
}

void StepMessages::start(const std::string& task) {
  const std::lock_guard lock(mutex_);
  if (stage_ == Stage::abandoned) return;
  task_ = task;
  stage_ = Stage::given;
}

std::vector<std::string> StepMessages::results() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return stage_ == Stage::done || stage_ == Stage::abandoned; });
  if (stage_ == Stage::abandoned)
    throw IoError("output is incomplete: the ranks ended before all had written their part");
  stage_ = Stage::none;
  if (!task_error_.empty()) throw IoError(task_error_);
  return std::move(results_);
}

void StepMessages::abandon() {
  if (outcome_.valid()) outcome_.wait();
  const std::lock_guard lock(mutex_);
  stage_ = Stage::abandoned;
  changed_.notify_all();
}

}  // namespace dns
