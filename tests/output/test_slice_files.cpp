/// Pictures written in the background.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "fake_simulation.hpp"
#include "output_testing.hpp"
#include "solver/output/output_writer.hpp"
#include "solver/output/slice_labels.hpp"

namespace dns {
namespace {

class SliceFilesTest : public FolderTest {
 protected:
  FakeSimulation fake;
};

TEST_F(SliceFilesTest, of_a_run_go_to_the_board_too) {
  Case resolved = known_case(folder());
  resolved.output.slices = SlicesCase{.every = 1, .pixels = 16, .planes = {}};
  for (const char* const name : {"lid", "mid_1"}) {
    resolved.output.slices->planes.push_back({.name = name,
                                              .axis = 1,
                                              .at = 0.5,
                                              .variable = "temperature",
                                              .low = std::nullopt,
                                              .high = std::nullopt});
  }
  PictureBoard board;
  OutputWriter writer(resolved, fake, &board);
  EXPECT_TRUE(board.newest()->empty());
  fake.advance();
  writer.write({.slices = true});
  writer.finish();
  EXPECT_EQ(names(), (std::set<std::string>{"slice_lid_00000001.png", "slice_mid_1_00000001.png"}));
  ASSERT_EQ(board.newest()->size(), 2U);
  const SlicePicture second = board.newest()->at(1);
  EXPECT_EQ(second.plane.name, "mid_1");
  EXPECT_EQ(second.step, 1);
  EXPECT_EQ(second.png, second.picture.png());
  EXPECT_EQ(with_axes(second).picture.png(), read_whole(in_folder("slice_mid_1_00000001.png")));
}

TEST_F(SliceFilesTest, are_not_written_for_the_board_alone) {
  PictureBoard board;
  OutputWriter writer(known_case(folder()), fake, &board);
  fake.advance();
  writer.write({.live = true});
  writer.finish();
  EXPECT_TRUE(names().empty());
  ASSERT_EQ(board.newest()->size(), 3U);  // the middle planes
  EXPECT_EQ(board.newest()->at(0).step, 1);
  EXPECT_TRUE(board.newest()->at(0).png.starts_with("\x89PNG"));
}

}  // namespace
}  // namespace dns
