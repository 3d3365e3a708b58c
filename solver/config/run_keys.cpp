#include <cmath>

#include "solver/config/bound_keys.hpp"
#include "solver/config/key_table.hpp"

namespace dns {
namespace {

/// "default: all that the flow has, except vorticity and q_criterion"
std::string condition_of_variables() {
  std::vector<std::string_view> derived;
  for (const DerivedField& field : derived_fields) derived.push_back(field.name);
  return "default: all that the flow has, except " + joined_with("and", derived);
}

}  // namespace

// Two or three lines a key: a table.
// clang-format off

std::vector<Key> keys_of_time_and_fields() {
  constexpr auto projection = Scheme::projection;
  static const std::string default_variables = condition_of_variables();
  const auto output = [](auto& c, std::size_t) { return &c.output; };
  const auto fields = [](auto& c, std::size_t) { return &c.output.fields; };
  const auto slices = [](auto& c, std::size_t) { return held(c.output.slices); };
  const auto slice = [](auto& c, std::size_t n) { return &c.output.slices->planes[n]; };
  const auto planes = [](auto& c, std::size_t) { return held(c.output.planes); };
  const auto plane = [](auto& c, std::size_t n) { return &c.output.planes->planes[n]; };
  const auto probes = [](auto& c, std::size_t) { return held(c.output.probes); };
  const auto probe = [](auto& c, std::size_t n) { return &c.output.probes->probes[n]; };
  const auto is_line = [](const Case& c, std::size_t n) {
    return c.output.probes->probes[n].is_line();
  };
  static constexpr std::array<std::string_view, 2> damping_names{"off", "auto"};
  const auto time = [](auto& c, std::size_t) { return &c.time; };
  return {
      section("time", {.is_required = true}, "time steps"),
      choice("time.scheme", time, &TimeCase::scheme, time_scheme_names,
          {.only = projection,
           .condition = "default: implicit at order 2, runge_kutta above; implicit: order 2 only"},
          "implicit: factors of Crank-Nicolson, order 2; runge_kutta: three explicit stages, order "
          "3, beside walls 2, for boxes and channels without bodies, inflow and outflow"),
      key("time.step", time, &TimeCase::step,
          {.condition = "required, or cfl instead; beside cfl: the largest step allowed",
           .range = above(0), .unit = "L/U",
           .is_written = [](const Case& c, std::size_t) { return std::isfinite(c.time.step); }},
          "time step"),
      key("time.cfl", time, &TimeCase::cfl,
          {.only = projection, .condition = "instead of a constant step", .range = above(0, 100)},
          "CFL number to hold, dt times the largest |u|/hx + |v|/hy + |w|/hz; checked every fifth "
          "step"),
      key("time.steps", time, &TimeCase::steps,
          {.condition = "required, or end instead", .range = at_least(0),
           .is_written = [](const Case& c, std::size_t) { return !c.time.end; }},
          "number of time steps of the whole run"),
      key("time.end", time, &TimeCase::end,
          {.condition = "instead of steps", .range = above(0),
           .unit = "L/U"},
          "time to reach"),
      key("time.global_iterations", time, &TimeCase::global_iterations,
          {.has_default = true, .range = between(1, 1000000)},
          "passes over all three directions per step"),
      key("time.local_iterations", time, &TimeCase::local_iterations,
          {.only = Scheme::splitting, .has_default = true, .range = between(1, 1000000)},
          "sweeps along one direction per pass"),
      key("time.global_tolerance", time, &TimeCase::global_tolerance,
          {.condition = "optional, with max_global_iterations", .range = above(0),
           .unit = "U, T0"},
          "change of the flow in a pass below which a step has no more of them"),
      key("time.max_global_iterations", time, &TimeCase::max_global_iterations,
          {.condition = "with global_tolerance only", .range = between(1, 1000000),
           .is_written = [](const Case& c, std::size_t) {
             return c.time.global_tolerance.has_value(); }},
          "most passes per step when global_tolerance is given"),
      choice("time.damping", time, &TimeCase::damping, damping_names,
          {.only = projection, .has_default = true, .choices = {"auto", "off"}},
          "auto: two steps of implicit Euler where a value at a wall, an inflow or a body jumps "
          "and dt nu/h^2 there exceeds 2, so that the flow does not ring"),

      section("output", {}, "what is written"),
      key("output.directory", output, &OutputCase::directory,
          {.condition = "default: runs/NAME of the file NAME.yaml"},
          "folder of the run"),
      section("output.fields", {}, "snapshots for viewing: fields_STEP.h5"),
      key("output.fields.every", fields, &FieldOutputCase::every,
          {.has_default = true, .range = at_least(0), .unit = "steps or L/U"},
          "interval between snapshots; 0: none"),
      choice("output.fields.precision", fields, &FieldOutputCase::precision, precision_names,
          {.has_default = true},
          "floating-point numbers of the snapshots"),
      key("output.fields.variables", fields, &FieldOutputCase::variables,
          {.condition = default_variables, .choices = FieldOutputCase::all_variables(),
           .takes_scalars = true},
          "variables of the snapshots"),
      choice("output.fields.location", fields, &FieldOutputCase::location,
          FieldOutputCase::location_names, {.only = projection, .has_default = true},
          "velocity of the snapshots: at centres of cells; with faces also as computed, in "
          "velocity_x, velocity_y, velocity_z"),
      key("output.fields.compression", fields, &FieldOutputCase::compression,
          {.has_default = true, .range = between(0, 9)},
          "gzip level of the snapshots; 0: none, 9: smallest and slowest"),
      section("output.slices", output, &OutputCase::slices, {.condition = "default: none"},
          "pictures of planes, drawn while the flow runs: slice_NAME_STEP.png"),
      key("output.slices.every", slices, &SlicesCase::every,
          {.has_default = true, .range = at_least(1), .unit = "steps or L/U"},
          "interval between pictures; for each a GPU copies the whole flow to the host"),
      key("output.slices.pixels", slices, &SlicesCase::pixels,
          {.has_default = true, .range = between(16, 8192)},
          "pixels along the longer side of the plane in a picture"),
      section("output.slices.planes",
          {.condition = "default: the middle planes, named x, y and z"},
          "planes to draw"),
      records("output.slices.planes.NAME", slices, &SlicesCase::planes, {.named = "plane"},
          "one plane; its NAME stands in the names of its files"),
      choice("output.slices.planes.NAME.axis", slice, &SliceCase::axis, axis_names,
          {.has_default = true},
          "axis normal to the plane"),
      key("output.slices.planes.NAME.at", slice, &SliceCase::at,
          {.condition = "default: the middle", .unit = "L"},
          "where the plane cuts that axis"),
      key("output.slices.planes.NAME.variable", slice, &SliceCase::variable,
          {.kind = KeyKind::choice,
           .condition = "default: temperature where buoyancy is given, else velocity_magnitude",
           .choices = {"velocity_x", "velocity_y", "velocity_z", "velocity_magnitude",
                       "temperature", "pressure"},
           .takes_scalars = true},
          "what the colours show; pressure: scheme projection"),
      key("output.slices.planes.NAME.min", slice, &SliceCase::low,
          {.condition = "default: follows the flow"},
          "value of the first colour"),
      key("output.slices.planes.NAME.max", slice, &SliceCase::high,
          {.condition = "default: follows the flow"},
          "value of the last colour"),
      section("output.planes", output, &OutputCase::planes, {.condition = "default: none"},
          "planes of the flow recorded as data: planes_NAME.h5"),
      key("output.planes.every", planes, &PlanesCase::every,
          {.is_required = true, .range = at_least(1), .unit = "steps or L/U"},
          "interval between records"),
      key("output.planes.start", planes, &PlanesCase::start,
          {.has_default = true, .range = at_least(0), .unit = "L/U"},
          "time of the first record"),
      choice("output.planes.precision", planes, &PlanesCase::precision, precision_names,
          {.has_default = true},
          "floating-point numbers of the records"),
      records("output.planes.NAME", planes, &PlanesCase::planes,
          {.named = "plane", .names_records = true},
          "one plane; its NAME stands in the names of its files"),
      choice("output.planes.NAME.axis", plane, &PlaneCase::axis, axis_names,
          {.is_required = true},
          "axis normal to the plane"),
      key("output.planes.NAME.at", plane, &PlaneCase::at,
          {.is_required = true, .unit = "L"},
          "where the plane cuts that axis; linear interpolation between points"),
      section("output.probes", output, &OutputCase::probes, {.condition = "default: none"},
          "points of the flow recorded as data: probes_NAME.csv, lines probes_NAME.h5"),
      key("output.probes.every", probes, &ProbesCase::every,
          {.has_default = true, .range = at_least(1), .unit = "steps or L/U"},
          "interval between records"),
      key("output.probes.start", probes, &ProbesCase::start,
          {.has_default = true, .range = at_least(0), .unit = "L/U"},
          "time of the first record"),
      records("output.probes.NAME", probes, &ProbesCase::probes,
          {.named = "probe", .names_records = true},
          "a point, or equally spaced points on a line; its NAME stands in the name of its file"),
      key("output.probes.NAME.at", probe, &ProbeCase::from,
          {.condition = "a point: required; a line: not allowed",
           .unit = "L",
           .is_written = [](const Case& c, std::size_t n) {
             return !c.output.probes->probes[n].is_line(); }},
          "where the point is; linear interpolation between the points of each variable"),
      key("output.probes.NAME.from", probe, &ProbeCase::from,
          {.condition = "a line: required; a point: not allowed",
           .unit = "L",
           .is_written = is_line},
          "first point of the line"),
      key("output.probes.NAME.to", probe, &ProbeCase::to,
          {.condition = "a line: required; a point: not allowed",
           .unit = "L",
           .is_written = is_line},
          "last point of the line"),
      key("output.probes.NAME.count", probe, &ProbeCase::count,
          {.condition = "a line: required; a point: not allowed", .range = between(2, 1000000),
           .is_written = is_line},
          "points on the line, both ends included"),
  };
}

std::vector<Key> keys_of_the_run() {
  constexpr auto projection = Scheme::projection;
  const auto output = [](auto& c, std::size_t) { return &c.output; };
  const auto statistics = [](auto& c, std::size_t) { return held(c.output.statistics); };
  const auto run = [](auto& c, std::size_t) { return &c.run; };
  const auto has_spectra = [](const Case& c, std::size_t) {
    return c.output.statistics && c.output.statistics->spectra != std::array<bool, 3>{};
  };
  return {
      section("output.timeseries", {}, "quantities over time, as CSV: timeseries.csv"),
      key("output.timeseries.every", output, &OutputCase::timeseries_every,
          {.has_default = true, .range = at_least(0), .unit = "steps or L/U"},
          "interval between lines of the time series; 0: none"),
      section("output.checkpoint", {}, "files to resume from: checkpoint_STEP.h5"),
      key("output.checkpoint.every", output, &OutputCase::checkpoint_every,
          {.has_default = true, .range = at_least(0), .unit = "steps or L/U"},
          "interval between checkpoints; 0: only where the run stops or ends"),
      key("output.checkpoint.keep", output, &OutputCase::checkpoint_keep,
          {.has_default = true, .range = between(1, 1000000)},
          "newest checkpoints that are kept"),
      key("output.checkpoint.final", output, &OutputCase::checkpoint_final,
          {.has_default = true},
          "a finished run leaves a checkpoint, so that it can be continued"),
      key("output.exact_times", output, &OutputCase::exact_times,
          {.has_default = true},
          "whether steps are shortened so that they end at the times of outputs whose intervals "
          "are times, up to and at time.end; else these are written after the first step that "
          "reaches them"),
      section("output.statistics", output, &OutputCase::statistics,
          {.only = projection, .condition = "default: none"},
          "averages taken while the flow runs: statistics.h5"),
      key("output.statistics.start", statistics, &StatisticsCase::start,
          {.has_default = true, .range = at_least(0), .unit = "L/U"},
          "time of the first sample"),
      key("output.statistics.every", statistics, &StatisticsCase::every,
          {.has_default = true, .range = at_least(1), .unit = "steps or L/U"},
          "interval between samples"),
      key("output.statistics.average", statistics, &StatisticsCase::average,
          {.condition = "default: all periodic axes; []: over time alone",
           .may_be_empty = true, .choices = {"x", "y", "z"}},
          "periodic axes to average over"),
      key("output.statistics.spectra", statistics, &StatisticsCase::spectra,
          {.condition = "default: none", .choices = {"x", "y", "z"},
           .is_written = has_spectra},
          "axes along which spectra and two-point correlations are taken: uniform axes that are "
          "averaged over; with all three also E(k)"),
      key("output.statistics.window", statistics, &StatisticsCase::window,
          {.condition = "default: none", .range = above(0), .unit = "L/U"},
          "length of windows of time with averages of their own: statistics_STEP.h5"),
      key("output.statistics.budgets", statistics, &StatisticsCase::budgets,
          {.has_default = true},
          "whether budgets of turbulent kinetic energy and Reynolds stresses are taken too"),

      section("run", {}, "how the program runs"),
      key("run.wall_time_limit", run, &RunCase::wall_time_limit,
          {.kind = KeyKind::duration, .condition = "default: no limit", .range = above(0),
           .unit = "s"},
          "time after which the run stops with a checkpoint"),
      key("run.threads", run, &RunCase::threads,
          {.has_default = true, .range = between(0, 65536)},
          "threads on the CPU; 0: OMP_NUM_THREADS or all cores of the job"),
  };
}

// clang-format on

}  // namespace dns
