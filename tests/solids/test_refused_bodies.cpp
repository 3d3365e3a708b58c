/// Bodies that a flow cannot have.
#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "solver/core/error.hpp"
#include "tests/message_of.hpp"
#include "tests/solids/box_case.hpp"

namespace dns::testing::test_refused_bodies {
namespace {

std::string message_about(const Case& resolved, int ranks = 1) {
  return message_of<CaseError>([&] {
    ThreadRanks::run(ranks, [&](Communicator& communicator) {
      const Subdomain part = whole_box(resolved).slab(communicator.rank(), ranks);
      static_cast<void>(find_solid_points(resolved, part, communicator));
    });
  });
}

TEST(RefusedBodies, without_a_point_are_named) {
  const std::string rule =
      ": it holds no point of the grid; it is smaller than a cell, lies outside of the box, or in "
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
  const std::string begin = "solids.block: it overlaps solids.slab at (";
  ASSERT_EQ(message.substr(0, begin.size()), begin);
  EXPECT_NE(message.find("), but they move differently"), std::string::npos) << message;
  double x = 0;
  double y = 0;
  double z = 0;
  ASSERT_EQ(std::sscanf(message.c_str() + begin.size(), "%lf, %lf, %lf)", &x, &y, &z), 3);
  EXPECT_TRUE(x >= 0.5 && x <= 0.8 && y >= -0.3 && y <= 0 && z >= 0.3 && z <= 0.9) << message;
  EXPECT_EQ(
      with(turn + ", center: [1, 0, 0]", turn + ", center: [2, 0, 0]").substr(0, begin.size()),
      begin);
}

TEST(RefusedBodies, that_move_and_have_few_cells_across_are_named) {
  const auto with = [](double radius, const std::string& more) {
    return message_about(staggered_case(
        fmt::format("  ball: {{shape: sphere, center: [7, 5, 5], radius: {}{}}}", radius, more),
        "x: periodic, y: periodic, z: periodic",
        "{points: [15, 11, 9], length: [15, 11, 9]}"));
  };
  const std::string rule =
      "but one that moves must be at least 4 and should be 8; take a finer grid";
  EXPECT_EQ(with(1.95, ""), "");
  EXPECT_EQ(with(2, ", free: {density: 2}"), "");
  EXPECT_EQ(with(1.95, ", free: {density: 2}"),
            "solids.ball.free: the body is 3.9 cells wide, " + rule);
  EXPECT_EQ(with(1.5, ", motion: {}"), "solids.ball.motion: the body is 3 cells wide, " + rule);
}

TEST(RefusedBodies, that_fill_the_box_are_refused) {
  EXPECT_EQ(message_about(staggered_case("  all: {shape: formula, surface: -1}"), 3),
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
  const std::string rule = "; a body may meet walls, symmetry planes and periodic sides alone";
  EXPECT_EQ(sphere_at("[7, 5, 5]"), "");
  EXPECT_EQ(sphere_at("[1.7, 5, 5]"), "");  // no point of the face
  EXPECT_EQ(sphere_at("[1, 5.5, 5.5]"),
            "solids.ball: it reaches boundaries.x_min, of type inflow, at (0, 5.5, 4.5)" + rule);
  EXPECT_EQ(sphere_at("[14, 5.5, 5.5]"),
            "solids.ball: it reaches boundaries.x_max, of type outflow, at (15, 5.5, 4.5)" + rule);
  // One rank alone meets it; all say which.
  const std::string of_ranks = sphere_at("[14, 5.5, 7.5]", 3);
  EXPECT_TRUE(of_ranks.starts_with("rank 2 on ")) << of_ranks;
  EXPECT_TRUE(of_ranks.ends_with(
      ": solids.ball: it reaches boundaries.x_max, of type outflow, at (15, 5.5, 6.5)" + rule))
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
  EXPECT_EQ(
      message_about(resolved),
      "solids.ball: it reaches boundaries.x_max, of type outflow, at (15, 5, 4); a body may meet "
      "walls, symmetry planes and periodic sides alone");
}

const std::string through_x = "x_min: {type: inflow, velocity: [1, 0, 0]}, x_max: {type: outflow}";

/// A plate of cells 5 to 7 along an axis, with holes of two cells at places along the others.
std::string plate(int axis, const std::vector<std::array<double, 2>>& holes) {
  const std::string names = "xyz";
  const char across = names[axis];
  const char first = names[static_cast<std::size_t>(axis + 1) % 3];
  const char second = names[static_cast<std::size_t>(axis + 2) % 3];
  std::string inside = fmt::format("abs({} - 6.5) - 1.2", across);
  for (const auto& [a, b] : holes)
    inside =
        fmt::format("max({}, 1.1 - max(abs({} - {}), abs({} - {})))", inside, first, a, second, b);
  return fmt::format("  plate: {{shape: formula, surface: \"{}\"}}", inside);
}

const std::string cells_of_one = "{points: [15, 13, 17], length: [15, 13, 17]}";

TEST(ClosedWays, between_inflow_and_outflow_are_named_with_the_place) {
  const std::string message =
      "solids.plate: closes the way from boundaries.x_min, of type inflow, at (5, ";
  for (const std::string& sides : {std::string(", y: periodic, z: periodic"),
                                   std::string(", y_min: {type: wall}, y_max: {type: symmetry}, "
                                               "z_min: {type: wall}, z_max: {type: wall}")}) {
    for (const int ranks : {1, 2, 3}) {
      const auto about = [&](const std::string& body) {
        return message_about(staggered_case(body, through_x + sides, cells_of_one), ranks);
      };
      const std::string found = about(plate(0, {}));
      EXPECT_TRUE(found.starts_with(message)) << found;
      EXPECT_TRUE(found.ends_with("): what flows in there cannot flow out")) << found;
      EXPECT_EQ(about(plate(0, {{5, 12}})), "");
      EXPECT_EQ(about(plate(0, {{5, 5}, {9, 14}})), "");
    }
  }
}

/// Round each periodic axis, on slabs that the way crosses.
TEST(ClosedWays, round_a_periodic_axis_are_what_a_bulk_velocity_needs) {
  const auto about =
      [&](int axis, const std::string& body, const PerAxis<double>& bulk, int ranks) {
        std::string faces;
        for (int a = 0; a < 3; ++a) {
          const std::string& name = axis_names[a];
          faces += (a == 0 ? "" : ", ") + (a == axis || a == 1 ? name + ": periodic"
                                                               : name + "_min: {type: wall}, " +
                                                                     name + "_max: {type: wall}");
        }
        return message_about(
            staggered_case(fmt::format("{}\nforcing: {{type: bulk_velocity, value: [{}, {}, {}]}}",
                                       body,
                                       bulk[0],
                                       bulk[1],
                                       bulk[2]),
                           faces,
                           cells_of_one),
            ranks);
      };
  for (const int axis : {0, 1, 2}) {
    PerAxis<double> bulk{};
    bulk[axis] = 0.5;
    for (const int ranks : {1, 2}) {
      const std::string found = about(axis, plate(axis, {}), bulk, ranks);
      EXPECT_TRUE(found.starts_with(
          fmt::format("solids.plate: closes the box along {} at (", axis_names[axis])))
          << found;
      EXPECT_NE(found.find("bulk velocity of 0.5"), std::string::npos) << found;
      EXPECT_EQ(about(axis, plate(axis, {{6, 6}}), bulk, ranks), "") << axis;
      EXPECT_EQ(about(axis, plate(axis, {}), {}, ranks), "") << axis;  // 0 is no flow
    }
  }
}

/// A way that reaches the other side of the box, but of the next period: round y, not round z.
TEST(ClosedWays, know_whether_they_have_gone_round) {
  // Two plates across z; what is between them and what is beyond is open along y alone.
  const std::string plates =
      "  plates: {shape: formula, surface: \"min(abs(z - 4), abs(z - 12)) - 1.2\"}\n";
  const auto about = [&](const std::string& bulk, int ranks) {
    return message_about(
        staggered_case(plates + "forcing: {type: bulk_velocity, value: " + bulk + "}",
                       all_periodic,
                       cells_of_one),
        ranks);
  };
  for (const int ranks : {1, 2}) {
    EXPECT_EQ(about("[0, 1, 0]", ranks), "");
    EXPECT_EQ(about("[1, 0, 0]", ranks), "");
    EXPECT_TRUE(
        about("[0, 0, 1]", ranks).starts_with("solids.plates: closes the box along z at ("));
  }
}

TEST(ClosedWays, are_none_of_bodies_that_carry_the_flux_themselves) {
  const std::string faces = through_x + ", y: periodic, z: periodic";
  const std::string piston = "  piston: {shape: box, min: [4.6, -9, -9], max: [7.4, 30, 30]";
  EXPECT_EQ(message_about(staggered_case(piston + ", velocity: [1, 0, 0]}", faces, cells_of_one)),
            "");
  EXPECT_NE(message_about(staggered_case(piston + "}", faces, cells_of_one)), "");
}

/// Blowing and suction through one face needs no outflow beside it.
TEST(ClosedWays, are_no_matter_of_inflow_that_adds_up_to_nothing) {
  const auto about = [&](const std::string& velocity) {
    return message_about(
        staggered_case("  roof: {shape: box, min: [-9, 5.6, -9], max: [30, 8.4, 30]}",
                       "x: periodic, y_min: {type: inflow, velocity: [0, \"" + velocity +
                           "\", 0]}, y_max: "
                           "{type: outflow}, z: periodic",
                       cells_of_one));
  };
  EXPECT_EQ(about("sin(2*pi*x/15)"), "");
  EXPECT_TRUE(about("1 + sin(2*pi*x/15)").starts_with("solids.roof: closes the way from "));
}

}  // namespace
}  // namespace dns::testing::test_refused_bodies
