/// The sections of a case file that have a reader each. Mistakes are added to the problems of the
/// ValueReader.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/config/value_reader.hpp"

namespace dns {

// Each reads the keys of its section into the case, of which the sections before it are read, and
// checks the rules between them. Files are found from `folder`, that of the case file.

void read_grid(ValueReader& reader, Case& read, const std::string& folder);
void read_boundaries(ValueReader& reader, Case& read, const std::string& folder);
void read_solids(ValueReader& reader, Case& read, const std::string& folder);
void read_forcing(ValueReader& reader, Case& read);
void read_initial(ValueReader& reader, Case& read);
/// accuracy and time.scheme.
void read_accuracy(ValueReader& reader, Case& read);
void read_time(ValueReader& reader, Case& read);
/// Refuses what time.scheme runge_kutta does not have; requires the whole flow and time.
void check_runge_kutta(ValueReader& reader, const Case& read);
/// output.slices, output.planes, output.probes, where they are given.
void read_slices(ValueReader& reader, Case& read);
void read_planes(ValueReader& reader, Case& read);
void read_probes(ValueReader& reader, Case& read);

/// Adds a problem where `name`, of a plane or probe at `path`, cannot be part of the name of a file
/// of records on every system: letters, digits, '_' and '-', 50 at most, and not the ending of a
/// piece of other records. Returns whether it can.
bool check_name_of_file(ValueReader& reader,
                        const std::string& path,
                        const std::string& what,
                        const std::string& name);

/// Adds a mistake where `at`, given at `path`, is no place of the box on `axis`.
void check_place_of_plane(
    ValueReader& reader, const std::string& path, const GridCase& grid, int axis, double at);

}  // namespace dns
