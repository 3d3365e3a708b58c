/// The Poisson solver, for every backend and precision.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "solver/core/reduction.hpp"
#include "solver/projection/poisson_solver.hpp"
#include "solver/ranks/distributed_backend.hpp"
#include "solver/splitting/time_level.hpp"
#include "tests/projection/staggered_grids.hpp"
#include "tests/thread_ranks.hpp"

namespace dns::testing {

/// A field of cells with a ghost level on the device; ghosts are NaN.
template <class Backend>
class GhostedField {
 public:
  using Real = typename Backend::Real;

  GhostedField(Backend& backend, Extents points)
      : backend_(backend),
        shape_(points, {1, 1, 1}),
        values_(backend.template allocate<Real>(shape_.count(sizeof(Real)))) {
    const std::vector<Real> nothing(shape_.count(sizeof(Real)),
                                    std::numeric_limits<Real>::quiet_NaN());
    backend.upload_values(nothing.data(), values_.data(), nothing.size());
  }

  [[nodiscard]] FieldView<Real> view() const {
    return {stored().origin, stored().stride_y, stored().stride_z};
  }
  void set(const CellField& field) { set(std::span(field.values())); }
  void set(std::span<const double> values) {
    std::vector<Real> rounded;
    for (const double value : values) rounded.push_back(static_cast<Real>(value));
    backend_.upload(rounded.data(), stored(), shape_.points);
    backend_.synchronize();
  }
  [[nodiscard]] std::vector<Real> values() const {
    std::vector<Real> host(shape_.points.count());
    backend_.download(stored().as_const(), shape_.points, host.data());
    backend_.synchronize();
    return host;
  }
  [[nodiscard]] bool ghosts_are_untouched() const {
    LevelLayout all{{shape_.points.nx + 2, shape_.points.ny + 2, shape_.points.nz + 2}};
    StridedField<Real> with_ghosts = stored();
    with_ghosts.origin = with_ghosts.address({-1, -1, -1});
    std::vector<Real> host(all.points.count());
    backend_.download(with_ghosts.as_const(), all.points, host.data());
    backend_.synchronize();
    const auto missing = [](Real value) { return std::isnan(value); };
    const auto ghosts = static_cast<std::size_t>(std::count_if(host.begin(), host.end(), missing));
    return ghosts == all.points.count() - shape_.points.count();
  }

 private:
  [[nodiscard]] StridedField<Real> stored() const { return shape_.view(values_.data()).field(0); }

