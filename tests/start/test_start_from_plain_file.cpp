/// A flow that starts from datasets that somebody else wrote.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "solver/core/error.hpp"
#include "solver/files/hdf5_file.hpp"
#include "solver/start/start_in_words.hpp"
#include "tests/compare_states.hpp"
#include "tests/start/start_files.hpp"

namespace dns::testing::test_start_from_plain_file {
namespace {

using Places = PerAxis<std::vector<double>>;

/// Values are given on all faces but those across x, as they are in the flow at t = 0.
const FormulaFlow smooth{Expression("sin(2*pi*x/3)*cos(1.3*y)*exp(0.5*z)"),
                         Expression("cos(2*pi*x/3)*sin(2*y+0.3)*cos(z)"),
                         Expression("sin(2*pi*x/3+1)*exp(-y)*sin(1.7*z)"),
                         Expression("2+cos(2*pi*x/3)*sin(y)*exp(z)")};

Case box(const std::string& scheme, const std::string& points) {
  const std::string face =
      fmt::format(R"({{type: inflow, velocity: ["{}", "{}", "{}"], temperature: "{}"}})",
                  smooth[0].text(),
                  smooth[1].text(),
                  smooth[2].text(),
                  smooth[3].text());
  return parse_case(fmt::format(R"yaml(
scheme: {0}
grid: {{points: {1}, length: [3, 1, 2], origin: [-1, 0.2, 0.4]}}
fluid: {{reynolds: 10, prandtl: 1}}
boundaries: {{x: periodic, y_min: {2}, y_max: {2}, z_min: {2}, z_max: {2}}}
time: {{step: 0.01, steps: 3}}
)yaml",
                                scheme,
                                points,
                                face),
                    "box.yaml",
                    {});
}

/// n points of a line: centres of equal cells that are shifted a little, so that cells differ.
std::vector<double> uneven_centres(double low, double length, int n) {
  std::vector<double> places;
  for (int i = 0; i < n; ++i) {
    const double s = (i + 0.5) / n;
    places.push_back(low + length * (s + 0.05 * std::sin(2 * M_PI * s)));
  }
  return places;
}

Places uneven_places(int nx, int ny, int nz) {
  return {uneven_centres(-1, 3, nx), uneven_centres(0.2, 1, ny), uneven_centres(0.4, 2, nz)};
}

std::vector<double> faces_between(const std::vector<double>& centres, double low, double high) {
  std::vector<double> faces{low};
  for (std::size_t n = 1; n < centres.size(); ++n)
    faces.push_back((centres[n - 1] + centres[n]) / 2);
  faces.push_back(high);
  return faces;
}

double largest_error(const Case& target, const FlowState& state) {
  double error = 0;
  EXPECT_EQ(state.fields.size(), 4U);
  for (int variable = 0; variable < 4; ++variable) {
    const HostField exact = field_of_formula(target, smooth, variable, variable, 0, false);
    const auto values = state.fields.at(variable).values<double>();
    const auto wanted = exact.values<double>();
    EXPECT_EQ(values.size(), wanted.size());
    for (std::size_t n = 0; n < values.size(); ++n) {
      const double here = std::abs(values[n] - wanted[n]);
      if (!(here <= error)) error = here;  // NaN too
    }
  }
  return error;
}

class StartFromPlainFile : public StartFiles {
 protected:
  void SetUp() override {
    StartFiles::SetUp();
    path = in_folder("own.h5");
    begin_anew();
  }

  void add(const std::string& name,
           const std::vector<hsize_t>& shape,
           const std::vector<double>& values,
           Precision precision = Precision::double_precision) {
    DatasetWriter dataset = file->create_dataset(name, {.shape = shape, .precision = precision});
    if (precision == Precision::double_precision) {
      dataset.append(shape[0], values.data());
    } else {
      const std::vector<float> floats(values.begin(), values.end());
      dataset.append(shape[0], floats.data());
    }
    dataset.close();
  }
  void add_list(const std::string& name, const std::vector<double>& values) {
    add(name, {values.size()}, values);
  }
  void add_coordinates(const Places& at) {
    add_list("x", at[0]);
    add_list("y", at[1]);
    add_list("z", at[2]);
  }

