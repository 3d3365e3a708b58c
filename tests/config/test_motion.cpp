/// Motion of bodies: what is read, and what cannot go with it.
#include "solver/config/case_difference.hpp"
#include "tests/config/broken_case.hpp"

namespace dns::test_motion {
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

std::string free_ball(const std::string& free, const std::string& more = "temperature: 1") {
  return "solids:\n  ball: {shape: sphere, center: [0.5, 0.5, 0.5], radius: 0.2, " + more +
         ", free: " + free + "}\n";
}

TEST(free_motion, has_a_weight_and_springs) {
  const Case read =
      parse_case(valid_projection + free_ball("{density: 1.5, gravity: [0, -2, 0], velocity: [1, "
                                              "2, 3], rotation: [4, 5, 6], fixed: [x, rotation]}",
                                              "temperature: 1, spring: {stiffness: [0, 10, 0], "
                                              "damping: [0, 0.1, 0], torsion: 3}, "
                                              "collisions: {distance: 3, stiffness: 20}"),
                 "case.yaml",
                 {});
  const SolidCase& body = read.solids.front();
  ASSERT_TRUE(body.free && body.spring && body.collisions);
  EXPECT_EQ(body.free->density, 1.5);
  EXPECT_EQ(body.free->gravity[1], -2);
  EXPECT_EQ(body.free->velocity[2], 3);
  EXPECT_EQ(body.free->rotation[0], 4);
  EXPECT_TRUE(body.free->keeps("x") && body.free->keeps("rotation") && !body.free->keeps("y"));
  EXPECT_EQ(body.spring->stiffness[1], 10);
  EXPECT_EQ(body.spring->damping[1], 0.1);
  EXPECT_FALSE(body.spring->at.has_value());
  EXPECT_EQ(body.spring->torsion, 3);
  EXPECT_EQ(body.collisions->distance, 3);
  EXPECT_EQ(body.collisions->stiffness, 20);
  EXPECT_TRUE(read.has_moving_bodies());
  EXPECT_EQ(read.body_projections(), 4);
  EXPECT_DOUBLE_EQ(read.longest_spring_step(), 0.3 / 2);  // of 10/(1.5 + 1)
  const Case again = parse_case(to_yaml(read), "case.yaml", {});
  EXPECT_TRUE(differences_of_flow(read, again).empty());
  EXPECT_EQ(to_yaml(again), to_yaml(read));
  const Case other = parse_case(valid_projection + free_ball("{density: 2}"), "case.yaml", {});
  EXPECT_FALSE(differences_of_flow(read, other).empty());
}

TEST(free_motion, has_four_projections_and_prescribed_motion_one) {
  const auto projections = [](const std::string& solids, const std::vector<Override>& overrides) {
    return parse_case(valid_projection + solids, "case.yaml", overrides).body_projections();
  };
  EXPECT_EQ(projections(free_ball("{density: 2}"), {}), 4);
  EXPECT_EQ(projections(ball("{}"), {}), 1);
  EXPECT_EQ(projections(ball("{}"), {{"time.body_projections", "3", "--set"}}), 3);
  EXPECT_EQ(projections("", {}), 1);
}

TEST(free_motion, is_refused_where_it_cannot_be) {
  expect_refused(free_ball("{}"), "solids.ball.free.density is missing");
  expect_refused(free_ball("{density: 0}"), "solids.ball.free.density is 0, but must be");
  expect_refused(free_ball("{density: 2, fixed: [w]}"), "solids.ball.free.fixed");
  const std::string sphere =
      "solids:\n  ball: {shape: sphere, temperature: 1, free: {density: 2}, ";
  expect_refused(sphere + "center: [0.5, 0.1, 0.5], radius: 0.2}\n",
                 "solids.ball.center[1] is 0.1");
  expect_refused(sphere + "center: [0.5, 0.1, 0.5], radius: 0.2}\n",
                 "a free body starts inside the box, all of it");
  expect_refused(sphere + "center: [0.5, 0.5, 0.5], radius: 40}\n", "and the body is free");
  expect_refused(free_ball("{density: 2}", "temperature: 1, motion: {}"), "solids.ball.free");
  expect_refused(free_ball("{density: 2}", "temperature: 1, velocity: [1, 0, 0]"),
                 "solids.ball.velocity");
  expect_refused(free_ball("{density: 2}", "temperature: {gradient: 0}"),
                 "solids.ball.free: no temperature may pass the surface, which needs a body at "
                 "rest; give a value there, or leave out free");
  expect_refused(ball("{}", "temperature: 1, spring: {}"),
                 "solids.ball.spring: only a free body has them");
  expect_refused(ball("{}", "temperature: 1, collisions: {}"),
                 "solids.ball.collisions: only a free body has them");
  expect_refused(free_ball("{density: 2}") + "rotation: {rate: [0, 0, 1]}\n",
                 "solids.ball.free: in a frame that rotates bodies have no motion");
  expect_refused(
      free_ball("{density: 2}") + "particles: {dust: {count: 5, positions: [0.1, 0.1, 0.1]}}\n",
      "solids.ball.free: particles meet bodies at rest only; leave out particles, or free");
  expect_refused(free_ball("{density: 2}"),
                 "solids.ball.free: bodies move in implicit steps only",
                 {{"time.scheme", "runge_kutta", "--set"}});
  expect_refused(free_ball("{density: 2}"),
                 "solids.ball.free: a body is free in steps of one pass alone",
                 {{"time.global_iterations", "2", "--set"}});
  expect_refused(
      "solids:\n  block: {shape: box, min: [0, 0, 0], max: [1, 1, 1], temperature: 1, "
      "free: {density: 2}}\n",
      "solids.block.free");
  const std::string rod =
      "solids:\n  rod: {shape: cylinder, center: [0.5, 0.5, 0.5], radius: 0.2, "
      "temperature: 1, free: {density: 2, rotation: [0, 0, 1]}, ";
  expect_refused(rod + "axis: z, length: 1}\n",
                 "solids.rod.free: a free cylinder is endless; leave out solids.rod.length");
  expect_refused(rod + "axis: y}\n",
                 "solids.rod.free: a free cylinder lies along a periodic axis, but y is not");
  expect_refused(rod + "axis: x}\n",
                 "solids.rod.free.rotation[2] is 1, but must be 0 (angular velocity about center "
                 "at the start; of a cylinder about its axis alone [U/L]); an endless cylinder "
                 "turns about its axis alone");
  expect_refused(free_ball("{density: 2}", "temperature: 1, spring: {stiffness: [3e6, 0, 0]}"),
                 "time.step is");
  expect_refused(free_ball("{density: 2, fixed: [rotation]}",
                           "temperature: 1, spring: {torsion: 3e6, stiffness: [0, 0, 3e6]}"),
                 "springs of free bodies turn by 0.3 in a step at most");
  const std::string useless = messages_of(valid_projection + "  body_projections: 2\n");
  EXPECT_NE(useless.find("time.body_projections: no body of the case moves"), std::string::npos)
      << useless;
  const std::string many = messages_of(valid_projection + "  body_projections: 17\n" + ball("{}"));
  EXPECT_NE(many.find("time.body_projections is 17, but must be from 1 to 16"), std::string::npos)
      << many;
  expect_refused(free_ball("{density: 2}"), "solids.ball.free", {}, valid_case);
}

std::string balls(const std::string& keys) {
  return "solids:\n  balls: {shape: sphere, radius: 0.2, temperature: 1, " + keys + "}\n";
}

TEST(several_bodies, are_read_and_written_as_they_are_given) {
  const Case read = parse_case(valid_projection + balls("free: {density: 2}, count: 7, seed: 3, "
                                                        "positions: [0.5 + n, r1, 2*r3]"),
                               "case.yaml",
                               {});
  const SolidCase& entry = read.solids.front();
  EXPECT_EQ(entry.count, 7);
  EXPECT_EQ(entry.seed, 3U);
  EXPECT_TRUE(entry.is_several());
  EXPECT_FALSE(entry.is_one_of_several());
  const std::string text = to_yaml(read);
  EXPECT_EQ(text.find("center:"), std::string::npos) << text;
  const Case again = parse_case(text, "case.yaml", {});
  EXPECT_TRUE(differences_of_flow(read, again).empty());
  EXPECT_EQ(again.solids.front().positions[2].text(), "2*r3");
  const Case other = parse_case(
      valid_projection + balls("free: {density: 2}, count: 7, positions: [0.5 + n, r1, 2*r3]"),
      "case.yaml",
      {});
  EXPECT_EQ(differences_of_flow(read, other), std::vector<std::string>{"solids.balls.seed"});
}

TEST(several_bodies, are_refused_where_they_cannot_be) {
  const std::string free = "free: {density: 2}, ";
  const std::string places = "positions: [n, 0, 0]";
  expect_refused(balls("count: 2, " + places),
                 "solids.balls.count: several bodies are free ones; give free too");
  expect_refused(balls(free + "count: 2"), "solids.balls.positions is missing");
  expect_refused(balls(free + places), "solids.balls.count is missing");
  expect_refused(balls(free + "count: 2, center: [1, 1, 1], " + places), "solids.balls.center");
  expect_refused(balls(free + "center: [0.5, 0.5, 0.5], seed: 2"),
                 "solids.balls.seed: no positions have random numbers");
  expect_refused(balls(free + "count: 0, " + places), "solids.balls.count is 0, but must be");
  expect_refused(balls(free + "count: 257, " + places), "solids.balls.count is 257, but must be");
  expect_refused(balls(free + "count: 2, positions: [x, 0, 0]"),
                 "solids.balls.positions[0] is x, but must be a formula of n, r1, r2, r3");
  expect_refused(balls(free + "file: nowhere.h5"), "nowhere.h5 is no file that can be read");
  expect_refused(balls(free + "count: 256, " + places) +
                     "  one: {shape: sphere, center: [0.5, 0.5, 0.5], radius: 0.2, temperature: 1, "
                     "free: {density: 2}}\n",
                 "solids.one.free: 257 bodies are free with these, but at most 256 can be");
  expect_refused(
      "solids:\n  block: {shape: box, min: [0, 0, 0], max: [1, 1, 1], temperature: 1, "
      "count: 2, positions: [n, 0, 0]}\n",
      "solids.block.count");
}

}  // namespace
}  // namespace dns::test_motion
