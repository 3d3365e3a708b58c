/// Cases to start from: the commented files of configs/.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string>
#include <vector>

#include "solver/application/commands/commands.hpp"
#include "solver/application/commands/shared_files.hpp"
#include "solver/application/terminal/words.hpp"
#include "solver/core/error.hpp"
#include "solver/core/file_descriptor.hpp"
#include "solver/core/nearest_key.hpp"
#include "solver/files/run_files.hpp"

namespace dns {
namespace {

namespace fs = std::filesystem;

constexpr const char* usual_template = "channel";

struct CaseTemplate {
  const char* name;
  const char* file;               // in configs/
  const char* time_on_two_cores;  // of the whole run on a CPU, about
  const char* time_on_gpu;        // "?": not known
};

/// Templates of cases; those that end first are listed first. Two cores: steps of the whole run
/// times the time of a step of `dns run --steps N`, two threads on an AMD EPYC. GPU:
/// docs/validation.md and docs/performance.md, an H200 (convection: a whole run); rayleigh_benard:
/// as many cells as the closed box measured there.
constexpr std::array<CaseTemplate, 8> templates{
    {{"convection", "convection.yaml", "10 s", "1 s"},
     {"heated_cavity", "heated_cavity.yaml", "1 min", "2 s"},
     {"cavity", "lid_cavity_2d.yaml", "2 min", "6 s"},
     {"paper", "channel192.yaml", "3 min", "1 s"},
     {"taylor_green", "taylor_green_re1600.yaml", "15 min", "10 s"},
     {"rayleigh_benard", "rayleigh_benard.yaml", "25 min", "12 s"},
     {"duct", "duct.yaml", "30 min", "?"},
     {"channel", "channel_retau180.yaml", "3 h", "55 s"}}};

std::string text_of(const CaseTemplate& model) {
  return text_of_file(shared_file(std::string("configs/") + model.file));
}

/// The first line of its comment.
std::string summary_of(const CaseTemplate& model) {
  const std::string text = text_of(model);
  const std::size_t start = text.find_first_not_of("# ");
  return text.substr(start, text.find('\n') - start);
}

const CaseTemplate& template_named(const std::string& name) {
  std::vector<std::string> names;
  for (const CaseTemplate& model : templates) {
    if (model.name == name) return model;
    names.emplace_back(model.name);
  }
  throw CaseError(fmt::format("dns new: unknown template '{}'{}\n'dns new --list' shows them",
                              name,
                              or_nearest(name, names)));
}

/// The text of `model` with the name of the new file in its comments. Templates have neither `case`
/// nor `output.directory`: both follow from the name of the file.
std::string text_for_case(const CaseTemplate& model, const std::string& name) {
  const std::string file = model.file;
  std::string text;
  for (std::string line : split(text_of(model), '\n')) {
    const std::size_t named = line.find(file);
    if (named != std::string::npos) line.replace(named, file.size(), name + ".yaml");
    text.append(line).append("\n");
  }
  return text;
}

/// NAME may be given with a folder and with the ending of the file. Of plain letters alone it is
/// the same in YAML, as a file and in a shell.
fs::path file_of(const std::string& target) {
  const auto is_letter = [](unsigned char letter) { return std::isalpha(letter) != 0; };
  const auto may_stand = [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '_' || letter == '-' || letter == '.';
  };
  fs::path file(target);
  if (file.extension() == ".yaml" || file.extension() == ".yml") file.replace_extension();
  const std::string name = file.filename().string();
  if (!name.empty() && is_letter(name.front()) && std::ranges::all_of(name, may_stand))
    return file += ".yaml";
  throw CaseError(
      fmt::format("dns new: NAME is '{}', but must begin with a letter and consist of letters, "
                  "digits, '_', '-' and '.'",
                  name));
}

/// A template a line, with the time that its run takes.
void print_templates() {
  constexpr const char* line = "{:<15} {:<7} {:<5} {}\n";
  fmt::print(line, "TEMPLATE", "2 CORES", "GPU", "FLOW");
  for (const CaseTemplate& model : templates)
    fmt::print(line, model.name, model.time_on_two_cores, model.time_on_gpu, summary_of(model));
  fmt::print(
      "\nAbout how long a run takes, in double precision: on two cores of an AMD EPYC, on\n"
      "one NVIDIA H200; ?: not measured. `dns check NAME.yaml` says how long here.\n"
      "Without --template: {}\n",
      usual_template);
}

}  // namespace

std::string list_of_templates() {
  std::string text;
  for (const CaseTemplate& model : templates)
    text += fmt::format("{:<16} {}\n", model.name, summary_of(model));
  return text;
}

ExitCode new_case(const Command& command) {
  if (command.lists) {
    print_templates();
    return ExitCode::finished;
  }
  if (command.target.empty()) {
    throw CaseError("dns new: NAME is missing\n'dns new --help' shows an example");
  }
  const fs::path file = file_of(command.target);
  const std::string& asked = command.template_name;
  const std::string name = asked.empty() ? std::string(usual_template) : asked;
  const CaseTemplate& model = template_named(name);
  if (fs::is_directory(file))
    throw CaseError(fmt::format("{} is a folder; take another NAME", file.string()));
  if (fs::exists(file) && !command.forces) {
    throw CaseError(fmt::format("{} exists already; use --force to replace it, or another NAME",
                                file.string()));
  }
  write_text_file(file.string(), text_for_case(model, file.stem().string()));
  fmt::print("{0}: {1}\nnext:  dns check {0}    memory, limits and time\n       dns run {0}\n",
             file.string(),
             summary_of(model));
  return ExitCode::finished;
}

}  // namespace dns
