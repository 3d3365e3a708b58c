/// What every backend must do, in one body. A test suite gives a Device with
///   using Backend;  static Backend make();  static std::string obstacle();
/// where obstacle() is empty if there is such a device.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "solver/core/backend.hpp"
#include "solver/core/field_layout.hpp"
#include "solver/core/reduction.hpp"
#include "solver/core/row_range.hpp"
#include "solver/core/team.hpp"
#include "solver/core/tridiagonal.hpp"
#include "solver/grid/formula_lines.hpp"
#include "solver/numerics/nodal_diagnostics.hpp"
#include "solver/numerics/solid_rows.hpp"
#include "solver/numerics/sources.hpp"
#include "solver/numerics/splitting_rows.hpp"
#include "solver/numerics/store_solution.hpp"
#include "solver/splitting/time_level.hpp"

namespace dns::testing {

/// Reproducible numbers in [-1, 1) that look random, the same on host and device.
DNS_HD double scattered(int variable, Index3 c) {
  auto bits = static_cast<std::uint32_t>(c.i + 1) * 0x9e3779b1U ^
              static_cast<std::uint32_t>(c.j + 7) * 0x85ebca77U ^
              static_cast<std::uint32_t>(c.k + 13) * 0xc2b2ae3dU ^
              static_cast<std::uint32_t>(variable + 3) * 0x27d4eb2fU;
  bits ^= bits >> 15U;
  bits *= 0x2c1b3c6dU;
  bits ^= bits >> 12U;
  bits *= 0x297a2d39U;
  bits ^= bits >> 15U;
  return static_cast<double>(bits) * (2.0 / 4294967296.0) - 1;
}

/// Host copies of a level, one vector per variable, without ghosts.
template <class Real>
using HostLevel = std::vector<std::vector<Real>>;

template <class Backend>
HostLevel<typename Backend::Real> download(Backend& backend,
                                           const TimeLevel<Backend>& level,
                                           Extents points) {
  HostLevel<typename Backend::Real> host(variables_per_level,
                                         std::vector<typename Backend::Real>(points.count()));
  for (int variable = 0; variable < variables_per_level; ++variable) {
    backend.download(level.view_const().field(variable), points, host[variable].data());
  }
  backend.synchronize();
  return host;
}

template <class Backend, class Value>
void upload(Backend& backend, const TimeLevel<Backend>& level, Extents points, const Value& value) {
  for (int variable = 0; variable < variables_per_level; ++variable) {
    std::vector<typename Backend::Real> host(points.count());
    std::size_t n = 0;
    for (int k = 0; k < points.nz; ++k) {
      for (int j = 0; j < points.ny; ++j) {
        for (int i = 0; i < points.nx; ++i) {
          host[n++] = static_cast<typename Backend::Real>(value(variable, Index3{i, j, k}));
        }
      }
    }
    backend.upload(host.data(), level.view().field(variable), points);
    backend.synchronize();
  }
}

/// Adds variable + 1 to every variable at a point, to check that each point is visited once.
template <class View>
struct AddOne {
  View counts;
  DNS_HD void operator()(Index3 c) const {
    for (int variable = 0; variable < variables_per_level; ++variable) {
      counts.set(variable, c, counts(variable, c) + typename View::Number(variable + 1));
    }
  }
};

/// Replaces q by a - q.
template <class View>
struct SubtractFrom {
  View level;
  typename View::Number a;
  DNS_HD void operator()(Index3 c) const {
    for (int variable = 0; variable < variables_per_level; ++variable)
      level.set(variable, c, a - level(variable, c));
  }
};

/// The same for points handled at once too.
template <class View>
struct AddOneToPoints {
  View counts;
  template <class Point>
  DNS_HD void operator()(Point c) const {
    for (int variable = 0; variable < variables_per_level; ++variable) {
      counts.set(variable, c, counts(variable, c) + typename View::Number(variable + 1));
    }
  }
};

template <class View>
struct AddOneForLater : AddOneToPoints<View> {
  static constexpr bool is_for_a_later_pass = true;
};

/// Rows along `axis` whose coefficients and solution are known at every point; not symmetric, so
/// that swapped ends or axes show.
template <Axis axis, class View, bool cyclic>
struct KnownRows {
  using System = SharedVelocityMatrix;
  static constexpr bool is_cyclic = cyclic;
  static constexpr int coefficients = 4;

  View exact;  // with ghosts along the axis when cyclic
  View values;
  double diagonal = 3;

  template <class Point>
  DNS_HD auto operator()(Point c) const {
    using Value = decltype(exact(0, c));
    const auto step = exact.template stride<axis>();
    RowData<System, coefficients, Value> data;
    for (int which = 0; which < coefficients; ++which) data.coefficient[which] = values(which, c);
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      const auto row = coupling(System::matrix_of(unknown), data.coefficient);
      const auto* here = exact.address(unknown, c);
      data.rhs[unknown] = row.lower * load(here - step, c) + row.diagonal * load(here, c) +
                          row.upper * load(here + step, c);
    }
    return data;
  }
  template <class Value>
  [[nodiscard]] DNS_HD Coupling<Value> coupling(int matrix,
                                                const Value (&coefficient)[coefficients]) const {
    return {coefficient[matrix],
            Value(static_cast<typename View::Number>(diagonal)) + coefficient[3],
            coefficient[matrix + 1]};
  }

  /// The neighbour outside of the line is known: it moves to the right-hand side.
  template <class Point, class Data>
  DNS_HD void close_low(Point c, Data& data) const {
    const auto step = exact.template stride<axis>();
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      const auto row = coupling(System::matrix_of(unknown), data.coefficient);
      data.rhs[unknown] -= row.lower * load(exact.address(unknown, c) - step, c);
    }
  }
  template <class Point, class Data>
  DNS_HD void close_high(Point c, Data& data) const {
    const auto step = exact.template stride<axis>();
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      const auto row = coupling(System::matrix_of(unknown), data.coefficient);
      data.rhs[unknown] -= row.upper * load(exact.address(unknown, c) + step, c);
    }
  }
  template <class Value>
  DNS_HD void fold_low(int /*matrix*/, Coupling<Value>& row) const {
    row.lower = Value(0);
  }
  template <class Value>
  DNS_HD void fold_high(int /*matrix*/, Coupling<Value>& row) const {
    row.upper = Value(0);
  }
};

/// Rows whose right-hand sides are the values of a level, between zeros.
template <Axis axis, class View>
struct RowsOfLevel : KnownRows<axis, View, false> {
  View right;

  template <class Point>
  DNS_HD auto operator()(Point c) const {
    auto data = KnownRows<axis, View, false>::operator()(c);
    for (int unknown = 0; unknown < variables_per_level; ++unknown)
      data.rhs[unknown] = right(unknown, c);
    return data;
  }
  template <class Point, class Data>
  DNS_HD void close_low(Point /*c*/, Data& /*data*/) const {}
  template <class Point, class Data>
  DNS_HD void close_high(Point /*c*/, Data& /*data*/) const {}
};

/// Stores the solution and checks that it is called with what `read` returned.
template <class View, class ConstView>
struct StoreSolution {
  View solution;
  ConstView other;

  template <class Point>
  [[nodiscard]] DNS_HD auto read(Point c) const {
    return other(0, c);
  }
  template <class Point, class Value>
  DNS_HD void operator()(Point c, const Value (&x)[variables_per_level], Value read_before) const {
    for (int variable = 0; variable < variables_per_level; ++variable) {
      solution.set(variable, c, x[variable] + (read_before - other(0, c)));
    }
  }
  template <class Value>
  [[nodiscard]] DNS_HD NodeValues<Value> written(const Value (&x)[variables_per_level],
                                                 Value /*read_before*/) const {
    return {{x[0], x[1], x[2], x[3]}};
  }
};

template <class View>
struct SumOfFields {
  View level;
  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, 2, 1>& reduction) const {
    reduction.sum[0] += in_double(level(0, c));
    reduction.sum[1] += in_double(level(1, c)) * in_double(level(2, c));
    reduction.raise(0, magnitude(in_double(level(3, c))));
  }
};

/// Adds a number of its own, among much else: lists of such kernels soon fill what a backend keeps
/// for them.
template <class Real>
struct AddToLevel {
  FieldView<Real> field;
  Real added;
  double others[400] = {};

  DNS_HD void operator()(Index3 c) const { field.set(c, field(c) + added); }
};
template <class Real>
struct SumOfField {
  FieldView<const Real> field;
  double factor;
  double others[400] = {};

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, 1, 0>& reduction) const {
    reduction.sum[0] += factor * in_double(field(c));
  }
};

