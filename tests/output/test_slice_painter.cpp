/// Pictures of planes against exact fields.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <tuple>

#include "output_testing.hpp"
#include "png_reading.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/output/flow_slice.hpp"
#include "solver/output/slice_painter.hpp"

namespace dns::test_slice_painter {
namespace {

using Formula = std::function<double(double x, double y, double z)>;

template <class Real>
void fill(HostField& field, const Case& resolved, const Formula& formula) {
  auto value = field.values<Real>().begin();
  for (const double z : point_coordinates(resolved, 2)) {
    for (const double y : point_coordinates(resolved, 1)) {
      for (const double x : point_coordinates(resolved, 0))
        *value++ = static_cast<Real>(formula(x, y, z));
    }
  }
}

/// A flow whose only field has the values of `formula` at the points of a case.
FlowState flow_of(const Case& resolved,
                  std::string_view name,
                  const Formula& formula,
                  Precision precision = Precision::double_precision) {
  FlowState state;
  state.step = 50;
  state.time = 0.1 + 0.2;  // has seventeen digits
  HostField field{std::string(name), resolved.grid.points, precision};
  if (precision == Precision::double_precision) {
    fill<double>(field, resolved, formula);
  } else {
    fill<float>(field, resolved, formula);
  }
  state.fields.push_back(field);
  return state;
}

/// Linear in all coordinates, and so is what is sampled between points.
double slope(double x, double y, double z) {
  return x + 10 * y + 100 * z;
}

SliceCase plane_of(std::string_view variable, int axis, double at) {
  return {.name = "plane",
          .axis = axis,
          .at = at,
          .variable = std::string(variable),
          .low = std::nullopt,
          .high = std::nullopt};
}

/// A picture as those see it who have its file alone.
struct Drawn {
  ReadPicture picture;
  nlohmann::ordered_json facts;

  explicit Drawn(const SlicePicture& slice)
      : picture(read_png(slice.png)),
        facts(nlohmann::ordered_json::parse(texts_of_png(slice.png).at("dns"))) {}
  [[nodiscard]] double number(const char* name) const { return facts.at(name); }
};

Drawn drawn(const Case& resolved, const FlowState& state, const SliceCase& plane) {
  constexpr int pixels = 70;
  return Drawn(
      SlicePainter(resolved, {.every = 1, .pixels = pixels, .planes = {plane}}).draw(state).at(0));
}

/// Rounding of the value may move a colour by one.
void expect_colour(Colour colour, Colour expected) {
  for (std::size_t channel = 0; channel < 3; ++channel)
    ASSERT_LE(std::abs(int{colour.at(channel)} - int{expected.at(channel)}), 1);
}

/// A box of nodes with walls all around: the outermost nodes are on the walls.
Case box() {
  Case resolved = known_case("");
  for (FaceCase& face : resolved.faces) face.kind = FaceKind::wall;
  return resolved;
}

class PictureOfAPlane : public testing::TestWithParam<std::tuple<int, Precision>> {};

TEST_P(PictureOfAPlane, has_the_colours_of_the_field_at_their_places) {
  const auto [axis, precision] = GetParam();
  const Case resolved = box();
  const PerAxis<int> right_axes = {2, 0, 0};
  const PerAxis<int> up_axes = {1, 2, 1};
  const auto normal = static_cast<std::size_t>(axis);
  const auto right = static_cast<std::size_t>(right_axes[normal]);
  const auto up = static_cast<std::size_t>(up_axes[normal]);
  const auto& [origin, length] = std::tie(resolved.grid.origin, resolved.grid.length);
  SliceCase plane = plane_of(temperature_name, axis, origin[normal] + 0.3 * length[normal]);
  plane.low = 900;
  plane.high = 1200;
  const ReadPicture picture =
      drawn(resolved, flow_of(resolved, temperature_name, slope, precision), plane).picture;

  const double pixels_per_length = 70 / std::max(length[right], length[up]);
  const auto width = static_cast<int>(length[right] * pixels_per_length);
  const auto height = static_cast<int>(length[up] * pixels_per_length);
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      PerAxis<double> place{};
      place[normal] = plane.at;
      place[right] = origin[right] + (column + 0.5) / pixels_per_length;
      place[up] = origin[up] + (height - row - 0.5) / pixels_per_length;
      const double exact = slope(place[0], place[1], place[2]);
      ASSERT_NO_FATAL_FAILURE(expect_colour(picture.at(column, row),
                                            colour_of(ColourMap::sequential, (exact - 900) / 300)))
          << column << ' ' << row;
    }
  }
  EXPECT_EQ(picture.width, width);
  EXPECT_EQ(picture.height, height);
}

