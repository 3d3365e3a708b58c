/// Records of the whole box on rank 0, from what all ranks have of them.
#pragma once

#include <vector>

#include "solver/core/communicator.hpp"
#include "solver/grid/plane_values.hpp"
#include "solver/simulation/probe_values.hpp"

namespace dns {

/// Called by all ranks: on rank 0 the values of all, rank by rank; nothing on the others.
std::vector<PlaneValues> planes_of_all(Communicator& communicator, std::vector<PlaneValues> own);

/// Called by all ranks: on rank 0 the records of all probes, each sample of a record in its place;
/// nothing on the others. Requires that all have recorded the same steps.
ProbeRecords probes_of_all(Communicator& communicator, ProbeRecords own);

}  // namespace dns
