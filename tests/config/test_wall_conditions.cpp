/// Slip, shear and blowing at walls.
#include "tests/config/broken_case.hpp"

namespace dns::test_wall_conditions {
namespace {

const std::string low = "y_min: {type: wall, temperature: 1}";

Case read(const std::string& keys) {
  return parse_case(
      edited_case(low, "y_min: {type: wall, temperature: 1, " + keys + "}", valid_projection),
      "case.yaml",
      {});
}

TEST(wall_conditions, are_no_slip_by_default) {
  const FaceCase wall = read("velocity: [1, 0, 2]").faces[2];
  EXPECT_TRUE(wall.slip_length.is_zero());
  EXPECT_FALSE(wall.has_shear());
  EXPECT_EQ(wall.velocity[2].text(), "2");
  const std::string text = to_yaml(read(""));
  EXPECT_EQ(text.find("slip_length"), std::string::npos);
  EXPECT_EQ(text.find("shear"), std::string::npos);
}

TEST(wall_conditions, are_read_and_written) {
  const Case slipping = read("slip_length: 0.02, velocity: [\"sin(x-t)\", 0, 0]");
  EXPECT_EQ(slipping.faces[2].slip_length.text(), "0.02");
  EXPECT_EQ(slipping.faces[2].velocity[0].text(), "sin(x-t)");
  EXPECT_EQ(parse_case(to_yaml(slipping), "again.yaml", {}).faces[2].slip_length.text(), "0.02");
  const Case striped = read("slip_length: \"z<0.5?0.02*t:0\"");
  for (const Case& found : {striped, parse_case(to_yaml(striped), "again.yaml", {})})
    EXPECT_EQ(found.faces[2].slip_length.text(), "z<0.5?0.02*t:0");
  EXPECT_EQ(read("slip_length: \"0.01*2\"").faces[2].slip_length.text(), "0.02");

  const Case sheared = read("shear: [\"x*t\", 0, 3], velocity: [0, \"sin(2*pi*x)\", 0]");
  const Case again = parse_case(to_yaml(sheared), "again.yaml", {});
  for (const Case& found : {sheared, again}) {
    const FaceCase& wall = found.faces[2];
    EXPECT_TRUE(wall.has_shear());
    EXPECT_EQ(wall.shear[0]->text(), "x*t");
    EXPECT_FALSE(wall.shear[1]);
    EXPECT_EQ(wall.velocity[1].text(), "sin(2*pi*x)");
    EXPECT_EQ(wall.shear[2]->text(), "3");
  }
}

TEST(wall_conditions, start_a_channel_like_planes_of_symmetry_where_they_give_the_shear) {
  const std::string channel = "time:\n";
  const std::string start =
      "initial: {type: turbulent_channel, direction: x, bulk_velocity: 1, temperature: 1}\ntime:\n";
  const std::string free =
      edited_case(low, "y_min: {type: wall, temperature: 1, shear: [0, 0, 0]}", valid_projection);
  EXPECT_EQ(messages_of(edited_case(channel, start, free)), "");
  const std::string both = edited_case("y_max: {type: wall, temperature: 0}",
                                       "y_max: {type: wall, temperature: 0, shear: [0, 0, 0]}",
                                       free);
  EXPECT_NE(messages_of(edited_case(channel, start, both)).find("initial.type: turbulent_channel"),
            std::string::npos);
}

TEST(wall_conditions, with_a_slip_length_by_formula_have_no_budgets) {
  const std::string striped = edited_case(
      "y_min: {type: wall", "y_min: {type: wall, slip_length: \"z<0.5?0.1:0\"", valid_projection);
  EXPECT_EQ(messages_of(striped), "");
  EXPECT_EQ(
      messages_of(edited_case("time:", "output: {statistics: {budgets: true}}\ntime:", striped)),
      "case.yaml:13:23: output.statistics.budgets: beside walls with a slip length by formula "
      "budgets do not close");
}

class WrongWall : public testing::TestWithParam<BrokenCase> {};

TEST_P(WrongWall, is_refused) {
  const BrokenCase& broken = GetParam();
  EXPECT_EQ(messages_of(edited_case(broken.from, broken.to, valid_projection)), broken.messages);
}

INSTANTIATE_TEST_SUITE_P(
    walls,
    WrongWall,
    testing::Values(
        BrokenCase{"with_a_negative_slip_length",
                   "wall, temperature: 1",
                   "wall, temperature: 1, slip_length: -0.1",
                   "case.yaml:10:39: boundaries.y_min.slip_length is -0.1, but must be >= 0 (l of "
                   "Navier's slip along the wall, u - velocity = l du/dn, n into the fluid [L])"},
        BrokenCase{"with_slip_and_shear",
                   "wall, temperature: 1",
                   "wall, temperature: 1, shear: [1, 0, 0], slip_length: 0.1",
                   "case.yaml:10:57: boundaries.y_min.slip_length: given together with shear; keep "
                   "one of the two"},
        BrokenCase{"with_shear_and_a_velocity_along_it",
                   "wall, temperature: 1",
                   "wall, temperature: 1, shear: [1, 0, 0], velocity: [0, 0, x]",
                   "case.yaml:10:74: boundaries.y_min.velocity[2] is x, but must be 0 (velocity at "
                   "the face [U]); shear gives the derivative of this component instead"},
        BrokenCase{"with_shear_across_it",
                   "wall, temperature: 1",
                   "wall, temperature: 1, shear: [1, 2, 0]",
                   "case.yaml:10:50: boundaries.y_min.shear[1] is 2, but must be 0 (derivative "
                   "du/dn of the velocity along the wall, n into the fluid [U/L]); y is across the "
                   "wall"},
        BrokenCase{"that_is_no_wall_with_shear",
                   "x: periodic",
                   "x_min: {type: inflow, velocity: [1, 0, 0], temperature: 1, shear: [0, 1, 0]}\n"
                   "  x_max: {type: outflow, slip_length: 1}",
                   "case.yaml:9:62: boundaries.x_min.shear: not used by type inflow; leave it out\n"
                   "case.yaml:10:26: boundaries.x_max.slip_length: not used by type outflow; leave "
                   "it out"},
        BrokenCase{
            "through_which_net_flow_passes",
            "wall, temperature: 1",
            "wall, temperature: 1, velocity: [0, \"0.1*(x+sin(40*pi*z))\", 0]",
            "case.yaml:10:53: boundaries.y_min.velocity[1] is \"0.1*(x+sin(40*pi*z))\", but must "
            "be a formula whose mean over the wall is 0 (velocity at the face [U]); it is "
            "0.05 U at t = 0. As much has to be sucked out of the fluid as is blown into it; "
            "net flow passes faces of type inflow and outflow"},
        BrokenCase{
            "through_which_net_flow_passes_later",
            "wall, temperature: 1",
            "wall, temperature: 1, velocity: [0, \"sin(2*pi*x)+t\", 0]",
            "case.yaml:10:53: boundaries.y_min.velocity[1] is \"sin(2*pi*x)+t\", but must be a "
            "formula whose mean over the wall is 0 (velocity at the face [U]); it is 0.37 U "
            "at t = 0.37. As much has to be sucked out of the fluid as is blown into it; net "
            "flow passes faces of type inflow and outflow"}),
    name_of_test);

TEST(wall_conditions, are_not_those_of_scheme_splitting) {
  EXPECT_EQ(
      messages_of(edited_case(low, "y_min: {type: wall, slip_length: 0.1, temperature: 1}")),
      "case.yaml:11:23: boundaries.y_min.slip_length: belongs to scheme projection, but scheme "
      "is splitting; leave it out");
}

}  // namespace
}  // namespace dns::test_wall_conditions
