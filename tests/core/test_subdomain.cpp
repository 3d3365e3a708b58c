#include <gtest/gtest.h>

#include "solver/core/subdomain.hpp"

namespace dns::test_subdomain {
namespace {

TEST(subdomain, of_one_rank_is_the_whole_box) {
  const Subdomain box = Subdomain::whole_box({7, 5, 11}, {false, true, false});
  EXPECT_EQ(box.points(), (Extents{7, 5, 11}));
  for (const int axis : {0, 1, 2}) {
    EXPECT_EQ(box.first(axis), 0);
    EXPECT_EQ(box.is_periodic(axis), axis == 1);
    EXPECT_EQ(box.is_boundary(axis, false), axis != 1);
    EXPECT_EQ(box.is_boundary(axis, true), axis != 1);
  }
}

TEST(subdomain, slabs_follow_each_other_and_differ_by_a_plane_at_most) {
  for (const int ranks : {1, 2, 3, 4, 11}) {
    const Subdomain box = Subdomain::whole_box({7, 5, 11}, {false, true, false});
    int next = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      const Subdomain slab = box.slab(rank, ranks);
      EXPECT_EQ(slab.whole, box.whole);
      EXPECT_EQ(slab.first(0), 0);
      EXPECT_EQ(slab.first(1), 0);
      EXPECT_EQ(slab.first(2), next);
      EXPECT_EQ(slab.points().nx, 7);
      EXPECT_EQ(slab.points().ny, 5);
      EXPECT_GE(slab.points().nz, 11 / ranks);
      EXPECT_LE(slab.points().nz, (11 + ranks - 1) / ranks);
      next = slab.part.end.k;
    }
    EXPECT_EQ(next, 11);
  }
}

TEST(subdomain, slabs_have_neighbours_where_the_box_goes_on) {
  for (const bool is_periodic : {false, true}) {
    const End of_box = is_periodic ? End::neighbour : End::boundary;
    const Subdomain box = Subdomain::whole_box({7, 5, 11}, {true, false, is_periodic});
    for (const int ranks : {2, 3}) {
      for (int rank = 0; rank < ranks; ++rank) {
        const Subdomain slab = box.slab(rank, ranks);
        EXPECT_EQ(slab.ends[0], box.ends[0]);
        EXPECT_EQ(slab.ends[1], box.ends[1]);
        EXPECT_EQ(slab.ends[2][0], rank == 0 ? of_box : End::neighbour);
        EXPECT_EQ(slab.ends[2][1], rank + 1 == ranks ? of_box : End::neighbour);
        EXPECT_FALSE(slab.is_periodic(2));
      }
    }
    EXPECT_EQ(box.slab(0, 1).ends, box.ends);
  }
}

}  // namespace
}  // namespace dns::test_subdomain