  Backend& backend_;
  LevelLayout shape_;
  decltype(std::declval<Backend&>().template allocate<Real>(0)) values_;
};

/// rhs rounded to the backend's precision, and back.
template <class Real>
CellField rounded(CellField field) {
  for (double& value : field.values()) value = static_cast<double>(static_cast<Real>(value));
  return field;
}

/// A backend as that of a run of one rank.
template <class Local>
DistributedBackend<Local> on_one_rank(Local backend) {
  return {std::move(backend), alone(), Subdomain{}};
}
template <class Device>
struct OnOneRank {
  using Backend = DistributedBackend<typename Device::Backend>;
  static Backend make() { return on_one_rank(Device::make()); }
};

inline Subdomain whole_box(const StaggeredGrid& grid) {
  return Subdomain::whole_box(cells_of(grid),
                              {grid[0].is_periodic, grid[1].is_periodic, grid[2].is_periodic});
}

/// Puts the values of the backend's slab into a solution.
template <class Backend>
void solve_slab(Backend& backend,
                const StaggeredGrid& grid,
                const Subdomain& slab,
                const CellField& rhs,
                CellField& solution) {
  GhostedField<Backend> field(backend, slab.points());
  PoissonSolver<Backend> solver(
      backend, grid, slab, {field.view().stride_y, field.view().stride_z});
  const std::size_t first = resized(rhs.points(), Axis::z, slab.first(2)).count();
  field.set(std::span(rhs.values()).subspan(first, slab.points().count()));
  solver.solve(field.view());
  std::ranges::copy(field.values(), solution.values().begin() + static_cast<std::ptrdiff_t>(first));
  const PoissonPlan plan = backend.is_divided() ? plan_poisson_on_ranks(grid) : plan_poisson(grid);
  const bool may_touch_ghosts =
      plan.has_waves || PoissonTransforms<Backend>::prefers_waves(plan, slab.points());
  EXPECT_TRUE(may_touch_ghosts || field.ghosts_are_untouched());
}

template <class Backend>
CellField solution_of(Backend& backend, const StaggeredGrid& grid, const CellField& rhs) {
  CellField solution(grid);
  solve_slab(backend, grid, whole_box(grid), rhs, solution);
  return solution;
}

/// The same on several ranks.
template <class Device>
CellField solution_on_ranks(int ranks, const StaggeredGrid& grid, const CellField& rhs) {
  CellField solution(grid);
  ThreadRanks::run(ranks, [&](Communicator& communicator) {
    DistributedBackend<typename Device::Backend> backend(
        Device::make(), communicator, whole_box(grid));
    solve_slab(backend, grid, backend.part(), rhs, solution);
  });
  return solution;
}

inline double largest_difference(const CellField& a, const CellField& b) {
  double largest = 0;
  for (std::size_t n = 0; n < a.values().size(); ++n) {
    const double difference = std::abs(a.values()[n] - b.values()[n]);
    largest = larger_or_nan(largest, difference);
  }
  return largest;
}

/// Applies the operator to a rough field, calls solve(rhs), and compares: the solution with the
/// field, and the operator's value at the solution with the right-hand side. The unknowns at the
/// seams of pieces are found by themselves, and rounded so: the operator sees what they differ by
/// from those that the pieces have, the more the longer the chain of pieces is.
template <class Real, class Solve>
void expect_solved_by(const Solve& solve, const StaggeredGrid& grid, int pieces = 1) {
  SCOPED_TRACE(name_of(grid) + plan_poisson(grid).description());
  constexpr auto epsilon = static_cast<double>(std::numeric_limits<Real>::epsilon());
  constexpr double double_epsilon = std::numeric_limits<double>::epsilon();
  const CellField exact = scattered_field(grid, grid[0].cells());
  const CellField rhs = div_grad(grid, exact);
  const CellField solution = solve(rhs);
  double longest = 0;
  for (const StaggeredAxis& axis : grid) longest = std::max(longest, axis.length());
  // A rounding of rhs changes the solution by at most about rhs longest^2/8.
  const double one_rounding = epsilon * (rhs.largest() * longest * longest / 8 + exact.largest());
  EXPECT_LE(largest_difference(solution, exact), 8 * one_rounding);
  // Roundings of phi and of the sums before it, magnified. LAPACK's eigenvectors are those of a
  // matrix that differs by up to about n roundings in double.
  double roundings = 16;
  for (const StaggeredAxis& axis : grid) {
    if (!axis.is_uniform) roundings += axis.cells() * double_epsilon / epsilon;
  }
  const double residual = largest_difference(div_grad(grid, solution), rhs);
  EXPECT_LE(residual,
            pieces * roundings * epsilon * largest_magnification(grid) * (1 + exact.largest()));
  // The mean is computed in double.
  EXPECT_LE(std::abs(mean_of(grid, solution)),
            epsilon * (1 + exact.largest()) + 8 * one_rounding * double_epsilon / epsilon);
}

template <class Backend>
void expect_solved(Backend& backend, const StaggeredGrid& grid, int pieces = 1) {
  expect_solved_by<typename Backend::Real>(
      [&](const CellField& rhs) { return solution_of(backend, grid, rhs); }, grid, pieces);
}

template <class Device>
class PoissonTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!Device::obstacle().empty()) GTEST_SKIP() << Device::obstacle();
  }
};
TYPED_TEST_SUITE_P(PoissonTest);

