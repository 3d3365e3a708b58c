#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string>
#include <vector>

#include "solver/config/key_table.hpp"
#include "solver/config/load_case.hpp"
#include "solver/config/number_text.hpp"

namespace dns {
namespace {

std::string in_quotes(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (code < 0x20 || code == 0x7f) {
      quoted += fmt::format("\\x{:02x}", code);
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

/// `text` bare where no reader of YAML takes it for anything but text.
std::string text_as_yaml(const std::string& text) {
  static const std::vector<std::string> words{
      "null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan", "inf"};
  std::string lower;
  bool is_plain = !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) != 0;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    is_plain = is_plain && code < 0x80 &&
               (std::isalnum(code) != 0 || std::string("_-./").find(c) != std::string::npos);
    lower += static_cast<char>(std::tolower(code));
  }
  is_plain = is_plain && std::find(words.begin(), words.end(), lower) == words.end();
  return is_plain ? text : in_quotes(text);
}

std::string formula_as_yaml(const Expression& formula) {
  return number_from(formula.text()) ? formula.text() : in_quotes(formula.text());
}

std::string formulas_as_yaml(const std::array<Expression, 3>& formulas) {
  return fmt::format("[{}, {}, {}]",
                     formula_as_yaml(formulas[0]),
                     formula_as_yaml(formulas[1]),
                     formula_as_yaml(formulas[2]));
}

std::string numbers_as_yaml(const std::array<double, 3>& numbers) {
  return fmt::format(
      "[{}, {}, {}]", number_text(numbers[0]), number_text(numbers[1]), number_text(numbers[2]));
}

std::string name_of_device(DeviceChoice device) {
  switch (device) {
    case DeviceChoice::cpu:
      return "cpu";
    case DeviceChoice::cuda:
      return "cuda";
    case DeviceChoice::automatic:
      break;
  }
  return "auto";
}

std::string stretching_as_yaml(const StretchingCase& stretching) {
  if (stretching.kind == StretchingCase::Kind::uniform) return "{type: uniform}";
  if (stretching.kind == StretchingCase::Kind::tanh)
    return fmt::format("{{type: tanh, factor: {}}}", number_text(stretching.factor));
  std::vector<std::string> numbers;
  for (const double face : stretching.coordinates) numbers.push_back(number_text(face));
  return fmt::format("{{type: coordinates, coordinates: [{}]}}", fmt::join(numbers, ", "));
}

std::string face_as_yaml(const FaceCase& face, bool has_temperature) {
  const std::string_view type = name_of(face.kind);
  if (!face.gives_values()) return fmt::format("{{type: {}}}", type);
  const std::string velocity = formulas_as_yaml(face.velocity);
  if (!has_temperature) return fmt::format("{{type: {}, velocity: {}}}", type, velocity);
  std::string temperature = formula_as_yaml(face.temperature);
  if (face.temperature_condition == TemperatureCondition::gradient) {
    temperature = fmt::format("{{gradient: {}}}", temperature);
  }
  return fmt::format("{{type: {}, velocity: {}, temperature: {}}}", type, velocity, temperature);
}

std::string grid_as_yaml(const Case& resolved) {
  const GridCase& grid = resolved.grid;
  std::string yaml = fmt::format(
      "grid:\n  points: [{}, {}, {}]\n", grid.points.nx, grid.points.ny, grid.points.nz);
  yaml += fmt::format("  length: {}\n", numbers_as_yaml(grid.length));
  yaml += fmt::format("  origin: {}\n", numbers_as_yaml(grid.origin));
  if (resolved.scheme == Scheme::projection) {
    yaml += "  stretching:\n";
    for (std::size_t axis = 0; axis < 3; ++axis) {
      yaml += fmt::format(
          "    {}: {}\n", axis_names[axis], stretching_as_yaml(grid.stretching.at(axis)));
    }
  }
  return yaml + "\n";
}

std::string fluid_as_yaml(const FluidCase& fluid, Scheme scheme) {
  std::string yaml = fmt::format("fluid:\n  reynolds: {}\n", number_text(fluid.reynolds));
  if (fluid.prandtl > 0) yaml += fmt::format("  prandtl: {}\n", number_text(fluid.prandtl));
  if (scheme == Scheme::splitting) {
    yaml += fmt::format("  heat_capacity_ratio: {}\n", number_text(fluid.heat_capacity_ratio));
  }
  return yaml + "\n";
}

std::string head_as_yaml(const Case& resolved) {
  std::string yaml = fmt::format("case: {}\n", text_as_yaml(resolved.name));
  yaml += fmt::format("scheme: {}\n", name_of(resolved.scheme));
  yaml += fmt::format("device: {}\n", name_of_device(resolved.device));
  yaml += fmt::format("precision: {}\n\n", name_of(resolved.precision));
  yaml += grid_as_yaml(resolved) + fluid_as_yaml(resolved.fluid, resolved.scheme);
  if (!resolved.buoyancy) return yaml;
  const BuoyancyCase& buoyancy = *resolved.buoyancy;
  yaml += fmt::format("buoyancy:\n  rayleigh: {}\n", number_text(buoyancy.rayleigh));
  yaml += fmt::format("  direction: {}\n", axis_names.at(static_cast<std::size_t>(buoyancy.axis)));
  yaml +=
      fmt::format("  reference_temperature: {}\n\n", number_text(buoyancy.reference_temperature));
  return yaml;
}

std::string boundaries_as_yaml(const Case& resolved) {
  std::string yaml = "boundaries:\n";
  for (int axis = 0; axis < 3; ++axis) {
    if (resolved.is_periodic(axis)) {
      yaml += fmt::format("  {}: periodic\n", axis_names[static_cast<std::size_t>(axis)]);
      continue;
    }
    for (const bool is_high_end : {false, true}) {
      const std::size_t face = face_index(axis, is_high_end);
      yaml += fmt::format("  {}: {}\n",
                          face_names[face],
                          face_as_yaml(resolved.faces.at(face), resolved.has_temperature()));
    }
  }
  return yaml + "\n";
}

std::string initial_as_yaml(const InitialCase& initial, bool has_temperature) {
  std::string yaml = "initial:\n";
  if (initial.file) {
    yaml += fmt::format("  type: file\n  path: {}\n", text_as_yaml(*initial.file));
  } else if (initial.turbulent_channel) {
    const TurbulentChannelCase& channel = *initial.turbulent_channel;
    yaml += fmt::format(
        "  type: turbulent_channel\n  direction: {}\n  bulk_velocity: {}\n  amplitude: {}\n",
        axis_names.at(static_cast<std::size_t>(channel.axis)),
        number_text(channel.bulk_velocity),
        number_text(channel.amplitude));
  } else {
    yaml += fmt::format("  type: formula\n  velocity: {}\n", formulas_as_yaml(initial.velocity));
  }
  if (!initial.file && has_temperature)
    yaml += fmt::format("  temperature: {}\n", formula_as_yaml(initial.temperature));
  return yaml + fmt::format("  noise: {{amplitude: {}, seed: {}}}\n\n",
                            number_text(initial.noise.amplitude),
                            initial.noise.seed);
}

std::string forcing_as_yaml(const ForcingCase& forcing) {
  if (forcing.kind == ForcingCase::Kind::none) return {};
  const bool is_gradient = forcing.kind == ForcingCase::Kind::pressure_gradient;
  return fmt::format("forcing:\n  type: {}\n  value: {}\n\n",
                     is_gradient ? "pressure_gradient" : "bulk_velocity",
                     numbers_as_yaml(forcing.value));
}

std::string time_as_yaml(const TimeCase& time, Scheme scheme) {
  std::string yaml = "time:\n";
  if (time.cfl) yaml += fmt::format("  cfl: {}\n", number_text(*time.cfl));
  if (std::isfinite(time.step)) yaml += fmt::format("  step: {}\n", number_text(time.step));
  yaml += time.end ? fmt::format("  end: {}\n", number_text(*time.end))
                   : fmt::format("  steps: {}\n", time.steps);
  yaml += fmt::format("  global_iterations: {}\n", time.global_iterations);
  if (scheme == Scheme::splitting)
    yaml += fmt::format("  local_iterations: {}\n", time.local_iterations);
  if (time.global_tolerance) {
    yaml += fmt::format("  global_tolerance: {}\n", number_text(*time.global_tolerance));
    yaml += fmt::format("  max_global_iterations: {}\n", time.max_global_iterations);
  }
  return yaml + "\n";
}

std::string variables_as_yaml(const FieldOutputCase& fields) {
  std::vector<std::string> names;
  if (fields.velocity) names.emplace_back("velocity");
  if (fields.temperature) names.emplace_back("temperature");
  if (fields.pressure) names.emplace_back("pressure");
  return fmt::format("[{}]", fmt::join(names, ", "));
}

std::string slices_as_yaml(const SlicesCase& slices) {
  std::string yaml = fmt::format(
      "  slices:\n    every: {}\n    pixels: {}\n    planes:\n", slices.every, slices.pixels);
  for (const SliceCase& plane : slices.planes) {
    yaml += fmt::format("      {}: {{axis: {}, at: {}, variable: {}",
                        text_as_yaml(plane.name),
                        axis_names.at(static_cast<std::size_t>(plane.axis)),
                        number_text(plane.at),
                        plane.variable);
    if (plane.low) yaml += fmt::format(", min: {}", number_text(*plane.low));
    if (plane.high) yaml += fmt::format(", max: {}", number_text(*plane.high));
    yaml += "}\n";
  }
  return yaml;
}

std::string statistics_as_yaml(const StatisticsCase& statistics) {
  std::vector<std::string> axes;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (statistics.average.at(axis)) axes.push_back(axis_names[axis]);
  }
  return fmt::format("  statistics: {{start: {}, every: {}, average: [{}]}}\n",
                     number_text(statistics.start),
                     statistics.every,
                     fmt::join(axes, ", "));
}

std::string output_as_yaml(const OutputCase& output) {
  std::string yaml = fmt::format("output:\n  directory: {}\n", text_as_yaml(output.directory));
  yaml += fmt::format("  fields: {{every: {}, precision: {}, variables: {}, compression: {}}}\n",
                      output.fields.every,
                      name_of(output.fields.precision),
                      variables_as_yaml(output.fields),
                      output.fields.compression);
  if (output.slices) yaml += slices_as_yaml(*output.slices);
  yaml += fmt::format("  timeseries: {{every: {}}}\n", output.timeseries_every);
  yaml += fmt::format("  checkpoint: {{every: {}, keep: {}, final: {}}}\n",
                      output.checkpoint_every,
                      output.checkpoint_keep,
                      output.checkpoint_final);
  if (output.statistics) yaml += statistics_as_yaml(*output.statistics);
  return yaml + "\n";
}

std::string run_as_yaml(const RunCase& run) {
  std::string yaml = "run:\n";
  if (run.wall_time_limit) {
    yaml += fmt::format("  wall_time_limit: {}\n", number_text(*run.wall_time_limit));
  }
  return yaml + fmt::format("  threads: {}\n", run.threads);
}

}  // namespace

std::string to_yaml(const Case& resolved) {
  return head_as_yaml(resolved) + boundaries_as_yaml(resolved) +
         initial_as_yaml(resolved.initial, resolved.has_temperature()) +
         forcing_as_yaml(resolved.forcing) + time_as_yaml(resolved.time, resolved.scheme) +
         output_as_yaml(resolved.output) + run_as_yaml(resolved.run);
}

}  // namespace dns
