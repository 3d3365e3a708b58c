/// Surfaces of triangles on grids, against the shapes that they stand for.
#include <algorithm>
#include <functional>
#include <random>

#include "solver/core/error.hpp"
#include "solver/solids/triangle_lines.hpp"
#include "tests/solids/box_case.hpp"
#include "tests/solids/surfaces.hpp"

namespace dns::testing::test_stl_surface {
namespace {

using Distance = std::function<double(const Corner&)>;  // from the surface, below 0 in the body

Distance sphere(const Corner& center, double radius) {
  return [=](const Corner& x) {
    return std::hypot(x[0] - center[0], x[1] - center[1], x[2] - center[2]) - radius;
  };
}
Distance block_function(const Corner& low, const Corner& high) {
  return [=](const Corner& x) {
    double farthest = -1e30;
    for (int axis = 0; axis < 3; ++axis)
      farthest = std::max({farthest, low[axis] - x[axis], x[axis] - high[axis]});
    return farthest;
  };
}

/// How far triangles are from the surface that their corners are on.
double facet_error(const Surface& surface, const Distance& distance) {
  double largest = 0;
  for (const auto& [a, b, c] : surface) {
    const auto mean = [&](double of_a, double of_b, double of_c) {
      Corner x{};
      for (std::size_t n = 0; n < 3; ++n) x[n] = of_a * a[n] + of_b * b[n] + of_c * c[n];
      return std::abs(distance(x));
    };
    largest = std::max({largest,
                        mean(1 / 3., 1 / 3., 1 / 3.),
                        mean(0.5, 0.5, 0),
                        mean(0, 0.5, 0.5),
                        mean(0.5, 0, 0.5)});
  }
  return 1.5 * largest;
}

std::vector<Case> cases_with(const std::string& path, const std::string& more = "") {
  const std::string body = "  it: {shape: stl, path: " + path + more;
  return {staggered_case(body + "}"), nodal_case(body + ", temperature: 1}")};
}

/// Points are in the body where the function says so, and cuts are on its surface, up to an error.
void expect_shape(const Case& resolved, const Distance& distance, double error) {
  const std::vector<SolidPoints> found = points_of(resolved);
  for (std::size_t n = 0; n < found.size(); ++n) {
    const int variable = found.size() == 1 ? 3 : static_cast<int>(n);
    const Places places(resolved, variable);
    const SolidPoints& points = found[n];
    const bool has_dead_ends = variable < 3;
    std::size_t wrong = 0;
    std::size_t in_body = 0;
    for_each_point(resolved, [&](Index3 c) {
      const double here = distance(places.at(c));
      const bool is_in = points.body_at(c) != no_body;
      if (!is_unknown(resolved, variable, c)) {
        EXPECT_FALSE(is_in);
        return;
      }
      in_body += is_in ? 1 : 0;
      wrong += here < -error && !is_in ? 1 : 0;
      wrong += here > error && is_in && !has_dead_ends ? 1 : 0;
    });
    EXPECT_EQ(wrong, 0U) << "variable " << variable;
    EXPECT_GT(in_body, 10U);
    double farthest = 0;
    for (const Cut& cut : points.cuts) {
      Corner x = places.at(cut.point);
      const auto axis = static_cast<std::size_t>(cut.axis);
      const double beside = places.at(moved(cut.point, cut.axis, cut.is_high ? 1 : -1))[axis];
      EXPECT_TRUE(cut.theta >= 1e-6 && cut.theta <= 1);
      x[axis] += cut.theta * (beside - x[axis]);
      farthest = std::max(farthest, std::abs(distance(x)));
    }
    EXPECT_LT(farthest, error + 2e-7) << "variable " << variable;  // 1e-6 spacings, at theta = 0
    EXPECT_GT(points.cuts.size(), 20U);
  }
}

Distance nearest_image(const Distance& distance) {
  return [=](const Corner& x) {
    double least = 1e30;
    for (const double shift_x : {-1.3, 0.0, 1.3}) {
      for (const double shift_z : {-1.1, 0.0, 1.1})
        least = std::min(least, distance({x[0] + shift_x, x[1], x[2] + shift_z}));
    }
    return least;
  };
}

TEST(StlSurface, of_a_sphere_is_the_sphere) {
  const Corner center{0.71, 0.02, 0.77};
  const Surface surface = icosphere(5, center, 0.391);
  ASSERT_EQ(surface.size(), 20480U);
  const Distance distance = sphere(center, 0.391);
  const double error = facet_error(surface, distance);
  ASSERT_LT(error, 2e-4);
  const SurfaceFile file("sphere", binary_stl(surface));
  for (const Case& resolved : cases_with(file.path())) expect_shape(resolved, distance, error);

  // As many points and cuts as the shape has, whose dead ends are the same.
  const std::vector<SolidPoints> found = points_of(cases_with(file.path())[0]);
  const Case analytic =
      staggered_case("  it: {shape: sphere, center: [0.71, 0.02, 0.77], radius: 0.391}");
  const std::vector<SolidPoints> expected = points_of(analytic);
  for (std::size_t n = 0; n < 4; ++n) {
    EXPECT_EQ(found[n].body, expected[n].body);
    ASSERT_EQ(found[n].cuts.size(), expected[n].cuts.size());
    for (std::size_t cut = 0; cut < expected[n].cuts.size(); ++cut)
      EXPECT_NEAR(found[n].cuts[cut].theta, expected[n].cuts[cut].theta, 0.02);
  }
}

TEST(StlSurface, across_a_periodic_corner_comes_in_at_the_others) {
  const Corner center{1.38, 0.02, 0.23};
  const Surface surface = icosphere(4, center, 0.391);
  const SurfaceFile file("corner", binary_stl(surface));
  const Distance distance = sphere(center, 0.391);
  for (const Case& resolved : cases_with(file.path()))
    expect_shape(resolved, nearest_image(distance), facet_error(surface, distance));
  // Likewise from several periods away.
  for (const Case& resolved : cases_with(file.path(), ", translation: [-6.5, 0, 3.3]"))
    expect_shape(resolved, nearest_image(distance), facet_error(surface, distance));
}

TEST(StlSurface, of_a_torus_is_the_torus) {
  const Corner center{0.75, 0.03, 0.74};
  const Distance distance = [&](const Corner& x) {
    const double ring = std::hypot(x[0] - center[0], x[1] - center[1]) - 0.38;
    return std::hypot(ring, x[2] - center[2]) - 0.17;
  };
  const Surface surface = torus(160, 80, center, 0.38, 0.17);
  ASSERT_EQ(surface.size(), 25600U);
  const SurfaceFile file("torus", text_stl(surface));
  for (const Case& resolved : cases_with(file.path()))
    expect_shape(resolved, distance, facet_error(surface, distance));
}

TEST(StlSurface, of_a_block_on_faces_and_nodes_of_the_grid_is_the_block) {
  // Faces at multiples of 1/8, exactly, and of 0.1, up to round-off.
  const std::vector<std::string> grids{
      "{points: [8, 16, 32], length: [1, 2, 4], origin: [0, -1, 1]}",
      "{points: [9, 11, 13], length: [0.9, 1.1, 1.3], origin: [0, -0.3, 1]}",
      "{points: [8, 16, 32], length: [0.8, 1.6, 3.2], origin: [0, -0.4, 1]}"};
  const std::vector<double> spacings{0.125, 0.1, 0.1};
  for (std::size_t n = 0; n < grids.size(); ++n) {
    const double h = spacings[n];
    const double y0 = n == 0 ? -1 : n == 1 ? -0.3 : -0.4;
    for (const double shift : {0.0, 0.5}) {  // of a cell: on centres
      const Corner low{(2 + shift) * h, y0 + (3 + shift) * h, 1 + (4 + shift) * h};
      const Corner high{(6 + shift) * h, y0 + (8 + shift) * h, 1 + (9 + shift) * h};
      const SurfaceFile file("block", text_stl(block(low, high)));
      const Case resolved = staggered_case(
          "  it: {shape: stl, path: " + file.path() + "}", boundaries_with_walls, grids[n]);
      expect_shape(resolved, block_function(low, high), 1e-12);
    }
  }
  // Nodes of scheme splitting: x at 0.1 (i + 1), z at 0.2 + 0.1 k.
  const Corner low{0.3, -0.7 + 4 * 1.5 / 16, 0.4};
  const Corner high{0.9, -0.7 + 11 * 1.5 / 16, 0.9};
  const SurfaceFile file("nodes", text_stl(block(low, high)));
  expect_shape(cases_with(file.path())[1], block_function(low, high), 1e-12);
}

/// A point before a surface was turned about x, y and z in turn.
Corner before_turning(Corner x, const Corner& degrees) {
  for (const int axis : {2U, 1U, 0U}) {
    const double angle = -degrees[axis] * std::numbers::pi / 180;
    const std::size_t p = (axis + 1) % 3;
    const std::size_t q = (axis + 2) % 3;
    const Corner old = x;
    x[p] = std::cos(angle) * old[p] - std::sin(angle) * old[q];
    x[q] = std::sin(angle) * old[p] + std::cos(angle) * old[q];
  }
  return x;
}

double tetrahedron_function(const Corner& x) {
  return std::max({-x[0], -x[1], -x[2], (x[0] + x[1] + x[2] - 1) / std::sqrt(3.)});
}
const Surface tetrahedron{{{{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}}},
                           {{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}},
                           {{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}}},
                           {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}}};

