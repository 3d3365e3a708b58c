/// The terms of a stage across walls of order 4 on random flows, on the host: what they keep.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include "solver/core/field_layout.hpp"
#include "solver/numerics/stage_across_walls.hpp"
#include "solver/projection/row_weights.hpp"
#include "tests/waves_across_walls.hpp"

namespace dns::test_stage_across_walls {
namespace {

constexpr Extents cells{12, 24, 10};
constexpr Box all_cells{{}, {cells.nx, cells.ny, cells.nz}};
constexpr double width_x = 0.3;
constexpr double width_z = 0.2;

/// A field between walls, periodic along x and z.
class ChannelField {
 public:
  ChannelField() : layout_(cells, {7, 3, 7}), values_(layout_.count(sizeof(double)) + 64) {}

  [[nodiscard]] FieldView<double> view() { return layout_.field_view(values_.data()); }
  [[nodiscard]] FieldView<const double> view_const() { return view().as_const(); }
  [[nodiscard]] double at(int i, int j, int k) {
    return view()(Index3{periodic_image(i, cells.nx), j, periodic_image(k, cells.nz)});
  }
  /// Values at j = -1 .. n, also at the ghost points along x and z.
  template <class ValueAt>
  void set(const ValueAt& value_at) {
    const Box inside{{0, -1, 0}, {cells.nx, cells.ny + 1, cells.nz}};
    for_each_point(inside, [&](Index3 c) { view().set(c, value_at(c)); });
    for_each_point(layout_.all_stored(), [&](Index3 c) {
      if (c.j < -1 || c.j > cells.ny) return;
      view().set(c, at(c.i, c.j, c.k));
    });
  }

 private:
  FieldLayout layout_;
  std::vector<double> values_;
};

/// A random velocity between walls, its metrics and its rows.
struct RandomChannel {
  OperatorsAcrossWalls axis{testing::faces_of_channel(cells.ny, 2)};
  std::vector<double> weights = weights_across_walls(axis);
  std::vector<double> inverse_cells, inverse_faces;
  std::vector<double> of_x = std::vector<double>(64, 1 / width_x);
  std::vector<double> of_z = std::vector<double>(64, 1 / width_z);
  std::vector<double> halves = std::vector<double>(64, 0.5);
  ChannelField u, v, w, scalar;
  double low_wall = 0, high_wall = 0;  // u and w there

