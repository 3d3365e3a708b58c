#include "solver/run/case_in_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solver/config/face_coordinates.hpp"
#include "solver/config/key_table.hpp"
#include "solver/config/order_of_axes.hpp"
#include "solver/config/particles_in_words.hpp"
#include "solver/config/smallest_cells.hpp"
#include "solver/config/time_scheme.hpp"
#include "solver/config/yaml_text.hpp"
#include "solver/core/index.hpp"
#include "solver/flow/conditions.hpp"
#include "solver/forcing/source_values.hpp"
#include "solver/grid/case_grid.hpp"

namespace dns {
namespace {

/// "x periodic, y wall to wall, z inflow to outflow"
std::string boundaries_in_words(const Case& resolved) {
  std::string words;
  for (int axis = 0; axis < 3; ++axis) {
    const auto kind_of = [&](bool is_high) {
      return name_of(resolved.faces[face_index(axis, is_high)].kind);
    };
    const std::string ends = resolved.is_periodic(axis)
                                 ? std::string(kind_of(false))
                                 : fmt::format("{} to {}", kind_of(false), kind_of(true));
    words += fmt::format("{}{} {}", axis == 0 ? "" : ", ", axis_name(axis), ends);
  }
  return words;
}

std::string output_in_words(const OutputCase& output) {
  std::string words = output.directory;
  for (const OutputTimes& times : output.times()) {
    std::string every = yaml_text(times.every);
    std::erase(every, '"');
    if (times.every.is_any()) words += fmt::format(", {} every {}", times.name, every);
    if (!times.otherwise.empty()) words += fmt::format(", {} {}", times.name, times.otherwise);
  }
  return words;
}

/// Whether neither boundaries, nor bodies, nor forces, nor the rotation of the frame give the flow
/// a velocity.
bool is_driven_by_buoyancy_alone(const Case& resolved) {
  const auto is_at_rest = [](const PerAxis<Expression>& vector) {
    return std::ranges::all_of(vector, &Expression::is_zero);
  };
  const ForcingCase& forcing = resolved.forcing;
  const bool has_force = forcing.is_uniform() || forcing.linear != 0 || !forcing.sponges.empty() ||
                         !is_at_rest(forcing.acceleration);
  const auto moves = [](const FaceConditions& face) {
    return face.is_inflow() || !(face[0].is_zero() && face[1].is_zero() && face[2].is_zero());
  };
  return !has_force && !resolved.rotates() && is_at_rest(resolved.initial.velocity) &&
         !resolved.initial.file && !resolved.initial.turbulent_channel &&
         std::ranges::none_of(conditions_of(resolved), moves) &&
         std::ranges::none_of(resolved.solids, &SolidCase::moves);
}

std::string physics_in_words(const Case& resolved) {
  std::string words = "incompressible flow";
  std::vector<std::string> carried;
  if (resolved.has_temperature()) carried.emplace_back(temperature_name);
  for (const ScalarCase& scalar : resolved.scalars) carried.push_back(scalar.name);
  if (resolved.buoyancy) carried.emplace_back("buoyancy");
  if (!carried.empty()) words += " with " + joined_with("and", {carried.begin(), carried.end()});
  return words +
         (resolved.scheme == Scheme::splitting ? ", splitting scheme" : ", projection scheme");
}

std::string fluid_in_words(const Case& resolved) {
  const FluidCase& fluid = resolved.fluid;
  std::string words = fmt::format("Reynolds {:g}", fluid.reynolds);
  if (resolved.has_temperature()) words += fmt::format(", Prandtl {:g}", fluid.prandtl);
  for (const ScalarCase& scalar : resolved.scalars)
    words += fmt::format(", Prandtl of {} {:g}", scalar.name, scalar.prandtl);
  if (resolved.scheme == Scheme::splitting)
    words += fmt::format(", heat capacity ratio {:g}", fluid.heat_capacity_ratio);
  if (const auto& buoyancy = resolved.buoyancy) {
    const std::optional<int> axis = resolved.axis_of_buoyancy();
    words += fmt::format(
        ", {} {:g} along {}",
        buoyancy->richardson ? "Richardson" : "Rayleigh",
        buoyancy->richardson ? *buoyancy->richardson : *buoyancy->rayleigh,
        axis ? axis_name(*axis) : fmt::format("[{:g}]", fmt::join(buoyancy->direction, ", ")));
  }
  if (resolved.rotation)
    words += fmt::format(", rotation [{:g}]", fmt::join(resolved.rotation->rate, ", "));
  return words;
}

/// Empty where nothing drives the flow.
std::string forcing_in_words(const ForcingCase& forcing) {
  std::vector<std::string> words;
  if (forcing.is_uniform()) {
    words.push_back(fmt::format(
        "{} [{:g}]",
        forcing.kind == ForcingCase::Kind::bulk_velocity ? "bulk velocity" : "pressure gradient",
        fmt::join(forcing.value, ", ")));
  }
  if (!std::ranges::all_of(forcing.acceleration, &Expression::is_zero)) {
    const auto& [x, y, z] = forcing.acceleration;
    words.push_back(fmt::format("acceleration [{}, {}, {}]", x.text(), y.text(), z.text()));
  }
  if (!forcing.heat.is_zero()) words.push_back(fmt::format("heat {}", forcing.heat.text()));
  if (forcing.linear != 0) words.push_back(fmt::format("{:g} times the velocity", forcing.linear));
  for (const SpongeCase& sponge : forcing.sponges)
    words.push_back(fmt::format("sponge {}", sponge.name));
  for (const DragCase& drag : forcing.drag)
    words.push_back(fmt::format("drag {} {}", drag.name, drag.rate.text()));
  return fmt::format("{}", fmt::join(words, ", "));
}

/// "planes /data/a/planes_inlet.h5, then repeat"
std::string file_in_words(const InflowFileCase& given) {
  return fmt::format(
      "{} {}{}",
      name_in(InflowFileCase::kind_names, given.kind),
      given.file.path,
      given.changes_with_time()
          ? fmt::format(", then {}", name_in(InflowFileCase::beyond_names, given.beyond))
          : "");
}

/// What comes from files; empty where nothing does.
std::string files_in_words(const Case& resolved, const FaceCase& given) {
  std::vector<std::string> words;
  if (given.velocity_file) words.push_back("velocity from " + file_in_words(*given.velocity_file));
  for (int n = 0; n < resolved.scalar_count(); ++n) {
    const int variable = first_scalar + n;
    if (const auto& file = given.scalar(variable).file)
      words.push_back(resolved.name_of_scalar(variable) + " from " + file_in_words(*file));
  }
  if (given.turbulence)
    words.push_back("turbulence with the stresses of " + given.turbulence->stresses.path);
  return fmt::format("{}", fmt::join(words, "; "));
}

std::string grid_in_words(const Case& resolved) {
  const Extents points = resolved.grid.points;
  const bool has_cells = resolved.scheme == Scheme::projection;
  std::string words = fmt::format("{} x {} x {} {} ({}), box {:g}",
                                  points.nx,
                                  points.ny,
                                  points.nz,
                                  has_cells ? "cells" : "nodes",
                                  in_words_count(static_cast<double>(points.count())),
                                  fmt::join(resolved.grid.length, " x "));
  for (int axis = 0; has_cells && axis < 3; ++axis) {
    if (resolved.grid.stretching[axis].kind == StretchingCase::Kind::uniform) continue;
    const std::vector<double> faces = face_coordinates(resolved.grid, axis);
    double least = std::numeric_limits<double>::infinity();
    double most = 0;
    for (std::size_t cell = 0; cell + 1 < faces.size(); ++cell) {
      least = std::min(least, faces[cell + 1] - faces[cell]);
      most = std::max(most, faces[cell + 1] - faces[cell]);
    }
    words += fmt::format("; cells {:.3g} to {:.3g} along {}", least, most, axis_names[axis]);
  }
  return words;
}

/// Output that starts when the run has ended.
void warn_of_late_output(const Case& resolved, std::vector<std::string>& warnings) {
  const TimeCase& time = resolved.time;
  const auto [step, begin] = time.begun_at;
  const double left = static_cast<double>(std::max(time.steps - step, std::int64_t{0}));
  const double end = time.end ? *time.end : begin + left * time.step;
  for (const OutputTimes& output : resolved.output.times()) {
    if (output.start <= end) continue;
    warnings.push_back(
        fmt::format("output.{}.start is {:g}, but the run ends at t = {:g}: there will be none",
                    output.name,
                    output.start,
                    end));
  }
}

/// A uniform force from wall to wall: the pressure balances it, and nothing flows. At an outflow
/// the pressure is given instead, and in scheme splitting it is not exact.
void warn_of_force_across_walls(const Case& resolved, std::vector<std::string>& warnings) {
  const ForcingCase& forcing = resolved.forcing;
  const auto is_outflow = [](const FaceCase& face) { return face.kind == FaceKind::outflow; };
  if (resolved.scheme != Scheme::projection || std::ranges::any_of(resolved.faces, is_outflow))
    return;
  for (int axis = 0; axis < 3; ++axis) {
    const auto is_closed = [&](bool is_high) {
      const FaceKind kind = resolved.faces[face_index(axis, is_high)].kind;
      return kind == FaceKind::wall || kind == FaceKind::symmetry;
    };
    if (!is_closed(false) || !is_closed(true)) continue;
    const auto warn = [&](const char* key, double value) {
      warnings.push_back(fmt::format(
          "{}[{}] is {:g}, but {} ends at walls: the pressure balances a uniform force there, "
          "and it drives no flow",
          key,
          axis,
          value,
          axis_name(axis)));
    };
    const Expression& acceleration = forcing.acceleration[axis];
    if (forcing.kind == ForcingCase::Kind::pressure_gradient && forcing.value[axis] != 0)
      warn("forcing.value", forcing.value[axis]);
    if (acceleration.is_constant() && !acceleration.is_zero())
      warn("forcing.acceleration", acceleration(0, 0, 0, 0));
  }
}

/// "50 steps of 0.01, to t = 0.5", "until t = 20 at CFL 0.5".
std::string duration_in_words(const TimeCase& time) {
  if (time.steps != unlimited_steps && !time.cfl) {
    const auto [step, begin] = time.begun_at;
    const std::int64_t left = std::max(time.steps - step, std::int64_t{0});
    const double end = time.end.value_or(begin + static_cast<double>(left) * time.step);
    return fmt::format("{} {}steps of {:g}, to t = {:g}",
                       left,
                       step > 0 ? "more " : "",
                       time.step,
                       std::max(end, begin));
  }
  std::string words =
      time.end ? fmt::format("until t = {:g}", *time.end) : fmt::format("{} steps", time.steps);
  if (time.cfl) words += fmt::format(" at CFL {:g}", *time.cfl);
  if (std::isfinite(time.step)) words += fmt::format(", steps of {:g} at most", time.step);
  return words;
}

std::string time_in_words(const Case& resolved) {
  const TimeCase& time = resolved.time;
  const bool is_default = time.scheme == default_time_scheme(resolved);
  std::string words = duration_in_words(time) + "; ";
  if (time.scheme == TimeScheme::runge_kutta) {
    return words + "Runge-Kutta steps of three stages, " +
           (resolved.accuracy.is_high() ? "which orders above 2 take"
            : is_default                ? "the default with time.cfl"
                                        : "as time.scheme says");
  }
  if (resolved.scheme == Scheme::projection) {
    words += fmt::format("implicit steps, {}; ",
                         !is_default ? "as time.scheme says"
                         : time.cfl  ? "which global iterations take"
                                     : "the default of constant ones");
  }
  words += time.global_tolerance ? fmt::format("global iterations to {:g}, at most {}",
                                               *time.global_tolerance,
                                               time.max_global_iterations)
                                 : fmt::format("global iterations {}", time.global_iterations);
  if (resolved.scheme == Scheme::splitting)
    words += fmt::format(", local {}", time.local_iterations);
  return words;
}

/// Order 4 across walls needs faces that are a smooth map of their numbers.
void warn_of_rough_widths(const Case& resolved, std::vector<std::string>& warnings) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!has_rows_across_walls(resolved, axis)) continue;
    const double roughness = roughness_of_widths(face_coordinates(resolved.grid, axis));
    if (roughness <= most_roughness_of_widths) continue;
    warnings.push_back(
        fmt::format("the width of a cell along {} is {:.0f} % from the mean of its neighbours', so "
                    "that order 4 is lost there; take more cells or smoother ones",
                    axis_name(axis),
                    50 * roughness));
  }
}

