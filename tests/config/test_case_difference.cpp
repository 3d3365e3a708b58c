/// Which cases describe different flows.
#include <algorithm>
#include <sstream>

#include "solver/config/case_difference.hpp"
#include "solver/config/load_case.hpp"
#include "tests/config/broken_case.hpp"

namespace dns::test_case_difference {
namespace {

using Keys = std::vector<std::string>;

/// The keys that make the valid case another flow with these settings.
Keys differences_with(const std::vector<std::string>& settings) {
  std::vector<Override> overrides;
  for (const std::string& setting : settings) overrides.push_back(parse_override(setting, "--set"));
  return differences_of_flow(parse_case(valid_case, "case.yaml", {}),
                             parse_case(valid_case, "case.yaml", overrides));
}

TEST(difference_of_cases, is_empty_where_only_the_way_of_computing_and_writing_differs) {
  EXPECT_EQ(differences_with({"device=cpu",
                              "precision=float",
                              "time.step=0.001",
                              "time.steps=7",
                              "time.global_iterations=3",
                              "initial.noise.amplitude=0.1",
                              "output.fields.every=3",
                              "output.directory=elsewhere",
                              "run.threads=2",
                              "case=other"}),
            Keys{});
}

TEST(difference_of_cases, names_the_keys_of_the_flow_in_the_order_of_the_file) {
  EXPECT_EQ(
      differences_with({"boundaries.y_max.temperature=5",
                        "fluid.reynolds=90",
                        "fluid.prandtl=0.9",
                        "grid.points=[8, 9, 11]"}),
      (Keys{"grid.points", "fluid.reynolds", "fluid.prandtl", "boundaries.y_max.temperature"}));
  EXPECT_EQ(differences_with({"boundaries.x=periodic"}),
            (Keys{"boundaries.x_min", "boundaries.x_max", "boundaries.x"}));
}

TEST(difference_of_cases, gives_both_values_of_every_key_in_the_order_of_the_file) {
  const auto with = [](const std::vector<std::string>& settings) {
    std::vector<Override> overrides;
    for (const std::string& setting : settings)
      overrides.push_back(parse_override(setting, "--set"));
    return parse_case(valid_case, "case.yaml", overrides);
  };
  std::string found;
  for (const auto& [key, before, now] :
       differences(with({"fluid.reynolds=180", "initial.temperature=x"}),
                   with({"fluid.reynolds=250",
                         "initial.temperature=2 * x",
                         "output.fields.every=0.5 L/U",
                         "run.wall_time_limit=60",
                         "device=cuda"})))
    found += key + " " + before + " -> " + now + "\n";
  EXPECT_EQ(found,
            "device auto -> cuda\n"
            "fluid.reynolds 180 -> 250\n"
            "initial.temperature \"x\" -> \"2 * x\"\n"
            "output.fields.every 0 -> \"0.5 L/U\"\n"
            "run.wall_time_limit none -> 60\n");
  const std::vector<std::string> numbers{"fluid.reynolds=180", "initial.temperature=2*x + 1"};
  for (const char* const reynolds : {"1.8e2", "18*10", "180.0"})
    EXPECT_TRUE(differences(with(numbers),
                            with({std::string("fluid.reynolds=") + reynolds,
                                  "initial.temperature=(2) * x+1.0",
                                  "fluid.heat_capacity_ratio=1.4"}))
                    .empty())
        << reynolds;
}

TEST(difference_of_cases, knows_what_averages_depend_on) {
  for (const char* const key : {"output.statistics",
                                "output.statistics.start",
                                "output.statistics.window",
                                "output.statistics.budgets"})
    EXPECT_TRUE(is_of_averages(key)) << key;
  for (const char* const key : {"output.statistics.every", "output.fields.every", "time.step"})
    EXPECT_FALSE(is_of_averages(key)) << key;
}

TEST(difference_of_cases, knows_the_keys_of_the_flow) {
  const Keys sections{"scheme",
                      "grid",
                      "accuracy",
                      "fluid",
                      "temperature",
                      "scalars",
                      "buoyancy",
                      "rotation",
                      "magnetic",
                      "boundaries",
                      "solids",
                      "forcing"};
  std::istringstream names(key_names(""));
  for (std::string key; std::getline(names, key);) {
    const bool is_in_one = std::ranges::count(sections, key.substr(0, key.find('.'))) > 0;
    const bool is_reference = key.starts_with("solids.NAME.reference") ||
                              key == "scalars.NAME.reference" || key == "temperature.reference";
    EXPECT_EQ(is_of_flow(key), is_in_one && !is_reference) << key;
  }
}

TEST(difference_of_cases, sees_every_key_of_a_body) {
  const auto with = [](const std::string& rod, const std::string& more = "") {
    return parse_case(
        valid_case + "solids: {rod: {temperature: 1, " + rod + "}" + more + "}\n", "case.yaml", {});
  };
  const std::string sphere = "shape: sphere, center: [0, 0, 0], radius: 0.1";
  const Case base = with(sphere);
  EXPECT_EQ(differences_of_flow(base, with(sphere)), Keys{});
  EXPECT_EQ(differences_of_flow(base, with("shape: sphere, center: [0, 0, 0.1], radius: 0.2")),
            (Keys{"solids.rod.center", "solids.rod.radius"}));
  EXPECT_EQ(differences_of_flow(base, with(sphere + ", rotation: [0, 0, 1e-9]")),
            Keys{"solids.rod.rotation"});
  EXPECT_EQ(differences_of_flow(base, with(sphere + ", reference: {area: 2}")), Keys{});
  EXPECT_EQ(differences_of_flow(with(sphere + ", reference: {area: 2}"),
                                with(sphere + ", reference: {area: 3, length: 1}")),
            Keys{});
  EXPECT_EQ(differences_of_flow(base, with(sphere, ", more: {temperature: 1, " + sphere + "}")),
            Keys{"solids.more"});
  EXPECT_EQ(differences_of_flow(with(sphere, ", reference: {temperature: 1, " + sphere + "}"),
                                with(sphere, ", reference: {temperature: 2, " + sphere + "}")),
            Keys{"solids.reference.temperature"});
  EXPECT_EQ(differences_of_flow(parse_case(valid_case, "case.yaml", {}), base), Keys{"solids"});
}

TEST(difference_of_cases, sees_what_a_body_does_with_heat) {
  const auto with = [](const std::string& temperature, const std::string& more = "") {
    return parse_case(R"(scheme: projection
grid: {points: [4, 4, 4]}
fluid: {reynolds: 1, prandtl: 1}
boundaries: {x: periodic, y: periodic, z: periodic}
time: {step: 1e-3, steps: 1}
solids: {rod: {shape: sphere, center: [0, 0, 0], radius: 0.1, temperature: )" +
                          temperature + more + "}}\n",
                      "case.yaml",
                      {});
  };
  const Case base = with("{conducting: {conductivity: 2}}");
  EXPECT_EQ(differences_of_flow(base, with("{conducting: {conductivity: 2}}")), Keys{});
  EXPECT_EQ(differences_of_flow(base, with("{conducting: {conductivity: 3}}")),
            Keys{"solids.rod.temperature.conducting.conductivity"});
  EXPECT_EQ(differences_of_flow(base, with("1")), Keys{"solids.rod.temperature"});
  EXPECT_EQ(differences_of_flow(with("{heat_flux: 1}"), with("{heat_flux: 2}")),
            Keys{"solids.rod.temperature.heat_flux"});
  EXPECT_EQ(differences_of_flow(with("1"),
                                with("1", ", reference: {temperature_difference: 1, surface: 3}")),
            Keys{});
}

TEST(difference_of_cases, sees_another_surface_in_the_same_file) {
  Case base = parse_case(valid_case, "case.yaml", {});
  SolidCase& rod = base.solids.emplace_back();
  rod.name = "rod";
  rod.shape = SolidCase::Shape::stl;
  rod.file.path = "/a.stl";
  rod.scalars.resize(1);
  Case other = base;
  rod.file.content = "11111111-684";
  other.solids[0].file.content = "22222222-684";
  EXPECT_EQ(differences_of_flow(base, other), Keys{"solids.rod.content"});
}

TEST(difference_of_cases, sees_the_last_of_many_coordinates) {
  const auto stretched = [](double last_but_one) {
    Case read = parse_case(valid_case, "case.yaml", {});
    read.scheme = Scheme::projection;
    read.grid.points = {4, 4, 100};
    StretchingCase& stretching = read.grid.stretching[2];
    stretching.kind = StretchingCase::Kind::coordinates;
    for (int face = 0; face <= 100; ++face) stretching.coordinates.push_back(face / 100.0);
    stretching.coordinates[99] = last_but_one;
    return read;
  };
  EXPECT_EQ(differences_of_flow(stretched(0.99), stretched(0.99)), Keys{});
  EXPECT_EQ(differences_of_flow(stretched(0.99), stretched(0.991)),
            Keys{"grid.stretching.z.coordinates"});
}

}  // namespace
}  // namespace dns::test_case_difference
