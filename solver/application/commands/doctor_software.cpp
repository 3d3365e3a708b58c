#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "solver/application/commands/findings.hpp"
#include "solver/application/commands/found_program.hpp"
#include "solver/application/commands/shared_files.hpp"
#include "solver/application/live/live_page.hpp"
#include "solver/application/ranks/start_ranks.hpp"
#include "solver/core/error.hpp"
#include "solver/files/library_versions.hpp"
#include "solver/ranks/mpi.hpp"

namespace dns {
namespace {

/// What a command of the shell prints, without its last line end.
std::string output_of(const std::string& command) {
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return "";
  std::string text;
  std::array<char, 256> buffer{};
  while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) text += buffer.data();
  ::pclose(pipe);
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

Finding library_finding(const LibraryFacts& library) {
  if (library.obstacle.empty()) return {library.name, library.version, ""};
  return {library.name, "cannot be used", library.obstacle};
}

/// Several ranks need it; a run on one does without.
Finding mpi_finding() {
  const LibraryFacts mpi = mpi_facts();
  const std::string& obstacle = mpi.obstacle;
  if (!obstacle.empty()) {
    const std::size_t end = obstacle.find("; ");
    return {mpi.name, obstacle.substr(0, end), obstacle.substr(end + 2)};
  }
  const std::string program = mpirun_path();
  if (!program.empty()) return {mpi.name, fmt::format("{}, {}", mpi.version, program), ""};
  return {mpi.name,
          fmt::format("{}, but no mpirun on the PATH", mpi.version),
          fmt::format("dns run --ranks needs it: {}", mpi_cure)};
}

Finding live_page_finding() {
  const std::string library = live_page_library();
  if (!library.empty()) return {"live page", library, ""};
  return {
      "live page", "not in this build", fmt::format("dns run --live needs it: {}", live_page_cure)};
}

/// The version of a Python, then those of its modules up to the first that cannot be imported.
/// `python`: a path in quotes, options, and how its environment differs.
std::string python_versions(const std::string& python) {
  std::string versions = output_of(fmt::format(R"sh({} -c '
import sys, importlib
print(sys.version.split()[0])
for name in ("numpy", "h5py", "matplotlib"):
    print(",", name, importlib.import_module(name).__version__)' 2>/dev/null)sh",
                                               python));
  std::erase(versions, '\n');
  return versions;
}

/// Pictures are drawn by Python; runs do without.
Finding python_finding() {
  constexpr const char* cure =
      "pictures need it: apt-get install python3-h5py python3-matplotlib (or pip install h5py "
      "matplotlib)";
  const std::string first = found_in_path("python3");
  if (first.empty()) return {"Python", "no python3", cure};
  const auto has = [](const std::string& versions, const char* module) {
    return versions.find(module) != std::string::npos;
  };
  // Where the first has not all modules, the scripts start again with the system's own.
  const std::string system = "/usr/bin/python3";
  std::string versions = python_versions("'" + first + "'");
  if (has(versions, "matplotlib")) return {"Python", fmt::format("{}, {}", first, versions), ""};
  versions = python_versions("env -u PYTHONPATH -u PYTHONHOME " + system + " -s");
  if (has(versions, "matplotlib")) return {"Python", fmt::format("{}, {}", system, versions), ""};
  const char* const missing = has(versions, "h5py") ? "matplotlib" : "h5py";
  return {"Python", fmt::format("{}, no {} that can be imported", first, missing), cure};
}

Finding paraview_finding() {
  const std::string program = found_in_path("paraview");
  if (!program.empty()) return {"ParaView", program, ""};
  return {"ParaView",
          "not on the PATH",
          "it opens fields.xdmf: apt-get install paraview, or www.paraview.org"};
}

Finding shared_files_finding() {
  try {
    const std::filesystem::path file = shared_file("scripts/plot_bench.py");
    return {"files", file.parent_path().parent_path().string(), ""};
  } catch (const IoError& error) {
    return {"files", "scripts and templates are missing", error.what()};
  }
}

}  // namespace

std::vector<Finding> software_findings(const DeviceFacts& devices) {
  std::vector<Finding> findings;
  for (const LibraryFacts& library : devices.cuda.libraries) {
    findings.push_back(library_finding(library));
  }
  for (const LibraryFacts& library : devices.cpu_libraries) {
    findings.push_back(library_finding(library));
  }
  findings.push_back({"HDF5", hdf5_version(), ""});
  findings.push_back({"libpng", png_version(), ""});
  findings.push_back(mpi_finding());
  findings.push_back(live_page_finding());
  findings.push_back(shared_files_finding());
  findings.push_back(python_finding());
  findings.push_back(paraview_finding());
  return findings;
}

}  // namespace dns
