#include <fmt/format.h>

#include <vector>

#include "solver/application/commands/commands.hpp"
#include "solver/application/commands/draw_measurements.hpp"
#include "solver/application/commands/python_script.hpp"
#include "solver/core/error.hpp"

namespace dns {
namespace {

void run_bench_script(const std::vector<std::string>& arguments, const std::string& input) {
  const PythonScript script{
      .name = "plot_bench.py", .verb = "dns bench --plot", .packages = "python3-matplotlib"};
  if (run_python_script(script, arguments, input, ScriptOutput::messages) != 0)
    throw IoError(fmt::format("--plot: {} failed", script.name));
}

}  // namespace

ExitCode plot(const Command& command) {
  const PythonScript script{
      .name = "plot_run.py", .verb = "dns plot", .packages = "python3-h5py python3-matplotlib"};
  std::vector<std::string> arguments;
  if (!command.plot.output.empty()) arguments = {"--output=" + command.plot.output};
  if (!command.plot.step.empty()) arguments.push_back("--step=" + command.plot.step);
  arguments.insert(arguments.end(), {"--", command.target});
  // The script uses the exit codes of this program.
  return static_cast<ExitCode>(run_python_script(script, arguments, "", ScriptOutput::results));
}

void require_plot_script() {
  run_bench_script({"--check"}, "");
}

void draw_measurements(const std::string& measurements, const std::string& path) {
  run_bench_script({"-", "-o", path}, measurements);
}

}  // namespace dns
