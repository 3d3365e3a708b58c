/// Records of the probes of the whole box on rank 0, from what all ranks have of them.
#pragma once

#include "solver/core/communicator.hpp"
#include "solver/simulation/probe_values.hpp"

namespace dns {

/// On rank 0: receives what the others send, and puts each sample of a record in its place.
/// Requires that all have recorded the same steps.
ProbeRecords probes_of_all(Communicator& communicator, ProbeRecords own);
/// On the others.
void send_probes(Communicator& communicator, const ProbeRecords& own);

}  // namespace dns
