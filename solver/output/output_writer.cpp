#include "solver/output/output_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "solver/config/load_case.hpp"
#include "solver/core/error.hpp"
#include "solver/output/checkpoint.hpp"
#include "solver/output/hdf5_calls.hpp"
#include "solver/output/plane_store.hpp"
#include "solver/output/probe_store.hpp"
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
  RunStore(const Case& resolved,
           const OutputSource& source,
           ShowSlices show,
           const TimeSeries* time_series)
      : case_(resolved),
        case_yaml_(to_yaml(resolved)),
        device_(source.slab.device_name()),
        part_(source.slab.subdomain()),
        others_(source.others),
        snapshots_(resolved.output.directory),
        planes_(resolved, case_yaml_),
        probes_(std::make_shared<ProbeStore>(resolved, case_yaml_)),
        painter_(resolved, slices_to_draw(resolved)),
        show_(std::move(show)),
        time_series_(time_series) {}

  /// Every part is tried, whatever becomes of the others; throws the first error. But a checkpoint
  /// claims the records of all steps before it: where some could not be written, in this request or
  /// in an earlier one, no checkpoint follows.
  Warnings operator()(const FlowCopies& flow, WriteRequest request) {
    const std::string& directory = case_.output.directory;
    const WholeFlow viewing(flow, CopyPurpose::viewing, part_, others_);
    Warnings warnings;
    std::exception_ptr first_error;
    const auto attempt = [&first_error](auto part) {
      try {
        part();
      } catch (const IoError&) {
        if (!first_error) first_error = std::current_exception();
      }
    };
    const auto attempt_record = [&](auto part) {
      attempt([&] {
        const bool had_lost_records = std::exchange(has_lost_records_, true);
        part();
        has_lost_records_ = had_lost_records;
      });
    };
    if (request.sets_down_planes()) attempt_record([&] { planes_.set_down(flow.records); });
    if (request.writes_probes()) attempt_record([&] { probes_->add(flow.probes); });
    if (request.sets_down_planes()) attempt_record([&] { probes_->set_down(); });
    for (const StatisticsSums& window : flow.windows)
      attempt_record([&] { write_window(directory, window, case_, case_yaml_); });
    if (request.checkpoint && time_series_ != nullptr)
      attempt_record([&] { time_series_->flush_to_disk(); });
    if (request.checkpoint && !has_lost_records_) {
      attempt([&] {
        const WholeFlow restart(flow, CopyPurpose::restart, part_, others_);
        write_checkpoint(directory, restart, case_yaml_, case_.output.checkpoint_keep);
      });
    }
    if (request.snapshot) {
      attempt([&] {
        write_snapshot(directory, viewing, case_, device_, case_yaml_);
        add_warnings(snapshots_.write_list(flow.viewing().step), warnings);
      });
    }
    attempt([&] { add_warnings(planes_.write_lists(), warnings); });
    attempt([&] { add_warnings(probes_->write_lists(), warnings); });
    if (request.slices || request.live) attempt([&] { draw(viewing, request); });
    if (case_.output.statistics && request.renews_statistics())
      attempt([&] { write_statistics(directory, flow.restart, case_, case_yaml_); });
    if (first_error) std::rethrow_exception(first_error);
    return warnings;
  }

 private:
  void draw(const WholeFlow& viewing, WriteRequest request) {
    std::vector<SlicePicture> pictures = painter_.draw(viewing);
    const std::filesystem::path folder(case_.output.directory);
    if (request.slices) {
      for (const auto& [name, step, facts, png] : pictures)
        write_text_file((folder / slice_name(name, step)).string(), png);
    }
    if (show_) show_(std::move(pictures));
  }

  Case case_;
  std::string case_yaml_;
  std::string device_;
  Subdomain part_;
  OtherRanks* others_;
  SnapshotSeries snapshots_;
  PlaneStore planes_;
  std::shared_ptr<ProbeStore> probes_;  // the store is copied
  bool has_lost_records_ = false;
  SlicePainter painter_;
  ShowSlices show_;                // none: no live page
  const TimeSeries* time_series_;  // none: nothing is recorded
};

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

  using WarningStore = std::function<Warnings(const FlowCopies&, WriteRequest)>;

  Worker(const OutputSource& given, WarningStore given_store)
      : source(given), store(std::move(given_store)) {
    int number = 0;
    for (Slot& slot : slots) {
      slot.flow.slot = number++;
      slot.flow.restart = source.slab.allocate_state(CopyPurpose::restart);
    }
    thread = std::thread([this] { run(); });
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() {
    finish_with_others();
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
      WriteRecord record;
      record.step = task.slot->flow.restart.step;
      record.request = task.request;
      const std::exception_ptr failure = carry_out(task, record.warnings);
      record.seconds = seconds_since(start);
      lock.lock();
      task.slot->is_in_use = false;
      if (!failure) {
        records.push_back(std::move(record));
      } else if (!error) {
        error = failure;
      }
      changed.notify_all();
    }
  }

  std::exception_ptr carry_out(const Task& task, Warnings& warnings) const {
    try {
      warnings = store(task.slot->flow, task.request);
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
    if (source.others == nullptr) {
      changed.wait(lock, is_ready);
    } else {
      serve_until(lock, is_ready);
    }
    waited_seconds += seconds_since(start);
  }

  /// The writer waits for other ranks, and they for messages of this thread.
  template <class Condition>
  void serve_until(std::unique_lock<std::mutex>& lock, Condition is_ready) {
    constexpr std::chrono::microseconds shortest{100};
    constexpr std::chrono::microseconds longest{5000};
    for (auto pause = shortest; !is_ready(); pause = std::min(2 * pause, longest)) {
      lock.unlock();
      source.others->serve();
      lock.lock();
      changed.wait_for(lock, pause, is_ready);
    }
  }

  /// What is being written is completed where the ranks still hear each other, else given up.
  void finish_with_others() {
    if (source.others == nullptr) return;
    try {
      std::unique_lock lock(mutex);
      serve_until(lock, [this] { return has_nothing_to_do(); });
    } catch (const std::exception&) {  // another error ends the run
      source.others->abandon();
    }
  }

  OutputSource source;
  WarningStore store;
  std::vector<PlaneRecord> collected;   // of the thread that computes alone
  std::vector<StatisticsSums> windows;  // likewise
  std::size_t collected_bytes = 0;
  ProbeRecords collected_probes;  // likewise
  std::array<Slot, copy_slots> slots;
  mutable std::mutex mutex;  // guards all below, and Slot::is_in_use
  std::condition_variable changed;
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

OutputWriter::OutputWriter(const Case& resolved,
                           const OutputSource& source,
                           ShowSlices show,
                           const TimeSeries* time_series)
    : worker_(std::make_unique<Worker>(source,
                                       RunStore(resolved, source, std::move(show), time_series))) {}

OutputWriter::OutputWriter(const OutputSource& source, Store store)
    : worker_(std::make_unique<Worker>(
          source, [store = std::move(store)](const FlowCopies& flow, WriteRequest request) {
            store(flow, request);
            return Warnings{};
          })) {}

OutputWriter::~OutputWriter() = default;

void OutputWriter::write(WriteRequest request) {
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
  // A free slot is touched by nobody else.
  if (worker.source.others != nullptr && request.needs_flow())
    worker.source.others->copy(packed(slot.flow.slot, request));
  copy_flow(worker.source.slab, request, slot.flow);
  slot.flow.windows = std::exchange(worker.windows, {});
  slot.flow.records.clear();
  if (request.sets_down_planes()) {
    std::swap(slot.flow.records, worker.collected);
    worker.collected_bytes = 0;
  }
  slot.flow.probes = {};
  if (request.writes_probes()) std::swap(slot.flow.probes, worker.collected_probes);
  lock.lock();
  slot.is_in_use = true;
  worker.tasks.push_back({.slot = &slot, .request = request});
  worker.changed.notify_all();
}

void OutputWriter::record(PlaneRecord record) {
  constexpr std::size_t most_bytes = std::size_t{32} << 20;
  Worker& worker = *worker_;
  worker.collected_bytes += bytes_of(record);
  worker.collected.push_back(std::move(record));
  if (worker.collected_bytes > most_bytes) write({.planes = true});
}

bool OutputWriter::record_probes(const ProbeRecords& records) {
  constexpr std::size_t most_bytes = std::size_t{32} << 20;
  Worker& worker = *worker_;
  if (records.count() > 0) worker.collected_probes.append(records);
  if (worker.collected_probes.count() == 0) return false;
  return worker.collected_probes.bytes() > most_bytes || is_idle();
}

void OutputWriter::record_window(StatisticsSums window) {
  worker_->windows.push_back(std::move(window));
}

void OutputWriter::serve() {
  if (worker_->source.others != nullptr) worker_->source.others->serve();
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