/// The range that the picture tells is that of the exact values at the centres of its pixels, and
/// with it, its place and the axes, colours become values again.
TEST_P(PictureOfAPlane, tells_variable_place_range_and_time) {
  const auto [axis, precision] = GetParam();
  const Case resolved = box();
  const auto [right, up] = axes_of_picture(resolved, axis);
  const auto& [origin, length] = std::tie(resolved.grid.origin, resolved.grid.length);
  const double at = origin[axis] + 0.3;
  const auto [picture, facts] = drawn(resolved,
                                      flow_of(resolved, temperature_name, slope, precision),
                                      plane_of(temperature_name, axis, at));
  EXPECT_EQ(facts.at("name"), "plane");
  EXPECT_EQ(facts.at("variable"), "temperature");
  EXPECT_EQ(facts.at("unit"), "T0");
  EXPECT_EQ(facts.at("axis"), axis_name(axis));
  EXPECT_EQ(facts.at("at"), at);
  EXPECT_EQ(facts.at("step"), 50);
  EXPECT_EQ(facts.at("time"), 0.1 + 0.2);
  EXPECT_EQ(facts.at("width"), picture.width);
  EXPECT_EQ(facts.at("height"), picture.height);
  PerAxis<double> lowest{};
  PerAxis<double> highest{};
  lowest[axis] = highest[axis] = at;
  for (const auto& [name, number, pixels] :
       {std::tuple{"right", right, picture.width}, std::tuple{"up", up, picture.height}}) {
    const auto a = static_cast<std::size_t>(number);
    EXPECT_EQ(facts.at(name).at("name"), axis_name(number));
    EXPECT_EQ(facts.at(name).at("origin"), origin[a]);
    EXPECT_EQ(facts.at(name).at("length"), length[a]);
    const double half_pixel = length[a] / pixels / 2;
    lowest[a] = origin[a] + half_pixel;
    highest[a] = origin[a] + length[a] - half_pixel;
  }
  const double round_off = precision == Precision::double_precision ? 1e-11 : 1e-3;
  EXPECT_NEAR(facts.at("low"), slope(lowest[0], lowest[1], lowest[2]), round_off);
  EXPECT_NEAR(facts.at("high"), slope(highest[0], highest[1], highest[2]), round_off);
  expect_colour(picture.at(0, picture.height - 1), colour_of(ColourMap::sequential, 0));
  expect_colour(picture.at(picture.width - 1, 0), colour_of(ColourMap::sequential, 1));
}

INSTANTIATE_TEST_SUITE_P(normal_to,
                         PictureOfAPlane,
                         testing::Combine(testing::Values(0, 1, 2),
                                          testing::Values(Precision::double_precision,
                                                          Precision::single_precision)),
                         [](const testing::TestParamInfo<PictureOfAPlane::ParamType>& plane) {
                           return fmt::format("{}_in_{}",
                                              axis_name(std::get<int>(plane.param)),
                                              name_of(std::get<Precision>(plane.param)));
                         });

TEST(SlicePainterTest, a_stretched_grid_does_not_bend_the_picture) {
  const Case resolved = known_case_of_cells("");  // y from -1 to 1, finer towards 1; x from 0 to 7
  SliceCase plane = plane_of(pressure_name, 2, 10.5);
  plane.low = 10;
  plane.high = 20;
  const auto y_alone = [](double, double y, double) { return 15 + y; };
  constexpr int height = 20;  // 70 pixels for length 7
  const auto [picture, facts] = drawn(resolved, flow_of(resolved, pressure_name, y_alone), plane);
  EXPECT_EQ(facts.at("unit"), "U^2");
  EXPECT_EQ(picture.width, 70);
  EXPECT_EQ(picture.height, height);
  for (int row = 0; row < height; ++row) {
    const double y = 1 - (row + 0.5) * 0.1;
    const double held = std::clamp(y, -0.5, 0.9375);  // from the centres next to the walls on
    const double fraction = 0.5 + (15 + held) / plane.high.value() / 2;  // zero is in the middle
    ASSERT_NO_FATAL_FAILURE(
        expect_colour(picture.at(33, row), colour_of(ColourMap::diverging, fraction)))
        << row;
  }
}

