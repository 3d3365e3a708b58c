/// Rows at solid bodies: the stencils of diffusion at cut lines, written out, and those in bodies.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "solver/numerics/solid_rows.hpp"
#include "solver/numerics/splitting_solid_rows.hpp"
#include "tests/numerics/small_level.hpp"

namespace dns::test_solid_rows {
namespace {

template <class Real>
class SolidRows : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(SolidRows, Reals);

constexpr Extents points{5, 7, 6};
constexpr Index3 fluid{2, 3, 4};  // alone between bodies along x
constexpr Index3 in_body{1, 3, 4};

/// theta of the cuts on its low and high side; the surface and the body behind it have their own
/// values.
constexpr std::array<double, 2> theta{0.3, 0.8};
constexpr std::array<double, 2> wall{0.7, -1.1};
constexpr std::array<double, 2> solid{0.45, -1.3};

template <class Real>
class Field {
 public:
  template <class Value>
  explicit Field(const Value& value) : values_((5 + 2) * (7 + 2) * (6 + 2)) {
    for (int k = -1; k <= points.nz; ++k) {
      for (int j = -1; j <= points.ny; ++j) {
        for (int i = -1; i <= points.nx; ++i)
          view().set(Index3{i, j, k}, static_cast<Real>(value(Index3{i, j, k})));
      }
    }
  }
  FieldView<Real> view() { return {values_.data() + (7 * 9 + 7 + 1), 7, 7 * 9}; }
  double at(Index3 c) { return static_cast<double>(view()(c)); }

 private:
  std::vector<Real> values_;
};

bool is_at(Index3 a, Index3 b) {
  return a.i == b.i && a.j == b.j && a.k == b.k;
}

/// The equation of a scalar around the point, along x between two bodies.
template <class Real>
struct CutLine {
  static constexpr double dt = 0.05;
  static constexpr double nu = 0.37;
  static constexpr double width = 0.21;
  static constexpr std::array<double, 2> distance{0.19, 0.26};

  // nu/(width distance) along x, y, z at the low and the high end; the advecting velocity.
  static constexpr PerAxis<std::array<double, 2>> rate{
      {{nu / (width * distance[0]), nu / (width * distance[1])}, {1.7, 2.3}, {3.1, 0.9}}};
  static constexpr PerAxis<double> velocity{1.3, -0.7, 0.4};
  static constexpr PerAxis<double> widths{width, 0.3, 0.17};

  Field<Real> q{[](Index3 c) {
    if (is_at(c, in_body)) return solid[0];
    if (is_at(c, {3, 3, 4})) return solid[1];
    return 0.3 * c.i - 0.2 * c.j * c.j + 0.11 * c.k;
  }};
  Field<Real> kappa{[](Index3 c) {
    if (is_at(c, in_body)) return std::numeric_limits<double>::infinity();
    if (!is_at(c, fluid)) return 0.0;
    return pull_of_cut(rate[0][0], theta[0]) + pull_of_cut(rate[0][1], theta[1]);
  }};
  Field<Real> target{[](Index3 c) {
    if (is_at(c, in_body)) return solid[0];
    if (!is_at(c, fluid)) return 0.0;
    const double pulled = pull_times_target(rate[0][0], theta[0], wall[0], solid[0]) +
                          pull_times_target(rate[0][1], theta[1], wall[1], solid[1]);
    return pulled / (pull_of_cut(rate[0][0], theta[0]) + pull_of_cut(rate[0][1], theta[1]));
  }};
  PerAxis<Field<Real>> velocity_fields{Field<Real>{[](Index3) { return velocity[0]; }},
                                       Field<Real>{[](Index3) { return velocity[1]; }},
                                       Field<Real>{[](Index3) { return velocity[2]; }}};
  PerAxis<PerAxis<std::vector<Real>>> arrays;