TEST(StlSurface, is_scaled_turned_and_moved_in_that_order) {
  const SurfaceFile file("tetrahedron", text_stl(tetrahedron));
  const Corner moved_by{0.613, -0.021, 0.647};
  for (const Corner& degrees : {Corner{0, 0, 0},
                                Corner{90, 0, 0},
                                Corner{0, 90, 0},
                                Corner{0, 0, 90},
                                Corner{31, -47, 73}}) {
    const Distance distance = [&](const Corner& x) {
      const Corner old =
          before_turning({x[0] - moved_by[0], x[1] - moved_by[1], x[2] - moved_by[2]}, degrees);
      return 0.6 * tetrahedron_function({old[0] / 0.6, old[1] / 0.6, old[2] / 0.6});
    };
    const std::string keys =
        fmt::format(", scale: 0.6, orientation: [{}, {}, {}], translation: [0.613, -0.021, 0.647]",
                    degrees[0],
                    degrees[1],
                    degrees[2]);
    for (const Case& resolved : cases_with(file.path(), keys))
      expect_shape(resolved, nearest_image(distance), 1e-9);
  }
  // A quarter turn about x takes y to z; about y, z to x; about z, x to y.
  const auto near = [](const Corner& a, const Corner& b) {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) < 1e-15;
  };
  EXPECT_TRUE(near(before_turning({0, 0, 1}, {90, 0, 0}), {0, 1, 0}));
  EXPECT_TRUE(near(before_turning({1, 0, 0}, {0, 90, 0}), {0, 0, 1}));
  EXPECT_TRUE(near(before_turning({0, 1, 0}, {0, 0, 90}), {1, 0, 0}));
}

