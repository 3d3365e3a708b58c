#include <fmt/format.h>

#include <string>

#include "solver/config/section_readers.hpp"
#include "solver/config/value_parsers.hpp"

namespace dns {
namespace {

SpongeCase read_sponge(ValueReader& reader, const std::string& name) {
  SpongeCase sponge;
  sponge.name = name;
  const std::string path = "forcing.sponges." + name;
  if (!is_name(name, "_-", 50)) {
    reader.add_problem(path,
                       "the name of a sponge is made of letters, digits, '_' and '-', 50 at most");
    return sponge;
  }
  sponge.rate = reader.formula(path + ".rate").value_or(Expression{});
  if (sponge.rate.is_constant() && sponge.rate(0, 0, 0, 0) < 0)
    reader.add_mistake(path + ".rate", ">= 0", "");
  sponge.velocity = reader.formulas(path + ".velocity");
  sponge.temperature = reader.formula(path + ".temperature");
  reader.refuse_without_temperature(path + ".temperature");
  if (!reader.is_given(path + ".velocity") && !reader.is_given(path + ".temperature"))
    reader.add_problem(path, "has no target: give a velocity, a temperature or both");
  return sponge;
}

void read_uniform(ValueReader& reader, const Case& read, ForcingCase& forcing) {
  const std::string path = "forcing.value";
  if (!reader.may_be(Scheme::projection)) {
    reader.add_mistake("forcing.type", "formula", "; scheme splitting has no other");
    return;
  }
  const auto value = reader.numbers(path);
  if (!reader.is_given(path)) reader.add_missing(path);
  forcing.value = value.value_or(forcing.value);
  if (forcing.kind != ForcingCase::Kind::bulk_velocity) return;
  for (std::size_t axis = 0; axis < 3 && value; ++axis) {
    if (value->at(axis) == 0 || read.is_periodic(static_cast<int>(axis))) continue;
    reader.add_item_mistake(path,
                            axis,
                            "0",
                            fmt::format("; a bulk velocity is held along periodic axes only, and "
                                        "{} is not periodic",
                                        axis_names[axis]));
  }
}

}  // namespace

ForcingCase read_forcing(ValueReader& reader, const Case& read) {
  ForcingCase forcing;
  if (!reader.is_given("forcing")) return forcing;
  const std::optional<std::string> type = reader.choice("forcing.type");
  if (type) forcing.kind = value_named<ForcingCase::Kind>(*type, ForcingCase::kind_names).value();
  if (forcing.is_uniform()) read_uniform(reader, read, forcing);
  if (forcing.kind == ForcingCase::Kind::formula && reader.is_given("forcing.value")) {
    reader.add_problem("forcing.value", "not used by type formula; leave it out");
  }
  forcing.acceleration = reader.formulas("forcing.acceleration").value_or(forcing.acceleration);
  forcing.heat = reader.formula("forcing.heat").value_or(forcing.heat);
  reader.refuse_without_temperature("forcing.heat");
  forcing.linear = reader.number("forcing.linear").value_or(0);
  for (const std::string& name : reader.words_in("forcing.sponges"))
    forcing.sponges.push_back(read_sponge(reader, name));
  return forcing;
}

}  // namespace dns
