/// Rows of bodies that have moved against those that the host makes for the same bodies placed
/// there at the start.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "solver/config/load_case.hpp"
#include "solver/flow/conditions.hpp"
#include "solver/flow/variables.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/projection/body_motions.hpp"
#include "solver/projection/solid_pulls.hpp"
#include "tests/thread_ranks.hpp"

namespace dns::testing::test_moving_rows {
namespace {

/// A grid of odd and unequal numbers of cells, stretched along y and z; walls along y.
Case with_bodies(const std::string& solids, const char* along_x = "x: periodic") {
  return parse_case(fmt::format(R"yaml(
scheme: projection
grid:
  points: [19, 23, 17]
  length: [1.3, 1.5, 1.1]
  origin: [0.1, -0.7, 0.2]
  stretching: {{y: {{type: tanh, factor: 1.2}}, z: {{factor: 0.5}}}}
fluid: {{reynolds: 7, prandtl: 0.7}}
boundaries:
  {}
  y_min: {{type: wall, temperature: 1}}
  y_max: {{type: wall, temperature: 1}}
  z: periodic
time: {{scheme: implicit, step: 0.01, steps: 1}}
solids:
{}
)yaml",
                                along_x,
                                solids),
                    "case.yaml",
                    {});
}

struct Rows {
  std::vector<double> kappa, target, owner;
};

/// What moved bodies make of the points of a part, ghost points included, x fastest: at the end of
/// a step of dt from other poses, where these are given.
Rows rows_of(const Case& resolved,
             const Subdomain& part,
             const std::vector<BodyPose>& poses,
             int variable,
             const std::vector<BodyPose>& before = {},
             double dt = 0) {
  const StaggeredGrid grid = staggered_grid(resolved);
  std::vector<LineCoordinates> lines;
  OwnersOfPoints owners{};
  for (int axis = 0; axis < 3; ++axis) lines.emplace_back(grid[axis], part, axis, 4);
  for (int axis = 0; axis < 3; ++axis) {
    LinesOfPoints& points = owners.lines;
    const LineCoordinates& of = lines[static_cast<std::size_t>(axis)];
    points.face[axis] = of.faces.data();
    points.centre[axis] = of.centres.data();
    points.width[axis] = of.widths.data();
    points.distance[axis] = of.distances.data();
    const bool repeats = resolved.is_periodic(axis);
    points.first[axis] = repeats ? -LinesOfPoints::far : -part.first(axis);
    points.end[axis] = repeats ? LinesOfPoints::far : part.whole[axis] - part.first(axis);
    points.points[axis] = part.points()[axis];
    points.ends_low[axis] = part.is_boundary(axis, false);
    points.ends_high[axis] = part.is_boundary(axis, true);
    for (const bool is_high : {false, true}) {
      const int face = face_index(axis, is_high);
      points.is_closed[face] = !repeats && !FaceConditions(resolved, face).is_opening();
    }
    owners.bodies.origin[axis] = resolved.grid.origin[axis];
    owners.bodies.length[axis] = resolved.grid.length[axis];
    owners.bodies.repeats[axis] = repeats;
  }
  std::vector<BodyAtTime> bodies;
  for (std::size_t n = 0; n < poses.size(); ++n) {
    BodyAtTime& body = bodies.emplace_back(body_at_time(resolved, n, poses[n], variable));
    if (!before.empty()) body.gain = velocity_gain(before[n], poses[n]);
    body.program = resolved.solids[n].surface.program().data();
    owners.bodies.number[owners.bodies.count++] = static_cast<int>(n);
  }
  owners.bodies.all = bodies.data();
  const Extents n = part.points();
  const Extents stored{n.nx + 2, n.ny + 2, n.nz + 2};
  Rows rows;
  for (std::vector<double>* values : {&rows.kappa, &rows.target, &rows.owner})
    values->assign(stored.count(), std::nan(""));
  const auto view = [&](std::vector<double>& values) {
    const std::size_t first =
        (static_cast<std::size_t>(stored.ny) + 1) * static_cast<std::size_t>(stored.nx) + 1;
    return FieldView<double>{values.data() + first, stored.nx, stored.nx * stored.ny};
  };
  const MakeSolidRows<double> make{owners,
                                   variable,
                                   solved_variables(resolved).at(variable).diffusivity,
                                   view(rows.kappa),
                                   view(rows.target),
                                   view(rows.owner),
                                   dt};
  for_each_point(widened({{}, {n.nx, n.ny, n.nz}}), [&](Index3 c) { make(c); });
  return rows;
}

BodyPose pose_of(const PerAxis<double>& place,
                 const PerAxis<double>& velocity,
                 const PerAxis<double>& rotation,
                 const std::array<double, 4>& orientation = {1, 0, 0, 0}) {
  BodyPose pose;
  pose.place = place;
  pose.orientation = orientation;
  pose.velocity = velocity;
  pose.rotation = rotation;
  return pose;
}

/// Compares what `moved` bodies make with these poses with what the host makes of `placed` ones.
void expect_rows_of(const Case& placed, const Case& moved, const std::vector<BodyPose>& poses) {
  for (const int ranks : {1, 2}) {
    ThreadRanks::run(ranks, [&](Communicator& communicator) {
      const Subdomain part = whole_box(placed).slab(communicator.rank(), communicator.size());
      const std::vector<SolidPoints> points = find_solid_points(placed, part, communicator);
      for (int variable = 0; variable < 4; ++variable) {
        SolidPulls pulls =
            solid_pulls(placed, staggered_grid(placed), part, points.at(variable), variable);
        exchange_rates(pulls, part, communicator);
        const Rows rows = rows_of(moved, part, poses, variable);
        const Extents n = part.points();
        int solid = 0;
        int cut = 0;
        for_each_point(widened({{}, {n.nx, n.ny, n.nz}}), [&](Index3 c) {
          const std::size_t at = points.at(variable).place(c);
          const auto where = fmt::format(
              "variable {} at {} {} {}, rank {}", variable, c.i, c.j, c.k, communicator.rank());
          const int outside = (c.i < 0 || c.i >= n.nx ? 1 : 0) + (c.j < 0 || c.j >= n.ny ? 1 : 0) +
                              (c.k < 0 || c.k >= n.nz ? 1 : 0);
          const double kappa = pulls.kappa[at];
          if (std::isinf(kappa)) {
            EXPECT_EQ(rows.kappa[at], kappa) << where;
          } else {
            EXPECT_NEAR(rows.kappa[at], kappa, 1e-8 * (1 + kappa)) << where;
          }
          if (outside > 0) return;
          solid += std::isinf(kappa) ? 1 : 0;
          cut += kappa > 0 && !std::isinf(kappa) ? 1 : 0;
          const double target = pulls.target.empty() ? pulls.uniform_target : pulls.target[at];
          if (kappa > 0) {
            EXPECT_NEAR(rows.target[at], target, 1e-8 * (1 + std::abs(target))) << where;
          }
          const double owner = pulls.owner.empty() ? (kappa > 0 ? 1 : 0) : pulls.owner[at];
          EXPECT_EQ(rows.owner[at], owner) << where;
        });
        if (ranks == 1) {
          EXPECT_GT(solid, 20) << variable;
          EXPECT_GT(cut, 40) << variable;
        }
      }
    });
  }
}

const PerAxis<double> velocity{0.3, -0.2, 0.1};
const PerAxis<double> rotation{0.5, -0.7, 0.9};

/// The way from a point at a distance from the surface of a ball to one in it.
TEST(MovingRows, find_a_convex_surface_where_bisection_finds_it) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(0, 1);
  int most = 0;
  double all = 0;
  constexpr int ways = 2000;
  for (int n = 0; n < ways; ++n) {
    const double radius = std::exp(6 * any(random) - 1);
    const double across = radius * (n % 7 == 0 ? 1 - 1e-3 * any(random) : any(random));
    const double depth = std::sqrt(radius * radius - across * across);
    const double theta = n % 5 == 0 ? 1e-7 * any(random) : any(random);
    if (theta < 1 - depth) continue;  // the way would come out again
    const auto ball = [&](double part) {
      return std::hypot(depth + theta - part, across) - radius;
    };
    const auto box = [&](double part) { return std::max(theta - part, -depth); };
    for (const bool is_box : {false, true}) {
      int evaluations = 0;
      const auto phi = [&](double part) {
        ++evaluations;
        return is_box ? box(part) : ball(part);
      };
      const double found = part_to_convex_surface(phi);
      most = std::max(most, evaluations);
      all += evaluations;
      // One more multiple of 2^-40 where the function is 0 but for round-off.
      EXPECT_NEAR(found, part_to_surface(phi), std::ldexp(1.0, -40) + 1e-14 * radius) << n;
      EXPECT_NEAR(found, std::max(theta, least_theta), 1e-12 * (1 + radius / depth)) << n;
    }
  }
  EXPECT_LE(most, 60);
  EXPECT_LE(all / (2 * ways), 12);
}