/// Equal in every bit: neither NaN nor zeros of either sign stand in these tests.
template <int sums, int maxima>
void expect_same(const Reduction<double, sums, maxima>& a,
                 const Reduction<double, sums, maxima>& b) {
  for (int which = 0; which < sums; ++which) EXPECT_EQ(a.sum[which], b.sum[which]);
  for (int which = 0; which < maxima; ++which) EXPECT_EQ(a.maximum[which], b.maximum[which]);
}

inline LevelLayout all_ghosts(Extents points) {
  return LevelLayout(points, {1, 1, 1});
}

/// The known solution of the lines of a box of `points`, and the solution that a backend finds.
template <class Real>
struct KnownSweep {
  HostLevel<Real> computed, exact;

  [[nodiscard]] double largest_error() const {
    double largest = 0;
    for (std::size_t variable = 0; variable < computed.size(); ++variable) {
      for (std::size_t n = 0; n < computed[variable].size(); ++n) {
        const double error = std::abs(static_cast<double>(computed[variable][n]) -
                                      static_cast<double>(exact[variable][n]));
        largest = larger_or_nan(largest, error);
      }
    }
    return largest;
  }
};

/// A solution, and coefficients of rows that have it.
template <class Backend>
void upload_known(Backend& backend,
                  const TimeLevel<Backend>& exact,
                  const TimeLevel<Backend>& coefficients,
                  Extents points) {
  upload(backend, exact, points, [](int variable, Index3 c) { return 5 * scattered(variable, c); });
  upload(backend, coefficients, points, [](int variable, Index3 c) {
    return scattered(variable + 10, c);
  });
}

template <Axis axis, bool cyclic, class Backend>
KnownSweep<typename Backend::Real> known_sweep(Backend& backend,
                                               Extents points,
                                               double diagonal = 3) {
  using Real = typename Backend::Real;
  using View = typename TimeLevel<Backend>::View;
  using ConstView = typename TimeLevel<Backend>::ConstView;
  const LevelLayout shape = all_ghosts(points);
  const TimeLevel<Backend> exact(backend, shape);
  const TimeLevel<Backend> coefficients(backend, shape);
  const TimeLevel<Backend> solution(backend, shape);
  upload_known(backend, exact, coefficients, points);
  BoxClosures<Real> periodic;
  for (bool& is_periodic : periodic.is_periodic) is_periodic = true;
  backend.for_each_on_boundary(
      shape.all_stored(),
      BoundaryPlanes::all(),
      FillBoundaryAndGhosts<Real, Backend::interleave_width>{exact.view(), periodic, points});
  backend.template sweep<axis>(
      shape.all_points(),
      KnownRows<axis, ConstView, cyclic>{exact.view_const(), coefficients.view_const(), diagonal},
      StoreSolution<View, ConstView>{solution.view(), coefficients.view_const()});
  return {download(backend, solution, points), download(backend, exact, points)};
}

/// Solves lines of `points` along `axis` and returns the largest error against the known solution.
template <Axis axis, bool cyclic, class Backend>
double largest_sweep_error(Backend& backend, Extents points, double diagonal = 3) {
  return known_sweep<axis, cyclic>(backend, points, diagonal).largest_error();
}

/// A level with its ghosts as one without: node c becomes c + 1.
template <class View>
struct TakeGhostsIn {
  View from, to;
  DNS_HD void operator()(Index3 c) const {
    for (int variable = 0; variable < variables_per_level; ++variable) {
      to.set(variable, Index3{c.i + 1, c.j + 1, c.k + 1}, from(variable, c));
    }
  }
};

/// Evaluates the boundary on planes across `normal`, but not where they meet others.
template <Axis normal, class BoundaryPoints>
struct EvaluateAcross {
  BoundaryPoints boundary;
  Box interior;

  template <class Point>  // points handled at once lie between the ends of a line along x
  DNS_HD void operator()(Point c) const {
    const auto is_out = [](int index, int begin, int end) { return index < begin || index >= end; };
    const int planes = (is_out(c.i, interior.begin.i, interior.end.i) ? 1 : 0) +
                       (is_out(c.j, interior.begin.j, interior.end.j) ? 1 : 0) +
                       (is_out(c.k, interior.begin.k, interior.end.k) ? 1 : 0);
    for (int n = 0; planes == 1 && n < boundary.variables(normal); ++n) {
      boundary.evaluate.template fill_end<normal>(boundary.first_variable(normal) + n, c);
    }
  }
};

/// Sweeps and has the boundary evaluated for a sweep along `reader`, by the sweep itself as far as
/// the backend does that or all of it afterwards; every node that is stored.
template <Axis axis, bool cyclic, class Backend>
HostLevel<typename Backend::Real> sweep_with_boundary(
    Backend& backend, Extents points, bool is_x_periodic, Axis reader, bool at_once) {
  using Real = typename Backend::Real;
  using View = typename TimeLevel<Backend>::View;
  using ConstView = typename TimeLevel<Backend>::ConstView;
  constexpr int interleave_width = Backend::interleave_width;
  const std::vector<Real> given(
      64, Real(0.625));  // the same at all points, as many as are handled at once
  const auto target = backend.template allocate<Real>(given.size());
  backend.upload_values(given.data(), target.data(), given.size());
  BoxClosures<Real> closures;
  closures.is_periodic[0] = is_x_periodic;
  closures.is_periodic[static_cast<int>(axis)] = cyclic;
  for (int face = 0; face < 6; ++face) {
    for (int variable = 0; variable < variables_per_level; ++variable) {
      FaceClosures<Real>& across = closures.face[face / 2][face % 2];
      across.closure[variable] = {Real(face + 1), Real(variable - 1), Real(2)};
      across.given[variable] = {target.data(), 0, 0, 0};
    }
  }
  const auto ghosts = [&](int of_axis) { return closures.is_periodic[of_axis] ? 1 : 0; };
  const LevelLayout shape{points, {ghosts(0), ghosts(1), ghosts(2)}};
  const Box interior = shape.interior();
  const TimeLevel<Backend> exact(backend, shape);
  const TimeLevel<Backend> coefficients(backend, shape);
  const TimeLevel<Backend> solution(backend, shape);
  upload_known(backend, exact, coefficients, points);
  if (cyclic) {
    BoundaryPlanes ends{};
    ends.is_included[static_cast<int>(axis)][0] = true;
    ends.is_included[static_cast<int>(axis)][1] = true;
    backend.for_each_on_boundary(
        shape.all_stored(),
        ends,
        FillBoundaryAndGhosts<Real, interleave_width>{exact.view(), closures, points});
  }
  using BoundaryPoints = BoundaryForSweep<Real, interleave_width>;
  const BoundaryPoints boundary{reader, BoundaryPlanes::all(), {solution.view(), closures, points}};
  const KnownRows<axis, ConstView, cyclic> rows{exact.view_const(), coefficients.view_const()};
  const StoreSolution<View, ConstView> sink{solution.view(), coefficients.view_const()};
  BoundaryPlanes left = boundary.planes;
  if (at_once) {
    left = backend.template sweep<axis>(interior, rows, sink, boundary);
  } else {
    backend.template sweep<axis>(interior, rows, sink);
  }
  const auto evaluate_left = [&]<Axis normal>() {
    constexpr int a = static_cast<int>(normal);
    BoundaryPlanes planes{};
    for (const int end : {0, 1}) planes.is_included[a][end] = left.is_included[a][end];
    backend.for_each_on_boundary(
        shape.all_stored(), planes, EvaluateAcross<normal, BoundaryPoints>{boundary, interior});
  };
  evaluate_left.template operator()<Axis::x>();
  evaluate_left.template operator()<Axis::y>();
  evaluate_left.template operator()<Axis::z>();
  const Extents with_ghosts{points.nx + 2, points.ny + 2, points.nz + 2};
  const TimeLevel<Backend> all(backend, LevelLayout{with_ghosts});
  backend.for_each(shape.all_stored(), TakeGhostsIn<View>{solution.view(), all.view()});
  return download(backend, all, with_ghosts);
}

