/// How much memory scheme splitting takes, and how much of it a step moves.
#pragma once

#include "solver/simulation/needs.hpp"

namespace dns {

[[nodiscard]] CaseNeeds needs_of_splitting(const Case& resolved, const BackendMemory& memory);

/// Bytes a step must move at least.
[[nodiscard]] double compulsory_bytes_of_splitting(const Case& resolved);

}  // namespace dns
