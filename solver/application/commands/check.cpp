#include <fmt/format.h>

#include <algorithm>
#include <array>
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
#include "solver/config/particles_in_words.hpp"
#include "solver/config/pieces_of_axis.hpp"
#include "solver/config/step_limit.hpp"
#include "solver/core/error.hpp"
#include "solver/core/json_text.hpp"
#include "solver/core/names.hpp"
#include "solver/core/seconds.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/instances/case_needs.hpp"
#include "solver/instances/make_simulation.hpp"
#include "solver/particles/released_bodies.hpp"
#include "solver/run/case_in_words.hpp"
#include "solver/run/defined_formulas.hpp"
#include "solver/run/expected_steps.hpp"
#include "solver/run/host_memory.hpp"
#include "solver/run/printable.hpp"
#include "solver/run/run.hpp"
#include "solver/run/run_start.hpp"
#include "solver/run/stability.hpp"
#include "solver/run/threads.hpp"
#include "solver/run/words.hpp"
#include "solver/simulation/simulation.hpp"
#include "solver/solids/solid_points.hpp"
#include "solver/start/initial_state.hpp"
#include "solver/start/start_in_words.hpp"

namespace dns {
namespace {

/// What `check` found out about a valid case.
struct Findings {
  CaseNeeds needs, needs_of_ranks;  // alone; on several ranks the most
  StabilityLimits limits;
  ExpectedSteps steps;
  std::string device;
  std::vector<std::string> methods;
  std::vector<std::string> warnings;  // about the case file
  std::vector<std::string> source;    // of initial.type file: what the run starts from
  double copy_bandwidth = 0;          // [B/s], 0: unknown
  double width_at_bodies = std::numeric_limits<double>::infinity();  // see BodiesOnGrid
  double seconds_per_step = 0;                                       // 0: could not be tried
};

/// The case on a coarser grid when its own is large, quick to set up and to step through.
Case trial_case(const Case& resolved) {
  constexpr double most_points = 1e6;
  Extents points = resolved.grid.points;
  while (static_cast<double>(points.count()) > most_points) {
    int& longest = std::max({std::ref(points.nx), std::ref(points.ny), std::ref(points.nz)},
                            [](int a, int b) { return a < b; });
    longest = resolved.scheme == Scheme::projection ? (longest + 1) / 2 : longest / 2 + 1;
  }
  Case trial = on_other_cells(resolved, points);
  if (!(points == resolved.grid.points)) trial.solids.clear();  // they may fall between its points
  if (trial.initial.file) {
    trial.initial.file.reset();
    trial.initial.velocity = {};
    trial.initial.temperature = Expression(1.0);
  }
  return trial;
}

/// The bodies on the grid of the case, a line each, and the least width, along a cut grid line, of
/// the cells or nodes beside a surface [L]. Throws as find_solid_points does.
struct BodiesOnGrid {
  std::vector<std::string> lines;
  double least_width = std::numeric_limits<double>::infinity();

