/// Where particles have left a run, as columns, numbers and words.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/core/reduction.hpp"
#include "solver/numerics/particle_step.hpp"

namespace dns {

/// Particles that have left through a face, or were absorbed by it, or by bodies.
struct ParticleCounts {
  std::array<double, 6> out{}, deposited{};
  double in_bodies = 0;
  double fast = 0;  // steps of particles with Re_p above 1000

  friend ParticleCounts operator+(ParticleCounts one, const ParticleCounts& other) {
    for (std::size_t face = 0; face < one.out.size(); ++face) {
      one.out.at(face) += other.out.at(face);
      one.deposited.at(face) += other.deposited.at(face);
    }
    one.in_bodies += other.in_bodies;
    one.fast += other.fast;
    return one;
  }
};

/// What a species feels in a fluid of this viscosity [U L].
[[nodiscard]] ParticleLaw law_of(const SpeciesCase& species, double viscosity);

/// What a particle of a species that acts on the fluid takes from it.
[[nodiscard]] ParticleCoupling coupling_of(const SpeciesCase& species);
/// The mass of `count` particles over that of the fluid in the box or, if that is more, the mass of
/// one over that in the smallest cell.
[[nodiscard]] double mass_loading(const Case& resolved, const SpeciesCase& species, double count);

/// Columns of the time series for all species: NAME_count, NAME_out_FACE for inflows and outflows,
/// NAME_deposited_FACE for walls and NAME_deposited_solids for bodies that absorb, NAME_fast with
/// the drag of Schiller and Naumann, NAME_force_AXIS where it acts on the fluid.
[[nodiscard]] std::vector<std::string> names_of_particle_counts(const Case& resolved);
/// Appends the values of the columns of a species but for forces.
void add_particle_counts(const Case& resolved,
                         const SpeciesCase& species,
                         double here,
                         const ParticleCounts& counts,
                         std::vector<double>& values);

/// The numbers of a copy for restart, and back.
[[nodiscard]] std::vector<NamedNumber> numbers_of(const Case& resolved,
                                                  const SpeciesCase& species,
                                                  const ParticleCounts& counts);
[[nodiscard]] ParticleCounts counts_in(const ParticleCopy& copy);
/// The counts among the sums of ReadCounters and ReadFurtherCounters.
template <class Counted, class Further>
[[nodiscard]] ParticleCounts counts_in(const Counted& counted, const Further& further) {
  ParticleCounts counts;
  for (std::size_t face = 0; face < counts.out.size(); ++face) {
    counts.out.at(face) = counted.sum[1 + face];
    counts.deposited.at(face) = counted.sum[7 + face];
  }
  counts.in_bodies = further.sum[0];
  counts.fast = further.sum[1];
  return counts;
}

/// The particles of a copy by the name of their species; null: it has none.
[[nodiscard]] const ParticleCopy* find_particles(const FlowState& copy, const std::string& name);

/// What to say where a particle gives the fluid more than sums have room for; found: see
/// message_of_stray.
[[nodiscard]] std::string message_of_strong(const std::string& species,
                                            std::int64_t id,
                                            const std::array<double, 7>& found);
/// found: 1, place, velocity.
[[nodiscard]] std::string message_of_stray(const std::string& species,
                                           std::int64_t id,
                                           const std::array<double, 7>& found);

}  // namespace dns
