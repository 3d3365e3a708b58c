/// Programs that this one starts.
#pragma once

#include <string>

namespace dns {

/// Where the shell would find `program`; empty when nowhere.
std::string found_in_path(const std::string& program);

}  // namespace dns