TEST(MovingRows, of_a_sphere_across_a_seam_are_those_of_one_placed_there) {
  const Case placed = with_bodies(
      "  ball: {shape: sphere, center: [0.733, 0.11, 0.713], radius: 0.29, temperature: 2, "
      "velocity: [0.3, -0.2, 0.1], rotation: [0.5, -0.7, 0.9]}");
  const Case moved = with_bodies(
      "  ball: {shape: sphere, center: [0.5, 0, 0.9], radius: 0.29, temperature: 2, motion: {}}");
  expect_rows_of(placed, moved, {pose_of({0.733, 0.11, 0.713}, velocity, rotation)});
}

/// Bodies at rest are made beside one that moves; the first one owns what is in two.
TEST(MovingRows, of_several_shapes_are_those_of_bodies_placed_there) {
  const char* const rest =
      "  ring: {shape: formula, surface: \"0.33 - sqrt((x-0.75)^2 + (z-0.75)^2) + 0.2\", "
      "temperature: 3}\n";
  const Case placed = with_bodies(
      fmt::format("{}  rod: {{shape: cylinder, axis: x, length: 0.4, center: [0.71, 0.21, 0.77], "
                  "radius: 0.17, temperature: 1}}\n"
                  "  block: {{shape: box, min: [0.61, -0.43, 0.63], max: [0.93, -0.11, 0.97], "
                  "temperature: 2}}\n",
                  rest));
  const Case moved = with_bodies(
      fmt::format("{}  rod: {{shape: cylinder, axis: x, length: 0.4, center: [0.61, 0.01, 0.67], "
                  "radius: 0.17, temperature: 1, motion: {{}}}}\n"
                  "  block: {{shape: box, min: [0.51, -0.53, 0.73], max: [0.83, -0.21, 1.07], "
                  "temperature: 2, motion: {{}}}}\n",
                  rest));
  expect_rows_of(placed,
                 moved,
                 {pose_of({}, {}, {}),
                  pose_of({0.71, 0.21, 0.77}, {}, {}),
                  pose_of({0.1, 0.1, -0.1}, {}, {})});
}

