/// Quantities of moving bodies over time.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/flow_state.hpp"

namespace dns {

struct BodyQuantity {
  std::string name;
  std::size_t components;  // 3: x, y, z; 4: w, x, y, z
};

/// Quantities of each body of an entry with several, in order: force and torque of the flow, flux
/// of each scalar into the fluid, position, velocity, rotation, and quaternion where bodies turn.
[[nodiscard]] std::vector<BodyQuantity> quantities_of_bodies(const Case& resolved,
                                                             const SolidCase& entry);
/// The largest speed of the bodies of an entry, from these quantities of each [U].
[[nodiscard]] double largest_speed(const Case& resolved, const NamedList& bodies);

}  // namespace dns
