/// STL surfaces on points of the grid, and of several shells.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <random>

#include "solver/core/error.hpp"
#include "tests/message_of.hpp"
#include "tests/solids/box_case.hpp"
#include "tests/solids/surfaces.hpp"

namespace dns::testing::test_stl_shells {
namespace {

/// Cells of width 1, 1/2 and 1/4: multiples of 1/8 are faces, centres or between them.
const std::string eighths = "{points: [13, 17, 23], length: [13, 8.5, 5.75], origin: [0, -2, 1]}";

Case with_file(const std::string& path,
               const std::string& boundaries = boundaries_with_walls,
               const std::string& more = "") {
  return staggered_case("  it: {shape: stl, path: " + path + more + "}", boundaries, eighths);
}

std::string box_key(const std::string& name, const Corner& low, const Corner& high) {
  return fmt::format("  {}: {{shape: box, min: [{}, {}, {}], max: [{}, {}, {}]}}\n",
                     name,
                     low[0],
                     low[1],
                     low[2],
                     high[0],
                     high[1],
                     high[2]);
}

/// The same points, and cuts at the same places up to what the bisection of other shapes leaves.
void expect_same(const Case& found_case, const Case& expected_case) {
  const std::vector<SolidPoints> found = points_of(found_case);
  const std::vector<SolidPoints> expected = points_of(expected_case);
  for (std::size_t n = 0; n < expected.size(); ++n) {
    std::size_t different = 0;
    for_each_point(expected_case, [&](Index3 c) {
      different +=
          (found[n].body_at(c) == no_body) != (expected[n].body_at(c) == no_body) ? 1U : 0U;
    });
    EXPECT_EQ(different, 0U) << "variable " << n;
    EXPECT_GT(count_in_bodies(expected_case, expected[n]), 0U);
    ASSERT_EQ(found[n].cuts.size(), expected[n].cuts.size()) << "variable " << n;
    for (std::size_t cut = 0; cut < expected[n].cuts.size(); ++cut)
      EXPECT_NEAR(found[n].cuts[cut].theta, expected[n].cuts[cut].theta, 1e-6);
  }
}

Surface both(Surface one, const Surface& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

Surface inside_out(Surface surface) {
  for (auto& triangle : surface) std::swap(triangle[1], triangle[2]);
  return surface;
}

/// The triangles in another order, with another corner first, and some of them turned over.
Surface disordered(Surface surface, unsigned seed, bool turns_some) {
  std::mt19937 random(seed);
  std::ranges::shuffle(surface, random);
  for (auto& triangle : surface) {
    std::ranges::rotate(triangle, triangle.begin() + random() % 3);
    if (turns_some && random() % 2 == 0) std::swap(triangle[1], triangle[2]);
  }
  return surface;
}

/// A surface outwards as the shapes of surfaces.hpp are not all.
Surface outwards(const Corner& low, const Corner& high) {
  Surface surface = block(low, high);
  const Corner middle{(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2};
  for (auto& [a, b, c] : surface) {
    double outward = 0;
    for (std::size_t n = 0; n < 3; ++n) {
      const std::size_t p = (n + 1) % 3;
      const std::size_t q = (n + 2) % 3;
      outward +=
          (a[n] - middle[n]) * ((b[p] - a[p]) * (c[q] - a[q]) - (b[q] - a[q]) * (c[p] - a[p]));
    }
    if (outward < 0) std::swap(b, c);
  }
  return surface;
}

TEST(StlShells, on_points_of_the_grid_are_closed_like_other_shapes) {
  struct Corners {
    Corner low, high;
  };
  // On centres of cells along all axes, on faces, and on both.
  for (const auto& [low, high] : {Corners{{3.5, 0.25, 2.125}, {8.5, 3.25, 4.125}},
                                  Corners{{3, 0, 2}, {8, 3, 4}},
                                  Corners{{3.5, 0, 2.125}, {8, 3.25, 4}}}) {
    const Case as_box = staggered_case(box_key("it", low, high), boundaries_with_walls, eighths);
    for (unsigned seed = 0; seed < 3; ++seed) {
      for (const bool is_binary : {false, true}) {
        const Surface surface = disordered(block(low, high), seed, seed > 0);
        const SurfaceFile file("closed", is_binary ? binary_stl(surface) : text_stl(surface));
        expect_same(with_file(file.path()), as_box);
      }
    }
  }
}

/// Places that single precision does not have, and round-off of turns.
TEST(StlShells, are_on_points_up_to_the_precision_of_the_file) {
  const std::string tenths = "{points: [11, 13, 17], length: [1.1, 1.3, 1.7]}";
  const Corner low{0.2, 0.3, 0.6};
  const Corner high{0.8, 0.9, 1.1};
  // The shape as large as points on it within round-off are taken for.
  const Case as_box = staggered_case(box_key("it",
                                             {low[0] - 1e-9, low[1] - 1e-9, low[2] - 1e-9},
                                             {high[0] + 1e-9, high[1] + 1e-9, high[2] + 1e-9}),
                                     boundaries_with_walls,
                                     tenths);
  const auto with = [&](const std::string& path, const std::string& more) {
    return staggered_case(
        "  it: {shape: stl, path: " + path + more + "}", boundaries_with_walls, tenths);
  };
  const SurfaceFile plain("plain", binary_stl(block(low, high)));
  expect_same(with(plain.path(), ""), as_box);
  // A quarter turn about z takes (x, y) to (-y, x); millimetres.
  const SurfaceFile turned("turned", binary_stl(block({300, -800, 600}, {900, -200, 1100})));
  expect_same(with(turned.path(), ", scale: 0.001, orientation: [0, 0, 90]"), as_box);
}

TEST(StlShells, that_overlap_make_a_union_however_they_are_turned) {
  const Corner low_a{2.1, -0.6, 1.7};
  const Corner high_a{7.2, 2.6, 4.4};
  struct Corners {
    Corner low, high;
  };
  for (const auto& [low, high] :
       {Corners{{5.1, 0.4, 2.3}, {10.3, 4.6, 5.2}},     // across a corner
        Corners{{5.1, -0.6, 1.7}, {10.3, 2.6, 4.4}},    // with the same sides
        Corners{{2.1, -0.6, 1.7}, {7.2, 2.6, 5.2}},     // on the same base, whose edges are shared
        Corners{{7.2, -0.6, 1.7}, {10.3, 2.6, 4.4}},    // face to face
        Corners{{7.2, 2.6, 1.7}, {10.3, 4.6, 4.4}}}) {  // edge to edge
    const Case as_boxes = staggered_case(
        box_key("a", low_a, high_a) + box_key("b", low, high), boundaries_with_walls, eighths);
    const Surface one = outwards(low_a, high_a);
    const Surface other = outwards(low, high);
    const bool share_edges = low == low_a;
    for (const Surface& surface :
         {both(one, other), inside_out(both(one, other)), disordered(both(one, other), 7, false)}) {
      const SurfaceFile file("union", text_stl(surface));
      expect_same(with_file(file.path()), as_boxes);
    }
    if (share_edges) continue;  // the turns alone tell which triangles belong together there
    for (const Surface& surface :
         {both(inside_out(one), other), disordered(both(one, other), 5, true)}) {
      const SurfaceFile file("turned_union", text_stl(surface));
      expect_same(with_file(file.path()), as_boxes);
    }
  }
}

/// Work for each pair of triangles at an edge, or of corners at the same height, took minutes.
TEST(StlShells, that_coincide_are_one_body_within_seconds) {
  const Corner low{3.5, 0.25, 2.125};
  const Corner high{8.5, 3.25, 4.125};
  const Case as_box = staggered_case(box_key("it", low, high), boundaries_with_walls, eighths);
  const Surface once = outwards(low, high);
  for (const int times : {2, 3, 4, 8000}) {
    Surface surface;
    for (int n = 0; n < times; ++n) surface.insert(surface.end(), once.begin(), once.end());
    const SurfaceFile file("coincident", binary_stl(surface));
    const auto start = std::chrono::steady_clock::now();
    expect_same(with_file(file.path()), as_box);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  }
}

TEST(StlShells, within_others_are_cavities_however_they_are_turned) {
  const Surface outer = outwards({2.1, -1.3, 1.4}, {11.2, 5.6, 6.1});
  const Corner low{4.1, 0.3, 2.3};
  const Corner high{9.2, 3.6, 5.1};
  const Surface inner = outwards(low, high);
  const Surface island = outwards({5.1, 1.3, 2.8}, {8.2, 2.6, 4.2});
  const auto as_formula = [&](const std::string& inside) {
    return staggered_case(
        "  it: {shape: formula, surface: \"" + inside + "\"}", boundaries_with_walls, eighths);
  };
  const auto in_box = [](const Corner& from, const Corner& to) {
    return fmt::format("max(max(max({}-x, x-{}), max({}-y, y-{})), max({}-z, z-{}))",
                       from[0],
                       to[0],
                       from[1],
                       to[1],
                       from[2],
                       to[2]);
  };
  const std::string solid = in_box({2.1, -1.3, 1.4}, {11.2, 5.6, 6.1});
  const std::string hollow = fmt::format("max({}, -{})", solid, in_box(low, high));
  const std::string with_island =
      fmt::format("min({}, {})", hollow, in_box({5.1, 1.3, 2.8}, {8.2, 2.6, 4.2}));
  const auto expect = [&](const Surface& surface, const std::string& formula) {
    const SurfaceFile file("nested", text_stl(surface));
    expect_same(with_file(file.path()), as_formula(formula));
  };
  expect(both(outer, inner), hollow);
  expect(both(outer, inside_out(inner)), hollow);
  expect(inside_out(both(outer, inside_out(inner))), hollow);
  expect(disordered(both(outer, inner), 3, true), hollow);
  expect(both(both(outer, inside_out(inner)), island), with_island);
}

/// A tunnel that ends on faces of its block is open there.
/// A prism along z of many sides, outwards.
Surface prism(int sides, double radius, double low, double high) {
  const auto at = [&](int side, double z) {
    const double turn = 2 * std::numbers::pi * side / sides;
    return Corner{6.5 + radius * std::cos(turn), 2.25 + radius * std::sin(turn), z};
  };
  Surface surface;
  for (int n = 0; n < sides; ++n) {
    surface.push_back({at(n, low), at(n + 1, low), at(n + 1, high)});
    surface.push_back({at(n, low), at(n + 1, high), at(n, high)});
    surface.push_back({Corner{6.5, 2.25, low}, at(n + 1, low), at(n, low)});
    surface.push_back({Corner{6.5, 2.25, high}, at(n, high), at(n + 1, high)});
  }
  return surface;
}

/// All corners of such bodies are at two heights.
TEST(StlShells, within_others_of_many_triangles_are_found_within_seconds) {
  const Surface ring = both(prism(30000, 3.1, 1.6, 5.6), prism(30000, 1.3, 2.2, 5.1));
  const SurfaceFile file("ring", binary_stl(ring));
  const Case as_formula = staggered_case(
      "  it: {shape: formula, surface: \"max(max(max(sqrt((x-6.5)^2 + (y-2.25)^2) - 3.1, 1.6-z), "
      "z-5.6),"
      " -max(max(sqrt((x-6.5)^2 + (y-2.25)^2) - 1.3, 2.2-z), z-5.1))\"}",
      boundaries_with_walls,
      eighths);
  const auto start = std::chrono::steady_clock::now();
  expect_same(with_file(file.path()), as_formula);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(StlShells, a_cavity_may_end_on_the_surface) {
  const Surface surface =
      both(outwards({3, -1, 2}, {9, 5, 6}), inside_out(outwards({3, 1, 3}, {9, 3, 5})));
  const SurfaceFile file("tunnel", text_stl(surface));
  const Case resolved = with_file(file.path());
  const std::vector<SolidPoints> found = points_of(resolved);
  for (int i = 3; i <= 9; ++i) EXPECT_EQ(found[0].body_at({i, 8, 12}), no_body) << i;
  for (int i = 3; i <= 9; ++i) EXPECT_NE(found[0].body_at({i, 3, 12}), no_body) << i;
}

std::string message_about(const Case& resolved) {
  return message_of<CaseError>([&] { return points_of(resolved); });
}

TEST(StlShells, of_another_unit_are_refused_at_once_with_the_unit) {
  using std::chrono::steady_clock;
  const Surface surface = icosphere(5, {6500, 2250, 3875}, 1000);  // 20480 triangles
  const SurfaceFile file("millimetres", binary_stl(surface));
  for (const std::string& boundaries : {all_periodic, boundaries_with_walls}) {
    const auto start = steady_clock::now();
    const std::string message = message_about(with_file(file.path(), boundaries));
    EXPECT_LT(steady_clock::now() - start, std::chrono::seconds(5));
    EXPECT_TRUE(message.starts_with("solids.it: " + file.path() +
                                    " reaches from (5500, 1250, 2875)"
                                    " to (7500, 3250, 4875), the box from (0, -2, 1) to "
                                    "(13, 6.5, 6.75): "))
        << message;
    EXPECT_TRUE(
        message.ends_with("; a file in millimetres in a box in metres: scale: 0.001 makes "
                          "it 2 x 2 x 2"))
        << message;
  }
  EXPECT_NE(message_about(with_file(file.path(), all_periodic)).find("it fills the box"),
            std::string::npos);
  EXPECT_EQ(message_about(with_file(file.path(), all_periodic, ", scale: 0.001")), "");
  // Metres in a box of millimetres, so far off that no point is met.
  const SurfaceFile small("metres", binary_stl(icosphere(2, {0.0065, 0.0022, 0.0038}, 0.002)));
  const std::string message = message_about(with_file(small.path(), all_periodic));
  EXPECT_NE(message.find("holds no point of the grid"), std::string::npos) << message;
  EXPECT_TRUE(
      message.ends_with("; a file in metres in a box in millimetres: scale: 1000 makes it "
                        "4 x 4 x 4"))
      << message;
}

TEST(StlShells, of_any_scale_are_refused_at_once) {
  const SurfaceFile file("scaled", binary_stl(icosphere(3, {6.5, 2.25, 3.875}, 1)));
  for (const char* scale : {"1e3", "1e9", "1e200", "1e308", "1e-9", "1e-300"}) {
    for (const std::string& boundaries : {all_periodic, boundaries_with_walls})
      EXPECT_NE(
          message_about(with_file(file.path(), boundaries, fmt::format(", scale: {}", scale))), "")
          << scale;
  }
  for (const char* along : {"1e9", "-1e30", "1e300"}) {
    EXPECT_NE(message_about(with_file(
                  file.path(), all_periodic, fmt::format(", translation: [{}, 0, 0]", along))),
              "")
        << along;
  }
}

}  // namespace
}  // namespace dns::testing::test_stl_shells
