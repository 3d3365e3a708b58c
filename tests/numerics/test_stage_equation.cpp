/// The terms of a stage in a periodic box, of all orders and mixed ones, on the host.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "solver/core/field_layout.hpp"
#include "solver/numerics/stage_equation.hpp"

namespace dns::test_stage_equation {
namespace {

constexpr Extents cells{12, 10, 14};
constexpr PerAxis<double> width{0.1, 0.3, 0.07};

/// A field of a periodic box.
template <class Real>
class PeriodicField {
 public:
  explicit PeriodicField(const PerAxis<int>& orders)
      : layout_(cells, {orders[0] - 1, orders[1] - 1, orders[2] - 1}),
        values_(layout_.count(sizeof(Real)) + 64) {}

  [[nodiscard]] FieldView<Real> view() { return layout_.field_view(values_.data()); }
  [[nodiscard]] FieldView<const Real> view_const() { return view().as_const(); }

  template <class ValueAt>
  void set(const ValueAt& value_at) {
    for_each_point(layout_.all_points(), [&](Index3 c) { view().set(c, value_at(c)); });
    for_each_point(layout_.all_stored(), [&](Index3 c) {
      view().set(c,
                 view()(Index3{periodic_image(c.i, cells.nx),
                               periodic_image(c.j, cells.ny),
                               periodic_image(c.k, cells.nz)}));
    });
  }

 private:
  FieldLayout layout_;
  std::vector<Real> values_;
};

/// Fields and metrics of a box with random values.
template <class Real>
struct RandomFlow {
  PerAxis<int> orders;
  PerAxis<std::vector<Real>> of_axis[3];
  PerAxis<PeriodicField<Real>> velocity;
  PeriodicField<Real> scalar;

  explicit RandomFlow(const PerAxis<int>& orders_of_axes, unsigned seed)
      : orders(orders_of_axes),
        velocity{
            PeriodicField<Real>(orders), PeriodicField<Real>(orders), PeriodicField<Real>(orders)},
        scalar(orders) {
    std::mt19937 generator(seed);
    std::normal_distribution<double> normal;
    for (auto& field : velocity)
      field.set([&](Index3 /*c*/) { return static_cast<Real>(normal(generator)); });
    scalar.set([&](Index3 /*c*/) { return static_cast<Real>(normal(generator)); });
    for (std::size_t a = 0; a < 3; ++a) {
      of_axis[a] = {std::vector<Real>(64, static_cast<Real>(1 / width[a])),
                    std::vector<Real>(64, Real(0.5)),
                    std::vector<Real>(64, static_cast<Real>(width[a]))};
    }
  }

