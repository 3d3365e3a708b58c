#include "solver/application/plot_script.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <vector>

#include "solver/core/error.hpp"
#include "solver/output/run_files.hpp"

namespace dns {
namespace {

/// Beside an installed program, else in the sources it was built from.
std::string script_path() {
  std::error_code none;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", none);
  const auto installed = program.parent_path().parent_path() / "share/dns/plot_bench.py";
  if (std::filesystem::exists(installed, none)) return installed.string();
  return DNS_SCRIPTS_FOLDER "/plot_bench.py";
}

/// Runs the script with `input` on its stdin; its stdout goes to our stderr, which is not for
/// results. Throws IoError when it does not end well; what was wrong it says itself.
void run_script(std::vector<std::string> arguments, const std::string& input) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw IoError(system_message("plot_bench.py", "making a pipe", errno));
  }
  const std::string script = script_path();
  arguments.insert(arguments.begin(), {"python3", script});
  std::vector<char*> words;
  words.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  pid_t child = -1;
  const int failure = posix_spawnp(&child, "python3", &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[0]);
  if (failure != 0) {
    ::close(ends[1]);
    throw IoError(fmt::format(
        "--plot needs python3 with matplotlib, but python3 cannot be started ({}); on Debian: "
        "apt-get install python3-matplotlib",
        std::strerror(failure)));
  }
  // A script that ends early must not end us.
  auto* const before = std::signal(SIGPIPE, SIG_IGN);
  for (std::size_t written = 0; written < input.size();) {
    const ssize_t count = ::write(ends[1], input.data() + written, input.size() - written);
    if (count < 0 && errno != EINTR) break;
    if (count > 0) written += static_cast<std::size_t>(count);
  }
  ::close(ends[1]);
  std::signal(SIGPIPE, before);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  throw IoError(fmt::format("--plot: {} failed", script));
}

}  // namespace

void require_plot_script() {
  run_script({"--check"}, "");
}

void draw_measurements(const std::string& measurements, const std::string& path) {
  run_script({"-", "-o", path}, measurements);
}

}  // namespace dns
