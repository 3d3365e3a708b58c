/// Reads output.slices: which planes of the flow are drawn.
#pragma once

#include "solver/config/case.hpp"
#include "solver/config/value_reader.hpp"

namespace dns {

/// What is read, defaults filled in; mistakes become problems of `reader`. `read` holds the case
/// up to its output.
SlicesCase read_slices(ValueReader& reader, const Case& read);

}  // namespace dns
