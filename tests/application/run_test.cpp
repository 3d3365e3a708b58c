#include "tests/application/run_test.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "solver/output/checkpoint.hpp"
#include "tests/newest_flow.hpp"

namespace dns::testing {
namespace {

/// Goes to a steady state: some tests let it run for long.
constexpr const char* small_case = R"yaml(case: small
scheme: splitting
device: cpu
grid: {points: [13, 11, 9], length: [1.0, 1.2, 0.8]}
fluid: {reynolds: 20, prandtl: 0.72, heat_capacity_ratio: 1.4}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: 1.0}
  y_max: {type: wall, velocity: [1, 0, 0], temperature: {gradient: 0}}
  z_min: {type: wall, velocity: [0, 0.5, 0], temperature: 1.0}
  z_max: {type: symmetry}
initial:
  velocity: ["0.1*sin(2*pi*x)", "0", "0"]
  temperature: "1"
  noise: {amplitude: 0.01, seed: 3}
time: {step: 1.0e-3, steps: 40, global_iterations: 2, local_iterations: 1}
output:
  fields: {every: 20}
  timeseries: {every: 3}
  checkpoint: {every: 10, keep: 2}
)yaml";

}  // namespace

RunTest::RunTest() {
  folder_ = (std::filesystem::temp_directory_path() / "dns_test_XXXXXX").string();
  if (mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("no temporary folder");
  write("case.yaml", small_case);
}

RunTest::~RunTest() {
  std::filesystem::remove_all(folder_);
}

std::string RunTest::path(const std::string& name) const {
  return folder_ + "/" + name;
}

bool RunTest::exists(const std::string& name) const {
  return std::filesystem::exists(path(name));
}

void RunTest::write(const std::string& name, const std::string& text) const {
  std::ofstream(path(name)) << text;
}

std::vector<std::string> RunTest::run_into(const std::string& name,
                                           const std::vector<std::string>& more) const {
  std::vector<std::string> arguments{"run", case_file(), "-o", path(name), "--threads", "1"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::vector<std::string> RunTest::resume_in(const std::string& name,
                                            const std::vector<std::string>& more) const {
  std::vector<std::string> arguments{"resume", path(name)};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

bool RunTest::has_begun(const std::string& name) const {
  constexpr int lines = 4;
  return wait_until([&] {
    const std::string series = text_of(path(name + "/timeseries.csv"));
    return std::count(series.begin(), series.end(), '\n') > lines;
  });
}

std::vector<std::string> endless() {
  return {"--steps", "100000000", "--set", "output.fields.every=0", "--json"};
}

std::vector<std::string> until_it_diverges() {
  return {"--set",
          "time.step=0.3",
          "--steps",
          "4000",
          "--set",
          "fluid.reynolds=100000",
          "--set",
          "time.global_iterations=1"};
}

std::vector<std::string> quietly(const std::string& steps) {
  return {"--steps",
          steps,
          "--set",
          "output.fields.every=0",
          "--set",
          "output.checkpoint.every=" + steps};
}

std::string json_member(const std::string& json, const std::string& name) {
  const YAML::Node object = YAML::Load(json);  // JSON is YAML
  const YAML::Node member = object[name];
  if (!member) return "";
  if (member.IsNull()) return "null";
  return member.IsScalar() ? member.as<std::string>() : YAML::Dump(member);
}

FlowState newest_state(const std::string& directory) {
  return newest_flow(directory);
}

std::string series_without_clock(const std::string& directory) {
  std::istringstream series(text_of(directory + "/timeseries.csv"));
  std::string kept;
  for (std::string line; std::getline(series, line);) {
    kept += line.substr(0, line.rfind(',')) + "\n";
  }
  return kept;
}

}  // namespace dns::testing