TEST(StlSurface, of_a_turned_block_is_the_turned_block) {
  const Corner half{0.21, 0.37, 0.29};
  const SurfaceFile file("turned", text_stl(block({-half[0], -half[1], -half[2]}, half)));
  const Corner degrees{30, 40, 50};
  const Distance distance = [&](const Corner& x) {
    const Corner old = before_turning({x[0] - 0.77, x[1] - 0.05, x[2] - 0.75}, degrees);
    return block_function({-half[0], -half[1], -half[2]}, half)(old);
  };
  for (const Case& resolved :
       cases_with(file.path(), ", orientation: [30, 40, 50], translation: [0.77, 0.05, 0.75]"))
    expect_shape(resolved, distance, 1e-9);
}

/// As long as the box, or longer: images overlap, or meet up to round-off.
TEST(StlSurface, longer_than_a_periodic_box_is_endless) {
  for (const double longer : {0.0, 1e-8, -1e-13, 0.3, 2.5}) {
    const SurfaceFile file("bar", text_stl(block({0.5, -0.31, 0.2}, {0.83, 0.27, 1.3 + longer})));
    for (const Case& resolved : cases_with(file.path()))
      expect_shape(resolved, block_function({0.5, -0.31, -9}, {0.83, 0.27, 9}), 1e-12);
  }
}

