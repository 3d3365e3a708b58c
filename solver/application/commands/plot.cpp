#include <fmt/format.h>

#include <string>
#include <utility>
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

/// The options of the script, which refuses what is not right in them.
std::vector<std::string> options_given(const PlotCommand& asked) {
  const std::vector<std::pair<std::string, std::string>> options{{"--output=", asked.output},
                                                                 {"--step=", asked.step},
                                                                 {"--time=", asked.times},
                                                                 {"--only=", asked.kinds},
                                                                 {"--plane=", asked.planes},
                                                                 {"--region=", asked.region},
                                                                 {"--variable=", asked.variables},
                                                                 {"--range=", asked.range},
                                                                 {"--scales=", asked.scales},
                                                                 {"--format=", asked.format}};
  std::vector<std::string> given;
  for (const auto& [flag, value] : options) {
    if (!value.empty()) given.push_back(flag + value);
  }
  return given;
}

}  // namespace

ExitCode plot(const Command& command) {
  const PythonScript script{
      .name = "plot_run.py", .verb = "dns plot", .packages = "python3-h5py python3-matplotlib"};
  std::vector<std::string> arguments = options_given(command.plot);
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
