/// Cases to start from: the commented files of configs/.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "solver/application/commands/commands.hpp"
#include "solver/application/commands/shared_files.hpp"
#include "solver/core/error.hpp"
#include "solver/core/file_descriptor.hpp"
#include "solver/core/nearest_key.hpp"
#include "solver/files/run_files.hpp"
#include "solver/run/words.hpp"

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

/// All other cases, which are named as their files.
struct Group {
  const char* title;
  const char* names;  // blanks between them
};
constexpr std::array<Group, 6> groups{
    {{"channels and ducts",
      "channel590 channel950 scalar_channel conjugate_channel rotating_channel magnetic_channel "
      "hartmann slip_channel oscillating_walls channel_planes fed_channel particle_channel "
      "orr_sommerfeld laminar_duct channel_smoke"},
     {"boundary layers and jets", "blasius boundary_layer boundary_layer670 jet"},
     {"bodies in the flow",
      "cylinder_wake sphere periodic_hill pipe laminar_pipe turning_cylinder oscillating_cylinder "
      "settling_sphere settling_cylinders"},
     {"cavities", "lid_cavity lid_cavity_3d cans_lid_cavity cans_heated_cavity heated_box"},
     {"heat, scalars and rotation", "cooled_plate salt_fingers stratified_box rotating_convection"},
     {"turbulence in boxes", "forced_box taylor_green_octant"}}};

fs::path folder_of_templates() {
  return fs::path(shared_file(std::string("configs/") + templates.front().file)).parent_path();
}

std::string text_of_template(const std::string& file) {
  return text_of_file((folder_of_templates() / file).string());
}

/// The first line of its comment.
std::string summary_of(const std::string& file) {
  const std::string text = text_of_template(file);
  const std::size_t start = text.find_first_not_of("# ");
  return text.substr(start, text.find('\n') - start);
}

/// Names and files of all templates, in the order of the list.
std::vector<std::pair<std::string, std::string>> all_templates() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const CaseTemplate& model : templates) all.emplace_back(model.name, model.file);
  for (const Group& group : groups) {
    for (const std::string& name : split(group.names, ' ')) all.emplace_back(name, name + ".yaml");
  }
  return all;
}

/// The file of a template, by its name or as it is called itself.
std::string template_named(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [known, file] : all_templates()) {
    if (known == name || file == name + ".yaml") return file;
    names.push_back(known);
  }
  throw CaseError(fmt::format("dns new: unknown template '{}'{}\n'dns new --list' shows them",
                              name,
                              or_nearest(name, names)));
}

/// Tables and coordinates beside the templates that a text names.
std::vector<fs::path> files_named_in(const std::string& text) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder_of_templates())) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".yaml" && text.find(name) != std::string::npos)
      files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

/// Throws CaseError where another file stands in its place.
void require_free(const fs::path& target, const fs::path& source) {
  if (!fs::exists(target)) return;
  if (fs::is_regular_file(target) && text_of_file(target.string()) == text_of_file(source.string()))
    return;
  throw CaseError(fmt::format(
      "{} exists already, but the case reads a file of this name; use --force to replace it",
      target.string()));
}

/// The text of a template with the name of the new file in its comments. Templates have neither
/// `case` nor `output.directory`: both follow from the name of the file.
std::string text_for_case(const std::string& file, const std::string& name) {
  std::string text;
  for (std::string line : split(text_of_template(file), '\n')) {
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

/// The first sentence of `text`, or as much of it as fits on the rest of a line of 80 characters.
std::string shortened(std::string text, std::size_t used) {
  const std::size_t most = 80 - used;
  text = text.substr(0, text.find(". "));
  return text.size() <= most ? text : text.substr(0, text.rfind(' ', most - 4)) + " ...";
}

/// A template a line; those to begin with have the time that their run takes.
void print_templates() {
  constexpr const char* line = "{:<15} {:<7} {:<5} {}\n";
  constexpr std::size_t before_summary = 30;
  fmt::print(line, "TEMPLATE", "2 CORES", "GPU", "FLOW");
  for (const CaseTemplate& model : templates)
    fmt::print(line,
               model.name,
               model.time_on_two_cores,
               model.time_on_gpu,
               shortened(summary_of(model.file), before_summary));
  for (const Group& group : groups) {
    fmt::print("\n{}:\n", group.title);
    for (const std::string& name : split(group.names, ' '))
      fmt::print("  {:<19} {}\n", name, shortened(summary_of(name + ".yaml"), 22));
  }
  fmt::print(
      "\nAbout how long a run takes, in double precision: on two cores of an AMD EPYC, on\n"
      "one NVIDIA H200; ?: not measured. `dns check NAME.yaml` says how long here.\n"
      "Without --template: {}\n",
      usual_template);
}

}  // namespace

std::string list_of_templates() {
  std::string text;
  for (const auto& [name, file] : all_templates())
    text += fmt::format("{:<19} {}\n", name, summary_of(file));
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
  const std::string model = template_named(name);
  if (fs::is_directory(file))
    throw CaseError(fmt::format("{} is a folder; take another NAME", file.string()));
  if (fs::exists(file) && !command.forces) {
    throw CaseError(fmt::format("{} exists already; use --force to replace it, or another NAME",
                                file.string()));
  }
  const std::string text = text_for_case(model, file.stem().string());
  const std::vector<fs::path> companions = files_named_in(text);
  const auto beside = [&](const fs::path& source) {
    return file.parent_path() / source.filename();
  };
  for (const fs::path& source : companions) {
    if (!command.forces) require_free(beside(source), source);
  }
  write_text_file(file.string(), text);
  for (const fs::path& source : companions)
    write_text_file(beside(source).string(), text_of_file(source.string()));
  fmt::print("{0}: {1}\nnext:  dns check {0}    memory, limits and time\n       dns run {0}\n",
             file.string(),
             summary_of(model));
  for (const fs::path& source : companions)
    fmt::print("with {}, which it reads\n", beside(source).string());
  return ExitCode::finished;
}

}  // namespace dns
