#include "solver/config/case_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/config/boundary_reader.hpp"
#include "solver/config/number_text.hpp"
#include "solver/config/value_parsers.hpp"

namespace dns {
namespace {

Precision precision_named(const std::string& name) {
  return name == "float" ? Precision::single_precision : Precision::double_precision;
}

DeviceChoice device_named(const std::string& name) {
  if (name == "cpu") return DeviceChoice::cpu;
  return name == "cuda" ? DeviceChoice::cuda : DeviceChoice::automatic;
}

std::string read_name(ValueReader& reader, const std::string& default_name) {
  const std::string rule =
      "letters, digits, '_', '-' and '.', the first a letter or a digit, 100 at most";
  if (!reader.is_given("case")) {
    if (is_case_name(default_name)) return default_name;
    reader.add_missing("case", fmt::format("{}; the file's name will not do", rule));
    return {};
  }
  std::string name = reader.text("case").value_or("");
  if (!name.empty() && !is_case_name(name)) reader.add_mistake("case", rule, "");
  return name;
}

GridCase read_grid(ValueReader& reader) {
  GridCase grid;
  if (const auto points = reader.wholes("grid.points")) {
    const auto& [nx, ny, nz] = *points;
    grid.points = {static_cast<int>(nx), static_cast<int>(ny), static_cast<int>(nz)};
    // Beyond it the fields of a step in double pass the 2^47 bytes that a process can address.
    const std::int64_t most_points = std::int64_t{1} << 40U;
    if (nx * ny * nz > most_points) {
      reader.add_mistake("grid.points", "at most 2^40 points in all", "");
    }
  }
  grid.length = reader.numbers("grid.length").value_or(grid.length);
  grid.origin = reader.numbers("grid.origin").value_or(grid.origin);
  return grid;
}

FluidCase read_fluid(ValueReader& reader) {
  FluidCase fluid;
  fluid.reynolds = reader.number("fluid.reynolds").value_or(0);
  fluid.prandtl = reader.number("fluid.prandtl").value_or(0);
  fluid.heat_capacity_ratio = reader.number("fluid.heat_capacity_ratio").value_or(0);
  return fluid;
}

void refuse_formulas_beside_file(ValueReader& reader) {
  for (const char* const path : {"initial.velocity", "initial.temperature"}) {
    if (!reader.is_given(path)) continue;
    reader.add_problem(path, "given together with initial.type file; keep one of the two");
  }
}

InitialCase read_initial(ValueReader& reader) {
  InitialCase initial;
  const std::optional<std::string> type = reader.choice("initial.type");
  if (type == "file") {
    initial.file = reader.text("initial.path");
    if (!reader.is_given("initial.path")) reader.add_missing("initial.path");
    refuse_formulas_beside_file(reader);
  } else {
    initial.velocity = reader.formulas("initial.velocity").value_or(initial.velocity);
    initial.temperature = reader.formula("initial.temperature").value_or(initial.temperature);
    if (type && reader.is_given("initial.path")) {
      reader.add_problem("initial.path", "used by initial.type file only; add type: file");
    }
  }
  initial.noise.amplitude = reader.number("initial.noise.amplitude").value_or(0);
  initial.noise.seed = static_cast<std::uint64_t>(reader.whole("initial.noise.seed").value_or(0));
  return initial;
}

/// The smallest number of steps that reaches `end`, to a part in 10^9.
double steps_until(double end, double step) {
  return std::ceil(end / step * (1 - 1e-9));
}

/// Reads time.steps or time.end.
void read_duration(ValueReader& reader, TimeCase& time) {
  const bool has_steps = reader.is_given("time.steps");
  const bool has_end = reader.is_given("time.end");
  time.steps = reader.whole("time.steps").value_or(0);
  time.end = reader.number("time.end");
  if (has_steps && has_end) {
    reader.add_problem("time.end", "given together with time.steps; keep one of the two");
  } else if (!has_steps && !has_end) {
    if (reader.may_be_missed("time.end")) {
      reader.add_missing("time.steps", "a whole number >= 0, or time.end instead");
    }
  } else if (time.end && time.step > 0) {
    const double steps = steps_until(*time.end, time.step);
    if (steps > largest_whole_number) {
      reader.add_mistake("time.end",
                         "within 2^53 steps",
                         fmt::format("; time.step is {}", number_text(time.step)));
    } else {
      time.steps = static_cast<std::int64_t>(steps);
    }
  }
}

/// Reads the numbers of iterations and the rule that ends them.
void read_iterations(ValueReader& reader, TimeCase& time) {
  const auto global_iterations = reader.whole("time.global_iterations");
  time.global_iterations = static_cast<int>(global_iterations.value_or(1));
  time.local_iterations = static_cast<int>(reader.whole("time.local_iterations").value_or(1));
  time.global_tolerance = reader.number("time.global_tolerance");
  const auto most = reader.whole("time.max_global_iterations");
  time.max_global_iterations = static_cast<int>(most.value_or(time.global_iterations));

  const bool has_tolerance = reader.is_given("time.global_tolerance");
  const bool has_most = reader.is_given("time.max_global_iterations");
  if (has_tolerance && !has_most) {
    reader.add_missing("time.max_global_iterations", "a whole number, for time.global_tolerance");
  } else if (has_most && !has_tolerance) {
    reader.add_problem("time.max_global_iterations",
                       "has an effect only with time.global_tolerance; give that too");
  } else if (most && global_iterations && *most < *global_iterations) {
    reader.add_mistake("time.max_global_iterations",
                       ">= time.global_iterations",
                       fmt::format("; that is {}", *global_iterations));
  }
}

TimeCase read_time(ValueReader& reader) {
  TimeCase time;
  time.step = reader.number("time.step").value_or(0);
  read_duration(reader, time);
  read_iterations(reader, time);
  return time;
}

OutputCase read_output(ValueReader& reader, const std::string& case_name) {
  OutputCase output;
  output.directory = reader.text("output.directory").value_or("runs/" + case_name);
  output.fields.every = reader.whole("output.fields.every").value_or(0);
  output.fields.precision =
      precision_named(reader.choice("output.fields.precision").value_or("float"));
  const auto variables =
      reader.choices("output.fields.variables").value_or(std::vector<std::string>{});
  const auto holds = [&variables](const char* name) {
    return std::find(variables.begin(), variables.end(), name) != variables.end();
  };
  output.fields.velocity = holds("velocity");
  output.fields.temperature = holds("temperature");
  output.fields.compression =
      static_cast<int>(reader.whole("output.fields.compression").value_or(0));
  output.timeseries_every = reader.whole("output.timeseries.every").value_or(0);
  output.checkpoint_every = reader.whole("output.checkpoint.every").value_or(0);
  output.checkpoint_keep = static_cast<int>(reader.whole("output.checkpoint.keep").value_or(1));
  return output;
}

RunCase read_run(ValueReader& reader) {
  RunCase run;
  run.wall_time_limit = reader.duration("run.wall_time_limit");
  run.threads = static_cast<int>(reader.whole("run.threads").value_or(0));
  return run;
}

}  // namespace

Case read_case(ValueReader& reader, const std::string& default_name) {
  Case read;
  read.name = read_name(reader, default_name);
  if (reader.choice("scheme")) read.scheme = Scheme::splitting;
  read.device = device_named(reader.choice("device").value_or("auto"));
  read.precision = precision_named(reader.choice("precision").value_or("double"));
  read.grid = read_grid(reader);
  read.fluid = read_fluid(reader);
  read.faces = read_boundaries(reader);
  read.initial = read_initial(reader);
  read.time = read_time(reader);
  read.output = read_output(reader, read.name);
  read.run = read_run(reader);
  return read;
}

}  // namespace dns
