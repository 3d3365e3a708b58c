#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <string>

#include "solver/application/commands/case_templates.hpp"
#include "solver/application/commands/commands.hpp"
#include "solver/core/error.hpp"
#include "solver/files/run_files.hpp"

namespace dns {
namespace {

namespace fs = std::filesystem;

constexpr const char* usual_template = "channel";

/// A name of these letters alone is the same in YAML, as a file and in a shell.
bool is_plain(const std::string& name) {
  const auto may_stand = [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '_' || letter == '-' || letter == '.';
  };
  return !name.empty() && std::isalpha(static_cast<unsigned char>(name.front())) != 0 &&
         std::all_of(name.begin(), name.end(), may_stand);
}

/// NAME may be given with a folder and with the ending of the file.
fs::path file_of(const std::string& target) {
  fs::path file(target);
  if (file.extension() == ".yaml" || file.extension() == ".yml") file.replace_extension();
  const std::string name = file.filename().string();
  if (!is_plain(name)) {
    throw CaseError(
        fmt::format("dns new: NAME is '{}', but must begin with a letter and consist of letters, "
                    "digits, '_', '-' and '.'",
                    name));
  }
  return file += ".yaml";
}

/// A template a line, with the time that its run takes.
std::string table_of_templates() {
  constexpr const char* line = "{:<15} {:<7} {:<5} {}\n";
  std::string text = fmt::format(line, "TEMPLATE", "2 CORES", "GPU", "FLOW");
  for (const CaseTemplate& model : case_templates()) {
    const std::string& on_gpu = model.time_on_gpu;
    text += fmt::format(
        line, model.name, model.time_on_two_cores, on_gpu.empty() ? "?" : on_gpu, model.summary);
  }
  return text +
         fmt::format(
             "\nAbout how long a run takes, in double precision: on two cores of an AMD EPYC, on\n"
             "one NVIDIA H200; ?: not measured. `dns check NAME.yaml` says how long here.\n"
             "Without --template: {}\n",
             usual_template);
}

}  // namespace

std::string list_of_templates() {
  std::string text;
  for (const CaseTemplate& model : case_templates()) {
    text += fmt::format("{:<16} {}\n", model.name, model.summary);
  }
  return text;
}

ExitCode new_case(const Command& command) {
  if (command.lists) {
    fmt::print("{}", table_of_templates());
    return ExitCode::finished;
  }
  if (command.target.empty()) {
    throw CaseError("dns new: NAME is missing\n'dns new --help' shows an example");
  }
  const fs::path file = file_of(command.target);
  const std::string& asked = command.template_name;
  const CaseTemplate model = case_template(asked.empty() ? usual_template : asked);
  if (fs::is_directory(file))
    throw CaseError(fmt::format("{} is a folder; take another NAME", file.string()));
  if (fs::exists(file) && !command.forces) {
    throw CaseError(fmt::format("{} exists already; use --force to replace it, or another NAME",
                                file.string()));
  }
  write_text_file(file.string(), text_for_case(model, file.stem().string()));
  fmt::print("{0}: {1}\nnext:  dns check {0}    memory, limits and time\n       dns run {0}\n",
             file.string(),
             model.summary);
  return ExitCode::finished;
}

}  // namespace dns
