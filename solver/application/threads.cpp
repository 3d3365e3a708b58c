#include "solver/application/threads.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

namespace dns {
namespace {

constexpr int no_limit = std::numeric_limits<int>::max();

/// The positive number `text` starts with; 0 when there is none.
int leading_number(const char* text) {
  if (text == nullptr) return 0;
  const std::string_view view(text);
  int number = 0;
  std::from_chars(view.data(), view.data() + view.size(), number);
  return std::max(number, 0);
}

int cores_of_affinity() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  // More than 1024 cores do not fit the set: then there is no limit to respect.
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return no_limit;
  return std::max(1, CPU_COUNT(&cores));
}

int cores_of_quota(double quota, double period) {
  if (!(quota > 0) || !(period > 0)) return no_limit;
  return std::max(1, static_cast<int>(std::ceil(quota / period)));
}

/// The least quota of the control groups (version 2) this process is in, from the innermost up.
int cores_of_control_group() {
  const std::filesystem::path root = "/sys/fs/cgroup";
  std::filesystem::path group;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    if (line.starts_with("0::/")) group = line.substr(4);
  }
  int least = no_limit;
  while (true) {
    std::ifstream file(root / group / "cpu.max");
    std::string quota;
    double period = 0;
    if (file >> quota >> period && quota != "max") {
      least = std::min(least, cores_of_quota(std::strtod(quota.c_str(), nullptr), period));
    }
    if (group.empty()) break;
    group = group.parent_path();
  }
  std::ifstream quota_file(root / "cpu/cpu.cfs_quota_us");  // version 1
  std::ifstream period_file(root / "cpu/cpu.cfs_period_us");
  double quota = 0;
  double period = 0;
  if (quota_file >> quota && period_file >> period) {
    least = std::min(least, cores_of_quota(quota, period));
  }
  return least;
}

int cores_of_queue() {
  int least = no_limit;
  for (const char* name : {"SLURM_CPUS_PER_TASK", "NCPUS", "NSLOTS"}) {
    const int cores = leading_number(std::getenv(name));
    if (cores > 0) least = std::min(least, cores);
  }
  return least;
}

}  // namespace

int available_cores() {
  const int cores = std::min({cores_of_affinity(), cores_of_control_group(), cores_of_queue()});
  return cores == no_limit ? 1 : cores;
}

int resolve_threads(int asked, ThreadSource source) {
  if (asked > 0 && source == ThreadSource::command_line) return asked;
  const int environment = leading_number(std::getenv("OMP_NUM_THREADS"));
  if (environment > 0) return environment;
  return asked > 0 ? asked : available_cores();
}

void wait_without_long_spinning(char** arguments) {
  if (std::getenv("GOMP_SPINCOUNT") != nullptr || std::getenv("OMP_WAIT_POLICY") != nullptr) return;
  std::error_code none;
  const std::string program = std::filesystem::read_symlink("/proc/self/exe", none);
  if (program.empty() || setenv("GOMP_SPINCOUNT", "1000", 1) != 0) return;
  execv(program.c_str(), arguments);  // returns only if it failed: then go on as we are
}

}  // namespace dns
