/// Shorter forms of sections, written out before a case is read.
#pragma once

#include "solver/config/case_tree.hpp"

namespace dns {

/// Writes out in the tree of a case file:
///
///   y: wall, y: {type: wall, ...}    y_min and y_max, each of them so; not beside one of these
///   center of an endless cylinder    0 for the coordinate along its axis, of a list of two
void write_out_shorthands(CaseNode& root);

}  // namespace dns
