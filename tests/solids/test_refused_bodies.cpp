/// Bodies that a flow cannot have.
#include "solver/core/error.hpp"
#include "tests/solids/box_case.hpp"

namespace dns::testing {
namespace {

std::string message_about(const Case& resolved, int ranks = 1) {
  try {
    ThreadRanks::run(ranks, [&](Communicator& communicator) {
      const Subdomain part = whole_box(resolved).slab(communicator.rank(), ranks);
      static_cast<void>(find_solid_points(resolved, part, communicator));
    });
  } catch (const CaseError& error) {
    return error.what();
  }
  return {};
}

TEST(RefusedBodies, without_a_point_are_named) {
  const std::string rule =
      " holds no point of the grid: it is smaller than a cell, lies outside of the box, or in "
      "another body";
  const std::string sphere = "{shape: sphere, center: ";
  EXPECT_EQ(message_about(staggered_case("  far: " + sphere + "[0.7, 9, 0.7], radius: 1}")),
            "solids.far" + rule);
  EXPECT_EQ(
      message_about(staggered_case("  tiny: " + sphere + "[0.737, 0.01, 0.7], radius: 1e-4}"), 2),
      "solids.tiny" + rule);
  const std::string big = "  big: " + sphere + "[0.7, 0, 0.7], radius: 0.4}\n";
  EXPECT_EQ(
      message_about(staggered_case(big + "  within: " + sphere + "[0.7, 0, 0.7], radius: 0.1}")),
      "solids.within" + rule);
  EXPECT_EQ(message_about(staggered_case(big)), "");
}

TEST(RefusedBodies, that_overlap_and_move_differently_are_named_with_the_place) {
  const auto with = [](const std::string& one, const std::string& other) {
    return message_about(staggered_case(
        "  block: {shape: box, min: [0.3, -0.3, 0.3], max: [0.8, 0, 0.9]" + one +
        "}\n  slab: {shape: box, min: [0.5, -0.3, 0.3], max: [1, 0, 0.9]" + other + "}"));
  };
  EXPECT_EQ(with("", ""), "");
  const std::string turn = ", rotation: [0, 0, 1]";
  const std::string speed = ", velocity: [1, 0, 0]";
  EXPECT_EQ(with(speed, speed), "");
  EXPECT_EQ(with(turn + ", center: [1, 0, 0]", turn + ", center: [1, 0, 0]"), "");
  EXPECT_EQ(with(", center: [1, 0, 0]", ", center: [2, 0, 0]"), "");  // neither turns
  const std::string message = with(speed, "");
  const std::string begin = "solids.block and solids.slab overlap at (";
  ASSERT_EQ(message.substr(0, begin.size()), begin);
  EXPECT_NE(message.find("), but move differently"), std::string::npos) << message;
  double x = 0;
  double y = 0;
  double z = 0;
  ASSERT_EQ(std::sscanf(message.c_str() + begin.size(), "%lf, %lf, %lf)", &x, &y, &z), 3);
  EXPECT_TRUE(x >= 0.5 && x <= 0.8 && y >= -0.3 && y <= 0 && z >= 0.3 && z <= 0.9) << message;
  EXPECT_EQ(
      with(turn + ", center: [1, 0, 0]", turn + ", center: [2, 0, 0]").substr(0, begin.size()),
      begin);
}

TEST(RefusedBodies, that_fill_the_box_are_refused) {
  EXPECT_EQ(message_about(staggered_case("  all: {shape: formula, inside: -1}"), 3),
            "solids: they fill the box; no fluid is left");
}

TEST(RefusedBodies, that_reach_an_opening_are_named_with_face_and_place) {
  const std::string faces =
      "x_min: {type: inflow, velocity: [1, 0, 0]}, x_max: {type: outflow}, "
      "y: periodic, z: periodic";
  const std::string cells = "{points: [15, 11, 9], length: [15, 11, 9]}";
  const auto sphere_at = [&](const std::string& center, int ranks = 1) {
    return message_about(
        staggered_case(
            "  ball: {shape: sphere, radius: 1.6, center: " + center + "}", faces, cells),
        ranks);
  };
  const std::string rule = ": a body may meet walls, symmetry planes and periodic sides alone";
  EXPECT_EQ(sphere_at("[7, 5, 5]"), "");
  EXPECT_EQ(sphere_at("[1.7, 5, 5]"), "");  // no point of the face
  EXPECT_EQ(sphere_at("[1, 5.5, 5.5]"),
            "solids.ball reaches boundaries.x_min, of type inflow, at (0, 5.5, 4.5)" + rule);
  EXPECT_EQ(sphere_at("[14, 5.5, 5.5]"),
            "solids.ball reaches boundaries.x_max, of type outflow, at (15, 5.5, 4.5)" + rule);
  // One rank alone meets it; all say which.
  const std::string of_ranks = sphere_at("[14, 5.5, 7.5]", 3);
  EXPECT_TRUE(of_ranks.starts_with("rank 2 on ")) << of_ranks;
  EXPECT_TRUE(of_ranks.ends_with(
      ": solids.ball reaches boundaries.x_max, of type outflow, at (15, 5.5, 6.5)" + rule))
      << of_ranks;
}

TEST(RefusedBodies, that_reach_an_opening_are_refused_on_nodes_too) {
  const Case resolved = parse_case(R"(scheme: splitting
grid: {points: [16, 11, 9], length: [15, 10, 9]}
fluid: {reynolds: 1, prandtl: 1}
boundaries:
  x_min: {type: inflow, velocity: [1, 0, 0], temperature: 1}
  x_max: {type: outflow}
  y_min: {type: wall, temperature: 1}
  y_max: {type: wall, temperature: 1}
  z: periodic
time: {step: 1, steps: 1}
solids: {ball: {shape: sphere, radius: 1.6, center: [14, 5, 5], temperature: 1}}
)",
                                   "case.yaml",
                                   {});
  EXPECT_EQ(message_about(resolved),
            "solids.ball reaches boundaries.x_max, of type outflow, at (15, 5, 4): a body may meet "
            "walls, symmetry planes and periodic sides alone");
}

}  // namespace
}  // namespace dns::testing