  auto rows() {
    SweepCoefficients<Real> step{};
    AdvectingVelocity<Real> advecting{};
    for (int axis = 0; axis < 3; ++axis) {
      const PerAxis<double> values{
          dt / 4 / widths[axis], dt / 2 * rate[axis][0], dt / 2 * rate[axis][1]};
      for (std::size_t n = 0; n < 3; ++n) arrays[axis][n].assign(9, static_cast<Real>(values[n]));
      step.centres[axis] = {arrays[axis][0].data(), arrays[axis][1].data(), arrays[axis][2].data()};
      advecting.velocity[axis] = velocity_fields[axis].view().as_const();
    }
    const SolidsView<Real> solids{{{0, 0, 0}, {5, 7, 6}},
                                  kappa.view().as_const(),
                                  target.view().as_const(),
                                  {},
                                  0,
                                  static_cast<Real>(dt / 2),
                                  false,
                                  {},
                                  {},
                                  {}};
    using Right = RightHandSide<scalar_component, Real, NoSource>;
    using Pulled = PulledRightHandSide<scalar_component, Right, Real>;
    using Rows = FactorRows<Axis::x, scalar_component, Real, false, false, Pulled>;
    const Pulled right{{q.view().as_const(), {}}, q.view().as_const(), solids};
    return RowsAtSolids<Axis::x, Rows, Real>{{{step, {}, {}}, right, advecting}, solids};
  }

