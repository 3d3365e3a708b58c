/// References of scalars: what they are by default, and the case of differences.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "solver/config/case_difference.hpp"
#include "solver/config/load_case.hpp"
#include "solver/config/references.hpp"

namespace dns::test_references {
namespace {

/// A channel between walls of two temperatures that starts with a formula.
Case channel(const std::string& low,
             const std::string& high,
             const std::string& start,
             const std::string& more = "") {
  return parse_case(fmt::format(R"yaml(scheme: projection
grid: {{points: [8, 8, 8], length: [1, 1, 1]}}
fluid: {{reynolds: 40, prandtl: 0.5}}
boundaries:
  x: periodic
  y_min: {{type: wall, temperature: {}}}
  y_max: {{type: wall, temperature: {}}}
  z: periodic
initial: {{temperature: "{}"}}
time: {{step: 0.1, steps: 1}}
{})yaml",
                                low,
                                high,
                                start,
                                more),
                    "case.yaml",
                    {});
}

double reference_of(const Case& resolved) {
  return references_of(resolved).at(0);
}

TEST(references, are_the_middle_of_given_values_that_are_far_from_0) {
  EXPECT_EQ(reference_of(channel("310", "290", "300")), 300);
  EXPECT_EQ(reference_of(channel("-310", "-290", "-300")), -300);
  EXPECT_EQ(reference_of(channel("{gradient: 0}", "300", "300")), 300);
  EXPECT_EQ(reference_of(channel("{gradient: 5}", "{transfer: 2, outside: 310}", "290")), 300);
  EXPECT_NEAR(reference_of(channel("{gradient: 0}", "{gradient: 0}", "300+sin(2*pi*x)")), 300, 0.1);
  EXPECT_NEAR(reference_of(channel("'300+y'", "'300+t'", "300+y")), 300.5, 0.1);
}

TEST(references, are_0_where_given_values_are_not_far_from_it) {
  EXPECT_EQ(reference_of(channel("1", "0", "0.5")), 0);
  EXPECT_EQ(reference_of(channel("1", "1", "1")), 0);
  EXPECT_EQ(reference_of(channel("8", "8", "8")), 0);
  EXPECT_EQ(reference_of(channel("320", "280", "300")), 0);
  EXPECT_EQ(reference_of(channel("320", "{transfer: 0, outside: 5}", "320")), 320);
}

TEST(references, are_those_that_a_case_gives) {
  const std::string scalars =
      "scalars: {salt: {prandtl: 1, initial: 35, reference: 34.5}, "
      "dye: {prandtl: 1, initial: -20}}\n";
  Case resolved = parse_case(R"yaml(scheme: projection
grid: {points: [8, 8, 8], length: [1, 1, 1]}
fluid: {reynolds: 40, prandtl: 0.5}
boundaries: {x: periodic, y: periodic, z: periodic}
initial: {temperature: 300}
temperature: {reference: 0}
time: {step: 0.1, steps: 1}
)yaml" + scalars,
                             "case.yaml",
                             {});
  EXPECT_EQ(references_of(resolved), (std::vector<double>{0, 34.5, -20}));
  EXPECT_TRUE(has_references(resolved));
  EXPECT_FALSE(has_references(about_references(resolved, references_of(resolved))));
  const Case read = parse_case(to_yaml(resolved), "case.yaml", {});
  EXPECT_EQ(references_of(read), references_of(resolved));
  resolved.temperature.reference = 5;
  resolved.scalars[0].reference = 5;
  EXPECT_EQ(differences(read, resolved).size(), 2U);
  EXPECT_TRUE(differences_of_flow(read, resolved).empty());
}

TEST(references, are_a_key_of_both_schemes) {
  const Case resolved = parse_case(R"yaml(scheme: splitting
grid: {points: [8, 8, 8], length: [1, 1, 1]}
fluid: {reynolds: 40, prandtl: 0.5}
boundaries: {x: periodic, y: periodic, z: periodic}
temperature: {reference: 7}
time: {step: 0.1, steps: 1}
)yaml",
                                   "case.yaml",
                                   {});
  EXPECT_EQ(reference_of(resolved), 7);
}

TEST(references, are_subtracted_from_given_values_and_no_gradients) {
  const Case resolved = channel("310",
                                "{gradient: 5}",
                                "300+y",
                                R"yaml(buoyancy: {richardson: 1, reference_temperature: 301}
forcing: {type: formula, sponges: {end: {rate: 1, temperature: "300+x"}}}
solids: {ball: {shape: sphere, center: [0.5, 0.5, 0.5], radius: 0.3, temperature: 302}}
)yaml");
  const Case about = about_references(resolved, {300});
  EXPECT_EQ(about.faces[2].scalar(first_scalar).given(0, 0, 0, 0), 10);
  EXPECT_EQ(about.faces[3].scalar(first_scalar).given(0, 0, 0, 0), 5);
  EXPECT_EQ((*about.forcing.sponges[0].temperature)(0.25, 0, 0, 0), 0.25);
  EXPECT_EQ(about.solids[0].scalar(first_scalar).value, 2);
  EXPECT_EQ(about.buoyancy->reference_temperature, 1);
  EXPECT_EQ(about.initial.temperature.text(), resolved.initial.temperature.text());
}

}  // namespace
}  // namespace dns::test_references
