#include "solver/solids/rigid_motion.hpp"

#include <cmath>

namespace dns {
namespace {

PerAxis<double> values_at(const PerAxis<Expression>& formulas, double t) {
  return {formulas[0](0, 0, 0, t), formulas[1](0, 0, 0, t), formulas[2](0, 0, 0, t)};
}

std::array<double, 4> quaternion_product(const std::array<double, 4>& a,
                                         const std::array<double, 4>& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
          a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

}  // namespace

std::array<double, 4> turned_by(const std::array<double, 4>& orientation,
                                const PerAxis<double>& v) {
  const double angle = std::hypot(v[0], v[1], v[2]);
  if (angle == 0) return orientation;
  const double part = std::sin(angle / 2) / angle;
  std::array<double, 4> result =
      quaternion_product({std::cos(angle / 2), part * v[0], part * v[1], part * v[2]}, orientation);
  double square = 0;
  for (const double component : result) square += component * component;
  for (double& component : result) component /= std::sqrt(square);
  return result;
}

PerAxis<double> cross_product(const PerAxis<double>& a, const PerAxis<double>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

PerAxis<double> product(const Matrix3& matrix, const PerAxis<double>& vector) {
  PerAxis<double> result{};
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) result[row] += matrix[row][column] * vector[column];
  }
  return result;
}

void set_velocities(const SolidCase& body, double t, BodyPose& pose) {
  if (!body.motion) return;
  pose.velocity = values_at(body.motion->velocity, t);
  pose.rotation = values_at(body.motion->rotation, t);
}

BodyPose pose_at_start(const SolidCase& body, double t) {
  BodyPose pose;
  pose.place = body.center;
  if (body.free) {
    pose.velocity = body.free->velocity;
    pose.rotation = body.free->rotation;
  }
  set_velocities(body, t, pose);
  return pose;
}

BodyPose moved_pose(const SolidCase& body, BodyPose pose, double t, double dt) {
  if (!body.motion) return pose;
  const PerAxis<double> before = values_at(body.motion->velocity, t);
  const PerAxis<double> middle = values_at(body.motion->velocity, t + dt / 2);
  const PerAxis<double> after = values_at(body.motion->velocity, t + dt);
  for (int axis = 0; axis < 3; ++axis)
    pose.place[axis] += dt / 6 * (before[axis] + 4 * middle[axis] + after[axis]);
  const double root = std::sqrt(3.0);
  const PerAxis<double> first = values_at(body.motion->rotation, t + dt * (0.5 - root / 6));
  const PerAxis<double> second = values_at(body.motion->rotation, t + dt * (0.5 + root / 6));
  const PerAxis<double> across = cross_product(first, second);
  PerAxis<double> turn{};
  for (int axis = 0; axis < 3; ++axis)
    turn[axis] = dt / 2 * (first[axis] + second[axis]) - root / 12 * dt * dt * across[axis];
  pose.orientation = turned_by(pose.orientation, turn);
  set_velocities(body, t + dt, pose);
  return pose;
}

Matrix3 matrix_of(const std::array<double, 4>& orientation) {
  const auto [w, x, y, z] = orientation;
  Matrix3 matrix;
  matrix[0] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)};
  matrix[1] = {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)};
  matrix[2] = {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)};
  return matrix;
}

void add_volume(double volume, const PerAxis<double>& way, DisplacedFluid& fluid) {
  fluid.volume += volume;
  const double square = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
  for (int row = 0; row < 3; ++row) {
    fluid.first[row] += volume * way[row];
    for (int column = 0; column < 3; ++column)
      fluid.inertia[row][column] +=
          volume * ((row == column ? square : 0) - way[row] * way[column]);
  }
}

DisplacedFluid displaced_fluid(const SolidCase& body, const Case& resolved) {
  constexpr double pi = 3.14159265358979323846;
  DisplacedFluid fluid;
  if (body.shape == SolidCase::Shape::sphere) {
    fluid.volume = 4 * pi / 3 * std::pow(body.radius, 3);
    for (int axis = 0; axis < 3; ++axis)
      fluid.inertia[axis][axis] = 0.4 * fluid.volume * body.radius * body.radius;
  } else if (body.shape == SolidCase::Shape::cylinder) {
    const double length = body.length.value_or(resolved.grid.length[body.axis]);
    const double square = body.radius * body.radius;
    fluid.volume = pi * square * length;
    for (int axis = 0; axis < 3; ++axis) {
      fluid.inertia[axis][axis] =
          fluid.volume * (axis == body.axis ? square / 2 : square / 4 + length * length / 12);
    }
  } else if (body.shape == SolidCase::Shape::box) {
    PerAxis<double> middle{};
    PerAxis<double> width{};
    double volume = 1;
    for (int axis = 0; axis < 3; ++axis) {
      middle[axis] = (body.low[axis] + body.high[axis]) / 2 - body.center[axis];
      width[axis] = body.high[axis] - body.low[axis];
      volume *= width[axis];
    }
    add_volume(volume, middle, fluid);
    for (int axis = 0; axis < 3; ++axis) {
      const double first = width[(axis + 1) % 3];
      const double second = width[(axis + 2) % 3];
      fluid.inertia[axis][axis] += volume * (first * first + second * second) / 12;
    }
  }
  return fluid;
}

BodyMomentum momentum_of(const DisplacedFluid& fluid, const BodyPose& pose) {
  const Matrix3 turn = matrix_of(pose.orientation);
  Matrix3 back;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) back[row][column] = turn[column][row];
  }
  const PerAxis<double> first = product(turn, fluid.first);
  const PerAxis<double> by_turn = cross_product(pose.rotation, first);
  const PerAxis<double> by_way = cross_product(first, pose.velocity);
  const PerAxis<double> spin = product(turn, product(fluid.inertia, product(back, pose.rotation)));
  BodyMomentum momentum;
  for (int axis = 0; axis < 3; ++axis) {
    momentum.linear[axis] = fluid.volume * pose.velocity[axis] + by_turn[axis];
    momentum.angular[axis] = by_way[axis] + spin[axis];
  }
  return momentum;
}

}  // namespace dns
