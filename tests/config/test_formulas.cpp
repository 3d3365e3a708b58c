/// Formulas of numbers and names for numbers.
#include <cmath>

#include "solver/config/case_difference.hpp"
#include "tests/config/broken_case.hpp"

namespace dns::test_formulas {
namespace {

const std::string convection = R"yaml(case: base
parameters: {Ra: 1e6, Pr: 0.71, Re: "sqrt(Ra/Pr)", n: 4}
scheme: projection
grid: {points: [8, 2*n + 1, n], length: [2*pi, 1, "1/n"]}
fluid: {reynolds: Re, prandtl: "Pr"}
buoyancy: {rayleigh: "Ra"}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: "Pr*x + 1e2*t"}
  y_max: {type: wall, velocity: ["n", 0, 0], temperature: 0}
  z: periodic
time: {step: 1/(100*n), steps: "2^n"}
output: {fields: {every: "1/n L/U"}, checkpoint: {every: n}}
)yaml";

TEST(formula_of_a_number, is_evaluated_with_parameters_and_constants) {
  const Case resolved = parse_case(convection, "case.yaml", {});
  EXPECT_EQ(resolved.fluid.reynolds, std::sqrt(1e6 / 0.71));
  EXPECT_EQ(resolved.fluid.prandtl, 0.71);
  EXPECT_EQ(resolved.buoyancy->rayleigh, 1e6);
  EXPECT_EQ(resolved.grid.points.ny, 9);
  EXPECT_EQ(resolved.grid.points.nz, 4);
  EXPECT_EQ(resolved.grid.length[0], 2 * M_PI);
  EXPECT_EQ(resolved.grid.length[2], 0.25);
  EXPECT_EQ(resolved.time.step, 0.0025);
  EXPECT_EQ(resolved.time.steps, 16);
  EXPECT_EQ(resolved.output.fields.every, Interval::of_time(0.25));
  EXPECT_EQ(resolved.output.checkpoint_every, Interval(4));
  EXPECT_EQ(resolved.faces[2].scalar(first_scalar).given(2, 0, 0, 0.5), 0.71 * 2 + 50);
  EXPECT_EQ(resolved.faces[3].velocity[0](0, 0, 0, 0), 4);
  EXPECT_NEAR(resolved.buoyancy_factor(), 1, 1e-15);
}

TEST(formula_of_a_number, stands_beside_the_number_in_the_complete_case) {
  const Case resolved = parse_case(convection, "case.yaml", {});
  const std::string yaml = to_yaml(resolved);
  EXPECT_NE(yaml.find("\n# parameters.Re = sqrt(Ra/Pr)\nparameters:\n  Ra: 1000000\n  Pr: 0.71\n"),
            std::string::npos)
      << yaml;
  EXPECT_NE(yaml.find("\n# fluid.reynolds = Re\n# fluid.prandtl = Pr\nfluid:\n  reynolds: 1186.7"),
            std::string::npos)
      << yaml;
  EXPECT_NE(yaml.find("\n# grid.points[1] = 2*n + 1\n"), std::string::npos) << yaml;
  EXPECT_NE(yaml.find("\n# boundaries.y_min.temperature = Pr*x + 1e2*t\n"), std::string::npos)
      << yaml;
  const Case again = parse_case(yaml, "again.yaml", {});
  EXPECT_EQ(again.fluid.reynolds, resolved.fluid.reynolds);
  EXPECT_EQ(to_yaml(again), yaml);
  EXPECT_TRUE(differences_of_flow(resolved, again).empty());
}

TEST(formula_of_a_number, is_dropped_where_the_number_was_changed) {
  const std::string yaml = to_yaml(parse_case(convection, "case.yaml", {}));
  const Case changed = parse_case(yaml, "again.yaml", {{"fluid.reynolds", "500", "--set"}});
  EXPECT_EQ(changed.fluid.reynolds, 500);
  EXPECT_EQ(to_yaml(changed).find("# fluid.reynolds"), std::string::npos);
  EXPECT_NE(to_yaml(changed).find("# fluid.prandtl = Pr"), std::string::npos);
}

TEST(parameters, can_be_overridden) {
  const Case resolved = parse_case(convection, "case.yaml", {{"parameters.Ra", "1e4", "--set"}});
  EXPECT_EQ(resolved.fluid.reynolds, std::sqrt(1e4 / 0.71));
  EXPECT_EQ(resolved.buoyancy->rayleigh, 1e4);
  EXPECT_EQ(messages_of(valid_case, {{"parameters.Ra", "1e4", "--set"}}),
            "--set parameters.Ra=1e4: parameters.Ra: no formula of this case names it");
  const std::string complete = to_yaml(parse_case(convection, "case.yaml", {}));
  EXPECT_EQ(messages_of(complete, {{"parameters.Ra", "1e4", "--set"}}),
            "--set parameters.Ra=1e4: parameters.Ra: no formula of this case names it");
}

TEST(formula_of_a_number, may_be_a_constant_or_a_comparison_alone) {
  for (const auto& [text, value] : std::vector<std::pair<std::string, double>>{
           {"e", M_E}, {"pi", M_PI}, {"_e", M_E}, {"1<2", 1}, {"1||0", 1}, {"2 == 2", 1}}) {
    const std::string yaml = edited_case("reynolds: 100", "reynolds: " + text);
    EXPECT_EQ(parse_case(yaml, "case.yaml", {}).fluid.reynolds, value) << text;
  }
}

