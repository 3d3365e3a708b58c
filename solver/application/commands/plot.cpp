#include <string>
#include <vector>

#include "solver/application/commands/commands.hpp"
#include "solver/application/commands/python_script.hpp"

namespace dns {

ExitCode plot(const Command& command) {
  const PythonScript script{
      .name = "plot_run.py", .verb = "dns plot", .packages = "python3-h5py python3-matplotlib"};
  std::vector<std::string> arguments = command.plot_options;
  arguments.insert(arguments.end(), {"--", command.target});
  // The script refuses what is not right in its options, and uses the exit codes of this program.
  return static_cast<ExitCode>(run_python_script(script, arguments, "", ScriptOutput::results));
}

}  // namespace dns