  explicit BodiesOnGrid(const Case& given) {
    if (given.solids.empty()) return;
    const Case resolved = with_single_bodies(given);
    const Subdomain box = whole_box(resolved);
    const SolidPoints points = find_solid_points(resolved, box, alone()).back();
    lines = solids_in_words(resolved, box, points, alone());
    const std::array widths{
        widths_along(resolved, 0), widths_along(resolved, 1), widths_along(resolved, 2)};
    for (const Cut& cut : points.cuts) {
      const std::size_t place = cut.point[cut.axis];
      least_width = std::min(least_width, widths.at(cut.axis).at(place));
    }
  }
};

/// The larger of nu and the diffusivities of scalars that pass a body's surface [U L].
double diffusivity_at_bodies(const Case& resolved) {
  double largest = resolved.viscosity();
  for (const SolidCase& body : resolved.solids) {
    for (int n = first_scalar; n < first_scalar + resolved.scalar_count(); ++n) {
      const ScalarAtBody& scalar = body.scalar(n);
      if (!scalar.is_closed())
        largest = std::max(largest, resolved.diffusivity(n) * scalar.largest_diffusion());
    }
  }
  return largest;
}

/// Times steps of the trial case, scaled to the grid of the case.
void try_steps(const Case& resolved, Findings& findings) {
  const Case trial = trial_case(resolved);
  const BodiesOnGrid bodies(resolved);
  findings.width_at_bodies = bodies.least_width;
  const std::unique_ptr<Simulation> simulation = make_simulation(trial);
  findings.device = simulation->device_name();
  findings.copy_bandwidth = simulation->measure_copy_bandwidth(
      {.run_bytes = findings.needs.device_bytes, .spare_host_bytes = available_host_memory()});
  const bool is_whole = trial.grid.points == resolved.grid.points;
  try {
    simulation->set_state(initial_state(trial));
  } catch (const CaseError&) {  // a formula may be undefined at points that the case has not
    if (is_whole) throw;
    return;
  }
  findings.methods = simulation->methods();
  if (trial.solids.size() != resolved.solids.size())
    findings.methods.insert(findings.methods.end(), bodies.lines.begin(), bodies.lines.end());
  double least = std::numeric_limits<double>::infinity();
  for (int attempt = 0; attempt < 3; ++attempt) {  // the first one warms up
    const auto start = std::chrono::steady_clock::now();
    simulation->advance();
    simulation->diagnostics();
    least = std::min(least, seconds_since(start));
  }
  findings.seconds_per_step = least * static_cast<double>(resolved.grid.points.count()) /
                              static_cast<double>(trial.grid.points.count());
}

/// The slabs of several ranks, and what each needs; empty for one.
std::string ranks_in_words(const Case& resolved, int ranks, const CaseNeeds& needs) {
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
      in_words_bytes(needs.device_bytes),
      in_words_bytes(needed_host_memory(resolved, {.all = ranks})));
}

std::string cfl_in_words(const Case& resolved, const StabilityLimits& limits) {
  const TimeCase& time = resolved.time;
  if (!time.cfl) {
    return fmt::format(
        "# CFL          {:.3g} at the start, with time.step = {:g}\n", limits.cfl, time.step);
  }
  const double step = first_step(time, limits);
  if (!std::isfinite(step)) {
    return fmt::format("# CFL          {:g} is held; the flow is at rest at the start\n",
                       *time.cfl);
  }
  return fmt::format(
      "# CFL          {:g} is held: steps of about {:.2g} at the start\n", *time.cfl, step);
}

/// A hint to set time.explicit_diffusion, with the axes for it. Empty where there are none, or
/// where steps at the start would be shorter with them.
std::string sweeps_to_save(const Case& resolved, double step) {
  Case trial = resolved;
  std::vector<std::string> axes;
  for (int axis = 0; axis < 3; ++axis) {
    if (!has_implicit_diffusion(resolved, axis) || !may_have_explicit_diffusion(resolved, axis))
      continue;
    trial.time.explicit_diffusion[axis] = true;
    axes.push_back(axis_name(axis));
  }
  if (axes.empty() || !(step <= stability_limits(trial).stable_step)) return "";
  return fmt::format(
      "; with time.explicit_diffusion: [{}] there are fewer sweeps and steps as long",
      fmt::join(axes, ", "));
}

std::string limits_in_words(const Case& resolved, const StabilityLimits& limits) {
  const std::string advection = std::isfinite(limits.advective_step)
                                    ? fmt::format("step {:.3g} for CFL 1", limits.advective_step)
                                    : "no step for CFL 1, as the flow is at rest";
  const TimeCase& time = resolved.time;
  if (time.scheme == TimeScheme::implicit) {
    return fmt::format(
        "# limits       {}; {:.3g} for explicit diffusion (this scheme is implicit){}\n",
        advection,
        limits.viscous_step,
        limits.wave_frequency > 0 ? fmt::format("; {:.3g} for buoyancy waves", limits.stable_step)
                                  : "");
  }
  const double asked =
      time.cfl ? std::min(time.step, *time.cfl * limits.advective_step) : time.step;
  const bool is_diffusion = limits.diffusive_step < std::sqrt(2.0) * limits.stable_step;
  const std::string of_diffusion =
      resolved.accuracy.is_high() ? "diffusion" : "diffusion (not with time.scheme: implicit)";
  const std::string holds = asked <= limits.stable_step
                                ? (time.cfl && asked < time.step ? "time.cfl" : "time.step")
                            : is_diffusion              ? of_diffusion
                            : limits.wave_frequency > 0 ? "advection with buoyancy waves"
                            : resolved.rotates()        ? "advection with rotation"
                                                        : "advection";
  return fmt::format(
      "# limits       {}; explicit stages allow {:.3g} at the start, {}; {} holds{}\n",
      advection,
      limits.stable_step,
      std::isfinite(limits.diffusive_step)
          ? fmt::format("{:.3g} for diffusion alone", limits.diffusive_step)
          : "diffusion is implicit",
      holds,
      sweeps_to_save(resolved, asked));
}

/// The step at the start; infinite where the flow is at rest and nothing else limits it [L/U].
double step_at_start(const Case& resolved, const StabilityLimits& limits) {
  return resolved.time.cfl ? first_step(resolved.time, limits) : resolved.time.step;
}

/// nu dt/h^2 beside surfaces of bodies at the start; 0 without bodies.
double diffusion_at_bodies(const Case& resolved, const Findings& findings) {
  return diffusivity_at_bodies(resolved) * step_at_start(resolved, findings.limits) /
         (findings.width_at_bodies * findings.width_at_bodies);
}

/// "about 2m for some 15000 steps, judged by 32 x 32 x 4 cells": two digits of what the flow
/// decides, all of what is given.
std::string steps_in_words(const Findings& findings) {
  const auto& [count, basis] = findings.steps;
  if (!std::isfinite(count)) return "unknown, as the flow is at rest at the start";
  const std::string duration = in_words_duration(count * findings.seconds_per_step);
  if (basis.empty()) return fmt::format("about {} for {:.15g} steps", duration, count);
  const double unit = std::pow(10, std::max(std::floor(std::log10(count)) - 1, 0.0));
  const double rounded = std::round(count / unit) * unit;
  return fmt::format("about {} for some {:.15g} steps, {}", duration, rounded, basis);
}

/// The cells in wall units where the friction velocity is known, else the cell Reynolds number.
std::string resolution_in_words(const Case& resolved, const StabilityLimits& limits) {
  const std::optional<Friction> friction = friction_of(resolved);
  if (!friction) {
    return fmt::format("# cell Re      {:.3g} (layers of few cells can have wiggles above 2)\n",
                       limits.cell_reynolds);
  }
  std::vector<std::string> sizes;
  for (int axis = 0; axis < 3; ++axis) {
    const auto in_wall_units = [&](double length) {
      return length * friction->velocity / resolved.viscosity();
    };
    const double least = in_wall_units(limits.spacing[axis]);
    const double most = in_wall_units(limits.largest_spacing[axis]);
    sizes.push_back(most - least > 1e-3 * most ? fmt::format("{:.3g} to {:.3g}", least, most)
                                               : fmt::format("{:.3g}", most));
  }
  return fmt::format(
      "# cells        d+ {}; u_tau {:.3g}, {}. For turbulence at order 2: 9 along the stream, 5 "
      "along the span, 1 at walls\n",
      fmt::join(sizes, " x "),
      friction->velocity,
      friction->source);
}

/// Largest ratio of neighbouring cells on axes that are not uniform; axis -1 without any.
struct RatioOfCells {
  LargestRatio largest;
  int axis = -1;
};
RatioOfCells ratio_of_cells(const Case& resolved) {
  RatioOfCells found;
  for (int axis = 0; resolved.scheme == Scheme::projection && axis < 3; ++axis) {
    if (!resolved.is_stretched(axis)) continue;
    const LargestRatio largest =
        largest_ratio(face_coordinates(resolved.grid, axis), resolved.is_periodic(axis));
    if (found.axis < 0 || largest.ratio > found.largest.ratio) found = {largest, axis};
  }
  return found;
}

std::string ratio_in_words(const Case& resolved) {
  const RatioOfCells found = ratio_of_cells(resolved);
  if (found.axis < 0) return "";
  return fmt::format("# ratio        {:.4g} of neighbouring cells at most, at {} = {:.4g}\n",
                     found.largest.ratio,
                     axis_name(found.axis),
                     found.largest.face);
}

/// Empty where steps are short enough for bodies, or not known.
std::string warning_of_bodies(const Case& resolved, const Findings& findings) {
  const double number = diffusion_at_bodies(resolved, findings);
  const bool is_projection = resolved.scheme == Scheme::projection;
  const double most = is_projection ? 18 : 0.1;
  if (!(number > most) || !std::isfinite(number)) return "";
  return fmt::format("nu dt/h^2 beside bodies is {:.3g}, above {:g}: {}; a shorter {} helps",
                     number,
                     most,
                     is_projection ? "forces lag by 0.6 % and more for a hundred steps"
                                   : "the flow depends on the step, by 1 % of U and more",
                     resolved.time.cfl ? "time.cfl" : "time.step");
}

/// About the case file, the machine and the time step.
std::vector<std::string> all_warnings(const Case& resolved, const Findings& findings) {
  std::vector<std::string> warnings = findings.warnings;
  add_warnings(warnings_about(resolved), warnings);
  const StabilityLimits& limits = findings.limits;
  if (needed_host_memory(resolved) > available_host_memory())
    warnings.emplace_back("the run needs more memory of the host than this machine has free");
  if (!resolved.time.cfl && resolved.time.step > limits.stable_step) {
    warnings.push_back(fmt::format("time.step {:g} is too long: {:.3g} is allowed at the start",
                                   resolved.time.step,
                                   limits.stable_step));
  }
  if (const std::string words = warning_of_long_steps(resolved, limits.cfl); !words.empty())
    warnings.push_back(words);
  const double speed = std::ranges::max(limits.speed);
  if (const std::string words = warning_of_round_off(resolved, limits.cfl, speed); !words.empty())
    warnings.push_back(words);
  const double dt =
      resolved.time.cfl ? *resolved.time.cfl * limits.smooth_step : resolved.time.step;
  if (const std::string words = warning_of_oblique_stream(resolved, limits.stream, dt);
      !words.empty())
    warnings.push_back(words);
  if (const std::string words = warning_of_bodies(resolved, findings); !words.empty())
    warnings.push_back(words);
  return warnings;
}

std::string in_words(const Case& resolved, int ranks, const Findings& findings) {
  const StabilityLimits& limits = findings.limits;
  const auto points = static_cast<double>(resolved.grid.points.count());
  std::string text = fmt::format(
      "# device       {}, {} precision\n", findings.device, name_of(resolved.precision));
  text += fmt::format("# memory       {} on the device, {} on the host with it\n",
                      in_words_bytes(findings.needs.device_bytes),
                      in_words_bytes(needed_host_memory(resolved)));
  text += ranks_in_words(resolved, ranks, findings.needs_of_ranks);
  for (const std::string& warning : all_warnings(resolved, findings))
    text += fmt::format("# WARNING      {}\n", warning);
  for (const std::string& method : findings.methods)
    text += fmt::format("# method       {}\n", method);
  for (const std::string& line : findings.source) text += fmt::format("# start        {}\n", line);
  text += fmt::format("# spacing      {:.4g}{}\n",
                      fmt::join(limits.spacing, " x "),
                      resolved.scheme == Scheme::projection ? " at least" : "");
  text += ratio_in_words(resolved);
  if (resolved.scheme == Scheme::projection)
    text += fmt::format("# order        {}\n", orders_in_words(resolved));
  text += cfl_in_words(resolved, limits);
  text += limits_in_words(resolved, limits);
  if (limits.wave_frequency > 0) {
    const double step = step_at_start(resolved, limits);
    text += fmt::format(
        "# waves        N {:.3g} in the stable stratification{}: steps follow them where N dt is "
        "below 0.5\n",
        limits.wave_frequency,
        std::isfinite(step) ? fmt::format(", N dt {:.3g}", limits.wave_frequency * step) : "");
  }
  text += resolution_in_words(resolved, limits);
  if (!resolved.solids.empty()) {
    text += fmt::format("# bodies       nu dt/h^2 {:.3g} beside their surfaces, h = {:.3g}\n",
                        diffusion_at_bodies(resolved, findings),
                        findings.width_at_bodies);
  }
  for (const std::string& line : particles_in_words(resolved, step_at_start(resolved, limits)))
    text += fmt::format("# particles    {}\n", line);
  if (findings.seconds_per_step > 0) {
    text += fmt::format("# time         {}: {:.3g} ms per step, {:.3g} ns per point\n",
                        steps_in_words(findings),
                        findings.seconds_per_step * 1e3,
                        findings.seconds_per_step * 1e9 / points);
  } else {
    text += "# time         unknown: the first steps diverge\n";
  }
  text += fmt::format("# traffic      {} per step at least",
                      in_words_bytes(compulsory_bytes_per_step(resolved)));
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
       {"estimated_steps", json_number(findings.steps.count)},
       {"method", fmt::format("{}", fmt::join(findings.methods, "; "))},
       {"memory_bytes", findings.needs.device_bytes},
       {"memory_bytes_per_rank", findings.needs_of_ranks.device_bytes},
       {"host_memory_bytes_per_rank", needed_host_memory(resolved, {.all = ranks})},
       {"compulsory_bytes_per_step", json_number(compulsory_bytes_per_step(resolved))},
       {"copy_bytes_per_second", json_number(bandwidth)},
       {"cfl", json_number(limits.cfl)},
       {"advective_step", json_number(limits.advective_step)},
       {"viscous_step", json_number(limits.viscous_step)},
       {"stable_step", json_number(limits.stable_step)},
       {"wave_frequency", json_number(limits.wave_frequency)},
       {"largest_cell_ratio", json_number(ratio_of_cells(resolved).largest.ratio)},
       {"cell_reynolds", json_number(limits.cell_reynolds)},
       {"friction_velocity",
        json_number(friction_of(resolved).value_or(Friction{unknown, ""}).velocity)},
       {"body_diffusion_number",
        json_number(resolved.solids.empty() ? unknown : diffusion_at_bodies(resolved, findings))},
       {"ms_per_step", json_number(seconds * 1e3)},
       {"estimated_seconds", json_number(seconds * findings.steps.count)},
       {"warnings", all_warnings(resolved, findings)}});
}

}  // namespace

