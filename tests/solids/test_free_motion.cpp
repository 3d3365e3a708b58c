/// Equations of motion of free bodies, and their collisions, against exact solutions.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "solver/core/error.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/grid/staggered_grid.hpp"
#include "solver/solids/body_contacts.hpp"
#include "solver/solids/free_motion.hpp"
#include "tests/message_of.hpp"
#include "tests/solids/box_case.hpp"

namespace dns::testing::test_free_motion {
namespace {

SolidCase free_ball(const std::string& more) {
  return staggered_case("  body: {shape: sphere, center: [0.7, 0, 0.7], radius: 0.2, " + more + "}")
      .solids.front();
}

/// Way along x and angle about y after a time, where the force of the flow is -C_a m_f a.
PerAxis<double> swung(const SolidCase& body, double added_mass, double end, int steps) {
  DisplacedFluid fluid;
  fluid.volume = 0.3;
  for (int axis = 0; axis < 3; ++axis) fluid.inertia[axis][axis] = 0.7;
  BodyPose pose = pose_at_start(body, 0);
  FreeHistory history;
  for (int n = 0; n < steps; ++n) {
    pose = freely_moved(body, pose, {}, end / steps, {.viscosity = 1e-3}, history);
    BodyLoads impulses{};
    impulses[0] = -added_mass * fluid.volume * history.last.acceleration[0] * history.last.length;
    take_impulses(impulses, fluid, history);
  }
  PerAxis<double> found{};
  found[0] = pose.place[0] - body.center[0];
  found[1] = history.angle[1];
  return found;
}

TEST(FreeMotion, is_that_of_an_oscillator_with_added_mass_to_second_order) {
  SolidCase body = free_ball("free: {density: 2, velocity: [1, 0, 0], rotation: [0, 0.3, 0]}");
  body.spring = SpringCase{.stiffness = {10, 0, 0}, .damping = {0.4, 0, 0}, .at = {}, .torsion = 5};
  const double decay = 0.4 / (2 * 2.5);
  const double frequency = std::sqrt(10 / 2.5 - decay * decay);
  const double expected = std::exp(-decay * 10) * std::sin(frequency * 10) / frequency;
  const double turned = 0.3 * std::sin(std::sqrt(2.5) * 10) / std::sqrt(2.5);
  PerAxis<double> error{};
  PerAxis<double> finer{};
  for (const int steps : {1000, 2000}) {
    error = finer;
    const PerAxis<double> found = swung(body, 0.5, 10, steps);
    finer[0] = std::abs(found[0] - expected);
    finer[1] = std::abs(found[1] - turned);
  }
  EXPECT_LT(finer[0], 1e-4);
  EXPECT_LT(finer[1], 1e-4);
  EXPECT_NEAR(std::log2(error[0] / finer[0]), 2, 0.1);
  EXPECT_NEAR(std::log2(error[1] / finer[1]), 2, 0.3);
}

/// q^2 = 2 r q - r, r = (C_v - C_a)/(rho + C_v), for any start.
TEST(FreeMotion, follows_steps_of_other_accelerations_with_the_growth_of_its_quadratic) {
  for (const double density : {0.001, 0.5, 1.0, 20.0}) {
    SCOPED_TRACE(density);
    const SolidCase body = free_ball(fmt::format("free: {{density: {}}}", density));
    FreeHistory history;
    history.last = {.length = 0.1,
                    .acceleration = {1, 0, 0},
                    .force = {-0.5, 0, 0},
                    .angular_acceleration = {},
                    .torque = {}};
    history.before = {.length = 0.1,
                      .acceleration = {-2, 0, 0},
                      .force = {1, 0, 0},
                      .angular_acceleration = {},
                      .torque = {}};
    const double r = 0.5 / (density + 1);
    BodyPose pose = pose_at_start(body, 0);
    double before = -2;
    double last = 1;
    for (int n = 0; n < 30; ++n) {
      pose = freely_moved(body, pose, {}, 0.1, {}, history);
      history.last.force[0] = -0.5 * history.last.acceleration[0];
      const double expected = 2 * r * last - r * before;
      EXPECT_NEAR(history.last.acceleration[0], expected, 1e-12) << n;
      before = std::exchange(last, expected);
    }
    EXPECT_LT(std::abs(last), 1e-2);
  }
}

/// The force of a viscous layer lasts as t^(-1/2), as that of unsteady Stokes flow does: light
/// bodies that it alone turns come to rest in steps of any length up to l = 0.2.
TEST(FreeMotion, is_stable_where_a_viscous_layer_is_heavier_than_the_body) {
  for (const double density : {0.001, 0.1, 1.0}) {
    for (const double l : {0.01, 0.04, 0.1, 0.2}) {
      SCOPED_TRACE(fmt::format("density {}, l {}", density, l));
      const SolidCase body = free_ball(fmt::format("free: {{density: {}}}", density));
      const double viscosity = l * l * 0.2 * 0.2;  // steps of 1
      const auto layer = [&](double t) {           // what a unit step of the velocity takes until t
        return t <= 0 ? 0
                      : 5 * l / std::sqrt(std::acos(-1.0)) * 4 / 3 * std::pow(t, 1.5) +
                            15 * l * l * t * t / 2;
      };
      FreeHistory history;
      history.last = {
          .length = 1, .acceleration = {}, .force = {}, .angular_acceleration = {}, .torque = {}};
      history.last.angular_acceleration[0] = 1;
      std::vector<double> past{1};
      BodyPose pose = pose_at_start(body, 0);
      for (int n = 0; n < 400; ++n) {
        double torque = 0;
        for (std::size_t m = 0; m < past.size(); ++m) {
          const auto t = static_cast<double>(m);
          torque -= past[past.size() - 1 - m] * (layer(t + 1) - 2 * layer(t) + layer(t - 1));
        }
        history.last.torque[0] = torque;
        pose = freely_moved(body, pose, {}, 1, {.viscosity = viscosity}, history);
        past.push_back(history.last.angular_acceleration[0]);
      }
      EXPECT_LT(std::abs(past.back()), 0.02);
    }
  }
}

/// Cells make a body move fluid at once, C_c = 0.73 h/R of its moment of inertia at most, or take
/// some of it away, however short the step is. It keeps doing so: the layer is thinner than cells.
TEST(FreeMotion, is_stable_where_cells_move_more_fluid_than_the_viscous_layer) {
  for (const double density : {0.001, 0.1, 0.3, 1.0}) {
    for (const double cell : {0.125, 0.25, 0.5}) {
      for (const double moved : {-0.6 * std::pow(cell, 1.5), 0.0, 0.4 * cell, 0.73 * cell}) {
        SCOPED_TRACE(fmt::format("density {}, h/R {}, C_c {}", density, cell, moved));
        const SolidCase body = free_ball(fmt::format("free: {{density: {}}}", density));
        FreeHistory history;
        history.last.length = 1;
        history.last.angular_acceleration[0] = 1;
        BodyPose pose = pose_at_start(body, 0);
        for (int n = 0; n < 500; ++n) {
          history.last.torque[0] = -moved * history.last.angular_acceleration[0];
          pose = freely_moved(body, pose, {}, 1, {.cell_width = cell * body.radius}, history);
        }
        EXPECT_LT(std::abs(history.last.angular_acceleration[0]), 0.02);
      }
    }
  }
}

/// C_v of cells is 3/4 h/R - rho/4 here, more than that of the layer.
TEST(FreeMotion, is_of_second_order_where_cells_have_a_part_in_virtual_mass) {
  SolidCase body = free_ball("free: {density: 0.2, rotation: [0, 0.3, 0]}");
  body.spring = SpringCase{.stiffness = {}, .damping = {}, .at = {}, .torsion = 5};
  std::vector<double> errors;
  for (const int steps : {500, 1000}) {
    FreeHistory history;
    BodyPose pose = pose_at_start(body, 0);
    for (int n = 0; n < steps; ++n) {
      const FluidAround fluid{.viscosity = 1e-4, .cell_width = 0.05};
      pose = freely_moved(body, pose, {}, 2.0 / steps, fluid, history);
      history.last.torque[1] = -0.1 * history.last.angular_acceleration[1];
    }
    const double frequency = std::sqrt(5 / 0.3);
    errors.push_back(std::abs(history.angle[1] - 0.3 * std::sin(2 * frequency) / frequency));
  }
  EXPECT_LT(errors[1], 1e-4);
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.3);
}

TEST(FreeMotion, has_the_bits_without_cells_where_added_mass_or_density_is_more_than_they_move) {
  const SolidCase body = free_ball("free: {density: 1, velocity: [1, 0, 0], rotation: [0, 1, 0]}");
  std::vector<BodyPose> poses;
  for (const double width : {0.0, 0.06}) {
    FreeHistory history;
    BodyPose pose = pose_at_start(body, 0);
    for (int n = 0; n < 5; ++n) {
      pose = freely_moved(body, pose, {}, 0.1, {.viscosity = 0.01, .cell_width = width}, history);
      history.last.force[0] = -pose.velocity[0];
      history.last.torque[1] = -pose.rotation[1];
    }
    poses.push_back(pose);
  }
  EXPECT_EQ(poses[0], poses[1]);
}

/// V(t) = exp(-c t/(rho + C_a)) where the force of the flow is -C_a a.
TEST(FreeMotion, stops_without_ringing_where_a_damper_is_strong) {
  for (const double density : {0.01, 1.0, 20.0}) {
    for (const double damping : {0.1, 2.0, 8.0, 100.0, 1e4}) {  // steps of 1
      SCOPED_TRACE(fmt::format("density {}, c dt {}", density, damping));
      SolidCase body =
          free_ball(fmt::format("free: {{density: {}, velocity: [1, 0, 0]}}", density));
      body.spring = SpringCase{.stiffness = {}, .damping = {damping, 0, 0}, .at = {}, .torsion = 0};
      FreeHistory history;
      BodyPose pose = pose_at_start(body, 0);
      for (int n = 0; n < 20; ++n) {
        pose = freely_moved(body, pose, {}, 1, {}, history);
        history.last.force[0] = -0.5 * history.last.acceleration[0];
        const double exact = std::exp(-damping * (n + 1) / (density + 0.5));
        EXPECT_NEAR(pose.velocity[0], exact, 0.3 * std::min(0.6, damping)) << n;
        EXPECT_GT(pose.velocity[0], -0.12) << n;
      }
      EXPECT_NEAR(pose.velocity[0], std::exp(-damping * 20 / (density + 0.5)), 0.01);
    }
  }
}

/// (rho + C_a) a = (1 + C_a) g in a fluid with the acceleration g: nothing is late.
TEST(FreeMotion, starts_with_the_fluid_around_it) {
  for (const double density : {0.1, 1.0, 3.0}) {
    SCOPED_TRACE(density);
    const SolidCase body = free_ball(fmt::format("free: {{density: {}}}", density));
    FreeHistory history;
    BodyPose pose = pose_at_start(body, 0);
    for (int n = 0; n < 8; ++n) {
      pose = freely_moved(body, pose, {}, 0.125, {.at_start = {0, 2, 0}}, history);
      history.last.force[1] = 1.5 * 2 - 0.5 * history.last.acceleration[1];
      EXPECT_NEAR(history.last.acceleration[1], 1.5 * 2 / (density + 0.5), 1e-13);
    }
    EXPECT_NEAR(pose.velocity[1], 1.5 * 2 / (density + 0.5), 1e-13);
    EXPECT_EQ(pose.velocity[0], 0);
  }
}

TEST(FreeMotion, keeps_what_is_fixed_and_falls_by_its_weight) {
  const SolidCase body = free_ball(
      "free: {density: 3, gravity: [1, 2, -4], velocity: [0.5, 0.25, 0], rotation: [0, 0, 2], "
      "fixed: [x, rotation]}");
  BodyPose pose = pose_at_start(body, 0);
  FreeHistory history;
  for (int n = 0; n < 8; ++n) {
    pose = freely_moved(body, pose, {1, 0, 0}, 0.125, {}, history);
    history.last.force = {0, -0.5 * history.last.acceleration[1], 0};
    history.last.force[2] = -0.5 * history.last.acceleration[2];
  }
  EXPECT_NEAR(pose.place[0], 0.7 + 0.5, 1e-14);
  EXPECT_NEAR(pose.velocity[1], 0.25 + 2 * 2 / 3.5, 1e-13);
  EXPECT_NEAR(pose.place[2], 0.7 - 2 * 4 / 3.5 / 2, 1e-13);
  EXPECT_NEAR(pose.orientation[0], std::cos(1.0), 1e-14);
  EXPECT_NEAR(pose.orientation[3], std::sin(1.0), 1e-14);
  FreeHistory copy;
  copy.set_numbers(history.numbers());
  EXPECT_EQ(copy.numbers(), history.numbers());
  EXPECT_NE(copy.numbers(), FreeHistory{}.numbers());
}

/// Heavy bodies without a flow.
class Heap {
 public:
  explicit Heap(const Case& resolved)
      : case_(resolved),
        grid_(staggered_grid(resolved)),
        contacts_(case_, grid_),
        histories_(resolved.solids.size()) {
    for (const SolidCase& body : resolved.solids) poses_.push_back(pose_at_start(body, 0));
  }

