#include <fmt/format.h>

#include <string>

#include "solver/config/section_readers.hpp"

namespace dns {
namespace {

void read_sponge(ValueReader& reader, Case& read, const std::string& name) {
  SpongeCase& sponge = read.forcing.sponges.emplace_back();
  sponge.name = name;
  const std::string path = "forcing.sponges." + name;
  if (!check_name(reader, path, "sponge", name)) return;
  reader.read_section(path, read, read.forcing.sponges.size() - 1);
  if (sponge.rate.is_constant() && sponge.rate(0, 0, 0, 0) < 0)
    reader.add_mistake(path + ".rate", ">= 0", "");
  reader.refuse_without_temperature(path + ".temperature");
  if (!reader.is_given(path + ".velocity") && !reader.is_given(path + ".temperature"))
    reader.add_problem(path, "has no target: give a velocity, a temperature or both");
}

void check_uniform(ValueReader& reader, const Case& read) {
  const std::string path = "forcing.value";
  if (!reader.may_be(Scheme::projection)) {
    reader.add_mistake("forcing.type", "formula", "; scheme splitting has no other");
    return;
  }
  if (!reader.is_given(path)) reader.add_missing(path);
  if (read.forcing.kind != ForcingCase::Kind::bulk_velocity || reader.is_wrong(path)) return;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (read.forcing.value.at(axis) == 0 || read.is_periodic(static_cast<int>(axis))) continue;
    reader.add_item_mistake(path,
                            axis,
                            "0",
                            fmt::format("; a bulk velocity is held along periodic axes only, and "
                                        "{} is not periodic",
                                        axis_names[axis]));
  }
}

}  // namespace

void read_forcing(ValueReader& reader, Case& read) {
  if (!reader.is_given("forcing")) return;
  reader.read_section("forcing", read);
  if (read.forcing.is_uniform()) check_uniform(reader, read);
  if (read.forcing.kind == ForcingCase::Kind::formula && reader.is_given("forcing.value"))
    reader.add_problem("forcing.value", "not used by type formula; leave it out");
  reader.refuse_without_temperature("forcing.heat");
  for (const std::string& name : reader.names_in("forcing.sponges"))
    read_sponge(reader, read, name);
}

}  // namespace dns
