/// Passes that need no ghost points, or fill those of several axes, against the passes one by one.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

#include "solver/numerics/staggered_ghosts.hpp"
#include "solver/projection/metric_arrays.hpp"

namespace dns::test_passes_with_ghosts {
namespace {

using Periodic = PerAxis<bool>;

/// Fields of a staggered flow with ghost points all around, and closures of all kinds.
template <class Real>
class Flow {
 public:
  enum Field { u, v, w, temperature, p, phi, fields };

  Flow(Extents cells, const Periodic& is_periodic) : cells_(cells) {
    const auto number = [&] { return static_cast<Real>(any_(generator_)); };
    for (std::vector<Real>& field : values_) {
      field.resize(points(most_ghosts).extents().count());
      for (Real& value : field) value = number();
    }
    closures_.cells = cells;
    closures_.is_periodic = is_periodic;
    given_.resize(30);
    for (int n = 0; n < 30; ++n) {
      const int variable = n / 6;
      const int axis = n % 6 / 2;
      const auto across = static_cast<Axis>(axis);
      // from the points at -1 on
      const Extents plane{cells.nx + 2, cells.ny + 2, cells.nz + 2};
      given_[n].resize(plane.count());
      for (Real& value : given_[n]) value = number();
      FaceView<Real> face = face_view(given_[n].data(), across, plane);
      face.values = face.address({1, 1, 1});
      auto& closure = closures_.planes[variable][axis][n % 2];
      closure = {variable == axis ? Real(0) : number(), Real(1), face.as_const(), {}};
      if (variable == p) closure = {Real(1), Real(0), {}, {}};
    }
    for (int axis = 0; axis < 3; ++axis) {
      for (std::vector<Real>& metric : metrics_[axis]) {
        metric.resize(cells[axis] + 2);
        for (Real& value : metric) value = 2 + number();
      }
      // No gradient across boundaries.
      if (!is_periodic[axis]) metrics_[axis][1][1] = metrics_[axis][1][cells[axis] + 1] = 0;
    }
  }

  [[nodiscard]] Box points(int ghosts = 1) const {
    return {{-ghosts, -ghosts, -ghosts},
            {cells_.nx + ghosts, cells_.ny + ghosts, cells_.nz + ghosts}};
  }
  [[nodiscard]] FieldView<Real> view(int field) {
    const Extents all = points(most_ghosts).extents();
    FieldView<Real> view{values_[field].data(), all.nx, all.nx * all.ny};
    view.origin = view.address({most_ghosts, most_ghosts, most_ghosts});
    return view;
  }
  [[nodiscard]] VelocityView<Real> velocity() { return {{view(u), view(v), view(w)}}; }
  [[nodiscard]] SetNormalVelocity<Real> ends() { return {velocity(), closures_}; }
  [[nodiscard]] FillGhosts<Real> ghosts_of_phi() {
    return {{{}, {}, {}, {}, view(phi)}, closures_};
  }
  [[nodiscard]] DivergenceOverTime<Real> divergence() {
    return {velocity().as_const(), metrics(), Real(3), view(phi), {}};
  }
  template <bool goes_around>
  [[nodiscard]] CorrectVelocity<Real, SecondOrder, goes_around> correction(const Real* shift,
                                                                           Real part) {
    CorrectVelocity<Real, SecondOrder, goes_around> kernel{.velocity = velocity(),
                                                           .phi = view(phi).as_const(),
                                                           .pressure = view(p),
                                                           .metrics = metrics(),
                                                           .dt = Real(0.25),
                                                           .shift = shift,
                                                           .part = part,
                                                           .orders = {}};
    for (int axis = 0; axis < 3; ++axis)
      kernel.around[axis] = closures_.is_periodic[axis] ? cells_[axis] : 1;
    return kernel;
  }
  /// A ghost point that is read before it is written shows.
  void forget_ghosts(int field) {
    for_each_point(points(), [&](Index3 c) {
      if (!is_cell(c)) view(field).set(c, std::numeric_limits<Real>::quiet_NaN());
    });
  }
  [[nodiscard]] bool is_cell(Index3 c) const {
    return c.i >= 0 && c.i < cells_.nx && c.j >= 0 && c.j < cells_.ny && c.k >= 0 &&
           c.k < cells_.nz;
  }
  /// From the last cell to the first one: results must not depend on the order.
  template <class Kernel>
  void for_each_cell(const Kernel& kernel) const {
    for (int k = cells_.nz - 1; k >= 0; --k) {
      for (int j = cells_.ny - 1; j >= 0; --j) {
        for (int i = cells_.nx - 1; i >= 0; --i) kernel(Index3{i, j, k});
      }
    }
  }
  template <class Kernel>
  void for_each_outermost(const Kernel& kernel) const {
    for_each_point(points(), [&](Index3 c) {
      if (!is_cell(c)) kernel(c);
    });
  }

