#include <cmath>

#include "solver/config/key_table.hpp"
#include "solver/config/yaml_text.hpp"

namespace dns {
namespace {

std::string variables_text(const FieldOutputCase& fields) {
  std::vector<std::string> names;
  if (fields.velocity) names.emplace_back("velocity");
  if (fields.temperature) names.emplace_back("temperature");
  if (fields.pressure) names.emplace_back("pressure");
  if (fields.solid) names.emplace_back("solid");
  if (fields.vorticity) names.emplace_back("vorticity");
  if (fields.q_criterion) names.emplace_back("q_criterion");
  return yaml_list(names);
}

std::string axes_text(const std::array<bool, 3>& chosen) {
  std::vector<std::string> names;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (chosen.at(axis)) names.push_back(axis_names[axis]);
  }
  return yaml_list(names);
}

const SliceCase& plane_of(const Case& resolved, std::size_t number) {
  return resolved.output.slices->planes[number];
}
const ProbeCase& probe_of(const Case& resolved, std::size_t number) {
  return resolved.output.probes->probes[number];
}
/// The value of a line; empty of a point.
std::string of_line(const ProbeCase& probe, const std::string& value) {
  return probe.is_line() ? value : "";
}
const PlaneCase& recorded(const Case& resolved, std::size_t number) {
  return resolved.output.planes->planes[number];
}

}  // namespace

