#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "tests/backend/backend_tests.hpp"
#include "tests/backend/cuda_device.cuh"
#include "tests/backend/profile_tests.hpp"

namespace dns::testing {
namespace {

using CudaDevices = ::testing::Types<CudaDevice<float>, CudaDevice<double>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Cuda, BackendTest, CudaDevices);
INSTANTIATE_TYPED_TEST_SUITE_P(Cuda, ProfileTest, CudaDevices);

/// A warp's access is served in groups of lanes that fill the 128 bytes of all banks once: 32 words
/// of a float, 16 of a double. The most lanes of a group that want the same bank.
template <class Real, class WordOf>
int most_per_bank(const WordOf& word_of_lane) {
  constexpr int lanes_at_once = 128 / static_cast<int>(sizeof(Real));
  int most = 0;
  for (int group = 0; group < 32; group += lanes_at_once) {
    std::map<int, std::set<int>> words;
    for (int lane = group; lane < group + lanes_at_once; ++lane) {
      const int word = word_of_lane(lane);
      words[word % lanes_at_once].insert(word);
    }
    for (const auto& [bank, wanted] : words) most = std::max(most, static_cast<int>(wanted.size()));
  }
  return most;
}

template <class Real>
class SweepShapeTest : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(SweepShapeTest, Reals);

TYPED_TEST(SweepShapeTest, rows_of_a_tile_and_pieces_of_a_line_meet_different_banks) {
  constexpr int shared_bytes = 227 * 1024;
  for (const auto [most_points, rows, warps] : piece_choices<Axis::y, TypeParam, 4>) {
    for (const int n : {most_points, most_points - 1, 7 * most_points / 8}) {
      SCOPED_TRACE(std::to_string(n) + " points, " + std::to_string(rows) + " rows per lane");
      const Box box{{1, 1, 1}, {n + 1, n + 1, n + 1}};
      const SweepShape shape = sweep_shape<Axis::y, TypeParam, 4>(box, rows, 5, shared_bytes);
      EXPECT_EQ(shape.lines(), 8);
      EXPECT_EQ(most_per_bank<TypeParam>([&](int lane) {  // gathering: lines, then rows
                  return (lane & (shape.lines() - 1)) * shape.pitch + (lane >> shape.lines_log2);
                }),
                1);
      EXPECT_EQ(most_per_bank<TypeParam>([&](int lane) {  // gathering pieces: lines, then pieces
                  return (lane & (shape.lines() - 1)) * shape.pitch +
                         (lane >> shape.lines_log2) * rows;
                }),
                1);
      EXPECT_EQ(most_per_bank<TypeParam>([&](int lane) {  // solving: pieces, then lines
                  return shape.spread_line_of(lane) * shape.pitch +
                         (lane & (shape.lanes() - 1)) * rows;
                }),
                1);
    }
  }
  for (const auto [most_points, rows, warps] : piece_choices<Axis::x, TypeParam, 4>) {
    if (warps > 1) continue;  // as one of the longest lines of a warp
    SCOPED_TRACE(std::to_string(most_points) + " points along x");
    const Box box{{1, 1, 1}, {most_points + 1, 9, 9}};
    const SweepShape shape = sweep_shape<Axis::x, TypeParam, 4>(box, rows, 5, shared_bytes);
    EXPECT_EQ(most_per_bank<TypeParam>([&](int lane) {
                return (lane >> shape.lanes_log2) * shape.pitch +
                       (lane & (shape.lanes() - 1)) * rows;
              }),
              1);
  }
}

TYPED_TEST(SweepShapeTest, lines_of_all_lengths_fit) {
  constexpr int shared_bytes = 99 * 1024;
  const auto fits = [&]<Axis axis>() {
    const auto& choices = piece_choices<axis, TypeParam, 4>;
    constexpr int longest = axis == Axis::x ? 32 * 4 * 17 : longest_line_on_chip(axis);
    for (int n = 2; n <= longest; ++n) {
      const auto choice = std::find_if(
          choices.begin(), choices.end(), [&](PieceChoice c) { return n <= c.most_points; });
      ASSERT_NE(choice, choices.end()) << n;
      const Box box{{1, 1, 1}, {n + 1, n + 1, n + 1}};
      const SweepShape shape = sweep_shape<axis, TypeParam, 4>(box, choice->rows, 5, shared_bytes);
      ASSERT_GE(shape.lines_log2, 0) << n;
      ASSERT_EQ(shape.threads() % 32, 0) << n;
      ASSERT_LE(shape.threads(), threads_of_block<axis>) << n;
      ASSERT_GE(shape.pieces * choice->rows, n) << n;
      ASSERT_GE(shape.lanes(), shape.pieces) << n;
      ASSERT_LE(shape.bytes(5, sizeof(TypeParam)), shared_bytes) << n;
    }
  };
  fits.template operator()<Axis::x>();
  fits.template operator()<Axis::y>();
  fits.template operator()<Axis::z>();
}

}  // namespace
}  // namespace dns::testing
