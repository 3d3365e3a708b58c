/// The flow in a checkpoint with all its values.
#pragma once

#include <string>

#include "solver/output/checkpoint.hpp"

namespace dns {

/// What a run on one rank goes on from. Throws as read_newest_checkpoint and read_slab do.
inline FlowState newest_flow(const std::string& folder) {
  const Checkpoint checkpoint = read_newest_checkpoint(folder);
  return read_slab(alone(), checkpoint.path, Subdomain{});
}

}  // namespace dns
