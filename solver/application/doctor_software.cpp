#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <system_error>

#include "solver/application/doctor.hpp"
#include "solver/application/shared_files.hpp"
#include "solver/core/error.hpp"
#include "solver/output/hdf5_version.hpp"

namespace dns {
namespace {

/// Where the shell would find `program`; empty when nowhere.
std::string found_in_path(const std::string& program) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string candidate = (std::filesystem::path(folder) / program).string();
    std::error_code none;
    if (std::filesystem::is_regular_file(candidate, none) &&
        ::access(candidate.c_str(), X_OK) == 0) {
      return candidate;
    }
  }
  return "";
}

/// What a command of the shell prints, without its last line end.
std::string output_of(const char* command) {
  std::FILE* const pipe = ::popen(command, "r");
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

/// Pictures are drawn by Python; runs do without.
Finding python_finding() {
  constexpr const char* cure =
      "pictures need it: apt-get install python3-h5py python3-matplotlib (or pip install h5py "
      "matplotlib)";
  const std::string python = found_in_path("python3");
  if (python.empty()) return {"Python", "no python3", cure};
  const std::string modules = output_of(
      "python3 -c 'import sys, importlib as i; "
      "print(sys.version.split()[0]); "
      "[print(m, getattr(i.import_module(m), \"__version__\", \"\")) "
      "for m in (\"numpy\", \"h5py\", \"matplotlib\")]' 2>/dev/null");
  std::string found = python;
  std::istringstream lines(modules);
  for (std::string line; std::getline(lines, line);) found += ", " + line;
  if (modules.find("matplotlib") != std::string::npos) return {"Python", found, ""};
  const bool has_h5py = modules.find("h5py") != std::string::npos;
  return {"Python", found + (has_h5py ? ", no matplotlib" : ", no h5py"), cure};
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
  findings.push_back(shared_files_finding());
  findings.push_back(python_finding());
  findings.push_back(paraview_finding());
  return findings;
}

}  // namespace dns
