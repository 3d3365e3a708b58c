/// Pictures written in the background.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fake_simulation.hpp"
#include "output_testing.hpp"
#include "solver/output/output_writer.hpp"
#include "solver/output/picture.hpp"

namespace dns {
namespace {

class SliceFilesTest : public FolderTest {
 protected:
  ShowSlices show() {
    return [this](std::vector<SlicePicture> pictures) { shown = std::move(pictures); };
  }

  FakeSimulation fake;
  std::vector<SlicePicture> shown;  // looked at when nothing is being written
};

TEST_F(SliceFilesTest, of_a_run_are_shown_too) {
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
  OutputWriter writer(resolved, fake, show());
  EXPECT_TRUE(shown.empty());
  fake.advance();
  writer.write({.slices = true});
  writer.finish();
  EXPECT_EQ(names(), (std::set<std::string>{"slice_lid_00000001.png", "slice_mid_1_00000001.png"}));
  ASSERT_EQ(shown.size(), 2U);
  EXPECT_EQ(shown[1].name, "mid_1");
  EXPECT_EQ(shown[1].step, 1);
  const std::string path = in_folder("slice_mid_1_00000001.png");
  EXPECT_EQ(shown[1].png, read_whole(path));
  EXPECT_EQ(shown[1].facts, read_picture_facts(path)->text);
  EXPECT_TRUE(contains(shown[1].facts, "\"name\":\"mid_1\""));
}

TEST_F(SliceFilesTest, are_not_written_to_be_shown_alone) {
  OutputWriter writer(known_case(folder()), fake, show());
  fake.advance();
  writer.write({.live = true});
  writer.finish();
  EXPECT_TRUE(names().empty());
  ASSERT_EQ(shown.size(), 3U);  // the middle planes
  EXPECT_EQ(shown[0].step, 1);
  EXPECT_TRUE(shown[0].png.starts_with("\x89PNG"));
}

}  // namespace
}  // namespace dns