TYPED_TEST_P(PoissonTest, every_mix_of_axes_is_solved) {
  auto backend = OnOneRank<TypeParam>::make();
  for (const AxisKind x : all_axis_kinds) {
    for (const AxisKind y : all_axis_kinds) {
      for (const AxisKind z : all_axis_kinds) {
        for (const Extents n : {Extents{12, 7, 9}, Extents{5, 16, 6}, Extents{13, 3, 40}}) {
          expect_solved(backend, grid_of({x, y, z}, n));
        }
      }
    }
  }
}

TYPED_TEST_P(PoissonTest, axes_of_one_or_two_cells_are_solved) {
  auto backend = OnOneRank<TypeParam>::make();
  for (const AxisKind x : all_axis_kinds) {
    for (const AxisKind y : all_axis_kinds) {
      for (const Extents n : {Extents{1, 12, 15},
                              Extents{12, 1, 9},
                              Extents{11, 18, 1},
                              Extents{2, 7, 10},
                              Extents{9, 2, 8},
                              Extents{1, 1, 6},
                              Extents{1, 7, 1},
                              Extents{17, 1, 1},
                              Extents{2, 1, 2},
                              Extents{2, 2, 2}}) {
        expect_solved(backend, grid_of({x, y, x}, n));
        expect_solved(backend, grid_of({x, x, y}, n));
      }
    }
  }
}

TYPED_TEST_P(PoissonTest, long_and_large_grids_are_solved) {
  auto backend = OnOneRank<TypeParam>::make();
  constexpr auto periodic = AxisKind::uniform_periodic;
  constexpr auto walled = AxisKind::uniform_walled;
  constexpr auto stretched = AxisKind::stretched_walled;
  expect_solved(backend, grid_of({periodic, stretched, periodic}, {64, 97, 48}));
  expect_solved(backend, grid_of({periodic, periodic, periodic}, {61, 33, 127}));
  expect_solved(backend, grid_of({periodic, walled, walled}, {128, 31, 50}));
  expect_solved(backend, grid_of({periodic, walled, walled}, {256, 31, 50}));
  expect_solved(backend, grid_of({periodic, stretched, walled}, {181, 12, 9}));
  expect_solved(backend, grid_of({periodic, walled, stretched}, {162, 9, 14}));
  expect_solved(backend, grid_of({stretched, stretched, periodic}, {150, 140, 9}));
  expect_solved(backend,
                grid_of({AxisKind::stretched_periodic, periodic, AxisKind::stretched_periodic},
                        {160, 7, 75}));
  expect_solved(backend, grid_of({walled, stretched, walled}, {307, 6, 7}));
  for (const Extents n : {Extents{401, 7, 12}, Extents{512, 6, 5}, Extents{375, 1, 9}})
    expect_solved(backend, grid_of({walled, stretched, periodic}, n));
  expect_solved(backend, grid_of({walled, stretched, periodic}, {10, 8, 290}));
  expect_solved(backend, grid_of({stretched, periodic, periodic}, {9, 260, 8}));
  expect_solved(backend, grid_of({walled, stretched, walled}, {6, 7, 283}));
}

/// Longer than lines that a block of a GPU solves at once; modes of small eigenvalues couple all of
/// a line.
TYPED_TEST_P(PoissonTest, lines_in_pieces_are_solved) {
  auto backend = OnOneRank<TypeParam>::make();
  constexpr auto periodic = AxisKind::uniform_periodic;
  const auto pieces = [](Axis axis, int n) {
    const int longest = longest_line_on_chip(axis);
    const bool are_cut = TypeParam::cuts_long_lines;
    return are_cut ? (n + longest - 1) / longest : 1;
  };
  for (const AxisKind swept : {AxisKind::stretched_walled, AxisKind::stretched_periodic}) {
    for (const int n : {513, 1056, 1057, 2048})
      expect_solved(backend, grid_of({swept, periodic, periodic}, {n, 5, 6}), pieces(Axis::x, n));
    for (const int n : {545, 1280, 3001})
      expect_solved(backend, grid_of({periodic, swept, periodic}, {6, n, 4}), pieces(Axis::y, n));
    for (const int n : {1024, 1100, 8192})
      expect_solved(backend, grid_of({periodic, periodic, swept}, {7, 4, n}), pieces(Axis::z, n));
  }
}

