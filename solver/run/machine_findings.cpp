#include "solver/run/machine_findings.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <thread>

#include "solver/core/processor_name.hpp"
#include "solver/core/version.hpp"
#include "solver/files/file_facts.hpp"
#include "solver/instances/make_simulation.hpp"
#include "solver/output/picture.hpp"
#include "solver/ranks/mpi.hpp"
#include "solver/run/host_memory.hpp"
#include "solver/run/threads.hpp"
#include "solver/run/words.hpp"

namespace dns {
namespace {

namespace fs = std::filesystem;

Finding build_finding() {
  std::string text(version());
  if (has_cuda()) text += fmt::format(", for GPU architectures {}", cuda_architectures());
  return {"build", text, ""};
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
          fmt::format("{}, {} of {} cores for this job, {}; built for {}",
                      processor_name(),
                      available_cores(),
                      std::max(1U, std::thread::hardware_concurrency()),
                      counted(memory_nodes(), "NUMA node"),
                      devices.vectors),
          devices.cpu_obstacle};
}

/// Threads beyond the cores wait for each other; threads bound to one place share its core.
Finding threads_finding() {
  const int threads = resolve_threads(0, 0).count;
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

void add_gpus(const CudaFacts& cuda, std::vector<Finding>& findings) {
  if (!cuda.versions.empty()) findings.push_back({"CUDA", cuda.versions, ""});
  if (!cuda.obstacle.empty()) {
    findings.push_back(finding_of_obstacle("GPU", cuda.obstacle));
    // The driver creates this file: only then is a build for CUDA of use.
    const bool has_driver = fs::exists("/proc/driver/nvidia/version");
    if (cuda.versions.empty() && !has_driver)
      findings.back() = {"GPU", "no driver of NVIDIA, and a build without CUDA", ""};
  }
  for (const GpuFacts& gpu : cuda.gpus) {
    const std::string what = fmt::format("{}, compute capability {}, {}",
                                         gpu.name,
                                         gpu.capability,
                                         in_words_bytes(gpu.memory_bytes));
    findings.push_back(gpu.obstacle.empty()
                           ? Finding{"GPU", what, ""}
                           : finding_of_obstacle("GPU", what + ": " + gpu.obstacle));
  }
}

Finding library_finding(const LibraryFacts& library) {
  const bool is_usable = library.obstacle.empty();
  return {library.name, is_usable ? library.version : "cannot be used", library.obstacle};
}

/// Several ranks need it; a run on one does without.
Finding mpi_finding() {
  const LibraryFacts mpi = mpi_facts();
  if (!mpi.obstacle.empty()) return finding_of_obstacle(mpi.name, mpi.obstacle);
  const std::string program = found_in_path("mpirun");
  if (!program.empty()) return {mpi.name, fmt::format("{}, {}", mpi.version, program), ""};
  return {mpi.name,
          fmt::format("{}, but no mpirun on the PATH", mpi.version),
          fmt::format("dns run --ranks needs it: {}", mpi_cure)};
}

}  // namespace

Finding finding_of_obstacle(const std::string& name, const std::string& obstacle) {
  const std::size_t end = obstacle.find("; ");
  if (end == std::string::npos) return {name, obstacle, "see README.md"};
  return {name, obstacle.substr(0, end), obstacle.substr(end + 2)};
}

std::string found_in_path(const std::string& program) {
  const char* const path = std::getenv("PATH");
  for (const std::string& folder : split(path == nullptr ? "" : path, ':')) {
    std::string candidate = (std::filesystem::path(folder) / program).string();
    std::error_code none;
    if (std::filesystem::is_regular_file(candidate, none) &&
        ::access(candidate.c_str(), X_OK) == 0) {
      return candidate;
    }
  }
  return "";
}

std::vector<Finding> machine_findings(const DeviceFacts& devices) {
  std::vector<Finding> findings{build_finding(),
                                processor_finding(devices),
                                threads_finding(),
                                memory_finding(),
                                disk_finding(),
                                folder_finding()};
  add_gpus(devices.cuda, findings);
  for (const auto& libraries : {devices.cuda.libraries, devices.cpu_libraries})
    std::ranges::transform(libraries, std::back_inserter(findings), library_finding);
  findings.insert(findings.end(),
                  {{"HDF5", hdf5_version(), ""}, {"libpng", png_version(), ""}, mpi_finding()});
  return findings;
}

}  // namespace dns
