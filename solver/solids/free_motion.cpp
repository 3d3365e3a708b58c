#include "solver/solids/free_motion.hpp"

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

/// At the middle of a step of dt, what steps before it had.
PerAxis<double> extrapolated(const FreeHistory& history,
                             double dt,
                             PerAxis<double> FreeStep::*value) {
  PerAxis<double> result = history.last.*value;
  if (history.before.length == 0) return result;
  const double part = (dt + history.last.length) / (history.last.length + history.before.length);
  for (int axis = 0; axis < 3; ++axis)
    result[axis] += part * (result[axis] - (history.before.*value)[axis]);
  return result;
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
                      double viscosity,
                      FreeHistory& history) {
  const FreeCase& free = *body.free;
  const SpringCase spring = body.spring.value_or(SpringCase{});
  const PerAxis<double> at = spring.at.value_or(body.center);
  const double layer = std::sqrt(viscosity * dt) / body.radius;
  const double of_layer = 8 * layer + 16 * layer * layer;
  const double part = history.last.length == 0 ? 0.5 : 1;  // half of it is added mass
  const double virtual_inertia = part * (SolidCase::virtual_inertia + of_layer);
  const PerAxis<double> force = extrapolated(history, dt, &FreeStep::force);
  const PerAxis<double> torque = extrapolated(history, dt, &FreeStep::torque);
  const PerAxis<double> followed = extrapolated(history, dt, &FreeStep::acceleration);
  const PerAxis<double> turned = extrapolated(history, dt, &FreeStep::angular_acceleration);
  FreeStep step{.length = dt};
  BodyPose moved = pose;
  PerAxis<double> turn{};
  for (int axis = 0; axis < 3; ++axis) {
    double& a = step.acceleration[axis];
    const double virtual_mass = part * (body.virtual_mass(axis) + of_layer);
    const double middle = pose.place[axis] + dt / 2 * pose.velocity[axis];
    if (!free.keeps(FreeCase::fixed_names[static_cast<std::size_t>(axis)])) {
      a = (force[axis] + virtual_mass * followed[axis] + (free.density - 1) * free.gravity[axis] -
           spring.stiffness[axis] * (middle - at[axis]) -
           spring.damping[axis] * pose.velocity[axis] + repulsion[axis]) /
          (free.density + virtual_mass + spring.damping[axis] * dt / 2);
    }
    moved.place[axis] += dt * (pose.velocity[axis] + dt / 2 * a);
    moved.velocity[axis] += dt * a;
    double& alpha = step.angular_acceleration[axis];
    const bool may_turn = body.shape == SolidCase::Shape::sphere || axis == body.axis;
    if (may_turn && !free.keeps("rotation")) {
      const double angle = history.angle[axis] + dt / 2 * pose.rotation[axis];
      alpha = (torque[axis] + virtual_inertia * turned[axis] - spring.torsion * angle) /
              (free.density + virtual_inertia);
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
    const auto sum = static_cast<std::size_t>(axis);
    step.force[axis] = impulses[sum] / (displaced.volume * step.length);
    step.torque[axis] = impulses[3 + sum] / (displaced.inertia[axis][axis] * step.length);
  }
}

}  // namespace dns
