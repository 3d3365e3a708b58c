#include "solver/solids/free_motion.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dns {
namespace {

/// Calls act(number) with each number of a history.
template <class History, class Act>
void for_numbers_of(History& history, const Act& act) {
  for (auto* const step : {&history.last, &history.before}) {
    act(step->length);
    for (auto* const values :
         {&step->acceleration, &step->force, &step->angular_acceleration, &step->torque}) {
      for (auto& value : *values) act(value);
    }
  }
  for (auto& value : history.angle) act(value);
}

/// A body and the fluid around it as one of its velocities changes, over the displaced fluid.
struct Response {
  double density = 1;           // rho, with C_a = 0 not below the error of sums over cells
  double virtual_mass = 0;      // C_v
  bool is_extrapolated = true;  // else F* and a* are those of the last step
};

/// added_mass: C_a of potential flow.
Response response_of(const SolidCase& body,
                     double added_mass,
                     const FluidAround& fluid,
                     double dt) {
  const double layer = std::sqrt(fluid.viscosity * dt) / body.radius;
  const double of_layer = 8 * layer + 16 * layer * layer;
  const double cell = fluid.cell_width / body.radius;
  const double of_sums = added_mass > 0 ? 0 : 0.8 * std::pow(cell, 1.5);
  const double density = std::max(body.free->density, of_sums);
  return {.density = density,
          .virtual_mass = std::max(2 * added_mass + of_layer, (3 * cell - density) / 4),
          .is_extrapolated = density + added_mass >= of_layer};
}

/// theta, the weight of the new velocity in the force of a damper; the old one has the rest. It is
/// above 1/2 in steps of more than 2 mass/damping, which stop a body without ringing.
double weight_of_new_velocity(double mass, double damping, double dt) {
  return damping * dt > 2 * mass ? 1 - mass / (damping * dt) : 0.5;
}

/// F* or a* along an axis.
double predicted(const FreeHistory& history,
                 double dt,
                 PerAxis<double> FreeStep::*value,
                 int axis,
                 const Response& response) {
  const double last = (history.last.*value)[axis];
  if (history.before.length == 0 || !response.is_extrapolated) return last;
  const double part = (dt + history.last.length) / (history.last.length + history.before.length);
  return last + part * (last - (history.before.*value)[axis]);
}

}  // namespace

std::array<double, FreeHistory::count> FreeHistory::numbers() const {
  std::array<double, count> numbers{};
  std::size_t n = 0;
  for_numbers_of(*this, [&](double value) { numbers.at(n++) = value; });
  return numbers;
}

void FreeHistory::set_numbers(const std::array<double, count>& numbers) {
  std::size_t n = 0;
  for_numbers_of(*this, [&](double& value) { value = numbers.at(n++); });
}

BodyPose freely_moved(const SolidCase& body,
                      const BodyPose& pose,
                      const PerAxis<double>& repulsion,
                      double dt,
                      const FluidAround& fluid,
                      FreeHistory& history) {
  const FreeCase& free = *body.free;
  const SpringCase spring = body.spring.value_or(SpringCase{});
  const PerAxis<double> at = spring.at.value_or(body.center);
  const bool is_first = history.last.length == 0;
  const double part = is_first ? 0.5 : 1;  // half of C_v is added mass
  if (is_first) history.last.force = history.last.acceleration = fluid.at_start;
  const Response turning = response_of(body, 0, fluid, dt);
  FreeStep step{.length = dt};
  BodyPose moved = pose;
  PerAxis<double> turn{};
  for (int axis = 0; axis < 3; ++axis) {
    const bool is_sphere = body.shape == SolidCase::Shape::sphere;
    const auto before = [&](PerAxis<double> FreeStep::*value, const Response& response) {
      return predicted(history, dt, value, axis, response);
    };
    double& a = step.acceleration[axis];
    if (!free.keeps(FreeCase::fixed_names[axis])) {
      const bool is_along = !is_sphere && axis == body.axis;
      const double added_mass = is_along ? 0 : body.virtual_mass(axis) / 2;
      const Response moving = response_of(body, added_mass, fluid, dt);
      const double virtual_mass = part * moving.virtual_mass;
      const double damping = spring.damping[axis];
      const double weight = weight_of_new_velocity(moving.density + added_mass / 4, damping, dt);
      const double middle = pose.place[axis] + dt / 2 * pose.velocity[axis];
      a = (before(&FreeStep::force, moving) +
           virtual_mass * before(&FreeStep::acceleration, moving) +
           (free.density - 1) * free.gravity[axis] - spring.stiffness[axis] * (middle - at[axis]) -
           damping * pose.velocity[axis] + repulsion[axis]) /
          (moving.density + virtual_mass + weight * damping * dt);
    }
    moved.place[axis] += dt * (pose.velocity[axis] + dt / 2 * a);
    moved.velocity[axis] += dt * a;
    double& alpha = step.angular_acceleration[axis];
    if ((is_sphere || axis == body.axis) && !free.keeps("rotation")) {
      const double virtual_inertia = part * turning.virtual_mass;
      const double angle = history.angle[axis] + dt / 2 * pose.rotation[axis];
      alpha = (before(&FreeStep::torque, turning) +
               virtual_inertia * before(&FreeStep::angular_acceleration, turning) -
               spring.torsion * angle) /
              (turning.density + virtual_inertia);
    }
    turn[axis] = dt * (pose.rotation[axis] + dt / 2 * alpha);
    history.angle[axis] += turn[axis];
    moved.rotation[axis] += dt * alpha;
  }
  moved.orientation = turned_by(pose.orientation, turn);
  history.before = std::exchange(history.last, step);
  return moved;
}

void take_impulses(const BodyLoads& impulses,
                   const DisplacedFluid& displaced,
                   FreeHistory& history) {
  FreeStep& step = history.last;
  for (int axis = 0; axis < 3; ++axis) {
    const std::size_t sum = axis;
    step.force[axis] = impulses[sum] / (displaced.volume * step.length);
    step.torque[axis] = impulses[3 + sum] / (displaced.inertia[axis][axis] * step.length);
  }
}

}  // namespace dns
