#include "solver/particles/particle_counts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dns {
namespace {

/// Calls use(name, face, is_out) for the faces through which, or on which, a species may leave.
template <class Use>
void for_each_way(const Case& resolved, const SpeciesCase& species, const Use& use) {
  for (int face = 0; face < resolved.faces.size(); ++face) {
    const FaceKind kind = resolved.faces[face].kind;
    if (kind == FaceKind::inflow || kind == FaceKind::outflow)
      use("out_" + face_names[face], face, true);
    if (kind == FaceKind::wall && species.walls == SpeciesCase::Walls::absorb)
      use("deposited_" + face_names[face], face, false);
  }
}

double count_of(const ParticleCounts& counts, int face, bool is_out) {
  return (is_out ? counts.out : counts.deposited).at(static_cast<std::size_t>(face));
}

}  // namespace

ParticleLaw law_of(const SpeciesCase& species, double viscosity) {
  if (species.is_tracer()) return {};
  const double c = species.added_mass();
  const double inertia = *species.density + c;
  ParticleLaw law{.response_time = species.response_time(viscosity),
                  .diameter = *species.diameter,
                  .reynolds_of_slip = *species.diameter / viscosity,
                  .has_finite_reynolds = species.drag == SpeciesCase::Drag::schiller_naumann};
  if (species.has_force("gravity") && species.gravity) {
    for (int axis = 0; axis < 3; ++axis)
      law.gravity[axis] = (*species.density - 1) / inertia * (*species.gravity)[axis];
  }
  const double b = species.has_force("pressure_gradient") ? 1 : 0;
  law.of_material_derivative = (b + c) / inertia;
  return law;
}

std::vector<std::string> names_of_particle_counts(const Case& resolved) {
  std::vector<std::string> names;
  for (const SpeciesCase& species : resolved.particles) {
    names.push_back(species.name + "_count");
    for_each_way(resolved, species, [&](const std::string& name, int /*face*/, bool /*is_out*/) {
      names.push_back(species.name + "_" + name);
    });
  }
  return names;
}

void add_particle_counts(const Case& resolved,
                         const SpeciesCase& species,
                         double here,
                         const ParticleCounts& counts,
                         std::vector<double>& values) {
  values.push_back(here);
  for_each_way(resolved, species, [&](const std::string& /*name*/, int face, bool is_out) {
    values.push_back(count_of(counts, face, is_out));
  });
}

std::vector<NamedNumber> numbers_of(const Case& resolved,
                                    const SpeciesCase& species,
                                    const ParticleCounts& counts) {
  std::vector<NamedNumber> numbers;
  for_each_way(resolved, species, [&](const std::string& name, int face, bool is_out) {
    numbers.push_back({name, count_of(counts, face, is_out)});
  });
  return numbers;
}

ParticleCounts counts_in(const ParticleCopy& copy) {
  ParticleCounts counts;
  for (const NamedNumber& number : copy.numbers) {
    for (std::size_t face = 0; face < counts.out.size(); ++face) {
      const std::string& name = face_names[static_cast<int>(face)];
      if (number.name == "out_" + name) counts.out.at(face) = number.value;
      if (number.name == "deposited_" + name) counts.deposited.at(face) = number.value;
    }
  }
  return counts;
}

const ParticleCopy* find_particles(const FlowState& copy, const std::string& name) {
  const auto found = std::ranges::find(copy.particles, name, &ParticleCopy::name);
  return found == copy.particles.end() ? nullptr : &*found;
}

std::string message_of_stray(const std::string& species,
                             std::int64_t id,
                             const std::array<double, 7>& found) {
  return fmt::format(
      "particle {} of {}, at ({:g}, {:g}, {:g}) with the velocity ({:g}, {:g}, {:g}), would have "
      "moved further than 2 cells along an axis in one step; take a smaller time.step, or a "
      "smaller "
      "time.cfl",
      id,
      species,
      found[1],
      found[2],
      found[3],
      found[4],
      found[5],
      found[6]);
}

}  // namespace dns
