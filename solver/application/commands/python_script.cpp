#include "solver/application/commands/python_script.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "solver/application/commands/shared_files.hpp"
#include "solver/core/error.hpp"
#include "solver/files/run_files.hpp"

namespace dns {
namespace {

/// Starts python3 with `arguments` and stdin from `input`. Returns 0 or an error number.
int start_python(std::vector<std::string> arguments, int input, ScriptOutput output, pid_t& child) {
  arguments.insert(arguments.begin(), "python3");
  std::vector<char*> words;
  words.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  if (output == ScriptOutput::messages)
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  const int failure = posix_spawnp(&child, "python3", &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return failure;
}

void write_input(int end, const std::string& input) {
  // A script that ends early must not end this program.
  auto* const before = std::signal(SIGPIPE, SIG_IGN);
  for (std::size_t written = 0; written < input.size();) {
    const ssize_t count = ::write(end, input.data() + written, input.size() - written);
    if (count < 0 && errno != EINTR) break;
    if (count > 0) written += static_cast<std::size_t>(count);
  }
  std::signal(SIGPIPE, before);
}

/// The exit code that a shell would give.
int wait_for(pid_t child, const std::string& script) {
  constexpr int ended_by_interrupt = 128 + SIGINT;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw IoError(system_message(script, "waiting for its end", errno));
  }
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  if (WTERMSIG(status) == SIGINT) return ended_by_interrupt;
  throw IoError(fmt::format(
      "{} was ended by signal {} ({})", script, WTERMSIG(status), strsignal(WTERMSIG(status))));
}

}  // namespace

int run_python_script(const PythonScript& script,
                      std::vector<std::string> arguments,
                      const std::string& input,
                      ScriptOutput output) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw IoError(system_message(script.name, "making a pipe", errno));
  arguments.insert(arguments.begin(), shared_file("scripts/" + script.name));
  pid_t child = -1;
  const int failure = start_python(std::move(arguments), ends[0], output, child);
  ::close(ends[0]);
  if (failure == 0) write_input(ends[1], input);
  ::close(ends[1]);
  if (failure == 0) return wait_for(child, script.name);
  throw IoError(
      fmt::format("{} needs python3, but it cannot be started ({}); on Debian and Ubuntu type: "
                  "apt-get install {}",
                  script.verb,
                  std::strerror(failure),
                  script.packages));
}

}  // namespace dns
