/// How much memory scheme splitting takes, and how much of it a step moves.
#pragma once

#include "solver/simulation/needs.hpp"

namespace dns {

[[nodiscard]] CaseNeeds needs_of_splitting(const Case& resolved, const BackendMemory& memory);

}  // namespace dns
