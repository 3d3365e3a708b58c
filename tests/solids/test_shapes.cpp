/// Spheres, cylinders, boxes and formulas on grids.
#include <fmt/format.h>

#include <numbers>

#include "tests/solids/plain_model.hpp"

namespace dns::testing::test_shapes {
namespace {

using std::numbers::pi;
constexpr double exact = 1e-9;  // of theta

/// The images of a body in the box of staggered_case and nodal_case.
template <class BodyAt>
std::vector<LineInBody> images_of(const BodyAt& body_at) {
  std::vector<LineInBody> images;
  for (const double x : {-1.3, 0.0, 1.3}) {
    for (const double z : {-1.1, 0.0, 1.1}) images.push_back(body_at(x, z));
  }
  return images;
}

/// The same body in both schemes, of which one has a temperature.
void expect_model(const std::string& keys, const std::vector<LineInBody>& images) {
  const Case staggered = staggered_case("  it: {" + keys + "}");
  const Case nodal = nodal_case("  it: {" + keys + ", temperature: 1}");
  for (const Case* resolved : {&staggered, &nodal}) {
    const std::vector<SolidPoints> found = points_of(*resolved);
    PlainModel(*resolved, images).expect_equal(found, exact);
    EXPECT_GT(found.back().cuts.size(), 40U);
  }
}

TEST(SolidShapes, a_sphere_is_where_its_equation_says) {
  expect_model("shape: sphere, center: [0.71, 0.02, 0.77], radius: 0.391",
               images_of([](double x, double z) {
                 return sphere_body({0.71 + x, 0.02, 0.77 + z}, 0.391);
               }));
}

TEST(SolidShapes, a_sphere_comes_in_across_a_periodic_corner) {
  expect_model("shape: sphere, center: [1.38, 0.02, 0.23], radius: 0.391",
               images_of([](double x, double z) {
                 return sphere_body({1.38 + x, 0.02, 0.23 + z}, 0.391);
               }));
}

TEST(SolidShapes, a_sphere_may_reach_through_a_wall) {
  expect_model("shape: sphere, center: [0.71, -0.6, 0.77], radius: 0.391",
               images_of([](double x, double z) {
                 return sphere_body({0.71 + x, -0.6, 0.77 + z}, 0.391);
               }));
}

TEST(SolidShapes, an_endless_cylinder_along_each_axis_is_where_its_equation_says) {
  for (const int axis : {0U, 1U, 2U}) {
    expect_model(
        fmt::format("shape: cylinder, center: [0.33, 0.02, 0.77], radius: 0.31, "
                    "axis: {}",
                    axis_names[axis]),
        images_of([axis](double x, double z) {
          return round_body({0.33 + x, 0.02, 0.77 + z}, 0.31, {(axis + 1) % 3, (axis + 2) % 3});
        }));
  }
}

TEST(SolidShapes, a_cylinder_with_ends_is_where_its_equations_say) {
  for (const int axis : {0U, 1U, 2U}) {
    expect_model(fmt::format("shape: cylinder, center: [0.33, 0.02, 0.77], radius: 0.31, "
                             "axis: {}, length: 0.57",
                             axis_names[axis]),
                 images_of([axis](double x, double z) {
                   const Place center{0.33 + x, 0.02, 0.77 + z};
                   return common_of({round_body(center, 0.31, {(axis + 1) % 3, (axis + 2) % 3}),
                                     slab_body(axis, center[axis] - 0.285, center[axis] + 0.285)});
                 }));
  }
}

TEST(SolidShapes, a_box_is_between_its_corners) {
  expect_model("shape: box, min: [0.03, -0.31, 0.47], max: [0.63, 0.29, 0.81]",
               images_of([](double x, double z) {
                 return common_of({slab_body(0, 0.03 + x, 0.63 + x),
                                   slab_body(1, -0.31, 0.29),
                                   slab_body(2, 0.47 + z, 0.81 + z)});
               }));
}

TEST(SolidShapes, a_formula_gives_what_the_shape_gives) {
  expect_model("shape: formula, surface: (x-0.71)^2 + (y-0.02)^2 + (z-0.77)^2 - 0.391^2",
               {sphere_body({0.71, 0.02, 0.77}, 0.391)});
}

/// The volume of the cells with their centres in the body.
double counted_volume(int cells, const std::string& keys) {
  const Case resolved = staggered_case("  it: {" + keys + "}", all_periodic, cube_of(cells));
  return static_cast<double>(count_in_bodies(resolved, points_of(resolved).back())) /
         std::pow(cells, 3);
}

TEST(SolidShapes, counting_cells_converges_to_the_volume) {
  const std::vector<std::pair<std::string, double>> bodies{
      {"shape: sphere, center: [0.513, 0.492, 0.477], radius: 0.317",
       4 * pi / 3 * std::pow(0.317, 3)},
      {"shape: cylinder, center: [0.513, 0.492, 0.477], radius: 0.317, axis: y",
       pi * 0.317 * 0.317},
      {"shape: cylinder, center: [0.513, 0.492, 0.477], radius: 0.317, axis: x, length: 0.443",
       pi * 0.317 * 0.317 * 0.443},
      {"shape: box, min: [0.113, 0.2071, 0.351], max: [0.7, 0.51, 0.9123]",
       0.587 * 0.3029 * 0.5613},
      // Across a corner.
      {"shape: sphere, center: [1.013, 0.992, -0.023], radius: 0.317",
       4 * pi / 3 * std::pow(0.317, 3)}};
  for (const auto& [keys, volume] : bodies) {
    const double coarse = std::abs(counted_volume(15, keys) / volume - 1);
    const double fine = std::abs(counted_volume(61, keys) / volume - 1);
    EXPECT_LT(coarse, 0.25) << keys;
    EXPECT_LT(fine, 0.02) << keys;
  }
}

TEST(SolidShapes, across_a_periodic_corner_hold_as_many_points_as_in_the_middle) {
  const auto counts = [](const std::string& center) {
    const Case resolved =
        staggered_case("  it: {shape: sphere, radius: 0.391, center: " + center + "}",
                       all_periodic,
                       "{points: [13, 15, 11], length: [1.625, 1.875, 1.375]}");
    std::vector<std::size_t> all;
    for (const SolidPoints& points : points_of(resolved)) {
      all.push_back(count_in_bodies(resolved, points));
      all.push_back(points.cuts.size());
    }
    return all;
  };
  // Moved by a number of cells, of 1/8.
  EXPECT_EQ(counts("[0.76, 0.87, 0.63]"), counts("[0.01, -0.005, 1.38]"));
  EXPECT_EQ(counts("[0.76, 0.87, 0.63]"), counts("[6.51, -3.63, 1.38]"));
  EXPECT_NE(counts("[0.76, 0.87, 0.63]"), counts("[0.02, 0, 1.38]"));
}

TEST(SolidShapes, one_behind_the_other_keep_their_numbers) {
  const Case resolved = staggered_case(R"(
  left: {shape: sphere, center: [0.5, 0, 0.7], radius: 0.25}
  right: {shape: sphere, center: [1, 0, 0.7], radius: 0.2}
)");
  for (const SolidPoints& points : points_of(resolved)) {
    std::array<std::size_t, 2> held{};
    for_each_point(resolved, [&](Index3 c) {
      if (points.body_at(c) != no_body) ++held.at(points.body_at(c));
    });
    EXPECT_GT(held[0], held[1]);
    EXPECT_GT(held[1], 5U);
    for (const Cut& cut : points.cuts)
      EXPECT_EQ(cut.body, points.body_at(moved(cut.point, cut.axis, cut.is_high ? 1 : -1)));
  }
}

TEST(SolidField, is_1_in_bodies) {
  const Case resolved = staggered_case("  it: {shape: sphere, center: [0.7, 0, 0.7], radius: 0.3}");
  const SolidPoints points = points_of(resolved).back();
  const HostField in_double = solid_field(points, Precision::double_precision);
  const HostField in_float = solid_field(points, Precision::single_precision);
  std::size_t n = 0;
  for_each_point(resolved, [&](Index3 c) {
    const double expected = points.body_at(c) == no_body ? 0 : 1;
    EXPECT_EQ(in_double.values<double>()[n], expected);
    EXPECT_EQ(static_cast<double>(in_float.values<float>()[n]), expected);
    ++n;
  });
  EXPECT_EQ(n, in_double.extents().count());
}

TEST(SolidValue, is_that_of_a_rigid_body) {
  SolidCase body;
  body.center = {1, 2, 3};
  body.velocity = {0.5, -0.25, 4};
  body.rotation = {2, 3, 5};
  body.scalars = {{.value = 7}};
  const PerAxis<double> x{1.5, 1, 5};  // from the centre: 0.5, -1, 2
  // (2, 3, 5) x (0.5, -1, 2) = (3 * 2 + 5 * 1, 5 * 0.5 - 2 * 2, -2 * 1 - 3 * 0.5)
  EXPECT_EQ(solid_value(body, 0, x), 0.5 + 11);
  EXPECT_EQ(solid_value(body, 1, x), -0.25 - 1.5);
  EXPECT_EQ(solid_value(body, 2, x), 4 - 3.5);
  EXPECT_EQ(solid_value(body, first_scalar, x), 7);
}

}  // namespace
}  // namespace dns::testing::test_shapes
