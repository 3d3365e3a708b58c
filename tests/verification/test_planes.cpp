/// Planes taken from flows: exact values at the points of each variable, and linear interpolation
/// between them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/grid/case_grid.hpp"
#include "solver/instances/case_needs.hpp"
#include "solver/output/record_transfer.hpp"
#include "solver/simulation/flow_checks.hpp"
#include "tests/verification/known_flows.hpp"
#include "tests/verification/slabs.hpp"

namespace dns::testing::test_planes {
namespace {

/// Coordinates of a variable's points along an axis, and one beyond each end of the box.
std::vector<double> points_along(const Case& resolved, int axis, int variable) {
  const auto a = static_cast<std::size_t>(axis);
  const int n = resolved.grid.points[axis];
  std::vector<double> points;
  if (resolved.scheme == Scheme::splitting) {
    const double h = length[a] / (resolved.is_periodic(axis) ? n : n - 1);
    for (int i = -1; i <= n; ++i) points.push_back(origin[a] + i * h);
    return points;
  }
  std::vector<double> faces = face_coordinates(resolved.grid, axis);
  // Beyond the ends: the mirror image, which of a uniform periodic axis is the next cell too.
  faces.insert(faces.begin(), 2 * faces[0] - faces[1]);
  faces.push_back(2 * faces[faces.size() - 1] - faces[faces.size() - 2]);
  if (variable == axis) return {faces.begin(), faces.end() - 1};
  for (std::size_t i = 0; i + 1 < faces.size(); ++i)
    points.push_back((faces[i] + faces[i + 1]) / 2);
  return points;
}

/// What the record of a plane should be: interpolated between the two planes of points around it.
std::vector<double> expected(const Case& resolved,
                             const PlaneCase& plane,
                             int variable,
                             const std::function<double(const Place&)>& exact) {
  const auto normal = static_cast<std::size_t>(plane.axis);
  const std::vector<double> across = points_along(resolved, plane.axis, variable);
  constexpr double round_off = 1e-12;
  std::size_t below = 0;
  while (below + 2 < across.size() && across[below + 1] <= plane.at + round_off) ++below;
  double weight = (plane.at - across[below]) / (across[below + 1] - across[below]);
  if (std::abs(weight) < round_off) weight = 0;
  const AxesInPlane axes = axes_in_plane(static_cast<Axis>(plane.axis));
  const auto inside = [&](Axis axis) {
    const int a = static_cast<int>(axis);
    std::vector<double> points = points_along(resolved, a, variable);
    points.erase(points.begin());
    const bool has_faces = resolved.scheme == Scheme::projection && variable == a;
    const auto last = static_cast<std::size_t>(a);
    if (has_faces) {
      points.resize(static_cast<std::size_t>(resolved.grid.points[a]));
      points.push_back(origin[last] + length[last]);
    } else {
      points.pop_back();
    }
    return points;
  };
  std::vector<double> values;
  Place at{};
  for (const double second : inside(axes.second)) {
    for (const double first : inside(axes.first)) {
      at[axes.first] = first;
      at[axes.second] = second;
      at[normal] = across[below];
      const double low = exact(at);
      at[normal] = across[below + 1];
      values.push_back((1 - weight) * low + (weight == 0 ? 0 : weight * exact(at)));
    }
  }
  return values;
}

/// Both ends of the box, a cell centre or node, a face, and places between them, across each axis.
PlanesCase planes_everywhere(const Case& resolved) {
  PlanesCase planes{.every = 1, .precision = Precision::double_precision, .planes = {}};
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const std::vector<double> centres = points_along(resolved, axis, first_scalar);
    const std::vector<double> faces = points_along(resolved, axis, axis);
    for (const double at : {origin[a],
                            origin[a] + 0.01 * length[a],
                            centres[3],
                            faces[4],
                            0.7 * centres[2] + 0.3 * centres[3],
                            0.2 * faces[faces.size() - 3] + 0.8 * faces[faces.size() - 2],
                            origin[a] + 0.99 * length[a],
                            origin[a] + length[a]}) {
      const double last = origin[a] + length[a];
      planes.planes.push_back({.name = fmt::format("p{}", planes.planes.size()),
                               .axis = axis,
                               .at = std::min(at, last)});
    }
  }
  return planes;
}

/// Linear, so that it is exact anywhere.
std::string linear_case(Scheme scheme) {
  return yaml_of(scheme, {7, 6, 9}, all_stretched, given_everywhere(linear_values));
}
/// Waves in a periodic box, where interpolation is not exact.
std::string periodic_case(Scheme scheme) {
  return yaml_of(scheme, {7, 6, 9}, "", all_periodic);
}

class Planes : public OnEveryTarget {
 protected:
  static Case with_planes(const std::string& yaml) {
    Case resolved = case_of(yaml);
    resolved.output.planes = planes_everywhere(resolved);
    return resolved;
  }

