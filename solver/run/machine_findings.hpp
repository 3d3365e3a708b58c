/// What this machine and this build offer a run, and what they lack.
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

/// Finding on what cannot be used, from an obstacle "why; cure".
Finding finding_of_obstacle(const std::string& name, const std::string& obstacle);

/// Build, processor, threads, memory, disk, folder, GPUs and libraries, in this order.
std::vector<Finding> machine_findings(const DeviceFacts& devices);

/// Where the shell would find `program`; empty when nowhere.
std::string found_in_path(const std::string& program);

}  // namespace dns
