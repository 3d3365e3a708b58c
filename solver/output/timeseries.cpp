#include "solver/output/timeseries.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>

#include "solver/core/error.hpp"
#include "solver/output/run_files.hpp"

namespace dns {
namespace {

std::string header_with(const std::vector<std::string>& diagnostic_names) {
  std::string header =
      "step,time,dt,cfl,divergence_mean,divergence_max,kinetic_energy,dissipation,";
  for (const std::string& name : diagnostic_names) header += name + ',';
  return header + "global_iterations,iteration_change,wall_seconds\n";
}

/// The shortest text that reads back to the same number.
template <class Number>
std::string shortest(Number value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

/// The step of a complete line; none for a damaged one.
std::optional<std::int64_t> step_of_line(std::string_view line, std::string_view header) {
  std::int64_t step = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), step);
  const bool is_number = error == std::errc{} && end != line.data() + line.size() && *end == ',';
  const bool is_complete =
      std::count(line.begin(), line.end(), ',') == std::count(header.begin(), header.end(), ',');
  return is_number && is_complete ? std::optional(step) : std::nullopt;
}

/// The lines of `text` for steps up to `last_step`; an unfinished line, left by a crash of the
/// machine, is dropped.
std::string kept_lines(std::string_view text, std::string_view header, std::int64_t last_step) {
  std::string kept(header);
  text.remove_prefix(header.size());
  for (auto end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    const std::string_view line = text.substr(0, end + 1);
    const auto step = step_of_line(line, header);
    if (step && *step <= last_step) kept += line;
    text.remove_prefix(end + 1);
  }
  return kept;
}

std::string whole_text(const std::string& path) {
  if (std::filesystem::is_directory(path)) throw IoError(system_message(path, "reading", EISDIR));
  std::ifstream stream(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) throw IoError(system_message(path, "reading", errno));
  return text;
}

}  // namespace

TimeSeries::TimeSeries(const std::string& directory,
                       std::int64_t last_step,
                       const std::vector<std::string>& diagnostic_names)
    : path_((std::filesystem::path(directory) / timeseries_name).string()),
      header_(header_with(diagnostic_names)) {
  const std::string before = std::filesystem::exists(path_) ? whole_text(path_) : "";
  std::string_view start = std::string_view(before).substr(0, header_.size());
  if (!header_.starts_with(start)) {
    throw IoError(fmt::format("{}: not a time series of this program: it begins with '{}'",
                              path_,
                              start.substr(0, start.find('\n'))));
  }
  const bool has_header = start.size() == header_.size();
  const std::string after = has_header ? kept_lines(before, header_, last_step) : header_;
  if (after != before) write_text_file(path_, after);
  file_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file_ < 0) throw IoError(system_message(path_, "opening", errno));
}

TimeSeries::~TimeSeries() {
  if (file_ >= 0) ::close(file_);
}

void TimeSeries::append(std::int64_t step,
                        double time,
                        double dt,
                        const FlowDiagnostics& diagnostics,
                        const StepReport& report,
                        double wall_seconds) {
  std::string line = shortest(step);
  for (const double value : {time,
                             dt,
                             diagnostics.cfl,
                             diagnostics.divergence_mean,
                             diagnostics.divergence_max,
                             diagnostics.kinetic_energy,
                             diagnostics.dissipation})
    line += ',' + shortest(value);
  for (const double value : diagnostics.others) line += ',' + shortest(value);
  line += ',' + shortest(report.global_iterations) + ',' + shortest(report.iteration_change);
  line += fmt::format(",{:.3f}\n", wall_seconds);
  write_all(file_, line, path_, "writing a line");
}

}  // namespace dns
