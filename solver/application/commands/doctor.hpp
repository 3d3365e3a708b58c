/// `dns doctor`: what this machine and this build offer.
#pragma once

#include <string>
#include <vector>

#include "solver/application/exit_code.hpp"
#include "solver/application/terminal/command_line.hpp"
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

/// Prints all findings, one line each with its cure below. The code is `device` when there is
/// neither a processor nor a GPU that the program can run on.
ExitCode doctor(const Command& command);

}  // namespace dns
