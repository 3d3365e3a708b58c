#include "solver/config/particles_in_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "solver/config/smallest_cells.hpp"

namespace dns {
namespace {

/// Volume of the particles of a release over that of the box.
double volume_loading(const Case& resolved, const SpeciesCase& species) {
  const PerAxis<double>& length = resolved.grid.length;
  return static_cast<double>(species.count) * species.represents * volume_of_particle(species) /
         (length[0] * length[1] * length[2]);
}

/// Memory that a particle takes, without what sorting needs, and diameters of a file.
std::size_t bytes_of_particle(const Case& resolved, const SpeciesCase& species) {
  constexpr std::size_t number = sizeof(double);
  const bool has_stages = resolved.time.scheme == TimeScheme::runge_kutta;
  const int vectors =
      (species.acts_on_flow() && has_stages ? 1 : 0) + (are_unwrapped(resolved, species) ? 1 : 0);
  return 4 * number + 3 * bytes_of(resolved.precision) + 3 * vectors * number;
}

std::string species_in_words(const Case& resolved, const SpeciesCase& species, double step) {
  std::string words = species.name + ": ";
  words += species.file
               ? "particles of a file"
               : fmt::format("{} {}", species.count, species.count == 1 ? "particle" : "particles");
  if (species.release.every.is_any()) words += " in each release";
  words += fmt::format(", {} bytes each", bytes_of_particle(resolved, species));
  if (species.is_tracer()) return words + ", tracers";
  const double tau = species.response_time(resolved.viscosity());
  words += fmt::format(", tau {:.3g}", tau);
  if (std::isfinite(step)) words += fmt::format(", dt/tau {:.3g}", step / tau);
  words += fmt::format(", d {:.3g} of the smallest cell",
                       *species.diameter / smallest_cell(resolved.grid));
  if (species.file) return words;
  const double loading = volume_loading(resolved, species);
  return words + fmt::format(", volume loading {:.2g}, mass loading {:.2g}",
                             loading,
                             loading * *species.density);
}

}  // namespace

double volume_of_particle(const SpeciesCase& species) {
  const double d = *species.diameter;
  return std::numbers::pi / 6 * d * d * d;
}

bool are_unwrapped(const Case& resolved, const SpeciesCase& species) {
  const auto& tracks = resolved.output.trajectories;
  return tracks && std::ranges::any_of(tracks->species, [&](const TracksCase& of) {
           return of.name == species.name && of.has(unwrapped_name);
         });
}

bool is_pushed_by_particles(const Case& resolved) {
  return std::ranges::any_of(resolved.particles, &SpeciesCase::acts_on_flow);
}

std::vector<std::string> particles_in_words(const Case& resolved, double step) {
  std::vector<std::string> lines;
  for (const SpeciesCase& species : resolved.particles)
    lines.push_back(species_in_words(resolved, species, step));
  return lines;
}

std::vector<std::string> warnings_about_particles(const Case& resolved) {
  constexpr double large = 0.5;   // d over the smallest cell
  constexpr double dense = 1e-3;  // volume loading
  constexpr double heavy = 0.1;   // mass loading
  constexpr double felt = 0.1;    // d over the smallest cell, in two-way coupling
  std::vector<std::string> warnings;
  for (const SpeciesCase& species : resolved.particles) {
    if (species.is_tracer()) continue;
    const double size = *species.diameter / smallest_cell(resolved.grid);
    if (size > large) {
      warnings.push_back(
          fmt::format("particles.{}: its diameter is {:.2g} of the smallest cell: the "
                      "flow around points of that size is not resolved",
                      species.name,
                      size));
    }
    const bool acts = species.acts_on_flow();
    if (acts && size > felt) {
      warnings.push_back(fmt::format(
          "particles.{}: with a diameter of {:.2g} of the smallest cell, particles feel "
          "the flow that they make themselves: their drag is too small, by about that "
          "part",
          species.name,
          size));
    }
    const double loading = volume_loading(resolved, species);
    if (loading > dense) {
      warnings.push_back(
          fmt::format("particles.{}: they fill {:.2g} of the box: they would collide, "
                      "and do not here",
                      species.name,
                      loading));
    }
    if (!acts && loading * *species.density > heavy) {
      warnings.push_back(
          fmt::format("particles.{}: their mass is {:.2g} of that of the fluid: they "
                      "would change the flow, and do not with coupling: none",
                      species.name,
                      loading * *species.density));
    }
  }
  return warnings;
}

}  // namespace dns
