/// What a case is about, for `dns info`.
#pragma once

#include "solver/application/commands/facts.hpp"
#include "solver/config/case.hpp"

namespace dns {

/// The lines that a run prints first. As JSON `case` with name,
/// scheme, device, precision, points, length and origin (along x, y, z), reynolds, prandtl (where
/// there is a temperature), steps (null: until `end`), end and cfl (where given), solids (names of
/// bodies).
void add_case_facts(const Case& resolved, Facts& facts);

}  // namespace dns
