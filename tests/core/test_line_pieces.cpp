#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

#include "solver/core/line_pieces.hpp"

namespace dns {
namespace {

/// Unknowns 1 and 3 with matrix 1, unknowns 0 and 2 with matrix 0.
struct Alternating {
  static constexpr int unknowns = 4;
  static constexpr int matrix_of(int unknown) { return unknown % 2; }
};

TEST(matrix_of_a_system, has_the_unknowns_that_share_it) {
  using Odd = MatrixOf<Alternating, 1>;
  static_assert(Odd::unknowns == 2 && Odd::matrices == 1);
  EXPECT_EQ(Odd::original(0), 1);
  EXPECT_EQ(Odd::original(1), 3);
  using Even = MatrixOf<Alternating, 0>;
  EXPECT_EQ(Even::original(0), 0);
  EXPECT_EQ(Even::original(1), 2);
}

struct TwoUnknowns {
  static constexpr int matrices = 1;
  static constexpr int unknowns = 2;
  static constexpr int matrix_of(int /*unknown*/) { return 0; }
};

template <class Real>
class LinePiecesTest : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(LinePiecesTest, Reals);

/// A line of known solution, cut into pieces and put together again step by step as a GPU does with
/// a lane per piece, against the solution.
TYPED_TEST(LinePiecesTest, pieces_and_cyclic_reduction_recover_a_known_solution) {
  using Real = TypeParam;
  using Row = TridiagonalRow<TwoUnknowns, Real>;
  for (const std::size_t pieces : {1U, 2U, 3U, 5U, 16U, 29U}) {
    for (const std::size_t size : {2U, 3U, 7U}) {
      const std::size_t n = pieces * size;
      std::mt19937 random(static_cast<unsigned>(n));
      std::uniform_real_distribution<double> uniform(-1, 1);
      std::vector<double> exact[2];
      for (auto& values : exact) {
        for (std::size_t m = 0; m < n; ++m) values.push_back(10 * uniform(random));
      }
      std::vector<Row> rows(n);
      for (std::size_t m = 0; m < n; ++m) {
        const double lower = m == 0 ? 0 : uniform(random);
        const double upper = m == n - 1 ? 0 : uniform(random);
        const double diagonal = 3 + uniform(random);
        rows[m].lower[0] = static_cast<Real>(lower);
        rows[m].diagonal[0] = static_cast<Real>(diagonal);
        rows[m].upper[0] = static_cast<Real>(upper);
        for (std::size_t unknown = 0; unknown < 2; ++unknown) {
          const auto& x = exact[unknown];
          rows[m].rhs[unknown] =
              static_cast<Real>((m > 0 ? lower * x[m - 1] : 0) + diagonal * x[m] +
                                (m + 1 < n ? upper * x[m + 1] : 0));
        }
      }

      using Eliminated = EliminatedRow<TwoUnknowns, Real, true>;
      std::vector<Eliminated> eliminated(n);
      std::vector<FirstRow<TwoUnknowns, Real>> first(pieces + 1,
                                                     FirstRow<TwoUnknowns, Real>::itself());
      for (std::size_t piece = 0; piece < pieces; ++piece) {
        auto previous = before_first_row<TwoUnknowns, Real, true>();
        for (std::size_t m = piece * size; m + 1 < (piece + 1) * size; ++m) {
          eliminated[m] = previous = eliminate(rows[m], previous);
          first[piece].absorb(previous);
        }
      }
      std::vector<EndRow<TwoUnknowns, Real>> ends;
      for (std::size_t piece = 0; piece < pieces; ++piece) {
        const std::size_t end = (piece + 1) * size - 1;
        ends.push_back(EndRow<TwoUnknowns, Real>::from(
            rows[end], eliminated[end - 1], first[(piece + 1) % pieces]));
      }
      const auto none = EndRow<TwoUnknowns, Real>::fixed(Real(0));
      for (std::size_t distance = 1; distance < pieces; distance *= 2) {
        const auto before = ends;
        for (std::size_t k = 0; k < pieces; ++k) {
          ends[k] = cyclic_reduction_step(before[k],
                                          k >= distance ? before[k - distance] : none,
                                          k + distance < pieces ? before[k + distance] : none);
        }
      }
      const double limit = 500 * static_cast<double>(std::numeric_limits<Real>::epsilon());
      for (std::size_t piece = 0; piece < pieces; ++piece) {
        Real x[2] = {ends[piece].rhs[0], ends[piece].rhs[1]};
        Real x_before[2] = {};
        if (piece > 0) {
          for (int unknown = 0; unknown < 2; ++unknown) {
            x_before[unknown] = ends[piece - 1].rhs[unknown];
          }
        }
        for (std::size_t m = (piece + 1) * size; m-- > piece * size;) {
          if (m + 1 < (piece + 1) * size) back_substitute(eliminated[m], x_before, x);
          for (std::size_t unknown = 0; unknown < 2; ++unknown) {
            EXPECT_NEAR(static_cast<double>(x[unknown]), exact[unknown][m], limit)
                << pieces << " pieces of " << size << ", row " << m;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace dns
