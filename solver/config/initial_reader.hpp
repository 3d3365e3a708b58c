/// The section `initial` of a case file.
#pragma once

#include "solver/config/case.hpp"
#include "solver/config/value_reader.hpp"

namespace dns {

/// Reads the flow at the start; what is wrong becomes a problem. Of `read` the faces are known.
InitialCase read_initial(ValueReader& reader, const Case& read);

}  // namespace dns
