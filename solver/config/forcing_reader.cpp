#include <fmt/format.h>

#include <string>

#include "solver/config/section_readers.hpp"

namespace dns {
namespace {

void check_sponge(ValueReader& reader, const SpongeCase& sponge, const std::string& path) {
  if (sponge.rate.is_constant() && sponge.rate(0, 0, 0, 0) < 0)
    reader.add_mistake(path + ".rate", ">= 0");
  reader.refuse_without_temperature(path + ".temperature");
  if (!reader.is_given(path + ".velocity") && !reader.is_given(path + ".temperature"))
    reader.add_problem(path, "has no target: give a velocity, a temperature or both");
}

void check_bulk_velocity(ValueReader& reader, const Case& read) {
  const std::string path = "forcing.value";
  if (reader.is_wrong(path)) return;
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
  using Kind = ForcingCase::Kind;
  if (!reader.is_given("forcing")) return;
  reader.read_section("forcing", read);
  const ForcingCase& forcing = read.forcing;
  const bool is_of_scheme = !forcing.is_uniform() || reader.may_be(Scheme::projection);
  if (!is_of_scheme)
    reader.add_mistake("forcing.type", "formula", "; scheme splitting has no other");
  if (forcing.kind != Kind::none)
    reader.check_keys_of_kind("forcing", "type", name_in(ForcingCase::kind_names, forcing.kind));
  if (forcing.kind == Kind::bulk_velocity && is_of_scheme) check_bulk_velocity(reader, read);
  reader.refuse_without_temperature("forcing.heat");
  for (const SpongeCase& sponge : forcing.sponges) {
    const std::string path = "forcing.sponges." + sponge.name;
    if (!reader.is_wrong(path)) check_sponge(reader, sponge, path);
  }
}

}  // namespace dns
