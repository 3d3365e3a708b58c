#include "solver/application/run/live_page.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>
#include <vector>

#include "solver/application/commands/python_script.hpp"
#include "solver/core/error.hpp"
#include "solver/core/system_errors.hpp"

namespace dns {
namespace {

constexpr const char* live_option = "--live";

/// Starts a program whose stdout is `output`, and which no signal to a group of processes or to the
/// whole job reaches: it ends when the run ends. Throws IoError.
pid_t start(std::vector<std::string> words, const FileDescriptor& output) {
  std::vector<char*> values;
  for (std::string& word : words) values.push_back(word.data());
  values.push_back(nullptr);
  posix_spawn_file_actions_t streams;
  posix_spawnattr_t attributes;
  sigset_t all;
  sigfillset(&all);
  posix_spawn_file_actions_init(&streams);
  posix_spawn_file_actions_adddup2(&streams, output.number(), STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&streams, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&attributes, &all);
  pid_t process = -1;
  const int error =
      ::posix_spawnp(&process, values[0], &streams, &attributes, values.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&streams);
  if (error != 0) throw IoError(system_message(live_option, "starting " + words[0], error));
  return process;
}

}  // namespace

LivePage::LivePage(const std::string& directory, int port) {
  const PythonScript script{.name = "live_run.py", .verb = live_option, .packages = "python3"};
  const std::vector<std::string> words{"python3",
                                       path_of(script),
                                       "--beside-run",
                                       "--port=" + std::to_string(port),
                                       "--",
                                       directory};
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw IoError(system_message(live_option, "making a pipe", errno));
  told_ = FileDescriptor(ends[0]);
  {
    const FileDescriptor output(ends[1]);
    process_ = start(words, output);
  }
  constexpr std::size_t most_bytes = 4096;
  while (!address_.ends_with("\n\n")) {
    const std::string more = told_.read_some(most_bytes, live_option);
    if (more.empty()) throw IoError("");
    address_ += more;
  }
  address_.resize(address_.size() - 2);
}

LivePage::~LivePage() {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds longest{3000};
  constexpr std::chrono::milliseconds turn{5};
  told_ = FileDescriptor(-1);
  const auto end = Clock::now() + longest;
  while (::waitpid(process_, nullptr, WNOHANG) == 0) {
    if (Clock::now() > end) {
      ::kill(process_, SIGKILL);
      return;
    }
    std::this_thread::sleep_for(turn);
  }
}

}  // namespace dns
