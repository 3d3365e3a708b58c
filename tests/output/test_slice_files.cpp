/// Pictures written in the background.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "fake_simulation.hpp"
#include "output_of_a_run.hpp"
#include "output_testing.hpp"
#include "solver/files/run_files.hpp"
#include "solver/output/picture.hpp"

namespace dns::test_slice_files {
namespace {

using std::chrono::milliseconds;

class SliceFilesTest : public FolderTest {
 protected:
  /// What the page does while somebody looks. Distinct also where a file system knows few times.
  void look() const {
    std::this_thread::sleep_for(milliseconds(20));
    write_text_file(in_folder(".watched"), "");
  }

  /// How urgently a run asks for pictures, some time from now on.
  static Ask urgency(const OutputOfRun& run, milliseconds wait, bool is_writer_idle = true) {
    std::this_thread::sleep_for(wait);
    return std::ranges::max(run.outputs().asks(is_writer_idle));
  }

  [[nodiscard]] Case case_with_slices() const {
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
    return resolved;
  }

  static constexpr milliseconds at_once{0};
  static constexpr milliseconds next_look{1050};
  FakeSimulation fake;
};

TEST_F(SliceFilesTest, of_a_run_are_those_of_the_page_while_somebody_looks) {
  OutputOfRun writer(case_with_slices(), fake);
  fake.advance();
  writer.write({.slices = true});
  writer.finish();
  const std::set<std::string> files{"slice_lid_00000001.png", "slice_mid_1_00000001.png"};
  EXPECT_EQ(names(), files);
  const auto facts = read_picture_facts(in_folder("slice_mid_1_00000001.png"));
  EXPECT_TRUE(contains(facts->text, "\"name\":\"mid_1\"")) << facts->text;
  look();
  EXPECT_EQ(urgency(writer, next_look), Ask::now);
  writer.write({.slices = true});
  writer.finish();
  std::string all;
  for (const std::string& file : files) all += read_whole(in_folder(file));
  EXPECT_EQ(read_whole(in_folder(".pictures")), all);
  OutputOfRun(case_with_slices(), fake).finish();
  EXPECT_FALSE(names().contains(".pictures")) << "of the start before";
}

TEST_F(SliceFilesTest, for_a_page_alone_are_one_file_of_the_middle_planes) {
  look();
  OutputOfRun writer(known_case(folder()), fake, alone(), true);
  EXPECT_EQ(urgency(writer, at_once), Ask::nothing) << "somebody looked before the run began";
  fake.advance();
  writer.write({.live = true});
  writer.finish();
  EXPECT_EQ(names(), std::set<std::string>{".watched"});
  look();
  EXPECT_EQ(urgency(writer, next_look), Ask::now);
  EXPECT_EQ(urgency(writer, at_once, false), Ask::with_others);
  writer.write({.live = true});
  writer.finish();
  EXPECT_EQ(names(), (std::set<std::string>{".pictures", ".watched"}));
  const std::string all = read_whole(in_folder(".pictures"));
  std::size_t at = 0;
  for (const char* const name : {"x", "y", "z"}) {
    EXPECT_EQ(all.substr(at, 4), "\x89PNG") << name;
    EXPECT_NE(all.find(std::string("\"name\":\"") + name, at), std::string::npos);
    at = std::min(all.find("\x89PNG\r\n", at + 1), all.size());
  }
  EXPECT_EQ(at, all.size());
}

TEST_F(SliceFilesTest, for_a_page_take_a_second_and_a_twentieth_of_the_time) {
  OutputOfRun writer(known_case(folder()), fake, alone(), true);
  EXPECT_EQ(urgency(writer, at_once), Ask::nothing);
  look();
  EXPECT_EQ(urgency(writer, next_look), Ask::now);
  const auto spend = [&](double seconds) {
    for (const auto& output : writer.outputs()) output->spent(seconds);
  };
  spend(0.001);
  EXPECT_EQ(urgency(writer, milliseconds(900)), Ask::at_end);
  EXPECT_EQ(urgency(writer, milliseconds(150)), Ask::now);
  spend(0.001);
  spend(0.1);  // the rest of their cost, known later
  EXPECT_EQ(urgency(writer, milliseconds(1900)), Ask::at_end);
  EXPECT_EQ(urgency(writer, milliseconds(150)), Ask::now);
}

TEST_F(SliceFilesTest, are_for_nobody_where_neither_page_nor_slices_are_asked_for) {
  OutputOfRun writer(known_case(folder()), fake);
  EXPECT_EQ(urgency(writer, at_once), Ask::nothing);
  look();
  EXPECT_EQ(urgency(writer, next_look), Ask::nothing);
}

}  // namespace
}  // namespace dns::test_slice_files