/// As many as kernels look at: two at each of 16 places, of which the first owns what is in both.
TEST(MovingRows, of_as_many_as_may_be_near_are_those_of_spheres_placed_there) {
  constexpr int places = most_bodies_near / 2;
  std::string of_placed;
  std::string of_moved;
  std::vector<BodyPose> poses;
  for (int n = 0; n < most_bodies_near; ++n) {
    const int at = n % places;
    const PerAxis<double> place{
        0.33 + 0.4 * (at % 3), -0.43 + 0.42 * (at / 3 % 3), 0.5 + 0.5 * (at / 9)};
    const double radius = n < places ? 0.115 : 0.15;
    of_placed += fmt::format(
        "  ball{}: {{shape: sphere, center: [{:.17g}, {:.17g}, {:.17g}], radius: {}, temperature: "
        "{}}}\n",
        n,
        place[0],
        place[1],
        place[2],
        radius,
        n);
    of_moved += fmt::format(
        "  ball{}: {{shape: sphere, center: [0.5, 0, 0.9], radius: {}, temperature: {}, motion: "
        "{{}}}}\n",
        n,
        radius,
        n);
    poses.push_back(pose_of(place, {}, {}));
  }
  expect_rows_of(with_bodies(of_placed), with_bodies(of_moved), poses);
}

TEST(MovingRows, of_a_turned_box_are_those_of_a_formula) {
  const double angle = 0.37;
  const std::string x =
      fmt::format("({0:.17g}*(x-0.8) + {1:.17g}*(y-0.05))", std::cos(angle), std::sin(angle));
  const std::string y =
      fmt::format("({0:.17g}*(y-0.05) - {1:.17g}*(x-0.8))", std::cos(angle), std::sin(angle));
  const Case placed = with_bodies(
      fmt::format("  block: {{shape: formula, center: [0.8, 0.05, 0.7], temperature: 2, velocity: "
                  "[0.3, -0.2, 0.1], rotation: [0, 0, 0.9], surface: \"max(max(abs({}) - 0.31, "
                  "abs({}) - 0.22), abs(z-0.7) - 0.26)\"}}\n",
                  x,
                  y));
  const Case moved = with_bodies(
      "  block: {shape: box, center: [0.5, 0, 0.8], min: [0.19, -0.22, 0.54], max: [0.81, 0.22, "
      "1.06], temperature: 2, motion: {}}\n");
  expect_rows_of(placed,
                 moved,
                 {pose_of({0.8, 0.05, 0.7},
                          velocity,
                          {0, 0, 0.9},
                          {std::cos(angle / 2), 0, 0, std::sin(angle / 2)})});
}