  /// Some variables side by side at these places: (nz, ny, nx[, variables]).
  void add_values(const std::string& name,
                  const std::vector<int>& variables,
                  const Places& at,
                  Precision precision = Precision::double_precision) {
    std::vector<double> values;
    for (const double z : at[2]) {
      for (const double y : at[1]) {
        for (const double x : at[0]) {
          for (const int variable : variables) values.push_back(smooth.at(variable)(x, y, z, 0));
        }
      }
    }
    std::vector<hsize_t> shape{at[2].size(), at[1].size(), at[0].size()};
    if (variables.size() > 1) shape.push_back(variables.size());
    add(name, shape, values, precision);
  }
  void add_centres(const Places& at, Precision precision = Precision::double_precision) {
    add_values("velocity", {0, 1, 2}, at, precision);
    add_values("temperature", {3}, at, precision);
  }
  /// Velocities at faces; without the last one along x, which repeats the first.
  void add_faces(const Places& at, const Places& faces) {
    for (int axis = 0; axis < 3; ++axis) {
      Places here = at;
      here[axis] = faces[axis];
      if (axis == 0) here[0].pop_back();
      add_values("velocity_" + axis_name(static_cast<int>(axis)), {static_cast<int>(axis)}, here);
    }
    add_values("temperature", {3}, at);
  }

  FlowState start(const Case& target) {
    file.reset();
    return started(target, path);
  }
  std::string message_of(const Case& target) {
    try {
      start(target);
    } catch (const CaseError& error) {
      return error.what();
    } catch (const IoError& error) {
      return std::string("IoError: ") + error.what();
    }
    return "";
  }
  void begin_anew() {
    file.reset();
    file.emplace(Hdf5File::create(path, Hdf5Format::compatible));
  }

