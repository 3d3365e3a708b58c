#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/application/commands/commands.hpp"
#include "solver/application/commands/facts.hpp"
#include "solver/application/commands/text_file_facts.hpp"
#include "solver/application/terminal/case_in_words.hpp"
#include "solver/config/load_case.hpp"
#include "solver/core/error.hpp"
#include "solver/output/file_facts.hpp"
#include "solver/output/plane_series.hpp"
#include "solver/output/run_files.hpp"
#include "solver/output/statistics_file.hpp"

namespace dns {
namespace {

/// What the case is about: the lines that a run prints first, without that on program and folder.
void add_case(const std::string& yaml, const std::string& name, Facts& facts) {
  try {
    const Case resolved = parse_case(yaml, name, {});
    const std::vector<std::string> lines = lines_about_case(resolved);
    for (std::size_t n = 1; n < lines.size(); ++n) facts.line(lines[n]);
  } catch (const CaseError& error) {
    facts.line(fmt::format("case       cannot be read by this version: {}", error.what()));
  }
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
  facts.line("holds, slowest axis first:");
  for (const FileFacts::Array& array : file.arrays)
    facts.line(fmt::format("  {:<20} {}", array.name, array.shape));
  return facts;
}

constexpr const char* what_is_known =
    "`dns info` explains a run's folder and what is in it (case.yaml, fields_*.h5, fields.xdmf, "
    "checkpoint_*.h5, slice_*.png, planes_*.h5, probes_*, statistics.h5, timeseries.csv, log.txt), "
    "and files "
    "of `dns bench`";

Facts facts_of_file(const std::string& path) {
  if (path.ends_with(".part")) {
    throw IoError(fmt::format(
        "{}: an unfinished file: a run is writing it, or was killed while it did", path));
  }
  if (is_hdf5(path)) return facts_of_hdf5_file(path);
  if (std::optional<Facts> facts = facts_of_text_file(path)) return *std::move(facts);
  if (path.ends_with(".h5")) read_file_facts(path);  // says what is wrong with it
  throw IoError(fmt::format("{}: not a file of this program; {}", path, what_is_known));
}

/// "5: steps 0 to 200", "none".
std::string steps_in_words(const std::vector<NumberedFile>& files) {
  if (files.empty()) return "none";
  if (files.size() == 1) return fmt::format("1: step {}", files.front().step);
  return fmt::format("{}: steps {} to {}", files.size(), files.front().step, files.back().step);
}

/// "41: steps 0 to 400".
std::string records_in_words(const std::filesystem::path& folder,
                             const std::string& plane,
                             std::string_view prefix) {
  const std::string path = (folder / fmt::format("{}{}.h5", prefix, plane)).string();
  try {
    const std::vector<double> steps = read_plane_series(path).steps;
    return fmt::format("{}: steps {} to {}", steps.size(), steps.front(), steps.back());
  } catch (const IoError& error) {
    return fmt::format("cannot be read: {}", error.what());
  }
}

/// The same of the lines of a table.
std::string lines_in_words(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);  // the header
  std::int64_t lines = 0;
  std::string first;
  std::string last;
  while (std::getline(file, line) && !file.eof()) {
    last = line.substr(0, line.find(','));
    if (lines++ == 0) first = last;
  }
  return lines == 0 ? "none" : fmt::format("{}: steps {} to {}", lines, first, last);
}

/// The last complete line of a text file; empty when there is none.
std::string last_line(const std::string& path) {
  std::ifstream file(path);
  std::string last;
  for (std::string line; std::getline(file, line) && !file.eof();) last = std::move(line);
  return last;
}

/// The rest of a folder can be explained without them.
void add_averages(const std::string& path, Facts& facts) {
  try {
    for (const NamedNumber& number : read_file_facts(path).numbers)
      facts.number(number.name, number.value);
  } catch (const IoError& error) {
    facts.line(fmt::format("averages   cannot be read: {}", error.what()));
  }
}

Facts facts_of_folder(const std::string& directory) {
  const std::filesystem::path folder(directory);
  const std::vector<NumberedFile> snapshots = numbered_files(directory, snapshot_prefix);
  const std::vector<NumberedFile> checkpoints = numbered_files(directory, checkpoint_prefix);
  const std::string case_path = (folder / "case.yaml").string();
  if (!std::filesystem::exists(case_path) && snapshots.empty() && checkpoints.empty())
    throw IoError(fmt::format("{}: holds no run; {}", directory, what_is_known));

  Facts facts;
  facts.text("folder", directory);
  if (std::filesystem::exists(case_path)) {
    for (const std::string& line : lines_about_case(load_case(case_path, {}))) {
      if (!line.starts_with("dns ")) facts.line(line);
    }
  }
  const std::string series = last_line((folder / "timeseries.csv").string());
  if (const std::size_t comma = series.find(','); comma != std::string::npos) {
    const std::size_t end = series.find(',', comma + 1);
    facts.text(
        "reached",
        fmt::format(
            "step {}, t = {}", series.substr(0, comma), series.substr(comma + 1, end - comma - 1)));
  }
  facts.text("snapshots", steps_in_words(snapshots));
  facts.text("checkpoints", steps_in_words(checkpoints));
  facts.text("slices", steps_in_words(slice_files(directory)));
  for (const std::string& plane : planes_with_files(directory)) {
    facts.text(fmt::format("planes {}", plane), records_in_words(folder, plane, planes_prefix));
  }
  for (const std::string& probe : probes_with_tables(directory)) {
    facts.text(fmt::format("probes {}", probe),
               lines_in_words((folder / probe_table_name(probe)).string()));
  }
  for (const std::string& line : planes_with_files(directory, probes_prefix)) {
    facts.text(fmt::format("probes {}", line), records_in_words(folder, line, probes_prefix));
  }
  const std::string statistics = (folder / statistics_name).string();
  if (std::filesystem::exists(statistics)) add_averages(statistics, facts);
  if (!snapshots.empty()) facts.line(fmt::format("view       paraview {}/fields.xdmf", directory));
  if (!checkpoints.empty()) facts.line(fmt::format("go on      dns resume {}", directory));
  return facts;
}

}  // namespace

ExitCode info(const Command& command) {
  const std::string& path = command.target;
  if (!std::filesystem::exists(path))
    throw IoError(fmt::format("{}: no such file or folder", path));
  const Facts facts =
      std::filesystem::is_directory(path) ? facts_of_folder(path) : facts_of_file(path);
  std::fputs(facts.shown(command.wants_json).c_str(), stdout);
  return ExitCode::finished;
}

}  // namespace dns