/// The largest residual of the solution of a splitting sweep along `axis`, with a given value at
/// the low end of each line and extrapolation at the high one unless it is cyclic, in the equations
/// as the host evaluates them; relative to the terms that are summed.
template <Axis axis, bool cyclic, class Backend>
double largest_splitting_residual(Backend& backend, Extents points) {
  using Real = typename Backend::Real;
  constexpr int interleave_width = Backend::interleave_width;
  const int ghosts = cyclic ? 1 : 0;
  const LevelLayout shape{
      points,
      {axis == Axis::x ? ghosts : 0, axis == Axis::y ? ghosts : 0, axis == Axis::z ? ghosts : 0}};
  const int count = along<axis>(points);
  const auto wrapped = [&](Index3 c) {
    return cyclic ? placed<axis>(c, (along<axis>(c) + count) % count) : c;
  };
  const auto source_at = [&](int variable, Index3 c) {
    return scattered(4 + variable, wrapped(c));
  };
  const auto nonlinear_at = [&](int variable, Index3 c) { return scattered(variable, wrapped(c)); };

  const std::vector<Real> given(64, Real(0.625));
  const auto target = backend.template allocate<Real>(given.size());
  backend.upload_values(given.data(), target.data(), given.size());
  const auto rows_with = [&]<int side_by_side>(LevelView<Real, side_by_side> source,
                                               LevelView<const Real, side_by_side> nonlinear,
                                               const Real* given_values) {
    FaceClosures<Real> low;
    FaceClosures<Real> high;
    for (int variable = 0; variable < variables_per_level; ++variable) {
      low.closure[variable] = closure_of<Real>(BoundaryCondition::value(), 0.01);
      high.closure[variable] = closure_of<Real>(BoundaryCondition::extrapolate(), 0.01);
      low.given[variable] = high.given[variable] = {given_values, 0, 0, 0};
    }
    return SplittingRows<axis, Real, SharedVelocityMatrix, cyclic, side_by_side>{
        source,
        nonlinear,
        {Real(200), Real(0.002), Real(0.003), Real(0.0006)},
        {Real(50), Real(50), Real(50)},
        low,
        high};
  };

  const TimeLevel<Backend> source(backend, shape);
  const TimeLevel<Backend> nonlinear(backend, shape);
  const TimeLevel<Backend> solution(backend, shape);
  upload(backend, source, points, source_at);
  upload(backend, nonlinear, points, nonlinear_at);
  upload(backend, solution, points, [](int, Index3) { return std::nan(""); });
  if (cyclic) {
    BoxClosures<Real> closures;
    closures.is_periodic[static_cast<int>(axis)] = true;
    for (auto& faces : closures.face) {
      for (FaceClosures<Real>& face : faces) {
        for (BoundaryClosure<Real>& closure : face.closure) closure = {Real(1), Real(0), Real(0)};
      }
    }
    BoundaryPlanes ends{};
    ends.is_included[static_cast<int>(axis)][0] = ends.is_included[static_cast<int>(axis)][1] =
        true;
    backend.for_each_on_boundary(
        shape.all_stored(),
        ends,
        FillBoundaryAndGhosts<Real, interleave_width>{nonlinear.view(), closures, points});
  }
  backend.template sweep<axis>(
      shape.interior(),
      rows_with(source.view(), nonlinear.view_const(), target.data()),
      RelaxAndStore<Real, interleave_width>{
          nonlinear.view_const(), solution.view(), {}, Real(1), true, false});
  const HostLevel<Real> x = download(backend, solution, points);

  std::vector<Real> host_source(shape.values(sizeof(Real)));
  std::vector<Real> host_nonlinear(shape.values(sizeof(Real)));
  const auto host_view = [&](std::vector<Real>& values, const auto& value_at) {
    const LevelView<Real> view = shape.view<Real>(values.data());
    const Box stored = shape.all_stored();
    for (int k = stored.begin.k; k < stored.end.k; ++k) {
      for (int j = stored.begin.j; j < stored.end.j; ++j) {
        for (int i = stored.begin.i; i < stored.end.i; ++i) {
          for (int variable = 0; variable < variables_per_level; ++variable) {
            view.set(variable, Index3{i, j, k}, static_cast<Real>(value_at(variable, {i, j, k})));
          }
        }
      }
    }
    return view;
  };
  const auto rows = rows_with(host_view(host_source, source_at),
                              host_view(host_nonlinear, nonlinear_at).as_const(),
                              given.data());
  const Box box = shape.interior();
  double largest = 0;
  const auto residual_at = [&](Index3 c) {
    const int m = along<axis>(c);
    const LineEnds ends{!cyclic && m == along<axis>(box.begin),
                        !cyclic && m == along<axis>(box.end) - 1};
    const auto row = row_at(rows, c, ends);
    for (int unknown = 0; unknown < variables_per_level; ++unknown) {
      const double error = relative_residual(row, unknown, m, ends, [&](int position) {
        const Index3 at = wrapped(placed<axis>(c, position));
        const auto n = static_cast<std::size_t>(at.i + points.nx * (at.j + points.ny * at.k));
        return x[unknown][n];
      });
      largest = larger_or_nan(largest, error);
    }
  };
  for (int k = box.begin.k; k < box.end.k; ++k) {
    for (int j = box.begin.j; j < box.end.j; ++j) {
      for (int i = box.begin.i; i < box.end.i; ++i) residual_at({i, j, k});
    }
  }
  return largest;
}

template <class Device>
class BackendTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!Device::obstacle().empty()) GTEST_SKIP() << Device::obstacle();
  }
};
TYPED_TEST_SUITE_P(BackendTest);

// Odd, unequal, around the widths of packs, warps and tiles.
inline const std::vector<Extents> test_extents{{4, 4, 4},
                                               {5, 7, 33},
                                               {33, 5, 7},
                                               {7, 33, 6},
                                               {16, 17, 18},
                                               {35, 9, 4},
                                               {64, 41, 5},
                                               {67, 66, 65}};

template <class Real>
constexpr double sweep_tolerance() {
  // |x| <= 5, pivots >= 2 - 1 from 3 +- 1 against 1 + 1: a few hundred roundings at worst.
  return 2e4 * static_cast<double>(std::numeric_limits<Real>::epsilon());
}

TYPED_TEST_P(BackendTest, sweeps_along_every_axis_recover_a_known_solution) {
  auto backend = TypeParam::make();
  using Real = typename TypeParam::Backend::Real;
  for (const Extents points : test_extents) {
    SCOPED_TRACE(::testing::Message() << points.nx << " " << points.ny << " " << points.nz);
    EXPECT_LE((largest_sweep_error<Axis::x, false>(backend, points)), sweep_tolerance<Real>());
    EXPECT_LE((largest_sweep_error<Axis::y, false>(backend, points)), sweep_tolerance<Real>());
    EXPECT_LE((largest_sweep_error<Axis::z, false>(backend, points)), sweep_tolerance<Real>());
  }
}

TYPED_TEST_P(BackendTest, cyclic_sweeps_along_every_axis_recover_a_known_solution) {
  auto backend = TypeParam::make();
  using Real = typename TypeParam::Backend::Real;
  for (const Extents points : test_extents) {
    SCOPED_TRACE(::testing::Message() << points.nx << " " << points.ny << " " << points.nz);
    EXPECT_LE((largest_sweep_error<Axis::x, true>(backend, points)), sweep_tolerance<Real>());
    EXPECT_LE((largest_sweep_error<Axis::y, true>(backend, points)), sweep_tolerance<Real>());
    EXPECT_LE((largest_sweep_error<Axis::z, true>(backend, points)), sweep_tolerance<Real>());
  }
}

TYPED_TEST_P(BackendTest, lines_of_every_kind_of_length_are_solved) {
  // Around what lanes of a warp, their pieces and the longest lines of a block and of its clusters
  // hold, and lines in pieces: of equal lengths, of lengths that differ by one, of many.
  auto backend = TypeParam::make();
  using Real = typename TypeParam::Backend::Real;
  for (const int n : {2,    3,    6,    7,    8,    13,   14,   26,   27,   31,   32,    33,
                      100,  112,  113,  208,  209,  224,  225,  272,  273,  416,  417,   510,
                      511,  512,  513,  514,  544,  545,  800,  831,  832,  833,  1023,  1024,
                      1025, 1026, 1248, 1249, 1280, 1500, 2048, 3001, 4353, 8192, 17409, 34817}) {
    SCOPED_TRACE(::testing::Message() << "lines of " << n << " points");
    const double limit = sweep_tolerance<Real>();
    EXPECT_LE((largest_sweep_error<Axis::x, false>(backend, {n, 9, 5})), limit);
    EXPECT_LE((largest_sweep_error<Axis::y, false>(backend, {9, n, 5})), limit);
    EXPECT_LE((largest_sweep_error<Axis::z, false>(backend, {9, 5, n})), limit);
    if (n < 3) continue;  // the neighbours of a point on a cyclic line are two
    EXPECT_LE((largest_sweep_error<Axis::x, true>(backend, {n, 9, 5})), limit);
    EXPECT_LE((largest_sweep_error<Axis::y, true>(backend, {9, n, 5})), limit);
    EXPECT_LE((largest_sweep_error<Axis::z, true>(backend, {9, 5, n})), limit);
  }
}

