/// What snapshots hold besides the flow: velocities at faces, vorticity and Q.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "solver/core/reduction.hpp"
#include "tests/verification/staggered_fields.hpp"

namespace dns::testing::test_derived_fields {
namespace {

using Formulas = PerAxis<std::string>;
using Functions = PerAxis<Function>;

/// A flow whose derivatives are known.
struct KnownFlow {
  Formulas velocity;
  Functions vorticity;
  Function q_criterion;
};

/// Velocity gradients are the same everywhere.
const KnownFlow linear{{"0.5*x+2*y-z", "x-0.2*y+3*z", "-2*x+0.7*y-0.3*z"},
                       {[](double, double, double) { return -2.3; },
                        [](double, double, double) { return 1.0; },
                        [](double, double, double) { return -1.0; }},
                       [](double, double, double) { return -6.29; }};

const KnownFlow quadratic{{"y^2+z", "z^2+x", "x^2+y"},
                          {[](double, double, double z) { return 1 - 2 * z; },
                           [](double x, double, double) { return 1 - 2 * x; },
                           [](double, double y, double) { return 1 - 2 * y; }},
                          [](double x, double y, double z) { return -2 * (x + y + z); }};

/// Arnold, Beltrami and Childress: curl V = V, and no component depends on its own coordinate.
const KnownFlow beltrami{
    {"sin(z)+0.5*cos(y)", "0.7*sin(x)+cos(z)", "0.5*sin(y)+0.7*cos(x)"},
    {[](double, double y, double z) { return std::sin(z) + 0.5 * std::cos(y); },
     [](double x, double, double z) { return 0.7 * std::sin(x) + std::cos(z); },
     [](double x, double y, double) { return 0.5 * std::sin(y) + 0.7 * std::cos(x); }},
    [](double x, double y, double z) {
      return 0.35 * std::sin(y) * std::cos(x) + 0.7 * std::cos(z) * std::sin(x) +
             0.5 * std::sin(z) * std::cos(y);
    }};

/// Taylor-Green in a plane, between planes of symmetry at the multiples of pi.
const KnownFlow vortices{{"sin(x)*cos(y)", "-cos(x)*sin(y)", "0"},
                         {[](double, double, double) { return 0.0; },
                          [](double, double, double) { return 0.0; },
                          [](double x, double y, double) { return 2 * std::sin(x) * std::sin(y); }},
                         [](double x, double y, double) {
                           return std::pow(std::sin(x) * std::sin(y), 2) -
                                  std::pow(std::cos(x) * std::cos(y), 2);
                         }};

std::string list_of(const Formulas& formulas) {
  return fmt::format(R"(["{}"])", fmt::join(formulas, R"(", ")"));
}

const std::string periodic_faces = "{x: periodic, y: periodic, z: periodic}";

/// The velocity given on all faces.
std::string given_faces(const KnownFlow& flow, bool has_temperature) {
  std::string faces;
  for (const char* const face : {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"}) {
    faces += fmt::format("{}{}: {{type: inflow, velocity: {}{}}}",
                         faces.empty() ? "{" : ", ",
                         face,
                         list_of(flow.velocity),
                         has_temperature ? ", temperature: 1" : "");
  }
  return faces + "}";
}

std::string cells_yaml(const std::string& grid, const std::string& faces, const Formulas& start) {
  return fmt::format(R"yaml(
scheme: projection
grid: {{{}}}
fluid: {{reynolds: 100}}
boundaries: {}
initial: {{velocity: {}}}
time: {{step: 0.01, steps: 4}}
output: {{fields: {{location: faces, variables: [velocity, vorticity, q_criterion]}}}}
)yaml",
                     grid,
                     faces,
                     list_of(start));
}

std::string nodes_yaml(const std::string& grid, const std::string& faces, const Formulas& start) {
  return fmt::format(R"yaml(
scheme: splitting
grid: {{{}}}
fluid: {{reynolds: 100, prandtl: 0.7}}
boundaries: {}
initial: {{velocity: {}}}
time: {{step: 0.01, steps: 4}}
output: {{fields: {{variables: [velocity, vorticity, q_criterion]}}}}
)yaml",
                     grid,
                     faces,
                     list_of(start));
}

FlowState snapshot_of(const Simulation& simulation) {
  FlowState state = simulation.allocate_state(CopyPurpose::snapshot);
  simulation.copy_state(state, CopyPurpose::snapshot);
  return state;
}

/// A function at all points of the grid, x fastest.
std::vector<double> at_points(const Case& resolved, const Function& function) {
  std::vector<double> values;
  for (const double z : point_coordinates(resolved, 2)) {
    for (const double y : point_coordinates(resolved, 1)) {
      for (const double x : point_coordinates(resolved, 0)) values.push_back(function(x, y, z));
    }
  }
  return values;
}

/// The largest distance of two lists, NaN if any is.
double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (std::size_t n = 0; n < std::min(a.size(), b.size()); ++n)
    largest = larger_or_nan(largest, std::abs(a[n] - b[n]));
  return largest;
}

