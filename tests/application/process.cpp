#include "tests/application/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace dns::testing {
namespace {

std::string new_file_path() {
  std::string path = (std::filesystem::temp_directory_path() / "dns_process_XXXXXX").string();
  const int file = mkstemp(path.data());
  if (file < 0) throw std::runtime_error("no temporary file");
  close(file);
  return path;
}

void redirect(const char* path, int descriptor) {
  const int file = open(path, O_WRONLY | O_TRUNC);
  dup2(file, descriptor);
}

/// Our end of a new pseudo-terminal; negative where the system has none.
int open_terminal() {
  const int ours = posix_openpt(O_RDWR | O_NOCTTY);
  if (ours < 0) return -1;
  if (grantpt(ours) == 0 && unlockpt(ours) == 0) {
    const int theirs = open(ptsname(ours), O_RDWR | O_NOCTTY);  // fails where /dev/pts is missing
    if (theirs >= 0) {
      close(theirs);
      return ours;
    }
  }
  close(ours);
  return -1;
}

/// In the child, between fork and exec.
void take_on(const Surroundings& surroundings) {
  sigset_t blocked;  // not inherited: under a launcher that blocks SIGUSR1 mpirun never sees it
  sigemptyset(&blocked);
  if (surroundings.blocks_signals) sigfillset(&blocked);
  sigprocmask(SIG_SETMASK, &blocked, nullptr);
  for (const char* const name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"})
    setenv(name, "1", 1);
  // mpirun of Open MPI 4, and of 5: more ranks than cores, each on all cores.
  setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
  setenv("OMPI_MCA_hwloc_base_binding_policy", "none", 1);
  setenv("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe", 1);
  setenv("PRTE_MCA_hwloc_default_binding_policy", "none", 1);
  setenv("OMP_WAIT_POLICY", "passive", 1);  // tests share the cores; waiting threads must not spin
  for (const auto& [name, value] : surroundings.environment) {
    setenv(name.c_str(), value.c_str(), 1);
  }
  if (surroundings.ignores_ends_of_children) std::signal(SIGCHLD, SIG_IGN);
  if (surroundings.largest_file) {
    const auto bytes = static_cast<rlim_t>(*surroundings.largest_file);
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  if (surroundings.most_files) {
    const auto files = static_cast<rlim_t>(*surroundings.most_files);
    const rlimit limit{files, files};
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  if (surroundings.stack) {
    rlimit limit{};
    getrlimit(RLIMIT_STACK, &limit);
    limit.rlim_cur = static_cast<rlim_t>(*surroundings.stack);
    setrlimit(RLIMIT_STACK, &limit);
  }
}

std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string stat = text_of(entry.path().string() + "/stat");
    const std::size_t name_end = stat.rfind(')');  // PID (NAME) STATE PARENT ...
    if (name_end == std::string::npos || name_end + 4 > stat.size()) continue;
    if (std::stol(stat.substr(name_end + 4)) == parent) found.push_back(std::stoi(name));
  }
  return found;
}

}  // namespace

Process::Process(const std::vector<std::string>& arguments, const Surroundings& surroundings)
    : out_path_(new_file_path()), err_path_(new_file_path()) {
  std::string device;
  if (surroundings.is_on_terminal) {
    terminal_ = open_terminal();
    if (terminal_ < 0) throw std::runtime_error("no terminal");
    device = ptsname(terminal_);
    fcntl(terminal_, F_SETFL, O_NONBLOCK);
  }
  std::vector<char*> words;
  for (const std::string& word : surroundings.launcher)
    words.push_back(const_cast<char*>(word.data()));
  words.push_back(const_cast<char*>(DNS_PROGRAM));
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.data()));
  words.push_back(nullptr);
  std::array<int, 2> life{};
  if (pipe2(life.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  child_ = fork();
  if (child_ < 0) throw std::runtime_error("no process");
  if (child_ != 0) {
    close(life[1]);
    life_ = life[0];
    return;
  }
  fcntl(life[1], F_SETFD, 0);  // the program keeps it
  take_on(surroundings);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  redirect(out_path_.c_str(), STDOUT_FILENO);
  redirect(device.empty() ? err_path_.c_str() : device.c_str(), STDERR_FILENO);
  execvp(words.front(), words.data());
  _exit(127);
}

Process::~Process() {
  if (is_running()) {
    send(SIGKILL);
    waitpid(child_, &status_, 0);
  }
  if (terminal_ >= 0) close(terminal_);
  close(life_);
  std::filesystem::remove(out_path_);
  std::filesystem::remove(err_path_);
}

void Process::send(int signal) const {
  kill(child_, signal);
}

bool Process::has_pending(int signal) const {
  const std::string status = text_of("/proc/" + std::to_string(child_) + "/status");
  const std::string_view key = "ShdPnd:";
  const std::size_t at = status.find(key);
  if (at == std::string::npos) return false;  // it has ended
  const auto pending = std::stoull(status.substr(at + key.size()), nullptr, 16);
  return ((pending >> static_cast<unsigned>(signal - 1)) & 1U) != 0;
}

double Process::cpu_time() const {
  clockid_t clock{};
  timespec used{};
  if (clock_getcpuclockid(child_, &clock) != 0 || clock_gettime(clock, &used) != 0) return 0;
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

bool Process::has_open(const std::string& path) const {
  const auto process = std::filesystem::path("/proc") / std::to_string(child_);
  std::error_code ignored;  // a file may be closed, or the process end, meanwhile
  const auto program = std::filesystem::read_symlink(process / "exe", ignored);
  if (program == std::filesystem::read_symlink("/proc/self/exe")) return false;  // not yet started
  for (std::filesystem::directory_iterator entry(process / "fd", ignored), end; entry != end;
       entry.increment(ignored)) {
    if (std::filesystem::read_symlink(entry->path(), ignored) == path) return true;
  }
  return false;
}

std::vector<pid_t> Process::children() const {
  return children_of(child_);
}

std::vector<pid_t> Process::ranks() const {
  std::vector<pid_t> found;
  std::vector<pid_t> launchers{child_};  // mpirun, and what it starts to start the ranks
  while (!launchers.empty()) {
    const std::vector<pid_t> started = children_of(launchers.back());
    launchers.pop_back();
    for (const pid_t process : started) {
      std::error_code none;
      const auto program =
          std::filesystem::read_symlink("/proc/" + std::to_string(process) + "/exe", none);
      (program == std::filesystem::canonical(DNS_PROGRAM) ? found : launchers).push_back(process);
    }
  }
  std::ranges::sort(found);
  return found;
}

bool Process::is_running() {
  if (!has_ended_) has_ended_ = waitpid(child_, &status_, WNOHANG) == child_;
  return !has_ended_;
}

std::string Process::err_so_far() {
  if (terminal_ < 0) return text_of(err_path_);
  read_terminal();
  return shown_;
}

void Process::read_terminal() {
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t count = read(terminal_, buffer.data(), buffer.size());
    if (count <= 0) return;
    shown_.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

void Process::await_end() const {
  constexpr int milliseconds = 100;  // a program that it started may hold the pipe open
  constexpr int of_a_terminal = 2;   // which has to be read
  pollfd life{.fd = life_, .events = 0, .revents = 0};
  poll(&life, 1, terminal_ < 0 ? milliseconds : of_a_terminal);
}

Outcome Process::wait(std::chrono::seconds limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (is_running()) {
    if (terminal_ >= 0) read_terminal();
    if (std::chrono::steady_clock::now() > end) {
      send(SIGKILL);
      waitpid(child_, &status_, 0);
      has_ended_ = true;
    } else {
      await_end();
    }
  }
  Outcome outcome{.exit_code = -1, .out = text_of(out_path_), .err = err_so_far()};
  if (WIFEXITED(status_)) outcome.exit_code = WEXITSTATUS(status_);
  return outcome;
}

NamedPipe::NamedPipe(const std::string& path) {
  std::filesystem::remove(path);
  if (mkfifo(path.c_str(), S_IRUSR | S_IWUSR) == 0) end_ = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (end_ < 0) throw std::runtime_error(path + ": cannot be made");
}

void NamedPipe::write(const std::string& text) const {
  if (::write(end_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    throw std::runtime_error("a pipe takes less");
}

void NamedPipe::close() {
  if (end_ >= 0) ::close(std::exchange(end_, -1));
}

Outcome run_dns(const std::vector<std::string>& arguments, const Surroundings& surroundings) {
  return Process(arguments, surroundings).wait();
}

bool has_terminals() {
  const int terminal = open_terminal();
  if (terminal >= 0) close(terminal);
  return terminal >= 0;
}

std::string text_of(const std::string& path) {
  const std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void pause_briefly() {
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

}  // namespace dns::testing