TYPED_TEST_P(BackendTest, splitting_sweeps_of_every_kind_of_length_satisfy_their_equations) {
  auto backend = TypeParam::make();
  using Real = typename TypeParam::Backend::Real;
  constexpr double limit = 16 * static_cast<double>(std::numeric_limits<Real>::epsilon());
  for (const int n : {4,    9,    63,   98,   129,  146,  147,  192,  210,  211,  226,   227,
                      255,  274,  275,  290,  384,  418,  419,  513,  515,  546,  834,   1027,
                      1089, 1092, 1280, 2048, 2178, 2180, 3001, 4354, 4356, 8192, 17411, 34819}) {
    SCOPED_TRACE(::testing::Message() << n << " points along the lines");
    EXPECT_LE((largest_splitting_residual<Axis::x, false>(backend, {n, 9, 5})), limit);
    EXPECT_LE((largest_splitting_residual<Axis::y, false>(backend, {21, n, 5})), limit);
    EXPECT_LE((largest_splitting_residual<Axis::z, false>(backend, {11, 5, n})), limit);
    EXPECT_LE((largest_splitting_residual<Axis::x, true>(backend, {n, 9, 5})), limit);
    EXPECT_LE((largest_splitting_residual<Axis::y, true>(backend, {21, n, 5})), limit);
    EXPECT_LE((largest_splitting_residual<Axis::z, true>(backend, {11, 5, n})), limit);
  }
}

TYPED_TEST_P(BackendTest, splitting_sweeps_of_very_many_lines_satisfy_their_equations) {
  // More blocks than two times those that a large GPU has room for, so that the first ones wait.
  auto backend = TypeParam::make();
  using Real = typename TypeParam::Backend::Real;
  constexpr double limit = 16 * static_cast<double>(std::numeric_limits<Real>::epsilon());
  EXPECT_LE((largest_splitting_residual<Axis::x, false>(backend, {65, 61, 450})), limit);
  EXPECT_LE((largest_splitting_residual<Axis::y, false>(backend, {61, 65, 450})), limit);
  EXPECT_LE((largest_splitting_residual<Axis::z, false>(backend, {61, 450, 65})), limit);
}

TYPED_TEST_P(BackendTest, weakly_coupled_lines_are_solved_to_the_last_bits) {
  // What couples the pieces of a line falls below round-off after none, one, two steps of
  // reduction.
  auto backend = TypeParam::make();
  using Real = typename TypeParam::Backend::Real;
  constexpr double limit = 50 * static_cast<double>(std::numeric_limits<Real>::epsilon());
  for (const double diagonal : {10.0, 30.0, 100.0, 1e3, 1e4, 1e6}) {
    SCOPED_TRACE(::testing::Message() << "a diagonal of " << diagonal);
    EXPECT_LE((largest_sweep_error<Axis::x, false>(backend, {193, 9, 5}, diagonal)), limit);
    EXPECT_LE((largest_sweep_error<Axis::y, true>(backend, {9, 192, 5}, diagonal)), limit);
    EXPECT_LE((largest_sweep_error<Axis::z, false>(backend, {9, 5, 191}, diagonal)), limit);
  }
}

TYPED_TEST_P(BackendTest, boundaries_that_a_sweep_fills_are_as_if_filled_afterwards) {
  auto backend = TypeParam::make();
  const auto agree = [&]<Axis axis, bool cyclic>(Extents points, bool is_x_periodic, Axis reader) {
    const auto afterwards =
        sweep_with_boundary<axis, cyclic>(backend, points, is_x_periodic, reader, false);
    const auto meanwhile =
        sweep_with_boundary<axis, cyclic>(backend, points, is_x_periodic, reader, true);
    EXPECT_TRUE(meanwhile == afterwards)
        << "lines along " << static_cast<int>(axis) << (cyclic ? ", cyclic" : "") << ", reader "
        << static_cast<int>(reader) << (is_x_periodic ? ", x periodic" : "");
  };
  // The two columns next to a face across x in one block, or in two; the two rows next to an end in
  // one thread, or in two.
  for (const Extents points : {Extents{5, 7, 33},
                               Extents{33, 6, 9},
                               Extents{18, 9, 4},
                               Extents{34, 5, 6},
                               Extents{67, 21, 12}}) {
    SCOPED_TRACE(::testing::Message() << points.nx << " " << points.ny << " " << points.nz);
    for (const Axis reader : {Axis::x, Axis::y, Axis::z}) {
      agree.template operator()<Axis::x, false>(points, false, reader);
      agree.template operator()<Axis::x, true>(points, true, reader);
      for (const bool is_x_periodic : {false, true}) {
        agree.template operator()<Axis::y, false>(points, is_x_periodic, reader);
        agree.template operator()<Axis::y, true>(points, is_x_periodic, reader);
        agree.template operator()<Axis::z, false>(points, is_x_periodic, reader);
        agree.template operator()<Axis::z, true>(points, is_x_periodic, reader);
      }
    }
  }
}

TYPED_TEST_P(BackendTest, for_each_calls_the_kernel_once_per_point_of_the_box) {
  auto backend = TypeParam::make();
  using Backend = typename TypeParam::Backend;
  using Real = typename Backend::Real;
  const Extents points{37, 11, 70};
  for (const Box box : {Box{{0, 0, 0}, {37, 11, 70}},
                        Box{{1, 2, 3}, {36, 9, 68}},
                        Box{{0, 0, 0}, {2, 11, 70}},
                        Box{{3, 5, 0}, {30, 6, 2}},
                        Box{{4, 4, 4}, {4, 9, 9}}}) {
    const TimeLevel<Backend> counts(backend, LevelLayout{points});
    const TimeLevel<Backend> at_once(backend, LevelLayout{points});
    backend.for_each(box, AddOne<typename TimeLevel<Backend>::View>{counts.view()});
    backend.for_each(box, AddOneToPoints<typename TimeLevel<Backend>::View>{at_once.view()});
    const auto host = download(backend, counts, points);
    ASSERT_EQ(download(backend, at_once, points), host);
    std::size_t n = 0;
    for (int k = 0; k < points.nz; ++k) {
      for (int j = 0; j < points.ny; ++j) {
        for (int i = 0; i < points.nx; ++i, ++n) {
          const bool is_inside = i >= box.begin.i && i < box.end.i && j >= box.begin.j &&
                                 j < box.end.j && k >= box.begin.k && k < box.end.k;
          ASSERT_EQ(host[0][n], Real(is_inside ? 1 : 0)) << i << " " << j << " " << k;
          ASSERT_EQ(host[3][n], Real(is_inside ? 4 : 0)) << i << " " << j << " " << k;
        }
      }
    }
  }
}

/// Puts at each place the sum of the numbers before it, and behind the last place that of all.
struct SumUpLine {
  int count;
  double* sums;  // the numbers at first

  template <class Team>
  DNS_HD void operator()(const Team& team) const {
    const RowRange own = team.share(count);
    double mine = 0;
    for (int n = own.begin; n < own.end; ++n) mine += sums[n];
    const RunningSum sum = team.running_sum(mine);
    double before = sum.before;
    for (int n = own.begin; n < own.end; ++n) {
      const double number = sums[n];
      sums[n] = before;
      before += number;
    }
    // Again, as work on lines has several sums.
    const RunningSum again = team.running_sum(before - sum.before);
    if (own.begin < own.end && own.end == count) sums[count] = again.total;
  }
};

TYPED_TEST_P(BackendTest, teams_share_lines_of_any_length_and_add_up) {
  auto backend = TypeParam::make();
  for (const int count : {1, 2, 31, 255, 256, 257, 1000, 8192}) {
    std::vector<double> numbers(count + 1);
    for (int n = 0; n < count; ++n) numbers[n] = n % 7 - 2;
    auto sums = backend.template allocate<double>(numbers.size());
    backend.upload_values(numbers.data(), sums.data(), numbers.size());
    backend.by_team(SumUpLine{count, sums.data()});
    std::vector<double> result(numbers.size());
    backend.download_values(sums.data(), result.data(), result.size());
    double sum = 0;
    for (int n = 0; n <= count; ++n) {
      ASSERT_EQ(result[n], sum) << n << " of " << count;
      sum += numbers[n];
    }
  }
}

