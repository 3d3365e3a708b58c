/// Products with the entries of (I - a L)^-1 that count, against the equation that they solve: L is
/// the second difference between insulated ends, whose modes are cosines.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "solver/core/field_layout.hpp"
#include "solver/numerics/inverse_across_walls.hpp"

namespace dns::test_inverse_across_walls {
namespace {

using std::numbers::pi;

struct Cosines {
  std::vector<double> forward, inverse, eigenvalues;
};

Cosines cosines_of(int n) {
  Cosines made;
  for (int mode = 0; mode < n; ++mode) {
    made.eigenvalues.push_back(2 - 2 * std::cos(pi * mode / n));
    for (int i = 0; i < n; ++i)
      made.forward.push_back((mode == 0 ? 1.0 : 2.0) / n * std::cos(pi * mode * (i + 0.5) / n));
  }
  for (int i = 0; i < n; ++i)
    for (int mode = 0; mode < n; ++mode)
      made.inverse.push_back(std::cos(pi * mode * (i + 0.5) / n));
  return made;
}

template <class Real>
class InverseAcrossWalls : public ::testing::Test {};
using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(InverseAcrossWalls, Precisions);

TYPED_TEST(InverseAcrossWalls, solves_its_equation_with_the_entries_that_count) {
  using Real = TypeParam;
  using Group = ColumnOfGroup<Real>;
  for (const int n : {3, 8, 37}) {
    for (const double a : {0.01, 0.5, 40.0}) {
      const Cosines basis = cosines_of(n);
      std::vector<Group> matrix(static_cast<std::size_t>(Group::groups_of(n)) * n);
      const int groups = Group::groups_of(n);
      std::vector<int> first(groups), end(groups);
      const InverseOfFactor<Real> make{basis.forward.data(),
                                       basis.inverse.data(),
                                       basis.eigenvalues.data(),
                                       matrix.data(),
                                       a,
                                       n};
      for_each_point({{}, {n, Group::groups_of(n) * Group::rows, 1}}, make);
      for_each_point({{}, {groups, 1, 1}},
                     FindColumns<Real>{matrix.data(), first.data(), end.data(), n});
      const FieldLayout layout({5, n, 3}, {1, 1, 1});
      std::vector<Real> before(layout.count(sizeof(Real))), right(before), found(before);
      std::mt19937 engine(7);
      std::uniform_real_distribution<Real> any(-1, 1);
      for (Real& value : before) value = any(engine);
      for (Real& value : right) value = any(engine);
      const auto view = [&](std::vector<Real>& of) { return layout.field_view(of.data()); };
      for_each_point(AddDiffused<Real>::points(layout.points),
                     AddDiffused<Real>{.before = view(before).as_const(),
                                       .right = view(right).as_const(),
                                       .q = view(found),
                                       .matrix = matrix.data(),
                                       .first = first.data(),
                                       .end = end.data(),
                                       .n = n,
                                       .n_z = 3});
      const double allowed = 100 * (1 + 4 * a) * double{std::numeric_limits<Real>::epsilon()};
      for_each_point({{}, {5, n, 3}}, [&](Index3 c) {
        const auto change = [&](int j) {
          const Index3 at{c.i, j, c.k};
          const double q = view(found)(at);
          const double q_before = view(before)(at);
          return q - q_before;
        };
        const double here = change(c.j);
        const double low = c.j > 0 ? change(c.j - 1) - here : 0;
        const double high = c.j + 1 < n ? change(c.j + 1) - here : 0;
        const double expected = view(right)(c);
        EXPECT_NEAR(here - a * (low + high), expected, allowed)
            << n << ' ' << a << " at " << c.i << ' ' << c.j << ' ' << c.k;
      });
      if (n == 37 && a == 0.01) {
        const int columns = end[4] - first[4] - (Group::rows - 1);  // of a row
        EXPECT_LE(columns, sizeof(Real) == 4 ? 9 : 15);
        EXPECT_GE(columns, sizeof(Real) == 4 ? 5 : 11);
      }
      if (a == 40) {
        EXPECT_EQ(first[groups / 2], 0);
        EXPECT_EQ(end[groups / 2], n);
      }
    }
  }
}

}  // namespace
}  // namespace dns::test_inverse_across_walls
