/// The divergence-free interpolation to particles: formulas and tables, on the host.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "solver/numerics/particle_divergence_free.hpp"
#include "tests/particles/sampled_flow.hpp"

namespace dns::testing::test_particle_divergence_free {
namespace {

const std::array<FaceKind, 2> mirrors{FaceKind::symmetry, FaceKind::symmetry};
const std::array<FaceKind, 2> stream{FaceKind::inflow, FaceKind::outflow};

/// Values on the staggered points of a box, as a test sets them.
class GivenFlow {
 public:
  GivenFlow(const Case& resolved)
      : case_(resolved),
        grid_(staggered_grid(case_)),
        layout_(case_.grid.points, {1, 1, 1}),
        sampled_(case_) {
    for (auto& values : values_) values.resize(layout_.count(sizeof(double)));
  }

  [[nodiscard]] const StaggeredGrid& grid() const { return grid_; }
  [[nodiscard]] FieldView<double> component(int q) {
    return layout_.field_view(values_.at(static_cast<std::size_t>(q)).data());
  }
  [[nodiscard]] PerAxis<ParticleAxis> axes() const { return sampled_.axes(); }
  [[nodiscard]] VelocityAround<double> velocity() {
    VelocityAround<double> around{};
    for (int q = 0; q < 3; ++q) around.own.component[q] = component(q).as_const();
    around.planes = around.whole = case_.grid.points.nz;
    return around;
  }
  [[nodiscard]] PerAxis<double> at(const PerAxis<double>& place) {
    return velocity_by(velocity(), DivergenceFreeWeights::at(axes(), place));
  }

  /// The fluxes through faces are differences of those of a potential A along edges, so that each
  /// cell is balanced: V = curl A. potential(q, c): of component q at the low edge of c.
  template <class Potential>
  void set_curl(const Potential& potential) {
    const Extents n = case_.grid.points;
    for (int q = 0; q < 3; ++q) {
      const int r = (q + 1) % 3;
      const int s = (q + 2) % 3;
      for (int k = -1; k <= n.nz; ++k) {
        for (int j = -1; j <= n.ny; ++j) {
          for (int i = -1; i <= n.nx; ++i) {
            const Index3 c{i, j, k};
            Index3 beside_r = c;
            Index3 beside_s = c;
            ++beside_r[r];
            ++beside_s[s];
            component(q).set(c,
                             (potential(s, beside_r) - potential(s, c)) / width(r, c[r]) -
                                 (potential(r, beside_s) - potential(r, c)) / width(s, c[s]));
          }
        }
      }
    }
  }
  /// Width of cell i, of the nearest one inside where there is none.
  [[nodiscard]] double width(int axis, int i) const {
    const int n = grid_[axis].cells();
    i = grid_[axis].is_periodic ? (i + n) % n : std::clamp(i, 0, n - 1);
    return grid_[axis].face(i + 1) - grid_[axis].face(i);
  }

