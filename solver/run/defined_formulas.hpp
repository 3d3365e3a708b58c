/// Formulas that have no value.
#pragma once

#include "solver/config/case.hpp"

namespace dns {

/// Evaluates the formulas of the start, of faces, forces, sources and sponges on planes across z,
/// 16 at most and of a million points in all, at the time that the run begins at. Throws CaseError,
/// naming key, place and value, where one is not finite. Surfaces of bodies are left to
/// find_solid_points, which evaluates them everywhere.
void require_defined_formulas(const Case& resolved);

}  // namespace dns
