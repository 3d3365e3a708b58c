/// Fluctuations of given stresses on a plane: their flux, and their parts on ranks.
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "solver/face_values/plane_turbulence.hpp"
#include "tests/face_values/eddy_statistics.hpp"

namespace dns::test_plane_turbulence {
namespace {

/// Stresses of a channel: those of the normal component are 0 in the plane's first fifth.
StressFactor factor_at(double a, double b) {
  const double height = std::max(0.0, a - 0.4);
  return cholesky_factor({0.3 + a, height, b + height * a, -0.2 * height, 0.1 * height, 0});
}

PlanePoints points_of(std::vector<double> a, std::vector<double> b) {
  PlanePoints points{std::move(a), std::move(b), {}};
  for (const double y : points.b) {
    for (const double x : points.a) points.factors.push_back(factor_at(x, y));
  }
  return points;
}

struct Cells {
  std::vector<double> centres, widths;
};
/// Cells that grow from low to high.
Cells growing_cells(double low, double high, int count) {
  Cells cells;
  const auto face = [&](int n) { return low + (high - low) * n * (n + count) / 2 / count / count; };
  for (int n = 0; n < count; ++n) {
    cells.centres.push_back((face(n) + face(n + 1)) / 2);
    cells.widths.push_back(face(n + 1) - face(n));
  }
  return cells;
}

const EddySettings settings = plane_across(Axis::y);
const Cells along_x = growing_cells(settings.low[0], settings.high[0], 31);
const Cells along_z = growing_cells(settings.low[2], settings.high[2], 17);

PlaneTurbulence turbulence() {
  return {settings, points_of(along_x.centres, along_z.centres), along_x.widths, along_z.widths};
}

PassingVelocity passing(int component, const PlanePoints& points) {
  return {component, points, {}, {}};
}

std::vector<double> velocity_of(const PlaneTurbulence& plane, PassingVelocity& part, double t) {
  std::vector<double> values(part.points.factors.size());
  plane.add(part, t, values);
  return values;
}

/// Evaluated anew.
std::vector<double> velocity_of(const PlaneTurbulence& plane,
                                int component,
                                const PlanePoints& points,
                                double t) {
  PassingVelocity part = passing(component, points);
  return velocity_of(plane, part, t);
}

TEST(plane_turbulence, has_no_net_flux) {
  const PlaneTurbulence plane = turbulence();
  const PlanePoints points = points_of(along_x.centres, along_z.centres);
  for (int n = 0; n < 20; ++n) {
    const double t = 0.31 * n;
    const std::vector<double> v = velocity_of(plane, 1, points, t);
    const auto e = plane.eddies().unit_fluctuations(points.a, points.b, t);
    double flux = 0;
    double without = 0;
    double area = 0;
    for (std::size_t p = 0; p < v.size(); ++p) {
      const double cell = along_x.widths[p % 31] * along_z.widths[p / 31];
      area += cell;
      flux += cell * v[p];
      const double deviation = points.factors[p].deviation(1);
      without += cell * points.factors[p].velocity(1, {e[0][p], e[1][p], e[2][p]});
      if (deviation == 0) {
        EXPECT_EQ(v[p], 0);
      }
    }
    EXPECT_NEAR(flux / area, 0, 1e-14) << t;
    EXPECT_GT(std::abs(without / area), 1e-6) << t;
  }
}

/// What is taken off is the same multiple of the deviation everywhere; other components stay.
TEST(plane_turbulence, loses_the_same_multiple_of_the_deviation_everywhere) {
  const PlaneTurbulence plane = turbulence();
  const PlanePoints points = points_of(along_x.centres, along_z.centres);
  const auto e = plane.eddies().unit_fluctuations(points.a, points.b, 2.5);
  for (const int component : {0, 1, 2}) {
    const std::vector<double> velocity = velocity_of(plane, component, points, 2.5);
    const auto taken = [&](std::size_t p) {
      return points.factors[p].velocity(component, {e[0][p], e[1][p], e[2][p]}) - velocity[p];
    };
    const std::size_t last = velocity.size() - 1;
    const double multiple = component == 1 ? taken(last) / points.factors[last].deviation(1) : 0;
    if (component == 1) {
      EXPECT_GT(std::abs(multiple), 1e-6);
    }
    for (std::size_t p = 0; p < velocity.size(); ++p) {
      EXPECT_NEAR(taken(p), multiple * points.factors[p].deviation(component), 1e-14)
          << component << ' ' << p;
    }
  }
}

TEST(plane_turbulence, of_parts_is_that_of_the_whole) {
  const PlaneTurbulence plane = turbulence();
  const PlanePoints points = points_of(along_x.centres, along_z.centres);
  for (const int component : {0, 1, 2}) {
    const std::vector<double> whole = velocity_of(plane, component, points, 7.25);
    std::vector<double> together;
    for (const auto& [begin, end] : {std::pair{0, 6}, std::pair{6, 7}, std::pair{7, 17}}) {
      const PlanePoints part = points_of(
          along_x.centres, {along_z.centres.begin() + begin, along_z.centres.begin() + end});
      const std::vector<double> velocity = velocity_of(turbulence(), component, part, 7.25);
      together.insert(together.end(), velocity.begin(), velocity.end());
    }
    EXPECT_EQ(together, whole) << component;
  }
}

TEST(plane_turbulence, without_normal_fluctuations_has_none) {
  PlanePoints points{{0.5, 1}, {1, 2}, {}};
  points.factors.assign(4, cholesky_factor({1, 0, 1, 0, 0.5, 0}));
  const PlaneTurbulence plane(settings, points, {1, 1}, {1, 1});
  EXPECT_EQ(velocity_of(plane, 1, points, 1), std::vector<double>(4));
  EXPECT_NE(velocity_of(plane, 0, points, 1), std::vector<double>(4));
}

/// Steps within a moment and over some, far jumps, back to where it was, with and without a look
/// ahead, right or wrong; the points are enough for threads.
TEST(plane_turbulence, keeps_its_bits_whatever_was_evaluated_before) {
  const PlaneTurbulence plane = turbulence();
  const Cells many_along_x = growing_cells(settings.low[0], settings.high[0], 211);
  const Cells many_along_z = growing_cells(settings.low[2], settings.high[2], 23);
  const PlanePoints points = points_of(many_along_x.centres, many_along_z.centres);
  const double moment = renewal_time(settings) / 24;
  for (const int component : {0, 1, 2}) {
    PassingVelocity alone = passing(component, points);
    PassingVelocity ahead = passing(component, points);
    std::size_t changes = 0;
    std::vector<double> last;
    for (const double t :
         {0.0, 0.3, 0.6, 1.1, 3.9, 4.0, 27.7, 28.2, 4.0, 1e6, -2.5, 0.3, 1e6 + 1}) {
      const std::vector<double> fresh = velocity_of(plane, component, points, t * moment);
      EXPECT_EQ(velocity_of(plane, alone, t * moment), fresh) << component << ' ' << t;
      EXPECT_EQ(velocity_of(plane, ahead, t * moment), fresh) << component << ' ' << t;
      plane.prepare(ahead, (t + 1.2) * moment);
      if (fresh != last) ++changes;
      last = fresh;
    }
    EXPECT_EQ(changes, 13);
    const int threads = omp_get_max_threads();
    omp_set_num_threads(3);
    EXPECT_EQ(velocity_of(plane, component, points, (1e6 + 1) * moment), last) << component;
    omp_set_num_threads(threads);
  }
}

TEST(plane_turbulence, at_no_time_is_no_number_and_recovers) {
  const PlaneTurbulence plane = turbulence();
  const PlanePoints points = points_of(along_x.centres, along_z.centres);
  PassingVelocity part = passing(2, points);
  const std::vector<double> before = velocity_of(plane, part, 0.7);
  for (const double t : {std::nan(""), HUGE_VAL}) {
    plane.prepare(part, t);
    for (const double value : velocity_of(plane, part, t)) EXPECT_TRUE(std::isnan(value));
  }
  EXPECT_EQ(velocity_of(plane, part, 0.7), before);
}

}  // namespace
}  // namespace dns::test_plane_turbulence
