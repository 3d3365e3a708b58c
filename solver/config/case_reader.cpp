#include "solver/config/case_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/config/order_of_axes.hpp"
#include "solver/core/index.hpp"

namespace dns {
namespace {

std::string read_name(ValueReader& reader, const std::string& default_name) {
  const std::string rule =
      "letters, digits, '_', '-' and '.', the first a letter or a digit, 100 at most";
  if (!reader.is_given("case")) {
    if (is_case_name(default_name)) return default_name;
    reader.add_missing("case", fmt::format("{}; the file's name will not do", rule));
    return {};
  }
  std::string name;
  if (reader.read("case", name) && !is_case_name(name)) reader.add_mistake("case", rule);
  return name;
}

/// Its factor is given in one way, and something rises.
void check_buoyancy(ValueReader& reader, const Case& read) {
  reader.require_one_of("buoyancy.rayleigh", "buoyancy.richardson");
  if (reader.has_temperature()) return;
  reader.refuse_without_temperature("buoyancy.reference_temperature");
  const auto rises = [](const ScalarCase& scalar) { return scalar.buoyancy != 0; };
  if (reader.is_given("buoyancy.rayleigh")) {
    reader.add_problem("buoyancy",
                       "needs a temperature: give fluid.prandtl too, or richardson in place of "
                       "rayleigh and a scalar with a buoyancy");
  } else if (std::ranges::none_of(read.scalars, rises)) {
    reader.add_problem("buoyancy",
                       "nothing rises: give fluid.prandtl, or a scalar with a buoyancy");
  }
}

/// Boundaries insulate, and nothing flows through them.
void check_magnetic(ValueReader& reader, const Case& read) {
  if (read.magnetic->field == PerAxis<double>{} && reader.is_right("magnetic.field"))
    reader.add_mistake("magnetic.field", "other than [0, 0, 0]");
  if (!read.solids.empty())
    reader.add_problem("magnetic", "the current around solids is not known; leave one out");
  for (int face = 0; face < read.faces.size(); ++face) {
    const FaceCase& at = read.faces[face];
    const bool lets_through = at.kind == FaceKind::inflow || at.kind == FaceKind::outflow ||
                              (at.kind == FaceKind::wall && !at.velocity[face / 2].is_zero());
    if (lets_through)
      reader.add_problem("magnetic",
                         "boundaries insulate: nothing may flow through " + face_names[face]);
  }
}

/// Axes of spectra: transforms need uniform lines, and averages are over them.
void check_spectra(ValueReader& reader, const Case& read) {
  const std::string path = "output.statistics.spectra";
  const StatisticsCase& statistics = *read.output.statistics;
  const auto refuse = [&](const char* rule, int axis, const char* what) {
    reader.add_mistake(path, rule, fmt::format("; {} is {}", axis_names[axis], what));
  };
  for (int axis = 0; axis < 3; ++axis) {
    if (!statistics.spectra[axis]) continue;
    if (!read.is_periodic(axis)) {
      refuse("periodic axes", axis, "not periodic");
    } else if (!statistics.average[axis]) {
      refuse("axes of output.statistics.average", axis, "not averaged over");
    } else if (read.is_stretched(axis)) {
      refuse("uniform axes", axis, "stretched");
    }
  }
  if (statistics.spectra != PerAxis<bool>{} && !read.solids.empty())
    reader.add_problem(path, "spectra need a box without solids");
}

/// Bodies and forces that depend on space or velocity have no terms in budgets.
void refuse_budgets_that_do_not_close(ValueReader& reader, const Case& read) {
  const std::string path = "output.statistics.budgets";
  const ForcingCase& forcing = read.forcing;
  const auto is_there = [](const Expression& formula) {
    return !formula.is_constant() || formula(0, 0, 0, 0) != 0;
  };
  if (!read.solids.empty())
    reader.add_problem(path, "what bodies do to the flow has no term in budgets");
  const PerAxis<bool>& average = read.output.statistics->average;
  if (has_rows_across_walls(read, 1) && reader.is_given("output.statistics.average") &&
      !(average[0] && average[2]))
    reader.add_problem(path, "with accuracy.order 4 across walls budgets are over x and z");
  for (const FaceCase& face : read.faces) {
    if (!face.slip_length.is_constant())
      reader.add_problem(path, "beside walls with a slip length by formula budgets do not close");
  }
  if (read.rotation) reader.add_problem(path, "rotation has no term in budgets; leave one out");
  if (read.magnetic)
    reader.add_problem(path, "the Lorentz force has no term in budgets; leave one out");
  for (const ScalarCase& scalar : read.scalars) {
    if (scalar.buoyancy != 0)
      reader.add_problem(path, "the buoyancy of " + scalar.name + " has no term in budgets");
  }
  if (forcing.linear != 0 || !forcing.sponges.empty() || !forcing.drag.empty() ||
      std::ranges::any_of(forcing.acceleration, is_there)) {
    reader.add_problem(
        path, "forces by formula, linear forces, drag and sponges have no term in budgets");
  }
}

/// Means of formulas of u, v, w, p, T and scalars.
void read_quantities(ValueReader& reader, Case& read) {
  const std::string section = "output.statistics.quantities";
  std::vector<std::string> fields{"u", "v", "w", "p"};
  if (read.has_temperature()) fields.emplace_back("T");
  for (const ScalarCase& scalar : read.scalars) fields.push_back(scalar.name);
  for (const std::string& name : reader.names_in(section)) {
    const std::string path = joined_path(section, name);
    QuantityCase quantity{name, {}};
    if (!reader.has_good_name(path) || !reader.read(path, quantity.formula, fields)) continue;
    if (const std::string obstacle = obstacle_to_quantity(name, read); !obstacle.empty())
      reader.add_problem(path, "the name " + obstacle);
    read.output.statistics->quantities.push_back(std::move(quantity));
  }
  if (!reader.is_given(section)) return;
  for (const std::string& field : fields)
    reader.refuse("parameters." + field, section + " has another " + field + ": rename this one");
}

/// Where it is known, the interval between samples is a period at most.
void check_phase(ValueReader& reader, const Case& read) {
  const std::string path = "output.statistics.phase.period";
  const Interval& every = read.output.statistics->every;
  const double interval =
      every.time > 0 ? every.time : static_cast<double>(every.steps) * read.time.step;
  const double period = read.output.statistics->phase->period;
  if (!reader.is_right(path) || !std::isfinite(interval)) return;
  if (interval > period * (1 + round_off_of_time))
    reader.add_mistake(path,
                       fmt::format(">= {:g}, the interval between samples", interval),
                       "; output.statistics.every sets that");
}

void check_statistics(ValueReader& reader, Case& read) {
  StatisticsCase& statistics = *read.output.statistics;
  read_quantities(reader, read);
  if (statistics.phase) check_phase(reader, read);
  if (statistics.budgets) refuse_budgets_that_do_not_close(reader, read);
  const std::string path = "output.statistics.average";
  const bool has_axes = reader.is_right(path);
  for (int axis = 0; axis < 3; ++axis) {
    bool& is_averaged = statistics.average[axis];
    if (!has_axes) is_averaged = read.is_periodic(axis);
    if (is_averaged && !read.is_periodic(axis)) {
      reader.add_mistake(
          path, "periodic axes", fmt::format("; {} is not periodic", axis_name(axis)));
    }
  }
  check_spectra(reader, read);
}

/// Puts the variables into the order of the file; by default all but derived ones.
void check_variables(ValueReader& reader, Case& read) {
  const std::string path = "output.fields.variables";
  const FieldOutputCase given = read.output.fields;
  std::vector<std::string>& variables = read.output.fields.variables;
  variables = {std::string(velocity_name)};
  for (int n = 0; n < read.scalar_count(); ++n)
    variables.push_back(read.name_of_scalar(first_scalar + n));
  if (read.scheme == Scheme::projection) variables.emplace_back(pressure_name);
  if (!read.solids.empty()) variables.emplace_back(solid_name);
  if (!reader.is_right(path)) return;
  for (const DerivedField& field : derived_fields) variables.emplace_back(field.name);
  std::erase_if(variables, [&](const std::string& name) { return !given.has(name); });
  if (given.has(temperature_name) && !read.has_temperature() && reader.may_be(Scheme::projection)) {
    reader.add_mistake(
        path, "variables that the flow has", "; it has a temperature only with fluid.prandtl");
  }
  if (given.has(pressure_name) && !reader.may_be(Scheme::projection)) {
    reader.add_mistake(path, "variables of the scheme", "; pressure belongs to scheme projection");
  }
  if (given.has(solid_name) && read.solids.empty())
    reader.add_mistake(path, "variables that the flow has", "; there are no solids");
  if ((given.has(current_name) || given.has(potential_name)) && !read.magnetic)
    reader.add_mistake(path, "variables that the flow has", "; there is no magnetic field");
}

void read_output(ValueReader& reader, const std::string& file_name, Case& read) {
  OutputCase& output = read.output;
  output.directory = "runs/" + file_name;
  reader.read_section("output", read);
  const bool has_times = std::isfinite(output.next_exact_time(0));
  if (has_times && read.time.end) read.time.steps = unlimited_steps;
  check_variables(reader, read);
  if (reader.may_be(Scheme::projection) && !output.fields.has(velocity_name) &&
      output.fields.location == FieldOutputCase::Location::faces) {
    reader.add_mistake(
        "output.fields.location", "centers", "; output.fields.variables leaves out the velocity");
  }
  if (output.slices) check_slices(reader, read);
  if (output.planes) check_planes(reader, read);
  if (output.probes) check_probes(reader, read);
  if (output.statistics) check_statistics(reader, read);
  check_particle_output(reader, read);
}

}  // namespace

Case read_case(ValueReader& reader, const std::string& default_name) {
  Case read;
  read.name = read_name(reader, default_name);
  reader.read_section("", read);
  read_grid(reader, read);
  reader.read_section("fluid", read);
  if (reader.may_be(Scheme::splitting)) reader.require("fluid.prandtl");
  read_scalars(reader, read);
  if (read.buoyancy) check_buoyancy(reader, read);
  read_boundaries(reader, read);
  read_solids(reader, read);
  read_initial(reader, read);
  check_mean_gradients(reader, read);
  read_forcing(reader, read);
  if (reader.may_be(Scheme::projection)) read_accuracy(reader, read);
  read_time(reader, read);
  check_motion(reader, read);
  if (read.magnetic) check_magnetic(reader, read);
  if (std::isfinite(read.time.step) && read.forcing.linear * read.time.step >= 1) {
    reader.add_mistake(
        "forcing.linear", "below 1/time.step", "; the force is that of the mean of a step");
  }
  read_particles(reader, read);
  read_output(reader, default_name, read);
  reader.read_section("run", read);
  return read;
}

}  // namespace dns
