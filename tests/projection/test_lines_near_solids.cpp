/// Which lines of a box are swept with bodies.
#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "solver/projection/solid_pulls.hpp"

namespace dns::test_lines_near_solids {
namespace {

using Line = std::tuple<int, int>;

/// The lines of a box along an axis; fails where one is there already.
void add_lines(const Box& box, int axis, std::set<Line>& lines) {
  const int p = axis == 0 ? 1 : 0;
  const int q = axis == 2 ? 1 : 2;
  for (int n = box.begin[p]; n < box.end[p]; ++n) {
    for (int m = box.begin[q]; m < box.end[q]; ++m)
      EXPECT_TRUE(lines.insert({n, m}).second) << n << " " << m;
  }
}

void expect_all_lines_once(const Box& box, const Box& near, int axis) {
  SCOPED_TRACE(axis);
  const LinePieces pieces = pieces_of_lines(box, near, axis);
  std::set<Line> all;
  add_lines(box, axis, all);
  std::set<Line> found;
  add_lines(pieces.near, axis, found);
  std::set<Line> wanted;
  add_lines(common_box(near, box), axis, wanted);
  for (const Line& line : wanted) EXPECT_TRUE(found.contains(line));
  for (const Box& far : pieces.far) {
    const Extents all_points = box.extents();
    EXPECT_EQ(far.extents()[axis], all_points[axis]);
    add_lines(far, axis, found);
  }
  EXPECT_EQ(found, all);
}

TEST(LinesNearSolids, of_a_small_body_in_a_large_box_are_few) {
  const Box box{{1, 0, 0}, {201, 170, 151}};
  const Box near{{70, 61, 40}, {97, 83, 66}};
  for (const int axis : {0, 1, 2}) {
    expect_all_lines_once(box, near, axis);
    const LinePieces pieces = pieces_of_lines(box, near, axis);
    EXPECT_GE(pieces.far.size(), 2U);
    EXPECT_LT(pieces.near.extents().count(), box.extents().count() / 3);
  }
}

TEST(LinesNearSolids, are_all_where_bodies_are_everywhere_or_the_box_is_small) {
  const Box box{{0, 0, 1}, {120, 110, 100}};
  const Box small{{0, 0, 0}, {20, 21, 22}};
  for (const int axis : {0, 1, 2}) {
    expect_all_lines_once(box, {{0, 0, 0}, {120, 110, 100}}, axis);
    expect_all_lines_once(small, {{5, 6, 7}, {9, 9, 9}}, axis);
    EXPECT_TRUE(pieces_of_lines(small, {{5, 6, 7}, {9, 9, 9}}, axis).far.empty());
  }
}

TEST(LinesNearSolids, of_no_body_are_none) {
  const Box box{{0, 0, 1}, {12, 11, 10}};
  const LinePieces pieces = pieces_of_lines(box, {}, 1);
  EXPECT_EQ(pieces.near.extents().count(), 0U);
  ASSERT_EQ(pieces.far.size(), 1U);
  EXPECT_EQ(pieces.far[0].extents(), box.extents());
}

/// A body that reaches from one end of the box to the other along two axes.
TEST(LinesNearSolids, of_a_rod_are_those_beside_it) {
  const Box box{{0, 0, 0}, {256, 256, 96}};
  const Box rod{{100, 120, 0}, {140, 150, 96}};
  for (const int axis : {0, 1, 2}) {
    expect_all_lines_once(box, rod, axis);
    EXPECT_LT(pieces_of_lines(box, rod, axis).near.extents().count(), box.extents().count() / 3);
  }
}

}  // namespace
}  // namespace dns::test_lines_near_solids
