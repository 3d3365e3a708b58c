/// Another program, run and watched.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dns::testing {

/// How a process ended.
struct Outcome {
  int exit_code = -1;  // -1: ended by a signal, or by the test because it took too long
  std::string out;
  std::string err;
};

/// How to start it.
struct Surroundings {
  std::vector<std::string> launcher{};  // words before the program: mpirun -n 2
  std::vector<std::pair<std::string, std::string>> environment{};  // added
  std::optional<long> largest_file{};                              // [bytes] as a full disk would
  std::optional<long> most_files{};                                // open at once
  std::optional<long> stack{};                                     // [bytes] of each thread
  bool blocks_signals = false;            // as some launchers start everything
  bool ignores_ends_of_children = false;  // as a process inherits it from some daemons
  bool is_on_terminal = false;            // stderr is a terminal; needs has_terminals()
};

/// The program under test with `arguments`, started at once. Ends with this object.
class Process {
 public:
  explicit Process(const std::vector<std::string>& arguments,
                   const Surroundings& surroundings = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void send(int signal) const;
  /// Whether a signal that was sent has not reached it yet: a second one would be lost.
  [[nodiscard]] bool has_pending(int signal) const;
  /// What it has computed so far [s of CPU time].
  [[nodiscard]] double cpu_time() const;
  /// Whether it has a file open by now.
  [[nodiscard]] bool has_open(const std::string& path) const;
  /// The processes that it has started.
  [[nodiscard]] std::vector<pid_t> children() const;
  /// Where it is a launcher: the processes of the program, in the order of their numbers.
  [[nodiscard]] std::vector<pid_t> ranks() const;
  [[nodiscard]] bool is_running();
  /// What stderr holds so far.
  [[nodiscard]] std::string err_so_far();

  /// Waits until it ends by itself; after `limit` it is killed.
  Outcome wait(std::chrono::seconds limit = std::chrono::seconds(100));

 private:
  void read_terminal();
  /// Returns when the process has ended, or after a moment.
  void await_end() const;

  pid_t child_ = -1;
  int status_ = 0;
  bool has_ended_ = false;
  int terminal_ = -1;  // our end of its terminal
  int life_ = -1;  // a pipe that nobody writes to; closed at the other end when the process ends
  std::string shown_;  // on the terminal
  std::string out_path_;
  std::string err_path_;
};

/// A pipe with a name that somebody could write to: who reads there waits until this is closed.
class NamedPipe {
 public:
  explicit NamedPipe(const std::string& path);
  ~NamedPipe() { close(); }
  NamedPipe(const NamedPipe&) = delete;
  NamedPipe& operator=(const NamedPipe&) = delete;

  void write(const std::string& text) const;
  void close();

 private:
  int end_ = -1;
};

/// Runs the program under test to its end.
Outcome run_dns(const std::vector<std::string>& arguments, const Surroundings& surroundings = {});

/// Whether this system has pseudo-terminals: a bare root folder or container may have none.
bool has_terminals();

/// The whole of a file, as far as it can be read: one of a process that ends is cut, and where
/// there is no file it is empty.
std::string text_of(const std::string& path);

/// Asks `condition` every few milliseconds for at most 60 s, longer than any working machine needs.
/// Returns its last answer.
template <class Condition>
bool wait_until(Condition condition);

void pause_briefly();

template <class Condition>
bool wait_until(Condition condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    pause_briefly();
  }
  return true;
}

}  // namespace dns::testing
