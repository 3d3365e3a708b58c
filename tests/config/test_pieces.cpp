/// Grids of uniform parts and cells that grow away from them, and `points: auto`.
#include <algorithm>
#include <cmath>
#include <vector>

#include "solver/config/pieces_of_axis.hpp"
#include "solver/config/value_parsers.hpp"
#include "tests/config/broken_case.hpp"

namespace dns::test_pieces {
namespace {

std::vector<double> widths_of(const std::vector<double>& faces) {
  std::vector<double> widths;
  for (std::size_t cell = 0; cell + 1 < faces.size(); ++cell)
    widths.push_back(faces[cell + 1] - faces[cell]);
  return widths;
}

TEST(pieces_of_an_axis, have_the_fewest_cells_that_the_ratio_allows) {
  const std::vector<double> faces = faces_of_pieces(-15, 30, {{-1, 3, 0.1}}, 1.08);
  // 0.1 (1.08^(n+1) - 1.08)/0.08 reaches 14 with n = 32, and 27 with n = 40.
  ASSERT_EQ(faces.size(), 32U + 40U + 40U + 1U);
  EXPECT_EQ(faces.front(), -15);
  EXPECT_EQ(faces.back(), 30);
  EXPECT_NEAR(faces[32], -1, 1e-14);
  EXPECT_NEAR(faces[72], 3, 1e-14);
  const std::vector<double> widths = widths_of(faces);
  for (std::size_t cell = 32; cell < 72; ++cell) EXPECT_NEAR(widths[cell], 0.1, 1e-13);
  const double left = widths[30] / widths[31];
  const double right = widths[73] / widths[72];
  EXPECT_GT(left, 1.07);
  EXPECT_LE(std::max(left, right), 1.08);
  for (std::size_t cell = 0; cell < 31; ++cell)
    EXPECT_NEAR(widths[cell] / widths[cell + 1], left, 1e-9);
  EXPECT_NEAR(widths[31] / 0.1, left, 1e-9);
  for (std::size_t cell = 73; cell + 1 < widths.size(); ++cell)
    EXPECT_NEAR(widths[cell + 1] / widths[cell], right, 1e-9);
  const LargestRatio largest = largest_ratio(faces, false);
  EXPECT_NEAR(largest.ratio, std::max(left, right), 1e-9);
  // Across the ends of a periodic axis the first cell meets the last one.
  EXPECT_NEAR(largest_ratio(faces, true).ratio, widths.back() / widths.front(), 1e-9);
}

/// 1e-4 (r^(n+1) - r)/(r - 1) = r^(n+1) - r with r = 1.0001 reaches 10 with n cells.
TEST(pieces_of_an_axis, may_be_many_cells_that_hardly_grow) {
  const double ratio = 1.0001;
  const auto count =
      static_cast<std::size_t>(std::ceil(std::log(10 + ratio) / std::log(ratio))) - 1;
  const std::vector<double> faces = faces_of_pieces(0, 11, {{0, 1, 1e-4}}, ratio);
  EXPECT_EQ(faces.size(), 10000U + count + 1U);
  EXPECT_LE(largest_ratio(faces, false).ratio, ratio * (1 + 1e-6));
  const auto longer = [ratio] {  // 69081 cells
    static_cast<void>(faces_of_pieces(0, 1000, {{0, 1, 1e-4}}, ratio));
  };
  EXPECT_EQ(message_of<ValueMistake>(longer), "a part whose cells reach the ends");
}

TEST(pieces_of_an_axis, meet_between_parts_of_other_widths_within_the_ratio) {
  const std::vector<double> faces =
      faces_of_pieces(0, 7, {{4, 5, 0.07}, {0, 1, 0.1}, {6.5, 7, 0.25}}, 1.2);
  EXPECT_LE(largest_ratio(faces, false).ratio, 1.2 * (1 + 1e-6));
  EXPECT_TRUE(std::ranges::is_sorted(faces));
  for (const double place : {0.0, 1.0, 4.0, 5.0, 6.5, 7.0}) {
    const bool is_face =
        std::ranges::any_of(faces, [&](double face) { return std::abs(face - place) < 1e-13; });
    EXPECT_TRUE(is_face) << place;
  }
  // 1/0.07 is rounded to 14 cells.
  const std::vector<double> widths = widths_of(faces);
  EXPECT_EQ(std::ranges::count_if(widths, [](double w) { return std::abs(w - 1.0 / 14) < 1e-9; }),
            14);
}

const std::string two_pieces = edited_case("  points: [8, 9, 4]\n",
                                           "  points: [auto, auto, 4]\n"
                                           "  length: [9, 5, 0.5]\n"
                                           "  origin: [-2, 0, 0]\n"
                                           "  stretching:\n"
                                           "    x: {uniform: [-1, 1, 0.25], ratio: 1.25}\n"
                                           "    y: {type: pieces, uniform: [[0, h, h/4], [4, 5, "
                                           "0.5]], ratio: 1.2}\n",
                                           "parameters: {h: 1}\n" + valid_projection);

TEST(pieces_of_an_axis, of_a_case_are_its_coordinates) {
  const Case read = parse_case(two_pieces, "case.yaml", {});
  const StretchingCase& x = read.grid.stretching[0];
  EXPECT_EQ(x.coordinates, faces_of_pieces(-2, 7, {{-1, 1, 0.25}}, 1.25));
  EXPECT_EQ(read.grid.stretching[1].coordinates,
            faces_of_pieces(0, 5, {{0, 1, 0.25}, {4, 5, 0.5}}, 1.2));
  EXPECT_EQ(read.grid.points.nx, static_cast<int>(x.coordinates.size()) - 1);
  const Case again = parse_case(to_yaml(read), "case.yaml", {});
  EXPECT_EQ(again.grid.stretching[0].coordinates, x.coordinates);
  EXPECT_EQ(to_yaml(again), to_yaml(read));
}

TEST(pieces_of_an_axis, are_refused_with_place_and_rule) {
  const auto messages = [](const std::string& from, const std::string& to) {
    return messages_of(edited_case(from, to, two_pieces));
  };
  const auto expect = [&](const std::string& from, const std::string& to, const std::string& part) {
    const std::string text = messages(from, to);
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  expect(
      "ratio: 1.25", "ratio: 1", "case.yaml:9:33: grid.stretching.x.ratio is 1, but must be > 1 (");
  expect(
      "[-1, 1, 0.25]",
      "[-1, 8, 0.25]",
      "case.yaml:9:9: grid.stretching.x.uniform is [-1, 8, 0.25], but must be made of parts from "
      "-2 to 7 that do not overlap");
  expect("[-1, 1, 0.25]", "[-1, 1]", "but must be a list [first, last, width]");
  expect("[-1, 1, 0.25]", "[1, -1, 0.25]", "must be ascending");
  expect("[-1, 1, 0.25]",
         "[-1.9, 1, 0.25]",
         "; from -2 to -1.9 the best ratio of neighbours is 2.42, above 1.25");
  expect("[auto, auto, 4]", "[9, auto, 4]", "grid.points[0] is 9, but must be 19 or auto");
  expect("[auto, auto, 4]", "auto", "case.yaml:5:3: grid.points: auto along z needs ");
  EXPECT_EQ(messages_of(edited_case("points: [8, 9, 10]", "points: [auto, 9, 10]")),
            "case.yaml:4:3: grid.points: auto along x needs grid.stretching.x with type pieces or "
            "coordinates, in scheme projection");
}

}  // namespace
}  // namespace dns::test_pieces
