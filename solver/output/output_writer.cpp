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
#include "solver/files/hdf5_calls.hpp"
#include "solver/files/run_files.hpp"
#include "solver/output/checkpoint.hpp"
#include "solver/output/plane_store.hpp"
#include "solver/output/probe_store.hpp"
#include "solver/output/snapshot.hpp"
#include "solver/output/snapshot_series.hpp"
#include "solver/output/statistics_file.hpp"
#include "solver/output/timeseries.hpp"

namespace dns {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t many_bytes = std::size_t{32} << 20;  // of records, in memory

/// All ranks write, but rank 0 makes the files.
bool makes_files(const OutputSource& source) {
  return source.others == nullptr || source.others->rank() == 0;
}

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
  struct Task {
    std::size_t slot = 0;
    WriteRequest request;
  };

  using WarningStore = std::function<Warnings(const FlowCopies&, WriteRequest)>;

  Worker(const OutputSource& given, WarningStore given_store)
      : source(given), store(std::move(given_store)) {
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
      const Task task = tasks.front();
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
      record.request = task.request;
      const std::exception_ptr failure = carry_out(task, record.warnings);
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

  std::exception_ptr carry_out(const Task& task, Warnings& warnings) const {
    try {
      warnings = store(copies[task.slot], task.request);
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
  WarningStore store;
  std::vector<PlaneRecord> collected;   // of the thread that computes alone
  std::vector<StatisticsSums> windows;  // likewise
  std::size_t collected_bytes = 0;
  ProbeRecords collected_probes;              // likewise
  std::array<FlowCopies, copy_slots> copies;  // of whoever uses them
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

OutputWriter::OutputWriter(const Case& resolved,
                           const OutputSource& source,
                           ShowSlices show,
                           const TimeSeries* time_series)
    : worker_(std::make_unique<Worker>(
          source,
          makes_files(source)
              ? Worker::WarningStore(RunStore(resolved, source, std::move(show), time_series))
              : Worker::WarningStore())) {}

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
  const auto slot =
      static_cast<std::size_t>(worker.wait_for(lock, [&] { return worker.free_slot(); }));
  lock.unlock();
  // A free copy is touched by nobody else.
  FlowCopies& flow = worker.copies[slot];
  copy_flow(worker.source.slab, request, flow);
  flow.windows = std::exchange(worker.windows, {});
  flow.records.clear();
  if (request.sets_down_planes()) {
    std::swap(flow.records, worker.collected);
    worker.collected_bytes = 0;
  }
  flow.probes = {};
  if (request.writes_probes()) std::swap(flow.probes, worker.collected_probes);
  if (!makes_files(worker.source)) return;
  lock.lock();
  worker.is_in_use[slot] = true;
  worker.tasks.push_back({.slot = slot, .request = request});
  worker.changed.notify_all();
}

void OutputWriter::record(PlaneRecord record) {
  worker_->collected_bytes += bytes_of(record);
  worker_->collected.push_back(std::move(record));
}

bool OutputWriter::has_many_planes() const {
  return worker_->collected_bytes > many_bytes;
}

void OutputWriter::record_probes(const ProbeRecords& records) {
  if (records.count() > 0) worker_->collected_probes.append(records);
}

bool OutputWriter::has_many_probes() const {
  return worker_->collected_probes.bytes() > many_bytes;
}

void OutputWriter::record_window(StatisticsSums window) {
  worker_->windows.push_back(std::move(window));
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
