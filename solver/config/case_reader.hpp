/// From the values of a case file to a Case.
#pragma once

#include <string>

#include "solver/config/case.hpp"
#include "solver/config/value_reader.hpp"

namespace dns {

/// Reads every key and checks the rules between keys. `default_name` names a case without a name.
/// Mistakes are added to the reader's problems; the Case is valid only when there are none.
Case read_case(ValueReader& reader, const std::string& default_name);

}  // namespace dns