/// Equations of one unknown without neighbours: q = rhs.
template <class Real>
struct ValuesAsRows {
  using System = OneUnknown;
  static constexpr bool is_cyclic = false;
  static constexpr int coefficients = 1;

  FieldView<Real> rhs;

  template <class Point>
  DNS_HD auto operator()(Point c) const {
    using Value = decltype(rhs(c));
    RowData<System, coefficients, Value> data;
    data.coefficient[0] = Value(Real(1));
    data.rhs[0] = rhs(c);
    return data;
  }
  template <class Value>
  [[nodiscard]] DNS_HD Coupling<Value> coupling(int /*matrix*/,
                                                const Value (&coefficient)[coefficients]) const {
    return {Value(Real(0)), coefficient[0], Value(Real(0))};
  }
  DNS_HD void close_low(const auto& /*c*/, auto& /*data*/) const {}
  DNS_HD void close_high(const auto& /*c*/, auto& /*data*/) const {}
  DNS_HD void fold_low(int /*matrix*/, auto& /*row*/) const {}
  DNS_HD void fold_high(int /*matrix*/, auto& /*row*/) const {}
};

/// Replaces each value of the line through `first` by half the sum of all. The sweep of
/// ValuesAsRows leaves these as they are.
template <Axis axis, class Real>
struct HalfTheSum {
  FieldView<Real> values;
  Index3 first;
  int count;

  template <class Team>
  DNS_HD void operator()(const Team& team) const {
    const auto at = [&](int m) {
      return values.address(placed<axis>(first, along<axis>(first) + m));
    };
    const RowRange own = team.share(count);
    double mine = 0;
    for (int m = own.begin; m < own.end; ++m) mine += double{*at(m)};
    const double half = team.running_sum(mine).total / 2;
    for (int m = own.begin; m < own.end; ++m) *at(m) = static_cast<Real>(half);
  }
  template <class Team>
  DNS_HD void solve(const Team& team) const {
    (*this)(team);
  }
};

TYPED_TEST_P(BackendTest, sweeps_leave_the_first_line_to_a_team) {
  auto backend = TypeParam::make();
  using Real = typename TypeParam::Backend::Real;
  for_each_axis([&]<Axis axis>() {
    for (const int count : {3, 17, 40, 200, 600}) {
      Extents points{19, 5, 3};
      points[axis] = count;
      const int stride_y = (points.nx + 15) / 16 * 16;
      const Extents room{stride_y, points.ny, points.nz};
      std::vector<Real> values(room.count());
      for (std::size_t n = 0; n < values.size(); ++n) values[n] = static_cast<Real>(n % 7);
      auto memory = backend.template allocate<Real>(values.size());
      backend.upload_values(values.data(), memory.data(), values.size());
      const FieldView<Real> view{memory.data(), stride_y, stride_y * points.ny};
      const Box box{{0, 1, 0}, {points.nx - 1, points.ny, points.nz}};
      const int own = along<axis>(box.extents());
      backend.template sweep_all_but_first_line<axis>(box,
                                                      ValuesAsRows<Real>{view},
                                                      dns::StoreSolution<Real>{view},
                                                      HalfTheSum<axis, Real>{view, box.begin, own});
      std::vector<Real> result(values.size());
      backend.download_values(memory.data(), result.data(), result.size());
      const auto place = [&](Index3 c) {
        return static_cast<std::size_t>(c.i + stride_y * (c.j + points.ny * c.k));
      };
      double sum = 0;
      const auto on_line = [&](int m) {
        return placed<axis>(box.begin, along<axis>(box.begin) + m);
      };
      for (int m = 0; m < own; ++m) {
        sum += double{values[place(on_line(m))]};
        values[place(on_line(m))] = std::numeric_limits<Real>::max();
      }
      for (std::size_t n = 0; n < values.size(); ++n) {
        const bool is_first_line = values[n] == std::numeric_limits<Real>::max();
        ASSERT_EQ(result[n], is_first_line ? static_cast<Real>(sum / 2) : values[n])
            << n << " of lines of " << own << " along " << static_cast<int>(axis);
      }
    }
  });
}

TYPED_TEST_P(BackendTest, for_each_writes_large_fields_for_a_later_pass_once_per_point) {
  auto backend = TypeParam::make();
  using Real = typename TypeParam::Backend::Real;
  using Level = TimeLevel<typename TypeParam::Backend>;
  const Extents points{191, 190, static_cast<int>(900 / sizeof(Real))};  // 31 MiB a variable
  const Level level(backend, LevelLayout{points});
  const Box box{{3, 1, 0}, {points.nx - 4, points.ny, points.nz}};
  backend.for_each(box, AddOneForLater<typename Level::View>{{level.view()}});
  const auto host = download(backend, level, points);
  std::size_t n = 0, wrong = 0;
  for_each_point({{}, {points.nx, points.ny, points.nz}}, [&](Index3 c) {
    const bool is_inside = c.i >= 3 && c.i < points.nx - 4 && c.j >= 1;
    if (host[3][n++] != Real(is_inside ? 4 : 0)) ++wrong;
  });
  EXPECT_EQ(wrong, 0);
}

TYPED_TEST_P(BackendTest, for_each_on_boundary_calls_the_kernel_once_per_point_of_the_planes) {
  auto backend = TypeParam::make();
  using Backend = typename TypeParam::Backend;
  using Real = typename Backend::Real;
  const Extents points{37, 11, 40};
  const BoundaryPlanes some{{{{false, true}, {true, false}, {true, true}}}};
  const BoundaryPlanes one{{{{true, false}, {false, false}, {false, false}}}};
  const BoundaryPlanes none{};
  for (const Box box : {Box{{0, 0, 0}, {37, 11, 40}}, Box{{1, 2, 3}, {36, 9, 5}}}) {
    for (const BoundaryPlanes& planes : {BoundaryPlanes::all(), some, one, none}) {
      const TimeLevel<Backend> counts(backend, LevelLayout{points});
      backend.for_each_on_boundary(
          box, planes, AddOneToPoints<typename TimeLevel<Backend>::View>{counts.view()});
      const auto host = download(backend, counts, points);
      const auto is_in = [](int index, int begin, int end) {
        return index >= begin && index < end;
      };
      const auto is_on = [&](int axis, int index, int begin, int end) {
        return (index == begin && planes.is_included[axis][0]) ||
               (index == end - 1 && planes.is_included[axis][1]);
      };
      std::size_t n = 0;
      for (int k = 0; k < points.nz; ++k) {
        for (int j = 0; j < points.ny; ++j) {
          for (int i = 0; i < points.nx; ++i, ++n) {
            const bool is_included =
                is_in(i, box.begin.i, box.end.i) && is_in(j, box.begin.j, box.end.j) &&
                is_in(k, box.begin.k, box.end.k) &&
                (is_on(0, i, box.begin.i, box.end.i) || is_on(1, j, box.begin.j, box.end.j) ||
                 is_on(2, k, box.begin.k, box.end.k));
            ASSERT_EQ(host[0][n], Real(is_included ? 1 : 0)) << i << " " << j << " " << k;
            ASSERT_EQ(host[3][n], Real(is_included ? 4 : 0)) << i << " " << j << " " << k;
          }
        }
      }
    }
  }
}

TYPED_TEST_P(BackendTest, fields_come_back_as_they_went_with_and_without_ghosts) {
  auto backend = TypeParam::make();
  using Backend = typename TypeParam::Backend;
  const Extents points{13, 6, 9};
  for (const LevelLayout shape :
       {LevelLayout{points}, LevelLayout{points, {1, 0, 1}}, all_ghosts(points)}) {
    const TimeLevel<Backend> level(backend, shape);
    upload(backend, level, points, scattered);
    const auto host = download(backend, level, points);
    std::size_t n = 0;
    for (int k = 0; k < points.nz; ++k) {
      for (int j = 0; j < points.ny; ++j) {
        for (int i = 0; i < points.nx; ++i, ++n) {
          for (std::size_t variable = 0; variable < host.size(); ++variable) {
            ASSERT_EQ(host[variable][n],
                      static_cast<typename Backend::Real>(
                          scattered(static_cast<int>(variable), {i, j, k})));
          }
        }
      }
    }
  }
}

