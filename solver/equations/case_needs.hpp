/// How much memory a case takes.
#pragma once

#include "solver/config/case.hpp"

namespace dns {

/// Layers (four fields each) that a run holds: layer n, N, N after relaxation, S and D; one more to
/// watch the change of N over a global iteration.
int layers_needed(const Case& resolved);

/// Words per interior point that a backend which keeps eliminated rows in its main memory needs.
int sweep_workspace_words(const Case& resolved);

}  // namespace dns
