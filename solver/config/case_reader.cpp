#include "solver/config/case_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/config/section_readers.hpp"
#include "solver/config/value_parsers.hpp"

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
  std::string name = reader.text("case").value_or("");
  if (!name.empty() && !is_case_name(name)) reader.add_mistake("case", rule, "");
  return name;
}

void read_fluid(ValueReader& reader, Case& read) {
  reader.read_section("fluid", read);
  if (reader.may_be(Scheme::splitting)) {
    if (!reader.is_given("fluid.prandtl")) reader.add_missing("fluid.prandtl");
    reader.read_key("fluid.heat_capacity_ratio", read);
  }
  if (!reader.is_given("buoyancy") || !reader.may_be(Scheme::projection)) return;
  read.buoyancy.emplace();
  reader.read_section("buoyancy", read);
  if (!reader.is_given("fluid.prandtl"))
    reader.add_problem("buoyancy", "needs a temperature: give fluid.prandtl too");
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

void read_statistics(ValueReader& reader, Case& read) {
  StatisticsCase& statistics = read.output.statistics.emplace();
  reader.read_section("output.statistics", read);
  if (statistics.budgets) refuse_budgets_that_do_not_close(reader, read);
  const std::string path = "output.statistics.average";
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
}

void read_fields(ValueReader& reader, Case& read) {
  reader.read_section("output.fields", read);
  FieldOutputCase& fields = read.output.fields;
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

void read_output(ValueReader& reader, Case& read) {
  OutputCase& output = read.output;
  output.directory = "runs/" + read.name;
  reader.read_section("output", read);
  read_fields(reader, read);
  reader.read_key("output.fields.location", read);
  if (reader.may_be(Scheme::projection) && !output.fields.velocity &&
      output.fields.location == FieldOutputCase::Location::faces)
    reader.add_mistake(
        "output.fields.location", "centers", "; output.fields.variables leaves out the velocity");
  if (reader.is_given("output.slices")) read_slices(reader, read);
  if (reader.is_given("output.planes")) read_planes(reader, read);
  if (reader.is_given("output.probes")) read_probes(reader, read);
  reader.read_section("output.timeseries", read);
  reader.read_section("output.checkpoint", read);
  if (reader.is_given("output.statistics") && reader.may_be(Scheme::projection))
    read_statistics(reader, read);
}

}  // namespace

Case read_case(ValueReader& reader, const std::string& default_name, const std::string& folder) {
  Case read;
  read.name = read_name(reader, default_name);
  reader.read_section("", read);
  read_grid(reader, read, folder);
  read_fluid(reader, read);
  read_boundaries(reader, read, folder);
  read_solids(reader, read, folder);
  read_initial(reader, read);
  read_forcing(reader, read);
  if (reader.may_be(Scheme::projection)) read_accuracy(reader, read);
  read_time(reader, read);
  if (read.time.scheme == TimeScheme::runge_kutta) check_runge_kutta(reader, read);
  if (std::isfinite(read.time.step) && read.forcing.linear * read.time.step >= 1) {
    reader.add_mistake(
        "forcing.linear", "below 1/time.step", "; the force is that of the mean of a step");
  }
  read_output(reader, read);
  reader.read_section("run", read);
  return read;
}

}  // namespace dns
