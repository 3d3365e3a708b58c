#include <cmath>

#include "solver/config/bound_keys.hpp"
#include "solver/config/key_table.hpp"
#include "solver/core/index.hpp"

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
  const auto file = keys_of_case();
  const auto time = file.part("time", &Case::time);
  const auto output = file.part("output", &Case::output);
  const auto fields = output.part("fields", &OutputCase::fields);
  static constexpr std::array<std::string_view, 2> damping_names{"off", "auto"};
  return {
      file.entry("time", {.is_required = true}, "time steps"),
      time.choice("scheme", &TimeCase::scheme, time_scheme_names,
          {.only = projection, .has_default = false,
           .condition = "default: runge_kutta with time.cfl or an order above 2, implicit with "
                        "constant steps or global iterations; implicit: order 2 only"},
          "implicit: factors of Crank-Nicolson, order 2; runge_kutta: three explicit stages, order "
          "3, beside walls and bodies 2"),
      time.key("step", &TimeCase::step, {.other_names = "dt dt_f deltat", .has_default = false,
           .condition = "required, or cfl instead; beside cfl: the largest step allowed",
           .range = above(0), .unit = "L/U",
           .is_written = [](const Case& c, std::size_t) { return std::isfinite(c.time.step); }},
          "time step"),
      time.key("cfl", &TimeCase::cfl, {.other_names = "cflmax maxco courant", .only = projection,
           .condition = "instead of a constant step", .range = above(0, 100)},
          "CFL number to hold, dt times the largest |u|/hx + |v|/hy + |w|/hz; checked every fifth "
          "step"),
      time.key("steps", &TimeCase::steps, {.other_names = "nstep nsteps ilast n_iters",
           .has_default = false, .condition = "required, or end instead", .range = at_least(0),
           .is_written = [](const Case& c, std::size_t) { return !c.time.end; }},
          "number of time steps of the whole run"),
      time.key("end", &TimeCase::end, {.other_names = "time_max tmax endtime",
           .condition = "instead of steps", .range = above(0), .unit = "L/U"}, "time to reach"),
      time.key("global_iterations", &TimeCase::global_iterations, {.range = between(1, 1000000)},
          "passes over all three directions per step"),
      time.key("local_iterations", &TimeCase::local_iterations, {.only = Scheme::splitting,
           .range = between(1, 1000000)}, "sweeps along one direction per pass"),
      time.key("global_tolerance", &TimeCase::global_tolerance,
          {.condition = "optional, with max_global_iterations", .range = above(0), .unit = "U, T0"},
          "change of the flow in a pass below which a step has no more of them"),
      time.key("max_global_iterations", &TimeCase::max_global_iterations,
          {.has_default = false, .condition = "with global_tolerance only",
           .range = between(1, 1000000), .is_written = [](const Case& c, std::size_t) {
             return c.time.global_tolerance.has_value(); }},
          "most passes per step when global_tolerance is given"),
      time.key("body_projections", &TimeCase::body_projections,
          {.only = projection, .condition = "with bodies that move: default 1, 4 where one is free; "
               "else not allowed", .range = between(1, 16)},
          "projections of a step; between them bodies take back their velocity"),
      time.choice("damping", &TimeCase::damping, damping_names,
          {.only = projection, .choices = {"auto", "off"}},
          "auto: two steps of implicit Euler where a value at a wall, an inflow or a body jumps "
          "and dt nu/h^2 there exceeds 2, so that the flow does not ring"),
      time.key("explicit_diffusion", &TimeCase::explicit_diffusion,
          {.only = projection, .has_default = false,
           .condition = "with time.scheme runge_kutta; default: []", .may_be_empty = true,
           .choices = {"x", "y", "z"},
           .is_written = [](const Case& c, std::size_t) {
             return c.time.explicit_diffusion != PerAxis<bool>{}; }},
          "axes of equal cells with boundaries along which diffusion is explicit, as it is along "
          "periodic ones: no sweeps, which take up to half of a step beside bodies, and steps as "
          "short as it asks; dns check says where it would not shorten them"),

      file.entry("output", {}, "what is written"),
      output.key("directory", &OutputCase::directory, {.has_default = false,
           .condition = "default: runs/NAME of the file NAME.yaml"}, "folder of the run"),
      output.entry("fields", {}, "snapshots for viewing: fields_STEP.h5"),
      fields.key("every", &FieldOutputCase::every, {.other_names = "ioutput iout3d",
           .range = at_least(0)}, "interval between snapshots; 0: none"),
      fields.choice("precision", &FieldOutputCase::precision, precision_names, {},
          "floating-point numbers of the snapshots"),
      fields.key("variables", &FieldOutputCase::variables, {.has_default = false,
           .condition = default_variables, .choices = FieldOutputCase::all_variables(),
           .takes_scalars = true}, "variables of the snapshots"),
      fields.choice("location", &FieldOutputCase::location, FieldOutputCase::location_names,
          {.only = projection},
          "velocity of the snapshots: at centres of cells; with faces also as computed, in "
          "velocity_x, velocity_y, velocity_z"),
      fields.key("compression", &FieldOutputCase::compression, {.range = between(0, 9)},
          "gzip level of the snapshots; 0: none, 9: smallest and slowest"),
  };
}

