/// Copies of the flow on the host, for the files that are asked for.
#pragma once

#include <optional>
#include <vector>

#include "solver/core/flow_state.hpp"
#include "solver/simulation/simulation.hpp"

namespace dns {

struct WriteRequest {
  bool snapshot = false;
  bool checkpoint = false;
  bool statistics = false;  // renewed with every snapshot and checkpoint anyway
  bool slices = false;      // pictures as files
  bool live = false;        // pictures for the board alone
  bool planes = false;      // records are set down, as with every checkpoint
  bool probes = false;      // records of points are written, as with every checkpoint
  bool windows = false;     // averages over windows that have ended, as with every checkpoint

  [[nodiscard]] bool needs_viewing() const { return snapshot || slices || live; }
  [[nodiscard]] bool renews_statistics() const { return snapshot || checkpoint || statistics; }
  [[nodiscard]] bool is_live_alone() const {
    return live && !(snapshot || slices || renews_statistics() || planes || probes || windows);
  }
  [[nodiscard]] bool sets_down_planes() const { return planes || checkpoint; }
  [[nodiscard]] bool writes_probes() const { return probes || sets_down_planes(); }
  /// Something of the flow is copied for it.
  [[nodiscard]] bool needs_flow() const { return needs_viewing() || renews_statistics(); }
  [[nodiscard]] bool is_empty() const { return !needs_flow() && !planes && !probes && !windows; }
};

/// A flow copied to the host, for what was asked of it: on several ranks that of a slab.
struct FlowCopies {
  int slot = 0;       // its number among the copies of this rank
  FlowState restart;  // for viewing too where one copy serves for both
  std::optional<FlowState> separate_viewing;
  std::vector<PlaneRecord> records;     // that are to be set down
  ProbeRecords probes;                  // that are to be written
  std::vector<StatisticsSums> windows;  // whose averages are to be written

  [[nodiscard]] const FlowState& viewing() const {
    return separate_viewing ? *separate_viewing : restart;
  }
  [[nodiscard]] const FlowState& of(CopyPurpose purpose) const {
    return purpose == CopyPurpose::restart ? restart : viewing();
  }
};

/// Room for two copies: while one is being written the other receives the next.
constexpr int copy_slots = 2;

/// Copies what the request needs. Room for a copy for viewing is made when it is first asked for.
void copy_flow(const Simulation& simulation, const WriteRequest& request, FlowCopies& flow);

}  // namespace dns
