/// How much memory a case takes.
#pragma once

#include <cstddef>

#include "solver/config/case.hpp"

namespace dns {

/// Layers (four fields each) that a run holds: layer n, S or D, N before and after relaxation; one
/// more to watch the change of N over a global iteration.
int layers_needed(const Case& resolved);

/// A GPU solves lines of at most so many points without work space in its main memory.
inline constexpr int longest_line_on_chip = 1024;

/// Words that eliminated rows of longer lines take there; 0 where there are none.
std::size_t sweep_workspace_words(const Case& resolved);

}  // namespace dns