std::vector<Key> keys_of_parts_of_the_flow() {
  const auto output = keys_of_case().part("output", &Case::output);
  const auto slices = output.part("slices", &OutputCase::slices);
  const auto slice = slices.part("planes.NAME", &SlicesCase::planes);
  const auto planes = output.part("planes", &OutputCase::planes);
  const auto plane = planes.part("NAME", &PlanesCase::planes);
  const auto probes = output.part("probes", &OutputCase::probes);
  const auto probe = probes.part("NAME", &ProbesCase::probes);
  const auto is_line = [](const Case& c, std::size_t n) {
    return c.output.probes->probes[n].is_line();
  };
  return {
      output.section("slices", &OutputCase::slices, {.condition = "default: none"},
          "pictures of planes, drawn while the flow runs: slice_NAME_STEP.png"),
      slices.key("every", &SlicesCase::every, {.range = at_least(1)},
          "interval between pictures; for each a GPU copies the whole flow to the host"),
      slices.key("pixels", &SlicesCase::pixels, {.range = between(16, 8192)},
          "pixels along the longer side of the plane in a picture"),
      slices.entry("planes", {.condition = "default: the middle planes, named x, y and z"},
          "planes to draw"),
      slices.records("planes.NAME", &SlicesCase::planes, {.named = "plane"},
          "one plane; its NAME stands in the names of its files"),
      slice.choice("axis", &SliceCase::axis, axis_names, {}, "axis normal to the plane"),
      slice.key("at", &SliceCase::at, {.has_default = false, .condition = "default: the middle",
           .unit = "L"}, "where the plane cuts that axis"),
      slice.key("variable", &SliceCase::variable, {.kind = KeyKind::choice, .has_default = false,
           .condition = "default: temperature where buoyancy is given, else velocity_magnitude",
           .choices = {"velocity_x", "velocity_y", "velocity_z", "velocity_magnitude",
             "temperature", "pressure"}, .takes_scalars = true},
          "what the colours show; pressure: scheme projection"),
      slice.key("min", &SliceCase::low, {.condition = "default: follows the flow"},
          "value of the first colour"),
      slice.key("max", &SliceCase::high, {.condition = "default: follows the flow"},
          "value of the last colour"),
      output.section("planes", &OutputCase::planes, {.condition = "default: none"},
          "planes of the flow recorded as data: planes_NAME.h5"),
      planes.key("every", &PlanesCase::every, {.is_required = true, .range = at_least(1)},
          "interval between records"),
      planes.key("start", &PlanesCase::start, {.range = at_least(0), .unit = "L/U"},
          "time of the first record"),
      planes.choice("precision", &PlanesCase::precision, precision_names, {},
          "floating-point numbers of the records"),
      planes.records("NAME", &PlanesCase::planes, {.named = "plane", .names_records = true},
          "one plane; its NAME stands in the names of its files"),
      plane.choice("axis", &PlaneCase::axis, axis_names, {.is_required = true},
          "axis normal to the plane"),
      plane.key("at", &PlaneCase::at, {.is_required = true, .unit = "L"},
          "where the plane cuts that axis; linear interpolation between points"),
      output.section("probes", &OutputCase::probes, {.condition = "default: none"},
          "points of the flow recorded as data: probes_NAME.csv, lines probes_NAME.h5"),
      probes.key("every", &ProbesCase::every, {.range = at_least(1)}, "interval between records"),
      probes.key("start", &ProbesCase::start, {.range = at_least(0), .unit = "L/U"},
          "time of the first record"),
      probes.records("NAME", &ProbesCase::probes, {.named = "probe", .names_records = true},
          "a point, or equally spaced points on a line; its NAME stands in the name of its file"),
      probe.key("at", &ProbeCase::from,
          {.has_default = false, .condition = "a point: required; a line: not allowed", .unit = "L",
           .is_written = [](const Case& c, std::size_t n) {
             return !c.output.probes->probes[n].is_line(); }},
          "where the point is; linear interpolation between the points of each variable"),
      probe.key("from", &ProbeCase::from,
          {.has_default = false, .condition = "a line: required; a point: not allowed", .unit = "L",
           .is_written = is_line}, "first point of the line"),
      probe.key("to", &ProbeCase::to,
          {.has_default = false, .condition = "a line: required; a point: not allowed", .unit = "L",
           .is_written = is_line}, "last point of the line"),
      probe.key("count", &ProbeCase::count, {.has_default = false,
           .condition = "a line: required; a point: not allowed", .range = between(2, 1000000),
           .is_written = is_line}, "points on the line, both ends included"),
  };
}

