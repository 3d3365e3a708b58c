/// `dns doctor`: what this machine and this build offer.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "solver/application/commands/commands.hpp"
#include "solver/application/commands/shared_files.hpp"
#include "solver/core/error.hpp"
#include "solver/core/json_text.hpp"
#include "solver/instances/make_simulation.hpp"
#include "solver/run/machine_findings.hpp"

namespace dns {
namespace {

namespace fs = std::filesystem;

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

/// Pictures are drawn by Python, and live pages served; runs do without. The script tells which
/// Python it would draw with.
Finding python_finding(const std::string& script) {
  constexpr const char* cure =
      "pictures and live pages need it: apt-get install python3-h5py python3-matplotlib (or pip "
      "install h5py "
      "matplotlib)";
  if (found_in_path("python3").empty()) return {"Python", "no python3", cure};
  const std::string told = output_of("python3 '" + script + "' 2>&1");
  const bool can_draw = told.find(", matplotlib ") != std::string::npos;
  return can_draw ? Finding{"Python", told, ""} : finding_of_obstacle("Python", told);
}

Finding paraview_finding() {
  const std::string program = found_in_path("paraview");
  if (!program.empty()) return {"ParaView", program, ""};
  constexpr const char* cure =
      "it opens fields.xdmf: apt-get install paraview, or www.paraview.org";
  return {"ParaView", "not on the PATH", cure};
}

void add_scripts(std::vector<Finding>& findings) {
  try {
    const fs::path script = shared_file("scripts/needed_modules.py");
    findings.push_back({"files", script.parent_path().parent_path().string(), ""});
    findings.push_back(python_finding(script.string()));
  } catch (const IoError& error) {
    findings.push_back({"files", "scripts and templates are missing", error.what()});
  }
}

/// What was looked at, in order: the machine, its GPUs, libraries, programs that show results.
std::vector<Finding> all_findings(const DeviceFacts& devices) {
  std::vector<Finding> findings = machine_findings(devices);
  add_scripts(findings);
  findings.push_back(paraview_finding());
  return findings;
}

std::string as_text(const std::vector<Finding>& findings, const std::string& devices) {
  std::string text;
  for (const Finding& finding : findings) {
    text += fmt::format("{:<11} {}\n", finding.name, finding.found);
    if (!finding.cure.empty()) text += fmt::format("{:>11} {}\n", "->", finding.cure);
  }
  return text + (devices.empty() ? "dns cannot run here: no device can be used\n"
                                 : fmt::format("dns can run here, on {}\n", devices));
}

std::string as_json(const std::vector<Finding>& findings, const std::string& devices) {
  auto list = nlohmann::ordered_json::array();
  for (const Finding& finding : findings)
    list.push_back({{"name", finding.name}, {"found", finding.found}, {"cure", finding.cure}});
  return json_page({{"can_run", !devices.empty()}, {"devices", devices}, {"findings", list}});
}

}  // namespace

ExitCode doctor(const Command& command) {
  const DeviceFacts facts = device_facts();
  const std::vector<Finding> findings = all_findings(facts);
  const std::string devices = usable_devices(facts);
  const std::string text =
      command.wants_json ? as_json(findings, devices) : as_text(findings, devices);
  std::fputs(text.c_str(), stdout);
  return devices.empty() ? ExitCode::device : ExitCode::finished;
}

}  // namespace dns
