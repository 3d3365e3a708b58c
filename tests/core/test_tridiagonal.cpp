#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "solver/core/tridiagonal.hpp"

namespace dns::test_tridiagonal {
namespace {

/// Three unknowns, the first two with the same matrix.
struct TwoMatrices {
  static constexpr int matrices = 2;
  static constexpr int unknowns = 3;
  static constexpr int matrix_of(int unknown) { return unknown == 2 ? 1 : 0; }
};
using Dense = std::vector<std::vector<double>>;

std::vector<double> solve_dense(Dense a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column + 1; row < n; ++row) {
      if (std::abs(a[row][column]) > std::abs(a[pivot][column])) pivot = row;
    }
    std::swap(a[column], a[pivot]);
    std::swap(b[column], b[pivot]);
    for (std::size_t row = column + 1; row < n; ++row) {
      const double factor = a[row][column] / a[column][column];
      for (std::size_t k = column; k < n; ++k) a[row][k] -= factor * a[column][k];
      b[row] -= factor * b[column];
    }
  }
  for (std::size_t row = n; row-- > 0;) {
    for (std::size_t k = row + 1; k < n; ++k) b[row] -= a[row][k] * b[k];
    b[row] /= a[row][row];
  }
  return b;
}

template <class Real>
std::vector<TridiagonalRow<TwoMatrices, Real>> random_rows(int n, bool is_cyclic) {
  std::mt19937 random(static_cast<unsigned>(n));
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<TridiagonalRow<TwoMatrices, Real>> rows(static_cast<std::size_t>(n));
  for (auto& row : rows) {
    for (int matrix = 0; matrix < 2; ++matrix) {
      row.lower[matrix] = static_cast<Real>(uniform(random));
      row.upper[matrix] = static_cast<Real>(uniform(random));
      row.diagonal[matrix] = static_cast<Real>(3 + uniform(random));
    }
    for (Real& rhs : row.rhs) rhs = static_cast<Real>(10 * uniform(random));
  }
  if (!is_cyclic) {
    for (int matrix = 0; matrix < 2; ++matrix) {
      rows.front().lower[matrix] = 0;
      rows.back().upper[matrix] = 0;
    }
  }
  return rows;
}

template <class Real>
std::vector<double> dense_solution(const std::vector<TridiagonalRow<TwoMatrices, Real>>& rows,
                                   int unknown) {
  const std::size_t n = rows.size();
  const int matrix = TwoMatrices::matrix_of(unknown);
  Dense a(n, std::vector<double>(n));
  std::vector<double> b(n);
  for (std::size_t m = 0; m < n; ++m) {
    a[m][(m + n - 1) % n] += static_cast<double>(rows[m].lower[matrix]);
    a[m][m] += static_cast<double>(rows[m].diagonal[matrix]);
    a[m][(m + 1) % n] += static_cast<double>(rows[m].upper[matrix]);
    b[m] = static_cast<double>(rows[m].rhs[unknown]);
  }
  return solve_dense(a, b);
}

template <class Real>
class TridiagonalTest : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(TridiagonalTest, Reals);

// Diagonally dominant by 3 - 1 against 2: condition below 10 for most, |x| below 20.
template <class Real>
constexpr double tolerance = 500 * static_cast<double>(std::numeric_limits<Real>::epsilon());

TYPED_TEST(TridiagonalTest, ordinary_lines_agree_with_dense_elimination) {
  using Real = TypeParam;
  for (const int n : {2, 3, 4, 5, 17, 64, 101}) {
    const auto rows = random_rows<Real>(n, false);
    std::vector<EliminatedRow<TwoMatrices, Real, false>> eliminated;
    eliminated.reserve(rows.size());
    auto previous = before_first_row<TwoMatrices, Real, false>();
    for (const auto& row : rows) eliminated.push_back(previous = eliminate(row, previous));
    Real x[3] = {};
    const Real none[3] = {};
    std::vector<std::vector<double>> solution(3, std::vector<double>(rows.size()));
    for (std::size_t m = rows.size(); m-- > 0;) {
      back_substitute(eliminated[m], none, x);
      for (std::size_t q = 0; q < 3; ++q) solution[q][m] = static_cast<double>(x[q]);
    }
    for (int q = 0; q < 3; ++q) {
      const auto exact = dense_solution(rows, q);
      for (std::size_t m = 0; m < exact.size(); ++m) {
        EXPECT_NEAR(solution[q][m], exact[m], tolerance<Real>)
            << "n " << n << ", unknown " << q << ", row " << m;
      }
    }
  }
}

TYPED_TEST(TridiagonalTest, cyclic_lines_agree_with_dense_elimination) {
  using Real = TypeParam;
  for (const int n : {3, 4, 5, 17, 64, 101}) {
    const auto rows = random_rows<Real>(n, true);
    const std::size_t last = rows.size() - 1;
    std::vector<EliminatedRow<TwoMatrices, Real, true>> eliminated;
    auto closing = CyclicLastRow<TwoMatrices, Real>::from(rows[last]);
    auto previous = before_first_row<TwoMatrices, Real, true>();
    for (std::size_t m = 0; m < last; ++m) {
      eliminated.push_back(previous = eliminate(rows[m], previous));
      if (m == last - 1) closing.couple(rows[last]);
      closing.absorb(previous);
    }
    Real x_last[3] = {};
    closing.solve(x_last);
    Real x[3] = {x_last[0], x_last[1], x_last[2]};
    std::vector<std::vector<double>> solution(3, std::vector<double>(rows.size()));
    for (std::size_t m = rows.size(); m-- > 0;) {
      if (m < last) back_substitute(eliminated[m], x_last, x);
      for (std::size_t q = 0; q < 3; ++q) solution[q][m] = static_cast<double>(x[q]);
    }
    for (int q = 0; q < 3; ++q) {
      const auto exact = dense_solution(rows, q);
      for (std::size_t m = 0; m < exact.size(); ++m) {
        EXPECT_NEAR(solution[q][m], exact[m], tolerance<Real>)
            << "n " << n << ", unknown " << q << ", row " << m;
      }
    }
  }
}

}  // namespace
}  // namespace dns::test_tridiagonal
