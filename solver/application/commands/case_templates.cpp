#include "solver/application/commands/case_templates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <utility>

#include "solver/application/commands/shared_files.hpp"
#include "solver/config/nearest_key.hpp"
#include "solver/core/error.hpp"
#include "solver/core/file_descriptor.hpp"
#include "solver/files/run_files.hpp"

namespace dns {
namespace {

struct NamedTemplate {
  const char* name;
  const char* file;
  const char* time_on_two_cores;
  const char* time_on_gpu;  // "": not known
};

/// Those that end first are listed first. Two cores: steps of the whole run times the time of a
/// step of `dns run --steps N`, two threads on an AMD EPYC. GPU: docs/validation.md and
/// docs/performance.md, an H200 (convection: a whole run); rayleigh_benard: as many cells as the
/// closed box measured there.
constexpr std::array<NamedTemplate, 8> known{
    {{"convection", "convection.yaml", "10 s", "1 s"},
     {"heated_cavity", "heated_cavity.yaml", "1 min", "2 s"},
     {"cavity", "lid_cavity_2d.yaml", "2 min", "6 s"},
     {"paper", "channel192.yaml", "3 min", "1 s"},
     {"taylor_green", "taylor_green_re1600.yaml", "15 min", "10 s"},
     {"rayleigh_benard", "rayleigh_benard.yaml", "25 min", "12 s"},
     {"duct", "duct.yaml", "30 min", ""},
     {"channel", "channel_retau180.yaml", "3 h", "55 s"}}};

CaseTemplate read_template(const NamedTemplate& named) {
  CaseTemplate model{named.name, named.file, "", "", named.time_on_two_cores, named.time_on_gpu};
  model.text = text_of_file(shared_file(std::string("configs/") + named.file));
  const std::size_t start = model.text.find_first_not_of("# ");
  model.summary = model.text.substr(start, model.text.find('\n') - start);
  return model;
}

/// `line` with another value; a comment behind it stays in its column where there is room.
std::string with_value(const std::string& line, const std::string& value) {
  const std::size_t colon = line.find(':');
  std::string changed = line.substr(0, colon + 1) + " " + value;
  const std::size_t comment = line.find(" #");
  if (comment == std::string::npos) return changed;
  changed.resize(std::max(changed.size(), comment), ' ');
  return changed + line.substr(comment);
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

std::vector<CaseTemplate> case_templates() {
  std::vector<CaseTemplate> models;
  models.reserve(known.size());
  for (const NamedTemplate& named : known) models.push_back(read_template(named));
  return models;
}

CaseTemplate case_template(const std::string& name) {
  const auto* const found = std::find_if(
      known.begin(), known.end(), [&](const NamedTemplate& named) { return named.name == name; });
  if (found != known.end()) return read_template(*found);
  std::vector<std::string> names;
  names.reserve(known.size());
  for (const NamedTemplate& named : known) names.emplace_back(named.name);
  const std::string nearest = nearest_key(name, names);
  throw CaseError(fmt::format("dns new: unknown template '{}'{}\n'dns new --list' shows them",
                              name,
                              nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
}

std::string text_for_case(const CaseTemplate& model, const std::string& name) {
  const std::string directory = "runs/" + name;
  std::string text;
  std::istringstream lines(model.text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("case:")) line = with_value(line, name);
    if (line.starts_with("  directory:")) line = with_value(line, directory);
    text.append(line).append("\n");
  }
  replace_all(text, model.file, name + ".yaml");
  return text;
}

}  // namespace dns