  explicit RandomChannel(double low = 0, double high = 0) : low_wall(low), high_wall(high) {
    for (int i = 0; i < cells.ny; ++i) inverse_cells.push_back(1 / axis.cell_volume(i));
    for (int j = 0; j <= cells.ny; ++j) inverse_faces.push_back(1 / axis.face_volume(j));
    std::mt19937 engine(5);
    std::normal_distribution<double> normal;
    for (ChannelField* field : {&u, &w, &scalar}) {
      field->set([&](Index3) { return normal(engine); });
      close(*field);
    }
    v.set([&](Index3 c) { return c.j <= 0 || c.j == cells.ny ? 0 : normal(engine); });
  }
  /// Sets the ghost points of a variable at cells to what it is on the walls.
  void close(ChannelField& field) const {
    field.set([&](Index3 c) {
      if (c.j < 0) return 2 * low_wall - field.at(c.i, 0, c.k);
      if (c.j == cells.ny) return 2 * high_wall - field.at(c.i, cells.ny - 1, c.k);
      return field.at(c.i, c.j, c.k);
    });
  }
  [[nodiscard]] RowsAcrossWalls<double> rows() const {
    return {weights.data(), inverse_cells.data(), inverse_faces.data(), cells.ny};
  }
  template <int order>
  [[nodiscard]] TermsAcrossWalls<double, FixedOrder<order>> terms() {
    TermsAcrossWalls<double, FixedOrder<order>> terms{
        {{{u.view_const(), v.view_const(), w.view_const()}}, {}, {}, {}}, rows()};
    const auto metrics_of = [&](const std::vector<double>& inverse) {
      return AxisMetrics<double>{.inverse_width = inverse.data() + 16,
                                 .inverse_distance = inverse.data() + 16,
                                 .share_below = halves.data() + 16,
                                 .share_above = halves.data() + 16,
                                 .width = nullptr,
                                 .distance = nullptr,
                                 .low_distance = nullptr,
                                 .inverse_step = nullptr};
    };
    terms.sides.metrics.axes[0] = metrics_of(of_x);
    terms.sides.metrics.axes[2] = metrics_of(of_z);
    return terms;
  }
  /// Calls visit(q, its terms, its volume along y) for all values that have equations.
  template <int order, class Visit>
  void for_each_equation(const Visit& visit) {
    const auto flow = terms<order>();
    for_each_point(all_cells, [&](Index3 point) {
      const auto c = u.view_const().spot(point);
      const double cell = axis.cell_volume(point.j);
      visit(u.view()(point), flow.template at_cell<0>(u.view_const(), c), cell);
      visit(w.view()(point), flow.template at_cell<2>(w.view_const(), c), cell);
      if (point.j > 0) visit(v.view()(point), flow.at_face(c), axis.face_volume(point.j));
    });
  }
};

template <int order>
void expect_no_energy() {
  RandomChannel channel(0.3, -0.2);
  double production = 0;
  double energy = 0;
  double size = 0;
  channel.for_each_equation<order>([&](double q, const auto& terms, double volume) {
    production += volume * q * terms.explicit_part;
    energy += volume * q * q;
    size += volume * terms.explicit_part * terms.explicit_part;
  });
  EXPECT_LT(std::abs(production), 1e-15 * std::sqrt(energy * size)) << order;
  double of_scalar = 0;
  double scalar_size = 0;
  double scalar_terms = 0;
  const auto flow = channel.terms<order>();
  for_each_point(all_cells, [&](Index3 point) {
    const auto c = channel.scalar.view_const().spot(point);
    const double q = channel.scalar.view()(point);
    const double terms =
        flow.template at_cell<scalar_component>(channel.scalar.view_const(), c).explicit_part;
    const double volume = channel.axis.cell_volume(point.j);
    of_scalar += volume * q * terms;
    scalar_size += volume * q * q;
    scalar_terms += volume * terms * terms;
  });
  EXPECT_LT(std::abs(of_scalar), 1e-15 * std::sqrt(scalar_size * scalar_terms)) << order;
}

TEST(StageAcrossWalls, advection_makes_no_energy) {
  expect_no_energy<2>();
  expect_no_energy<4>();
  expect_no_energy<6>();
  expect_no_energy<8>();
}

/// V = curl of random potentials in the differences of the scheme, free of divergence.
TEST(StageAcrossWalls, advection_keeps_momentum_along_the_walls) {
  constexpr int order = 6;
  RandomChannel channel;
  ChannelField of_u, of_w;  // potentials at edges along z and along x, 0 on walls
  std::mt19937 engine(7);
  std::normal_distribution<double> normal;
  for (ChannelField* field : {&of_u, &of_w})
    field->set([&](Index3 c) { return c.j <= 0 || c.j == cells.ny ? 0 : normal(engine); });
  const auto rows = channel.rows();
  const auto along_y = [&](ChannelField& potential, Index3 c) {
    return rows.difference<false>(c.j, [&](int n) { return potential.at(c.i, c.j + n, c.k); }) *
           rows.inverse_volume<false>(c.j);
  };
  for (auto [field, potential] : {std::pair{&channel.u, &of_u}, std::pair{&channel.w, &of_w}}) {
    field->set([&](Index3 c) { return c.j < 0 || c.j == cells.ny ? 0 : along_y(*potential, c); });
    channel.close(*field);
  }
  const FixedOrder<order> sides;
  channel.v.set([&](Index3 c) {
    if (c.j <= 0 || c.j == cells.ny) return 0.0;
    return -difference_of<double, false>(sides, [&](int n) { return of_u.at(c.i + n, c.j, c.k); }) /
               width_x -
           difference_of<double, false>(sides, [&](int n) { return of_w.at(c.i, c.j, c.k + n); }) /
               width_z;
  });
  double momentum = 0;
  double magnitude = 0;
  double energy = 0;
  const auto flow = channel.terms<order>();
  for_each_point(all_cells, [&](Index3 point) {
    const auto c = channel.u.view_const().spot(point);
    const double terms = channel.axis.cell_volume(point.j) *
                         flow.at_cell<0>(channel.u.view_const(), c).explicit_part;
    momentum += terms;
    magnitude += std::abs(terms);
    energy += std::abs(channel.u.view()(point));
  });
  EXPECT_GT(energy, 1);
  EXPECT_LT(std::abs(momentum), 1e-14 * magnitude);
}

/// <V, L V> is minus the dissipation, and the work of the walls.
TEST(StageAcrossWalls, diffusion_takes_what_gradients_dissipate) {
  const double low = 0.3;
  const double high = -0.2;
  RandomChannel channel(low, high);
  double taken = 0;
  channel.for_each_equation<2>(
      [&](double q, const auto& terms, double volume) { taken += volume * q * terms.second; });
  const auto rows = channel.rows();
  double dissipated = 0;
  double work = 0;
  for (int k = 0; k < cells.nz; ++k) {
    for (int i = 0; i < cells.nx; ++i) {
      for (ChannelField* field : {&channel.u, &channel.w}) {
        for (int j = 0; j <= cells.ny; ++j) {
          const double g = rows.difference<true>(j, [&](int n) { return field->at(i, j + n, k); }) *
                           rows.inverse_volume<true>(j);
          dissipated += channel.axis.face_volume(j) * g * g;
          if (j == 0) work -= low * g;
          if (j == cells.ny) work += high * g;
        }
      }
      for (int j = 0; j < cells.ny; ++j) {
        const double d = rows.difference<false>(j, [&](int n) {
          return channel.v.at(i, j + n, k);
        }) * rows.inverse_volume<false>(j);
        dissipated += channel.axis.cell_volume(j) * d * d;
      }
    }
  }
  EXPECT_LT(std::abs(taken + dissipated - work), 1e-14 * dissipated);
}

}  // namespace
}  // namespace dns::test_stage_across_walls
