/// The section `boundaries` of a case file.
#pragma once

#include <array>

#include "solver/config/case.hpp"
#include "solver/config/value_reader.hpp"

namespace dns {

/// Reads the conditions of all faces, see face_index; what is wrong becomes a problem.
std::array<FaceCase, 6> read_boundaries(ValueReader& reader);

}  // namespace dns
