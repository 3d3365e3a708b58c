/// The table of conditions at the faces of the box.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "solver/config/load_case.hpp"
#include "solver/flow/conditions.hpp"

namespace dns::test_conditions {
namespace {

using Kind = Condition::Kind;

/// A box with two faces across x and two across y; temperature, then salt.
Conditions conditions_between(const std::string& scheme,
                              const std::string& x_min,
                              const std::string& x_max,
                              const std::string& y_min,
                              const std::string& y_max) {
  const std::string salt = scheme == "projection" ? "scalars: {salt: {prandtl: 1}}\n" : "";
  return conditions_of(parse_case(
      "scheme: " + scheme + "\ngrid: {points: [5, 4, 6]}\nfluid: {reynolds: 50, prandtl: 2}\n" +
          salt + "boundaries:\n  x_min: " + x_min + "\n  x_max: " + x_max + "\n  y_min: " + y_min +
          "\n  y_max: " + y_max + "\n  z: periodic\ntime: {step: 1, steps: 1}\n",
      "case.yaml",
      {}));
}

/// value_weight, gradient_weight, given_weight
PerAxis<double> weights(const Condition& condition) {
  return {
      condition.weights.value_weight, condition.weights.gradient_weight, condition.given_weight};
}
using Weights = PerAxis<double>;

TEST(conditions, are_values_and_gradients_that_the_case_gives) {
  const Conditions all = conditions_between(
      "projection",
      "{type: inflow, velocity: [1, \"t\", 0], temperature: 3, scalars: {salt: {gradient: 2}}}",
      "{type: outflow, scalars: {salt: 7}}",
      "{type: wall, velocity: [1, 0, 2], slip_length: 0.25, temperature: {transfer: 4, outside: "
      "\"x*t\"}, scalars: {salt: {transfer: 0, outside: 1}}}",
      "{type: wall, shear: [\"sin(t)\", 0, 3], temperature: {gradient: -1}, "
      "scalars: {salt: 0}}");
  for (const int velocity : {0, 1, 2}) {
    EXPECT_EQ(all[0][velocity].kind, Kind::value);
    EXPECT_EQ(weights(all[0][velocity]), (Weights{1, 0, 1}));
    EXPECT_EQ(all[0][velocity].moves, velocity == 1);
    EXPECT_EQ(all[0][velocity].distance_of_given(), 0);
    EXPECT_EQ(all[1][velocity].kind, Kind::open);
    EXPECT_FALSE(all[1][velocity].is_given);
    EXPECT_FALSE(all[1][velocity].moves);
  }
  EXPECT_EQ(all[0][3].given.text(), "3");
  EXPECT_EQ(weights(all[0][4]), (Weights{0, 1, 1}));
  EXPECT_EQ(all[1][3].kind, Kind::open);
  EXPECT_EQ(all[1][4].kind, Kind::value);
  EXPECT_EQ(all[1][4].given.text(), "7");

  const FaceConditions& slip = all[2];
  EXPECT_EQ(weights(slip[0]), (Weights{1, 0.25, 1}));
  EXPECT_EQ(weights(slip[1]), (Weights{1, 0, 1}));  // across the wall
  EXPECT_EQ(slip[2].distance_of_given(), 0.25);
  EXPECT_EQ(weights(slip[3]), (Weights{4, 1, 4}));
  EXPECT_EQ(slip[3].distance_of_given(), 0.25);
  EXPECT_TRUE(slip[3].moves);
  EXPECT_EQ(weights(slip[4]), (Weights{0, 1, 0}));
  EXPECT_EQ(slip[4].distance_of_given(), std::numeric_limits<double>::infinity());

  const FaceConditions& sheared = all[3];
  EXPECT_EQ(sheared[0].kind, Kind::gradient);
  EXPECT_EQ(weights(sheared[0]), (Weights{0, -1, 1}));
  EXPECT_EQ(sheared[0].given.text(), "sin(t)");
  EXPECT_TRUE(sheared[0].moves);
  EXPECT_EQ(sheared[1].kind, Kind::value);
  EXPECT_EQ(sheared[2].given.text(), "3");
  EXPECT_EQ(weights(sheared[3]), (Weights{0, 1, 1}));

  for (const int variable : {0, 1, 2, 3, 4}) {
    for (const int face : {4, 5}) EXPECT_EQ(all[face][variable].kind, Kind::periodic);
  }
}

TEST(conditions, keep_slip_lengths_that_vary_apart_from_their_weights) {
  const Conditions all = conditions_between(
      "projection",
      "{type: wall, slip_length: \"z\", temperature: 1, scalars: {salt: 0}}",
      "{type: wall, slip_length: \"0.5*t\", temperature: 1, scalars: {salt: 0}}",
      "{type: wall, slip_length: \"0.5*0.5\", temperature: 1, scalars: {salt: 0}}",
      "{type: wall, temperature: 1, scalars: {salt: 0}}");
  for (const int variable : {0, 1, 2, 3, 4}) {
    for (const int face : {0, 1}) {
      const bool is_along = variable == 1 || variable == 2;
      EXPECT_EQ(all[face][variable].varies(), is_along);
      EXPECT_EQ(all[face][variable].moves, is_along && face == 1);
      EXPECT_EQ(all[face][variable].is_value_on_face(), !is_along);
      EXPECT_EQ(weights(all[face][variable]), (Weights{1, 0, 1}));
    }
    EXPECT_FALSE(all[2][variable].varies());
  }
  EXPECT_EQ(all[0][2].slip_length.text(), "z");
  EXPECT_EQ(weights(all[2][0]), (Weights{1, 0.25, 1}));
  EXPECT_FALSE(all[0].has_friction_of_means());
  EXPECT_FALSE(all[1].has_friction_of_means());
  EXPECT_TRUE(all[2].has_friction_of_means());
  EXPECT_TRUE(all[3].has_friction_of_means());
}

TEST(conditions, follow_from_the_kind_of_a_face_where_the_case_gives_none) {
  const Conditions all = conditions_between("projection",
                                            "{type: symmetry}",
                                            "{type: symmetry, temperature: 2}",
                                            "{type: outflow}",
                                            "{type: inflow, velocity: [0, -1, 0], temperature: 1, "
                                            "scalars: {salt: 0}}");
  EXPECT_EQ(all[0][0].kind, Kind::value);  // no flow across it
  EXPECT_TRUE(all[0][0].given.is_zero());
  for (const int along : {1, 2, 3, 4}) {
    EXPECT_EQ(all[0][along].kind, Kind::gradient);
    EXPECT_EQ(weights(all[0][along]), (Weights{0, 1, 0}));
    EXPECT_FALSE(all[0][along].is_given);
  }
  EXPECT_TRUE(all[1][3].is_given);
  EXPECT_EQ(weights(all[1][3]), (Weights{1, 0, 1}));
  EXPECT_EQ(weights(all[2][3]), (Weights{1, 0, 1}));  // the value that is found on the plane
}

TEST(conditions, of_scheme_splitting_extrapolate_at_outflows) {
  const Conditions all = conditions_between("splitting",
                                            "{type: inflow, velocity: [1, 0, 0], temperature: 1}",
                                            "{type: outflow}",
                                            "{type: wall, temperature: {gradient: 0}}",
                                            "{type: symmetry}");
  for (const int variable : {0, 1, 2, 3}) {
    EXPECT_FALSE(all[0][variable].weights.is_extrapolated);
    EXPECT_TRUE(all[1][variable].weights.is_extrapolated);
    EXPECT_EQ(all[3][variable].kind, variable == 1 ? Kind::value : Kind::gradient);
  }
  EXPECT_EQ(all[2][3].kind, Kind::gradient);
}

TEST(conditions, say_where_fluid_flows_through_and_where_nothing_holds_it) {
  const Conditions all =
      conditions_between("projection",
                         "{type: inflow, velocity: [1, 0, 0], temperature: 1, scalars: {salt: 0}}",
                         "{type: outflow}",
                         "{type: wall, temperature: 1, scalars: {salt: 0}}",
                         "{type: wall, shear: [0, 0, 1], temperature: 1, scalars: {salt: 0}}");
  EXPECT_TRUE(all[0].is_inflow() && all[0].is_opening() && !all[0].is_outflow());
  EXPECT_TRUE(all[1].is_outflow() && all[1].is_opening() && !all[1].is_inflow());
  EXPECT_TRUE(all[2].is_wall() && !all[2].is_opening() && !all[2].is_free());
  EXPECT_TRUE(all[3].is_wall() && all[3].is_free());
  EXPECT_TRUE(all[4].is_periodic() && !all[4].is_wall() && !all[4].is_free());
}

}  // namespace
}  // namespace dns::test_conditions
