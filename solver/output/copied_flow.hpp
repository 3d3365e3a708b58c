/// Copies of the flow on the host, for the files that are asked for.
#pragma once

#include <optional>

#include "solver/core/flow_state.hpp"
#include "solver/simulation/simulation.hpp"

namespace dns {

/// What is to be copied of a flow, beside its step and time.
struct CopyNeeds {
  bool sums = false;      // of averages
  bool viewing = false;   // for pictures
  bool snapshot = false;  // the same with the further fields of a snapshot
  bool restart = false;   // bit for bit

  [[nodiscard]] bool has_any() const { return sums || viewing || snapshot || restart; }
  CopyNeeds& operator|=(const CopyNeeds& more) {
    sums |= more.sums;
    viewing |= more.viewing;
    snapshot |= more.snapshot;
    restart |= more.restart;
    return *this;
  }
};

/// A flow copied to the host, for what was asked of it: on several ranks that of a slab.
struct FlowCopies {
  int slot = 0;       // its number among the copies of this rank
  FlowState restart;  // for viewing too where one copy serves for both
  std::optional<FlowState> separate_viewing;

  [[nodiscard]] const FlowState& viewing() const {
    return separate_viewing ? *separate_viewing : restart;
  }
  [[nodiscard]] const FlowState& of(CopyPurpose purpose) const {
    return purpose == CopyPurpose::restart ? restart : viewing();
  }
};

/// Room for two copies: while one is being written the other receives the next.
constexpr int copy_slots = 2;

/// Copies what is needed. Room for a copy for viewing is made when it is first asked for.
void copy_flow(const Simulation& simulation, const CopyNeeds& needs, FlowCopies& flow);

}  // namespace dns
