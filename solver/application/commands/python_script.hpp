/// Programs of scripts/ that this one starts.
#pragma once

#include <string>
#include <vector>

namespace dns {

/// A script and what it needs.
struct PythonScript {
  std::string name;      // of the file in scripts/
  std::string verb;      // the command that starts it: "dns plot"
  std::string packages;  // Debian packages of its modules
};

/// Where a script is. Throws IoError when it or python3 is missing.
std::string path_of(const PythonScript& script);

/// Where what a script prints goes.
enum class ScriptOutput { results, messages };

/// Runs a script with `input` on its stdin and waits for its end. Returns its exit code, 130
/// after Ctrl-C. The script reports its own errors. Throws IoError when python3 or the script is
/// missing, and when a signal ends it.
int run_python_script(const PythonScript& script,
                      const std::vector<std::string>& arguments,
                      const std::string& input,
                      ScriptOutput output);

}  // namespace dns
