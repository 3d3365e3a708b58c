/// Pictures written in the background.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fake_simulation.hpp"
#include "output_of_a_run.hpp"
#include "output_testing.hpp"
#include "solver/output/picture.hpp"

namespace dns {
namespace {

/// Somebody who always looks.
class FakeViewer final : public PictureViewer {
 public:
  [[nodiscard]] bool is_watched() const override { return true; }
  [[nodiscard]] bool wants_pictures() const override { return true; }
  void spend(double /*seconds*/) override {}
  void put(std::vector<SlicePicture> pictures) override { shown = std::move(pictures); }

  std::vector<SlicePicture> shown;  // looked at when nothing is being written
};

class SliceFilesTest : public FolderTest {
 protected:
  FakeSimulation fake;
  FakeViewer viewer;
  std::vector<SlicePicture>& shown = viewer.shown;
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
  OutputOfRun writer(resolved, fake, alone(), &viewer);
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
  OutputOfRun writer(known_case(folder()), fake, alone(), &viewer);
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
