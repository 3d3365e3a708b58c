#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "solver/core/line_pieces.hpp"

namespace dns::test_line_pieces {
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

/// Two matrices; unknowns 0 and 2 share one.
struct TwoMatrices {
  static constexpr int matrices = 2;
  static constexpr int unknowns = 3;
  static constexpr int matrix_of(int unknown) { return unknown == 1 ? 1 : 0; }
};

/// A line whose rows are diagonally dominant by `excess`; lower of row 0 and upper of the last row
/// couple the ends of a cyclic line.
template <class System, class Real>
std::vector<TridiagonalRow<System, Real>> random_line(std::size_t points,
                                                      double excess,
                                                      bool is_cyclic,
                                                      std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<TridiagonalRow<System, Real>> rows(points);
  for (std::size_t m = 0; m < points; ++m) {
    for (int matrix = 0; matrix < System::matrices; ++matrix) {
      const bool is_first = m == 0;
      const bool is_last = m + 1 == points;
      const double lower = is_first && !is_cyclic ? 0 : uniform(random);
      const double upper = is_last && !is_cyclic ? 0 : uniform(random);
      rows[m].lower[matrix] = static_cast<Real>(lower);
      rows[m].upper[matrix] = static_cast<Real>(upper);
      rows[m].diagonal[matrix] = static_cast<Real>(std::abs(lower) + std::abs(upper) + excess);
    }
    for (Real& rhs : rows[m].rhs) rhs = static_cast<Real>(uniform(random));
  }
  return rows;
}

/// One unknown along a line, by elimination in a full matrix with pivots in the columns.
template <class System, class Real>
std::vector<double> dense_solution(const std::vector<TridiagonalRow<System, Real>>& rows,
                                   int unknown) {
  const std::size_t n = rows.size();
  const int matrix = System::matrix_of(unknown);
  std::vector<std::vector<double>> full(n, std::vector<double>(n + 1));
  for (std::size_t m = 0; m < n; ++m) {
    full[m][(m + n - 1) % n] += static_cast<double>(rows[m].lower[matrix]);
    full[m][m] += static_cast<double>(rows[m].diagonal[matrix]);
    full[m][(m + 1) % n] += static_cast<double>(rows[m].upper[matrix]);
    full[m][n] = static_cast<double>(rows[m].rhs[unknown]);
  }
  for (std::size_t m = 0; m < n; ++m) {
    const auto pivot = std::max_element(
        full.begin() + static_cast<std::ptrdiff_t>(m),
        full.end(),
        [&](const auto& a, const auto& b) { return std::abs(a[m]) < std::abs(b[m]); });
    std::swap(full[m], *pivot);
    for (std::size_t other = 0; other < n; ++other) {
      if (other == m) continue;
      const double factor = full[other][m] / full[m][m];
      for (std::size_t column = m; column <= n; ++column)
        full[other][column] -= factor * full[m][column];
    }
  }
  std::vector<double> x(n);
  for (std::size_t m = 0; m < n; ++m) x[m] = full[m][n] / full[m][m];
  return x;
}

/// The relations of the rows from `begin` to `end` - 1, found as a backend does.
template <class System, class Real>
PieceRelations<System, Real> relations_of(const std::vector<TridiagonalRow<System, Real>>& rows,
                                          std::size_t begin,
                                          std::size_t end) {
  auto eliminated = before_first_row<System, Real, true>();
  auto start = EndRelation<System, Real>::next();
  for (std::size_t m = begin; m < end; ++m) {
    eliminated = eliminate(rows[m], eliminated);
    start.absorb(eliminated);
  }
  return {start, EndRelation<System, Real>::of_last(eliminated)};
}

/// Cuts a random line at random places and compares what solve_seams gives with the solution.
template <class System, class Real>
void expect_seams_of_random_line(std::size_t pieces,
                                 double excess,
                                 bool is_cyclic,
                                 std::mt19937& random) {
  std::vector<std::size_t> cuts{0};
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    cuts.push_back(cuts.back() + std::uniform_int_distribution<std::size_t>(1, 9)(random));
  }
  const std::size_t n = cuts.back();
  if (is_cyclic && n < 3) return;  // the neighbours of a row are two
  const auto rows = random_line<System, Real>(n, excess, is_cyclic, random);
  std::vector<std::vector<double>> exact;
  for (int unknown = 0; unknown < System::unknowns; ++unknown)
    exact.push_back(dense_solution(rows, unknown));
  std::vector<PieceRelations<System, Real>> relations;
  for (std::size_t piece = 0; piece < pieces; ++piece)
    relations.push_back(relations_of(rows, cuts[piece], cuts[piece + 1]));
  const auto of_pieces = relations;
  std::vector<int> given(pieces);
  // The condition number is at most 4/excess, |x| at most 1/excess.
  const double limit = 8 * static_cast<double>(std::numeric_limits<Real>::epsilon()) / excess /
                       std::min(excess, 1.0);
  solve_seams<System, Real>(
      static_cast<int>(pieces),
      is_cyclic,
      [&](int piece) { return relations[piece]; },
      [&](int piece, const auto& seam) { relations[piece] = seam; },
      [&](int which,
          const Real(&x_before)[System::unknowns],
          const Real(&x_after)[System::unknowns]) {
        const auto piece = static_cast<std::size_t>(which);
        ++given[piece];
        Real first[System::unknowns];
        Real last[System::unknowns];
        of_pieces[piece].first.solve(x_before, x_after, first);
        of_pieces[piece].last.solve(x_before, x_after, last);
        for (std::size_t unknown = 0; unknown < exact.size(); ++unknown) {
          const auto& x = exact[unknown];
          const bool has_before = is_cyclic || piece > 0;
          const bool has_after = is_cyclic || piece + 1 < pieces;
          const auto expect = [&](Real value, double expected) {
            EXPECT_NEAR(static_cast<double>(value), expected, limit)
                << n << " rows, piece " << piece << ", unknown " << unknown;
          };
          expect(x_before[unknown], has_before ? x[(cuts[piece] + n - 1) % n] : 0);
          expect(x_after[unknown], has_after ? x[cuts[piece + 1] % n] : 0);
          expect(first[unknown], x[cuts[piece]]);
          expect(last[unknown], x[cuts[piece + 1] - 1]);
        }
      });
  EXPECT_EQ(given, std::vector<int>(pieces, 1));
}

TYPED_TEST(LinePiecesTest, seams_of_pieces_of_any_length_are_those_of_the_dense_solution) {
  std::mt19937 random(7);
  for (const std::size_t pieces : {1U, 2U, 3U, 4U, 5U}) {
    for (const double excess : {0.1, 1.0, 100.0}) {
      for (const bool is_cyclic : {false, true}) {
        SCOPED_TRACE(::testing::Message()
                     << pieces << " pieces, excess " << excess << (is_cyclic ? ", cyclic" : ""));
        for (int repetition = 0; repetition < 20; ++repetition) {
          expect_seams_of_random_line<OneUnknown, TypeParam>(pieces, excess, is_cyclic, random);
          expect_seams_of_random_line<TwoMatrices, TypeParam>(pieces, excess, is_cyclic, random);
        }
      }
    }
  }
}

}  // namespace
}  // namespace dns::test_line_pieces
