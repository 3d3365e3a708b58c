#include "solver/output/output_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "solver/core/error.hpp"
#include "solver/core/seconds.hpp"
#include "solver/files/hdf5_calls.hpp"

namespace dns {
namespace {

using Clock = std::chrono::steady_clock;

/// All ranks write, but rank 0 makes the files.
bool makes_files(const OutputSource& source) {
  return source.others == nullptr || source.others->rank() == 0;
}

}  // namespace

struct OutputWriter::Worker {
  struct Task {
    std::size_t slot = 0;
    std::vector<Output*> outputs;
    bool has_checkpoint = false;
  };

  explicit Worker(const OutputSource& given) : source(given) {
    int number = 0;
    for (FlowCopies& copy : copies) {
      copy.slot = number++;
      copy.restart = source.slab.allocate_state(CopyPurpose::restart);
    }
    if (makes_files(source)) {
      thread = std::thread([this] { run(); });
    } else {
      source.others->carry_out_with([this](const std::string& task) {
        return dns::carry_out(task, copies, source.slab.subdomain());
      });
    }
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() {
    if (source.others != nullptr) source.others->abandon();
    if (!makes_files(source)) return;
    {
      const std::lock_guard lock(mutex);
      is_stopping = true;
    }
    changed.notify_all();
    thread.join();
  }

  /// The thread: one task after the other, until stopped with none left. Those after one that
  /// failed are dropped: no checkpoint may follow output that is missing.
  void run() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [this] { return is_stopping || !tasks.empty(); });
      if (tasks.empty()) return;
      Task task = std::move(tasks.front());
      tasks.pop_front();
      if (error) {
        is_in_use[task.slot] = false;
        changed.notify_all();
        continue;
      }
      lock.unlock();
      const auto start = Clock::now();
      WriteRecord record;
      record.step = copies[task.slot].restart.step;
      record.has_checkpoint = task.has_checkpoint;
      record.outputs = std::move(task.outputs);
      const std::exception_ptr failure = carry_out(record.outputs, task.slot, record.warnings);
      record.seconds = seconds_since(start);
      lock.lock();
      is_in_use[task.slot] = false;
      if (!failure) {
        records.push_back(std::move(record));
      } else if (!error) {
        error = failure;
      }
      changed.notify_all();
    }
  }

  std::exception_ptr carry_out(const std::vector<Output*>& outputs,
                               std::size_t slot,
                               Warnings& warnings) {
    try {
      warnings = write_all(outputs, copies[slot]);
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
  Warnings write_all(const std::vector<Output*>& outputs, const FlowCopies& copy) {
    const auto as_whole = [&](CopyPurpose purpose) {
      return WholeFlow(copy, purpose, source.slab.subdomain(), source.others);
    };
    const CopiedFlow flow{static_cast<std::size_t>(copy.slot),
                          as_whole(CopyPurpose::viewing),
                          as_whole(CopyPurpose::restart),
                          device};
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
        const bool had_lost_records = std::exchange(has_lost_records, true);
        output->secure(flow);
        has_lost_records = had_lost_records;
      });
    }
    for (Output* const output : outputs) {
      if (output->needs().restart && has_lost_records) continue;
      attempt([&] { add_warnings(output->write(flow), warnings); });
    }
    if (first_error) std::rethrow_exception(first_error);
    return warnings;
  }

  /// Requires the lock.
  [[nodiscard]] bool has_nothing_to_do() const {
    return std::ranges::none_of(is_in_use, std::identity());
  }

  /// A copy that is not in use; not_yet: there is none. Requires the lock.
  [[nodiscard]] int free_slot() const {
    const auto found = std::ranges::find(is_in_use, false);
    return found == is_in_use.end() ? not_yet : static_cast<int>(found - is_in_use.begin());
  }

  /// Waits until find() on rank 0 returns something else than not_yet, and returns that. Throws the
  /// kept error, once. Requires the lock.
  template <class Find>
  int wait_for(std::unique_lock<std::mutex>& lock, const Find& find) {
    const auto start = Clock::now();
    const auto is_there = [&] { return find() != not_yet; };
    int found = not_yet;
    if (source.others == nullptr) {
      changed.wait(lock, is_there);
      found = find();
      if (error) std::rethrow_exception(std::exchange(error, nullptr));
    } else {
      found = wait_on_all_ranks(lock, find);
    }
    waited_seconds += seconds_since(start);
    return found;
  }

  /// The writer waits for other ranks, and they for messages of this thread.
  template <class Find>
  int wait_on_all_ranks(std::unique_lock<std::mutex>& lock, const Find& find) {
    constexpr std::chrono::microseconds shortest{100};
    constexpr std::chrono::microseconds longest{1000};
    for (auto pause = shortest;; pause = std::min(2 * pause, longest)) {
      const int own = find();
      const std::exception_ptr of_writer = own == not_yet ? nullptr : std::exchange(error, nullptr);
      lock.unlock();
      const int found = source.others->answer_of_first(own, of_writer);
      lock.lock();
      if (found != not_yet) return found;
      changed.wait_for(lock, pause, [&] { return find() != not_yet; });
    }
  }

  static constexpr int not_yet = -1;

  OutputSource source;
  std::string device = source.slab.device_name();
  std::array<FlowCopies, copy_slots> copies;  // of whoever uses them
  bool has_lost_records = false;              // of the thread that writes alone
  mutable std::mutex mutex;                   // guards all below
  std::condition_variable changed;
  std::array<bool, copy_slots> is_in_use{};
  std::deque<Task> tasks;
  std::vector<WriteRecord> records;
  std::exception_ptr error;
  double waited_seconds = 0;
  bool is_stopping = false;
  std::thread thread;
};

void prepare_output() {
  prepare_hdf5();
}

OutputWriter::OutputWriter(const OutputSource& source)
    : worker_(std::make_unique<Worker>(source)) {}

OutputWriter::~OutputWriter() = default;

void OutputWriter::write(const OutputRequest& request) {
  Worker& worker = *worker_;
  std::unique_lock lock(worker.mutex);
  const auto slot =
      static_cast<std::size_t>(worker.wait_for(lock, [&] { return worker.free_slot(); }));
  lock.unlock();
  // A free copy is touched by nobody else.
  FlowCopies& flow = worker.copies[slot];
  CopyNeeds needs;
  for (const Output* const output : request.outputs) needs |= output->needs();
  copy_flow(worker.source.slab, needs, flow);
  for (Output* const output : request.outputs)
    output->collect(worker.source.slab, request.moment, slot);
  if (!makes_files(worker.source)) return;
  lock.lock();
  worker.is_in_use[slot] = true;
  worker.tasks.push_back(
      {.slot = slot, .outputs = request.outputs, .has_checkpoint = needs.restart});
  worker.changed.notify_all();
}

bool OutputWriter::is_idle() const {
  const std::lock_guard lock(worker_->mutex);
  return worker_->has_nothing_to_do();
}

void OutputWriter::finish() {
  std::unique_lock lock(worker_->mutex);
  worker_->wait_for(lock, [this] { return worker_->has_nothing_to_do() ? 0 : Worker::not_yet; });
}

double OutputWriter::waited_seconds() const {
  const std::lock_guard lock(worker_->mutex);
  return worker_->waited_seconds;
}

std::vector<WriteRecord> OutputWriter::take_records() {
  const std::lock_guard lock(worker_->mutex);
  return std::exchange(worker_->records, {});
}

}  // namespace dns
