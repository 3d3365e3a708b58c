/// From the values of a case file to a Case. Mistakes are added to the problems of the ValueReader.
#pragma once

#include <array>
#include <string>

#include "solver/config/case.hpp"
#include "solver/config/value_reader.hpp"

namespace dns {

/// Reads every key and checks the rules between keys. `default_name` names a case without a name.
/// The Case is valid only when there are no problems.
Case read_case(ValueReader& reader, const std::string& default_name);

// Each reads the keys of its section into the case and checks the rules between them. The sections
// before it have been read.

void read_grid(ValueReader& reader, Case& read);
/// Reads temperature and other scalars; the starts of these are checked once boundaries, solids and
/// starts are known.
void read_scalars(ValueReader& reader, Case& read);
void check_mean_gradients(ValueReader& reader, const Case& read);
/// Why a mean of output.statistics.quantities cannot have its name; empty where it can. (The rules
/// are those of the names of scalars.)
[[nodiscard]] std::string obstacle_to_quantity(const std::string& name, const Case& read);
/// Refuses names in section `path` that no scalar of the case has.
void refuse_unknown_scalars(ValueReader& reader, const Case& read, const std::string& path);
void read_boundaries(ValueReader& reader, Case& read);
void read_solids(ValueReader& reader, Case& read);
/// Refuses motions of bodies that the rest of the case does not allow. Requires that time was read.
void check_motion(ValueReader& reader, const Case& read);
void read_particles(ValueReader& reader, Case& read);
/// Variables of the formulas of positions.
inline const std::array<std::string, 4> variables_of_places{"n", "r1", "r2", "r3"};
/// Refuses formulas of positions or velocities that name t, or x, y, z where they may not.
void refuse_places_in_formulas(ValueReader& reader,
                               const std::string& path,
                               const PerAxis<Expression>& formulas,
                               bool may_have_places);
void read_forcing(ValueReader& reader, Case& read);
void read_initial(ValueReader& reader, Case& read);
void read_accuracy(ValueReader& reader, Case& read);
void read_time(ValueReader& reader, Case& read);
/// The rules of output.slices, output.planes, output.probes, where they are given.
void check_slices(ValueReader& reader, Case& read);
void check_planes(ValueReader& reader, const Case& read);
void check_probes(ValueReader& reader, Case& read);
/// The rules of output.trajectories and output.particle_statistics.
void check_particle_output(ValueReader& reader, Case& read);

}  // namespace dns
