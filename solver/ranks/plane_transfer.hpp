/// Recorded planes of the whole box on rank 0, from what all ranks have of them.
#pragma once

#include <vector>

#include "solver/core/communicator.hpp"
#include "solver/grid/plane_values.hpp"

namespace dns {

/// On rank 0: receives what the others send, and puts it behind its own, rank by rank.
std::vector<PlaneValues> planes_of_all(Communicator& communicator, std::vector<PlaneValues> own);
/// On the others.
void send_planes(Communicator& communicator, const std::vector<PlaneValues>& own);

}  // namespace dns