/// Those of the vorticity, all components, and of Q.
struct Errors {
  double vorticity, q_criterion;
};

Errors errors_at_the_start(const Case& resolved, const KnownFlow& flow) {
  const FlowState state = snapshot_of(*started(resolved));
  Errors errors{
      0,
      largest_difference(values_of(state, "q_criterion"), at_points(resolved, flow.q_criterion))};
  for (int axis = 0; axis < 3; ++axis) {
    errors.vorticity = larger_or_nan(
        errors.vorticity,
        largest_difference(values_of(state, name_of(derived_fields[0], static_cast<int>(axis))),
                           at_points(resolved, flow.vorticity[axis])));
  }
  return errors;
}

class DerivedFields : public OnEveryTarget {
 protected:
  /// Of derivatives over cells of about 0.1 L and more, of velocities of a few U.
  [[nodiscard]] static double rounding() { return is_double() ? 2e-12 : 1e-3; }

  void expect_exact(const std::string& yaml, const KnownFlow& flow) {
    const Errors errors = errors_at_the_start(case_of(yaml), flow);
    EXPECT_LT(errors.vorticity, rounding());
    EXPECT_LT(errors.q_criterion, 10 * rounding());
  }

  /// Errors are measured where they are largest: beside boundaries too.
  void expect_second_order(const std::string& coarse,
                           const std::string& fine,
                           const KnownFlow& flow) {
    const Errors before = errors_at_the_start(case_of(coarse), flow);
    const Errors after = errors_at_the_start(case_of(fine), flow);
    for (const double order : {order_of(before.vorticity, after.vorticity),
                               order_of(before.q_criterion, after.q_criterion)}) {
      EXPECT_GT(order, 1.75);
      EXPECT_LT(order, 2.4);
    }
  }
};

TEST_P(DerivedFields, of_a_linear_flow_are_exact_in_cells_of_any_widths) {
  expect_exact(cells_yaml("points: [5, 7, 9], length: [1, 1.5, 2], origin: [-0.4, 0.1, 0], "
                          "stretching: {x: {coordinates: [-0.4, -0.1, 0.1, 0.2, 0.4, 0.6]}, "
                          "y: {factor: 1.2}}",
                          given_faces(linear, false),
                          linear.velocity),
               linear);
}

TEST_P(DerivedFields, of_a_quadratic_flow_are_exact_up_to_the_faces_of_uniform_cells) {
  expect_exact(cells_yaml("points: [5, 7, 9], length: [1, 1.5, 2], origin: [-0.4, 0.1, 0]",
                          given_faces(quadratic, false),
                          quadratic.velocity),
               quadratic);
}

TEST_P(DerivedFields, of_linear_and_quadratic_flows_are_exact_at_all_nodes) {
  for (const KnownFlow& flow : {linear, quadratic}) {
    expect_exact(nodes_yaml("points: [5, 7, 9], length: [1, 1.5, 2], origin: [-0.4, 0.1, 0]",
                            given_faces(flow, true),
                            flow.velocity),
                 flow);
  }
}

TEST_P(DerivedFields, of_smooth_flows_are_of_second_order_in_cells) {
  const std::string around = "length: [6.283185307179586, 6.283185307179586, 6.283185307179586]";
  expect_second_order(
      cells_yaml("points: [15, 17, 13], " + around, periodic_faces, beltrami.velocity),
      cells_yaml("points: [30, 34, 26], " + around, periodic_faces, beltrami.velocity),
      beltrami);
  const std::string within =
      "length: [2, 3, 2.5], stretching: {x: {factor: 0.8}, y: {factor: 1.2}, z: {factor: 1}}";
  const std::string faces = given_faces(beltrami, false);
  expect_second_order(cells_yaml("points: [16, 22, 18], " + within, faces, beltrami.velocity),
                      cells_yaml("points: [32, 44, 36], " + within, faces, beltrami.velocity),
                      beltrami);
}

TEST_P(DerivedFields, are_of_second_order_beside_planes_of_symmetry) {
  const std::string faces =
      "{x_min: {type: symmetry}, x_max: {type: symmetry}, y_min: {type: symmetry}, "
      "y_max: {type: symmetry}, z: periodic}";
  const std::string around = "length: [3.141592653589793, 3.141592653589793, 1]";
  expect_second_order(cells_yaml("points: [12, 12, 5], " + around, faces, vortices.velocity),
                      cells_yaml("points: [24, 24, 5], " + around, faces, vortices.velocity),
                      vortices);
}

