/// What a case needs of its device.
#pragma once

#include <cstddef>
#include <string>

#include "solver/simulation/needs.hpp"

namespace dns {

/// The needs of a case whose device is resolved; of several ranks, those of the one that needs
/// most.
[[nodiscard]] CaseNeeds needs_of(const Case& resolved, int ranks = 1);

/// The largest grid of the same proportions that fits into `available` bytes, given that this one
/// needs `needed`, as a line of a case file: "grid.points: [96, 48, 48]". Empty if there is none.
[[nodiscard]] std::string grid_that_fits(const Case& resolved,
                                         std::size_t needed,
                                         std::size_t available);

}  // namespace dns