  void step(double dt) {
    const std::vector<PerAxis<double>> repulsion = contacts_.repulsion(poses_, dt, 0);
    for (std::size_t n = 0; n < poses_.size(); ++n) {
      if (!case_.solids[n].free) continue;
      poses_[n] = freely_moved(case_.solids[n], poses_[n], repulsion[n], dt, {}, histories_[n]);
    }
  }
  [[nodiscard]] const BodyPose& operator[](std::size_t n) const { return poses_[n]; }
  [[nodiscard]] const BodyContacts& contacts() const { return contacts_; }

 private:
  Case case_;
  StaggeredGrid grid_;
  BodyContacts contacts_;
  std::vector<BodyPose> poses_;
  std::vector<FreeHistory> histories_;
};

/// Masses 8 and 1 on an oblique line across a periodic end, the smaller one at speed 1.
TEST(BodyContacts, exchange_momentum_and_energy_as_elastic_bodies) {
  Heap heap(staggered_case(
      "  a: {shape: sphere, center: [0.2, 0.3, 0.7], radius: 0.2, free: {density: 1000}}\n"
      "  b: {shape: sphere, center: [1.02, -0.06, 0.7], radius: 0.1, free: {density: 1000, "
      "velocity: [0.8, 0.6, 0]}}"));
  double least = 1;
  FlowState during;
  for (int n = 0; n < 2000; ++n) {
    heap.step(5e-4);
    const double gap =
        std::hypot(heap[0].place[0] - heap[1].place[0] + 1.3, heap[0].place[1] - heap[1].place[1]) -
        0.3;
    EXPECT_TRUE(std::isfinite(gap));
    least = std::min(least, gap);
    if (n == 400) heap.contacts().add_to(during);
  }
  ASSERT_EQ(during.numbers.size(), 1U);
  EXPECT_EQ(during.numbers[0].name, "contact_0_1");
  EXPECT_NEAR(least, 0, 1e-3);  // it stops within the distance
  for (int axis = 0; axis < 2; ++axis) {
    const double along = axis == 0 ? 0.8 : 0.6;
    EXPECT_NEAR(heap[0].velocity[axis], along * 2 / 9, 1e-4);
    EXPECT_NEAR(heap[1].velocity[axis], -along * 7 / 9, 1e-3);
    EXPECT_NEAR(8 * heap[0].velocity[axis] + heap[1].velocity[axis], along, 1e-10);
  }
  FlowState behind;
  heap.contacts().add_to(behind);
  EXPECT_TRUE(behind.numbers.empty());
}

/// The way through the range s_0 with a given K: v dv = -k (1 - s/s_0)^2 ds.
TEST(BodyContacts, repel_by_the_given_stiffness) {
  Heap heap(
      staggered_case("  a: {shape: sphere, center: [0.4, 0, 0.7], radius: 0.1, free: {density: "
                     "1000, velocity: [1, "
                     "0, 0]}, collisions: {stiffness: 1e5}}\n"
                     "  b: {shape: sphere, center: [0.85, 0, 0.7], radius: 0.1}"));
  double least = 1;
  for (int n = 0; n < 1000; ++n) {
    heap.step(5e-4);
    least = std::min(least, 0.25 - (heap[0].place[0] - 0.4));
  }
  const double left = 1000.0 / 2 / (1e5 * 0.2 / 3);  // of (1 - s/s_0)^3 at the end of the way
  EXPECT_NEAR(least, 0.2 * (1 - std::cbrt(left)), 1e-4);
  EXPECT_NEAR(heap[0].velocity[0], -1, 1e-4);
  EXPECT_EQ(heap[1].velocity, PerAxis<double>{});
}

TEST(BodyContacts, let_a_body_that_falls_on_a_wall_rise_to_where_it_came_from) {
  Heap heap(staggered_case(
      "  a: {shape: sphere, center: [0.4, 0.1, 0.7], radius: 0.2, free: {density: 1000, gravity: "
      "[0, -0.5, 0]}}"));
  double least = 1;
  double highest = -1;
  for (int n = 0; n < 8000; ++n) {
    heap.step(5e-4);
    least = std::min(least, heap[0].place[1] + 0.7 - 0.2);
    if (n > 4000) highest = std::max(highest, heap[0].place[1]);
  }
  EXPECT_GT(least, -1e-3);
  EXPECT_LT(least, 0.01);  // 1/20 of the distance: weight still speeds the body up at its beginning
  EXPECT_NEAR(highest, 0.1, 1e-3);
}

TEST(BodyContacts, push_a_cylinder_and_a_sphere_apart_across_the_axis) {
  const Case resolved = staggered_case(
      "  rod: {shape: cylinder, axis: z, center: [0.5, 0.1, 0], radius: 0.1, free: {density: 2}, "
      "collisions: {stiffness: 3, distance: 3}}\n"
      "  ball: {shape: sphere, center: [0.66, -0.02, 0.9], radius: 0.05, free: {density: 2}}");
  BodyContacts contacts(resolved, staggered_grid(resolved));
  const std::vector<BodyPose> poses{pose_at_start(resolved.solids[0], 0),
                                    pose_at_start(resolved.solids[1], 0)};
  const std::vector<PerAxis<double>> found = contacts.repulsion(poses, 0.1, 0.1);
  const double part = 1 - 0.05 / 0.3;
  const double volume = displaced_fluid(resolved.solids[0], resolved).volume;
  const double of_ball = displaced_fluid(resolved.solids[1], resolved).volume;
  EXPECT_NEAR(found[0][0], -0.8 * 3 * part * part, 1e-12);
  EXPECT_NEAR(found[0][1], 0.6 * 3 * part * part, 1e-12);
  EXPECT_EQ(found[0][2], 0);
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(volume * found[0][axis] + of_ball * found[1][axis], 0, 1e-15);
}

TEST(BodyContacts, refuse_bodies_that_overlap) {
  const std::string message = message_of<CaseError>([] {
    Heap heap(staggered_case(
        "  a: {shape: sphere, center: [0.4, 0, 0.7], radius: 0.2, free: {density: 2}}\n"
        "  b: {shape: sphere, center: [0.67, 0, 0.7], radius: 0.1}"));
    heap.step(0.01);
  });
  EXPECT_NE(message.find("solids.a.free: in the step to t = 0 it overlaps solids.b by 0.03"),
            std::string::npos)
      << message;
}

}  // namespace
}  // namespace dns::testing::test_free_motion
