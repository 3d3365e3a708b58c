/// Inflow from recorded planes, against the functions that were recorded.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "solver/core/error.hpp"
#include "solver/core/reduction.hpp"
#include "solver/face_values/face_points.hpp"
#include "solver/face_values/recorded_inflow.hpp"
#include "solver/grid/case_grid.hpp"
#include "tests/face_values/recorded_planes.hpp"
#include "tests/message_of.hpp"
#include "tests/output/output_testing.hpp"

namespace dns::test_recorded_inflow {
namespace {

using std::numbers::pi;

/// A box with y between walls and z periodic.
Case box(int ny, int nz) {
  Case resolved = parse_case(fmt::format(R"yaml(
scheme: projection
grid: {{points: [6, {}, {}], length: [1, 2, 1.5], stretching: {{y: {{type: tanh, factor: 1.3}}}}}}
fluid: {{reynolds: 100, prandtl: 1}}
boundaries:
  x_min: {{type: inflow, velocity: [1, 0, 0], temperature: 1}}
  x_max: {{type: outflow}}
  y_min: {{type: wall, temperature: 0}}
  y_max: {{type: wall, temperature: 0}}
  z: periodic
time: {{step: 0.1, steps: 1}}
)yaml",
                                         ny,
                                         nz),
                             "test.yaml",
                             {});
  resolved.output.planes = PlanesCase{.every = 10,
                                      .precision = Precision::double_precision,
                                      .planes = {{.name = "inlet", .axis = 0, .at = 0.5}}};
  return resolved;
}

double flow(int variable, double y, double z, double t) {
  const double wave = std::cos(2 * pi * z / 1.5);
  const std::array<double, 5> values{y * (2 - y) * (1 + 0.2 * wave) + 0.1 * t,
                                     0.3 * std::sin(pi * y) * wave,
                                     0.2 * y * std::sin(2 * pi * z / 1.5) + t,
                                     1 + y + wave,
                                     0};
  return values.at(variable);
}

class RecordedPlanes : public FolderTest {
 protected:
  RecordedInflow recorded(const Case& by,
                          const Case& fed,
                          const std::vector<double>& times,
                          InflowFileCase::Beyond beyond = InflowFileCase::Beyond::repeat) {
    const std::string path = write_planes(folder(), by, times, flow);
    return {{InflowFileCase::Kind::planes, {path, ""}, beyond},
            "boundaries.x_min.velocity",
            face_points(fed, 0),
            ""};
  }
};

/// The points of a variable in the plane, with those of high faces.
std::array<std::vector<double>, 2> points_of(const Case& resolved, int variable) {
  std::array<std::vector<double>, 2> points;
  for (const int axis : {1, 2}) {
    std::vector<double>& along = points.at(axis - 1);
    along = variable == axis ? face_coordinates(resolved.grid, axis)
                             : point_coordinates(resolved, axis, variable);
  }
  return points;
}

/// The largest difference from the flow at time t; NaN where a value is.
double error_of(RecordedInflow& inflow, const Case& fed, int variable, double t, double t_of_flow) {
  const auto [first, second] = points_of(fed, variable);
  const std::vector<double> values = inflow.at(variable, first, second, t);
  double error = 0;
  std::size_t n = 0;
  for (const double z : second) {
    for (const double y : first)
      error = larger_or_nan(error, std::abs(values.at(n++) - flow(variable, y, z, t_of_flow)));
  }
  return error;
}

TEST_F(RecordedPlanes, are_exact_at_their_points_and_linear_in_time) {
  const Case fed = box(9, 7);
  RecordedInflow inflow = recorded(box(9, 7), fed, {3, 3.5, 4.5, 5});
  for (int variable = 0; variable < 3; ++variable) {
    for (const auto& [t, of_flow] : std::vector<std::array<double, 2>>{
             {0, 3}, {0.2, 3.2}, {0.5, 3.5}, {1.1, 4.1}, {1.5, 4.5}, {1.75, 4.75}, {2, 5}})
      EXPECT_LT(error_of(inflow, fed, variable, t, of_flow), 1e-14) << variable << " " << t;
  }
}

/// The last record is of the same moment as the first: here they differ, and the values go from the
/// last one to the second.
TEST_F(RecordedPlanes, repeat_after_the_time_from_the_first_to_the_last) {
  const Case fed = box(9, 7);
  RecordedInflow inflow = recorded(box(9, 7), fed, {3, 3.5, 4.5, 5});
  const double period = 2;
  EXPECT_LT(error_of(inflow, fed, 2, period, 5), 1e-13);
  EXPECT_LT(error_of(inflow, fed, 2, period + 0.2, 5 + 0.2 / 0.5 * (3.5 - 5)), 1e-13);
  EXPECT_LT(error_of(inflow, fed, 2, period + 0.5, 3.5), 1e-13);
  EXPECT_LT(error_of(inflow, fed, 2, 7 * period + 1.75, 4.75), 1e-12);
  EXPECT_LT(error_of(inflow, fed, 2, 8 * period, 5), 1e-12);
  EXPECT_EQ(inflow.end(), std::numeric_limits<double>::infinity());
}

/// Through several periods in steps shorter and longer than the distance of records.
TEST_F(RecordedPlanes, read_ahead_are_the_same_bits) {
  const Case fed = box(8, 6);
  RecordedInflow alone = recorded(box(9, 7), fed, {3, 3.5, 4.5, 5});
  RecordedInflow ahead = recorded(box(9, 7), fed, {3, 3.5, 4.5, 5});
  double t = 0;
  for (int n = 0; n < 60; ++n) {
    const double dt = n % 10 < 8 ? 0.07 : 0.9;
    for (int variable = 0; variable < 3; ++variable) {
      const auto [first, second] = points_of(fed, variable);
      ASSERT_EQ(ahead.at(variable, first, second, t), alone.at(variable, first, second, t))
          << variable << " " << t;
    }
    ahead.prepare(t + dt);
    t += dt;
  }
}

TEST_F(RecordedPlanes, of_one_moment_are_held) {
  const Case fed = box(9, 7);
  RecordedInflow inflow = recorded(box(9, 7), fed, {3});
  for (const double t : {0.0, 0.3, 17.0}) EXPECT_LT(error_of(inflow, fed, 2, t, 3), 1e-14);
}

TEST_F(RecordedPlanes, are_held_or_end) {
  const Case fed = box(9, 7);
  RecordedInflow held = recorded(box(9, 7), fed, {3, 3.5, 4.5}, InflowFileCase::Beyond::hold);
  EXPECT_LT(error_of(held, fed, 2, 99, 4.5), 1e-14);
  EXPECT_EQ(held.end(), std::numeric_limits<double>::infinity());
  RecordedInflow ending = recorded(box(9, 7), fed, {3, 3.5, 4.5}, InflowFileCase::Beyond::stop);
  EXPECT_EQ(ending.end(), 1.5);
}

TEST_F(RecordedPlanes, of_another_grid_have_second_order_and_the_same_flux) {
  const Case fed = box(23, 14);
  const FacePoints face = face_points(fed, 0);
  PerAxis<std::vector<double>> errors;
  for (const int n : {16, 64}) {
    RecordedInflow inflow = recorded(box(n, n - 3), fed, {3, 3.5});
    for (int variable = 0; variable < 3; ++variable)
      errors[variable].push_back(error_of(inflow, fed, variable, 0.25, 3.25));
    const FacePoints own = face_points(box(n, n - 3), 0);
    std::vector<double> recorded_values;
    for (const double z : own.axes[1].points) {
      for (const double y : own.axes[0].points) recorded_values.push_back(flow(0, y, z, 3.25));
    }
    EXPECT_NEAR(face.mean(inflow.at(0, face.axes[0].points, face.axes[1].points, 0.25)),
                own.mean(recorded_values),
                1e-13);
  }
  for (const std::size_t along : {1U, 2U}) {
    const std::vector<double>& error = errors[along];
    EXPECT_GT(std::log(error[0] / error[1]) / std::log(4), 1.7) << along << " " << error[0];
  }
  // The sums over the cells of the face and of the record differ by the coarser of the two.
  EXPECT_LT(errors[0][0], 0.01);
  EXPECT_LT(errors[0][1], 0.002);
}

TEST_F(RecordedPlanes, that_do_not_fit_are_refused) {
  const std::string path = write_planes(folder(), box(9, 7), {0, 1}, flow);
  const auto message_with = [&](const Case& fed, int face) {
    return message_of<CaseError>([&] {
      RecordedInflow(
          {InflowFileCase::Kind::planes, {path, ""}, {}}, "KEY", face_points(fed, face), "");
    });
  };
  EXPECT_EQ(message_with(box(9, 7), 0), "");
  EXPECT_EQ(message_with(box(12, 5), 1), "");
  EXPECT_EQ(message_with(box(9, 7), 2),
            "KEY: " + path + ": its planes are normal to x, but the face to y");
  Case longer = box(9, 7);
  longer.grid.length[2] = 1.6;
  EXPECT_EQ(
      message_with(longer, 0),
      "KEY: " + path + ": its planes lie between z = 0 and 1.5, but the face between 0 and 1.6");
  EXPECT_THROW(RecordedInflow({InflowFileCase::Kind::planes, {in_folder("none.h5"), ""}, {}},
                              "KEY",
                              face_points(box(9, 7), 0),
                              ""),
               IoError);
}

TEST_F(RecordedPlanes, without_temperature_give_none) {
  Case cold = box(9, 7);
  cold.fluid.prandtl = 0;
  const std::string path = write_planes(folder(), cold, {0, 1}, flow);
  EXPECT_THROW(RecordedInflow({InflowFileCase::Kind::planes, {path, ""}, {}},
                              "KEY",
                              face_points(box(9, 7), 0),
                              "temperature"),
               CaseError);
}

}  // namespace
}  // namespace dns::test_recorded_inflow
