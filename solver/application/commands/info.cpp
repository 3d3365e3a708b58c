#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/application/commands/commands.hpp"
#include "solver/application/commands/data_file_facts.hpp"
#include "solver/application/commands/facts.hpp"
#include "solver/config/load_case.hpp"
#include "solver/core/error.hpp"
#include "solver/core/json_text.hpp"
#include "solver/files/file_facts.hpp"
#include "solver/files/plane_series.hpp"
#include "solver/files/run_files.hpp"
#include "solver/output/statistics_file.hpp"
#include "solver/run/case_in_words.hpp"
#include "solver/run/words.hpp"

namespace dns {
namespace {

/// What the case is about: the lines that a run prints first, without that on program and folder.
/// Files of no run have none.
void add_case(const std::string& yaml, const std::string& name, Facts& facts) {
  if (yaml.empty()) return;
  try {
    add_case_facts(parse_case(yaml, name, {}), facts);
  } catch (const CaseError& error) {
    facts.warning("case", fmt::format("cannot be read by this version: {}", error.what()));
  }
}

void add_arrays(const std::vector<FileFacts::Array>& arrays, Facts& facts) {
  facts.line("holds, slowest axis first:");
  nlohmann::ordered_json values = nlohmann::ordered_json::object();
  for (const FileFacts::Array& array : arrays) {
    values[array.name]["shape"] = array.shape;
    if (array.precision) values[array.name]["precision"] = name_of(*array.precision);
    std::string line = fmt::format("  {:<20} ({}) {}",
                                   array.name,
                                   fmt::join(array.shape, ", "),
                                   array.precision ? name_of(*array.precision) : "in the pieces");
    if (!array.axes.empty()) {
      values[array.name]["axes"] = split(array.axes, ' ');
      line = fmt::format("{:<51} {}", line, array.axes);
    }
    facts.line(line);
  }
  facts.value("arrays", values);
}

Facts facts_of_hdf5_file(const std::string& path) {
  const FileFacts file = read_file_facts(path);
  Facts facts;
  facts.text("file", path);
  facts.text("format", file.format);
  facts.text("version", file.version);
  if (!file.device.empty()) facts.text("device", file.device);
  facts.integer("step", file.step);
  facts.number("time", file.time);
  for (const NamedNumber& number : file.numbers) facts.number(number.name, number.value);
  add_case(file.case_yaml, path, facts);
  add_arrays(file.arrays, facts);
  return facts;
}

constexpr const char* what_is_known =
    "`dns info` explains a run's folder and what is in it (case.yaml, fields_*.h5, fields.xdmf, "
    "checkpoint_*.h5, slice_*.png, planes_*.h5, probes_*, statistics.h5, statistics_*.h5, "
    "averages_*.h5, "
    "timeseries.csv)";

Facts facts_of_file(const std::string& path) {
  if (path.ends_with(".part")) {
    throw IoError(fmt::format(
        "{}: an unfinished file: a run is writing it, or was killed while it did", path));
  }
  if (is_hdf5(path)) return facts_of_hdf5_file(path);
  if (std::optional<Facts> facts = facts_of_data_file(path)) return *std::move(facts);
  if (path.ends_with(".h5")) read_file_facts(path);  // says what is wrong with it
  throw IoError(fmt::format(
      "{}: not a file that this program writes for programs to read; {}", path, what_is_known));
}

/// "5: steps 0 to 200", "none".
std::string steps_in_words(const std::vector<NumberedFile>& files) {
  if (files.empty()) return "none";
  if (files.size() == 1) return fmt::format("1: step {}", files.front().step);
  return fmt::format("{}: steps {} to {}", files.size(), files.front().step, files.back().step);
}

/// The steps of some files: in words, and all of them as JSON.
void add_steps(const std::string& name, const std::vector<NumberedFile>& files, Facts& facts) {
  nlohmann::ordered_json steps = nlohmann::ordered_json::array();
  for (const NumberedFile& file : files) steps.push_back(file.step);
  facts.value(name, steps_in_words(files), steps);
}

/// "planes inlet 41: steps 0 to 400" of each name; as JSON the steps of all records, null where the
/// file cannot be read. Probes that are points have tables, a line for each record; those that are
/// lines have series, as planes do.
void add_records(const std::string& kind,
                 const std::string& directory,
                 std::string_view prefix,
                 Facts& facts) {
  std::vector<std::pair<std::string, std::string>> files;  // by name
  if (prefix == probes_prefix) {
    for (const std::string& name : probes_with_tables(directory))
      files.emplace_back(name, probe_table_name(name));
  }
  for (const std::string& name : planes_with_files(directory, prefix))
    files.emplace_back(name, fmt::format("{}{}.h5", prefix, name));
  nlohmann::ordered_json steps = nlohmann::ordered_json::object();
  for (const auto& [name, file] : files) {
    const std::string title = fmt::format("{} {}", kind, name);
    try {
      const std::string path = path_in(directory, file);
      const std::vector<double> records =
          file.ends_with(".h5") ? read_plane_series(path).steps : read_table(path).steps;
      steps[name] = nlohmann::ordered_json::array();
      for (const double step : records) steps[name].push_back(json_number(step));
      const std::string words =
          records.empty()
              ? "none"
              : fmt::format("{}: steps {} to {}", records.size(), records.front(), records.back());
      facts.line(fmt::format("{:<10} {}", title, words));
    } catch (const IoError& error) {
      facts.warning(title, fmt::format("cannot be read: {}", error.what()));
      steps[name] = nullptr;
    }
  }
  if (!steps.empty()) facts.value(kind, steps);
}

/// How far the run came, as its newest checkpoint or the newest line of its time series has it, and
/// all values of that line.
void add_newest(const std::string& directory,
                const std::vector<NumberedFile>& checkpoints,
                Facts& facts) {
  const std::string path = path_in(directory, timeseries_name);
  Table table;
  if (std::filesystem::exists(path)) table = read_table(path);
  double step = -1;
  double time = 0;
  if (table.newest.size() >= 2) {
    step = table.newest[0];
    time = table.newest[1];
  }
  if (!checkpoints.empty() && static_cast<double>(checkpoints.back().step) > step) {
    try {
      const FileFacts at = read_file_facts(
          path_in(directory, numbered_name(checkpoint_prefix, checkpoints.back().step)));
      step = static_cast<double>(at.step);
      time = at.time;
    } catch (const IoError&) {  // a resume takes the one before
    }
  }
  if (step < 0) return;
  facts.line(fmt::format("reached    step {}, t = {:.9g}", step, time));
  facts.value("step", json_number(step));
  facts.value("time", json_number(time));
  if (table.newest.size() < 2) return;
  nlohmann::ordered_json values;
  for (std::size_t n = 0; n < table.names.size(); ++n)
    values[table.names[n]] = json_number(table.newest[n]);
  facts.value("timeseries", values);
}

/// Nusselt numbers, and coefficients of bodies, with their 95 % intervals, of a file of `dns
/// average`.
void add_means(const std::string& path, Facts& facts) {
  const std::vector<NamedNumber> numbers = read_file_facts(path).numbers;
  for (const auto& [name, mean] : numbers) {
    const bool is_shown = name.starts_with("nusselt_") || name.starts_with("strouhal_") ||
                          name.starts_with("force_coefficient_");
    const auto half = std::ranges::find(numbers, name + "_uncertainty", &NamedNumber::name);
    if (!is_shown || half == numbers.end()) continue;
    facts.line(fmt::format("{} {:.6g} +- {:.2g}", name, mean, half->value));
    facts.value(name, json_number(mean));
    facts.value(half->name, json_number(half->value));
  }
}

/// The files of `dns average`: their names, and as JSON too; the means of the newest one.
void add_files_of_averages(const std::string& directory, Facts& facts) {
  std::vector<std::string> names = names_in(directory);
  std::erase_if(names, [](const std::string& name) {
    return !name.starts_with("averages_") || !name.ends_with(".h5");
  });
  std::ranges::sort(names);
  if (names.empty()) return;
  facts.value("averages", fmt::format("{}", fmt::join(names, ", ")), names);
  const auto time_of = [&](const std::string& name) {
    return std::filesystem::last_write_time(path_in(directory, name));
  };
  const std::string newest = *std::ranges::max_element(names, {}, time_of);
  try {
    add_means(path_in(directory, newest), facts);
  } catch (const IoError& error) {
    facts.warning("averages", fmt::format("cannot be read: {}", error.what()));
  }
}

/// The rest of a folder can be explained without them.
void add_averages(const std::string& path, Facts& facts) {
  try {
    for (const NamedNumber& number : read_file_facts(path).numbers)
      facts.number(number.name, number.value);
  } catch (const IoError& error) {
    facts.warning("averages", fmt::format("cannot be read: {}", error.what()));
  }
}

/// What to type to go on from the newest checkpoint; a run that is over needs more to do.
std::string command_to_go_on(const std::optional<Case>& resolved,
                             const std::string& directory,
                             const std::string& newest) {
  try {
    const FileFacts at = read_file_facts(newest);
    if (resolved && resolved->time.is_over(at.step, at.time))
      return command_for_more(resolved->time, directory, at.step, at.time);
  } catch (const IoError&) {  // a resume takes the one before
  }
  return fmt::format("dns resume {}", directory);
}

Facts facts_of_folder(const std::string& directory) {
  const std::vector<NumberedFile> snapshots = numbered_files(directory, snapshot_prefix);
  const std::vector<NumberedFile> checkpoints = numbered_files(directory, checkpoint_prefix);
  const std::string case_path = path_in(directory, "case.yaml");
  if (!std::filesystem::exists(case_path) && snapshots.empty() && checkpoints.empty())
    throw IoError(fmt::format("{}: holds no run; {}", directory, what_is_known));

  Facts facts;
  facts.text("folder", directory);
  std::optional<Case> resolved;
  if (std::filesystem::exists(case_path)) {
    resolved = load_case(case_path, {});
    add_case_facts(*resolved, facts);
  }
  add_newest(directory, checkpoints, facts);
  add_steps("snapshots", snapshots, facts);
  add_steps("checkpoints", checkpoints, facts);
  add_steps("slices", numbered_files(directory, slice_prefix), facts);
  add_records("planes", directory, planes_prefix, facts);
  add_records("probes", directory, probes_prefix, facts);
  const std::vector<NumberedFile> windows = numbered_files(directory, statistics_prefix);
  if (!windows.empty()) add_steps("windows", windows, facts);
  if (std::filesystem::exists(path_in(directory, phases_name)))
    facts.text("phases", std::string(phases_name));
  add_files_of_averages(directory, facts);
  const std::string statistics = path_in(directory, statistics_name);
  if (std::filesystem::exists(statistics)) add_averages(statistics, facts);
  if (!snapshots.empty()) facts.line(fmt::format("view       paraview {}/fields.xdmf", directory));
  if (!checkpoints.empty()) {
    const std::string newest =
        path_in(directory, numbered_name(checkpoint_prefix, checkpoints.back().step));
    facts.line(fmt::format("go on      {}", command_to_go_on(resolved, directory, newest)));
  }
  return facts;
}

}  // namespace

ExitCode info(const Command& command) {
  const std::string& path = command.target;
  if (!std::filesystem::exists(path))
    throw IoError(fmt::format("{}: no such file or folder", path));
  const Facts facts =
      std::filesystem::is_directory(path) ? facts_of_folder(path) : facts_of_file(path);
  facts.print(command.wants_json);
  return ExitCode::finished;
}

}  // namespace dns
