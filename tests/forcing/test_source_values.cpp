/// Sources of momentum and heat at the points of a grid, against their formulas.
#include <gtest/gtest.h>

#include <string>

#include "solver/config/load_case.hpp"
#include "solver/core/error.hpp"
#include "solver/forcing/source_values.hpp"
#include "solver/grid/case_grid.hpp"
#include "tests/message_of.hpp"

namespace dns::test_source_values {
namespace {

Case case_with(const std::string& forcing) {
  return parse_case(R"yaml(scheme: projection
grid: {points: [5, 4, 6], length: [5, 2, 3], stretching: {y: {factor: 1.5}}}
fluid: {reynolds: 1, prandtl: 1}
boundaries:
  x_min: {type: inflow, velocity: ["y*(2-y)", 0, 0], temperature: 1}
  x_max: {type: outflow}
  y_min: {type: wall, temperature: 1}
  y_max: {type: wall, temperature: 1}
  z: periodic
time: {step: 1, steps: 1}
forcing: )yaml" + forcing,
                    "case.yaml",
                    {});
}

TEST(source_values, are_those_of_formulas_and_sponges_where_the_variable_lives) {
  const Case resolved = case_with(
      "{type: formula, acceleration: [\"x*y+t\", 0, 0], linear: 0.25, sponges: {end: {rate: \"x > "
      "2.5 "
      "? x : 0\", velocity: [3, \"y\", 0]}, warm: {rate: 2, temperature: \"z\"}}}");
  const Subdomain part = whole_box(resolved);
  const Extents n = resolved.grid.points;
  for (const int variable : {0, 1, 2, 3}) {
    const std::vector<double> source = source_values(resolved, part, variable, 0.5);
    const std::vector<double> rate = rate_values(resolved, part, variable);
    std::size_t point = 0;
    for_each_point({{}, {n.nx, n.ny, n.nz}}, [&](Index3 c) {
      const auto place = [&](int axis) {
        return point_coordinates(resolved, axis, variable)[c[axis]];
      };
      const double x = place(0);
      const double of_end = x > 2.5 ? x : 0;
      const double y = place(1);
      const double expected = variable == 0   ? x * y + 0.5 + of_end * 3
                              : variable == 1 ? of_end * y
                              : variable == 2 ? 0
                                              : 2 * place(2);
      EXPECT_NEAR(source[point], expected, 1e-14) << variable;
      EXPECT_NEAR(rate[point], variable == 3 ? 2 : of_end - 0.25, 1e-14) << variable;
      ++point;
    });
  }
  for (const int variable : {0, 1, 2, 3}) {
    EXPECT_TRUE(has_source_field(resolved, variable)) << variable;
    EXPECT_TRUE(has_rate_field(resolved, variable)) << variable;
  }
}

TEST(source_values, of_a_flow_without_any_are_none) {
  const Case resolved = case_with("{type: formula}");
  for (const int variable : {0, 1, 2, 3}) EXPECT_FALSE(has_source(resolved, variable));
}

TEST(source_values, that_are_uniform_take_no_field) {
  const Case resolved =
      case_with("{type: formula, acceleration: [0, 2, 0], linear: 0.5, heat: -1}");
  for (const int variable : {0, 1, 2, 3}) {
    EXPECT_FALSE(has_source_field(resolved, variable)) << variable;
    EXPECT_FALSE(has_rate_field(resolved, variable)) << variable;
  }
  EXPECT_EQ(uniform_source(resolved, 1), 2);
  EXPECT_EQ(uniform_rate(resolved, 0), -0.5);
  EXPECT_EQ(uniform_source(resolved, 3), -1);
  EXPECT_EQ(uniform_rate(resolved, 3), 0);
  EXPECT_FALSE(source_changes_with_time(resolved, 1));
}

TEST(source_values, that_are_not_finite_are_refused_with_their_place) {
  const Case resolved = case_with("{type: formula, heat: \"1/(x-0.5)\"}");
  const std::string message =
      message_of<CaseError>([&] { return source_values(resolved, whole_box(resolved), 3, 0); });
  EXPECT_EQ(message.find("forcing.heat: 1/(x-0.5) is inf at x = 0.5, y = "), 0U) << message;
}

TEST(sponges_at_inflows, are_named_where_they_draw_the_flow_elsewhere) {
  const auto lines = [](const std::string& sponge) {
    return sponges_at_inflows(case_with("{type: formula, sponges: {end: " + sponge + "}}"));
  };
  EXPECT_TRUE(lines("{rate: \"x > 1 ? x : 0\", velocity: [1, 0, 0]}").empty());
  EXPECT_TRUE(lines("{rate: \"x < 1 ? 1 : 0\", velocity: [\"y*(2-y)\", 0, 0]}").empty());
  EXPECT_TRUE(lines("{rate: 1, temperature: 3}").empty());
  const auto found = lines("{rate: \"z > 1 ? 1 : 0\", velocity: [1, 0, 0]}");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0],
            "sponge end reaches the inflow x_min at x = 0, y = 0, z = 1.125, and draws the flow to "
            "another velocity there than the face gives");
}

}  // namespace
}  // namespace dns::test_source_values
