#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <thread>

#include "solver/application/commands/findings.hpp"
#include "solver/application/run/host_memory.hpp"
#include "solver/application/run/threads.hpp"
#include "solver/application/terminal/words.hpp"

namespace dns {
namespace {

namespace fs = std::filesystem;

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

/// Folders /sys/devices/system/node/node0, node1, ...; 1 where the system does not say.
int memory_nodes() {
  std::error_code none;
  int nodes = 0;
  for (const auto& entry : fs::directory_iterator("/sys/devices/system/node", none)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("node") && name.find_first_not_of("0123456789", 4) == std::string::npos) {
      ++nodes;
    }
  }
  return std::max(nodes, 1);
}

Finding processor_finding(const DeviceFacts& devices) {
  return {"processor",
          fmt::format("{}, {} of {} cores for this job, {} NUMA node{}; built for {}",
                      processor_name(),
                      available_cores(),
                      std::max(1U, std::thread::hardware_concurrency()),
                      memory_nodes(),
                      memory_nodes() == 1 ? "" : "s",
                      devices.vectors),
          devices.cpu_obstacle};
}

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Threads beyond the cores wait for each other; threads bound to one place share its core.
Finding threads_finding() {
  const int threads = resolve_threads(0, ThreadSource::case_file).count;
  std::string found = fmt::format("{}", threads);
  for (const char* name : {"OMP_NUM_THREADS", "OMP_PROC_BIND", "OMP_PLACES"}) {
    const std::string value = environment(name);
    if (!value.empty()) found += fmt::format(", {}={}", name, value);
  }
  const int cores = available_cores();
  std::string cure;
  if (threads > cores) {
    cure = fmt::format("more threads than cores make runs slow: OMP_NUM_THREADS={}", cores);
  } else if (memory_nodes() > 1 && threads > 1 && environment("OMP_PROC_BIND").empty()) {
    cure =
        "several NUMA nodes: OMP_PROC_BIND=spread OMP_PLACES=cores keeps threads at their memory";
  }
  return {"threads", found, cure};
}

Finding memory_finding() {
  constexpr double small_case = 1e9;  // [bytes] channel192 in double needs 0.9 GB
  const auto available = static_cast<double>(available_host_memory());
  const std::string cure =
      available < small_case ? "end what else runs here, or ask the queue for more memory" : "";
  return {"memory", in_words_bytes(available) + " available", cure};
}

Finding disk_finding() {
  constexpr double few_snapshots = 1e9;  // [bytes] seven of 192^3 nodes
  std::error_code error;
  const auto free = static_cast<double>(fs::space(".", error).available);
  if (error) return {"disk", "free space unknown: " + error.message(), ""};
  return {"disk",
          in_words_bytes(free) + " free in this folder",
          free < few_snapshots ? "make room, or write elsewhere: dns run CASE.yaml -o DIR" : ""};
}

Finding folder_finding() {
  std::error_code none;
  const std::string folder = fs::current_path(none).string();
  if (::access(".", W_OK | X_OK) == 0) return {"folder", folder + " can be written", ""};
  return {"folder", folder + " cannot be written", "write elsewhere: dns run CASE.yaml -o DIR"};
}

}  // namespace

std::vector<Finding> host_findings(const DeviceFacts& devices) {
  return {processor_finding(devices),
          threads_finding(),
          memory_finding(),
          disk_finding(),
          folder_finding()};
}

}  // namespace dns
