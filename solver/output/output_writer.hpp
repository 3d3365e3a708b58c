/// Output in the background: a separate thread writes the copies that the simulation makes of its
/// flow.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/files/run_files.hpp"
#include "solver/output/copied_flow.hpp"
#include "solver/output/slice_painter.hpp"
#include "solver/output/timeseries.hpp"
#include "solver/output/whole_flow.hpp"

namespace dns {

/// Readies the libraries that write output, for which there may be no memory later. Throws
/// std::bad_alloc.
void prepare_output();

/// A request that has been carried out.
struct WriteRecord {
  std::int64_t step = 0;
  WriteRequest request;
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
  /// Writes one copy of the flow; called on the writer's thread, one request after the other.
  using Store = std::function<void(const FlowCopies&, WriteRequest)>;

  /// Writes checkpoints, snapshots and their list to the case's output directory. A request for
  /// both uses one copy; the checkpoint goes first, and the snapshot is tried even if it fails.
  /// Before a checkpoint, records of planes and probes and averages of windows are written and
  /// flushed to disk, and so is `time_series`, where there is one; once one of them could not be,
  /// there is no checkpoint any more, which would leave a gap in them.
  /// Pictures go to files or not, as asked, and all of them to `show`, on the writer's thread.
  OutputWriter(const Case& resolved,
               const OutputSource& source,
               ShowSlices show = nullptr,
               const TimeSeries* time_series = nullptr);
  /// Writes with `store` instead.
  OutputWriter(const OutputSource& source, Store store);
  /// Waits for what is pending; errors at this point are lost, so call finish() before. On several
  /// ranks what is pending then is given up.
  ~OutputWriter();
  OutputWriter(const OutputWriter&) = delete;
  OutputWriter& operator=(const OutputWriter&) = delete;

  /// Copies the flow and returns; writing goes on in the background. Waits when both copies are in
  /// use. Throws the IoError of an earlier write (once; this request is then not accepted, and
  /// those after the one that failed are dropped: no checkpoint may follow output that is missing).
  void write(WriteRequest request);

  /// Collects the planes of a step. They are set down with every checkpoint, as with write() of a
  /// request for planes; what is still collected at the end is lost.
  void record(PlaneRecord record);
  /// They take more than 32 MiB: they should be set down now.
  [[nodiscard]] bool has_many_planes() const;

  /// Collects records of probes, which are written with every checkpoint, as with write() of a
  /// request for probes or planes; what is still collected at the end is lost.
  void record_probes(const ProbeRecords& records);
  /// The same of these.
  [[nodiscard]] bool has_many_probes() const;

  /// Keeps the sums of a window of time for the next request, which writes its averages.
  void record_window(StatisticsSums window);

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
