#include <gtest/gtest.h>

#include <limits>

#include "solver/numerics/boundary_closure.hpp"
#include "solver/numerics/splitting_rows.hpp"
#include "tests/numerics/small_layer.hpp"

namespace dns {
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

/// Folding must give the row of an equation in which the boundary value is written out.
TYPED_TEST(BoundaryClosureTest, folding_agrees_with_substitution_by_hand) {
  using Real = TypeParam;
  using System = SharedVelocityMatrix;
  std::vector<Real> targets{1, 2, 3, 4};
  FaceClosures<Real> face;
  for (int variable = 0; variable < variables_per_layer; ++variable) {
    face.closure[variable] = {Real(0.5), Real(-0.25), Real(2)};
    face.target[variable] = face_view<const Real>(
        &targets[static_cast<std::size_t>(variable)], Axis::z, Extents{1, 1, 9});
  }
  face.closure[temperature_variable] = {Real(0.75), Real(0.125), Real(1)};
  TridiagonalRow<System, Real> row{{-3, -5}, {10, 20}, {7, 9}, {100, 200, 300, 400}};
  fold_boundary_node(face, Index3{0, 0, 1}, row.lower, row.upper, row);
  // -3 q0 + 10 q1 + 7 q2 = rhs with q0 = q1/2 - q2/4 + 2 target
  EXPECT_EQ(row.lower[0], Real(0));
  EXPECT_EQ(row.diagonal[0], Real(10 - 1.5));
  EXPECT_EQ(row.upper[0], Real(7 + 0.75));
  EXPECT_EQ(row.rhs[0], Real(100 + 6));
  EXPECT_EQ(row.rhs[1], Real(200 + 12));
  EXPECT_EQ(row.rhs[2], Real(300 + 18));
  // -5 T0 + 20 T1 + 9 T2 = rhs with T0 = 3/4 T1 + T2/8 + target
  EXPECT_EQ(row.lower[1], Real(0));
  EXPECT_EQ(row.diagonal[1], Real(20 - 3.75));
  EXPECT_EQ(row.upper[1], Real(9 - 0.625));
  EXPECT_EQ(row.rhs[3], Real(400 + 20));
}

TYPED_TEST(BoundaryClosureTest, faces_are_evaluated_from_the_two_nodes_inside) {
  using Real = TypeParam;
  const Extents points{5, 4, 6};
  testing::SmallLayer<Real> layer(points, [](int variable, int i, int j, int k) {
    return 1 + variable + 10 * i + 3 * j * j + 2 * k;
  });
  std::vector<Real> targets(20);
  for (std::size_t n = 0; n < targets.size(); ++n) targets[n] = static_cast<Real>(n);
  FaceClosures<Real> low;
  FaceClosures<Real> high;
  for (int variable = 0; variable < variables_per_layer; ++variable) {
    low.closure[variable] = closure_of<Real>(BoundaryCondition::value(), 0.5);
    low.target[variable] = face_view<const Real>(targets.data(), Axis::z, points);
    high.closure[variable] = closure_of<Real>(BoundaryCondition::extrapolate(), 0.5);
    high.target[variable] = low.target[variable];
  }
  const EvaluateFaces<Axis::z, Real> evaluate{layer.view(), low, high, points.nz};
  for (int end = 0; end < 2; ++end) {
    for (int j = 0; j < points.ny; ++j) {
      for (int i = 0; i < points.nx; ++i) evaluate(Index3{i, j, end});
    }
  }
  for (int j = 0; j < points.ny; ++j) {
    for (int i = 0; i < points.nx; ++i) {
      EXPECT_EQ(layer.view()(2, Index3{i, j, 0}), Real(i + 5 * j));
      EXPECT_EQ(layer.view()(2, Index3{i, j, 5}), Real(3 + 10 * i + 3 * j * j + 10));
    }
  }
}

}  // namespace
}  // namespace dns