std::vector<Key> keys_of_the_run() {
  constexpr auto projection = Scheme::projection;
  const auto file = keys_of_case();
  const auto output = file.part("output", &Case::output);
  const auto statistics = output.part("statistics", &OutputCase::statistics);
  const auto phase = statistics.part("phase", &StatisticsCase::phase);
  const auto run = file.part("run", &Case::run);
  const auto has_spectra = [](const Case& c, std::size_t) {
    return c.output.statistics && c.output.statistics->spectra != PerAxis<bool>{};
  };
  return {
      output.entry("timeseries", {}, "quantities over time, as CSV: timeseries.csv"),
      output.key("timeseries.every", &OutputCase::timeseries_every, {.range = at_least(0)},
          "interval between lines of the time series; 0: none"),
      output.entry("checkpoint", {}, "files to resume from: checkpoint_STEP.h5"),
      output.key("checkpoint.every", &OutputCase::checkpoint_every,
          {.other_names = "icheckpoint isave", .range = at_least(0)},
          "interval between checkpoints; 0: only where the run stops or ends"),
      output.key("checkpoint.keep", &OutputCase::checkpoint_keep, {.range = between(1, 1000000)},
          "newest checkpoints that are kept"),
      output.key("checkpoint.final", &OutputCase::checkpoint_final, {},
          "a finished run leaves a checkpoint, so that it can be continued"),
      output.key("exact_times", &OutputCase::exact_times, {},
          "whether steps are shortened so that they end at the times of outputs whose intervals "
          "are times, up to and at time.end; else these are written after the first step that "
          "reaches them"),
      output.section("statistics", &OutputCase::statistics, {.only = projection,
           .condition = "default: none"}, "averages taken while the flow runs: statistics.h5"),
      statistics.key("start", &StatisticsCase::start, {.range = at_least(0), .unit = "L/U"},
          "time of the first sample"),
      statistics.key("every", &StatisticsCase::every, {.range = at_least(1)},
          "interval between samples"),
      statistics.key("average", &StatisticsCase::average,
          {.has_default = false, .condition = "default: all periodic axes; []: over time alone",
           .may_be_empty = true, .choices = {"x", "y", "z"}}, "periodic axes to average over"),
      statistics.key("spectra", &StatisticsCase::spectra, {.has_default = false,
           .condition = "default: none", .choices = {"x", "y", "z"}, .is_written = has_spectra},
          "axes along which spectra and two-point correlations are taken: uniform axes that are "
          "averaged over; with all three also E(k)"),
      statistics.key("window", &StatisticsCase::window,
          {.condition = "default: none", .range = above(0), .unit = "L/U"},
          "length of windows of time with averages of their own: statistics_STEP.h5"),
      statistics.key("budgets", &StatisticsCase::budgets, {},
          "whether budgets of turbulent kinetic energy and Reynolds stresses are taken too"),
      statistics.section("phase", &StatisticsCase::phase, {.condition = "default: none"},
          "averages by the time within a period: statistics_phase.h5"),
      phase.key("period", &PhaseCase::period, {.is_required = true,
           .condition = "at least the interval between samples", .range = above(0),
           .unit = "L/U"}, "the period; one begins at t = 0"),
      phase.key("bins", &PhaseCase::bins, {.range = between(2, 10000)},
          "parts of the period, of equal length, each with averages of its own"),
      statistics.entry("quantities", {.condition = "default: none"},
          "means of formulas of the flow, such as uT2: \"u*T^2\", at the centres of cells"),
      statistics.entry("quantities.NAME",
          {.kind = KeyKind::formula, .has_default = false,
           .variables = "u, v, w, p, T, scalars by their names, x, y, z, t",
           .written = [](const Case& c, std::size_t n) {
             return yaml_text(c.output.statistics->quantities[n].formula); },
           .names = [](const Case& c) {
             std::vector<std::string> names;
             if (!c.output.statistics) return names;
             for (const QuantityCase& quantity : c.output.statistics->quantities)
               names.push_back(quantity.name);
             return names; }, .named = "quantity", .marks = "_"},
          "one formula; its mean has this NAME (letters, digits, '_'; no name of another quantity)"),

      file.entry("run", {}, "how the program runs"),
      run.key("wall_time_limit", &RunCase::wall_time_limit,
          {.kind = KeyKind::duration, .condition = "default: no limit", .range = above(0),
           .unit = "s"}, "time after which the run stops with a checkpoint"),
      run.key("threads", &RunCase::threads, {.range = between(0, 65536)},
          "threads on the CPU; 0: OMP_NUM_THREADS or all cores of the job"),
  };
}

// clang-format on

}  // namespace dns
