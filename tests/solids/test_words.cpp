/// What is said of bodies: how many points they hold, and where they are thin.
#include "tests/solids/box_case.hpp"

namespace dns::testing::test_words {
namespace {

std::vector<std::string> words_of(const Case& resolved, int ranks = 1) {
  std::vector<std::string> words;
  ThreadRanks::run(ranks, [&](Communicator& communicator) {
    const Subdomain part = whole_box(resolved).slab(communicator.rank(), ranks);
    const auto points = find_solid_points(resolved, part, communicator);
    auto own = solids_in_words(resolved, part, points.back(), communicator);
    if (communicator.rank() == ranks - 1) words = std::move(own);
  });
  return words;
}

Case box_with(const std::string& solids) {
  return staggered_case(solids, all_periodic, cube_of(20));  // cells of 0.05
}

TEST(SolidWords, count_cells_and_say_nothing_of_thick_bodies) {
  const std::string ball = "  ball: {shape: sphere, center: [0.51, 0.48, 0.5], radius: 0.23}";
  const std::string block = "\n  block: {shape: box, min: [0, 0, 0], max: [0.1, 0.1, 0.1]}";
  const auto words = words_of(box_with(ball + block));
  ASSERT_EQ(words.size(), 2U);
  EXPECT_EQ(words[0].find("thin"), std::string::npos) << words[0];
  EXPECT_EQ(words[1], "body block: 8 of 8000 cells");
  EXPECT_EQ(words_of(box_with(ball + block), 2), words);
}

TEST(SolidWords, tell_how_bodies_move) {
  const std::string ball = "  ball: {shape: sphere, center: [0.5, 0.5, 0.5], radius: 0.23";
  const auto words = [&](const std::string& more) {
    const std::string found = words_of(box_with(ball + more + "}")).front();
    return found.substr(found.find("cells") + 5);
  };
  EXPECT_EQ(words(""), "");
  EXPECT_EQ(words(", motion: {}"), "; it moves");
  EXPECT_EQ(words(", free: {density: 1.5}"), "; it is free, of density 1.5");
  EXPECT_EQ(words(", free: {density: 2}, spring: {damping: [1, 0, 0]}"),
            "; it is free, of density 2, on springs");
}

TEST(SolidWords, name_a_place_where_a_plate_is_one_cell_thick) {
  const auto words =
      words_of(box_with("  plate: {shape: box, min: [0.21, 0.3, 0.3], max: [0.26, 0.7, 0.7]}"), 2);
  ASSERT_EQ(words.size(), 1U);
  EXPECT_EQ(words[0],
            "body plate: 64 of 8000 cells; at (0.225, 0.325, 0.325) it is thinner than two, and "
            "may leak");
}

}  // namespace
}  // namespace dns::testing::test_words