  std::string path;
  std::optional<Hdf5File> file;
};

TEST_F(StartFromPlainFile, converges_with_order_four_from_centres_and_faces_in_both_schemes) {
  for (const char* const scheme : {"projection", "splitting"}) {
    for (const bool has_faces : {false, true}) {
      SCOPED_TRACE(fmt::format("{}, {}", scheme, has_faces ? "faces" : "centres"));
      const Case target = box(scheme, "[22, 17, 19]");
      const auto error = [&](int nx, int ny, int nz) {
        begin_anew();
        const Places at = uneven_places(nx, ny, nz);
        add_coordinates(at);
        if (has_faces) {
          const Places faces{faces_between(at[0], -1, 2),
                             faces_between(at[1], 0.2, 1.2),
                             faces_between(at[2], 0.4, 2.4)};
          for (int axis = 0; axis < 3; ++axis)
            add_list(axis_name(static_cast<int>(axis)) + "_faces", faces[axis]);
          add_faces(at, faces);
        } else {
          add_centres(at);
        }
        return largest_error(target, start(target));
      };
      const double coarse = error(17, 13, 15);
      const double fine = error(34, 26, 30);
      EXPECT_LT(coarse, 0.02);
      EXPECT_GT(std::log2(coarse / fine), 3.5) << coarse << " " << fine;
    }
  }
}

TEST_F(StartFromPlainFile, takes_points_on_the_boundaries_as_they_are) {
  // Equal distances along y and z from wall to wall; every second node of the target has its value.
  const Case target = box("splitting", "[12, 9, 9]");
  Places at;
  for (int n = 0; n < 12; ++n) at[0].push_back(-1 + 0.25 * n);
  for (int n = 0; n < 5; ++n) {
    at[1].push_back(0.2 + 0.25 * n);
    at[2].push_back(0.4 + 0.5 * n);
  }
  add_coordinates(at);
  add_centres(at);
  const FlowState state = start(target);
  const HostField exact = field_of_formula(target, smooth, 0, 0, 0, false);
  for (std::size_t k = 0; k < 9; k += 2) {
    for (std::size_t j = 0; j < 9; j += 2) {
      const std::size_t n = (k * 9 + j) * 12 + 5;
      EXPECT_NEAR(state.fields[0].values<double>()[n], exact.values<double>()[n], 1e-15);
    }
  }
}

TEST_F(StartFromPlainFile, has_the_grid_of_the_case_where_it_has_no_coordinates) {
  for (const char* const scheme : {"projection", "splitting"}) {
    const Case target = box(scheme, "[8, 7, 5]");
    const Places at{
        point_coordinates(target, 0), point_coordinates(target, 1), point_coordinates(target, 2)};
    begin_anew();
    add_centres(at);
    const FlowState plain = start(target);
    Case written = target;
    written.output.fields.precision = Precision::double_precision;
    EXPECT_TRUE(same_bits(plain, started(target, snapshot_of(written, smooth))));
    begin_anew();
    add_coordinates(at);
    add_centres(at);
    EXPECT_TRUE(same_bits(plain, start(target)));
  }
}

TEST_F(StartFromPlainFile, takes_values_at_the_faces_of_the_case_as_they_are) {
  const Case target = box("projection", "[8, 7, 5]");
  Places at;
  Places faces;
  for (int axis = 0; axis < 3; ++axis) {
    at[axis] = point_coordinates(target, axis);
    faces[axis] = face_coordinates(target.grid, axis);
  }
  add_faces(at, faces);
  EXPECT_EQ(largest_error(target, start(target)), 0);
}

TEST_F(StartFromPlainFile, from_floats_differs_by_their_round_off) {
  const Case target = box("projection", "[12, 9, 11]");
  const Places at = uneven_places(11, 13, 10);
  add_coordinates(at);
  add_centres(at);
  const FlowState doubles = start(target);
  begin_anew();
  add_coordinates(at);
  add_centres(at, Precision::single_precision);
  const FlowState floats = start(target);
  double largest = 0;
  for (std::size_t field = 0; field < 4; ++field) {
    const auto a = doubles.fields.at(field).values<double>();
    const auto b = floats.fields.at(field).values<double>();
    for (std::size_t n = 0; n < a.size(); ++n) largest = std::max(largest, std::abs(a[n] - b[n]));
  }
  EXPECT_GT(largest, 0);
  EXPECT_LT(largest, 1e-5);  // values up to 8, weights of cubic interpolation sum up to about 2
}

TEST_F(StartFromPlainFile, is_the_same_for_slabs) {
  const Case target = box("projection", "[12, 9, 11]");
  const Places at = uneven_places(11, 13, 10);
  add_coordinates(at);
  add_centres(at);
  const FlowState whole = start(target);
  Case from_file = target;
  from_file.initial.file = path;
  const Subdomain all = whole_box(target);
  for (int n = 0; n < 3; ++n) {
    const Subdomain slab = all.slab(n, 3);
    const FlowState part = initial_state(from_file, slab);
    for (std::size_t field = 0; field < 4; ++field) {
      const auto values = part.fields.at(field).values<double>();
      const auto wanted = whole.fields.at(field).values<double>().subspan(
          static_cast<std::size_t>(slab.part.begin.k) * 12 * 9, values.size());
      EXPECT_TRUE(std::ranges::equal(values, wanted));
    }
  }
}

TEST_F(StartFromPlainFile, says_what_it_takes_and_what_it_leaves) {
  Case target = box("projection", "[12, 9, 11]");
  target.initial.file = path;
  const Places at = uneven_places(11, 13, 10);
  add_coordinates(at);
  add_values("velocity", {0, 1, 2}, at);
  add_values("temprature", {3}, at);
  file.reset();
  EXPECT_EQ(start_in_words(target),
            (std::vector<std::string>{
                "file " + path + ": datasets velocity",
                "11 x 13 x 10 points interpolated to 12 x 9 x 11 cells (cubic); divergence removed",
                "temperature from initial.temperature: the file has none",
                "its dataset temprature is left out"}));
}

TEST_F(StartFromPlainFile, names_dataset_shape_and_rule_of_what_does_not_fit) {
  const Case target = box("projection", "[8, 7, 5]");
  const std::string begin = "initial.path: " + path;
  const Places own{
      point_coordinates(target, 0), point_coordinates(target, 1), point_coordinates(target, 2)};
  EXPECT_EQ(message_of(target),
            begin +
                " has no dataset velocity, but must have velocity, (nz, ny, nx, 3) at centres, "
                "or velocity_x, velocity_y and velocity_z, (nz, ny, nx + 1) and so on, at faces");
  begin_anew();
  add_centres({own[2], own[1], own[0]});
  EXPECT_EQ(message_of(target),
            begin +
                ": dataset velocity: its shape is (8, 7, 5, 3), but must be (5, 7, 8, 3): (nz, "
                "ny, nx, 3) by the grid of the case, since the file has no x, y, z; transpose "
                "it: the first axis is z");
  begin_anew();
  add("velocity", {5, 7, 24}, std::vector<double>(5 * 7 * 24));
  EXPECT_EQ(message_of(target),
            begin +
                ": dataset velocity: its shape is (5, 7, 24), but must be (5, 7, 8, 3): (nz, "
                "ny, nx, 3) by the grid of the case, since the file has no x, y, z");
  begin_anew();
  add("velocity", {5, 7}, std::vector<double>(35));
  EXPECT_EQ(message_of(target),
            "IoError: " + begin +
                ": dataset velocity: its shape is (5, 7), but must be (nz, ny, nx) or (nz, ny, nx, "
                "3)");
  begin_anew();
  add_centres(own);
  add_list("x", own[0]);
  EXPECT_EQ(message_of(target),
            begin +
                " has no dataset y, but must have all of the coordinates x, y, z or none of "
                "them");
  begin_anew();
  const Places at = uneven_places(11, 13, 10);
  add_coordinates(at);
  add_values("velocity_x", {0}, at);
  EXPECT_EQ(message_of(target),
            begin +
                " has no dataset x_faces, but must have it beside velocity_x: the 12 "
                "coordinates of the faces across x; or give velocity at centres");
  begin_anew();
  std::vector<double> values(5 * 7 * 8 * 3, 0.5);
  values[((2 * 7 + 3) * 8 + 4) * 3 + 1] = std::numeric_limits<double>::quiet_NaN();
  add("velocity", {5, 7, 8, 3}, values);
  EXPECT_EQ(message_of(target),
            begin + ": dataset velocity: its value at [2, 3, 4] is nan, but must be finite");
}

TEST_F(StartFromPlainFile, refuses_coordinates_that_do_not_fill_the_box) {
  const Case target = box("projection", "[8, 7, 5]");
  const auto message = [&](int axis, const std::vector<double>& coordinates) {
    begin_anew();
    Places at = uneven_places(11, 13, 10);
    at[axis] = coordinates;
    add_coordinates(at);
    add_centres(at);
    return message_of(target);
  };
  const std::string begin = "initial.path: " + path + ": dataset ";
  EXPECT_EQ(message(1, {0.3, 0.5, 0.4, 1.1}),
            begin +
                "y: it has 4 coordinates from 0.3 to 1.1, but must have finite coordinates in "
                "ascending order");
  EXPECT_EQ(message(1, {0.1, 0.5, 0.9, 1.1}),
            begin +
                "y: it has 4 coordinates from 0.1 to 1.1, but must have coordinates in the box "
                "of the case, from 0.2 to 1.2");
  EXPECT_EQ(message(1, {0.6, 0.7, 0.8, 0.9, 1.0, 1.1}),
            begin +
                "y: it has 6 coordinates from 0.6 to 1.1, but must have coordinates that reach "
                "the ends of the box of the case, 0.2 and 1.2, up to one spacing");
  EXPECT_EQ(message(0, {-1, 0, 1, 2}),
            begin +
                "x: it has 4 coordinates from -1 to 2, but must have less than the period 3 "
                "from the first to the last coordinate: leave out the point that repeats the "
                "first");
  EXPECT_EQ(
      message(0, {-1, -0.9, -0.8, -0.7}).substr(0, begin.size() + 40),
      (begin + "x: it has 4 coordinates from -1 to -0.7, but must").substr(0, begin.size() + 40));
}

}  // namespace
}  // namespace dns::testing::test_start_from_plain_file