/// Where none is of order 2, all are transformed.
TYPED_TEST_P(PoissonTest, axes_of_higher_order_are_solved) {
  auto backend = OnOneRank<TypeParam>::make();
  const auto solved = [&](const PerAxis<AxisKind>& kinds, Extents n, const PerAxis<int>& orders) {
    StaggeredGrid grid = grid_of(kinds, n);
    for (int axis = 0; axis < 3; ++axis) grid[axis].order = orders[axis];
    expect_solved(backend, grid);
  };
  constexpr auto periodic = AxisKind::uniform_periodic;
  constexpr PerAxis<AxisKind> box{periodic, periodic, periodic};
  for (const int order : {4, 6, 8}) {
    for (const Extents n : {Extents{12, 9, 15}, Extents{8, 16, 11}, Extents{13, 8, 320}})
      solved(box, n, {order, order, order});
  }
  solved(box, {12, 9, 15}, {6, 2, 4});
  solved(box, {12, 9, 15}, {2, 4, 6});
  solved(box, {12, 9, 15}, {8, 6, 2});
  for (const AxisKind walls : {AxisKind::uniform_walled, AxisKind::stretched_walled}) {
    solved({walls, periodic, periodic}, {10, 9, 14}, {2, 6, 4});
    solved({periodic, walls, periodic}, {10, 9, 14}, {8, 2, 8});
    solved({periodic, periodic, walls}, {10, 9, 14}, {4, 6, 2});
    solved({periodic, walls, walls}, {10, 9, 14}, {6, 2, 2});
  }
}

/// Planes of symmetry along axes of higher order: cosine transforms along any of them, with a sweep
/// along another, or none. Lines of 170 and 270 cells are long enough for transforms of FFTW.
TYPED_TEST_P(PoissonTest, symmetric_axes_of_higher_order_are_solved) {
  auto backend = OnOneRank<TypeParam>::make();
  constexpr auto periodic = AxisKind::uniform_periodic;
  constexpr auto symmetric = AxisKind::uniform_walled;
  const auto solved = [&](const PerAxis<AxisKind>& kinds, Extents n, const PerAxis<int>& orders) {
    StaggeredGrid grid = grid_of(kinds, n);
    for (int axis = 0; axis < 3; ++axis) grid[axis].order = orders[axis];
    expect_solved(backend, grid);
  };
  for (const AxisKind x : {periodic, symmetric}) {
    for (const AxisKind y : {periodic, symmetric}) {
      for (const AxisKind z : {periodic, symmetric}) {
        for (const Extents n :
             {Extents{12, 9, 15}, Extents{8, 17, 11}, Extents{9, 8, 270}, Extents{170, 8, 9}}) {
          solved({x, y, z}, n, {6, 6, 6});
          solved({x, y, z}, n, {4, 8, 6});
        }
        solved({x, y, z}, {10, 9, 14}, {2, 6, 4});
        solved({x, y, z}, {10, 9, 14}, {8, 2, 4});
        solved({x, y, z}, {10, 9, 14}, {4, 6, 2});
      }
    }
  }
}

