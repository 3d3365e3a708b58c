#include "solver/application/summary.hpp"

#include <fmt/format.h>

#include <array>

#include "solver/application/words.hpp"
#include "solver/core/version.hpp"

namespace dns {
namespace {

constexpr std::array<const char*, 3> axis_names{"x", "y", "z"};

std::string word_of(FaceKind kind) {
  switch (kind) {
    case FaceKind::periodic:
      return "periodic";
    case FaceKind::wall:
      return "wall";
    case FaceKind::inflow:
      return "inflow";
    case FaceKind::outflow:
      return "outflow";
    case FaceKind::symmetry:
      return "symmetry";
  }
  return "?";
}

/// "x periodic, y wall to wall, z inflow to outflow"
std::string boundaries_in_words(const Case& resolved) {
  std::string words;
  for (int axis = 0; axis < 3; ++axis) {
    const FaceKind low = resolved.faces.at(face_index(axis, false)).kind;
    const FaceKind high = resolved.faces.at(face_index(axis, true)).kind;
    const std::string ends = low == FaceKind::periodic
                                 ? word_of(low)
                                 : fmt::format("{} to {}", word_of(low), word_of(high));
    words += fmt::format(
        "{}{} {}", axis == 0 ? "" : ", ", axis_names.at(static_cast<std::size_t>(axis)), ends);
  }
  return words;
}

std::string output_in_words(const OutputCase& output) {
  const auto every = [](const char* what, std::int64_t steps) {
    return steps > 0 ? fmt::format(", {} every {}", what, steps) : std::string();
  };
  std::string words = output.directory + every("fields", output.fields.every) +
                      every("time series", output.timeseries_every) +
                      every("checkpoint", output.checkpoint_every);
  if (output.checkpoint_every == 0) words += ", checkpoint only when stopped";
  return words;
}

double points_of(const Case& resolved) {
  return static_cast<double>(resolved.grid.points.count());
}

double seconds_per_step(const RunResult& result) {
  const auto steps = static_cast<double>(result.last_step - result.first_step);
  return steps > 0 ? result.step_seconds / steps : 0;
}

double copy_fraction(const RunSummary& summary) {
  const double seconds = seconds_per_step(summary.result);
  if (!(seconds > 0) || !(summary.copy_bandwidth > 0)) return 0;
  return summary.compulsory_bytes_per_step / seconds / summary.copy_bandwidth;
}

std::string phases_in_words(const RunSummary& summary) {
  double total = 0;
  for (const PhaseTime& phase : summary.phases) total += phase.seconds;
  std::string words;
  for (const PhaseTime& phase : summary.phases) {
    if (!words.empty()) words += ", ";
    words += fmt::format("{} {:.0f}%", phase.name, total > 0 ? 100 * phase.seconds / total : 0);
  }
  return words;
}

std::string next_command(const Case& resolved, const RunSummary& summary) {
  const std::string& directory = resolved.output.directory;
  if (summary.status == "stopped") return fmt::format("dns resume {}", directory);
  if (resolved.output.fields.every > 0) return fmt::format("paraview {}/fields.xdmf", directory);
  return fmt::format("dns resume {} --set time.steps={}", directory, 2 * resolved.time.steps);
}

}  // namespace

std::vector<std::string> lines_about_case(const Case& resolved) {
  const Extents points = resolved.grid.points;
  const TimeCase& time = resolved.time;
  const std::string iterations = time.global_tolerance
                                     ? fmt::format("global iterations to {:g}, at most {}",
                                                   *time.global_tolerance,
                                                   time.max_global_iterations)
                                     : fmt::format("global iterations {}", time.global_iterations);
  return {fmt::format("dns {}", version()),
          fmt::format("case       {}: incompressible flow with temperature, splitting scheme",
                      resolved.name),
          fmt::format("flow       Reynolds {:g}, Prandtl {:g}, heat capacity ratio {:g}",
                      resolved.fluid.reynolds,
                      resolved.fluid.prandtl,
                      resolved.fluid.heat_capacity_ratio),
          fmt::format("boundaries {}", boundaries_in_words(resolved)),
          "units      lengths in L, velocities in U, times in L/U, temperatures in T0",
          fmt::format("grid       {} x {} x {} nodes ({}), box {:g} x {:g} x {:g}",
                      points.nx,
                      points.ny,
                      points.nz,
                      in_words_count(points_of(resolved)),
                      resolved.grid.length[0],
                      resolved.grid.length[1],
                      resolved.grid.length[2]),
          fmt::format("time       {} steps of {:g}, to t = {:g}; {}, local {}",
                      time.steps,
                      time.step,
                      static_cast<double>(time.steps) * time.step,
                      iterations,
                      time.local_iterations),
          fmt::format("output     {}", output_in_words(resolved.output))};
}

std::vector<std::string> lines_about_device(const Case& resolved,
                                            const Simulation& simulation,
                                            double copy_bandwidth) {
  return {
      fmt::format("device     {}, {} precision; copies {}/s",
                  simulation.device_name(),
                  name_of(resolved.precision),
                  in_words_bytes(copy_bandwidth)),
      fmt::format("memory     {}", in_words_bytes(static_cast<double>(simulation.memory_bytes())))};
}

std::vector<std::string> closing_lines(const Case& resolved, const RunSummary& summary) {
  const RunResult& result = summary.result;
  const std::int64_t steps = result.last_step - result.first_step;
  const double seconds = seconds_per_step(result);
  std::vector<std::string> lines;
  lines.push_back(fmt::format("{:<10} step {} of {}, t = {:g}: {} steps in {}",
                              summary.status,
                              result.last_step,
                              resolved.time.steps,
                              result.time,
                              steps,
                              in_words_duration(result.loop_seconds)));
  if (steps > 0) {
    lines.push_back(fmt::format("speed      {:.4g} ms per step, {:.4g} ns per point and step",
                                seconds * 1e3,
                                seconds * 1e9 / points_of(resolved)));
    const double fraction = copy_fraction(summary);
    if (fraction > 0) lines.back() += fmt::format(", {:.0f}% of copy", fraction * 100);
    const std::string phases = phases_in_words(summary);
    if (!phases.empty()) lines.push_back(fmt::format("phases     {}", phases));
    lines.push_back(fmt::format("waited     {} for output, {:.1f}% of the time",
                                in_words_duration(summary.waited_seconds),
                                100 * summary.waited_seconds / result.loop_seconds));
  }
  lines.push_back(fmt::format("files      {}", resolved.output.directory));
  lines.push_back(fmt::format("next       {}", next_command(resolved, summary)));
  return lines;
}

JsonReport to_json(const Case& resolved, const RunSummary& summary) {
  const RunResult& result = summary.result;
  const double seconds = seconds_per_step(result);
  JsonReport figures;
  figures.number("cfl", result.figures.cfl)
      .number("divergence_mean", result.figures.divergence_mean)
      .number("divergence_max", result.figures.divergence_max)
      .number("kinetic_energy", result.figures.kinetic_energy)
      .number("dissipation", result.figures.dissipation);
  for (std::size_t n = 0; n < result.figures.others.size(); ++n)
    figures.number(summary.figure_names.at(n), result.figures.others[n]);
  JsonReport phases;
  for (const PhaseTime& phase : summary.phases) phases.number(phase.name, phase.seconds);
  JsonReport json;
  json.text("status", summary.status)
      .text("stop_reason", result.stop_reason)
      .text("case", resolved.name)
      .text("directory", resolved.output.directory)
      .text("version", version())
      .text("device", summary.device)
      .text("precision", name_of(resolved.precision))
      .integer("threads", resolved.run.threads)
      .integer("points", static_cast<std::int64_t>(resolved.grid.points.count()))
      .integer("first_step", result.first_step)
      .integer("step", result.last_step)
      .integer("steps", resolved.time.steps)
      .number("time", result.time)
      .number("wall_seconds", result.loop_seconds)
      .number("ms_per_step", seconds * 1e3)
      .number("ns_per_point_and_step", seconds * 1e9 / points_of(resolved))
      .number("copy_fraction", copy_fraction(summary))
      .number("copy_bytes_per_second", summary.copy_bandwidth)
      .number("output_wait_seconds", summary.waited_seconds)
      .report("phase_seconds", phases)
      .report("figures", figures);
  return json;
}

}  // namespace dns
