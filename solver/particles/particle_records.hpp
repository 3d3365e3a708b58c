/// Particles on the host, in lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "solver/core/communicator.hpp"
#include "solver/core/flow_state.hpp"

namespace dns {

/// Ids, and x, y, z of places [L]. The others may be left out: velocities, also of the fluid [U],
/// times through a periodic box, and a diameter of each [L].
struct ParticleRecords {
  std::vector<std::int64_t> ids{};
  std::vector<double> positions{}, velocities{}, fluid_velocities{}, turns{}, diameters{};

  [[nodiscard]] std::size_t count() const { return ids.size(); }
  /// Appends particle n of others.
  void add(const ParticleRecords& others, std::size_t n);
};

/// On rank 0 the particles of all ranks in the order of their ids, on the others none. Called by
/// all ranks.
[[nodiscard]] ParticleRecords records_of_all(Communicator& communicator, ParticleRecords own);

}  // namespace dns