 private:
  static constexpr int most_ghosts = 3;

  [[nodiscard]] GridMetrics<Real> metrics() {
    GridMetrics<Real> view{};
    for (int axis = 0; axis < 3; ++axis) {
      view.axes[axis].inverse_width = metrics_[axis][0].data() + 1;
      view.axes[axis].inverse_distance = metrics_[axis][1].data() + 1;
    }
    return view;
  }

  Extents cells_;
  std::mt19937 generator_{7};
  std::uniform_real_distribution<double> any_{-1, 1};
  std::vector<Real> values_[fields];
  StaggeredClosures<Real> closures_;
  std::vector<std::vector<Real>> given_;
  std::vector<Real> metrics_[3][2];  // 1/width, 1/distance
};

template <class Real>
class PassesWithGhosts : public ::testing::Test {};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(PassesWithGhosts, Numbers, );

/// Calls visit(cells, is_periodic) for odd and unequal extents, single cells among them, and all
/// mixes of axes.
template <class Visit>
void for_all_boxes(const Visit& visit) {
  for (const Extents cells : {Extents{5, 4, 3}, Extents{1, 3, 2}, Extents{4, 1, 1}}) {
    for (int mix = 0; mix < 8; ++mix)
      visit(cells, Periodic{(mix & 1) != 0, (mix & 2) != 0, (mix & 4) != 0});
  }
}

TYPED_TEST(PassesWithGhosts, divergence_sets_the_velocities_at_the_ends) {
  for_all_boxes([](Extents cells, const Periodic& is_periodic) {
    Flow<TypeParam> merged(cells, is_periodic);
    Flow<TypeParam> separate(cells, is_periodic);
    separate.for_each_outermost(separate.ends());
    separate.for_each_cell(separate.ends());
    separate.for_each_cell(separate.divergence());
    merged.for_each_cell(DivergenceBetweenEnds<TypeParam>{merged.ends(), merged.divergence()});
    merged.for_each_cell([&](Index3 c) {
      EXPECT_EQ(merged.view(merged.phi)(c), separate.view(merged.phi)(c));
      for (int axis = 0; axis < 3; ++axis) {
        Index3 high = c;
        high[axis] += 1;
        for (const Index3 face : {c, high})
          EXPECT_EQ(merged.view(axis)(face), separate.view(axis)(face));
      }
    });
  });
}

TYPED_TEST(PassesWithGhosts, correction_goes_around_without_ghost_points) {
  using Real = TypeParam;
  for_all_boxes([](Extents cells, const Periodic& is_periodic) {
    const Real shift[3] = {is_periodic[0] ? Real(0.5) : Real(0), Real(0), Real(0)};
    for (const Real part : {Real(0), Real(0.75)}) {
      Flow<Real> around(cells, is_periodic);
      Flow<Real> with_ghosts(cells, is_periodic);
      with_ghosts.for_each_outermost(with_ghosts.ghosts_of_phi());
      with_ghosts.for_each_cell(with_ghosts.template correction<false>(shift, part));
      around.forget_ghosts(around.phi);
      around.for_each_cell(around.template correction<true>(shift, part));
      around.for_each_cell([&](Index3 c) {
        for (const int field : {around.u, around.v, around.w, around.p}) {
          EXPECT_TRUE(std::isfinite(with_ghosts.view(field)(c)));
          EXPECT_EQ(around.view(field)(c), with_ghosts.view(field)(c))
              << field << " " << c.i << " " << c.j << " " << c.k;
        }
      });
    }
  });
}

/// Along x and z, of orders 6 and 4, with one ghost point along y.
TYPED_TEST(PassesWithGhosts, several_periodic_axes_are_repeated_at_once) {
  using Real = TypeParam;
  const Extents cells{5, 4, 3};
  const PerAxis<int> repeated{cells.nx, 0, cells.nz};
  Flow<Real> merged(cells, {true, true, true});
  Flow<Real> separate(cells, {true, true, true});
  const Box all{{-3, -1, -2}, {cells.nx + 3, cells.ny + 1, cells.nz + 2}};
  const auto fields_of = [](Flow<Real>& flow, auto kernel) {
    kernel.fields[0] = flow.view(flow.u);
    kernel.fields[4] = flow.view(flow.p);
    return kernel;
  };
  for_each_point({{0, -1, -1}, {6, cells.ny + 1, cells.nz + 1}},
                 fields_of(separate, RepeatPeriodic<Axis::x, Real>{{}, 3, cells.nx}));
  for_each_point({{-3, -1, 0}, {cells.nx + 3, cells.ny + 1, 4}},
                 fields_of(separate, RepeatPeriodic<Axis::z, Real>{{}, 2, cells.nz}));
  for_each_point(all, fields_of(merged, RepeatAround<Real>{{}, {repeated}}));
  int ghosts = 0;
  for_each_point(all, [&](Index3 c) {
    for (const int field : {merged.u, merged.p})
      EXPECT_EQ(merged.view(field)(c), separate.view(field)(c)) << c.i << " " << c.j << " " << c.k;
    const Index3 image{(c.i + 5) % 5, c.j, (c.k + 3) % 3};
    EXPECT_EQ(merged.view(merged.u)(c), merged.view(merged.u)(image));
    ghosts += merged.is_cell(c) ? 0 : 1;
    EXPECT_EQ(merged.view(merged.v)(c), separate.view(merged.v)(c));  // left out
  });
  EXPECT_EQ(ghosts, 11 * 6 * 7 - 5 * 4 * 3);
}

TYPED_TEST(PassesWithGhosts, normal_velocities_are_repeated_at_once) {
  using Real = TypeParam;
  const Extents cells{5, 4, 3};
  Flow<Real> merged(cells, {true, true, true});
  Flow<Real> separate(cells, {true, true, true});
  const auto velocity_of = [](Flow<Real>& flow, auto kernel, int component) {
    kernel.fields[component] = flow.view(component);
    return kernel;
  };
  for_each_point({{0, 0, 0}, {5, cells.ny, cells.nz}},  // 2 below and 3 above, of order 6
                 velocity_of(separate, RepeatPeriodic<Axis::x, Real>{{}, 2, cells.nx}, 0));
  for_each_point({{0, 0, 0}, {cells.nx, cells.ny, 3}},  // 1 and 2, of order 4
                 velocity_of(separate, RepeatPeriodic<Axis::z, Real>{{}, 1, cells.nz}, 2));
  const Box all{{-2, 0, -1}, {cells.nx + 3, cells.ny, cells.nz + 2}};
  for_each_point(all, RepeatNormalVelocity<Real>{merged.velocity(), {{cells.nx, 0, cells.nz}}});
  for (int field = 0; field < merged.fields; ++field) {
    for_each_point(merged.points(3), [&](Index3 c) {
      EXPECT_EQ(merged.view(field)(c), separate.view(field)(c)) << c.i << " " << c.j << " " << c.k;
    });
  }
  EXPECT_EQ(merged.view(merged.u)(Index3{-2, 1, 1}), merged.view(merged.u)(Index3{3, 1, 1}));
}

}  // namespace
}  // namespace dns::test_passes_with_ghosts