  /// -2 A_s q^n along y or z.
  double along(Axis axis) {
    const auto a = static_cast<std::size_t>(axis);
    const auto beside = [&](int side) {
      return axis == Axis::y ? q.at({2, 3 + side, 4}) : q.at({2, 3, 4 + side});
    };
    const double here = q.at(fluid);
    return dt * (rate[a][0] * (beside(-1) - here) + rate[a][1] * (beside(1) - here) -
                 velocity[a] * (beside(1) - beside(-1)) / (2 * widths[a]));
  }
};

template <class Real>
constexpr double tolerance = 200 * static_cast<double>(std::numeric_limits<Real>::epsilon());

/// Diffusion along x is that to the two walls, (q_wall - q)/(theta d): the change dq of the step is
/// half in its part up to d, and whole in the rest.
TYPED_TEST(SolidRows, of_a_scalar_between_two_bodies_are_the_stencil_of_the_surfaces) {
  CutLine<TypeParam> line;
  const auto row = row_at(line.rows(), fluid, {});
  const double dq = static_cast<double>(row.rhs[0]) / static_cast<double>(row.diagonal[0]);

  const double q = line.q.at(fluid);
  double explicit_part = line.along(Axis::y) + line.along(Axis::z) -
                         line.dt * line.velocity[0] * (solid[1] - solid[0]) / (2 * line.width);
  double implicit_part = 1;
  for (std::size_t end = 0; end < 2; ++end) {
    const double to_wall = line.nu / (line.width * theta[end] * line.distance[end]);
    explicit_part += line.dt * to_wall * (wall[end] - q);
    implicit_part += line.dt * (to_wall - line.rate[0][end] / 2);
  }
  EXPECT_NEAR(dq, explicit_part / implicit_part, tolerance<TypeParam>);
  EXPECT_GT(std::abs(dq), 0.1);

  // The neighbours' changes, 0 for bodies at rest, come in as without bodies, times b.
  const double b = 1 / (1 + line.dt * line.kappa.at(fluid));
  const double advection = line.dt / 4 * line.velocity[0] / line.width;
  EXPECT_NEAR(static_cast<double>(row.lower[0]),
              -b * (advection + line.dt / 2 * line.rate[0][0]),
              tolerance<TypeParam>);
  EXPECT_NEAR(static_cast<double>(row.upper[0]),
              b * (advection - line.dt / 2 * line.rate[0][1]),
              tolerance<TypeParam>);
}

TYPED_TEST(SolidRows, in_a_body_lead_to_its_value_exactly) {
  CutLine<TypeParam> line;
  line.q.view().set(in_body, TypeParam(0.2));
  const auto row = row_at(line.rows(), in_body, {});
  EXPECT_EQ(row.lower[0], 0);
  EXPECT_EQ(row.upper[0], 0);
  EXPECT_EQ(row.diagonal[0], 1);
  EXPECT_EQ(row.rhs[0], TypeParam(solid[0]) - TypeParam(0.2));
}

template <Axis axis, class Fluid, class Real>
const Fluid& without_bodies(const RowsAtSolids<axis, Fluid, Real>& rows) {
  return rows;
}

TYPED_TEST(SolidRows, far_from_bodies_are_those_without) {
  CutLine<TypeParam> line;
  const auto rows = line.rows();
  const Index3 elsewhere{3, 5, 2};
  const auto with = row_at(rows, elsewhere, {});
  const auto without = row_at(without_bodies(rows), elsewhere, {});
  EXPECT_EQ(with.lower[0], without.lower[0]);
  EXPECT_EQ(with.upper[0], without.upper[0]);
  EXPECT_NEAR(static_cast<double>(with.diagonal[0]),
              static_cast<double>(without.diagonal[0]),
              tolerance<TypeParam>);
  EXPECT_EQ(with.rhs[0], without.rhs[0]);
  EXPECT_NE(row_at(rows, fluid, {}).diagonal[0],
            row_at(without_bodies(rows), fluid, {}).diagonal[0]);
}

/// FactorRows of a uniform axis read one diagonal for all points; with bodies it is the same
/// number, not one that differs by round-off.
TYPED_TEST(SolidRows, along_a_uniform_axis_have_the_diagonal_of_its_factor) {
  CutLine<TypeParam> line;
  const Index3 elsewhere{3, 5, 2};
  auto rows = line.rows();
  rows.is_uniform = true;
  rows.step.uniform_diagonal[0] = TypeParam(3);  // no point's own
  const auto far = row_at(rows, elsewhere, {});
  EXPECT_EQ(far.diagonal[0], TypeParam(3));
  const auto near = row_at(rows, fluid, {});
  const double b = 1 / (1 + line.dt * line.kappa.at(fluid));
  EXPECT_NEAR(static_cast<double>(near.diagonal[0]), 1 + 2 * b, tolerance<TypeParam>);
  rows.is_uniform = false;
  EXPECT_NE(row_at(rows, elsewhere, {}).diagonal[0], TypeParam(3));
}

/// Beyond the face of an adiabatic body is the value of the point itself: no diffusion, and what
/// flows in at one end carries it.
TYPED_TEST(SolidRows, at_an_adiabatic_body_have_no_heat_through_its_face) {
  CutLine<TypeParam> line;
  Field<TypeParam> insulated([](Index3 c) { return is_at(c, in_body) ? 1.0 : 0.0; });
  Field<TypeParam> no_pull([](Index3) { return 0.0; });
  auto rows = line.rows();
  rows.solids.kappa = no_pull.view().as_const();
  rows.solids.insulated = insulated.view().as_const();
  rows.right.solids = rows.solids;
  const auto row = row_at(rows, fluid, {});
  const double advection = line.dt / 4 * line.velocity[0] / line.width;
  const double high = line.dt / 2 * line.rate[0][1];
  EXPECT_EQ(row.lower[0], 0);
  EXPECT_NEAR(static_cast<double>(row.diagonal[0]), 1 + high - advection, tolerance<TypeParam>);
  EXPECT_NEAR(static_cast<double>(row.upper[0]), advection - high, tolerance<TypeParam>);
  const double q = line.q.at(fluid);
  EXPECT_NEAR(static_cast<double>(row.rhs[0]),
              line.along(Axis::y) + line.along(Axis::z) -
                  2 * (advection * (solid[1] - q) - high * (solid[1] - q)),
              tolerance<TypeParam>);
}

/// Diffusion through a face is k times that of the fluid, and the point holds c times as much; the
/// surface of another body gives g.
TYPED_TEST(SolidRows, where_bodies_conduct_have_the_conductivity_of_the_faces) {
  constexpr double capacity = 2.5;
  constexpr double gain = 0.8;
  constexpr PerAxis<std::array<double, 2>> k{{{0.4, 3.0}, {1.7, 1.0}, {0.2, 5.0}}};
  CutLine<TypeParam> line;
  Field<TypeParam> no_pull([](Index3) { return 0.0; });
  Field<TypeParam> share([&](Index3 c) { return is_at(c, fluid) ? 1 / capacity : 1.0; });
  Field<TypeParam> gains([&](Index3 c) { return is_at(c, fluid) ? gain : 0.0; });
  const auto at_faces = [&](int axis) {
    return Field<TypeParam>([&, axis](Index3 c) {
      Index3 above = fluid;
      ++above[axis];
      return is_at(c, fluid) ? k[axis][0] : is_at(c, above) ? k[axis][1] : 1.0;
    });
  };
  PerAxis<Field<TypeParam>> conductivity{at_faces(0), at_faces(1), at_faces(2)};
  auto rows = line.rows();
  rows.solids.kappa = no_pull.view().as_const();
  rows.solids.inverse_capacity = share.view().as_const();
  rows.solids.gain = gains.view().as_const();
  for (int axis = 0; axis < 3; ++axis)
    rows.solids.conductivity[axis] = conductivity[axis].view().as_const();
  rows.right.solids = rows.solids;
  const auto row = row_at(rows, fluid, {});
  const double advection = line.dt / 4 * line.velocity[0] / line.width;
  const double low = k[0][0] * line.dt / 2 * line.rate[0][0];
  const double high = k[0][1] * line.dt / 2 * line.rate[0][1];
  EXPECT_NEAR(
      static_cast<double>(row.lower[0]), -(advection + low) / capacity, tolerance<TypeParam>);
  EXPECT_NEAR(
      static_cast<double>(row.diagonal[0]), 1 + (low + high) / capacity, tolerance<TypeParam>);
  EXPECT_NEAR(
      static_cast<double>(row.upper[0]), (advection - high) / capacity, tolerance<TypeParam>);

  const double q = line.q.at(fluid);
  double right = 0;
  for (int axis = 0; axis < 3; ++axis) {
    Index3 below = fluid;
    Index3 above = fluid;
    --below[axis];
    ++above[axis];
    right += k[axis][0] * line.rate[axis][0] * (line.q.at(below) - q) +
             k[axis][1] * line.rate[axis][1] * (line.q.at(above) - q) -
             line.velocity[axis] * (line.q.at(above) - line.q.at(below)) / (2 * line.widths[axis]);
  }
  EXPECT_NEAR(static_cast<double>(row.rhs[0]),
              line.dt * (right / capacity + gain),
              10 * tolerance<TypeParam>);
}

/// Nodes between two bodies along x, in scheme splitting.
template <class Real>
struct CutNodes {
  static constexpr double hx = 0.25;
  static constexpr double inverse_dt = 8;
  static constexpr std::array<double, 2> nu{0.0625, 0.125};  // of velocities, of T
  // A rigid body's values at the node itself: those at the surface and behind it are linear.
  static constexpr std::array<double, 4> here{0.5, -0.25, 0.75, 1.5};
  static constexpr std::array<double, 4> slope{0.3, -0.7, 0.2, 0};