 private:
  Case case_;
  StaggeredGrid grid_;
  FieldLayout layout_;
  AxesOfCase sampled_;
  std::array<std::vector<double>, 3> values_;
};

/// A whole number that looks random, from -1 to 1.
double noise(int q, const Index3& c) {
  return std::sin(1e4 * std::sin(12.9898 * c.i + 78.233 * c.j + 37.719 * c.k + 4.7 * q));
}

std::vector<Box3> boxes() {
  return {
      {.points = {5, 9, 6},
       .length = {1, 2, 3},
       .origin = {0, -1, 2},
       .ends = {periodic, walls, periodic},
       .factor = 2},
      {.points = {7, 6, 5}, .length = {2, 1, 1}, .ends = {stream, walls, mirrors}, .factor = 1.5},
      {.points = {4, 5, 3}, .ends = {walls, mirrors, walls}, .factor = 1},
      {.points = {5, 4, 7}, .ends = {periodic, stream, periodic}, .factor = 1}};
}

/// A place in the box, also on its ends and on faces of cells.
PerAxis<double> some_place(const Box3& box, const StaggeredGrid& grid, int n) {
  PerAxis<double> place;
  for (int axis = 0; axis < 3; ++axis) {
    const double part = std::fmod((0.618 + 0.131 * axis) * (n + 1), 1.0);
    place[axis] = box.origin[axis] + box.length[axis] * part;
    if ((n + axis) % 7 == 0) place[axis] = grid[axis].face(n % (grid[axis].cells() + 1));
  }
  return place;
}

/// The sum of the derivatives of the weights, over the mean square of all derivatives.
TEST(ParticleDivergenceFree, velocity_has_no_divergence_on_stretched_cells_up_to_all_ends) {
  for (const Box3& box : boxes()) {
    const Case resolved = box.resolved();
    GivenFlow flow(resolved);
    const Extents cells = box.points;
    // On closed ends the potential along them is 0, so that nothing passes walls and mirrors.
    flow.set_curl([&](int q, Index3 c) {
      double factor = 1;
      for (int axis = 0; axis < 3; ++axis) {
        const int n = cells[axis];
        if (flow.grid()[axis].is_periodic) c[axis] = (c[axis] + n) % n;
        const bool is_closed = box.ends[axis] == walls || box.ends[axis] == mirrors;
        if (q != axis && is_closed && (c[axis] <= 0 || c[axis] >= n)) factor = 0;
      }
      return factor * noise(q, c);
    });
    double squares = 0;
    double largest = 0;
    constexpr int places = 2000;
    for (int n = 0; n < places; ++n) {
      const PerAxis<double> place = some_place(box, flow.grid(), n);
      const DivergenceFreeWeights weights = DivergenceFreeWeights::at(flow.axes(), place);
      double divergence = 0;
      for (int axis = 0; axis < 3; ++axis) {
        const PerAxis<double> slope =
            velocity_by(flow.velocity(), weights.slopes(flow.axes(), place, axis));
        divergence += slope[axis];
        for (int q = 0; q < 3; ++q) squares += slope[q] * slope[q] / (9 * places);
      }
      largest = std::max(largest, std::abs(divergence));
    }
    EXPECT_GT(squares, 0.1);
    EXPECT_LT(largest, 1e-12 * std::sqrt(squares)) << cells.nx;
  }
}

/// Slopes of weights are those of the velocity, by differences.
TEST(ParticleDivergenceFree, derivatives_are_those_of_the_velocity) {
  for (const Box3& box : boxes()) {
    GivenFlow flow(box.resolved());
    flow.set_curl(noise);
    constexpr double h = 1e-6;
    for (int n = 0; n < 200; ++n) {
      PerAxis<double> place;
      for (int axis = 0; axis < 3; ++axis) {
        const int cell = n % flow.grid()[axis].cells();
        place[axis] = flow.grid()[axis].face(cell) +
                      flow.width(axis, cell) * (0.1 + 0.8 * std::fmod(0.618 * (n + axis), 1.0));
      }
      const DivergenceFreeWeights weights = DivergenceFreeWeights::at(flow.axes(), place);
      for (int axis = 0; axis < 3; ++axis) {
        PerAxis<double> low = place;
        PerAxis<double> high = place;
        low[axis] -= h;
        high[axis] += h;
        const PerAxis<double> slope =
            velocity_by(flow.velocity(), weights.slopes(flow.axes(), place, axis));
        for (int q = 0; q < 3; ++q) {
          const double expected = (flow.at(high)[q] - flow.at(low)[q]) / (2 * h);
          EXPECT_NEAR(slope[q], expected, 1e-6 * (1 + std::abs(expected)));
        }
      }
    }
  }
}

/// A solenoidal flow with u = v = w = 0 at y = -1 and y = 1, from the means of its potential along
/// edges: x and z are periodic.
double largest_error(int cells) {
  using std::numbers::pi;
  const Box3 box{.points = {cells, cells + 1, cells + 2},
                 .length = {1, 2, 1},
                 .origin = {0, -1, 0},
                 .ends = {periodic, walls, periodic},
                 .factor = 2};
  GivenFlow flow(box.resolved());
  // A = (0, 0, g(y) cos(2 pi x) sin(2 pi z)) + (g(y) sin(2 pi z), 0, 0), g = (1 - y^2)^2
  const auto g = [](double y) { return (1 - y * y) * (1 - y * y); };
  const auto slope = [](double y) { return -4 * y * (1 - y * y); };
  const auto mean_of_sin = [](double low, double high) {
    return (std::cos(2 * pi * low) - std::cos(2 * pi * high)) / (2 * pi * (high - low));
  };
  const auto face = [&](int axis, int i) {
    const StaggeredAxis& along = flow.grid()[axis];
    const int n = along.cells();
    if (!along.is_periodic) return along.face(std::clamp(i, 0, n));
    return along.faces.front() + i * along.length() / n;
  };
  flow.set_curl([&](int q, const Index3& c) {
    const double y = face(1, c.j);
    if (q == 0) return g(y) * std::sin(2 * pi * face(2, c.k));
    if (q == 1) return 0.0;
    return g(y) * std::cos(2 * pi * face(0, c.i)) * mean_of_sin(face(2, c.k), face(2, c.k + 1));
  });
  double largest = 0;
  for (int n = 0; n < 4000; ++n) {
    const PerAxis<double> place = some_place(box, flow.grid(), n);
    const auto [x, y, z] = std::array{2 * pi * place[0], place[1], 2 * pi * place[2]};
    const PerAxis<double> expected{
        slope(y) * std::cos(x) * std::sin(z),
        2 * pi * g(y) * std::cos(z) + 2 * pi * g(y) * std::sin(x) * std::sin(z),
        -slope(y) * std::sin(z)};
    const PerAxis<double> u = flow.at(place);
    for (int q = 0; q < 3; ++q) largest = std::max(largest, std::abs(u[q] - expected[q]));
  }
  return largest;
}

TEST(ParticleDivergenceFree, velocity_is_of_order_three_on_stretched_cells_up_to_walls) {
  const double fine = largest_error(64);
  EXPECT_GT(std::log2(largest_error(16) / fine) / 2, 2.8);
  EXPECT_LT(fine, 2e-3);
}

/// Also where walls move along themselves, and blow.
TEST(ParticleDivergenceFree, velocity_on_walls_is_that_of_the_walls) {
  const Box3 box{.points = {5, 9, 6}, .ends = {periodic, walls, periodic}, .factor = 2};
  Case resolved = box.resolved();
  const PerAxis<double> low{0, 0.25, 0};
  const PerAxis<double> high{-3, 0.25, 0.5};
  for (int q = 0; q < 3; ++q) {
    resolved.faces[face_index(1, false)].velocity[q] = Expression(low[q]);
    resolved.faces[face_index(1, true)].velocity[q] = Expression(high[q]);
  }
  GivenFlow flow(resolved);
  for (int q = 0; q < 3; ++q) {
    const FieldView<double> values = flow.component(q);
    for (int k = -1; k <= 6; ++k) {
      for (int i = -1; i <= 5; ++i) {
        for (int j = 0; j <= 9; ++j) values.set(Index3{i, j, k}, noise(q, {i, j, k}));
        values.set(Index3{i, -1, k}, 2 * low[q] - values(Index3{i, 0, k}));
        if (q == 1) values.set(Index3{i, 0, k}, low[q]);
        values.set(Index3{i, 9, k}, q == 1 ? high[q] : 2 * high[q] - values(Index3{i, 8, k}));
      }
    }
  }
  for (int n = 0; n < 100; ++n) {
    const double x = std::fmod(0.618 * n, 1.0);
    const double z = std::fmod(0.417 * n, 1.0);
    const PerAxis<double> at_low = flow.at({x, 0, z});
    const PerAxis<double> at_high = flow.at({x, 1, z});
    for (int q = 0; q < 3; ++q) {
      EXPECT_NEAR(at_low[q], low[q], 1e-13) << q;
      EXPECT_NEAR(at_high[q], high[q], 1e-13) << q;
    }
  }
}

/// A uniform flow is exact between all ends but resting walls, a linear one but along mirrors.
TEST(ParticleDivergenceFree, velocity_of_a_parabola_across_openings_is_exact) {
  const Box3 box{.points = {4, 7, 5},
                 .length = {1, 2, 1},
                 .ends = {periodic, stream, periodic},
                 .factor = 1.5};
  GivenFlow flow(box.resolved());
  for (int k = -1; k <= 5; ++k)
    for (int j = 0; j <= 7; ++j)
      for (int i = -1; i <= 4; ++i) {
        const double a = flow.grid()[1].face(std::min(j, 6));
        const double b = flow.grid()[1].face(std::min(j, 6) + 1);
        const double y = flow.grid()[1].face(j);
        flow.component(0).set(Index3{i, j, k}, (a * a + a * b + b * b) / 3);  // mean of y^2
        flow.component(1).set(Index3{i, j, k}, y * y * y);
        flow.component(2).set(Index3{i, j, k}, 4.0);
      }
  for (int n = 0; n < 200; ++n) {
    const double y = 0.01 * n;
    const PerAxis<double> u = flow.at({0.3, y, 0.7});
    EXPECT_NEAR(u[0], y * y, 1e-13);
    EXPECT_NEAR(u[1], y * y * y, 1e-13);
    EXPECT_NEAR(u[2], 4, 1e-13);
  }
}

}  // namespace
}  // namespace dns::testing::test_particle_divergence_free