TEST(SlicePainterTest, along_a_periodic_axis_the_last_node_is_followed_by_the_first) {
  const Case resolved = known_case("");  // x periodic: nodes 0, 1, .. 6 on length 7
  SliceCase plane = plane_of(temperature_name, 2, 10);
  plane.low = 0;
  plane.high = 6;
  const auto x_alone = [](double x, double, double) { return x; };
  const ReadPicture picture =
      drawn(resolved, flow_of(resolved, temperature_name, x_alone), plane).picture;
  const double x = 6.45;  // of pixel 64 of 70
  expect_colour(picture.at(64, 0), colour_of(ColourMap::sequential, (7 - x)));
}

TEST(SlicePainterTest, the_magnitude_is_that_of_all_three_components) {
  const Case resolved = box();
  FlowState state;
  for (const auto& part : {std::pair{velocity_x_name, 3.0},
                           std::pair{velocity_y_name, -4.0},
                           std::pair{velocity_z_name, 12.0}}) {
    const auto everywhere = [&part](double, double, double) { return part.second; };
    state.fields.push_back(flow_of(resolved, part.first, everywhere).fields[0]);
  }
  const Drawn plane = drawn(resolved, state, plane_of("velocity_magnitude", 0, 3));
  EXPECT_DOUBLE_EQ(plane.number("low"), 13);
  EXPECT_DOUBLE_EQ(plane.number("high"), 13);
  EXPECT_EQ(plane.facts.at("unit"), "U");
}

TEST(SlicePainterTest, velocities_are_grey_at_zero) {
  const Case resolved = box();  // y from -1 to 1: 70 x 20 pixels normal to z
  const SliceCase plane = plane_of(velocity_x_name, 2, 10);
  const auto both_signs = [](double, double y, double) { return y < 0 ? y : 2 * y; };
  const ReadPicture picture =
      drawn(resolved, flow_of(resolved, velocity_x_name, both_signs), plane).picture;
  const double lowest = -0.95;  // in the middle of the last row
  const double highest = 1.9;
  expect_colour(picture.at(0, 0), colour_of(ColourMap::diverging, 1));
  expect_colour(picture.at(0, 19), colour_of(ColourMap::diverging, 0.5 + lowest / highest / 2));
  const auto hardly_negative = [](double, double y, double) { return y + 0.9; };
  const ReadPicture other =
      drawn(resolved, flow_of(resolved, velocity_x_name, hardly_negative), plane).picture;
  const double fraction = 0.5 + (lowest + 0.9) / (0.95 + 0.9) / 2;
  expect_colour(other.at(0, 19), colour_of(ColourMap::diverging, fraction));
}

TEST(SlicePainterTest, a_field_that_is_the_same_everywhere_has_one_colour) {
  const Case resolved = box();
  const auto zero = [](double, double, double) { return 0.0; };
  const Drawn plane =
      drawn(resolved, flow_of(resolved, velocity_x_name, zero), plane_of(velocity_x_name, 1, 0));
  EXPECT_EQ(plane.picture.at(5, 5), colour_of(ColourMap::sequential, 0.5));
}

TEST(SlicePainterTest, colours_follow_the_flow_at_once_outwards_and_slowly_inwards) {
  const Case resolved = box();
  SlicePainter painter(resolved,
                       {.every = 1, .pixels = 16, .planes = {plane_of(temperature_name, 0, 3)}});
  const auto range_of = [&](double low, double high) {
    const double size = high - low;  // y from -1 to 1: the outermost pixels of 16 at -+ 15/16
    const auto y_alone = [&](double, double y, double) {
      return low + size * (y * 16 / 15 + 1) / 2;
    };
    const Drawn plane(painter.draw(flow_of(resolved, temperature_name, y_alone)).at(0));
    return ColourRange{.low = plane.number("low"), .high = plane.number("high")};
  };
  const double tolerance = 1e-12;
  EXPECT_NEAR(range_of(0, 1).high, 1, tolerance);
  const ColourRange slowly = range_of(0.5, 0.6);
  EXPECT_NEAR(slowly.low, 0.05, tolerance);
  EXPECT_NEAR(slowly.high, 0.96, tolerance);
  const ColourRange at_once = range_of(-2, 3);
  EXPECT_NEAR(at_once.low, -2, tolerance);
  EXPECT_NEAR(at_once.high, 3, tolerance);
}

