/// How much memory scheme projection needs, and how many bytes a step moves.
#pragma once

#include "solver/core/subdomain.hpp"
#include "solver/simulation/needs.hpp"

namespace dns {

[[nodiscard]] CaseNeeds needs_of_projection(const Case& resolved,
                                            const Subdomain& part,
                                            const BackendMemory& memory);

}  // namespace dns