TEST_P(DerivedFields, of_smooth_flows_are_of_second_order_at_nodes) {
  const std::string around = "length: [6.283185307179586, 6.283185307179586, 6.283185307179586]";
  expect_second_order(
      nodes_yaml("points: [15, 17, 13], " + around, periodic_faces, beltrami.velocity),
      nodes_yaml("points: [30, 34, 26], " + around, periodic_faces, beltrami.velocity),
      beltrami);
  const std::string faces = given_faces(beltrami, true);
  expect_second_order(
      nodes_yaml("points: [13, 19, 15], length: [2, 3, 2.5]", faces, beltrami.velocity),
      nodes_yaml("points: [25, 37, 29], length: [2, 3, 2.5]", faces, beltrami.velocity),
      beltrami);
}

/// A rough flow free of divergence; all axes are periodic or, if told so, y ends at walls.
std::string rough_yaml(const std::string& grid, bool has_walls) {
  return cells_yaml(grid,
                    has_walls ? "{x: periodic, y_min: {type: wall}, y_max: {type: wall}, z: "
                                "periodic}"
                              : periodic_faces,
                    {"0", "0", "0"}) +
         "\n";
}
Case rough_case(Case resolved) {
  resolved.initial.noise = {.amplitude = 1, .seed = 5};
  return resolved;
}

TEST_P(DerivedFields, q_has_no_sum_over_a_periodic_box_or_between_walls) {
  const std::string stretched =
      "points: [6, 9, 10], length: [1, 1.5, 2], stretching: {x: {coordinates: [0, 0.2, 0.3, 0.35, "
      "0.5, 0.8, 1]}, y: {factor: 1.5}}";
  const std::string uniform = "points: [6, 9, 10], length: [1, 1.5, 2]";
  for (const bool has_walls : {false, true}) {
    for (const std::string& grid : {uniform, stretched}) {
      const Case resolved = rough_case(case_of(rough_yaml(grid, has_walls)));
      const std::vector<double> q = values_of(snapshot_of(*started(resolved)), "q_criterion");
      const std::vector<double> shares = volume_shares(resolved);
      double sum = 0;
      double sum_of_magnitudes = 0;
      for (std::size_t n = 0; n < q.size(); ++n) {
        sum += shares[n] * q[n];
        sum_of_magnitudes += shares[n] * std::abs(q[n]);
      }
      EXPECT_GT(sum_of_magnitudes, 1);
      EXPECT_LT(std::abs(sum), (is_double() ? 1e-13 : 1e-5) * sum_of_magnitudes);
    }
  }
}

TEST_P(DerivedFields, vorticity_has_no_central_divergence_in_a_uniform_periodic_box) {
  const Case resolved =
      rough_case(case_of(rough_yaml("points: [6, 9, 10], length: [1, 1.5, 2]", false)));
  const FlowState state = snapshot_of(*started(resolved));
  PerAxis<std::vector<double>> omega;
  for (int axis = 0; axis < 3; ++axis)
    omega[axis] = values_of(state, name_of(derived_fields[0], static_cast<int>(axis)));
  const Extents n = resolved.grid.points;
  double largest = 0;
  double largest_slope = 0;
  for_each_point({{}, {n.nx, n.ny, n.nz}}, [&](Index3 c) {
    double divergence = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const auto at = [&](int steps) {
        Index3 other = c;
        other[axis] = periodic_image(c[axis] + steps, n[axis]);
        const int place = other.i + n.nx * (other.j + n.ny * other.k);
        return omega[axis].at(place);
      };
      const double h = resolved.grid.length[axis] / n[axis];
      const double slope = (at(1) - at(-1)) / (2 * h);
      divergence += slope;
      largest_slope = larger_or_nan(largest_slope, std::abs(slope));
    }
    largest = larger_or_nan(largest, std::abs(divergence));
  });
  EXPECT_GT(largest_slope, 1);
  EXPECT_LT(largest, (is_double() ? 1e-13 : 1e-4) * largest_slope);
}

/// Points of one line along an axis, by their number on it.
double on_line(const HostField& field, int axis, int index, Index3 c) {
  c[axis] = index;
  const Extents n = field.extents();
  return in_doubles(field).at(c.i + n.nx * (c.j + n.ny * c.k));
}

const HostField& field_named(const FlowState& state, std::string_view name) {
  return *std::ranges::find(state.fields, name, &HostField::name);
}

