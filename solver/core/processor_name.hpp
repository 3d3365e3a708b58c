/// The processor that this program runs on.
#pragma once

#include <string>

namespace dns {

/// Its name as /proc/cpuinfo has it.
[[nodiscard]] std::string processor_name();

}  // namespace dns
