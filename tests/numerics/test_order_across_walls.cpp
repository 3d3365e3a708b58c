/// The operators of order 4 across walls: exact sums, adjoints, and errors on a smooth function.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "solver/config/operators_across_walls.hpp"
#include "solver/numerics/rows_across_walls.hpp"
#include "solver/projection/row_weights.hpp"

namespace dns::test_order_across_walls {
namespace {

using Kind = RowAcrossWalls;

std::vector<double> tanh_faces(int cells, double factor) {
  std::vector<double> faces;
  for (int j = 0; j <= cells; ++j) {
    const double place = 2.0 * j / cells - 1;
    faces.push_back(factor == 0 ? place : std::tanh(factor * place) / std::tanh(factor));
  }
  return faces;
}

/// The operators and their rows, in double.
struct Channel {
  OperatorsAcrossWalls axis;
  std::vector<double> faces, weights, inverse_cells, inverse_faces;

  explicit Channel(int cells, double factor)
      : axis(tanh_faces(cells, factor)),
        faces(tanh_faces(cells, factor)),
        weights(weights_across_walls(axis)) {
    for (int i = 0; i < cells; ++i) inverse_cells.push_back(1 / axis.cell_volume(i));
    for (int j = 0; j <= cells; ++j) inverse_faces.push_back(1 / axis.face_volume(j));
  }
  [[nodiscard]] int cells() const { return axis.cells(); }
  [[nodiscard]] RowsAcrossWalls<double> rows() const {
    return {weights.data(), inverse_cells.data(), inverse_faces.data(), cells()};
  }
  template <Kind kind>
  [[nodiscard]] std::vector<double> applied(const std::vector<double>& q) const {
    std::vector<double> result;
    const int count = RowsAcrossWalls<double>::is_at_face(kind) ? cells() + 1 : cells();
    for (int m = 0; m < count; ++m)
      result.push_back(rows().applied<kind>(m, [&](int steps) { return q.at(m + steps); }));
    return result;
  }
  [[nodiscard]] std::vector<double> at_centres(const std::function<double(double)>& f) const {
    std::vector<double> values;
    for (int i = 0; i < cells(); ++i) values.push_back(f(axis.centre(i)));
    return values;
  }
  [[nodiscard]] std::vector<double> at_faces(const std::function<double(double)>& f) const {
    std::vector<double> values;
    for (const double y : faces) values.push_back(f(y));
    return values;
  }
  /// G q with values on the walls.
  [[nodiscard]] std::vector<double> gradient(const std::vector<double>& q,
                                             double low,
                                             double high) const {
    std::vector<double> g = applied<Kind::difference_at_face>(q);
    g.front() -= low;
    g.back() += high;
    for (std::size_t j = 0; j < g.size(); ++j) g[j] *= inverse_faces[j];
    return g;
  }
  /// D f.
  [[nodiscard]] std::vector<double> divergence(const std::vector<double>& f) const {
    std::vector<double> d = applied<Kind::difference_at_cell>(f);
    for (std::size_t i = 0; i < d.size(); ++i) d[i] *= inverse_cells[i];
    return d;
  }
};

std::vector<double> random_values(std::size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  std::vector<double> values(count);
  for (double& value : values) value = normal(engine);
  return values;
}

/// The largest difference of points more than `margin` from the ends.
double largest_error(const std::vector<double>& a,
                     const std::vector<double>& b,
                     std::size_t margin) {
  double largest = 0;
  for (std::size_t m = margin; m + margin < a.size(); ++m)
    largest = std::max(largest, std::abs(a[m] - b[m]));
  return largest;
}

TEST(OrderAcrossWalls, has_exact_sums_on_few_and_on_many_cells) {
  for (const int cells : {8, 9, 24}) {
    const Channel channel(cells, 2);
    const OperatorsAcrossWalls& axis = channel.axis;
    for (int i = 0; i < cells; ++i) {
      double ones = 0;
      double places = 0;
      double mean_of_ones = 0;
      double mean_of_places = 0;
      for (int j = 0; j <= cells; ++j) {
        ones += axis.difference(i, j);
        places += axis.difference(i, j) * j;
        mean_of_ones += axis.mean(j, i);
        mean_of_places += axis.mean(j, i) * j;
      }
      EXPECT_NEAR(ones, 0, 1e-14) << cells << ' ' << i;
      EXPECT_NEAR(places, axis.weight_of_cell(i), 1e-13) << cells << ' ' << i;
      EXPECT_NEAR(mean_of_ones, axis.weight_of_cell(i), 1e-14) << cells << ' ' << i;
      EXPECT_NEAR(mean_of_places, axis.weight_of_cell(i) * (i + 0.5), 1e-12) << cells << ' ' << i;
    }
    for (int j = 0; j <= cells; ++j) {
      double sum = 0;
      double slope = j == 0 ? -0.0 : j == cells ? cells : 0.0;  // of p = place, with the ends
      double mean = 0;
      double mean_of_places = 0;
      for (int i = 0; i < cells; ++i) {
        sum += axis.difference(i, j);
        slope -= axis.difference(i, j) * (i + 0.5);
        mean += axis.mean(j, i);
        mean_of_places += axis.mean(j, i) * (i + 0.5);
      }
      EXPECT_NEAR(sum, j == 0 ? -1 : j == cells ? 1 : 0, 1e-14) << cells << ' ' << j;
      EXPECT_NEAR(slope, axis.weight_of_face(j), 1e-12) << cells << ' ' << j;
      EXPECT_NEAR(mean, axis.weight_of_face(j), 1e-14) << cells << ' ' << j;
      EXPECT_NEAR(mean_of_places, axis.weight_of_face(j) * j, 1e-12) << cells << ' ' << j;
    }
    double cell_volumes = 0;
    double face_volumes = axis.face_volume(cells);
    for (int i = 0; i < cells; ++i) {
      cell_volumes += axis.cell_volume(i);
      face_volumes += axis.face_volume(i);
    }
    EXPECT_NEAR(cell_volumes, 2, 1e-14);
    EXPECT_NEAR(face_volumes, 2, 1e-14);
  }
}

TEST(OrderAcrossWalls, rows_are_those_of_the_matrices) {
  const Channel channel(12, 1.5);
  const std::vector<double> at_cells = random_values(12, 1);
  const std::vector<double> at_faces = random_values(13, 2);
  const std::vector<double> carried = channel.applied<Kind::carry_at_face>(at_cells);
  const std::vector<double> adjoint_of_i = channel.applied<Kind::adjoint_at_cell>(at_faces);
  const std::vector<double> i_of = channel.applied<Kind::mean_at_face>(at_cells);
  const std::vector<double> j_of = channel.applied<Kind::mean_at_cell>(at_faces);
  const std::vector<double> adjoint_of_j = channel.applied<Kind::adjoint_at_face>(at_cells);
  double i_product = 0;
  double i_adjoint = 0;
  double j_product = 0;
  double j_adjoint = 0;
  double carry_product = 0;
  double carry_adjoint = 0;
  for (std::size_t j = 0; j < 13; ++j) {
    i_product += i_of[j] * at_faces[j];
    j_adjoint += adjoint_of_j[j] * at_faces[j];
    carry_adjoint += channel.axis.face_volume(static_cast<int>(j)) * carried[j] * at_faces[j];
  }
  for (std::size_t i = 0; i < 12; ++i) {
    i_adjoint += adjoint_of_i[i] * at_cells[i];
    j_product += j_of[i] * at_cells[i];
    carry_product += channel.axis.cell_volume(static_cast<int>(i)) * j_of[i] * at_cells[i];
  }
  EXPECT_NEAR(i_product, i_adjoint, 1e-13);
  EXPECT_NEAR(j_product, j_adjoint, 1e-13);
  EXPECT_NEAR(carry_product, carry_adjoint, 1e-13);
  EXPECT_GT(std::abs(i_product * j_product * carry_product), 1e-6);
}

TEST(OrderAcrossWalls,
     divergence_sums_to_the_flux_through_the_walls_and_constants_have_no_gradient) {
  const Channel channel(24, 2);
  const std::vector<double> v = random_values(25, 3);
  const std::vector<double> divergence = channel.divergence(v);
  double sum = v.front() - v.back();
  for (int i = 0; i < 24; ++i) sum += channel.axis.cell_volume(i) * divergence[i];
  EXPECT_NEAR(sum, 0, 1e-13);
  const std::vector<double> gradient = channel.gradient(std::vector<double>(24, 1), 1, 1);
  for (const double slope : gradient) EXPECT_NEAR(slope, 0, 1e-13);
}

/// Errors on exp(sin 2y) on 128 cells, tanh 2, within 1 %.
TEST(OrderAcrossWalls, has_order_4_inside_and_2_beside_walls) {
  const auto f = [](double y) { return std::exp(std::sin(2 * y)); };
  const auto slope = [&](double y) { return 2 * std::cos(2 * y) * f(y); };
  const auto curvature = [&](double y) {
    return (4 * std::cos(2 * y) * std::cos(2 * y) - 4 * std::sin(2 * y)) * f(y);
  };
  const Channel channel(128, 2);
  const auto centres = channel.at_centres(f);
  const auto faces = channel.at_faces(f);
  const auto d = channel.divergence(faces);
  const auto g = channel.gradient(centres, f(-1), f(1));
  const auto i = channel.applied<Kind::mean_at_face>(centres);
  const auto j = channel.applied<Kind::mean_at_cell>(faces);
  const auto carry = channel.applied<Kind::carry_at_face>(centres);
  const auto dg = channel.divergence(g);
  const auto gd = channel.gradient(d, 0, 0);
  const auto is_near = [](double found, double expected, const char* what) {
    EXPECT_NEAR(found, expected, 0.01 * expected) << what;
  };
  is_near(largest_error(d, channel.at_centres(slope), 8), 3.57e-6, "D");
  is_near(largest_error(g, channel.at_faces(slope), 8), 3.67e-6, "G");
  is_near(largest_error(i, faces, 8), 2.68e-6, "I");
  is_near(largest_error(j, centres, 8), 2.32e-6, "J");
  is_near(largest_error(carry, faces, 8), 5.27e-6, "J*");
  is_near(largest_error(dg, channel.at_centres(curvature), 8), 4.70e-5, "D G");
  is_near(largest_error(gd, channel.at_faces(curvature), 9), 4.80e-5, "G D");
  is_near(largest_error(d, channel.at_centres(slope), 0), 1.90e-4, "D at walls");
  is_near(largest_error(g, channel.at_faces(slope), 0), 5.40e-4, "G at walls");
  is_near(largest_error(dg, channel.at_centres(curvature), 0), 0.295, "D G at walls");
  double of_cells = 0;
  double of_faces = 0;
  for (int m = 0; m < 128; ++m) of_cells += channel.axis.cell_volume(m) * centres[m];
  for (int m = 0; m <= 128; ++m) of_faces += channel.axis.face_volume(m) * faces[m];
  // The trapezoidal rule on 4e6 intervals is exact to 1e-12.
  double exact = 0;
  constexpr int intervals = 4000000;
  for (int m = 0; m <= intervals; ++m)
    exact += (m == 0 || m == intervals ? 0.5 : 1) * f(-1 + 2.0 * m / intervals);
  exact *= 2.0 / intervals;
  is_near(std::abs(of_cells - exact), 6.13e-8, "sum wc f");
  is_near(std::abs(of_faces - exact), 9.52e-8, "sum wf f");
}

TEST(OrderAcrossWalls, conditions_are_one_formula) {
  const double volume = 0.3;
  const EndAcrossWalls value{};
  EXPECT_EQ(value.of_inside(volume), 0);
  EXPECT_EQ(value.of_given(volume), 1);
  const EndAcrossWalls slip{1, 0.6, 1};  // further away by 0.6
  EXPECT_DOUBLE_EQ(slip.of_inside(volume), 2.0 / 3);
  EXPECT_DOUBLE_EQ(slip.of_given(volume), 1.0 / 3);
  const EndAcrossWalls transfer{2.5, 1, 2.5};  // h = 2.5
  EXPECT_DOUBLE_EQ(transfer.of_inside(volume), 0.4 / 0.7);
  EXPECT_DOUBLE_EQ(transfer.slope_of_given(volume), 1 / 0.7);
  const EndAcrossWalls shear{0, -1, 1};
  EXPECT_EQ(shear.of_inside(volume), 1);
  EXPECT_DOUBLE_EQ(shear.of_given(volume), -0.3);
  const EndAcrossWalls symmetry{0, 1, 0};
  EXPECT_EQ(symmetry.of_inside(volume), 1);
  EXPECT_EQ(symmetry.of_given(volume), 0);
}

TEST(OrderAcrossWalls, volumes_are_positive_but_for_wild_faces) {
  EXPECT_TRUE(OperatorsAcrossWalls(tanh_faces(8, 3)).has_positive_volumes());
  EXPECT_FALSE(OperatorsAcrossWalls(tanh_faces(8, 4)).has_positive_volumes());
  EXPECT_TRUE(OperatorsAcrossWalls(tanh_faces(16, 4)).has_positive_volumes());
}

}  // namespace
}  // namespace dns::test_order_across_walls
