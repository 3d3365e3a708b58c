#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "solver/application/commands/commands.hpp"
#include "solver/application/commands/findings.hpp"
#include "solver/application/terminal/words.hpp"
#include "solver/config/json_text.hpp"
#include "solver/core/version.hpp"
#include "solver/instances/make_simulation.hpp"

namespace dns {
namespace {

Finding build_finding() {
  std::string text(version());
  if (has_cuda()) text += fmt::format(", for GPU architectures {}", cuda_architectures());
  return {"build", text, ""};
}

/// Splits "what; cure" where an obstacle has both.
Finding finding_of_obstacle(const std::string& name, const std::string& obstacle) {
  const std::size_t end = obstacle.find("; ");
  if (end == std::string::npos) return {name, obstacle, "see README.md"};
  return {name, obstacle.substr(0, end), obstacle.substr(end + 2)};
}

std::vector<Finding> gpu_findings(const CudaFacts& cuda) {
  std::vector<Finding> findings;
  if (!cuda.versions.empty()) findings.push_back({"CUDA", cuda.versions, ""});
  if (!cuda.obstacle.empty()) {
    findings.push_back(finding_of_obstacle("GPU", cuda.obstacle));
    // The driver creates this file: only then is a build for CUDA of use.
    const bool has_driver = std::filesystem::exists("/proc/driver/nvidia/version");
    if (cuda.versions.empty() && !has_driver)
      findings.back() = {"GPU", "no driver of NVIDIA, and a build without CUDA", ""};
  }
  for (const GpuFacts& gpu : cuda.gpus) {
    const std::string what = fmt::format("{}, compute capability {}, {}",
                                         gpu.name,
                                         gpu.capability,
                                         in_words_bytes(static_cast<double>(gpu.memory_bytes)));
    if (gpu.obstacle.empty()) {
      findings.push_back({"GPU", what, ""});
    } else {
      const Finding why = finding_of_obstacle("GPU", gpu.obstacle);
      findings.push_back({"GPU", what + ": " + why.found, why.cure});
    }
  }
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
  std::vector<Finding> findings{build_finding()};
  const auto add = [&](std::vector<Finding> more) {
    std::move(more.begin(), more.end(), std::back_inserter(findings));
  };
  add(host_findings(facts));
  add(gpu_findings(facts.cuda));
  add(software_findings(facts));
  const std::string devices = usable_devices(facts);
  const std::string text =
      command.wants_json ? as_json(findings, devices) : as_text(findings, devices);
  std::fputs(text.c_str(), stdout);
  return devices.empty() ? ExitCode::device : ExitCode::finished;
}

}  // namespace dns
