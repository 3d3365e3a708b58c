/// Motion of bodies: what is read, and what cannot go with it.
#include "solver/config/case_difference.hpp"
#include "tests/config/broken_case.hpp"

namespace dns {
namespace {

std::string ball(const std::string& motion, const std::string& more = "temperature: 1") {
  return "solids:\n  ball: {shape: sphere, center: [0.5, 0.5, 0.5], radius: 0.2, " + more +
         ", motion: " + motion + "}\n";
}

TEST(motion, is_three_formulas_of_time_for_velocity_and_rotation) {
  const Case read = parse_case(
      valid_projection + ball("{velocity: [\"cos(2*t)\", 0, t], rotation: [0, 0, \"0.1*t\"]}"),
      "case.yaml",
      {});
  ASSERT_TRUE(read.solids.front().motion.has_value());
  const MotionCase& motion = *read.solids.front().motion;
  EXPECT_EQ(motion.velocity[0](0, 0, 0, 0.5), std::cos(1.0));
  EXPECT_EQ(motion.velocity[2](0, 0, 0, 0.5), 0.5);
  EXPECT_EQ(motion.rotation[2](0, 0, 0, 2), 0.2);
  EXPECT_TRUE(read.has_moving_bodies());
  EXPECT_EQ(read.time.scheme, TimeScheme::implicit);
  const Case again = parse_case(to_yaml(read), "case.yaml", {});
  EXPECT_TRUE(differences_of_flow(read, again).empty());
  EXPECT_EQ(again.solids.front().motion->velocity[0].text(), "cos(2*t)");
  const Case other = parse_case(valid_projection + ball("{rotation: [0, 0, 1]}"), "case.yaml", {});
  EXPECT_FALSE(differences_of_flow(read, other).empty());
}

TEST(motion, without_keys_is_rest_and_bodies_have_none_by_default) {
  const Case rest = parse_case(valid_projection + ball("{}"), "case.yaml", {});
  EXPECT_TRUE(rest.solids.front().motion->velocity[1].is_zero());
  EXPECT_TRUE(rest.solids.front().motion->rotation[1].is_zero());
  const Case none = parse_case(valid_projection +
                                   "solids: {ball: {shape: sphere, center: [0.5, 0.5, 0.5], "
                                   "radius: 0.2, temperature: 1}}\n",
                               "case.yaml",
                               {});
  EXPECT_FALSE(none.solids.front().motion.has_value());
  EXPECT_FALSE(none.has_moving_bodies());
}

void expect_refused(const std::string& solids,
                    const std::string& message,
                    const std::vector<Override>& overrides = {},
                    const std::string& base = valid_projection) {
  const std::string messages = messages_of(base + solids, overrides);
  EXPECT_NE(messages.find(message), std::string::npos) << messages;
  EXPECT_NE(messages.find("case.yaml:"), std::string::npos) << messages;
}

TEST(motion, is_named_where_a_body_that_conducts_moves) {
  const std::string messages =
      messages_of(valid_projection + ball("{}", "temperature: {conducting: {}}"));
  EXPECT_NE(messages.find("in a case with motion bodies"), std::string::npos) << messages;
  EXPECT_EQ(messages.find("solids.ball.velocity"), std::string::npos) << messages;
}

TEST(motion, is_refused_where_it_cannot_be) {
  expect_refused(ball("{velocity: [x, 0, 0]}"),
                 "solids.ball.motion.velocity[0] is x, but must be a number or a formula of t "
                 "(velocity of center [U]); a body is rigid");
  expect_refused(ball("{velocity: [1/t, 0, 0]}"),
                 "solids.ball.motion.velocity[0] is 1/t, but must be finite at t = 0");
  expect_refused(ball("{rotation: [0, 0, log(t)]}"),
                 "solids.ball.motion.rotation[2] is log(t), but must be finite at t = 0");
  expect_refused(ball("{}", "temperature: 1, velocity: [1, 0, 0]"), "solids.ball.velocity");
  expect_refused(ball("{}", "temperature: 1, rotation: [1, 0, 0]"), "solids.ball.rotation");
  expect_refused(ball("{}", "temperature: {gradient: 0}"),
                 "solids.ball.motion: no temperature may pass the surface");
  expect_refused(ball("{}", "temperature: {heat_flux: 1}"),
                 "solids.ball: in a case with motion bodies neither give a flux of temperature");
  expect_refused(ball("{}") +
                     "  wall: {shape: sphere, center: [0.2, 0.2, 0.2], radius: 0.1, "
                     "temperature: {conducting: {}}}\n",
                 "solids.wall: in a case with motion bodies neither give");
  expect_refused(
      ball("{}") + "rotation: {rate: [0, 0, 1]}\n",
      "solids.ball.motion: in a frame that rotates bodies have no motion; leave one out");
  expect_refused(ball("{}") + "particles: {dust: {count: 5, positions: [0.1, 0.1, 0.1]}}\n",
                 "solids.ball.motion: particles meet bodies at rest only");
  expect_refused(ball("{}"),
                 "solids.ball.motion: bodies move in implicit steps only, but time.scheme is "
                 "runge_kutta; set time.scheme: implicit",
                 {{"time.scheme", "runge_kutta", "--set"}});
  expect_refused("solids:\n  ball: {shape: stl, path: " DNS_TEST_DATA_FOLDER
                 "/tetrahedron.stl, temperature: 1, motion: {}}\n",
                 "solids.ball.motion");
  expect_refused(ball("{}") + "  part: {shape: stl, path: " DNS_TEST_DATA_FOLDER
                              "/tetrahedron.stl, temperature: 1}\n",
                 "solids.part: a body of shape stl cannot be in a case with motion");
  expect_refused(ball("{}"), "solids.ball.motion", {}, valid_case);
}

}  // namespace
}  // namespace dns