TEST_P(DerivedFields, velocities_at_centres_are_the_means_of_those_at_faces) {
  const Case resolved = rough_case(case_of(
      rough_yaml("points: [6, 9, 10], length: [1, 1.5, 2], stretching: {y: {factor: 1}}", true)));
  const FlowState state = snapshot_of(*after(resolved, 3));
  const Extents n = resolved.grid.points;
  for (int axis = 0; axis < 3; ++axis) {
    const HostField& faces = field_named(state, face_velocity_names.at(axis));
    Extents expected = n;
    ++expected[axis];
    ASSERT_EQ(faces.extents(), expected);
    const HostField& centres = field_named(state, velocity_names.at(axis));
    for (const Index3 line : {Index3{0, 0, 0}, Index3{3, 4, 5}, Index3{5, 8, 9}}) {
      const auto face = [&](int index) { return on_line(faces, axis, index, line); };
      for (int index = 0; index < n[axis]; ++index) {
        const double mean = (face(index) + face(index + 1)) / 2;
        EXPECT_NEAR(on_line(centres, axis, index, line), mean, is_double() ? 1e-16 : 1e-7);
      }
      EXPECT_EQ(face(n[axis]), axis == 1 ? 0 : face(0));
    }
  }
}

TEST_P(DerivedFields, kinetic_energy_of_the_faces_is_that_of_the_time_series) {
  const Case resolved = rough_case(case_of(
      rough_yaml("points: [6, 9, 10], length: [1, 1.5, 2], stretching: {y: {factor: 1}}", true)));
  const auto simulation = after(resolved, 3);
  const FlowState state = snapshot_of(*simulation);
  const std::vector<double> shares = volume_shares(resolved);
  const Extents n = resolved.grid.points;
  double energy = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const HostField& faces = field_named(state, face_velocity_names.at(axis));
    const std::vector<double> values = in_doubles(faces);
    const Extents stored = faces.extents();
    std::size_t cell = 0;
    for_each_point({{}, {n.nx, n.ny, n.nz}}, [&](Index3 c) {
      const auto square = [&](Index3 at) {
        const int place = at.i + stored.nx * (at.j + stored.ny * at.k);
        return std::pow(values.at(place), 2);
      };
      Index3 above = c;
      ++above[axis];
      energy += shares.at(cell++) * 0.25 * (square(c) + square(above));
    });
  }
  EXPECT_NEAR(energy, simulation->diagnostics().kinetic_energy, (is_double() ? 1e-14 : 1e-6));
}

TEST_P(DerivedFields, do_not_change_the_flow_nor_more_memory_than_is_said) {
  const std::string cells = rough_yaml("points: [6, 9, 10], length: [1, 1.5, 2]", true);
  const std::string nodes =
      nodes_yaml("points: [6, 9, 10]", given_faces(linear, true), linear.velocity);
  for (const std::string& yaml : {cells, nodes}) {
    const Case asked = rough_case(case_of(yaml));
    Case plain = asked;
    for (const DerivedField& field : derived_fields)
      std::erase(plain.output.fields.variables, field.name);
    plain.output.fields.location = FieldOutputCase::Location::centers;
    const auto watched = started(asked);
    for (int n = 0; n < 4; ++n) {
      snapshot_of(*watched);
      watched->advance();
    }
    const auto alone = after(plain, 4);
    EXPECT_TRUE(same_bits(state_of(*watched), state_of(*alone)));
    const std::size_t more = watched->memory_bytes() - alone->memory_bytes();
    const std::size_t points = asked.grid.points.count() * bytes_of(asked.precision);
    EXPECT_EQ(more > 0, asked.scheme == Scheme::splitting);
    EXPECT_LE(more, points + 4096);  // what a device rounds up
  }
}

TEST_P(DerivedFields, a_copy_for_viewing_leaves_them_out) {
  const auto simulation =
      started(rough_case(case_of(rough_yaml("points: [6, 9, 10], length: [1, 1.5, 2]", true))));
  EXPECT_EQ(simulation->allocate_state(CopyPurpose::viewing).fields.size(), 4U);
  const FlowState snapshot = snapshot_of(*simulation);
  ASSERT_EQ(snapshot.fields.size(), 4U + 3 + 3 + 1);
  FlowState again = simulation->allocate_state(CopyPurpose::snapshot);
  simulation->copy_state(again, CopyPurpose::viewing);
  for (std::size_t n = 0; n < 4; ++n)
    EXPECT_EQ(in_doubles(again.fields[n]), in_doubles(snapshot.fields[n]));
}

INSTANTIATE_TEST_SUITE_P(targets, DerivedFields, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_derived_fields
