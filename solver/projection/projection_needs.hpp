/// How much memory scheme projection takes, and how much of it a step moves.
#pragma once

#include "solver/simulation/needs.hpp"

namespace dns {

[[nodiscard]] CaseNeeds needs_of_projection(const Case& resolved, const BackendMemory& memory);

}  // namespace dns