  [[nodiscard]] VelocityView<const Real> velocity_view() {
    return {{velocity[0].view_const(), velocity[1].view_const(), velocity[2].view_const()}};
  }
  [[nodiscard]] GridMetrics<Real> metrics() const {
    GridMetrics<Real> all{};
    for (std::size_t a = 0; a < 3; ++a) {
      const Real* inverse = of_axis[a][0].data() + 16;
      const Real* half = of_axis[a][1].data() + 16;
      const Real* whole = of_axis[a][2].data() + 16;
      all.axes[a] = {inverse, inverse, half, half, whole, whole, whole, inverse};
    }
    return all;
  }
  template <class Orders>
  [[nodiscard]] SkewTerms<Real, Orders> terms(const Orders& all, Real viscosity) {
    SkewTerms<Real, Orders> terms{velocity_view(), metrics(), all, {}};
    for (std::size_t a = 0; a < 3; ++a)
      terms.diffusion[a] = viscosity / static_cast<Real>(width[a]);
    return terms;
  }
  [[nodiscard]] SkewTerms<Real, AnyOrders<Real>> terms(Real viscosity) {
    return terms(
        AnyOrders<Real>{
            AnyOrder<Real>(orders[0]), AnyOrder<Real>(orders[1]), AnyOrder<Real>(orders[2])},
        viscosity);
  }
  [[nodiscard]] PeriodicField<Real>& component(int q) {
    return q == scalar_component ? scalar : velocity[q];
  }
};

/// Replaces a random velocity by the curl of random potentials in the differences of its orders.
template <class Real>
void make_divergence_free(RandomFlow<Real>& flow) {
  const AnyOrders<Real> orders = flow.terms(Real(0)).orders;
  PerAxis<PeriodicField<Real>> potential = flow.velocity;
  // Of a potential at an edge, over an axis across it: from a face's edges to the face.
  const auto slope = [&]<Axis axis>(int of, Index3 c) {
    const auto spot = potential[of].view_const().spot(c);
    return difference_of<Real, false>(orders.template along<axis>(),
                                      [&](int steps) {
                                        return potential[of].view_const().template beside<axis>(
                                            spot, steps);
                                      }) /
           static_cast<Real>(width[axis]);
  };
  flow.velocity[0].set([&](Index3 c) {
    return slope.template operator()<Axis::y>(2, c) - slope.template operator()<Axis::z>(1, c);
  });
  flow.velocity[1].set([&](Index3 c) {
    return slope.template operator()<Axis::z>(0, c) - slope.template operator()<Axis::x>(2, c);
  });
  flow.velocity[2].set([&](Index3 c) {
    return slope.template operator()<Axis::x>(1, c) - slope.template operator()<Axis::y>(0, c);
  });
}

template <class Real, class Visit>
void for_each_component(const Visit& visit) {
  visit.template operator()<0>();
  visit.template operator()<1>();
  visit.template operator()<2>();
  visit.template operator()<scalar_component>();
}

const std::vector<PerAxis<int>> all_orders{
    {2, 2, 2}, {4, 4, 4}, {6, 6, 6}, {8, 8, 8}, {6, 2, 4}, {2, 8, 2}, {4, 6, 8}};

std::string name_of(const PerAxis<int>& orders) {
  return "orders " + std::to_string(orders[0]) + " " + std::to_string(orders[1]) + " " +
         std::to_string(orders[2]);
}

TEST(staggered_orders, weights_differentiate_polynomials_of_their_degree) {
  for (const int order : {2, 4, 6, 8}) {
    for (int power = 0; power < order / 2; ++power) {
      double sum = 0;
      for (int pair = 0; pair < order / 2; ++pair)
        sum += weight_of_order(order, pair) * std::pow(2 * pair + 1, 2 * power);
      EXPECT_NEAR(sum, power == 0 ? 1 : 0, 1e-13) << "order " << order << ", power " << power;
    }
  }
}

/// d makes 2 i s P(s^2) of a wave of angle t, s = sin(t/2), I cos(t/2) Q(s^2).
TEST(staggered_orders, waves_are_differentiated_and_averaged_by_the_known_symbols) {
  for (const int order : {2, 4, 6, 8}) {
    const AnyOrder<double> weights(order);
    for (const double t : {0.1, 0.7, 1.9, 3.0}) {
      const double x = std::sin(t / 2) * std::sin(t / 2);
      double p = 1;
      double q = 1;
      if (order >= 4) p += x / 6, q += x / 2;
      if (order >= 6) p += 3 * x * x / 40, q += 3 * x * x / 8;
      if (order >= 8) p += 5 * x * x * x / 112, q += 5 * x * x * x / 16;
      const auto sine = [&](int n) { return std::sin(t * (n - 0.5)); };
      const auto cosine = [&](int n) { return std::cos(t * (n - 0.5)); };
      EXPECT_NEAR((difference_of<double, false>(weights, sine)), 2 * std::sin(t / 2) * p, 1e-14);
      EXPECT_NEAR((mean_of<double, false>(weights, cosine)), std::cos(t / 2) * q, 1e-14);
    }
  }
}

template <class Real>
void advection_is_skew() {
  constexpr double epsilon = std::numeric_limits<Real>::epsilon();
  for (const auto& orders : all_orders) {
    RandomFlow<Real> flow(orders, 1);
    const auto terms = flow.terms(Real(0));
    for_each_component<Real>([&]<int component>() {
      const auto q = flow.component(component).view_const();
      double product = 0;
      double of_q = 0;
      double of_n = 0;
      for_each_point({{}, {cells.nx, cells.ny, cells.nz}}, [&](Index3 c) {
        const double n = in_double(terms.template operator()<component>(q, q.spot(c)));
        const double here = in_double(q(c));
        product += n * here;
        of_q += here * here;
        of_n += n * n;
      });
      EXPECT_GT(of_n, of_q);
      // Round-off of one point in |q| |N q|, of random sign at 1680 points.
      EXPECT_LT(std::abs(product) / std::sqrt(of_q * of_n), epsilon)
          << name_of(orders) << component;
    });
  }
}
TEST(stage_terms, advection_makes_no_energy) {
  advection_is_skew<double>();
}
TEST(stage_terms, advection_makes_no_energy_in_float) {
  advection_is_skew<float>();
}

TEST(stage_terms, advection_by_a_velocity_free_of_divergence_keeps_sums) {
  for (const auto& orders : all_orders) {
    RandomFlow<double> flow(orders, 2);
    make_divergence_free(flow);
    const auto terms = flow.terms(0.0);
    for_each_component<double>([&]<int component>() {
      const auto q = flow.component(component).view_const();
      double sum = 0;
      double size = 0;
      for_each_point({{}, {cells.nx, cells.ny, cells.nz}}, [&](Index3 c) {
        const double n = terms.template operator()<component>(q, q.spot(c));
        sum += n;
        size += std::abs(n);
      });
      EXPECT_LT(std::abs(sum), 1e-15 * size) << name_of(orders) << component;
    });
  }
}

/// u = 1, v, w = 0: - q_x + nu q_xx of a wave, by the symbols.
TEST(stage_terms, a_uniform_velocity_advects_and_diffuses_waves_by_the_known_symbols) {
  for (const int order : {2, 4, 6, 8}) {
    RandomFlow<double> flow({order, order, order}, 3);
    flow.velocity[0].set([](Index3 /*c*/) { return 1.0; });
    flow.velocity[1].set([](Index3 /*c*/) { return 0.0; });
    flow.velocity[2].set([](Index3 /*c*/) { return 0.0; });
    const double nu = 0.37;
    const double angle = 2 * std::numbers::pi * 3 / cells.nx;
    flow.scalar.set([&](Index3 c) { return std::sin(angle * c.i); });
    const AnyOrder<double> weights(order);
    const double difference = 2 * difference_of<double, false>(weights, [&](int n) {
                                return n > 0 ? std::sin(angle * (n - 0.5)) : 0.0;
                              });
    const double mean = 2 * mean_of<double, false>(weights, [&](int n) {
                          return n > 0 ? std::cos(angle * (n - 0.5)) : 0.0;
                        });
    const auto terms = flow.terms(nu);
    const auto q = flow.scalar.view_const();
    for (int i = 0; i < cells.nx; ++i) {
      const double expected =
          -difference * mean / width[0] * std::cos(angle * i) -
          nu * difference * difference / (width[0] * width[0]) * std::sin(angle * i);
      EXPECT_NEAR(terms.template operator()<scalar_component>(q, q.spot(Index3{i, 3, 4})),
                  expected,
                  1e-12 * std::abs(nu * difference * difference / (width[0] * width[0])));
    }
  }
}

template <int x, int y, int z>
void expect_same_where_orders_are_known() {
  RandomFlow<double> flow({x, y, z}, 4);
  const auto any = flow.terms(0.1);
  const auto fixed = flow.terms(FixedOrders<x, y, z>{}, 0.1);
  for_each_component<double>([&]<int component>() {
    const auto q = flow.component(component).view_const();
    for_each_point({{}, {cells.nx, cells.ny, cells.nz}}, [&](Index3 c) {
      const double expected = any.template operator()<component>(q, q.spot(c));
      EXPECT_NEAR(fixed.template operator()<component>(q, q.spot(c)),
                  expected,
                  1e-12 * (1 + std::abs(expected)));
    });
  });
}

TEST(stage_terms, orders_known_when_compiled_give_the_same) {
  expect_same_where_orders_are_known<6, 2, 4>();
  expect_same_where_orders_are_known<2, 2, 2>();
}

TEST(implicit_axes, chosen_ones_are_among_those_of_the_kernel) {
  for (int mask = 0; mask < 8; ++mask) {
    const PerAxis<bool> chosen{(mask & 1) != 0, (mask & 2) != 0, (mask & 4) != 0};
    int calls = 0;
    with_axes_among(chosen, [&](const auto& axes) {
      for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(axes[axis], chosen[axis]) << mask;
      ++calls;
    });
    EXPECT_EQ(calls, 1);
  }
  const ImplicitAxes<FixedOrders<6, 2, 6>> among_y{{true, true, true}};
  EXPECT_FALSE(among_y[0]);
  EXPECT_TRUE(among_y[1]);
  EXPECT_FALSE(among_y[2]);
  const ImplicitAxes<AnyOrders<double>> any{{true, false, true}};
  EXPECT_TRUE(any[0] && !any[1] && any[2]);
}

}  // namespace
}  // namespace dns::test_stage_equation
