/// What a case says about its particles, for `dns check` and warnings.
#pragma once

#include <string>
#include <vector>

#include "solver/config/case.hpp"

namespace dns {

/// Volume of one particle of a species that has a diameter [L^3].
[[nodiscard]] double volume_of_particle(const SpeciesCase& species);
/// Whether the trajectories of a species hold places that do not come back through periodic ends.
[[nodiscard]] bool are_unwrapped(const Case& resolved, const SpeciesCase& species);
/// Whether a species acts on the flow.
[[nodiscard]] bool is_pushed_by_particles(const Case& resolved);

/// A line for each species: "dust: 1000 particles, tau 5, ...". step: the time step, infinite where
/// it is not known [L/U].
[[nodiscard]] std::vector<std::string> particles_in_words(const Case& resolved, double step);

/// Particles for which the equations are doubtful.
[[nodiscard]] std::vector<std::string> warnings_about_particles(const Case& resolved);

}  // namespace dns