TYPED_TEST_P(BackendTest, reductions_agree_with_plain_sums_and_repeat_bit_for_bit) {
  auto backend = TypeParam::make();
  using Backend = typename TypeParam::Backend;
  using Real = typename Backend::Real;
  const Extents points{67, 33, 29};
  const TimeLevel<Backend> level(backend, LevelLayout{points});
  upload(backend, level, points, scattered);
  const Box box{{1, 0, 2}, {66, 33, 28}};
  double sums[2] = {};
  double largest = 0;
  for (int k = box.begin.k; k < box.end.k; ++k) {
    for (int j = box.begin.j; j < box.end.j; ++j) {
      for (int i = box.begin.i; i < box.end.i; ++i) {
        const auto value = [&](int variable) {
          return static_cast<double>(static_cast<Real>(scattered(variable, {i, j, k})));
        };
        sums[0] += value(0);
        sums[1] += value(1) * value(2);
        largest = larger_or_nan(largest, std::abs(value(3)));
      }
    }
  }
  const SumOfFields<typename TimeLevel<Backend>::ConstView> kernel{level.view_const()};
  const auto first = backend.template reduce<2, 1>(box, kernel);
  // 56 000 terms of size 1 summed in double.
  EXPECT_NEAR(first.sum[0], sums[0], 1e-10);
  EXPECT_NEAR(first.sum[1], sums[1], 1e-10);
  EXPECT_EQ(first.maximum[0], largest);
  for (int repetition = 0; repetition < 5; ++repetition) {
    const auto again = backend.template reduce<2, 1>(box, kernel);
    expect_same(again, first);
  }
}

/// In steps, some of them launched as a whole, and as lists long and short.
TYPED_TEST_P(BackendTest, work_in_several_boxes_is_that_of_each_by_itself) {
  auto backend = TypeParam::make();
  using Real = typename TypeParam::Backend::Real;
  const Extents points{35, 23, 19};
  const auto values = backend.template allocate<Real>(points.count());
  const FieldView<Real> field{values.data(), points.nx, points.nx * points.ny};
  const auto in_list = backend.allocate_results(61 * 2 * sizeof(double));
  auto* const numbers = reinterpret_cast<double*>(in_list.get());
  std::vector<Real> expected(points.count());
  for (int step = 0; step < 24; ++step) {
    SCOPED_TRACE(step);
    backend.begin_step(points);
    std::vector<WorkInBox<AddToLevel<Real>>> works;
    std::vector<ReductionOfBox<SumOfField<Real>>> reductions;
    const int count = step % 4 == 1 ? 3 : 37 + step;
    for (int n = 0; n < count; ++n) {  // they have no point in common
      const Box box{{n % 5 * 7, n / 5 % 4 * 6, n / 20 * 4 + step % 2},
                    {n % 5 * 7 + n % 8, std::min(23, n / 5 % 4 * 6 + 6), n / 20 * 4 + 3}};
      const auto added = static_cast<Real>(n + 1);
      works.push_back({box, {field, added}});
      reductions.push_back({box, {field.as_const(), 1.0 / (n + 1)}, numbers + 2 * n});
      for_each_point(box, [&](Index3 c) {
        expected[(static_cast<std::size_t>(c.k) * 23 + c.j) * 35 + c.i] += added;
      });
    }
    backend.for_each(works);
    backend.template reduce_later<1, 0>(reductions);
    backend.end_step();
    std::vector<Real> found(points.count());
    backend.download_values(values.data(), found.data(), found.size());
    ASSERT_EQ(found, expected);
    for (const auto& [box, kernel, sum] : reductions) {
      const auto by_itself = backend.template reduce<1, 0>(box, kernel);
      ASSERT_EQ(*sum, by_itself.sum[0]);
      ASSERT_EQ(*sum > 0, box.extents().count() > 0);
    }
  }
}

TYPED_TEST_P(BackendTest, a_nan_anywhere_reaches_the_reduction) {
  auto backend = TypeParam::make();
  using Backend = typename TypeParam::Backend;
  const Extents points{21, 5, 6};
  for (const Index3 bad : {Index3{0, 0, 0}, Index3{20, 4, 5}, Index3{9, 2, 3}}) {
    const TimeLevel<Backend> level(backend, LevelLayout{points});
    upload(backend, level, points, [&](int, Index3 c) {
      return c.i == bad.i && c.j == bad.j && c.k == bad.k ? std::numeric_limits<double>::quiet_NaN()
                                                          : 1.0;
    });
    const auto reduction = backend.template reduce<2, 1>(
        LevelLayout{points}.all_points(),
        SumOfFields<typename TimeLevel<Backend>::ConstView>{level.view_const()});
    EXPECT_TRUE(std::isnan(reduction.sum[0]));
    EXPECT_TRUE(std::isnan(reduction.maximum[0]));
  }
}

TYPED_TEST_P(BackendTest, copies_are_exact_and_fresh_memory_is_zero) {
  auto backend = TypeParam::make();
  using Backend = typename TypeParam::Backend;
  const Extents points{9, 8, 7};
  const TimeLevel<Backend> from(backend, LevelLayout{points});
  const TimeLevel<Backend> to(backend, LevelLayout{points});
  for (const auto& values : download(backend, to, points)) {
    for (const auto value : values) ASSERT_EQ(value, 0);
  }
  upload(backend, from, points, scattered);
  backend.copy(from.data(), to.data(), from.count());
  EXPECT_EQ(download(backend, from, points), download(backend, to, points));
}

/// Keys with many equal ones, and with all bits.
TYPED_TEST_P(BackendTest, sorts_by_keys_and_keeps_the_order_of_equal_ones) {
  auto backend = TypeParam::make();
  for (const int count : {1, 2, 777, 20011}) {
    for (const std::uint32_t mask : {0x7U, ~0U}) {
      std::vector<unsigned> keys;
      for (int n = 0; n < count; ++n) {
        const double value = (scattered(0, {n, 0, 0}) + 1) * 2147483648.0;
        keys.push_back(static_cast<unsigned>(value) & mask);
      }
      std::vector<int> expected(keys.size());
      for (int n = 0; n < count; ++n) expected[n] = n;
      std::ranges::stable_sort(expected, {}, [&](int n) { return keys[n]; });
      auto on_device = backend.template allocate<unsigned>(keys.size());
      auto order = backend.template allocate<int>(keys.size());
      backend.upload_values(keys.data(), on_device.data(), keys.size());
      backend.sort_by_key(on_device.data(), order.data(), count);
      std::vector<int> found(keys.size());
      backend.download_values(order.data(), found.data(), found.size());
      EXPECT_EQ(found, expected) << count << " " << mask;
    }
  }
}

TYPED_TEST_P(BackendTest, selects_what_is_flagged_in_order) {
  auto backend = TypeParam::make();
  for (const int count : {1, 3, 5003}) {
    std::vector<unsigned> flags;
    std::vector<int> expected;
    for (int n = 0; n < count; ++n) {
      flags.push_back(scattered(1, {n, 0, 0}) > 0.4 ? 1 : 0);
      if (flags.back() != 0) expected.push_back(n);
    }
    auto on_device = backend.template allocate<unsigned>(flags.size());
    auto chosen = backend.template allocate<int>(flags.size());
    backend.upload_values(flags.data(), on_device.data(), flags.size());
    const int number = backend.select(on_device.data(), chosen.data(), count);
    ASSERT_EQ(number, static_cast<int>(expected.size()));
    std::vector<int> found(expected.size());
    backend.download_values(chosen.data(), found.data(), found.size());
    EXPECT_EQ(found, expected);
  }
}

/// Adds whole numbers to few places, and raises others.
struct AddWholes {
  std::int64_t* sums;

  DNS_HD void operator()(Index3 c) const {
    add_whole(sums + c.i % 3, (std::int64_t{1} << 40) + c.j - 7);
    raise_whole(sums + 3, std::int64_t{1000} * c.k + c.i);
  }
};

TYPED_TEST_P(BackendTest, whole_numbers_add_up_whatever_the_order) {
  auto backend = TypeParam::make();
  auto sums = backend.template allocate<std::int64_t>(4);
  const Extents points{30, 11, 13};
  backend.for_each({{}, {points.nx, points.ny, points.nz}}, AddWholes{sums.data()});
  std::vector<std::int64_t> found(4);
  backend.download_values(sums.data(), found.data(), 4);
  // Each place gets a third of the points; the mean of j is 5.
  const std::int64_t sum = std::int64_t{10 * 11 * 13} * ((std::int64_t{1} << 40) - 2);
  EXPECT_EQ(found, (std::vector<std::int64_t>{sum, sum, sum, 12029}));
}

