/// The exit codes of the program.
#pragma once

namespace dns {

enum class ExitCode : int {
  finished = 0,
  bug = 1,             // ours
  wrong_usage = 2,     // command line or case file
  input_output = 3,    // a file could not be read or written
  diverged = 4,        // NaN, infinite values, CFL runaway
  device = 5,          // device missing or out of memory
  stopped_early = 75,  // with a checkpoint: `dns resume` goes on
  interrupted = 130,   // second Ctrl-C or SIGTERM
};

}  // namespace dns