/// Bodies that move and have few cells across.
void warn_of_narrow_bodies(const Case& resolved, std::vector<std::string>& warnings) {
  for (const SolidCase& body : resolved.solids) {
    const std::optional<double> cells =
        body.is_mobile() ? cells_across(body, resolved.grid) : std::nullopt;
    if (!cells || *cells >= fair_cells_across * (1 - 1e-9)) continue;
    warnings.push_back(fmt::format(
        "solids.{}: the body is {:.3g} cells wide; one that moves should be at least {} for its "
        "forces to be within some percent",
        body.name,
        *cells,
        fair_cells_across));
  }
}

}  // namespace

std::string orders_in_words(const Case& resolved) {
  std::vector<std::string> words;
  for (const int order : {8, 6, 4, 2}) {
    std::vector<std::string> axes;
    for (int axis = 0; axis < 3; ++axis) {
      if (resolved.accuracy.order[axis] == order) axes.push_back(axis_name(axis));
    }
    if (axes.size() == 3) return fmt::format("{} along x, y and z", order);
    if (!axes.empty()) words.push_back(fmt::format("{} along {}", order, fmt::join(axes, " and ")));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

std::vector<NamedWords> about_case(const Case& resolved) {
  std::vector<NamedWords> lines{
      {"case", fmt::format("{}: {}", resolved.name, physics_in_words(resolved))},
      {"flow", fluid_in_words(resolved)},
      {"boundaries", boundaries_in_words(resolved)}};
  for (int face = 0; face < resolved.faces.size(); ++face) {
    const FaceCase& given = resolved.faces[face];
    const std::string words = files_in_words(resolved, given);
    const char* const name = given.kind == FaceKind::wall ? "wall" : "inflow";
    if (!words.empty()) lines.push_back({name, fmt::format("{}: {}", face_names[face], words)});
  }
  const std::string driving = forcing_in_words(resolved.forcing);
  if (!driving.empty()) lines.push_back({"driving", driving});
  lines.push_back({"units",
                   fmt::format("lengths in L, velocities in U, times in L/U{}",
                               resolved.has_temperature() ? ", temperatures in T0" : "")});
  lines.push_back({"grid", grid_in_words(resolved)});
  if (resolved.scheme == Scheme::projection) lines.push_back({"order", orders_in_words(resolved)});
  lines.push_back({"time", time_in_words(resolved)});
  lines.push_back({"output", output_in_words(resolved.output)});
  return lines;
}

std::vector<std::string> warnings_about(const Case& resolved) {
  std::vector<std::string> warnings = sponges_at_inflows(resolved);
  warn_of_late_output(resolved, warnings);
  warn_of_force_across_walls(resolved, warnings);
  warn_of_rough_widths(resolved, warnings);
  warn_of_narrow_bodies(resolved, warnings);
  for (std::string& warning : warnings_about_particles(resolved))
    warnings.push_back(std::move(warning));
  const double beta = resolved.buoyancy_factor();
  if (!(beta > 0) || resolved.buoyancy->richardson || !is_driven_by_buoyancy_alone(resolved))
    return warnings;
  const double reynolds = resolved.fluid.reynolds;
  const double prandtl = resolved.fluid.prandtl;
  const auto is_one = [](double factor) { return std::abs(factor - 1) < 0.05; };
  // U is the speed of free fall, kappa/L, nu/L, or sqrt(Ra) nu/L.
  if (is_one(beta) || is_one(reynolds * prandtl) || is_one(reynolds) || is_one(beta * prandtl))
    return warnings;
  const double rayleigh = beta * prandtl * reynolds * reynolds;
  warnings.push_back(fmt::format(
      "fluid.reynolds {:.6g}, fluid.prandtl {:.6g} and buoyancy.rayleigh {:.6g} make the speed of "
      "free fall {:.3g} U, and nothing else sets the unit U; with fluid.reynolds "
      "sqrt(rayleigh/prandtl) = {:.6g} it is U",
      reynolds,
      prandtl,
      rayleigh,
      std::sqrt(beta),
      std::sqrt(rayleigh / prandtl)));
  return warnings;
}

std::string command_for_more(const TimeCase& time,
                             const std::string& directory,
                             std::int64_t at_step,
                             double at_time) {
  const std::string start = fmt::format("dns resume {} --set time.", directory);
  if (time.end) return start + fmt::format("end={:g}", 2 * std::max(*time.end, at_time));
  return start + fmt::format("steps={}", 2 * std::max({time.steps, at_step, std::int64_t{1}}));
}

double steps_as_number(const TimeCase& time) {
  return time.steps == unlimited_steps ? std::numeric_limits<double>::quiet_NaN()
                                       : static_cast<double>(time.steps);
}

}  // namespace dns