  static double value_in_body(int variable, double x) {
    const auto v = static_cast<std::size_t>(variable);
    return here[v] + slope[v] * x;
  }

  testing::SmallLevel<Real> level{points, [](int variable, int i, int j, int k) {
                                    if (j == fluid.j && k == fluid.k && (i == 1 || i == 3))
                                      return value_in_body(variable, (i - 2) * hx);
                                    return 0.3 * variable + 0.1 * i - 0.2 * j + 0.05 * k * i;
                                  }};
  PerAxis<Field<Real>> pull{Field<Real>{[](Index3 c) {
                              if (is_at(c, in_body)) return pull_in_body;
                              if (!is_at(c, fluid)) return 0.0;
                              return pull_of_cut_end(theta[0]) + pull_of_cut_end(theta[1]);
                            }},
                            Field<Real>{[](Index3) { return 0.0; }},
                            Field<Real>{[](Index3) { return 0.0; }}};

  auto open_rows() {
    return SplittingRows<Axis::x, Real, SharedVelocityMatrix, false>{
        level.view(),
        level.view().as_const(),
        {Real(inverse_dt), Real(nu[0]), Real(nu[1]), Real(0.75)},
        {Real(1 / (2 * hx)), Real(1), Real(1)},
        {},
        {}};
  }
  auto rows() {
    SolidNodesView<Real> solids{};
    solids.box = {{0, 0, 0}, {5, 7, 6}};
    for (int axis = 0; axis < 3; ++axis) solids.pull[axis] = pull[axis].view().as_const();
    for (std::size_t v = 0; v < 4; ++v) solids.uniform_target[v] = static_cast<Real>(here[v]);
    return SplittingRowsAtSolids<Axis::x, decltype(open_rows()), Real>{open_rows(), solids};
  }
};

TYPED_TEST(SolidRows, of_nodes_between_two_bodies_are_the_stencil_of_the_surfaces) {
  CutNodes<TypeParam> line;
  const auto row = row_at(line.rows(), fluid, {});
  const auto open = row_at(line.open_rows(), fluid, {});
  for (int variable = 0; variable < 4; ++variable) {
    const int matrix = SharedVelocityMatrix::matrix_of(variable);
    const double nu = line.nu.at(matrix);
    const double low = line.value_in_body(variable, -line.hx);
    const double high = line.value_in_body(variable, line.hx);
    const double found =
        (static_cast<double>(row.rhs[variable]) - static_cast<double>(row.lower[matrix]) * low -
         static_cast<double>(row.upper[matrix]) * high) /
        static_cast<double>(row.diagonal[matrix]);

    // S/dt + R as without bodies; what advects is between the bodies' values.
    const auto velocity = static_cast<double>(line.level.view()(0, fluid));
    double right =
        static_cast<double>(open.rhs[variable]) - velocity * (high - low) / (2 * line.hx);
    double left = line.inverse_dt;
    for (std::size_t end = 0; end < 2; ++end) {
      const double to_wall = nu / (theta[end] * line.hx * line.hx);
      const double x = (end == 0 ? -1 : 1) * theta[end] * line.hx;
      right += to_wall * line.value_in_body(variable, x);
      left += to_wall;
    }
    EXPECT_NEAR(found, right / left, tolerance<TypeParam>) << "variable " << variable;
  }
}

TYPED_TEST(SolidRows, of_nodes_at_an_adiabatic_body_have_no_heat_through_its_face) {
  CutNodes<TypeParam> line;
  Field<TypeParam> insulated([](Index3 c) { return is_at(c, in_body) ? 1.0 : 0.0; });
  auto rows = line.rows();
  rows.solids.insulated = insulated.view().as_const();
  const auto row = row_at(rows, fluid, {});
  const auto open = row_at(line.open_rows(), fluid, {});
  const auto cut = row_at(line.rows(), fluid, {});
  // T beyond the low face is that of the node: what stood below it comes to the diagonal.
  EXPECT_EQ(row.lower[1], 0);
  EXPECT_EQ(row.diagonal[1], open.diagonal[1] + open.lower[1]);
  EXPECT_EQ(row.upper[1], open.upper[1]);
  EXPECT_EQ(row.rhs[first_scalar], open.rhs[first_scalar]);
  // Velocities feel the surface as before.
  EXPECT_EQ(row.lower[0], cut.lower[0]);
  EXPECT_EQ(row.diagonal[0], cut.diagonal[0]);
  EXPECT_EQ(row.rhs[0], cut.rhs[0]);

  // In the body T stays what it is.
  const auto inside = row_at(rows, in_body, {});
  EXPECT_EQ(inside.diagonal[1], 1);
  EXPECT_EQ(inside.rhs[first_scalar], line.level.view()(first_scalar, in_body));
}

TYPED_TEST(SolidRows, of_nodes_in_a_body_have_its_values_exactly) {
  CutNodes<TypeParam> line;
  const auto row = row_at(line.rows(), in_body, {});
  for (int matrix = 0; matrix < SharedVelocityMatrix::matrices; ++matrix) {
    EXPECT_EQ(row.lower[matrix], 0);
    EXPECT_EQ(row.diagonal[matrix], 1);
    EXPECT_EQ(row.upper[matrix], 0);
  }
  for (std::size_t v = 0; v < 4; ++v) EXPECT_EQ(row.rhs[v], TypeParam(line.here.at(v)));
}

}  // namespace
}  // namespace dns::test_solid_rows