TYPED_TEST_P(BackendTest, work_of_steps_is_done_in_order_whatever_they_are_made_of) {
  auto backend = TypeParam::make();
  using Backend = typename TypeParam::Backend;
  using Real = typename Backend::Real;
  const Extents points{33, 9, 5};
  const LevelLayout layout(points);
  const TimeLevel<Backend> level(backend, layout);
  const TimeLevel<Backend> copied(backend, layout);
  const TimeLevel<Backend> beside(backend, layout);
  double value = 0;
  const auto subtract_from = [&](const TimeLevel<Backend>& of, double a) {
    backend.for_each(
        layout.all_points(),
        SubtractFrom<typename TimeLevel<Backend>::View>{of.view(), static_cast<Real>(a)});
  };
  const auto expect_all = [&](const TimeLevel<Backend>& in, double expected) {
    for (const auto& values : download(backend, in, points))
      for (const Real found : values) ASSERT_EQ(found, static_cast<Real>(expected));
  };
  for (int step = 1; step <= 40; ++step) {
    SCOPED_TRACE(step);
    backend.begin_step(points);
    backend.enter({step % 2});
    subtract_from(level, step);
    value = step - value;
    if (step % 3 == 0) {
      subtract_from(level, 2 * step);
      value = 2 * step - value;
    }
    if (step % 2 == 0) {
      const auto found = backend.template reduce<2, 1>(
          layout.all_points(),
          SumOfFields<typename TimeLevel<Backend>::ConstView>{level.view_const()});
      ASSERT_EQ(found.sum[0], value * static_cast<double>(points.count()));
    }
    if (step % 5 == 0) expect_all(level, value);
    backend.copy(level.data(), copied.data(), level.count());
    backend.enter({2});
    backend.concurrently(2, points, [&](int which) {
      backend.enter({2});
      subtract_from(which == 0 ? level : beside, 7);
    });
    if (step % 4 != 0) backend.end_step();
    expect_all(copied, value);
    expect_all(beside, step % 2 == 1 ? 7 : 0);
    value = 7 - value;
    backend.end_step();
  }
  expect_all(level, value);
}

TYPED_TEST_P(BackendTest, sweeps_done_plane_by_plane_have_the_bits_of_sweeps_in_order) {
  auto backend = TypeParam::make();
  using Backend = typename TypeParam::Backend;
  using View = typename TimeLevel<Backend>::View;
  using ConstView = typename TimeLevel<Backend>::ConstView;
  const auto result_of = [&](Extents points, bool is_by_planes) {
    const LevelLayout shape = all_ghosts(points);
    const TimeLevel<Backend> known(backend, shape);
    const TimeLevel<Backend> coefficients(backend, shape);
    const std::array levels{TimeLevel<Backend>(backend, shape), TimeLevel<Backend>(backend, shape)};
    upload_known(backend, known, coefficients, points);
    backend.copy(known.data(), levels[0].data(), known.count());
    backend.copy(coefficients.data(), levels[1].data(), known.count());
    const Box all = shape.all_points();
    const Box inner{{all.begin.i + 1, all.begin.j + 1, all.begin.k + 1}, all.end};
    const auto sweep = [&]<Axis axis>(const TimeLevel<Backend>& level, Box box) {
      RowsOfLevel<axis, ConstView> rows;
      rows.exact = known.view_const();
      rows.values = coefficients.view_const();
      rows.right = level.view_const();
      backend.template sweep<axis>(
          box, rows, StoreSolution<View, ConstView>{level.view(), coefficients.view_const()});
    };
    const auto enqueue = [&](int part) {
      const TimeLevel<Backend>& level = levels[part];
      sweep.template operator()<Axis::z>(level, inner);
      backend.enter({1});
      sweep.template operator()<Axis::y>(level, inner);
      backend.enter({2});
      sweep.template operator()<Axis::x>(level, all);
      sweep.template operator()<Axis::y>(level, all);
    };
    const auto enqueue_both = [&] { backend.concurrently(2, points, enqueue); };
    is_by_planes ? backend.plane_by_plane(enqueue_both) : enqueue_both();
    sweep.template operator()<Axis::x>(levels[0], inner);
    return std::array{download(backend, levels[0], points), download(backend, levels[1], points)};
  };
  for (const Extents points : {Extents{401, 6, 5}, {33, 9, 7}, {18, 2, 11}, {5, 7, 3}}) {
    SCOPED_TRACE(points.nx);
    const auto expected = result_of(points, false);
    for (const auto& level : expected) {
      for (const auto& values : level) {
        for (const auto value : values) ASSERT_TRUE(std::isfinite(value));
        EXPECT_NE(values, std::remove_cvref_t<decltype(values)>(values.size()));
      }
    }
    EXPECT_EQ(result_of(points, true), expected);
  }
}

/// Programs evaluated by a backend at the points of a field with ghosts, x, y, z from 0.2 on.
template <class Backend>
class FormulaOnDevice {
 public:
  using Real = typename Backend::Real;

  FormulaOnDevice(Backend& backend, Extents points)
      : backend_(&backend),
        layout_(points, {1, 0, 1}),
        field_(backend.template allocate<Real>(layout_.count(sizeof(Real)))),
        on_device_(backend.template allocate<double>(
            static_cast<std::size_t>(points.nx + points.ny + points.nz))) {
    for (int axis = 0; axis < 3; ++axis)
      for (int n = 0; n < points[axis]; ++n) coordinates_.push_back(place(axis, n));
    backend.upload_values(coordinates_.data(), on_device_.data(), coordinates_.size());
  }

  [[nodiscard]] static double place(int axis, int n) { return 0.2 + (0.11 + 0.07 * axis) * n; }

  /// The values, x fastest; their sum of ZeroIfFinite is in zero_if_finite.
  std::vector<Real> values(const std::vector<Instruction>& program, double t) {
    auto memory = backend_->template allocate<Instruction>(program.size());
    backend_->upload_values(program.data(), memory.data(), program.size());
    const FieldView<Real> view = layout_.field_view(field_.data());
    const double* const x = on_device_.data();
    const double* const y = x + layout_.points.nx;
    backend_->for_each(layout_.all_points(),
                       WriteFormula<Real>{memory.data(),
                                          static_cast<int>(program.size()),
                                          {x, y, y + layout_.points.ny},
                                          t,
                                          view});
    zero_if_finite =
        backend_->template reduce<1, 0>(layout_.all_points(), ZeroIfFinite<Real>{view.as_const()})
            .sum[0];
    std::vector<Real> host(layout_.points.count());
    backend_->download({view.origin, 1, view.stride_y, view.stride_z}, layout_.points, host.data());
    backend_->synchronize();
    return host;
  }

  double zero_if_finite = 0;

 private:
  Backend* backend_;
  FieldLayout layout_;
  decltype(std::declval<Backend&>().template allocate<Real>(0)) field_;
  decltype(std::declval<Backend&>().template allocate<double>(0)) on_device_;
  std::vector<double> coordinates_;
};

/// Each operation by itself, then all on a stack as deep as it may be.
TYPED_TEST_P(BackendTest, formulas_have_their_values_at_all_points) {
  auto backend = TypeParam::make();
  using Backend = typename TypeParam::Backend;
  using Real = typename Backend::Real;
  const Extents points{19, 7, 5};
  FormulaOnDevice<Backend> device(backend, points);
  std::vector<std::vector<Instruction>> programs;
  for (int n = 0; n <= static_cast<int>(Operation::choose); ++n) {
    const auto operation = static_cast<Operation>(n);
    std::vector<Instruction> program{{Operation::x}, {Operation::y}, {Operation::z}};
    program.resize(static_cast<std::size_t>(operands_of(operation)));
    program.push_back({operation, -1.75});
    programs.push_back(program);
  }
  std::vector<Instruction> deep;
  for (int n = 0; n < deepest_stack; ++n)
    deep.push_back({n % 2 == 0 ? Operation::y : Operation::constant, 0.5});
  for (int n = 1; n < deepest_stack; ++n)
    deep.push_back({n % 3 == 0 ? Operation::subtract : Operation::add});
  programs.push_back(deep);
  for (const std::vector<Instruction>& program : programs) {
    SCOPED_TRACE(static_cast<int>(program.back().operation));
    const std::vector<Real> values = device.values(program, 0.625);
    std::size_t at = 0;
    bool are_finite = true;
    for_each_point({{}, {points.nx, points.ny, points.nz}}, [&](Index3 c) {
      const double expected = value_of(program.data(),
                                       static_cast<int>(program.size()),
                                       device.place(0, c.i),
                                       device.place(1, c.j),
                                       device.place(2, c.k),
                                       0.625);
      const auto value = static_cast<double>(values[at++]);
      are_finite = are_finite && std::isfinite(expected);
      if (std::isnan(expected)) {
        ASSERT_TRUE(std::isnan(value));
        return;
      }
      // Functions of a GPU are accurate to a few of the last bits.
      const double tolerance =
          4.0 * static_cast<double>(std::numeric_limits<Real>::epsilon()) * std::abs(expected);
      ASSERT_NEAR(value, expected, tolerance);
    });
    ASSERT_EQ(device.zero_if_finite == 0, are_finite);
  }
}

