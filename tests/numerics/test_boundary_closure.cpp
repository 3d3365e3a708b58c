#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "solver/numerics/boundary_closure.hpp"
#include "tests/numerics/small_level.hpp"

namespace dns::test_boundary_closure {
namespace {

template <class Real>
class BoundaryClosureTest : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(BoundaryClosureTest, Reals);

template <class Real>
constexpr double tolerance = 8 * static_cast<double>(std::numeric_limits<Real>::epsilon());

template <class Real>
double closed(BoundaryCondition condition, double h, double q_1, double q_2, double target) {
  const BoundaryClosure<Real> closure = closure_of<Real>(condition, h);
  return static_cast<double>(closure.first) * q_1 + static_cast<double>(closure.second) * q_2 +
         static_cast<double>(closure.weight) * target;
}

TYPED_TEST(BoundaryClosureTest, value_closure_is_the_target) {
  EXPECT_EQ(closed<TypeParam>(BoundaryCondition::value(), 0.25, 3, 7, 1.5), 1.5);
}

TYPED_TEST(BoundaryClosureTest, gradient_closure_is_four_first_minus_second_plus_two_h_g_thirds) {
  // f0 = (4 f1 - f2 + 2 h g)/3 with f1 = 3, f2 = 7, h = 0.25, g = 6: (12 - 7 + 3)/3.
  EXPECT_NEAR(closed<TypeParam>(BoundaryCondition::gradient(), 0.25, 3, 7, 6),
              8.0 / 3,
              tolerance<TypeParam>);
}

TYPED_TEST(BoundaryClosureTest, extrapolation_is_twice_the_first_minus_the_second) {
  EXPECT_EQ(closed<TypeParam>(BoundaryCondition::extrapolate(), 0.25, 3, 7, 99), -1);
}

TYPED_TEST(BoundaryClosureTest, mixed_condition_holds_for_a_quadratic) {
  // q(s) = 2 - 3 s + 5 s^2, s from the boundary inwards: outward derivative 3 at the boundary.
  const double h = 0.125;
  const auto q = [](double s) { return 2 - 3 * s + 5 * s * s; };
  const BoundaryCondition mixed{0.7, 0.4, false};
  const double target = 0.7 * q(0) + 0.4 * 3;
  EXPECT_NEAR(closed<TypeParam>(mixed, h, q(h), q(2 * h), target), q(0), 4 * tolerance<TypeParam>);
}

/// Closing and folding must give the row of an equation in which the boundary value is written out.
TYPED_TEST(BoundaryClosureTest, folding_agrees_with_substitution_by_hand) {
  using Real = TypeParam;
  const Real target = 3;
  FaceClosures<Real> face;
  face.closure[first_scalar] = {Real(0.75), Real(0.125), Real(2)};
  face.given[first_scalar] = face_view<const Real>(&target, Axis::z, Extents{1, 1, 9});
  // -5 T0 + 20 T1 + 9 T2 = 400 with T0 = 3/4 T1 + T2/8 + 2 target
  Real outward = -5;
  Real diagonal = 20;
  Real inward = 9;
  EXPECT_EQ(given_part(face, first_scalar, Index3{0, 0, 1}, outward), Real(-30));
  fold_boundary_node(face.closure[first_scalar], outward, diagonal, inward);
  EXPECT_EQ(outward, Real(0));
  EXPECT_EQ(diagonal, Real(20 - 3.75));
  EXPECT_EQ(inward, Real(9 - 0.625));
}

/// Every node of the boundary against faces evaluated plane by plane, x, then y, then z, and ghosts
/// filled last, for all mixtures of periodic and walled axes; and without edges, where nodes on
/// more than one face keep what they had.
TYPED_TEST(BoundaryClosureTest, boundary_agrees_with_faces_filled_plane_by_plane) {
  using Real = TypeParam;
  const Extents points{5, 4, 6};
  const int extents[3] = {points.nx, points.ny, points.nz};
  for (int mixture = 0; mixture < 8; ++mixture) {
    BoxClosures<Real> closures;
    LevelLayout shape{points};
    int* const ghosts[3] = {&shape.ghosts.nx, &shape.ghosts.ny, &shape.ghosts.nz};
    std::vector<Real> targets(30);
    for (std::size_t n = 0; n < targets.size(); ++n) targets[n] = static_cast<Real>(n);
    for (int axis = 0; axis < 3; ++axis) {
      closures.is_periodic[axis] = ((mixture >> axis) & 1) != 0;
      *ghosts[axis] = closures.is_periodic[axis] ? 1 : 0;
      for (int end = 0; end < 2; ++end) {
        for (int variable = 0; variable < variables_per_level; ++variable) {
          FaceClosures<Real>& face = closures.face[axis][end];
          // Small whole numbers, so that both ways are exact.
          face.closure[variable] = {Real(axis + 1), Real(variable - end), Real(2 - end)};
          face.given[variable] =
              face_view<const Real>(targets.data(), static_cast<Axis>(axis), points);
        }
      }
    }
    const auto start = [](int variable, int i, int j, int k) {
      return variable + (3 * i + 5 * j + 7 * k) % 11;
    };
    testing::SmallLevel<Real> boundary_level(shape, start);
    testing::SmallLevel<Real> plane_level(shape, start);
    const Box stored = shape.all_stored();
    const auto on_boundary = [&](Index3 c) {
      return c.i == stored.begin.i || c.i == stored.end.i - 1 || c.j == stored.begin.j ||
             c.j == stored.end.j - 1 || c.k == stored.begin.k || c.k == stored.end.k - 1;
    };
    const auto for_each_stored = [&](const auto& visit) {
      for (int k = stored.begin.k; k < stored.end.k; ++k) {
        for (int j = stored.begin.j; j < stored.end.j; ++j) {
          for (int i = stored.begin.i; i < stored.end.i; ++i) visit(Index3{i, j, k});
        }
      }
    };
    const FillBoundaryAndGhosts<Real> evaluate{boundary_level.view(), closures, points};
    testing::SmallLevel<Real> edgeless_level(shape, start);
    const FillBoundaryAndGhosts<Real, 1, 0, variables_per_level, false> evaluate_without_edges{
        edgeless_level.view(), closures, points};
    testing::SmallLevel<Real> ends_level(shape, start);
    const FillBoundaryAndGhosts<Real> fill_ends{ends_level.view(), closures, points};
    const Box interior = shape.interior();
    const auto is_out = [](int index, int begin, int end) { return index < begin || index >= end; };
    const auto ends_line = [&](Index3 c) {
      return static_cast<int>(is_out(c.i, interior.begin.i, interior.end.i)) +
                 static_cast<int>(is_out(c.j, interior.begin.j, interior.end.j)) +
                 static_cast<int>(is_out(c.k, interior.begin.k, interior.end.k)) ==
             1;
    };
    for_each_stored([&](Index3 c) {
      if (!on_boundary(c)) return;
      evaluate(c);
      evaluate_without_edges(c);
      if (!ends_line(c)) return;
      for (const int variable : {1, 3}) {
        if (is_out(c.i, interior.begin.i, interior.end.i)) {
          fill_ends.template fill_end<Axis::x>(variable, c);
        } else if (is_out(c.j, interior.begin.j, interior.end.j)) {
          fill_ends.template fill_end<Axis::y>(variable, c);
        } else {
          fill_ends.template fill_end<Axis::z>(variable, c);
        }
      }
    });

    const LevelView<Real> plane = plane_level.view();
    const auto component = [](Index3& c, int axis) -> int& {
      return axis == 0 ? c.i : axis == 1 ? c.j : c.k;
    };
    const auto is_inside = [&](Index3 c, int but_for) {  // no ghost, but along one axis
      for (int axis = 0; axis < 3; ++axis) {
        const int index = component(c, axis);
        if (axis != but_for && (index < 0 || index >= extents[axis])) return false;
      }
      return true;
    };
    for (int axis = 0; axis < 3; ++axis) {
      if (closures.is_periodic[axis]) continue;
      for_each_stored([&](Index3 c) {
        const int last = extents[axis] - 1;
        const int index = component(c, axis);
        if (!is_inside(c, -1) || (index != 0 && index != last)) return;
        Index3 first = c;
        Index3 second = c;
        component(first, axis) = index == 0 ? 1 : last - 1;
        component(second, axis) = index == 0 ? 2 : last - 2;
        for (int variable = 0; variable < variables_per_level; ++variable) {
          plane.set(variable,
                    c,
                    closures.face[axis][index == 0 ? 0 : 1].boundary_value(
                        variable, c, plane(variable, first), plane(variable, second)));
        }
      });
    }
    for (int axis = 0; axis < 3; ++axis) {
      if (!closures.is_periodic[axis]) continue;
      for_each_stored([&](Index3 c) {
        const int index = component(c, axis);
        if (index >= 0 && index < extents[axis]) return;
        Index3 image = c;
        component(image, axis) = index < 0 ? extents[axis] - 1 : 0;
        for (int variable = 0; variable < variables_per_level; ++variable) {
          plane.set(variable, c, plane(variable, image));
        }
      });
    }
    const auto faces_at = [&](Index3 c) {
      int faces = 0;
      for (int axis = 0; axis < 3; ++axis) {
        const int index = component(c, axis);
        if (!closures.is_periodic[axis] && (index == 0 || index == extents[axis] - 1)) ++faces;
      }
      return faces;
    };
    for_each_stored([&](Index3 c) {
      for (int variable = 0; variable < variables_per_level; ++variable) {
        const std::string where = "mixture " + std::to_string(mixture) + ", variable " +
                                  std::to_string(variable) + " at " + std::to_string(c.i) + " " +
                                  std::to_string(c.j) + " " + std::to_string(c.k);
        ASSERT_EQ(boundary_level.view()(variable, c), plane(variable, c)) << where;
        ASSERT_EQ(edgeless_level.view()(variable, c),
                  faces_at(c) > 1 ? Real(start(variable, c.i, c.j, c.k)) : plane(variable, c))
            << where;
        const bool is_evaluated = ends_line(c) && (variable == 1 || variable == 3);
        ASSERT_EQ(ends_level.view()(variable, c),
                  is_evaluated ? plane(variable, c) : Real(start(variable, c.i, c.j, c.k)))
            << where;
      }
    });
  }
}

}  // namespace
}  // namespace dns::test_boundary_closure