ExitCode check(const Command& command) {
  Findings findings;
  Case resolved = load_case(command.target, command.overrides, &findings.warnings);
  const Warnings warnings = find_start_file(resolved);
  resolved.device = resolve_device(resolved.device);
  const int ranks = std::max(1, command.ranks);
  require_planes(resolved, ranks);
  Case computed = resolved;
  use_threads(computed, command.overrides);
  require_defined_formulas(computed);
  findings.needs = needs_of(computed);
  findings.needs_of_ranks = ranks > 1 ? needs_of(computed, ranks) : findings.needs;
  if (computed.initial.file) findings.source = start_in_words(computed);
  add_warnings(warnings, findings.source);
  findings.limits = stability_limits(computed);
  findings.steps = expected_steps(computed, findings.limits);
  try {
    try_steps(computed, findings);
  } catch (const DivergenceError&) {  // the time of a step is not known
  }
  if (ranks > 1 && resolved.scheme == Scheme::projection)
    findings.methods.at(0) = findings.needs_of_ranks.methods.at(0);  // the Poisson equation
  if (command.wants_json) {
    std::puts(to_json(computed, ranks, findings).c_str());
  } else {
    print_line(to_yaml(resolved), stdout);
    print_printable(in_words(computed, ranks, findings), stdout);
  }
  return ExitCode::finished;
}

}  // namespace dns