/// b of an unknown at bodies, and 1 - b.
template <class Real>
struct WriteFreedom {
  SolidsView<Real> solids;
  FieldView<Real> freedom, pull;

  template <class Point>
  DNS_HD void operator()(Point point) const {
    const auto c = freedom.spot(point);
    const auto b = solids.freedom(c);
    freedom.set(c, b);
    pull.set(c, solids.pull(b));
  }
};

/// Far from bodies and in them b must be exact: nothing may pull fluid, and nothing move a body.
TYPED_TEST_P(BackendTest, unknowns_are_free_in_the_fluid_and_held_in_bodies) {
  auto backend = TypeParam::make();
  using Backend = typename TypeParam::Backend;
  using Real = typename Backend::Real;
  constexpr int count = 67;
  const auto rate_at = [](int n) {
    if (n % 3 == 0) return 0.0;
    if (n % 3 == 1) return std::numeric_limits<double>::infinity();
    return std::pow(10.0, n / 3 - 8);  // to 1e14
  };
  std::vector<Real> rates;
  for (int n = 0; n < count; ++n) rates.push_back(static_cast<Real>(rate_at(n)));
  auto memory = backend.template allocate<Real>(3 * count);
  backend.upload_values(rates.data(), memory.data(), count);
  const auto field = [&](int n) {
    return FieldView<Real>{memory.data() + n * count, count, count};
  };
  constexpr double dt = 0.0078125;
  SolidsView<Real> solids;
  solids.kappa = field(0).as_const();
  solids.half_dt = static_cast<Real>(dt / 2);
  for (const bool is_trapezoidal : {false, true}) {
    solids.is_trapezoidal = is_trapezoidal;
    backend.for_each({{}, {count, 1, 1}}, WriteFreedom<Real>{solids, field(1), field(2)});
    std::vector<Real> found(2 * count);
    backend.download({memory.data() + count, 1, count, 2 * count}, {count, 2, 1}, found.data());
    backend.synchronize();
    for (int n = 0; n < count; ++n) {
      SCOPED_TRACE(n);
      const auto b = static_cast<double>(found[n]);
      const auto pull = static_cast<double>(found[count + n]);
      if (n % 3 != 2) {
        EXPECT_EQ(b, n % 3 == 0 ? 1 : 0);
        EXPECT_EQ(pull, 1 - b);
        continue;
      }
      const double x = dt * static_cast<double>(rates[n]);
      const double expected = 1 / (1 + (is_trapezoidal ? std::max(x / 2, x - 1) : x));
      // Two roundings of 1 + theta dt kappa, two of its inverse.
      constexpr auto epsilon = static_cast<double>(std::numeric_limits<Real>::epsilon());
      EXPECT_NEAR(b, expected, 4 * epsilon * expected);
      EXPECT_NEAR(pull, x * expected, 8 * epsilon);
    }
  }
}

/// Of a number plus 0 x, and of two such numbers where an operation takes two.
TYPED_TEST_P(BackendTest, formulas_of_odd_numbers_have_their_values) {
  struct Odd {
    Operation operation;
    double a, b, expected;
  };
  constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
  constexpr double tiny = std::numeric_limits<double>::denorm_min();
  const std::vector<Odd> all{{Operation::rint, 0.49999999999999994, 0, 0},
                             {Operation::rint, 4503599627370497, 0, 4503599627370497},
                             {Operation::rint, 2.5, 0, 2},
                             {Operation::rint, -1.5, 0, -2},
                             {Operation::sign, undefined, 0, undefined},
                             {Operation::max, 1, undefined, undefined},
                             {Operation::max, undefined, 1, undefined},
                             {Operation::min, 1, undefined, undefined},
                             {Operation::min, undefined, 1, undefined},
                             {Operation::power, undefined, 0, undefined},
                             {Operation::power, 1, undefined, undefined},
                             {Operation::less, 1, undefined, undefined},
                             {Operation::not_equal, undefined, 1, undefined},
                             {Operation::both, undefined, 0, 0},
                             {Operation::both, 1, undefined, undefined},
                             {Operation::either, undefined, 1, 1},
                             {Operation::either, 0, undefined, undefined},
                             {Operation::greater, tiny, 0, 1},
                             {Operation::equal, 3 * tiny, 0, 0},
                             {Operation::divide, 3 * tiny, tiny, 3},
                             {Operation::subtract, 4 * tiny, 3 * tiny, tiny}};
  auto backend = TypeParam::make();
  FormulaOnDevice<typename TypeParam::Backend> device(backend, {19, 2, 3});
  for (const auto& [operation, a, b, expected] : all) {
    SCOPED_TRACE(static_cast<int>(operation));
    std::vector<Instruction> program;
    for (const double number : {a, b}) {
      if (program.size() > 1 && operands_of(operation) < 2) continue;
      program.insert(program.end(),
                     {{.constant = number},
                      {Operation::x},
                      {.constant = 0},
                      {Operation::multiply},
                      {Operation::add}});
    }
    program.push_back({operation});
    for (const auto value : device.values(program, 0)) {
      if (std::isnan(expected)) {
        ASSERT_TRUE(std::isnan(value));
      } else {
        ASSERT_EQ(value, static_cast<decltype(value)>(expected));
      }
    }
  }
}

TYPED_TEST_P(BackendTest, formulas_that_are_infinite_at_a_point_are_found) {
  auto backend = TypeParam::make();
  FormulaOnDevice<typename TypeParam::Backend> device(backend, {35, 3, 6});
  for (const int n : {0, 17, 34}) {
    const std::vector<Instruction> program{{Operation::t},
                                           {Operation::x},
                                           {.constant = device.place(0, n)},
                                           {Operation::subtract},
                                           {Operation::divide}};
    static_cast<void>(device.values(program, 1));
    EXPECT_TRUE(std::isnan(device.zero_if_finite)) << n;
  }
  static_cast<void>(device.values({{Operation::x}}, 0));
  EXPECT_EQ(device.zero_if_finite, 0);
}

REGISTER_TYPED_TEST_SUITE_P(BackendTest,
                            sweeps_done_plane_by_plane_have_the_bits_of_sweeps_in_order,
                            formulas_have_their_values_at_all_points,
                            unknowns_are_free_in_the_fluid_and_held_in_bodies,
                            formulas_of_odd_numbers_have_their_values,
                            formulas_that_are_infinite_at_a_point_are_found,
                            work_of_steps_is_done_in_order_whatever_they_are_made_of,
                            sweeps_along_every_axis_recover_a_known_solution,
                            cyclic_sweeps_along_every_axis_recover_a_known_solution,
                            lines_of_every_kind_of_length_are_solved,
                            splitting_sweeps_of_every_kind_of_length_satisfy_their_equations,
                            splitting_sweeps_of_very_many_lines_satisfy_their_equations,
                            weakly_coupled_lines_are_solved_to_the_last_bits,
                            boundaries_that_a_sweep_fills_are_as_if_filled_afterwards,
                            for_each_calls_the_kernel_once_per_point_of_the_box,
                            for_each_writes_large_fields_for_a_later_pass_once_per_point,
                            teams_share_lines_of_any_length_and_add_up,
                            for_each_on_boundary_calls_the_kernel_once_per_point_of_the_planes,
                            sweeps_leave_the_first_line_to_a_team,
                            fields_come_back_as_they_went_with_and_without_ghosts,
                            reductions_agree_with_plain_sums_and_repeat_bit_for_bit,
                            work_in_several_boxes_is_that_of_each_by_itself,
                            a_nan_anywhere_reaches_the_reduction,
                            copies_are_exact_and_fresh_memory_is_zero,
                            sorts_by_keys_and_keeps_the_order_of_equal_ones,
                            selects_what_is_flagged_in_order,
                            whole_numbers_add_up_whatever_the_order);

}  // namespace dns::testing
