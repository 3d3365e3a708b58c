#include "solver/config/case_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/config/section_readers.hpp"
#include "solver/config/value_parsers.hpp"

namespace dns {
namespace {

Precision precision_named(const std::string& name) {
  return name == "float" ? Precision::single_precision : Precision::double_precision;
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

FluidCase read_fluid(ValueReader& reader) {
  FluidCase fluid;
  fluid.reynolds = reader.number("fluid.reynolds").value_or(0);
  fluid.prandtl = reader.number("fluid.prandtl").value_or(0);
  if (!reader.may_be(Scheme::splitting)) return fluid;
  if (!reader.is_given("fluid.prandtl")) reader.add_missing("fluid.prandtl");
  fluid.heat_capacity_ratio = reader.number("fluid.heat_capacity_ratio").value_or(0);
  return fluid;
}

std::optional<BuoyancyCase> read_buoyancy(ValueReader& reader) {
  if (!reader.is_given("buoyancy") || !reader.may_be(Scheme::projection)) return std::nullopt;
  BuoyancyCase buoyancy;
  buoyancy.rayleigh = reader.number("buoyancy.rayleigh").value_or(0);
  buoyancy.axis =
      value_named<int>(reader.choice("buoyancy.direction").value_or("y"), axis_names).value();
  buoyancy.reference_temperature = reader.number("buoyancy.reference_temperature").value_or(0);
  if (!reader.is_given("fluid.prandtl")) {
    reader.add_problem("buoyancy", "needs a temperature: give fluid.prandtl too");
  }
  return buoyancy;
}

/// Axes of spectra: transforms need uniform lines, and averages are over them.
void read_spectra(ValueReader& reader, const Case& read, StatisticsCase& statistics) {
  const std::string path = "output.statistics.spectra";
  const auto axes = reader.choices(path);
  if (!axes) return;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::string& name = axis_names[axis];
    statistics.spectra.at(axis) = std::ranges::find(*axes, name) != axes->end();
    if (!statistics.spectra.at(axis)) continue;
    if (!read.is_periodic(static_cast<int>(axis))) {
      reader.add_mistake(path, "periodic axes", fmt::format("; {} is not periodic", name));
    } else if (!statistics.average.at(axis)) {
      reader.add_mistake(path,
                         "axes of output.statistics.average",
                         fmt::format("; {} is not averaged over", name));
    } else if (read.grid.stretching.at(axis).kind != StretchingCase::Kind::uniform) {
      reader.add_mistake(path, "uniform axes", fmt::format("; {} is stretched", name));
    }
  }
  if (!axes->empty() && !read.solids.empty())
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
  if (forcing.linear != 0 || !forcing.sponges.empty() ||
      std::ranges::any_of(forcing.acceleration, is_there)) {
    reader.add_problem(path,
                       "forces by formula, linear forces and sponges have no term in budgets");
  }
}

StatisticsCase read_statistics(ValueReader& reader, const Case& read) {
  StatisticsCase statistics;
  const std::string path = "output.statistics.average";
  statistics.start = reader.number("output.statistics.start").value_or(0);
  statistics.every = reader.whole("output.statistics.every").value_or(1);
  statistics.window = reader.number("output.statistics.window");
  statistics.budgets = reader.flag("output.statistics.budgets").value_or(false);
  if (statistics.budgets) refuse_budgets_that_do_not_close(reader, read);
  const auto axes = reader.choices(path);
  for (int axis = 0; axis < 3; ++axis) {
    const std::string& name = axis_name(axis);
    bool& is_averaged = statistics.average.at(static_cast<std::size_t>(axis));
    is_averaged = axes ? std::ranges::find(*axes, name) != axes->end() : read.is_periodic(axis);
    if (axes && is_averaged && !read.is_periodic(axis)) {
      reader.add_mistake(path, "periodic axes", fmt::format("; {} is not periodic", name));
    }
  }
  read_spectra(reader, read, statistics);
  return statistics;
}

void read_variables(ValueReader& reader, FieldOutputCase& fields, const Case& read) {
  const std::string path = "output.fields.variables";
  const bool is_projection = read.scheme == Scheme::projection;
  fields.temperature = read.has_temperature();
  fields.pressure = is_projection;
  fields.solid = !read.solids.empty();
  const auto variables = reader.choices(path);
  if (!variables) return;
  const auto holds = [&variables](const char* name) {
    return std::find(variables->begin(), variables->end(), name) != variables->end();
  };
  if (holds("temperature") && !fields.temperature && reader.may_be(Scheme::projection)) {
    reader.add_mistake(
        path, "variables that the flow has", "; it has a temperature only with fluid.prandtl");
  }
  if (holds("pressure") && !reader.may_be(Scheme::projection)) {
    reader.add_mistake(path, "variables of the scheme", "; pressure belongs to scheme projection");
  }
  if (holds("solid") && read.solids.empty())
    reader.add_mistake(path, "variables that the flow has", "; there are no solids");
  fields.solid = holds("solid");
  fields.velocity = holds("velocity");
  fields.temperature = holds("temperature");
  fields.pressure = holds("pressure");
  fields.vorticity = holds("vorticity");
  fields.q_criterion = holds("q_criterion");
}

void read_location(ValueReader& reader, FieldOutputCase& fields) {
  const std::string path = "output.fields.location";
  const auto location = reader.choice(path);
  if (!location || !reader.may_be(Scheme::projection)) return;
  fields.location =
      value_named<FieldOutputCase::Location>(*location, FieldOutputCase::location_names).value();
  if (fields.location == FieldOutputCase::Location::faces && !fields.velocity)
    reader.add_mistake(path, "centers", "; output.fields.variables leaves out the velocity");
}

OutputCase read_output(ValueReader& reader, const Case& read) {
  OutputCase output;
  output.directory = reader.text("output.directory").value_or("runs/" + read.name);
  output.fields.every = reader.whole("output.fields.every").value_or(0);
  output.fields.precision =
      precision_named(reader.choice("output.fields.precision").value_or("float"));
  read_variables(reader, output.fields, read);
  read_location(reader, output.fields);
  output.fields.compression =
      static_cast<int>(reader.whole("output.fields.compression").value_or(0));
  if (reader.is_given("output.slices")) output.slices = read_slices(reader, read);
  if (reader.is_given("output.planes")) output.planes = read_planes(reader, read);
  if (reader.is_given("output.probes")) {
    ProbesCase probes = read_probes(reader, read);
    if (!probes.probes.empty()) output.probes = std::move(probes);
  }
  output.timeseries_every = reader.whole("output.timeseries.every").value_or(0);
  output.checkpoint_every = reader.whole("output.checkpoint.every").value_or(0);
  output.checkpoint_keep = static_cast<int>(reader.whole("output.checkpoint.keep").value_or(1));
  output.checkpoint_final = reader.flag("output.checkpoint.final").value_or(true);
  if (reader.is_given("output.statistics") && reader.may_be(Scheme::projection))
    output.statistics = read_statistics(reader, read);
  return output;
}

RunCase read_run(ValueReader& reader) {
  RunCase run;
  run.wall_time_limit = reader.duration("run.wall_time_limit");
  run.threads = static_cast<int>(reader.whole("run.threads").value_or(0));
  return run;
}

}  // namespace

Case read_case(ValueReader& reader, const std::string& default_name, const std::string& folder) {
  Case read;
  read.name = read_name(reader, default_name);
  static_cast<void>(reader.choice("scheme"));  // for its problems
  read.scheme = reader.scheme().value_or(Scheme::splitting);
  read.device =
      value_named<DeviceChoice>(reader.choice("device").value_or("auto"), device_names).value();
  read.precision = precision_named(reader.choice("precision").value_or("double"));
  read.grid = read_grid(reader, folder);
  read.fluid = read_fluid(reader);
  read.buoyancy = read_buoyancy(reader);
  read.faces = read_boundaries(reader, folder);
  read.solids = read_solids(reader, folder);
  read.initial = read_initial(reader, read);
  reader.refuse_without_temperature("initial.temperature");
  read.forcing = read_forcing(reader, read);
  read.time = read_time(reader);
  if (std::isfinite(read.time.step) && read.forcing.linear * read.time.step >= 1) {
    reader.add_mistake(
        "forcing.linear", "below 1/time.step", "; the force is that of the mean of a step");
  }
  read.output = read_output(reader, read);
  read.run = read_run(reader);
  return read;
}

}  // namespace dns
