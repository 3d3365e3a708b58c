/// What a case says about its particles, for `dns check` and warnings.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/config/case.hpp"

namespace dns {

/// Volume of one particle of a species that has a diameter [L^3].
[[nodiscard]] double volume_of_particle(const SpeciesCase& species);
/// Width of the smallest cell along an axis, and along any [L]. Scheme projection.
[[nodiscard]] double smallest_cell(const GridCase& grid, int axis);
[[nodiscard]] double smallest_cell(const GridCase& grid);

/// Cells across a sphere, cylinder or box that moves, along the axis that has the fewest, where
/// they are smallest; none of others.
[[nodiscard]] std::optional<double> cells_across(const SolidCase& body, const Case& read);
/// How many bodies that move need, and should have.
inline constexpr double least_cells_across = 4;
inline constexpr double fair_cells_across = 8;

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
