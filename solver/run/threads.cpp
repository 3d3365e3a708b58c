#include "solver/run/threads.hpp"

#include <fmt/format.h>
#include <omp.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <latch>
#include <list>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "solver/core/error.hpp"
#include "solver/run/control_groups.hpp"
#include "solver/run/words.hpp"

namespace dns {
namespace {

/// The cores of all places that OpenMP binds threads to; none where it binds none.
Cores cores_of_places() {
  Cores cores;
  if (omp_get_proc_bind() == omp_proc_bind_false) return cores;
  for (int place = 0; place < omp_get_num_places(); ++place) {
    std::vector<int> numbers(static_cast<std::size_t>(omp_get_place_num_procs(place)));
    omp_get_place_proc_ids(place, numbers.data());
    for (const int number : numbers) {
      if (number >= 0 && number < CPU_SETSIZE) cores.set(static_cast<std::size_t>(number));
    }
  }
  return cores;
}

int cores_of_queue() {
  int least = unlimited_cores;
  for (const char* name : {"SLURM_CPUS_PER_TASK", "NCPUS", "NSLOTS"}) {
    const int cores = number_in_environment(name);
    if (cores > 0) least = std::min(least, cores);
  }
  return least;
}

/// Throws CaseError when there are more than this machine can use.
void refuse_too_many(const Threads& threads) {
  constexpr std::int64_t threads_per_core = 8;
  constexpr std::int64_t least_limit = 64;  // so that a case also runs on a small machine
  const int cores = available_cores();
  const std::int64_t limit = std::max(least_limit, threads_per_core * cores);
  if (threads.source.empty() || threads.count <= limit) return;
  throw CaseError(fmt::format(
      "{} is {}, but must be at most {} here, where the job has {}: more threads would only wait "
      "for each other; --threads takes another number",
      threads.source,
      threads.count,
      limit,
      counted(cores, "core")));
}

}  // namespace

std::string environment(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? "" : text;
}

int number_in_environment(const char* variable) {
  const std::string text = environment(variable);
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return std::max(number, 0);
}

Cores cores_of_affinity(pid_t process) {
  Cores cores = process == 0 ? cores_of_places() : Cores();
  if (cores.any()) return cores;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(process, sizeof set, &set) != 0) return cores;
  for (std::size_t core = 0; core < cores.size(); ++core) cores[core] = CPU_ISSET(core, &set) != 0;
  return cores;
}

void use_all_cores() {
  const Cores cores = cores_of_affinity(0);
  cpu_set_t set;
  CPU_ZERO(&set);
  for (std::size_t core = 0; core < cores.size(); ++core) {
    if (cores[core]) CPU_SET(core, &set);
  }
  if (cores.any()) static_cast<void>(sched_setaffinity(0, sizeof set, &set));
}

int available_cores() {
  int cores = std::min(cores_of_control_groups(), cores_of_queue());
  // More than 1024 cores do not fit the set: then there is no limit to respect.
  const auto bound = static_cast<int>(cores_of_affinity(0).count());
  if (bound > 0) cores = std::min(cores, bound);
  return cores == unlimited_cores ? 1 : cores;
}

Threads resolve_threads(int typed, int in_case, int cores) {
  if (typed > 0) return {.count = typed, .source = "--threads"};
  const int environment = number_in_environment("OMP_NUM_THREADS");
  if (environment > 0) return {.count = environment, .source = "OMP_NUM_THREADS"};
  if (in_case > 0) return {.count = in_case, .source = "run.threads"};
  return {.count = cores, .source = ""};
}

void require_stack() {
  constexpr rlim_t needed = rlim_t{256} * 1024;
  rlimit stack{};
  if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= needed) return;
  throw DeviceError(
      fmt::format("the stack is limited to {} kB, but {} kB are needed; ulimit -s 8192 gives the "
                  "usual size",
                  stack.rlim_cur / 1024,
                  needed / 1024));
}

void require_threads(const Threads& threads) {
  refuse_too_many(threads);
  require_stack();
  std::latch all_are_there(1);
  std::list<std::jthread> made;
  std::string obstacle;
  try {
    constexpr int others = 11;  // the writer of output, and those of the live page
    for (int number = 1; number < threads.count + others; ++number)
      made.emplace_back([&all_are_there] { all_are_there.wait(); });
  } catch (const std::exception& error) {  // no thread, or no memory to keep it in
    obstacle = error.what();
  }
  all_are_there.count_down();
  if (obstacle.empty()) return;
  throw DeviceError(
      fmt::format("{} threads cannot be made: {} (a limit of processes, ulimit -u, or of memory); "
                  "--threads takes a smaller number",
                  threads.count,
                  obstacle));
}

void use_threads(Case& resolved, const std::vector<Override>& overrides, int cores) {
  const bool is_typed =
      std::ranges::find(overrides, "run.threads", &Override::path) != overrides.end();
  const int asked = resolved.run.threads;
  const Threads threads = resolve_threads(is_typed ? asked : 0, asked, cores);
  require_threads(threads);
  resolved.run.threads = threads.count;
}

void wait_without_long_spinning(char** arguments) {
  if (std::getenv("GOMP_SPINCOUNT") != nullptr || std::getenv("OMP_WAIT_POLICY") != nullptr) return;
  std::error_code none;
  const std::string program = std::filesystem::read_symlink("/proc/self/exe", none);
  if (program.empty() || setenv("GOMP_SPINCOUNT", "1000", 1) != 0) return;
  use_all_cores();
  execv(program.c_str(), arguments);  // returns only if it failed: then go on without it
}

}  // namespace dns
