/// The sections of a case file that have a reader each. Mistakes are added to the problems of the
/// ValueReader.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/config/value_reader.hpp"

namespace dns {

/// Section `grid`: cells or nodes, size and stretching. Files are found from `folder`, that of the
/// case file.
GridCase read_grid(ValueReader& reader, const std::string& folder);

/// Section `boundaries`: the conditions of all faces, see face_index. Files are found from
/// `folder`, that of the case file.
std::array<FaceCase, 6> read_boundaries(ValueReader& reader, const std::string& folder);

/// Section `solids`: bodies in the flow. Files are found from `folder`, that of the case file.
std::vector<SolidCase> read_solids(ValueReader& reader, const std::string& folder);

/// Section `forcing`: what drives the flow besides its boundaries. `read` holds the case up to its
/// faces.
ForcingCase read_forcing(ValueReader& reader, const Case& read);

/// Section `initial`: the flow at the start. `read` holds the case up to its faces.
InitialCase read_initial(ValueReader& reader, const Case& read);

/// Section `time`: steps, their number and the iterations of a step.
TimeCase read_time(ValueReader& reader);

/// output.slices: which planes of the flow are drawn, defaults filled in. `read` holds the case up
/// to its output.
SlicesCase read_slices(ValueReader& reader, const Case& read);

/// output.planes: which planes of the flow are recorded. `read` holds the case up to its output.
PlanesCase read_planes(ValueReader& reader, const Case& read);

/// output.probes: which points of the flow are recorded. `read` holds the case up to its output.
ProbesCase read_probes(ValueReader& reader, const Case& read);

/// A name that can be part of a file name on every system: letters, digits, '_' and '-', 50 at
/// most.
bool is_plane_name(const std::string& name);

/// "inlet_00000120": planes_inlet_00000120.h5 is a piece of the records called inlet.
bool ends_like_a_piece(const std::string& name);

/// Where a plane normal to an axis cuts it, given at `path`; `otherwise` where it is not given. One
/// outside of the box is a mistake.
double read_place_of_plane(
    ValueReader& reader, const std::string& path, const GridCase& grid, int axis, double otherwise);

}  // namespace dns