/// Solved on several ranks, each time with the same bits.
template <class Device>
void expect_solved_on_ranks(int ranks,
                            const PerAxis<AxisKind>& kinds,
                            Extents n,
                            const PerAxis<int>& orders) {
  SCOPED_TRACE(::testing::Message() << ranks << " ranks");
  StaggeredGrid grid = grid_of(kinds, n);
  for (int axis = 0; axis < 3; ++axis) grid[axis].order = orders[axis];
  const auto solve = [&](const CellField& rhs) {
    const CellField solution = solution_on_ranks<Device>(ranks, grid, rhs);
    EXPECT_EQ(solution_on_ranks<Device>(ranks, grid, rhs).values(), solution.values());
    return solution;
  };
  expect_solved_by<typename Device::Backend::Real>(solve, grid);
}

/// Modes are transposed: shares and slabs differ, or are empty where there are more ranks than
/// cache lines in a plane of modes.
TYPED_TEST_P(PoissonTest, slabs_of_higher_order_are_solved_on_any_number_of_ranks) {
  constexpr auto periodic = AxisKind::uniform_periodic;
  const auto solved = [](int ranks, Extents n, const PerAxis<int>& orders) {
    expect_solved_on_ranks<TypeParam>(ranks, {periodic, periodic, periodic}, n, orders);
  };
  for (const int ranks : {1, 2, 3, 5}) {
    for (const int order : {4, 6, 8}) {
      for (const Extents n : {Extents{12, 9, 15}, Extents{8, 16, 11}, Extents{29, 8, 131}})
        solved(ranks, n, {order, order, order});
    }
    solved(ranks, {12, 9, 15}, {6, 2, 4});
    solved(ranks, {9, 1, 17}, {2, 2, 6});
    solved(ranks, {2, 7, 17}, {2, 6, 6});
  }
  solved(19, {4, 4, 40}, {4, 4, 4});
  constexpr auto walled = AxisKind::uniform_walled;
  expect_solved_on_ranks<TypeParam>(3, {periodic, walled, walled}, {170, 7, 25}, {2, 2, 2});
}

/// The sweep goes along y or x once lines along z are whole. Shares of modes along the other axis
/// differ, or are empty: a row of up to 8 doubles is one cache line.
TYPED_TEST_P(PoissonTest, slabs_of_higher_order_between_walls_are_solved_on_any_number_of_ranks) {
  constexpr auto periodic = AxisKind::uniform_periodic;
  for (const int ranks : {2, 3}) {
    const auto solved = [&](AxisKind x, AxisKind y, Extents n, const PerAxis<int>& orders) {
      expect_solved_on_ranks<TypeParam>(ranks, {x, y, periodic}, n, orders);
    };
    for (const AxisKind y : all_axis_kinds) {
      for (const int order : {4, 6, 8}) solved(periodic, y, {13, 9, 17}, {order, 2, order});
      solved(periodic, y, {40, 11, 15}, {2, 2, 6});
      for (const AxisKind x : all_axis_kinds) solved(x, y, {21, 10, 15}, {2, 2, 4});
      solved(y, periodic, {12, 13, 15}, {2, 6, 6});
    }
    // Short lines.
    solved(periodic, AxisKind::uniform_walled, {1, 9, 15}, {2, 2, 6});
    solved(AxisKind::uniform_walled, periodic, {9, 1, 15}, {2, 2, 6});
    solved(periodic, AxisKind::stretched_walled, {2, 19, 15}, {2, 2, 6});
  }
  // Lines so long that all devices transform them by FFT, with sweeps along z and along y.
  for (const int order : {2, 6}) {
    expect_solved_on_ranks<TypeParam>(
        2,
        {AxisKind::uniform_walled, AxisKind::stretched_walled, periodic},
        {401, 9, 15},
        {2, 2, order});
  }
  // Lines so long that a CPU transforms them by FFT, also where modes are real.
  expect_solved_on_ranks<TypeParam>(
      2, {periodic, AxisKind::stretched_walled, periodic}, {271, 9, 290}, {6, 2, 6});
  expect_solved_on_ranks<TypeParam>(
      3, {AxisKind::stretched_walled, periodic, periodic}, {9, 271, 290}, {2, 6, 6});
}