  /// Values of about 1: roundings of the start, of its projection and of the interpolation.
  static void expect_flow(const std::string& yaml, const Flow& flow) {
    const Case resolved = with_planes(yaml);
    const double tolerance = is_double() ? 1e-12 : 5e-6;
    const std::vector<PlaneValues> planes = started(resolved)->planes();
    ASSERT_EQ(planes.size(), 24U);
    for (std::size_t n = 0; n < planes.size(); ++n) {
      const PlaneCase& plane = resolved.output.planes->planes[n];
      for (int variable = 0; variable <= first_scalar; ++variable) {
        SCOPED_TRACE(
            fmt::format("{} = {}, variable {}", axis_name(plane.axis), plane.at, variable));
        const auto v = static_cast<std::size_t>(variable);
        const std::vector<double> wanted = expected(resolved, plane, variable, flow.at(v));
        ASSERT_EQ(planes[n].at(v).size(), wanted.size());
        for (std::size_t at = 0; at < wanted.size(); ++at)
          EXPECT_NEAR(planes[n].at(v)[at], wanted[at], tolerance) << at;
      }
      const bool has_pressure = resolved.scheme == Scheme::projection;
      ASSERT_EQ(planes[n].size(), has_pressure ? 5U : 4U);
      if (!has_pressure) continue;
      EXPECT_EQ(planes[n][4].size(), planes[n][3].size());
      for (const double p : planes[n][4]) EXPECT_EQ(p, 0);
    }
  }
};

TEST_P(Planes, of_a_linear_flow_are_exact_to_the_ends_of_the_box) {
  for (const Scheme scheme : schemes) expect_flow(linear_case(scheme), linear);
}

TEST_P(Planes, are_interpolated_between_the_nearest_points_also_across_periodic_ends) {
  for (const Scheme scheme : schemes) expect_flow(periodic_case(scheme), waves);
}

TEST_P(Planes, are_the_flow_itself_where_they_lie_on_points) {
  for (const Scheme scheme : schemes) {
    Case resolved = with_planes(periodic_case(scheme));
    auto& planes = resolved.output.planes->planes;
    planes.clear();
    constexpr int index = 4;
    for (int axis = 0; axis < 3; ++axis)
      planes.push_back({axis_name(axis), axis, point_coordinates(resolved, axis).at(index)});
    const auto simulation = started(resolved);
    for (int n = 0; n < 3; ++n) simulation->advance();
    FlowState flow = simulation->allocate_state(CopyPurpose::viewing);
    simulation->copy_state(flow, CopyPurpose::viewing);
    const std::vector<PlaneValues> taken = simulation->planes();
    const bool is_splitting = scheme == Scheme::splitting;
    const std::vector<std::pair<std::string_view, std::size_t>> variables =
        is_splitting ? std::vector<std::pair<std::string_view, std::size_t>>{{velocity_x_name, 0},
                                                                             {velocity_y_name, 1},
                                                                             {velocity_z_name, 2},
                                                                             {temperature_name, 3}}
                     : std::vector<std::pair<std::string_view, std::size_t>>{{temperature_name, 3},
                                                                             {pressure_name, 4}};
    for (const auto& [name, number] : variables) {
      const HostField field = field_in(flow, name, resolved.grid.points, resolved.precision);
      const std::vector<double> all = in_doubles(field);
      for (int axis = 0; axis < 3; ++axis) {
        std::vector<double> wanted;
        std::size_t at = 0;
        const Extents n = field.extents();
        for_each_point({{}, {n.nx, n.ny, n.nz}}, [&](Index3 c) {
          if (c[axis] == index) wanted.push_back(all[at]);
          ++at;
        });
        EXPECT_EQ(taken.at(axis).at(number), wanted) << name << axis;
      }
    }
  }
}

/// Those of all ranks together, after some steps, on rank 0.
std::vector<PlaneValues> planes_on_ranks(const Case& resolved, int ranks, int steps) {
  std::vector<PlaneValues> planes;
  ThreadRanks::run(ranks, [&](Communicator& communicator) {
    const auto simulation = make_simulation(resolved, communicator);
    simulation->set_state(initial_state(resolved, simulation->subdomain()));
    for (int n = 0; n < steps; ++n) simulation->advance();
    std::vector<PlaneValues> of_all = planes_of_all(communicator, simulation->planes());
    if (communicator.rank() == 0) planes = std::move(of_all);
  });
  return planes;
}

TEST_P(Planes, of_several_ranks_are_those_of_one) {
  for (const Scheme scheme : schemes) {
    std::vector<std::string> boxes{linear_case(scheme), periodic_case(scheme)};
    if (scheme == Scheme::projection)
      boxes.push_back(periodic_case(scheme) + "accuracy: {order: 4}\n");
    for (const std::string& yaml : boxes) {
      const Case resolved = with_planes(yaml);
      for (const int steps : {0, 4}) {
        // At the start nothing but the projection sums over ranks.
        const double tolerance = is_double() ? 1e-12 : 2e-5;
        const std::vector<PlaneValues> one = planes_on_ranks(resolved, 1, steps);
        for (const int ranks : {2, 3}) {
          const std::vector<PlaneValues> several = planes_on_ranks(resolved, ranks, steps);
          ASSERT_EQ(several.size(), one.size());
          for (std::size_t n = 0; n < one.size(); ++n) {
            ASSERT_EQ(several[n].size(), one[n].size());
            for (std::size_t variable = 0; variable < one[n].size(); ++variable) {
              const std::vector<double>& wanted = one[n].at(variable);
              const std::vector<double>& taken = several[n].at(variable);
              ASSERT_EQ(taken.size(), wanted.size());
              for (std::size_t at = 0; at < wanted.size(); ++at) {
                // Round-off of V over dt is in the pressure, more of it as it is extrapolated.
                const bool is_pressure =
                    scheme == Scheme::projection && variable + 1 == one[n].size();
                const double times = is_pressure ? 3 : 1;
                EXPECT_NEAR(
                    taken[at], wanted[at], times * tolerance * std::max(1.0, std::abs(wanted[at])))
                    << ranks << " ranks, plane " << n << ", variable " << variable << ", " << at;
              }
            }
          }
        }
      }
    }
  }
}

TEST_P(Planes, take_as_much_memory_as_is_said) {
  for (const Scheme scheme : schemes) {
    const Case with = with_planes(linear_case(scheme));
    Case without = with;
    without.output.planes.reset();
    EXPECT_TRUE(make_simulation(without)->planes().empty());
    const std::size_t taken = make_simulation(with)->memory_bytes();
    EXPECT_EQ(needs_of(with).device_bytes, taken);
    EXPECT_GT(taken, make_simulation(without)->memory_bytes());
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, Planes, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_planes