TEST(StlSurface, beyond_the_box_has_no_points_there) {
  const SurfaceFile file("far", text_stl(block({0.5, 5, 0.2}, {0.8, 6, 0.7})));
  EXPECT_THROW(static_cast<void>(points_of(cases_with(file.path())[0])), CaseError);
}

TEST(StlSurface, has_the_same_points_in_text_and_binary) {
  Surface surface = icosphere(4, {0.71, 0.02, 0.77}, 0.391);
  for (auto& triangle : surface) {
    for (Corner& corner : triangle) {
      for (double& x : corner) x = std::round(x * 4096) / 4096;  // exact in single precision
    }
  }
  const SurfaceFile text("text", text_stl(surface));
  // Titles of binary files may begin as texts do.
  const SurfaceFile binary("binary", binary_stl(surface, "solid it"));
  const std::vector<SolidPoints> one = points_of(cases_with(text.path())[0]);
  const std::vector<SolidPoints> other = points_of(cases_with(binary.path())[0]);
  for (std::size_t n = 0; n < 4; ++n) {
    EXPECT_EQ(one[n].body, other[n].body);
    ASSERT_EQ(one[n].cuts.size(), other[n].cuts.size());
    for (std::size_t cut = 0; cut < one[n].cuts.size(); ++cut)
      EXPECT_EQ(one[n].cuts[cut].theta, other[n].cuts[cut].theta);
  }
}

TEST(StlSurface, slabs_have_what_the_whole_box_has) {
  const SurfaceFile file("slabs", binary_stl(icosphere(3, {1.38, 0.02, 0.23}, 0.391)));
  const Case resolved = cases_with(file.path())[0];
  const std::vector<SolidPoints> whole = points_of(resolved);
  ThreadRanks::run(3, [&](Communicator& communicator) {
    const Subdomain part = whole_box(resolved).slab(communicator.rank(), 3);
    const std::vector<SolidPoints> found = find_solid_points(resolved, part, communicator);
    for (std::size_t n = 0; n < 4; ++n) {
      std::vector<double> expected;
      std::vector<double> here;
      for (const Cut& cut : whole[n].cuts) {
        if (cut.point.k >= part.part.begin.k && cut.point.k < part.part.end.k)
          expected.push_back(cut.theta);
      }
      for (const Cut& cut : found[n].cuts) here.push_back(cut.theta);
      EXPECT_EQ(here, expected);
    }
  });
}

/// The number of the body's crossings before a point is odd along one axis if it is along another.
TEST(StlSurface, has_the_same_inside_seen_along_each_axis) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> anywhere(0, 1);
  for (int n = 0; n < 8; ++n) {
    SolidCase body;
    const SurfaceFile file("axes",
                           text_stl(n % 2 == 0 ? torus(17, 9, {}, 0.38, 0.17)
                                               : block({-0.2, -0.3, -0.25}, {0.2, 0.3, 0.25})));
    body.file.path = file.path();
    body.orientation = {360 * anywhere(random), 360 * anywhere(random), 360 * anywhere(random)};
    body.translation = {0.7 + 0.1 * anywhere(random), 0.1 * anywhere(random), 0.7};
    const Case resolved =
        staggered_case("  it: {shape: sphere, center: [0.7, 0, 0.7], radius: 0.3}", all_periodic);
    const PointPlaces places(resolved, whole_box(resolved), n % 4);
    const Triangles surface = read_stl(body);
    const Extents points = resolved.grid.points;
    const std::vector<Place> images{{}};
    const TriangleLines along_x(surface, images, 0, places, points);
    const TriangleLines along_y(surface, images, 1, places, points);
    const TriangleLines along_z(surface, images, 2, places, points);
    std::size_t inside = 0;
    for_each_point(resolved, [&](Index3 c) {
      const bool is_in = along_x.crossings_up_to(c, places.along(0, c.i)) % 2 != 0;
      inside += is_in ? 1 : 0;
      EXPECT_EQ(along_y.crossings_up_to(c, places.along(1, c.j)) % 2 != 0, is_in);
      EXPECT_EQ(along_z.crossings_up_to(c, places.along(2, c.k)) % 2 != 0, is_in);
    });
    EXPECT_GT(inside, 60U);
  }
}

}  // namespace
}  // namespace dns::testing::test_stl_surface
