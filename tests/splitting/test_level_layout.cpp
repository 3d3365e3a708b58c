#include <gtest/gtest.h>

#include "solver/splitting/time_level.hpp"

namespace dns::test_level_layout {
namespace {

std::size_t count(const Box& box) {
  return box.extents().count();
}

TEST(level_layout, leaves_boundary_nodes_out_of_the_interior) {
  const LevelLayout layout =
      LevelLayout::of(Subdomain::whole_box({7, 5, 11}, {false, true, false}));
  EXPECT_EQ(count(layout.interior()), 5U * 5 * 9);
  EXPECT_EQ(layout.interior().begin.i, 1);
  EXPECT_EQ(layout.interior().begin.j, 0);
  EXPECT_EQ(count(layout.cells()), 6U * 5 * 10);
  EXPECT_EQ(layout.ghosts, (Extents{0, 1, 0}));
}

/// What ranks solve and sum up is what one rank does.
TEST(level_layout, of_slabs_holds_each_node_and_each_cell_once) {
  for (const bool is_periodic : {false, true}) {
    const Subdomain box = Subdomain::whole_box({7, 5, 11}, {false, true, is_periodic});
    const LevelLayout whole = LevelLayout::of(box);
    for (const int ranks : {1, 2, 3}) {
      std::size_t nodes = 0;
      std::size_t cells = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        const Subdomain slab = box.slab(rank, ranks);
        const LevelLayout layout = LevelLayout::of(slab);
        EXPECT_EQ(layout.interior().begin.k + slab.first(2),
                  rank == 0 ? whole.interior().begin.k : slab.first(2));
        nodes += count(layout.interior());
        cells += count(layout.cells());
      }
      EXPECT_EQ(nodes, count(whole.interior()));
      EXPECT_EQ(cells, count(whole.cells()));
    }
  }
}

}  // namespace
}  // namespace dns::test_level_layout
