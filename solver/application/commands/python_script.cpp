#include "solver/application/commands/python_script.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "solver/application/commands/commands.hpp"
#include "solver/application/commands/shared_files.hpp"
#include "solver/core/error.hpp"
#include "solver/core/system_errors.hpp"
#include "solver/run/machine_findings.hpp"

namespace dns {
namespace {

/// As one word for the shell.
std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char letter : word) text += letter == '\'' ? "'\\''" : std::string(1, letter);
  return text + "'";
}

/// A script about a run's folder. It refuses what is not right in its options, and uses the exit
/// codes of this program.
ExitCode script_about_run(const PythonScript& script, const Command& command) {
  std::vector<std::string> arguments = command.script_options;
  arguments.insert(arguments.end(), {"--", command.target});
  return static_cast<ExitCode>(run_python_script(script, arguments, "", ScriptOutput::results));
}

}  // namespace

std::string path_of(const PythonScript& script) {
  if (found_in_path("python3").empty()) {
    throw IoError(
        fmt::format("{} needs python3, but it cannot be started (not on the PATH); on Debian and "
                    "Ubuntu type: apt-get install {}",
                    script.verb,
                    script.packages));
  }
  return shared_file("scripts/" + script.name);
}

int run_python_script(const PythonScript& script,
                      const std::vector<std::string>& arguments,
                      const std::string& input,
                      ScriptOutput output) {
  std::string command = "exec python3 " + quoted(path_of(script));
  for (const std::string& argument : arguments) command += " " + quoted(argument);
  if (output == ScriptOutput::messages) command += " >&2";
  std::FILE* const pipe = ::popen(command.c_str(), "we");
  if (pipe == nullptr) throw IoError(system_message(script.name, "starting it", errno));
  // A script that ends early must not end this program.
  auto* const before = std::signal(SIGPIPE, SIG_IGN);
  std::fwrite(input.data(), 1, input.size(), pipe);
  const int status = ::pclose(pipe);
  std::signal(SIGPIPE, before);
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  constexpr int ended_by_interrupt = 128 + SIGINT;  // the exit code that a shell would give
  if (WTERMSIG(status) == SIGINT) return ended_by_interrupt;
  throw IoError(fmt::format("{} was ended by signal {} ({})",
                            script.name,
                            WTERMSIG(status),
                            strsignal(WTERMSIG(status))));
}

ExitCode plot(const Command& command) {
  return script_about_run(
      {.name = "plot_run.py", .verb = "dns plot", .packages = "python3-h5py python3-matplotlib"},
      command);
}

ExitCode live(const Command& command) {
  return script_about_run({.name = "live_run.py", .verb = "dns live", .packages = "python3"},
                          command);
}

ExitCode average(const Command& command) {
  return script_about_run(
      {.name = "average_run.py", .verb = "dns average", .packages = "python3-h5py"}, command);
}

ExitCode export_run(const Command& command) {
  return script_about_run(
      {.name = "export_run.py", .verb = "dns export", .packages = "python3-h5py"}, command);
}

ExitCode sweep(const Command& command) {
  const PythonScript script{
      .name = "sweep_case.py", .verb = "dns sweep", .packages = "python3-h5py"};
  std::vector<std::string> words{"python3", path_of(script)};
  words.insert(words.end(), command.script_options.begin(), command.script_options.end());
  words.push_back("--program=" + std::filesystem::read_symlink("/proc/self/exe").string());
  words.insert(words.end(), {"--", command.target});
  std::vector<char*> values;
  for (std::string& word : words) values.push_back(word.data());
  values.push_back(nullptr);
  ::execvp(values[0], values.data());
  throw IoError(system_message(script.name, "starting it", errno));
}

}  // namespace dns
