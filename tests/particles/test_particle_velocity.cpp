/// Interpolation to particles: formulas and tables, on the host.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "solver/core/field_layout.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/numerics/particle_velocity.hpp"
#include "solver/particles/particle_lines.hpp"

namespace dns::testing {
namespace {

using Flow = std::function<double(int component, double x, double y, double z)>;

/// A case of scheme projection of which the grid and the kinds of the faces matter alone.
struct Box3 {
  Extents points;
  PerAxis<double> length{1, 1, 1}, origin{0, 0, 0};
  PerAxis<std::array<FaceKind, 2>> ends{};
  double factor = 0;  // of tanh cells along y

  [[nodiscard]] Case resolved() const {
    Case box;
    box.scheme = Scheme::projection;
    box.grid.points = points;
    box.grid.length = length;
    box.grid.origin = origin;
    for (int axis = 0; axis < 3; ++axis) {
      box.faces[face_index(axis, false)].kind = ends[axis][0];
      box.faces[face_index(axis, true)].kind = ends[axis][1];
    }
    if (factor > 0) {
      box.grid.stretching[1].kind = StretchingCase::Kind::tanh;
      box.grid.stretching[1].factor = factor;
    }
    return box;
  }
};

constexpr std::array<FaceKind, 2> periodic{FaceKind::periodic, FaceKind::periodic};
constexpr std::array<FaceKind, 2> walls{FaceKind::wall, FaceKind::wall};

/// A flow on the staggered points of a box, with the ghost points that its ends make.
template <class Real>
class SampledFlow {
 public:
  SampledFlow(const Box3& box, const Flow& flow)
      : case_(box.resolved()), grid_(staggered_grid(case_)), layout_(box.points, {1, 1, 1}) {
    for (int axis = 0; axis < 3; ++axis) lines_.emplace_back(case_, grid_[axis], axis);
    for (int component = 0; component < 3; ++component) {
      auto& values = values_[component];
      values.resize(layout_.count(sizeof(Real)));
      const FieldView<Real> view = layout_.field_view(values.data());
      const Extents n = box.points;
      for (int k = -1; k <= n.nz; ++k)
        for (int j = -1; j <= n.ny; ++j)
          for (int i = -1; i <= n.nx; ++i)
            view.set(Index3{i, j, k},
                     static_cast<Real>(ghost_or_value(flow, component, {i, j, k})));
    }
  }

  [[nodiscard]] PerAxis<ParticleAxis> axes() const {
    PerAxis<ParticleAxis> axes;
    const SpeciesCase species;
    for (int axis = 0; axis < 3; ++axis) {
      const ParticleLines& lines = lines_[static_cast<std::size_t>(axis)];
      axes[axis] = lines.on_host(particle_ends(case_, species, axis));
    }
    return axes;
  }
  [[nodiscard]] VelocityAround<Real> velocity() {
    VelocityAround<Real> around{};
    for (int component = 0; component < 3; ++component)
      around.own.component[component] = layout_.field_view(values_[component].data()).as_const();
    around.planes = around.whole = case_.grid.points.nz;
    return around;
  }
  [[nodiscard]] PerAxis<double> at(double x, double y, double z) {
    return velocity_by(velocity(), weights_at(axes(), PerAxis<double>{x, y, z}));
  }

 private:
  /// What lies beyond two ends, or beyond one in the plane of another, is not of the flow.
  [[nodiscard]] double ghost_or_value(const Flow& flow, int component, Index3 c) const {
    int beyond = 0;
    int on_plane = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const StaggeredAxis& along = grid_[axis];
      const bool is_closed = !along.is_periodic &&
                             case_.faces[face_index(axis, c[axis] > 0)].kind != FaceKind::symmetry;
      const int n = along.cells();
      if (!is_closed) continue;
      if (axis == component && (c[axis] <= 0 || c[axis] == n)) ++on_plane;
      if (axis != component && (c[axis] < 0 || c[axis] == n)) ++beyond;
    }
    if (beyond > 1 || (beyond == 1 && on_plane == 1)) return 1e30;
    return value(flow, component, c);
  }
  /// At a point; a ghost point across a closed end has twice the value on the plane less that
  /// inside.
  [[nodiscard]] double value(const Flow& flow, int component, Index3 c) const {
    PerAxis<double> place{};
    for (int axis = 0; axis < 3; ++axis) {
      const StaggeredAxis& along = grid_[axis];
      const int n = along.cells();
      int p = c[axis];
      double shift = 0;
      if (along.is_periodic) {
        shift = p < 0 ? -along.length() : p >= n ? along.length() : 0;
        p = (p + n) % n;
      } else if (component != axis && (p < 0 || p >= n)) {
        Index3 inside = c;
        inside[axis] = p < 0 ? 0 : n - 1;
        const bool is_mirror = case_.faces[face_index(axis, p >= n)].kind == FaceKind::symmetry;
        if (is_mirror) return value(flow, component, inside);
        PlaneOf plane{axis, p < 0 ? along.faces.front() : along.faces.back()};
        return 2 * on_plane(flow, component, inside, plane) - value(flow, component, inside);
      } else {
        p = std::clamp(p, 0, n);
      }
      place[axis] = (component == axis ? along.face(p) : along.centre(p)) + shift;
    }
    return flow(component, place[0], place[1], place[2]);
  }
  struct PlaneOf {
    int axis;
    double at;
  };
  [[nodiscard]] double on_plane(const Flow& flow,
                                int component,
                                Index3 inside,
                                const PlaneOf& plane) const {
    PerAxis<double> place{};
    for (int axis = 0; axis < 3; ++axis) {
      const StaggeredAxis& along = grid_[axis];
      const int n = along.cells();
      const int p = along.is_periodic
                        ? (inside[axis] + n) % n
                        : std::clamp(inside[axis], 0, n - (axis == component ? 0 : 1));
      place[axis] = component == axis ? along.face(p) : along.centre(p);
    }
    place[plane.axis] = plane.at;
    return flow(component, place[0], place[1], place[2]);
  }