std::vector<Key> keys_of_the_run() {
  using enum KeyKind;
  return {
      {.path = "time", .kind = section, .is_required = true, .meaning = "time steps"},
      {.path = "time.step",
       .kind = number,
       .condition = "required, or cfl instead; beside cfl: the largest step allowed",
       .minimum = 0,
       .minimum_is_excluded = true,
       .unit = "L/U",
       .written = [](const Case& c, std::size_t) -> std::string {
         return std::isfinite(c.time.step) ? yaml_text(c.time.step) : "";
       },
       .meaning = "time step"},
      {.path = "time.cfl",
       .kind = number,
       .only = Scheme::projection,
       .condition = "instead of a constant step",
       .minimum = 0,
       .minimum_is_excluded = true,
       .maximum = 100,
       .written = [](const Case& c, std::size_t) { return yaml_text(c.time.cfl); },
       .meaning = "CFL number to hold, dt times the largest |u|/hx + |v|/hy + |w|/hz; checked "
                  "every fifth step"},
      {.path = "time.steps",
       .kind = whole,
       .condition = "required, or end instead",
       .minimum = 0,
       .written = [](const Case& c, std::size_t) -> std::string {
         return c.time.end ? "" : yaml_text(c.time.steps);
       },
       .meaning = "number of time steps of the whole run"},
      {.path = "time.end",
       .kind = number,
       .condition = "instead of steps",
       .minimum = 0,
       .minimum_is_excluded = true,
       .unit = "L/U",
       .written = [](const Case& c, std::size_t) { return yaml_text(c.time.end); },
       .meaning = "time to reach"},
      {.path = "time.global_iterations",
       .kind = whole,
       .default_text = "1",
       .minimum = 1,
       .maximum = 1000000,
       .written = [](const Case& c, std::size_t) { return yaml_text(c.time.global_iterations); },
       .meaning = "passes over all three directions per step"},
      {.path = "time.local_iterations",
       .kind = whole,
       .only = Scheme::splitting,
       .default_text = "1",
       .minimum = 1,
       .maximum = 1000000,
       .written = [](const Case& c, std::size_t) { return yaml_text(c.time.local_iterations); },
       .meaning = "sweeps along one direction per pass"},
      {.path = "time.global_tolerance",
       .kind = number,
       .condition = "optional, with max_global_iterations",
       .minimum = 0,
       .minimum_is_excluded = true,
       .unit = "U, T0",
       .written = [](const Case& c, std::size_t) { return yaml_text(c.time.global_tolerance); },
       .meaning = "change of the flow in a pass below which a step has no more of them"},
      {.path = "time.max_global_iterations",
       .kind = whole,
       .condition = "with global_tolerance only",
       .minimum = 1,
       .maximum = 1000000,
       .written = [](const Case& c, std::size_t) -> std::string {
         return c.time.global_tolerance ? yaml_text(c.time.max_global_iterations) : "";
       },
       .meaning = "most passes per step when global_tolerance is given"},
      {.path = "time.damping",
       .kind = choice,
       .only = Scheme::projection,
       .default_text = "auto",
       .choices = {"auto", "off"},
       .written = [](const Case& c,
                     std::size_t) { return yaml_text(c.time.damping ? "auto" : "off"); },
       .meaning = "auto: two steps of implicit Euler where a value at a wall, an inflow or a body "
                  "jumps and dt nu/h^2 there exceeds 2, so that the flow does not ring"},

      {.path = "output", .kind = section, .meaning = "what is written"},
      {.path = "output.directory",
       .kind = text,
       .condition = "default: runs/CASE",
       .written = [](const Case& c, std::size_t) { return yaml_text(c.output.directory); },
       .meaning = "folder of the run"},
      {.path = "output.fields",
       .kind = section,
       .meaning = "snapshots for viewing: fields_STEP.h5"},
      {.path = "output.fields.every",
       .kind = whole,
       .default_text = "0",
       .minimum = 0,
       .unit = "steps",
       .written = [](const Case& c, std::size_t) { return yaml_text(c.output.fields.every); },
       .meaning = "interval between snapshots; 0: none"},
      {.path = "output.fields.precision",
       .kind = choice,
       .default_text = "float",
       .choices = {"float", "double"},
       .written = [](const Case& c,
                     std::size_t) { return yaml_text(name_of(c.output.fields.precision)); },
       .meaning = "floating-point numbers of the snapshots"},
      {.path = "output.fields.variables",
       .kind = choice_list,
       .condition = "default: all that the flow has, except vorticity and q_criterion",
       .choices = {"velocity", "temperature", "pressure", "solid", "vorticity", "q_criterion"},
       .written = [](const Case& c, std::size_t) { return variables_text(c.output.fields); },
       .meaning = "variables of the snapshots"},
      {.path = "output.fields.location",
       .kind = choice,
       .only = Scheme::projection,
       .default_text = "centers",
       .choices = {FieldOutputCase::location_names.begin(), FieldOutputCase::location_names.end()},
       .written =
           [](const Case& c, std::size_t) {
             return yaml_text(FieldOutputCase::location_names.at(
                 static_cast<std::size_t>(c.output.fields.location)));
           },
       .meaning = "velocity of the snapshots: at centres of cells; with faces also as computed, in "
                  "velocity_x, velocity_y, velocity_z"},
      {.path = "output.fields.compression",
       .kind = whole,
       .default_text = "0",
       .minimum = 0,
       .maximum = 9,
       .written = [](const Case& c, std::size_t) { return yaml_text(c.output.fields.compression); },
       .meaning = "gzip level of the snapshots; 0: none, 9: smallest and slowest"},
      {.path = "output.slices",
       .kind = section,
       .condition = "default: none",
       .meaning = "pictures of planes, drawn while the flow runs: slice_NAME_STEP.png"},
      {.path = "output.slices.every",
       .kind = whole,
       .default_text = "100",
       .minimum = 1,
       .unit = "steps",
       .written = [](const Case& c,
                     std::size_t) { return yaml_text(c.output.slices, &SlicesCase::every); },
       .meaning = "interval between pictures; for each a GPU copies the whole flow to the host"},
      {.path = "output.slices.pixels",
       .kind = whole,
       .default_text = "512",
       .minimum = 16,
       .maximum = 8192,
       .written = [](const Case& c,
                     std::size_t) { return yaml_text(c.output.slices, &SlicesCase::pixels); },
       .meaning = "pixels along the longer side of the plane in a picture"},
      {.path = "output.slices.planes",
       .kind = section,
       .condition = "default: the middle planes, named x, y and z",
       .meaning = "planes to draw"},
      {.path = "output.slices.planes.NAME",
       .kind = section,
       .meaning = "one plane; its NAME stands in the names of its files"},
      {.path = "output.slices.planes.NAME.axis",
       .kind = choice,
       .default_text = "z",
       .choices = {"x", "y", "z"},
       .written = [](const Case& c, std::size_t n) { return axis_name(plane_of(c, n).axis); },
       .meaning = "axis normal to the plane"},
      {.path = "output.slices.planes.NAME.at",
       .kind = number,
       .condition = "default: the middle",
       .unit = "L",
       .written = [](const Case& c, std::size_t n) { return yaml_text(plane_of(c, n).at); },
       .meaning = "where the plane cuts that axis"},
      {.path = "output.slices.planes.NAME.variable",
       .kind = choice,
       .condition = "default: temperature where buoyancy is given, else velocity_magnitude",
       .choices = {"velocity_x",
                   "velocity_y",
                   "velocity_z",
                   "velocity_magnitude",
                   "temperature",
                   "pressure"},
       .written = [](const Case& c, std::size_t n) { return yaml_text(plane_of(c, n).variable); },
       .meaning = "what the colours show; pressure: scheme projection"},
      {.path = "output.slices.planes.NAME.min",
       .kind = number,
       .condition = "default: follows the flow",
       .written = [](const Case& c, std::size_t n) { return yaml_text(plane_of(c, n).low); },
       .meaning = "value of the first colour"},
      {.path = "output.slices.planes.NAME.max",
       .kind = number,
       .condition = "default: follows the flow",
       .written = [](const Case& c, std::size_t n) { return yaml_text(plane_of(c, n).high); },
       .meaning = "value of the last colour"},
      {.path = "output.planes",
       .kind = section,
       .condition = "default: none",
       .meaning = "planes of the flow recorded as data: planes_NAME.h5"},
      {.path = "output.planes.every",
       .kind = whole,
       .is_required = true,
       .minimum = 1,
       .unit = "steps",
       .written = [](const Case& c,
                     std::size_t) { return yaml_text(c.output.planes, &PlanesCase::every); },
       .meaning = "interval between records"},
      {.path = "output.planes.start",
       .kind = number,
       .default_text = "0",
       .minimum = 0,
       .unit = "L/U",
       .written = [](const Case& c,
                     std::size_t) { return yaml_text(c.output.planes, &PlanesCase::start); },
       .meaning = "time of the first record"},
      {.path = "output.planes.precision",
       .kind = choice,
       .default_text = "float",
       .choices = {"float", "double"},
       .written = [](const Case& c, std::size_t) -> std::string {
         return c.output.planes ? yaml_text(name_of(c.output.planes->precision)) : "";
       },
       .meaning = "floating-point numbers of the records"},
      {.path = "output.planes.NAME",
       .kind = section,
       .meaning = "one plane; its NAME stands in the names of its files"},
      {.path = "output.planes.NAME.axis",
       .kind = choice,
       .is_required = true,
       .choices = {"x", "y", "z"},
       .written = [](const Case& c, std::size_t n) { return axis_name(recorded(c, n).axis); },
       .meaning = "axis normal to the plane"},
      {.path = "output.planes.NAME.at",
       .kind = number,
       .is_required = true,
       .unit = "L",
       .written = [](const Case& c, std::size_t n) { return yaml_text(recorded(c, n).at); },
       .meaning = "where the plane cuts that axis; linear interpolation between points"},
      {.path = "output.probes",
       .kind = section,
       .condition = "default: none",
       .meaning = "points of the flow recorded as data: probes_NAME.csv, lines probes_NAME.h5"},
      {.path = "output.probes.every",
       .kind = whole,
       .default_text = "1",
       .minimum = 1,
       .unit = "steps",
       .written = [](const Case& c,
                     std::size_t) { return yaml_text(c.output.probes, &ProbesCase::every); },
       .meaning = "interval between records"},
      {.path = "output.probes.start",
       .kind = number,
       .default_text = "0",
       .minimum = 0,
       .unit = "L/U",
       .written = [](const Case& c,
                     std::size_t) { return yaml_text(c.output.probes, &ProbesCase::start); },
       .meaning = "time of the first record"},
      {.path = "output.probes.NAME",
       .kind = section,
       .meaning =
           "a point, or equally spaced points on a line; its NAME stands in the name of its file"},
      {.path = "output.probes.NAME.at",
       .kind = number,
       .is_vector = true,
       .condition = "a point: required; a line: not allowed",
       .unit = "L",
       .written = [](const Case& c, std::size_t n) -> std::string {
         return probe_of(c, n).is_line() ? "" : yaml_text(probe_of(c, n).from);
       },
       .meaning = "where the point is; linear interpolation between the points of each variable"},
      {.path = "output.probes.NAME.from",
       .kind = number,
       .is_vector = true,
       .condition = "a line: required; a point: not allowed",
       .unit = "L",
       .written =
           [](const Case& c, std::size_t n) {
             return of_line(probe_of(c, n), yaml_text(probe_of(c, n).from));
           },
       .meaning = "first point of the line"},
      {.path = "output.probes.NAME.to",
       .kind = number,
       .is_vector = true,
       .condition = "a line: required; a point: not allowed",
       .unit = "L",
       .written =
           [](const Case& c, std::size_t n) {
             return of_line(probe_of(c, n), yaml_text(probe_of(c, n).to));
           },
       .meaning = "last point of the line"},
      {.path = "output.probes.NAME.count",
       .kind = whole,
       .condition = "a line: required; a point: not allowed",
       .minimum = 2,
       .maximum = 1000000,
       .written =
           [](const Case& c, std::size_t n) {
             return of_line(probe_of(c, n), yaml_text(probe_of(c, n).count));
           },
       .meaning = "points on the line, both ends included"},
      {.path = "output.timeseries",
       .kind = section,
       .meaning = "quantities over time, as CSV: timeseries.csv"},
      {.path = "output.timeseries.every",
       .kind = whole,
       .default_text = "1",
       .minimum = 0,
       .unit = "steps",
       .written = [](const Case& c, std::size_t) { return yaml_text(c.output.timeseries_every); },
       .meaning = "interval between lines of the time series; 0: none"},
      {.path = "output.checkpoint",
       .kind = section,
       .meaning = "files to resume from: checkpoint_STEP.h5"},
      {.path = "output.checkpoint.every",
       .kind = whole,
       .default_text = "0",
       .minimum = 0,
       .unit = "steps",
       .written = [](const Case& c, std::size_t) { return yaml_text(c.output.checkpoint_every); },
       .meaning = "interval between checkpoints; 0: only where the run stops or ends"},
      {.path = "output.checkpoint.keep",
       .kind = whole,
       .default_text = "2",
       .minimum = 1,
       .maximum = 1000000,
       .written = [](const Case& c, std::size_t) { return yaml_text(c.output.checkpoint_keep); },
       .meaning = "newest checkpoints that are kept"},
      {.path = "output.checkpoint.final",
       .kind = flag,
       .default_text = "true",
       .written = [](const Case& c, std::size_t) { return yaml_text(c.output.checkpoint_final); },
       .meaning = "a finished run leaves a checkpoint, so that it can be continued"},
      {.path = "output.statistics",
       .kind = section,
       .only = Scheme::projection,
       .condition = "default: none",
       .meaning = "averages taken while the flow runs: statistics.h5"},
      {.path = "output.statistics.start",
       .kind = number,
       .only = Scheme::projection,
       .default_text = "0",
       .minimum = 0,
       .unit = "L/U",
       .written =
           [](const Case& c, std::size_t) {
             return yaml_text(c.output.statistics, &StatisticsCase::start);
           },
       .meaning = "time of the first sample"},
      {.path = "output.statistics.every",
       .kind = whole,
       .only = Scheme::projection,
       .default_text = "10",
       .minimum = 1,
       .unit = "steps",
       .written =
           [](const Case& c, std::size_t) {
             return yaml_text(c.output.statistics, &StatisticsCase::every);
           },
       .meaning = "interval between samples"},
      {.path = "output.statistics.average",
       .kind = choice_list,
       .only = Scheme::projection,
       .condition = "default: all periodic axes; []: over time alone",
       .may_be_empty = true,
       .choices = {"x", "y", "z"},
       .written = [](const Case& c, std::size_t) -> std::string {
         return c.output.statistics ? axes_text(c.output.statistics->average) : "";
       },
       .meaning = "periodic axes to average over"},
      {.path = "output.statistics.spectra",
       .kind = choice_list,
       .only = Scheme::projection,
       .condition = "default: none",
       .choices = {"x", "y", "z"},
       .written = [](const Case& c, std::size_t) -> std::string {
         const std::array<bool, 3> none{};
         if (!c.output.statistics || c.output.statistics->spectra == none) return "";
         return axes_text(c.output.statistics->spectra);
       },
       .meaning =
           "axes along which spectra and two-point correlations are taken: uniform axes that "
           "are averaged over; with all three also E(k)"},
      {.path = "output.statistics.window",
       .kind = number,
       .only = Scheme::projection,
       .condition = "default: none",
       .minimum = 0,
       .minimum_is_excluded = true,
       .unit = "L/U",
       .written =
           [](const Case& c, std::size_t) {
             return c.output.statistics ? yaml_text(c.output.statistics->window) : std::string{};
           },
       .meaning = "length of windows of time with averages of their own: statistics_STEP.h5"},
      {.path = "output.statistics.budgets",
       .kind = flag,
       .only = Scheme::projection,
       .default_text = "false",
       .written =
           [](const Case& c, std::size_t) {
             return yaml_text(c.output.statistics, &StatisticsCase::budgets);
           },
       .meaning =
           "whether budgets of turbulent kinetic energy and Reynolds stresses are taken too"},

      {.path = "run", .kind = section, .meaning = "how the program runs"},
      {.path = "run.wall_time_limit",
       .kind = duration,
       .condition = "default: no limit",
       .minimum = 0,
       .minimum_is_excluded = true,
       .unit = "s",
       .written = [](const Case& c, std::size_t) { return yaml_text(c.run.wall_time_limit); },
       .meaning = "time after which the run stops with a checkpoint"},
      {.path = "run.threads",
       .kind = whole,
       .default_text = "0",
       .minimum = 0,
       .maximum = 65536,
       .written = [](const Case& c, std::size_t) { return yaml_text(c.run.threads); },
       .meaning = "threads on the CPU; 0: OMP_NUM_THREADS or all cores of the job"},
  };
}

}  // namespace dns
