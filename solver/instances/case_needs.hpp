/// What a case takes of its device.
#pragma once

#include <cstddef>
#include <string>

#include "solver/simulation/needs.hpp"

namespace dns {

/// Of a case whose device is resolved.
[[nodiscard]] CaseNeeds needs_of(const Case& resolved);

/// The largest grid of the same proportions that fits where `needed` bytes are to become
/// `available`, as the key that asks for it: "grid.points: [96, 48, 48]". Empty where none does.
[[nodiscard]] std::string grid_that_fits(const Case& resolved,
                                         std::size_t needed,
                                         std::size_t available);

}  // namespace dns