/// In its own frame a formula is that of the start.
TEST(MovingRows, of_a_formula_that_turns_are_those_of_the_formula_turned) {
  const double angle = -0.6;
  const auto ellipsoid = [](const std::string& along, const std::string& across) {
    return fmt::format("({})^2/0.1 + ({})^2/0.03 + (z-0.7)^2/0.06 - 1", along, across);
  };
  const Case placed = with_bodies(fmt::format(
      "  egg: {{shape: formula, center: [0.8, 0.05, 0.7], temperature: 2, surface: \"{}\"}}\n",
      ellipsoid(
          fmt::format("{0:.17g}*(x-0.8) + {1:.17g}*(y-0.05)", std::cos(angle), std::sin(angle)),
          fmt::format("{0:.17g}*(y-0.05) - {1:.17g}*(x-0.8)", std::cos(angle), std::sin(angle)))));
  const Case moved = with_bodies(
      fmt::format("  egg: {{shape: formula, center: [0.6, 0.1, 0.7], temperature: 2, surface: "
                  "\"{}\", motion: {{}}}}\n",
                  ellipsoid("x-0.6", "y-0.1")));
  expect_rows_of(
      placed,
      moved,
      {pose_of({0.8, 0.05, 0.7}, {}, {}, {std::cos(angle / 2), 0, 0, std::sin(angle / 2)})});
}

/// theta W^(n+1) + (1 - theta) W^n, W^n from the velocity of the body at the beginning of the step.
TEST(MovingRows, that_are_cut_pull_to_a_velocity_within_the_step) {
  const Case moved = with_bodies(
      "  ball: {shape: sphere, center: [0.5, 0, 0.9], radius: 0.29, temperature: 2, motion: {}}\n"
      "  block: {shape: box, min: [0.51, -0.61, 0.43], max: [0.83, -0.34, 0.77], temperature: 2, "
      "motion: {}}\n");
  const std::vector<BodyPose> before{pose_of({0.71, 0.12, 0.72}, {0.1, -0.3, 0.4}, {1, -2, 3}),
                                     pose_of({-0.01, 0, 0.02}, {0.3, 0, 0}, {0, 0, 0.5})};
  const std::vector<BodyPose> after{pose_of({0.733, 0.11, 0.713}, velocity, rotation),
                                    pose_of({0, 0, 0}, {-0.2, 0.1, 0}, {0.2, 0.3, 0.4})};
  std::vector<BodyPose> carried = before;  // the velocities before, at the places after
  for (std::size_t body = 0; body < 2; ++body) {
    const PerAxis<double>& spin = before[body].rotation;
    PerAxis<double> way{};
    for (int axis = 0; axis < 3; ++axis)
      way[axis] = after[body].place[axis] - before[body].place[axis];
    carried[body].place = after[body].place;
    for (int axis = 0; axis < 3; ++axis) {
      const int first = (axis + 1) % 3;
      const int second = (axis + 2) % 3;
      carried[body].velocity[axis] += spin[first] * way[second] - spin[second] * way[first];
    }
  }
  const Subdomain part = whole_box(moved);
  int halves = 0;
  int later = 0;
  for (int variable = 0; variable < 4; ++variable) {
    const Rows late = rows_of(moved, part, after, variable);
    const Rows early = rows_of(moved, part, carried, variable);
    for (const double dt : {0.001, 0.02, 0.3}) {
      const Rows rows = rows_of(moved, part, after, variable, before, dt);
      EXPECT_EQ(rows.kappa, late.kappa);
      EXPECT_EQ(rows.owner, late.owner);
      for (std::size_t n = 0; n < rows.target.size(); ++n) {
        const double rate = rows.kappa[n];
        const double theta = std::max(0.5, 1 - 1 / (dt * rate));
        const bool is_cut = rate > 0 && rate < solid_rate;
        if (is_cut && variable < 3) ++(theta > 0.5 ? later : halves);
        const double expected =
            is_cut ? theta * late.target[n] + (1 - theta) * early.target[n] : late.target[n];
        EXPECT_NEAR(rows.target[n], expected, 1e-11 * (1 + std::abs(expected)));
      }
    }
  }
  EXPECT_GT(halves, 100);
  EXPECT_GT(later, 100);
}

/// A ball that reaches into a wall, beside an outflow.
TEST(MovingRows, beside_boundaries_are_those_of_a_body_placed_there) {
  const char* const openings =
      "x_min: {type: inflow, velocity: [1, 0, 0], temperature: 1}\n  x_max: {type: outflow}";
  const Case placed = with_bodies(
      "  ball: {shape: sphere, center: [0.77, -0.53, 0.71], radius: 0.31, temperature: 2}",
      openings);
  const Case moved = with_bodies(
      "  ball: {shape: sphere, center: [0.5, -0.5, 0.6], radius: 0.31, temperature: 2, motion: {}}",
      openings);
  expect_rows_of(placed, moved, {pose_of({0.77, -0.53, 0.71}, {}, {})});
}

}  // namespace
}  // namespace dns::testing::test_moving_rows
