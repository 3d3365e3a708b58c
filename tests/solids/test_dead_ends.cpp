/// Faces that can carry nothing, and slabs of a box full of them.
#include <fmt/format.h>

#include <set>

#include "tests/solids/box_case.hpp"

namespace dns::testing::test_dead_ends {
namespace {

/// Cells of size 1, with a block and a channel in it of one cell's cross-section along x, at
/// y = z = 5.5: of all cells from `first` on and before `end`.
Case block_with_channel(
    double low, double high, double first, double end, const std::string& x_faces) {
  return staggered_case(
      fmt::format(
          "  it: {{shape: formula, surface: \"max(max(max({} - x, x - {}), max(abs(y - 5.5), "
          "abs(z - 5.5)) - 2.2), -max(max({} - x, x - {}), max(abs(y - 5.5), abs(z - 5.5)) "
          "- 0.4))\"}}",
          low,
          high,
          first,
          end),
      x_faces + ", y: periodic, z: periodic",
      "{points: [15, 11, 9], length: [15, 11, 9]}");
}

const std::string walls_along_x = "x_min: {type: wall}, x_max: {type: wall}";
const std::string flow_along_x =
    "x_min: {type: inflow, velocity: [1, 0, 0]}, x_max: {type: "
    "outflow}";
const std::string symmetry_along_x = "x_min: {type: symmetry}, x_max: {type: symmetry}";

/// The faces across x in the channel that are part of the body.
std::set<int> closed_faces(const Case& resolved) {
  const SolidPoints u = points_of(resolved)[0];
  std::set<int> closed;
  for (int i = 0; i < resolved.grid.points.nx; ++i) {
    if (u.body_at({i, 5, 5}) != no_body) closed.insert(i);
  }
  return closed;
}

TEST(DeadEnds, of_a_pocket_of_one_cell_and_of_a_chain_of_cells_are_closed) {
  // Faces 5 to 11 are in the block; the channel ends before face 6, 7, 9.
  const std::set<int> of_block{5, 6, 7, 8, 9, 10, 11};
  for (const double end : {5.7, 6.7, 8.7})
    EXPECT_EQ(closed_faces(block_with_channel(4.8, 11.1, 0, end, "x: periodic")), of_block);
}

TEST(DeadEnds, are_none_in_a_channel_with_two_ends) {
  EXPECT_EQ(closed_faces(block_with_channel(4.8, 11.1, 0, 15, "x: periodic")), std::set<int>{});
}

TEST(DeadEnds, of_channels_that_end_at_walls_and_symmetry_planes_are_closed_but_not_at_outflow) {
  const auto faces = [](const std::string& x_faces, double first) {
    return closed_faces(block_with_channel(4.8, 14.8, first, 15, x_faces));
  };
  const std::set<int> all{5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
  EXPECT_EQ(faces(walls_along_x, 0), all);
  EXPECT_EQ(faces(symmetry_along_x, 0), all);
  EXPECT_EQ(faces(flow_along_x, 0), std::set<int>{});
  EXPECT_EQ(faces(flow_along_x, 11.5), all);  // the other end is in the block
}

TEST(DeadEnds, give_no_cuts_to_the_fluid_around) {
  const Case resolved = block_with_channel(4.8, 11.1, 0, 8.7, "x: periodic");
  const SolidPoints u = points_of(resolved)[0];
  ASSERT_NE(u.body_at({5, 5, 5}), no_body);
  std::size_t in_front = 0;
  for (const Cut& cut : u.cuts) {
    EXPECT_EQ(u.body_at(cut.point), no_body);
    if (cut.point.i != 4 || cut.axis != 0) continue;
    ++in_front;
    EXPECT_TRUE(cut.is_high);
    EXPECT_FALSE(cut.point.j == 5 && cut.point.k == 5);
    EXPECT_NEAR(cut.theta, 0.8, 1e-9);
  }
  EXPECT_EQ(in_front, 24U);  // 5 x 5 faces in the block, and the mouth of the channel
}

/// A box of pores: each point is in the body or not as a wild function says.
Case pores(const std::string& boundaries, double solid_share) {
  return staggered_case(
      fmt::format("  it: {{shape: formula, surface: \"abs(sin(1733.3*x + 977.7*y + 311.1*z + "
                  "7*sin(571.3*z*x))) - {}\"}}",
                  solid_share),
      boundaries);
}

/// What find_solid_points says of a point before dead ends are closed.
std::size_t dead_ends_in(const Case& resolved, const std::vector<SolidPoints>& points) {
  std::size_t count = 0;
  for (int variable = 0; variable < 3; ++variable) {
    const Places places(resolved, variable);
    const SolidPoints& of = points[variable];
    for_each_point(resolved, [&](Index3 c) {
      const PerAxis<double> x = places.at(c);
      const bool is_open = resolved.solids[0].surface(x[0], x[1], x[2], 0) > 0;
      count += of.body_at(c) != no_body && is_open ? 1 : 0;
    });
  }
  return count;
}

class SlabsOfPores : public ::testing::TestWithParam<std::tuple<int, std::string>> {};

TEST_P(SlabsOfPores, are_those_of_the_whole_box) {
  const auto& [ranks, boundaries] = GetParam();
  const Case resolved = pores(boundaries, 0.85);
  const std::vector<SolidPoints> whole = points_of(resolved);
  ASSERT_GT(dead_ends_in(resolved, whole), 50U);
  ThreadRanks::run(ranks, [&, ranks = ranks](Communicator& communicator) {
    const Subdomain part = whole_box(resolved).slab(communicator.rank(), ranks);
    const std::vector<SolidPoints> found = find_solid_points(resolved, part, communicator);
    for (std::size_t variable = 0; variable < 4; ++variable) {
      const SolidPoints& points = found[variable];
      const Box box = points.box;
      const int first = part.first(2);
      std::size_t differences = 0;
      for (int k = box.begin.k; k < box.end.k; ++k) {
        for (int j = box.begin.j; j < box.end.j; ++j) {
          for (int i = box.begin.i; i < box.end.i; ++i)
            differences +=
                points.body_at({i, j, k}) == whole[variable].body_at({i, j, k + first}) ? 0 : 1;
        }
      }
      EXPECT_EQ(differences, 0U) << "variable " << variable << " rank " << communicator.rank();
      auto cut = points.cuts.begin();
      for (const Cut& expected : whole[variable].cuts) {
        if (expected.point.k < part.part.begin.k || expected.point.k >= part.part.end.k) continue;
        ASSERT_NE(cut, points.cuts.end());
        EXPECT_EQ(cut->point.i, expected.point.i);
        EXPECT_EQ(cut->point.j, expected.point.j);
        EXPECT_EQ(cut->point.k + first, expected.point.k);
        EXPECT_EQ(cut->axis, expected.axis);
        EXPECT_EQ(cut->is_high, expected.is_high);
        EXPECT_EQ(cut->theta, expected.theta);
        EXPECT_EQ(cut->body, expected.body);
        ++cut;
      }
      EXPECT_EQ(cut, points.cuts.end());
    }
  });
}

INSTANTIATE_TEST_SUITE_P(
    ranks,
    SlabsOfPores,
    ::testing::Combine(
        ::testing::Values(2, 3),
        ::testing::Values(boundaries_with_walls,
                          "x: periodic, y: periodic, z_min: {type: wall}, z_max: {type: "
                          "symmetry}")));

}  // namespace
}  // namespace dns::testing::test_dead_ends