TYPED_TEST_P(PoissonTest, order_4_across_walls_is_solved_on_any_number_of_ranks) {
  for (const AxisKind y : {AxisKind::uniform_walled, AxisKind::stretched_walled}) {
    for (const int order : {2, 6}) {
      for (const Extents n : {Extents{12, 9, 15}, Extents{9, 40, 17}, Extents{130, 8, 11}}) {
        const StaggeredGrid grid = grid_across_walls(y, n, order);
        auto backend = OnOneRank<TypeParam>::make();
        expect_solved(backend, grid);
        for (const int ranks : {2, 3}) {
          SCOPED_TRACE(::testing::Message() << ranks << " ranks");
          const auto solve = [&](const CellField& rhs) {
            return solution_on_ranks<TypeParam>(ranks, grid, rhs);
          };
          expect_solved_by<typename TypeParam::Backend::Real>(solve, grid);
        }
      }
    }
  }
}

/// A field, and div grad of it with a mean added as large as its largest value.
template <class Real>
struct ShiftedProblem {
  CellField exact, rhs;
  double tolerance = 0;

  explicit ShiftedProblem(const StaggeredGrid& grid)
      : exact(scattered_field(grid, 3)), rhs(div_grad(grid, exact)) {
    const double added = rhs.largest();
    for (double& value : rhs.values()) value += added;
    tolerance = 16 * static_cast<double>(std::numeric_limits<Real>::epsilon()) * rhs.largest() / 2;
  }
};

TYPED_TEST_P(PoissonTest, the_mean_of_the_right_hand_side_does_not_count_on_any_number_of_ranks) {
  using Real = typename TypeParam::Backend::Real;
  for (const AxisKind y : {AxisKind::stretched_walled, AxisKind::stretched_periodic}) {
    StaggeredGrid grid =
        grid_of({AxisKind::uniform_periodic, y, AxisKind::uniform_periodic}, {19, 11, 15});
    grid[0].order = 6;
    grid[2].order = 6;
    const ShiftedProblem<Real> problem(grid);
    for (const int ranks : {2, 3}) {
      const CellField solution = solution_on_ranks<TypeParam>(ranks, grid, problem.rhs);
      EXPECT_LE(largest_difference(solution, problem.exact), problem.tolerance) << ranks;
    }
  }
}

TYPED_TEST_P(PoissonTest, the_mean_of_the_right_hand_side_does_not_count) {
  auto backend = OnOneRank<TypeParam>::make();
  using Real = typename TypeParam::Backend::Real;
  for (const AxisKind y : all_axis_kinds) {
    const StaggeredGrid grid =
        grid_of({AxisKind::uniform_periodic, y, AxisKind::uniform_periodic}, {8, 11, 6});
    const ShiftedProblem<Real> problem(grid);
    EXPECT_LE(largest_difference(solution_of(backend, grid, problem.rhs), problem.exact),
              problem.tolerance);
  }
}

/// The constant mode is solved in double whatever the precision of the fields: a pressure that
/// carries a column of fluid is as exact as it is stored.
TYPED_TEST_P(PoissonTest, what_varies_along_the_sweep_alone_is_solved_to_round_off) {
  auto backend = OnOneRank<TypeParam>::make();
  using Real = typename TypeParam::Backend::Real;
  for (const AxisKind y : {AxisKind::stretched_walled, AxisKind::stretched_periodic}) {
    for (const int cells : {7, 301}) {
      const StaggeredGrid grid =
          grid_of({AxisKind::uniform_periodic, y, AxisKind::uniform_periodic}, {6, cells, 5});
      ASSERT_EQ(plan_poisson(grid).sweep, Axis::y);
      CellField exact(grid);
      for_each_cell(exact.points(), [&](int i, int j, int k) {
        exact(i, j, k) = std::cos(2 * std::numbers::pi * grid[1].centre(j));
      });
      const double mean = mean_of(grid, exact);
      for (double& value : exact.values()) value -= mean;
      CellField rhs(grid);
      for_each_cell(exact.points(), [&](int i, int j, int k) {
        rhs(i, j, k) = second_difference(grid[1], j, [&](int m) { return exact(i, m, k); });
      });
      EXPECT_LE(largest_difference(solution_of(backend, grid, rounded<Real>(rhs)), exact),
                16 * double{std::numeric_limits<Real>::epsilon()})
          << name_of(grid);
    }
  }
}

