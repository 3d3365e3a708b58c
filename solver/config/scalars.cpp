#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

#include "solver/config/bound_keys.hpp"
#include "solver/config/case_reader.hpp"
#include "solver/core/index.hpp"
#include "solver/core/number_text.hpp"

namespace dns {
// Two or three lines a key: a table.
// clang-format off

std::vector<Key> keys_of_scalars() {
  constexpr auto projection = Scheme::projection;
  constexpr std::string_view default_of_reference =
      "default: the middle of the given values where they are far from 0, see docs/method_projection.md";
  const auto file = keys_of_case();
  const auto temperature = file.part("temperature", &Case::temperature);
  const auto scalar = file.part("scalars.NAME", &Case::scalars);
  return {
      file.entry("temperature", {.condition = "scheme projection: needs fluid.prandtl",
           .changes_flow = true}, "what is imposed on temperature, and how it is stored"),
      temperature.key("reference", &TemperatureCase::reference,
          {.condition = default_of_reference, .changes_flow = false, .unit = "T0"},
          "the solution is stored as its difference from it; no effect but on round-off"),
      temperature.key("mean_gradient", &TemperatureCase::mean_gradient,
          {.only = projection, .has_default = false,
           .condition = "along periodic axes, beside no solids; default [0, 0, 0]", .unit = "T0/L",
           .is_written = [](const Case& c, std::size_t) {
             return c.has_temperature() && c.has_mean_gradient(first_scalar); }},
          "gradient G of the temperature: its value is G . x and what is solved for, which starts, "
          "faces, sources, buoyancy and all outputs have"),
      file.entry("scalars", {.only = projection, .condition = "at most 1000; default: none",
           .changes_flow = true}, "scalars that the flow carries besides temperature"),
      file.records("scalars.NAME", &Case::scalars, {.named = "scalar", .marks = "_"},
          "one scalar; its arrays have this NAME (letters, digits, '_'; no name of another "
          "quantity)"),
      scalar.key("prandtl", &ScalarCase::prandtl, {.is_required = true, .range = above(0)},
          "Prandtl or Schmidt number, kinematic viscosity / diffusivity of the scalar"),
      scalar.key("initial", &ScalarCase::initial,
          {.condition = "with initial.type file only where the file has no such scalar",
           .variables = "x, y, z"}, "the scalar at the start, without G . x"),
      scalar.key("source", &ScalarCase::source, {}, "source of the scalar, per time"),
      scalar.key("mean_gradient", &ScalarCase::mean_gradient,
          {.condition = "along periodic axes, beside no solids", .unit = "1/L"},
          "gradient G of the scalar: its value is G . x and what is solved for"),
      scalar.key("buoyancy", &ScalarCase::buoyancy, {.condition = "with buoyancy only",
           .unit = "T0"}, "weight b of the scalar s in buoyancy, beta (T - T_ref + SUM b s)"),
      scalar.key("reference", &ScalarCase::reference,
          {.condition = default_of_reference, .changes_flow = false}, "like temperature.reference"),
  };
}

// clang-format on

namespace {

/// Begins the names of other quantities in files: of variables, averages and columns.
constexpr std::array<std::string_view, 21> words_of_files{
    "velocity",   "temperature", "pressure",      "solid",    "vorticity", "q_criterion",
    "spectrum",   "correlation", "budget",        "skewness", "flatness",  "fluid",
    "wall",       "nusselt",     "heat",          "force",    "torque",    "impulse",
    "divergence", "dissipation", "kinetic_energy"};
constexpr std::array<std::string_view, 10> other_words{
    "x", "y", "z", "t", "time", "step", "dt", "cfl", "point", "component"};

bool is_letter_of_variable(char letter) {
  return std::string_view("uvwTp").find(letter) != std::string_view::npos;
}
bool begins_with(const std::string& name, std::string_view word) {
  return name == word || name.starts_with(std::string(word) + "_");
}

/// Each scalar has sums, columns and sweeps of its own, and names are compared pair by pair.
constexpr std::size_t most_scalars = 1000;

/// Why a scalar cannot have its name; empty where it can.
std::string obstacle_to_name(const std::string& name, const Case& read) {
  const bool is_product = std::ranges::all_of(name, is_letter_of_variable);  // uv, TT
  const bool is_flux = name.size() > 1 && name[1] == '_' && is_letter_of_variable(name[0]);
  if (is_product || is_flux || std::ranges::count(other_words, name) > 0 ||
      std::ranges::any_of(words_of_files,
                          [&](std::string_view word) { return begins_with(name, word); }))
    return "is that of another quantity, or begins like one";
  for (const ScalarCase& other : read.scalars) {
    if (other.name != name && begins_with(name, other.name))
      return fmt::format("begins with that of scalar {}, like its averages", other.name);
  }
  return {};
}

/// Whether a start f has f(x + L) = f(x) + G L along an axis.
bool contains_gradient(const Expression& start, double gradient, int axis, const Case& read) {
  constexpr int samples = 5;
  constexpr double relative_error = 1e-6;
  const double length = read.grid.length[axis];
  for (int sample = 0; sample < samples; ++sample) {
    PerAxis<double> x = read.grid.origin;
    for (int other = 0; other < 3; ++other)
      if (other != axis) x[other] += read.grid.length[other] * (sample + 0.5) / samples;
    const double low = start(x[0], x[1], x[2], 0);
    x[axis] += length;
    const double more = start(x[0], x[1], x[2], 0) - low;
    if (!(std::abs(more - gradient * length) <= relative_error * std::abs(gradient * length)))
      return false;
  }
  return true;
}

/// The mean gradient of a scalar.
void check_gradient(ValueReader& reader, const Case& read, int variable) {
  const bool is_temperature = read.is_temperature(variable);
  const std::string section =
      is_temperature ? "temperature" : "scalars." + read.name_of_scalar(variable);
  const std::string path = section + ".mean_gradient";
  const std::string start_path = is_temperature ? "initial.temperature" : section + ".initial";
  if (!reader.is_right(path) || !read.has_mean_gradient(variable)) return;
  if (!read.solids.empty())
    reader.add_problem(path, "what it is at the surface of solids is not known; leave one out");
  for (int axis = 0; axis < 3; ++axis) {
    const double gradient = read.mean_gradient(variable)[axis];
    if (gradient == 0) continue;
    if (!read.is_periodic(axis)) {
      reader.add_item_mistake(
          path,
          axis,
          "0",
          fmt::format("; a mean gradient is imposed along periodic axes only, and {} is not "
                      "periodic: faces give what changes along it",
                      axis_names[axis]));
    } else if (reader.is_right(start_path) &&
               contains_gradient(read.initial_formula(variable), gradient, axis, read)) {
      reader.add_mistake(start_path,
                         fmt::format("without {} {}", number_text(gradient), axis_names[axis]),
                         fmt::format("; {} adds it", path));
    }
  }
}

}  // namespace

std::string obstacle_to_quantity(const std::string& name, const Case& read) {
  // Begin the names of coordinates, and of the last sample and sums by phase in checkpoints.
  constexpr std::array<std::string_view, 8> words{
      "x", "y", "z", "wavenumber", "separation", "phase", "phases", "last"};
  const bool is_taken =
      std::ranges::count(read.scalars, name, &ScalarCase::name) > 0 ||
      std::ranges::any_of(words, [&](std::string_view word) { return begins_with(name, word); });
  return is_taken ? "is that of another quantity, or begins like one"
                  : obstacle_to_name(name, read);
}

void read_scalars(ValueReader& reader, Case& read) {
  reader.read_section("scalars", read);
  reader.read_section("temperature", read);
  if (read.scalars.size() > most_scalars) {
    reader.add_problem(
        "scalars",
        fmt::format("{} scalars, but at most {} are taken", read.scalars.size(), most_scalars));
    return;
  }
  for (const ScalarCase& scalar : read.scalars) {
    const std::string path = "scalars." + scalar.name;
    if (reader.is_wrong(path)) continue;
    const std::string obstacle = obstacle_to_name(scalar.name, read);
    if (!obstacle.empty()) reader.add_problem(path, "the name of a scalar " + obstacle);
    if (!read.buoyancy && scalar.buoyancy != 0)
      reader.refuse(path + ".buoyancy", "has an effect only with buoyancy; give that too");
  }
  reader.refuse_without_temperature("temperature");
}

void refuse_unknown_scalars(ValueReader& reader, const Case& read, const std::string& path) {
  for (const std::string& name : reader.names_in(path)) {
    if (std::ranges::count(read.scalars, name, &ScalarCase::name) == 0)
      reader.add_problem(path + "." + name, "there is no scalar of that name in scalars");
  }
}

void check_mean_gradients(ValueReader& reader, const Case& read) {
  for (int n = 0; n < read.scalar_count(); ++n) check_gradient(reader, read, first_scalar + n);
}

}  // namespace dns