  Case case_;
  StaggeredGrid grid_;
  FieldLayout layout_;
  std::vector<ParticleLines> lines_;
  std::array<std::vector<Real>, 3> values_;
};

double largest_error(int cells, int component) {
  const Flow flow = [](int q, double x, double y, double) {
    return std::sin(2 * y + 0.4 + q) + 0.3 * std::cos(2 * std::numbers::pi * x + q);
  };
  SampledFlow<double> sampled({.points = {cells, cells + 1, 5},
                               .length = {1, 2, 1},
                               .origin = {0, -1, 0},
                               .ends = {periodic, walls, periodic},
                               .factor = 2},
                              flow);
  double largest = 0;
  for (int n = 0; n <= 3000; ++n) {
    const double y = -1 + 2.0 * n / 3000;
    const double x = std::fmod(0.618 * n, 1.0);
    largest =
        std::max(largest, std::abs(sampled.at(x, y, 0.3)[component] - flow(component, x, y, 0.3)));
  }
  return largest;
}

TEST(ParticleVelocity, is_of_order_four_on_stretched_cells_up_to_the_walls) {
  for (int component = 0; component < 3; ++component) {
    const double order =
        std::log2(largest_error(32, component) / largest_error(128, component)) / 2;
    EXPECT_GT(order, 3.8) << component;
    EXPECT_LT(largest_error(128, component), 2e-6) << component;
  }
}

/// Each component is any polynomial of third degree between walls, of first degree elsewhere.
TEST(ParticleVelocity, of_a_cubic_profile_between_walls_is_exact) {
  const Flow flow = [](int q, double, double y, double) {
    return 0.3 + q + y - 2 * y * y + y * y * y;
  };
  SampledFlow<double> sampled({.points = {4, 7, 5},
                               .length = {1, 2, 1},
                               .origin = {0, -1, 0},
                               .ends = {periodic, walls, periodic},
                               .factor = 1.5},
                              flow);
  SampledFlow<float> in_float({.points = {4, 7, 5},
                               .length = {1, 2, 1},
                               .origin = {0, -1, 0},
                               .ends = {periodic, walls, periodic},
                               .factor = 1.5},
                              flow);
  for (int n = 0; n <= 200; ++n) {
    const double y = -1 + 0.01 * n;
    for (int component = 0; component < 3; ++component) {
      EXPECT_NEAR(sampled.at(0.37, y, 0.91)[component], flow(component, 0, y, 0), 1e-13) << y;
      EXPECT_NEAR(in_float.at(0.37, y, 0.91)[component], flow(component, 0, y, 0), 3e-6) << y;
    }
  }
}

TEST(ParticleVelocity, on_walls_is_that_of_the_walls_and_its_derivative_that_of_a_linear_flow) {
  const Flow flow = [](int q, double x, double y, double z) {
    return 0.5 * q + (1 + q) * x - 2 * y + 0.25 * z;
  };
  const Box3 box{.points = {5, 9, 6},
                 .length = {1, 2, 3},
                 .origin = {0, -1, 2},
                 .ends = {walls, walls, std::array{FaceKind::inflow, FaceKind::outflow}},
                 .factor = 2};
  SampledFlow<double> sampled(box, flow);
  const PerAxis<ParticleAxis> axes = sampled.axes();
  for (int n = 0; n < 500; ++n) {
    const PerAxis<double> place{n % 3 == 0 ? 0.0 : std::fmod(0.618 * n, 1.0),
                                n % 5 == 0 ? 1.0 : -1 + std::fmod(0.73 * n, 2.0),
                                n % 7 == 0 ? 5.0 : 2 + std::fmod(0.41 * n, 3.0)};
    const PlaceWeights weights = weights_at(axes, place);
    const PerAxis<double> u = velocity_by(sampled.velocity(), weights);
    for (int component = 0; component < 3; ++component)
      EXPECT_NEAR(u[component], flow(component, place[0], place[1], place[2]), 2e-13);
    // A steady flow: Du/Dt = u . grad u.
    const PerAxis<double> rate = material_derivative(
        axes, place, weights, u, sampled.velocity(), sampled.velocity(), sampled.velocity(), 0.1);
    for (int component = 0; component < 3; ++component)
      EXPECT_NEAR(rate[component], (1 + component) * u[0] - 2 * u[1] + 0.25 * u[2], 3e-11);
  }
}

/// u, w even about the planes y = 0 and y = 1, v odd, as in a periodic box of twice the length.
TEST(ParticleVelocity, beside_planes_of_symmetry_is_that_of_the_whole_box) {
  const Flow flow = [](int q, double x, double y, double) {
    const double wave = std::numbers::pi * y;
    return q == 1 ? std::sin(wave) + 0.2 * std::sin(2 * wave)
                  : std::cos(wave) + 0.1 * std::sin(2 * std::numbers::pi * x);
  };
  const std::array<FaceKind, 2> mirrors{FaceKind::symmetry, FaceKind::symmetry};
  SampledFlow<double> half({.points = {5, 6, 4}, .ends = {periodic, mirrors, periodic}}, flow);
  SampledFlow<double> whole({.points = {5, 12, 4},
                             .length = {1, 2, 1},
                             .origin = {0, -1, 0},
                             .ends = {periodic, periodic, periodic}},
                            flow);
  for (int n = 0; n <= 400; ++n) {
    const double y = -0.3 + 1.6 * n / 400;  // beyond the planes too
    for (int component = 0; component < 3; ++component)
      EXPECT_NEAR(
          half.at(0.4, y, 0.2)[component], whole.at(0.4, y > 1 ? y - 2 : y, 0.2)[component], 1e-14)
          << y;
  }
}

/// A slab with its neighbours' planes gives the same bits as the whole box.
TEST(ParticleVelocity, of_a_slab_has_the_bits_of_the_whole_box) {
  const Flow flow = [](int q, double x, double y, double z) {
    return std::sin(1 + q + 2 * std::numbers::pi * x) * std::cos(y) +
           std::cos(2 * std::numbers::pi * z + q);
  };
  const Box3 box{.points = {5, 6, 12}, .ends = {periodic, walls, periodic}};
  SampledFlow<double> sampled(box, flow);
  const VelocityAround<double> whole = sampled.velocity();
  constexpr int planes = 4;
  for (const int first : {0, 4, 8}) {
    VelocityAround<double> slab = whole;
    slab.first = first;
    slab.planes = planes;
    std::array<std::vector<double>, 6> beyond;
    const FieldLayout layout({5, 6, 4}, {1, 1, 0});
    for (int component = 0; component < 3; ++component) {
      const FieldView<const double>& of = whole.own[component];
      for (const bool is_high : {false, true}) {
        auto& memory = beyond.at(static_cast<std::size_t>(2 * component + (is_high ? 1 : 0)));
        memory.resize(layout.count(sizeof(double)));
        const FieldView<double> view = layout.field_view(memory.data());
        const int from = is_high ? first + planes : first - planes;
        for (int k = 0; k < planes; ++k)
          for (int j = -1; j <= 6; ++j)
            for (int i = -1; i <= 5; ++i)
              view.set(Index3{i, j, k}, of(Index3{i, j, (from + k + 12) % 12}));
        (is_high ? slab.high : slab.low)[component] = view.as_const();
      }
      slab.own.component[component].origin = of.address({0, 0, first});
    }
    // Particles of the slab, and where they may come to in a step.
    for (int n = 0; n < 600; ++n) {
      const double z = (first - 2 + 8 * std::fmod(0.618 * n, 1.0)) / 12;
      const PerAxis<double> place{std::fmod(0.37 * n, 1.0), std::fmod(0.71 * n, 1.0), z};
      const PlaceWeights weights = weights_at(sampled.axes(), place);
      const PerAxis<double> one = velocity_by(whole, weights);
      const PerAxis<double> other = velocity_by(slab, weights);
      EXPECT_EQ(one, other) << first << " " << z;
    }
  }
}

}  // namespace
}  // namespace dns::testing
