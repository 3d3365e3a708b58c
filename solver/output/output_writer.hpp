/// Output in the background: a separate thread writes the copies that the simulation makes of its
/// flow.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/output/picture_board.hpp"
#include "solver/simulation/simulation.hpp"

namespace dns {

struct WriteRequest {
  bool snapshot = false;
  bool checkpoint = false;
  bool statistics = false;  // renewed with every snapshot and checkpoint anyway
  bool slices = false;      // pictures as files
  bool live = false;        // pictures for the board alone

  [[nodiscard]] bool needs_viewing() const { return snapshot || slices || live; }
  [[nodiscard]] bool renews_statistics() const { return snapshot || checkpoint || statistics; }
  [[nodiscard]] bool is_live_alone() const {
    return live && !(snapshot || slices || renews_statistics());
  }
  [[nodiscard]] bool is_empty() const { return !needs_viewing() && !renews_statistics(); }
};

/// A request that has been carried out.
struct WriteRecord {
  std::int64_t step = 0;
  WriteRequest request;
  double seconds = 0;  // from its start until all of it is on disk
};

/// A flow copied to the host, for what was asked of it.
struct FlowCopies {
  FlowState restart;  // for viewing too where one copy serves for both
  std::optional<FlowState> separate_viewing;

  [[nodiscard]] const FlowState& viewing() const {
    return separate_viewing ? *separate_viewing : restart;
  }
};

/// Room for two host copies of the flow: while one is being written the other receives the next.
/// All HDF5 calls of a run happen on this object's thread.
class OutputWriter {
 public:
  /// Writes one copy of the flow; called on the writer's thread, one request after the other.
  using Store = std::function<void(const FlowCopies&, WriteRequest)>;

  /// Writes checkpoints, snapshots and their list to the case's output directory. A request for
  /// both uses one copy; the checkpoint goes first, and the snapshot is tried even if it fails. The
  /// time series is flushed to disk before a checkpoint.
  /// Pictures go to files or not, as asked, and all of them to `board` where there is one.
  OutputWriter(const Case& resolved, const Simulation& simulation, PictureBoard* board = nullptr);
  /// Writes with `store` instead.
  OutputWriter(const Simulation& simulation, Store store);
  /// Waits for what is pending; errors at this point are lost, so call finish() before.
  ~OutputWriter();
  OutputWriter(const OutputWriter&) = delete;
  OutputWriter& operator=(const OutputWriter&) = delete;

  /// Copies the flow and returns; writing goes on in the background. Waits when both copies are in
  /// use. Throws the IoError of an earlier write (once; this request is then not accepted, and
  /// those after the one that failed are dropped: no checkpoint may follow output that is missing).
  void write(const Simulation& simulation, WriteRequest request);

  /// A request would not wait, and nothing is being written.
  [[nodiscard]] bool is_idle() const;

  /// Returns when everything is on disk. Throws the IoError of an earlier write (once).
  void finish();

  /// Seconds the simulation spent waiting in write() and finish().
  [[nodiscard]] double waited_seconds() const;

  /// The requests carried out without error since the last call, in order.
  std::vector<WriteRecord> take_records();

 private:
  struct Worker;
  std::unique_ptr<Worker> worker_;
};

}  // namespace dns
