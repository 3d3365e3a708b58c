/// Where a case puts its particles.
#pragma once

#include <cstdint>

#include "solver/config/case.hpp"
#include "solver/core/subdomain.hpp"
#include "solver/particles/bodies_for_particles.hpp"
#include "solver/particles/particle_records.hpp"

namespace dns {

/// The particles of a release, from `first_id` on, that lie in a part of the box and in none of the
/// bodies of the case; `released` gets the number of all. Places and random numbers are functions
/// of the ids alone. Velocities are left out where they are those of the fluid.
///
/// Throws CaseError "particles.dust.positions: ..." of a place outside of the box or a value that
/// is no number; IoError of a file that cannot be read or has two particles of one id.
[[nodiscard]] ParticleRecords released_particles(const Case& resolved,
                                                 const BodiesForParticles& bodies,
                                                 const SpeciesCase& species,
                                                 std::int64_t first_id,
                                                 const Subdomain& part,
                                                 std::int64_t& released);

/// Whether a species starts from a file with a diameter of each particle. Throws IoError.
[[nodiscard]] bool has_diameters(const SpeciesCase& species);

/// Particles of `all` that lie in a part of the box.
[[nodiscard]] ParticleRecords records_in_part(const Case& resolved,
                                              const ParticleRecords& all,
                                              const Subdomain& part);

/// Whether a release is due in the step that led to `at`.
[[nodiscard]] bool is_release_due(const ReleaseCase& release, const FlowMoment& at);

}  // namespace dns