TEST(SlicePainterTest, buoyancy_points_upwards_else_y_does) {
  Case resolved = box();
  const auto axes = [&](int normal) { return axes_of_picture(resolved, normal); };
  EXPECT_EQ(axes(0), (std::array{2, 1}));
  EXPECT_EQ(axes(1), (std::array{0, 2}));
  EXPECT_EQ(axes(2), (std::array{0, 1}));
  resolved.buoyancy = BuoyancyCase{.rayleigh = 1, .richardson = {}, .direction = {0, 0.1, -0.2}};
  EXPECT_EQ(axes(0), (std::array{1, 2}));
  EXPECT_EQ(axes(1), (std::array{0, 2}));
  EXPECT_EQ(axes(2), (std::array{0, 1}));
  resolved.buoyancy->direction = {3, 0, 0};
  EXPECT_EQ(axes(0), (std::array{1, 2}));
  EXPECT_EQ(axes(1), (std::array{2, 0}));
  EXPECT_EQ(axes(2), (std::array{1, 0}));
}

TEST(SlicePainterTest, tells_the_colours_of_equal_parts_of_the_range) {
  const Case resolved = box();
  const Drawn plane =
      drawn(resolved, flow_of(resolved, temperature_name, slope), plane_of(temperature_name, 0, 3));
  const std::string colours = plane.facts.at("colours");
  ASSERT_EQ(colours.size() % 6, 0U);
  const std::size_t parts = colours.size() / 6;
  for (std::size_t part = 0; part < parts; ++part) {
    const auto channel = [&](std::size_t n) {
      return static_cast<std::uint8_t>(std::stoi(colours.substr(6 * part + 2 * n, 2), nullptr, 16));
    };
    const double middle = (static_cast<double>(part) + 0.5) / static_cast<double>(parts);
    ASSERT_NO_FATAL_FAILURE(expect_colour({channel(0), channel(1), channel(2)},
                                          colour_of(ColourMap::sequential, middle)));
  }
}

/// Half of the box is a body: grey, darker beside the flow, and its values have no part in the
/// range.
TEST(SlicePainterTest, bodies_are_grey_with_an_outline) {
  Case resolved = box();
  resolved.solids.emplace_back();
  const double middle = resolved.grid.origin[0] + resolved.grid.length[0] / 2;
  FlowState state = flow_of(
      resolved, temperature_name, [&](double x, double, double) { return x < middle ? 1e6 : 3.0; });
  state.fields.push_back(flow_of(resolved, solid_name, [&](double x, double, double) {
                           return x < middle ? 1.0 : 0.0;
                         }).fields.front());
  const Drawn drawn_plane = drawn(resolved, state, plane_of(temperature_name, 2, 0.3));
  EXPECT_LT(drawn_plane.number("high"), 1e6);
  EXPECT_GE(drawn_plane.number("low"), 3.0);
  const ReadPicture& picture = drawn_plane.picture;
  constexpr Colour grey{190, 190, 190};
  constexpr Colour outline{60, 60, 60};
  EXPECT_EQ(picture.at(2, 2), grey);
  int column = 2;
  while (picture.at(column, 2) == grey) ++column;
  EXPECT_EQ(picture.at(column, 2), outline);
  EXPECT_NE(picture.at(column + 1, 2), outline);
  EXPECT_NE(picture.at(column + 1, 2), grey);
}

TEST(SlicePainterTest, of_a_flow_without_the_variable_is_an_error) {
  const Case resolved = box();
  const auto message = io_error_of([&] {
    drawn(resolved, flow_of(resolved, temperature_name, slope), plane_of(velocity_x_name, 1, 0));
  });
  EXPECT_EQ(message, "the flow to be written has no velocity_x");
}

}  // namespace
}  // namespace dns::test_slice_painter
