/// Files beside the program: scripts it runs, cases to start from, other programs.
#pragma once

#include <string>

namespace dns {

/// Where `name`, such as "configs/duct.yaml", is: in share/dns beside an installed program, else in
/// the sources it was built from. Throws IoError when it is in neither.
std::string shared_file(const std::string& name);

}  // namespace dns
