/// Output in the background: a separate thread writes the copies that the simulation makes of its
/// flow.
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "solver/files/run_files.hpp"
#include "solver/output/output.hpp"
#include "solver/output/whole_flow.hpp"

namespace dns {

/// Readies the libraries that write output, for which there may be no memory later. Throws
/// std::bad_alloc.
void prepare_output();

/// A request that has been carried out.
struct WriteRecord {
  std::int64_t step = 0;
  std::vector<Output*> outputs;
  bool has_checkpoint = false;
  double seconds = 0;  // from its start until all of it is on disk
  Warnings warnings;
};

/// Room for two host copies of the flow: while one is being written the other receives the next.
/// All HDF5 calls of a run happen on this object's thread.
///
/// On several ranks all call write() and finish() alike: each copies its slab, rank 0 makes the
/// files, and each writes its part of them. Their messages pass in these calls, and in those of
/// OtherRanks::answer_of_first.
class OutputWriter {
 public:
  /// The writer of a simulation of this rank's slab; others: null where it is alone.
  explicit OutputWriter(Simulation& slab, OtherRanks* others = nullptr);
  /// Waits for what is pending; errors at this point are lost, so call finish() before. On several
  /// ranks what is pending then is given up.
  ~OutputWriter();
  OutputWriter(const OutputWriter&) = delete;
  OutputWriter& operator=(const OutputWriter&) = delete;

  /// Copies the flow, lets the outputs that are due collect, and returns; writing goes on in the
  /// background: at first all of them put down what a checkpoint claims, then they write, each in
  /// turn and whatever becomes of the others. Once something that a checkpoint claims could not be
  /// put down, there is no checkpoint any more, which would leave a gap.
  ///
  /// Waits when both copies are in use. Throws the IoError of an earlier write (once; this request
  /// is then not accepted, and those after the one that failed are dropped: no checkpoint may
  /// follow output that is missing).
  void write(const std::vector<Output*>& outputs, const Moment& moment);

  /// Copies another simulation of the same slab from here on. Requires that nothing is being
  /// written.
  void take_simulation(Simulation& slab);

  /// A request would not wait, and nothing is being written.
  [[nodiscard]] bool is_idle() const;

  /// Returns when everything is on disk. Throws the IoError of an earlier write (once).
  void finish();

  /// Seconds the simulation spent waiting in write() and finish().
  [[nodiscard]] double waited_seconds() const;

  /// The requests carried out without error since the last call, in order.
  std::vector<WriteRecord> take_records();

 private:
  struct Task {
    std::size_t slot = 0;
    WriteRecord record;
  };
  static constexpr int not_yet = -1;

  /// All ranks write, but rank 0 makes the files.
  [[nodiscard]] bool makes_files() const { return others_ == nullptr || others_->rank() == 0; }
  void run();
  std::exception_ptr carry_out(Task& task);
  Warnings write_all(const std::vector<Output*>& outputs, const FlowCopies& copy);
  [[nodiscard]] bool has_nothing_to_do() const;
  [[nodiscard]] int free_slot() const;
  int wait_for(std::unique_lock<std::mutex>& lock, const std::function<int()>& find);
  int wait_on_all_ranks(std::unique_lock<std::mutex>& lock, const std::function<int()>& find);

  Simulation* slab_;
  OtherRanks* others_;
  std::string device_ = slab_->device_name();
  std::array<FlowCopies, copy_slots> copies_;  // of whoever uses them
  bool has_lost_records_ = false;              // of the thread that writes alone
  mutable std::mutex mutex_;                   // guards all below
  std::condition_variable changed_;
  std::array<bool, copy_slots> is_in_use_{};
  std::deque<Task> tasks_;
  std::vector<WriteRecord> records_;
  std::exception_ptr error_;
  double waited_seconds_ = 0;
  bool is_stopping_ = false;
  std::thread thread_;
};

}  // namespace dns
