/// The table of the variables of a flow.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "solver/config/load_case.hpp"
#include "solver/flow/variables.hpp"

namespace dns::test_variables {
namespace {

Case case_with(const std::string& scheme, const std::string& prandtl, const std::string& more) {
  const bool is_warm = scheme == "splitting" || !prandtl.empty();
  const std::string temperature = is_warm ? ", temperature: 1" : "";
  const std::string gradient = is_warm ? ", temperature: {gradient: 0}" : "";
  return parse_case("scheme: " + scheme + "\ngrid: {points: [5, 4, 6]}\nfluid: {reynolds: 50" +
                        prandtl + "}\nboundaries:\n  x_min: {type: inflow, velocity: [1, 0, 0]" +
                        temperature + "}\n  x_max: {type: outflow}\n  y_min: {type: wall" +
                        gradient +
                        "}\n  y_max: {type: symmetry}\n  z: periodic\n"
                        "time: {step: 1, steps: 1}\n" +
                        more,
                    "case.yaml",
                    {});
}

std::vector<std::string> names_of(const std::vector<Variable>& variables) {
  std::vector<std::string> names;
  for (const Variable& variable : variables) names.push_back(variable.name);
  return names;
}

const Variable& named(const std::vector<Variable>& variables, const std::string& name) {
  return *std::ranges::find(variables, name, &Variable::name);
}

using Names = std::vector<std::string>;

TEST(variables, are_numbered_velocity_first_then_scalars_then_pressure) {
  EXPECT_EQ(names_of(solved_variables(case_with("splitting", ", prandtl: 2", ""))),
            (Names{"velocity_x", "velocity_y", "velocity_z", "temperature"}));
  const Case warm = case_with("projection", ", prandtl: 2", "");
  EXPECT_EQ(names_of(solved_variables(warm)),
            (Names{"velocity_x", "velocity_y", "velocity_z", "temperature", "pressure"}));
  EXPECT_EQ(transported_variables(warm), 4);
  const Case cold = case_with("projection", "", "");
  EXPECT_EQ(names_of(solved_variables(cold)),
            (Names{"velocity_x", "velocity_y", "velocity_z", "pressure"}));
  EXPECT_EQ(transported_variables(cold), 3);
}

TEST(variables, say_where_they_are_and_what_transports_them) {
  const auto variables = solved_variables(case_with("projection", ", prandtl: 2", ""));
  for (int axis = 0; axis < 3; ++axis) {
    const Variable& velocity = variables.at(axis);
    EXPECT_EQ(velocity.location, Variable::Location::faces);
    EXPECT_EQ(velocity.axis, axis);
    EXPECT_EQ(velocity.transport, Variable::Transport::momentum);
    EXPECT_DOUBLE_EQ(velocity.diffusivity, 1.0 / 50);
  }
  const Variable& temperature = variables.at(first_scalar);
  EXPECT_EQ(temperature.location, Variable::Location::cells);
  EXPECT_EQ(temperature.transport, Variable::Transport::scalar);
  EXPECT_DOUBLE_EQ(temperature.diffusivity, 1.0 / 100);
  EXPECT_EQ(variables.back().transport, Variable::Transport::none);
  for (const Variable& variable : solved_variables(case_with("splitting", ", prandtl: 2", "")))
    EXPECT_EQ(variable.location, Variable::Location::nodes);
}

TEST(variables, of_snapshots_are_also_solid_and_derived) {
  const auto variables = variables_of(case_with(
      "projection", "", "solids: {ball: {shape: sphere, center: [0.5, 0.5, 0.5], radius: 0.1}}\n"));
  EXPECT_EQ(named(variables, "solid").kind, Variable::Kind::constant);
  const Variable omega = named(variables, "vorticity_z");
  EXPECT_EQ(omega.dataset, "vorticity");
  EXPECT_EQ(omega.kind, Variable::Kind::derived);
  EXPECT_EQ(omega.axis, 2);
  EXPECT_EQ(omega.unit, "U/L");
  EXPECT_EQ(named(variables, "q_criterion").axis, -1);
  const auto without = names_of(variables_of(case_with("projection", "", "")));
  EXPECT_EQ(std::ranges::find(without, "solid"), without.end());
}

}  // namespace
}  // namespace dns::test_variables
