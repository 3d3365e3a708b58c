#include "solver/application/ranks/launcher.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <thread>

#include "solver/application/run/signals.hpp"
#include "solver/core/error.hpp"
#include "solver/ranks/mpi.hpp"
#include "solver/run/machine_findings.hpp"
#include "solver/run/threads.hpp"

namespace dns {
namespace {

using Clock = std::chrono::steady_clock;

struct Variables {
  const char* launcher;
  const char* ranks;
  const char* rank;
};

/// In the order in which they count: mpirun in a job of Slurm starts its helpers by srun.
constexpr std::array<Variables, 3> launchers{
    {{"mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
     {"mpiexec", "PMI_SIZE", "PMI_RANK"},
     {"srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}}};

/// mpirun with this program and its arguments but "--ranks N" and "--ranks=N".
std::vector<std::string> command_line(int ranks, const std::vector<std::string>& arguments) {
  std::vector<std::string> words{"mpirun", "-n", std::to_string(ranks)};
  words.push_back(std::filesystem::read_symlink("/proc/self/exe").string());
  bool may_be_option = true;
  for (auto word = arguments.begin(); word != arguments.end(); ++word) {
    may_be_option = may_be_option && *word != "--";
    if (may_be_option && *word == "--ranks") {
      ++word;  // its value
    } else if (!may_be_option || !word->starts_with("--ranks=")) {
      words.push_back(*word);
    }
  }
  return words;
}

/// Tells mpirun what options would: Open MPI 4 (OMPI_) and 5 (PRTE_) name their options differently
/// and refuse those of the other, but ignore variables that they do not know. MPICH needs none.
/// What the user has set stays.
void advise_mpirun(int ranks) {
  const auto set = [](const char* name, const char* value) { setenv(name, value, 0); };
  set("OMPI_MCA_orte_execute_quiet", "1");
  set("OMPI_MCA_hwloc_base_binding_policy", "none");
  set("PRTE_MCA_hwloc_default_binding_policy", "none");
  if (ranks > available_cores()) {
    set("OMPI_MCA_rmaps_base_oversubscribe", "1");
    set("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe");
  }
  if (geteuid() == 0) {
    set("OMPI_ALLOW_RUN_AS_ROOT", "1");
    set("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
  }
}

/// In the child, between fork and exec. In a process group of its own no Ctrl-C reaches mpirun,
/// which would kill the ranks; it does not outlive its parent.
void become(std::vector<std::string> words, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _Exit(EXIT_FAILURE);
  dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);  // only the group in front may read a terminal
  std::vector<char*> values;
  for (std::string& word : words) values.push_back(word.data());
  values.push_back(nullptr);
  execvp(values[0], values.data());
  _Exit(127);
}

/// Waits for the end of mpirun, and passes signals on; `stop` asks the ranks to stop. It is given a
/// moment to get ready for them, and asked more than once: ranks that are not there yet miss the
/// first time.
int watch(pid_t child, int stop) {
  constexpr std::chrono::milliseconds turn{20};
  constexpr std::chrono::milliseconds getting_ready{500};
  constexpr std::chrono::seconds between{2};
  Clock::time_point next = Clock::now() + getting_ready;
  for (;;) {
    int status = 0;
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) return status;
    if (ended < 0 && errno != EINTR)
      throw DeviceError(
          fmt::format("waiting for mpirun: {}", std::generic_category().message(errno)));
    const bool is_asked = !stop_signal().empty();
    if (Clock::now() >= next) {
      if (take_output_request()) kill(child, SIGUSR1);
      if (is_asked) {
        kill(child, stop);
        next = Clock::now() + between;
      }
    }
    std::this_thread::sleep_for(turn);
  }
}

}  // namespace

Launched launched_here() {
  for (const Variables& variables : launchers) {
    const int ranks = number_in_environment(variables.ranks);
    if (ranks < 1 || std::getenv(variables.rank) == nullptr) continue;
    if (ranks == 1) return {};
    return {variables.launcher, number_in_environment(variables.rank), ranks};
  }
  return {};
}

int start_ranks(int ranks, const std::vector<std::string>& arguments) {
  const LibraryFacts mpi = mpi_facts();
  if (!mpi.obstacle.empty()) throw DeviceError(fmt::format("--ranks {}: {}", ranks, mpi.obstacle));
  if (found_in_path("mpirun").empty()) {
    throw DeviceError(fmt::format(
        "--ranks {}: mpirun, which starts them, is not on the PATH; {}", ranks, mpi_cure));
  }
  const std::vector<std::string> words = command_line(ranks, arguments);
  advise_mpirun(ranks);
  use_all_cores();
  handle_signals(of_launcher);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0)
    throw DeviceError(
        fmt::format("no process for mpirun: {}", std::generic_category().message(errno)));
  if (child == 0) become(words, parent);
  // mpirun of Open MPI kills the ranks after a SIGTERM; SIGUSR2 would kill that of MPICH.
  const int status = watch(child, mpi.version.starts_with("Open MPI") ? SIGUSR2 : SIGTERM);
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  throw DeviceError(fmt::format("mpirun was ended by signal {}", WTERMSIG(status)));
}

}  // namespace dns
