#include "solver/particles/particle_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "solver/config/particles_in_words.hpp"
#include "solver/config/smallest_cells.hpp"

namespace dns {
namespace {

/// Calls use(name, number) for the ways in which a species may leave, and for steps that its law of
/// drag is not for; number(counts): how many did, or were.
template <class Use>
void for_each_way(const Case& resolved, const SpeciesCase& species, const Use& use) {
  for (int face = 0; face < resolved.faces.size(); ++face) {
    const FaceKind kind = resolved.faces[face].kind;
    const auto out = [=](auto& counts) -> auto& {
      return counts.out.at(face);
    };
    const auto deposited = [=](auto& counts) -> auto& {
      return counts.deposited.at(face);
    };
    if (kind == FaceKind::inflow || kind == FaceKind::outflow) use("out_" + face_names[face], out);
    if (kind == FaceKind::wall && species.walls == SpeciesCase::Walls::absorb)
      use("deposited_" + face_names[face], deposited);
  }
  const auto in_bodies = [](auto& counts) -> auto& {
    return counts.in_bodies;
  };
  if (!resolved.solids.empty() && species.walls == SpeciesCase::Walls::absorb)
    use(std::string("deposited_solids"), in_bodies);
  const auto fast = [](auto& counts) -> auto& {
    return counts.fast;
  };
  if (!species.is_tracer() && species.drag == SpeciesCase::Drag::schiller_naumann)
    use(std::string("fast"), fast);
}

/// "particle 7 of dust, at (x, y, z) with the velocity (u, v, w)"; found: 1, place, velocity.
std::string where_it_is(const std::string& species,
                        std::int64_t id,
                        const std::array<double, 7>& found) {
  return fmt::format(
      "particle {} of {}, at ({:g}, {:g}, {:g}) with the velocity ({:g}, {:g}, {:g})",
      id,
      species,
      found[1],
      found[2],
      found[3],
      found[4],
      found[5],
      found[6]);
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

ParticleCoupling coupling_of(const SpeciesCase& species) {
  const double volume = species.represents * volume_of_particle(species);
  ParticleCoupling coupling{.mass = *species.density * volume};
  for (int axis = 0; axis < 3 && species.has_force("gravity"); ++axis)
    coupling.weight[axis] = (*species.density - 1) * volume * (*species.gravity)[axis];
  return coupling;
}

double mass_loading(const Case& resolved, const SpeciesCase& species, double count) {
  const double mass = coupling_of(species).mass;
  const PerAxis<double>& length = resolved.grid.length;
  double cell = 1;
  for (int axis = 0; axis < 3; ++axis) cell *= smallest_cell(resolved.grid, axis);
  return std::max(count * mass / (length[0] * length[1] * length[2]), mass / cell);
}

std::vector<std::string> names_of_particle_counts(const Case& resolved) {
  std::vector<std::string> names;
  for (const SpeciesCase& species : resolved.particles) {
    names.push_back(species.name + "_count");
    for_each_way(resolved, species, [&](const std::string& name, const auto& /*number*/) {
      names.push_back(species.name + "_" + name);
    });
    if (!species.acts_on_flow()) continue;
    for (const std::string& axis : axis_names) names.push_back(species.name + "_force_" + axis);
  }
  return names;
}

void add_particle_counts(const Case& resolved,
                         const SpeciesCase& species,
                         double here,
                         const ParticleCounts& counts,
                         std::vector<double>& values) {
  values.push_back(here);
  for_each_way(resolved, species, [&](const std::string& /*name*/, const auto& number) {
    values.push_back(number(counts));
  });
}

std::vector<NamedNumber> numbers_of(const Case& resolved,
                                    const SpeciesCase& species,
                                    const ParticleCounts& counts) {
  std::vector<NamedNumber> numbers;
  for_each_way(resolved, species, [&](const std::string& name, const auto& number) {
    numbers.push_back({name, number(counts)});
  });
  return numbers;
}

ParticleCounts counts_in(const ParticleCopy& copy) {
  ParticleCounts counts;
  for (const NamedNumber& number : copy.numbers) {
    for (int face = 0; face < std::ssize(counts.out); ++face) {
      const std::string& name = face_names[face];
      if (number.name == "out_" + name) counts.out.at(face) = number.value;
      if (number.name == "deposited_" + name) counts.deposited.at(face) = number.value;
    }
    if (number.name == "deposited_solids") counts.in_bodies = number.value;
    if (number.name == "fast") counts.fast = number.value;
  }
  return counts;
}

const ParticleCopy* find_particles(const FlowState& copy, const std::string& name) {
  const auto found = std::ranges::find(copy.particles, name, &ParticleCopy::name);
  return found == copy.particles.end() ? nullptr : &*found;
}

std::string message_of_strong(const std::string& species,
                              std::int64_t id,
                              const std::array<double, 7>& found) {
  return where_it_is(species, id, found) +
         ", would have given the fluid more than 1000 times its mass times U in a step, or times "
         "U/tau; take units in which velocities are near 1, or a smaller time.step";
}

std::string message_of_stray(const std::string& species,
                             std::int64_t id,
                             const std::array<double, 7>& found) {
  return where_it_is(species, id, found) +
         ", would have moved further than 2 cells along an axis in one step; take a smaller "
         "time.step, or a smaller time.cfl";
}

}  // namespace dns
