#include "solver/output/output_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "solver/config/load_case.hpp"
#include "solver/core/error.hpp"
#include "solver/output/checkpoint.hpp"
#include "solver/output/run_files.hpp"
#include "solver/output/snapshot.hpp"
#include "solver/output/snapshot_series.hpp"
#include "solver/output/statistics_file.hpp"
#include "solver/output/timeseries.hpp"

namespace dns {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// What the OutputWriter of a run does with a copy of the flow.
class RunStore {
 public:
  RunStore(const Case& resolved, std::string device, PictureBoard* board)
      : case_(resolved),
        case_yaml_(to_yaml(resolved)),
        device_(std::move(device)),
        series_(resolved.output.directory),
        painter_(resolved, slices_to_draw(resolved)),
        board_(board) {}

  /// Every part is tried, whatever becomes of the others; throws the first error.
  void operator()(const FlowCopies& flow, WriteRequest request) {
    const std::string& directory = case_.output.directory;
    std::exception_ptr first_error;
    const auto attempt = [&first_error](auto part) {
      try {
        part();
      } catch (const IoError&) {
        if (!first_error) first_error = std::current_exception();
      }
    };
    if (request.checkpoint) {
      attempt([&] { flush_time_series(); });
      attempt([&] {
        write_checkpoint(directory, flow.restart, case_yaml_, case_.output.checkpoint_keep);
      });
    }
    if (request.snapshot) {
      attempt([&] {
        write_snapshot(directory, flow.viewing(), case_, device_, case_yaml_);
        series_.write_list(flow.viewing().step);
      });
    }
    if (request.slices || request.live) attempt([&] { draw(flow.viewing(), request); });
    if (case_.output.statistics && request.renews_statistics())
      attempt([&] { write_statistics(directory, flow.restart, case_, case_yaml_); });
    if (first_error) std::rethrow_exception(first_error);
  }

 private:
  /// Lines up to a checkpoint are on the disk before it is: a power cut leaves no hole in them.
  void flush_time_series() const {
    const auto path = std::filesystem::path(case_.output.directory) / timeseries_name;
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored)) flush_to_disk(path.string());
  }

  void draw(const FlowState& viewing, WriteRequest request) {
    std::vector<SlicePicture> pictures = painter_.draw(viewing);
    const std::filesystem::path folder(case_.output.directory);
    for (const SlicePicture& picture : pictures) {
      if (!request.slices) break;
      const std::string name = slice_name(picture.plane.name, picture.step);
      write_text_file((folder / name).string(), picture.png);
    }
    if (board_ != nullptr) board_->put(std::move(pictures));
  }

  Case case_;
  std::string case_yaml_;
  std::string device_;
  SnapshotSeries series_;
  SlicePainter painter_;
  PictureBoard* board_;  // none: no live page
};

/// Copies what the request needs. Room for a copy for viewing is made when it is first asked for.
void copy_flow(const Simulation& simulation, WriteRequest request, FlowCopies& flow) {
  flow.restart.step = simulation.step();
  flow.restart.time = simulation.time();
  if (request.renews_statistics()) flow.restart.statistics = simulation.statistics();
  const bool serves_both = simulation.one_copy_serves_both();
  if (request.checkpoint || (request.needs_viewing() && serves_both))
    simulation.copy_state(flow.restart, CopyPurpose::restart);
  if (!request.needs_viewing() || serves_both) return;
  if (!flow.separate_viewing)
    flow.separate_viewing = simulation.allocate_state(CopyPurpose::viewing);
  simulation.copy_state(*flow.separate_viewing, CopyPurpose::viewing);
}

}  // namespace

struct OutputWriter::Worker {
  struct Slot {
    FlowCopies flow;
    bool is_in_use = false;
  };
  struct Task {
    Slot* slot = nullptr;
    WriteRequest request;
  };

  Worker(const Simulation& simulation, Store given_store) : store(std::move(given_store)) {
    for (Slot& slot : slots) slot.flow.restart = simulation.allocate_state(CopyPurpose::restart);
    thread = std::thread([this] { run(); });
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() {
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
      const Task task = tasks.front();
      tasks.pop_front();
      if (error) {
        task.slot->is_in_use = false;
        changed.notify_all();
        continue;
      }
      lock.unlock();
      const auto start = Clock::now();
      const std::exception_ptr failure = carry_out(task);
      const WriteRecord record{.step = task.slot->flow.restart.step,
                               .request = task.request,
                               .seconds = seconds_since(start)};
      lock.lock();
      task.slot->is_in_use = false;
      if (!failure) {
        records.push_back(record);
      } else if (!error) {
        error = failure;
      }
      changed.notify_all();
    }
  }

  std::exception_ptr carry_out(const Task& task) const {
    try {
      store(task.slot->flow, task.request);
    } catch (const IoError&) {
      return std::current_exception();
    } catch (const std::bad_alloc&) {  // not an error of a file
      return std::current_exception();
    } catch (const std::exception& other) {
      return std::make_exception_ptr(IoError(std::string("writing output: ") + other.what()));
    }
    return nullptr;
  }

  /// Requires the lock.
  [[nodiscard]] bool has_nothing_to_do() const {
    return std::ranges::none_of(slots, &Slot::is_in_use);
  }

  /// Throws the kept error, once. Requires the lock.
  void rethrow_error() {
    if (error) std::rethrow_exception(std::exchange(error, nullptr));
  }

  /// Waits until `is_ready()`. Requires the lock.
  template <class Condition>
  void wait_for(std::unique_lock<std::mutex>& lock, Condition is_ready) {
    const auto start = Clock::now();
    changed.wait(lock, is_ready);
    waited_seconds += seconds_since(start);
  }

  Store store;
  std::array<Slot, 2> slots;
  mutable std::mutex mutex;  // guards all below, and Slot::is_in_use
  std::condition_variable changed;
  std::deque<Task> tasks;
  std::vector<WriteRecord> records;
  std::exception_ptr error;
  double waited_seconds = 0;
  bool is_stopping = false;
  std::thread thread;
};

OutputWriter::OutputWriter(const Case& resolved, const Simulation& simulation, PictureBoard* board)
    : OutputWriter(simulation, RunStore(resolved, simulation.device_name(), board)) {}

OutputWriter::OutputWriter(const Simulation& simulation, Store store)
    : worker_(std::make_unique<Worker>(simulation, std::move(store))) {}

OutputWriter::~OutputWriter() = default;

void OutputWriter::write(const Simulation& simulation, WriteRequest request) {
  Worker& worker = *worker_;
  std::unique_lock lock(worker.mutex);
  const auto find_free = [&] {
    return std::find_if(
        worker.slots.begin(), worker.slots.end(), [](const auto& s) { return !s.is_in_use; });
  };
  worker.wait_for(lock, [&] { return find_free() != worker.slots.end(); });
  worker.rethrow_error();
  Worker::Slot& slot = *find_free();
  lock.unlock();
  copy_flow(simulation, request, slot.flow);  // a free slot is touched by nobody else
  lock.lock();
  slot.is_in_use = true;
  worker.tasks.push_back({.slot = &slot, .request = request});
  worker.changed.notify_all();
}

bool OutputWriter::is_idle() const {
  const std::lock_guard lock(worker_->mutex);
  return worker_->has_nothing_to_do();
}

void OutputWriter::finish() {
  std::unique_lock lock(worker_->mutex);
  worker_->wait_for(lock, [this] { return worker_->has_nothing_to_do(); });
  worker_->rethrow_error();
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
