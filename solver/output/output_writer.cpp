#include "solver/output/output_writer.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "solver/core/error.hpp"
#include "solver/core/seconds.hpp"
#include "solver/files/hdf5_calls.hpp"

namespace dns {
namespace {

using Clock = std::chrono::steady_clock;

/// Copies what is needed. Room for a copy for viewing is made when it is first asked for.
void copy_flow(const Simulation& simulation, const CopyNeeds& needs, FlowCopies& flow) {
  flow.restart.step = simulation.step();
  flow.restart.time = simulation.time();
  if (needs.sums) {
    flow.restart.statistics = simulation.statistics();
    flow.restart.window = simulation.window();
  }
  const bool needs_viewing = needs.viewing || needs.snapshot;
  const bool serves_both = simulation.one_copy_serves_both();
  if (needs.restart || (needs_viewing && serves_both))
    simulation.copy_state(flow.restart, CopyPurpose::restart);
  if (!needs_viewing || serves_both) return;
  if (!flow.separate_viewing)
    flow.separate_viewing = simulation.allocate_state(CopyPurpose::snapshot);
  simulation.copy_state(*flow.separate_viewing,
                        needs.snapshot ? CopyPurpose::snapshot : CopyPurpose::viewing);
}

}  // namespace

void prepare_output() {
  prepare_hdf5();
}

OutputWriter::OutputWriter(Simulation& slab, OtherRanks* others) : slab_(&slab), others_(others) {
  int number = 0;
  for (FlowCopies& copy : copies_) {
    copy.slot = number++;
    copy.restart = slab_->allocate_state(CopyPurpose::restart);
  }
  if (makes_files()) {
    thread_ = std::thread([this] { run(); });
  } else {
    others_->carry_out_with([this](const std::string& task) {
      return dns::carry_out(task, copies_, slab_->subdomain());
    });
  }
}

void OutputWriter::take_simulation(Simulation& slab) {
  slab_ = &slab;
  for (FlowCopies& copy : copies_) {
    copy.restart = slab.allocate_state(CopyPurpose::restart);
    copy.separate_viewing.reset();
  }
}

OutputWriter::~OutputWriter() {
  if (others_ != nullptr) others_->abandon();
  if (!makes_files()) return;
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

/// The thread: one task after the other, until stopped with none left. Those after one that failed
/// are dropped: no checkpoint may follow output that is missing.
void OutputWriter::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return is_stopping_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    if (!error_) {
      lock.unlock();
      const auto start = Clock::now();
      const std::exception_ptr failure = carry_out(task);
      task.record.seconds = seconds_since(start);
      lock.lock();
      if (!failure) {
        records_.push_back(std::move(task.record));
      } else if (!error_) {
        error_ = failure;
      }
    }
    is_in_use_[task.slot] = false;
    changed_.notify_all();
  }
}

std::exception_ptr OutputWriter::carry_out(Task& task) {
  try {
    task.record.warnings = write_all(task.record.outputs, copies_[task.slot]);
  } catch (const IoError&) {
    return std::current_exception();
  } catch (const std::bad_alloc&) {  // not an error of a file
    return std::current_exception();
  } catch (const std::exception& other) {
    return std::make_exception_ptr(IoError(std::string("writing output: ") + other.what()));
  }
  return nullptr;
}

/// Each is tried, whatever becomes of the others; throws the first error.
Warnings OutputWriter::write_all(const std::vector<Output*>& outputs, const FlowCopies& copy) {
  const auto as_whole = [&](CopyPurpose purpose) {
    return WholeFlow(copy, purpose, slab_->subdomain(), others_);
  };
  const CopiedFlow flow{static_cast<std::size_t>(copy.slot),
                        as_whole(CopyPurpose::viewing),
                        as_whole(CopyPurpose::restart),
                        device_};
  Warnings warnings;
  std::exception_ptr first_error;
  const auto attempt = [&first_error](const auto& part) {
    try {
      part();
    } catch (const IoError&) {
      if (!first_error) first_error = std::current_exception();
    }
  };
  for (Output* const output : outputs) {
    attempt([&] {
      const bool had_lost_records = std::exchange(has_lost_records_, true);
      output->secure(flow);
      has_lost_records_ = had_lost_records;
    });
  }
  for (Output* const output : outputs) {
    if (output->needs().restart && has_lost_records_) continue;
    attempt([&] { add_warnings(output->write(flow), warnings); });
  }
  if (first_error) std::rethrow_exception(first_error);
  return warnings;
}

/// Requires the lock.
bool OutputWriter::has_nothing_to_do() const {
  return std::ranges::none_of(is_in_use_, std::identity());
}

/// A copy that is not in use; not_yet: there is none. Requires the lock.
int OutputWriter::free_slot() const {
  const auto found = std::ranges::find(is_in_use_, false);
  return found == is_in_use_.end() ? not_yet : static_cast<int>(found - is_in_use_.begin());
}

/// Waits until find() on rank 0 returns something else than not_yet, and returns that. Throws the
/// kept error, once. Requires the lock.
int OutputWriter::wait_for(std::unique_lock<std::mutex>& lock, const std::function<int()>& find) {
  const auto start = Clock::now();
  int found = not_yet;
  if (others_ == nullptr) {
    changed_.wait(lock, [&] { return find() != not_yet; });
    found = find();
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  } else {
    found = wait_on_all_ranks(lock, find);
  }
  waited_seconds_ += seconds_since(start);
  return found;
}

/// The writer waits for other ranks, and they for messages of this thread.
int OutputWriter::wait_on_all_ranks(std::unique_lock<std::mutex>& lock,
                                    const std::function<int()>& find) {
  constexpr std::chrono::microseconds shortest{100};
  constexpr std::chrono::microseconds longest{1000};
  for (auto pause = shortest;; pause = std::min(2 * pause, longest)) {
    const int own = find();
    const std::exception_ptr of_writer = own == not_yet ? nullptr : std::exchange(error_, nullptr);
    lock.unlock();
    const int found = others_->answer_of_first(own, of_writer);
    lock.lock();
    if (found != not_yet) return found;
    changed_.wait_for(lock, pause, [&] { return find() != not_yet; });
  }
}

void OutputWriter::write(const std::vector<Output*>& outputs, const Moment& moment) {
  std::unique_lock lock(mutex_);
  const std::size_t slot = wait_for(lock, [this] { return free_slot(); });
  lock.unlock();
  // A free copy is touched by nobody else.
  CopyNeeds needs;
  for (const Output* const output : outputs) needs |= output->needs();
  copy_flow(*slab_, needs, copies_[slot]);
  for (Output* const output : outputs) output->collect(*slab_, moment, slot);
  if (!makes_files()) return;
  lock.lock();
  is_in_use_[slot] = true;
  tasks_.push_back({slot,
                    {.step = copies_[slot].restart.step,
                     .outputs = outputs,
                     .has_checkpoint = needs.restart,
                     .seconds = 0,
                     .warnings = {}}});
  changed_.notify_all();
}

bool OutputWriter::is_idle() const {
  const std::lock_guard lock(mutex_);
  return has_nothing_to_do();
}

void OutputWriter::finish() {
  std::unique_lock lock(mutex_);
  wait_for(lock, [this] { return has_nothing_to_do() ? 0 : not_yet; });
}

double OutputWriter::waited_seconds() const {
  const std::lock_guard lock(mutex_);
  return waited_seconds_;
}

std::vector<WriteRecord> OutputWriter::take_records() {
  const std::lock_guard lock(mutex_);
  return std::exchange(records_, {});
}

}  // namespace dns