/// Largest error at cell centres for cos(2 pi x) cos(pi y) cos(2 pi z) and the like.
template <class Backend>
double error_of_waves(Backend& backend, const PerAxis<AxisKind>& kinds, int n) {
  const StaggeredGrid grid = grid_of(kinds, {n, n, n});
  CellField exact(grid);
  CellField rhs(grid);
  for_each_cell(exact.points(), [&](int i, int j, int k) {
    const PerAxis<int> c{i, j, k};
    double value = 1;
    double eigenvalue = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const double wave = (grid[axis].is_periodic ? 2 : 1) * std::numbers::pi / grid[axis].length();
      value *= std::cos(wave * (grid[axis].centre(c[axis]) - grid[axis].face(0)));
      eigenvalue -= wave * wave;
    }
    exact(i, j, k) = value;
    rhs(i, j, k) = eigenvalue * value;
  });
  CellField solution = solution_of(backend, grid, rhs);
  const double mean = mean_of(grid, exact);  // of the discrete values
  for (double& value : solution.values()) value += mean;
  return largest_difference(solution, exact);
}

TYPED_TEST_P(PoissonTest, waves_are_solved_to_second_order) {
  if constexpr (sizeof(typename TypeParam::Backend::Real) == 4) {
    GTEST_SKIP() << "rounding hides the order in float";
  } else {
    auto backend = OnOneRank<TypeParam>::make();
    for (const auto& kinds :
         {PerAxis<AxisKind>{
              AxisKind::uniform_periodic, AxisKind::stretched_walled, AxisKind::uniform_periodic},
          PerAxis<AxisKind>{
              AxisKind::uniform_walled, AxisKind::stretched_periodic, AxisKind::uniform_walled},
          PerAxis<AxisKind>{
              AxisKind::stretched_walled, AxisKind::stretched_walled, AxisKind::stretched_walled},
          PerAxis<AxisKind>{AxisKind::uniform_periodic,
                            AxisKind::uniform_periodic,
                            AxisKind::uniform_periodic}}) {
      const double coarse = error_of_waves(backend, kinds, 16);
      const double middle = error_of_waves(backend, kinds, 32);
      const double fine = error_of_waves(backend, kinds, 64);
      SCOPED_TRACE(name_of(grid_of(kinds, {16, 16, 16})));
      EXPECT_NEAR(std::log2(coarse / middle), 2, 0.15) << coarse << " " << middle;
      EXPECT_NEAR(std::log2(middle / fine), 2, 0.1) << middle << " " << fine;
    }
  }
}

REGISTER_TYPED_TEST_SUITE_P(PoissonTest,
                            every_mix_of_axes_is_solved,
                            axes_of_one_or_two_cells_are_solved,
                            long_and_large_grids_are_solved,
                            lines_in_pieces_are_solved,
                            axes_of_higher_order_are_solved,
                            symmetric_axes_of_higher_order_are_solved,
                            slabs_of_higher_order_are_solved_on_any_number_of_ranks,
                            slabs_of_higher_order_between_walls_are_solved_on_any_number_of_ranks,
                            order_4_across_walls_is_solved_on_any_number_of_ranks,
                            the_mean_of_the_right_hand_side_does_not_count_on_any_number_of_ranks,
                            the_mean_of_the_right_hand_side_does_not_count,
                            what_varies_along_the_sweep_alone_is_solved_to_round_off,
                            waves_are_solved_to_second_order);

}  // namespace dns::testing
