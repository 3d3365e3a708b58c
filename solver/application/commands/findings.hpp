/// What `dns doctor` looks at.
#pragma once

#include <string>
#include <vector>

#include "solver/core/device_facts.hpp"

namespace dns {

/// One thing that was looked at.
struct Finding {
  std::string name;
  std::string found;
  std::string cure;  // what to do; empty: nothing is missing
};

/// Processor and threads, memory, disk, folder.
std::vector<Finding> host_findings(const DeviceFacts& devices);

/// Libraries, and the programs that show results.
std::vector<Finding> software_findings(const DeviceFacts& devices);

}  // namespace dns
