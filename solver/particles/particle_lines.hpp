/// The polynomials between the points of an axis, for particles.
#pragma once

#include <array>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/grid/staggered_grid.hpp"
#include "solver/numerics/particle_velocity.hpp"
#include "solver/particles/divergence_free_lines.hpp"

namespace dns {

/// What lies at both ends of an axis of a case, for a species.
[[nodiscard]] std::array<ParticleEnd, 2> particle_ends(const Case& resolved,
                                                       const SpeciesCase& species,
                                                       int axis);

/// The tables of an axis on the host, see ParticleAxis; they do not depend on the species.
struct ParticleLines {
  /// Requires three cells at least.
  ParticleLines(const Case& resolved, const StaggeredAxis& axis, int number);

  std::vector<double> faces, centres;
  std::vector<ParticleInterval> at_faces, at_centres;
  std::vector<int> buckets;
  double buckets_per_length = 0;
  DivergenceFreeLines divergence_free;

  /// The axis, with tables on the host.
  [[nodiscard]] ParticleAxis on_host(const std::array<ParticleEnd, 2>& ends) const;
};

}  // namespace dns
