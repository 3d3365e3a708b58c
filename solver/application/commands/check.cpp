#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "solver/application/commands/commands.hpp"
#include "solver/application/run/host_memory.hpp"
#include "solver/application/run/run.hpp"
#include "solver/application/run/stability.hpp"
#include "solver/application/terminal/case_in_words.hpp"
#include "solver/application/terminal/words.hpp"
#include "solver/config/json_text.hpp"
#include "solver/core/error.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/instances/case_needs.hpp"
#include "solver/instances/make_simulation.hpp"
#include "solver/simulation/simulation.hpp"
#include "solver/solids/solid_points.hpp"
#include "solver/start/initial_state.hpp"
#include "solver/start/start_in_words.hpp"

namespace dns {
namespace {

/// What `check` found out about a valid case.
struct Findings {
  CaseNeeds needs;
  StabilityLimits limits;
  std::string device;
  std::vector<std::string> methods;
  std::vector<std::string> source;  // of initial.type file: what the run starts from
  double copy_bandwidth = 0;        // [B/s], 0: unknown
  double seconds_per_step = 0;      // 0: could not be tried
};

/// `cells` cells of an axis in place of its own: faces between its own ones, from end to end.
std::vector<double> coarser(const std::vector<double>& faces, int cells) {
  std::vector<double> coarse;
  const auto own = static_cast<double>(faces.size() - 1);
  for (int face = 0; face < cells; ++face) {
    const double place = face * own / cells;
    const auto below = static_cast<std::size_t>(place);
    coarse.push_back(std::lerp(faces[below], faces[below + 1], place - static_cast<double>(below)));
  }
  coarse.push_back(faces.back());
  return coarse;
}

/// The case on a coarser grid when its own is large, quick to set up and to step through.
Case trial_case(const Case& resolved) {
  constexpr double most_points = 1e6;
  Case trial = resolved;
  Extents& points = trial.grid.points;
  while (static_cast<double>(points.count()) > most_points) {
    int& longest = std::max({std::ref(points.nx), std::ref(points.ny), std::ref(points.nz)},
                            [](int a, int b) { return a < b; });
    longest = resolved.scheme == Scheme::projection ? (longest + 1) / 2 : longest / 2 + 1;
  }
  if (!(points == resolved.grid.points)) {
    for (int axis = 0; axis < 3; ++axis) {
      StretchingCase& along = trial.grid.stretching.at(static_cast<std::size_t>(axis));
      if (along.kind == StretchingCase::Kind::coordinates)
        along.coordinates = coarser(along.coordinates, points[axis]);
    }
    trial.solids.clear();  // they may fall between its points
  }
  if (trial.initial.file) {
    trial.initial.file.reset();
    trial.initial.velocity = {};
    trial.initial.temperature = Expression(1.0);
  }
  return trial;
}

/// The bodies on the grid of the case, a line each. Throws as find_solid_points does.
std::vector<std::string> bodies_of(const Case& resolved) {
  if (resolved.solids.empty()) return {};
  const Subdomain box = whole_box(resolved);
  const std::vector<SolidPoints> points = find_solid_points(resolved, box, alone());
  return solids_in_words(resolved, box, points.back(), alone());
}

/// Times steps of the trial case, scaled to the grid of the case.
void try_steps(const Case& resolved, Findings& findings) {
  const Case trial = trial_case(resolved);
  const bool has_all_bodies = trial.solids.size() == resolved.solids.size();
  const std::vector<std::string> bodies =
      has_all_bodies ? std::vector<std::string>{} : bodies_of(resolved);
  const std::unique_ptr<Simulation> simulation = make_simulation(trial);
  findings.device = simulation->device_name();
  findings.methods = simulation->methods();
  findings.methods.insert(findings.methods.end(), bodies.begin(), bodies.end());
  findings.copy_bandwidth = simulation->measure_copy_bandwidth(
      {.run_bytes = findings.needs.device_bytes, .spare_host_bytes = available_host_memory()});
  simulation->set_state(initial_state(trial));
  double least = std::numeric_limits<double>::infinity();
  for (int attempt = 0; attempt < 3; ++attempt) {  // the first one warms up
    const auto start = std::chrono::steady_clock::now();
    simulation->advance();
    simulation->diagnostics();
    const auto end = std::chrono::steady_clock::now();
    least = std::min(least, std::chrono::duration<double>(end - start).count());
  }
  findings.seconds_per_step = least * static_cast<double>(resolved.grid.points.count()) /
                              static_cast<double>(trial.grid.points.count());
}

Findings examine(const Case& resolved) {
  Findings findings;
  findings.needs = needs_of(resolved);
  if (resolved.initial.file) findings.source = start_in_words(resolved);
  findings.limits = stability_limits(resolved);
  try {
    try_steps(resolved, findings);
  } catch (const DivergenceError&) {
    findings.seconds_per_step = 0;
  }
  return findings;
}

/// The slabs of several ranks, and what each needs; empty for one.
std::string ranks_in_words(const Case& resolved, int ranks) {
  if (ranks == 1) return "";
  const int planes = resolved.grid.points.nz;
  const int fewest = planes / ranks;
  const std::string slabs =
      planes % ranks == 0 ? fmt::format("{}", fewest) : fmt::format("{} or {}", fewest, fewest + 1);
  return fmt::format(
      "# ranks        {}, each with {} of {} planes along z, {} on its device and {} on the host "
      "with it\n",
      ranks,
      slabs,
      planes,
      in_words_bytes(static_cast<double>(needs_of(resolved, ranks).device_bytes)),
      in_words_bytes(static_cast<double>(needed_host_memory(resolved, {.all = ranks}))));
}

/// The step [L/U] at the start of a run that holds a CFL number; infinite where the flow is at rest
/// and time.step is not given. Requires time.cfl.
double first_step(const TimeCase& time, const StabilityLimits& limits) {
  return std::min(time.step, *time.cfl * limits.smooth_step);
}

/// Steps of the whole run; an estimate where it ends at a time and the step is free, infinite where
/// the flow at the start says nothing about it. What starts as turbulent_channel takes 1.6 times as
/// many steps once it is turbulent as at its start: configs/channel_planes.yaml and
/// channel_retau180.yaml 1.6 and 1.8 times on a quarter of their cells along each axis.
double expected_steps(const Case& resolved, const StabilityLimits& limits) {
  const TimeCase& time = resolved.time;
  if (time.steps != unlimited_steps) return static_cast<double>(time.steps);
  if (!std::isfinite(first_step(time, limits))) return std::numeric_limits<double>::infinity();
  const double of_turbulence = resolved.initial.turbulent_channel ? 1.6 : 1;
  const double step = std::min(time.step, *time.cfl * limits.smooth_step / of_turbulence);
  return std::max(std::ceil(*time.end / step), 1.0);
}

std::string cfl_in_words(const Case& resolved, const StabilityLimits& limits) {
  const TimeCase& time = resolved.time;
  if (!time.cfl) {
    return fmt::format(
        "# CFL          {:.3g} at the start, with time.step = {:g}\n", limits.cfl, time.step);
  }
  const double step = first_step(time, limits);
  if (!std::isfinite(step))
    return fmt::format("# CFL          {:g} is held; the flow is at rest at the start\n",
                       *time.cfl);
  return fmt::format(
      "# CFL          {:g} is held: steps of about {:.2g} at the start\n", *time.cfl, step);
}

/// "about 2m for some 15000 steps": two digits of what the flow decides, all of what is given.
std::string steps_in_words(const Case& resolved,
                           const StabilityLimits& limits,
                           double seconds_per_step) {
  const TimeCase& time = resolved.time;
  const double steps = expected_steps(resolved, limits);
  if (!std::isfinite(steps)) return "unknown, as the flow is at rest at the start";
  const std::string duration = in_words_duration(steps * seconds_per_step);
  if (time.steps != unlimited_steps)
    return fmt::format("about {} for {:.15g} steps", duration, steps);
  const double unit = std::pow(10, std::max(std::floor(std::log10(steps)) - 1, 0.0));
  const double rounded = std::round(steps / unit) * unit;
  if (!std::isfinite(limits.smooth_step))
    return fmt::format(
        "{} for {:.15g} steps, or more: the flow is at rest at the start", duration, rounded);
  const char* const condition = resolved.initial.turbulent_channel
                                    ? "once the flow is turbulent"
                                    : "if the flow stays as fast as at the start";
  return fmt::format("about {} for some {:.15g} steps, {}", duration, rounded, condition);
}

std::string in_words(const Case& resolved, int ranks, const Findings& findings) {
  const StabilityLimits& limits = findings.limits;
  const auto points = static_cast<double>(resolved.grid.points.count());
  std::string text = fmt::format(
      "# device       {}, {} precision\n", findings.device, name_of(resolved.precision));
  text += fmt::format("# memory       {} on the device, {} on the host with it{}\n",
                      in_words_bytes(static_cast<double>(findings.needs.device_bytes)),
                      in_words_bytes(static_cast<double>(needed_host_memory(resolved))),
                      needed_host_memory(resolved) > available_host_memory()
                          ? "; WARNING: more than this machine has free"
                          : "");
  text += ranks_in_words(resolved, ranks);
  for (const std::string& method : findings.methods)
    text += fmt::format("# method       {}\n", method);
  for (const std::string& line : findings.source) text += fmt::format("# start        {}\n", line);
  text += fmt::format("# spacing      {:.4g} x {:.4g} x {:.4g}{}\n",
                      limits.spacing[0],
                      limits.spacing[1],
                      limits.spacing[2],
                      resolved.scheme == Scheme::projection ? " at least" : "");
  text += cfl_in_words(resolved, limits);
  text +=
      fmt::format("# limits       {}; {:.3g} for explicit diffusion (this scheme is implicit)\n",
                  std::isfinite(limits.advective_step)
                      ? fmt::format("step {:.3g} for CFL 1", limits.advective_step)
                      : "no step for CFL 1, as the flow is at rest",
                  limits.viscous_step);
  text += fmt::format("# cell Re      {:.3g} (wiggles are possible where it exceeds 2)\n",
                      limits.cell_reynolds);
  if (findings.seconds_per_step > 0) {
    text += fmt::format("# time         {}: {:.3g} ms per step, {:.3g} ns per point\n",
                        steps_in_words(resolved, limits, findings.seconds_per_step),
                        findings.seconds_per_step * 1e3,
                        findings.seconds_per_step * 1e9 / points);
  } else {
    text += "# time         unknown: the first steps diverge\n";
  }
  text += fmt::format("# traffic      {} per step at least",
                      in_words_bytes(findings.needs.compulsory_bytes_per_step));
  if (findings.copy_bandwidth > 0)
    text += fmt::format("; memory copies at {}/s here", in_words_bytes(findings.copy_bandwidth));
  return text + "\n";
}

std::string to_json(const Case& resolved, int ranks, const Findings& findings) {
  const StabilityLimits& limits = findings.limits;
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  const double bandwidth = findings.copy_bandwidth > 0 ? findings.copy_bandwidth : unknown;
  const double seconds = findings.seconds_per_step > 0 ? findings.seconds_per_step : unknown;
  return json_line(
      {{"status", "valid"},
       {"case", resolved.name},
       {"resolved_case", to_yaml(resolved)},
       {"device", findings.device},
       {"precision", name_of(resolved.precision)},
       {"threads", resolved.run.threads},
       {"ranks", ranks},
       {"points", resolved.grid.points.count()},
       {"steps", json_number(steps_as_number(resolved.time))},
       {"estimated_steps", json_number(expected_steps(resolved, limits))},
       {"method", fmt::format("{}", fmt::join(findings.methods, "; "))},
       {"memory_bytes", findings.needs.device_bytes},
       {"memory_bytes_per_rank", needs_of(resolved, ranks).device_bytes},
       {"host_memory_bytes_per_rank", needed_host_memory(resolved, {.all = ranks})},
       {"compulsory_bytes_per_step", json_number(findings.needs.compulsory_bytes_per_step)},
       {"copy_bytes_per_second", json_number(bandwidth)},
       {"cfl", json_number(limits.cfl)},
       {"advective_step", json_number(limits.advective_step)},
       {"viscous_step", json_number(limits.viscous_step)},
       {"cell_reynolds", json_number(limits.cell_reynolds)},
       {"ms_per_step", json_number(seconds * 1e3)},
       {"estimated_seconds", json_number(seconds * expected_steps(resolved, limits))}});
}

}  // namespace

ExitCode check(const Command& command) {
  Case resolved = load_case(command.target, command.overrides);
  resolved.device = resolve_device(resolved.device);
  const int ranks = std::max(1, command.ranks);
  require_planes(resolved, ranks);
  Case computed = resolved;
  use_threads(computed, command);
  const Findings findings = examine(computed);
  const std::string text = command.wants_json
                               ? to_json(computed, ranks, findings) + "\n"
                               : to_yaml(resolved) + "\n" + in_words(computed, ranks, findings);
  std::fputs(text.c_str(), stdout);
  return ExitCode::finished;
}

}  // namespace dns