TEST(parameters, are_not_named_like_anything_in_formulas) {
  for (const std::string name : {"atan2", "sin", "ln", "max", "avg", "rint", "e", "_pi", "t"}) {
    const std::string message =
        messages_of(edited_case("case: base", "case: base\nparameters: {" + name + ": 3}"));
    EXPECT_EQ(message.find("case.yaml:2:14: parameters." + name + ": the name of a"), 0U)
        << message;
  }
}

TEST(formula_of_a_number, is_a_comment_without_control_characters) {
  const std::string given = edited_case("reynolds: 100", "reynolds: \"100*1\\r\\n\\t\\v\\f +1*1\"");
  const std::string yaml = to_yaml(parse_case(given, "case.yaml", {}));
  EXPECT_NE(yaml.find("# fluid.reynolds = 100*1      +1*1\n"), std::string::npos) << yaml;
  EXPECT_EQ(to_yaml(parse_case(yaml, "again.yaml", {})), yaml);
}

TEST(formula_of_a_number, may_be_given_as_an_override) {
  const std::vector<Override> overrides{{"fluid.reynolds", "sqrt(1e6/0.64)", "--set"}};
  EXPECT_DOUBLE_EQ(parse_case(valid_case, "case.yaml", overrides).fluid.reynolds, 1250);
}

class WrongFormula : public testing::TestWithParam<BrokenCase> {};

TEST_P(WrongFormula, is_refused_with_the_reason) {
  const auto& [name, from, to, messages] = GetParam();
  EXPECT_EQ(messages_of(edited_case(from, to)), messages);
}

INSTANTIATE_TEST_SUITE_P(
    of_a_number,
    WrongFormula,
    testing::Values(
        BrokenCase{"with_an_unknown_name",
                   "reynolds: 100",
                   "reynolds: 2*Ra",
                   "case.yaml:6:3: fluid.reynolds is 2*Ra, but must be a number > 0 (Reynolds "
                   "number U L / kinematic viscosity); the formula of a number knows pi, e and "
                   "functions such as sqrt, but not Ra"},
        BrokenCase{"that_depends_on_space",
                   "reynolds: 100",
                   "reynolds: 100*x",
                   "case.yaml:6:3: fluid.reynolds is 100*x, but must be a number > 0 (Reynolds "
                   "number U L / kinematic viscosity); the formula of a number knows pi, e and "
                   "functions such as sqrt, but not x"},
        BrokenCase{"that_chains_comparisons",
                   "reynolds: 100",
                   "reynolds: 1 < 2 < 3",
                   "case.yaml:6:3: fluid.reynolds is 1 < 2 < 3, but must be a number > 0 (Reynolds "
                   "number U L / kinematic viscosity); a chain of comparisons at position 7: write "
                   "1 < 2 && 2 < 3, or set parentheses"},
        BrokenCase{"of_a_parameter_that_chains_comparisons",
                   "case: base",
                   "case: base\nparameters: {Ra: 3 == 2 == 1}",
                   "case.yaml:2:14: parameters.Ra is 3 == 2 == 1, but must be a number (a number "
                   "with a name of your choice, such as Ra); a chain of comparisons at position 8: "
                   "write 3 == 2 && 2 == 1, or set parentheses"},
        BrokenCase{"of_space_that_chains_comparisons",
                   "velocity: [1, 0, 0]",
                   "velocity: [0.25 < y < 0.75, 0, 0]",
                   "case.yaml:9:36: boundaries.x_min.velocity[0] is 0.25 < y < 0.75, but must be a "
                   "formula of x, y, z, t (velocity at the face [U]): a chain of comparisons at "
                   "position 10: write 0.25 < y && y < 0.75, or set parentheses"},
        BrokenCase{"out_of_range",
                   "reynolds: 100",
                   "reynolds: 3 - 5",
                   "case.yaml:6:3: fluid.reynolds is \"3 - 5\" = -2, but must be > 0 (Reynolds "
                   "number U L / kinematic viscosity)"},
        BrokenCase{"without_a_value",
                   "reynolds: 100",
                   "reynolds: 1/0",
                   "case.yaml:6:3: fluid.reynolds is 1/0, but must be a number > 0 (Reynolds "
                   "number U L / kinematic viscosity); the formula has no finite value"},
        BrokenCase{"that_is_not_whole",
                   "steps: 5",
                   "steps: 5/2",
                   "case.yaml:16:3: time.steps is \"5/2\" = 2.5, but must be a whole number >= 0 "
                   "(number of time steps of the whole run)"},
        BrokenCase{"of_a_parameter_of_a_taken_name",
                   "case: base",
                   "case: base\nparameters: {pi: 3}",
                   "case.yaml:2:14: parameters.pi: the name of a parameter is made of letters, "
                   "digits and '_', the first a letter, 50 at most, and means nothing else in a "
                   "formula, as x, y, z, t, pi, e and sin do"},
        BrokenCase{"of_a_parameter_that_is_no_number",
                   "case: base",
                   "case: base\nparameters: {Ra: many}",
                   "case.yaml:2:14: parameters.Ra is many, but must be a number (a number with a "
                   "name of your choice, such as Ra)"}),
    name_of_test);

}  // namespace
}  // namespace dns::test_formulas
