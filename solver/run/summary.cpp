#include "solver/run/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "solver/core/json_text.hpp"
#include "solver/core/version.hpp"
#include "solver/instances/case_needs.hpp"
#include "solver/run/case_in_words.hpp"
#include "solver/run/words.hpp"

namespace dns {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();  // null in JSON

double seconds_per_step(const RunResult& result) {
  const auto steps = static_cast<double>(result.last_step - result.first_step);
  return steps > 0 ? result.step_seconds / steps : 0;
}

double copy_fraction(const Case& resolved, const RunSummary& summary) {
  const double seconds = seconds_per_step(summary.result);
  if (!(seconds > 0) || !(summary.copy_bandwidth > 0)) return 0;
  return compulsory_bytes_per_step(resolved) / seconds / summary.copy_bandwidth;
}

double known(double figure) {
  return figure > 0 ? figure : no_number;
}

std::string phases_in_words(const std::vector<PhaseTime>& phases) {
  double total = 0;
  for (const PhaseTime& phase : phases) total += phase.seconds;
  std::string words;
  for (const PhaseTime& phase : phases) {
    if (!words.empty()) words += ", ";
    words += fmt::format("{} {:.0f}%", phase.name, total > 0 ? 100 * phase.seconds / total : 0);
  }
  return words;
}

/// Empty where there is nothing to look at and nothing to resume from.
std::string next_command(const Case& resolved, const RunSummary& summary) {
  const std::string& directory = resolved.output.directory;
  if (summary.status == "stopped") return fmt::format("dns resume {}", directory);
  if (resolved.output.fields.every.is_any())
    return fmt::format("paraview {}/fields.xdmf", directory);
  const RunResult& result = summary.result;
  if (result.checkpoint_step < 0) return "";
  return command_for_more(resolved.time, directory, result.last_step, result.time);
}

}  // namespace

std::vector<std::string> closing_lines(const Case& resolved, const RunSummary& summary) {
  const RunResult& result = summary.result;
  const std::int64_t steps = result.last_step - result.first_step;
  const double seconds = seconds_per_step(result);
  std::vector<std::string> lines;
  const bool ends_at_time = resolved.time.steps == unlimited_steps;
  const std::string of_steps = ends_at_time ? "" : fmt::format(" of {}", resolved.time.steps);
  const std::string of_time =
      ends_at_time ? fmt::format(" of {:g}", resolved.time.end.value_or(0)) : "";
  lines.push_back(fmt::format("{:<10} step {}{}, t = {:g}{}: {} steps in {}",
                              summary.status,
                              result.last_step,
                              of_steps,
                              result.time,
                              of_time,
                              steps,
                              in_words_duration(result.loop_seconds)));
  if (steps > 0) {
    lines.push_back(fmt::format("speed      {:.4g} ms per step, {:.4g} ns per point and step",
                                seconds * 1e3,
                                seconds * 1e9 / points_of(resolved)));
    const double fraction = copy_fraction(resolved, summary);
    if (fraction > 0) lines.back() += fmt::format(", {:.0f}% of copy", fraction * 100);
    const std::string phases = phases_in_words(summary.simulation->phase_times());
    if (summary.shows_phases && !phases.empty())
      lines.push_back(fmt::format("phases     {}", phases));
    lines.push_back(fmt::format("waited     {} for output, {:.1f}% of the time",
                                in_words_duration(result.waited_seconds),
                                100 * result.waited_seconds / result.loop_seconds));
  }
  lines.push_back(fmt::format("files      {}", resolved.output.directory));
  const std::string next = next_command(resolved, summary);
  if (!next.empty()) lines.push_back(fmt::format("next       {}", next));
  if (std::ranges::any_of(resolved.output.times(), &OutputTimes::is_plotted))
    lines.push_back(fmt::format("pictures   dns plot {}", resolved.output.directory));
  return lines;
}

std::string to_json(const Case& resolved,
                    const RunSummary& summary,
                    const std::vector<std::string>& warnings) {
  const RunResult& result = summary.result;
  const double seconds = seconds_per_step(result);
  nlohmann::ordered_json diagnostics{
      {"cfl", json_number(result.diagnostics.cfl)},
      {"divergence_mean", json_number(result.diagnostics.divergence_mean)},
      {"divergence_max", json_number(result.diagnostics.divergence_max)},
      {"kinetic_energy", json_number(result.diagnostics.kinetic_energy)},
      {"dissipation", json_number(result.diagnostics.dissipation)}};
  std::string device;
  auto phases = nlohmann::ordered_json::object();
  if (summary.simulation != nullptr) {
    device = summary.simulation->device_name();
    const std::vector<std::string> names = summary.simulation->diagnostic_names();
    for (std::size_t n = 0; n < result.diagnostics.others.size(); ++n)
      diagnostics[names.at(n)] = json_number(result.diagnostics.others[n]);
    for (const PhaseTime& phase : summary.simulation->phase_times())
      phases[phase.name] = json_number(phase.seconds);
  }
  return json_line({{"status", summary.status},
                    {"stop_reason", result.stop_reason},
                    {"case", resolved.name},
                    {"directory", resolved.output.directory},
                    {"version", version()},
                    {"device", device},
                    {"precision", name_of(resolved.precision)},
                    {"threads", resolved.run.threads},
                    {"points", resolved.grid.points.count()},
                    {"first_step", result.first_step},
                    {"step", result.last_step},
                    {"steps", json_number(steps_as_number(resolved.time))},
                    {"end", json_number(resolved.time.end.value_or(no_number))},
                    {"time", json_number(result.time)},
                    {"wall_seconds", json_number(result.loop_seconds)},
                    {"ms_per_step", json_number(seconds * 1e3)},
                    {"ns_per_point_and_step", json_number(seconds * 1e9 / points_of(resolved))},
                    {"copy_fraction", json_number(known(copy_fraction(resolved, summary)))},
                    {"copy_bytes_per_second", json_number(known(summary.copy_bandwidth))},
                    {"output_wait_seconds", json_number(result.waited_seconds)},
                    {"phase_seconds", phases},
                    {"warnings", warnings},
                    {"figures", diagnostics}});
}

}  // namespace dns
