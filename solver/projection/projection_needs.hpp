/// How much memory scheme projection needs, and how many bytes a step moves.
#pragma once

#include "solver/simulation/needs.hpp"

namespace dns {

[[nodiscard]] CaseNeeds needs_of_projection(const Case& resolved, const BackendMemory& memory);

}  // namespace dns
