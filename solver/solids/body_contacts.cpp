#include "solver/solids/body_contacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "solver/core/error.hpp"
#include "solver/core/names.hpp"
#include "solver/flow/conditions.hpp"
#include "solver/solids/body_reach.hpp"

namespace dns {
namespace {

std::string name_of_contact(std::pair<int, int> pair) {
  return fmt::format("contact_{}_{}", pair.first, pair.second);
}

/// The face of the box that stands second in a pair; none: a body does.
std::optional<int> face_in(std::pair<int, int> pair) {
  return pair.second < 0 ? std::optional(-1 - pair.second) : std::nullopt;
}

double length_of(const PerAxis<double>& vector) {
  return std::hypot(vector[0], vector[1], vector[2]);
}

/// What presses a body against others at most, per mass of the displaced fluid [U^2/L].
double pressing_on(const SolidCase& body, const PerAxis<double>& place) {
  double acceleration = std::abs(body.free->density - 1) * length_of(body.free->gravity);
  if (!body.spring) return acceleration;
  const PerAxis<double> at = body.spring->at.value_or(body.center);
  PerAxis<double> pull{};
  for (int axis = 0; axis < 3; ++axis)
    pull[axis] = body.spring->stiffness[axis] * (place[axis] - at[axis]);
  return acceleration + length_of(pull);
}

}  // namespace

BodyContacts::BodyContacts(const Case& resolved, const StaggeredGrid& grid) : case_(resolved) {
  for (int axis = 0; axis < 3; ++axis) {
    const StaggeredAxis& along = grid[axis];
    width_[axis] = along.width(0);
    for (int cell = 1; cell < along.cells(); ++cell)
      width_[axis] = std::min(width_[axis], along.width(cell));
  }
  for (int body = 0; body < std::ssize(resolved.solids); ++body) {
    const SolidCase& of = resolved.solids[body];
    volume_.push_back(displaced_fluid(of, resolved).volume);
    for (int other = 0; other < std::ssize(resolved.solids); ++other) {
      const SolidCase& of_other = resolved.solids[other];
      const bool is_once = other > body || (other < body && !of_other.free);
      if (of.free && is_once && is_round(other)) pairs_.emplace_back(body, other);
    }
    for (int face = 0; of.free && face < 6; ++face) {
      const int axis = face / 2;
      const bool is_along = of.shape == SolidCase::Shape::cylinder && axis == of.axis;
      if (!is_along && !resolved.is_periodic(axis) && !FaceConditions(resolved, face).is_opening())
        pairs_.emplace_back(body, -1 - face);
    }
  }
}

/// Finite cylinders and other shapes repel nothing.
bool BodyContacts::is_round(int body) const {
  const SolidCase& of = case_.solids[body];
  return of.shape == SolidCase::Shape::sphere ||
         (of.shape == SolidCase::Shape::cylinder && !of.length);
}

/// In the middle of a step of dt, from the poses at its beginning.
auto BodyContacts::approach_of(Pair pair, const std::vector<BodyPose>& poses, double dt) const
    -> Approach {
  const SolidCase& body = case_.solids[pair.first];
  const BodyPose& pose = poses[pair.first];
  const auto middle = [&](const BodyPose& of, int axis) {
    return of.place[axis] + dt / 2 * of.velocity[axis];
  };
  Approach found;
  if (const std::optional<int> face = face_in(pair)) {
    const int axis = *face / 2;
    const double sign = *face % 2 == 0 ? -1 : 1;
    const double end = case_.grid.origin[axis] + (sign > 0 ? case_.grid.length[axis] : 0);
    found.normal[axis] = sign;
    found.gap = sign * (end - middle(pose, axis)) - body.radius;
    found.speed = sign * pose.velocity[axis];
    return found;
  }
  const SolidCase& other = case_.solids[pair.second];
  for (int axis = 0; axis < 3; ++axis) {
    bool is_along = false;
    for (const SolidCase* const of : {&body, &other})
      is_along = is_along || (of->shape == SolidCase::Shape::cylinder && of->axis == axis);
    if (is_along) continue;
    const double way = middle(poses[pair.second], axis) - middle(pose, axis);
    found.normal[axis] =
        case_.is_periodic(axis) ? std::remainder(way, case_.grid.length[axis]) : way;
  }
  const double distance = length_of(found.normal);
  found.gap = distance - body.radius - other.radius;
  for (int axis = 0; axis < 3; ++axis) {
    found.normal[axis] /= distance;
    found.speed += found.normal[axis] * (pose.velocity[axis] - poses[pair.second].velocity[axis]);
  }
  return found;
}

/// s_0.
double BodyContacts::range(Pair pair) const {
  double range = 0;
  for (const int number : {pair.first, pair.second}) {
    if (number < 0) continue;
    const SolidCase& body = case_.solids[number];
    if (!body.free) continue;
    double width = 0;
    for (int axis = 0; axis < 3; ++axis) {
      if (body.shape == SolidCase::Shape::sphere || axis != body.axis)
        width = std::max(width, width_[axis]);
    }
    range = std::max(range, width * body.collisions.value_or(CollisionCase{}).distance);
  }
  return range;
}

/// K that the case gives, or that ends an approach.
double BodyContacts::stiffness(Pair pair,
                               const Approach& approach,
                               const std::vector<BodyPose>& poses) const {
  double given = 0;
  double inverse_mass = 0;
  double pressing = 0;
  for (const int n : {pair.first, pair.second}) {
    if (n < 0) continue;
    const SolidCase& body = case_.solids[n];
    if (!body.free) continue;
    if (body.collisions && body.collisions->stiffness)
      given = std::max(given, volume_[n] * *body.collisions->stiffness);
    const int across = body.shape == SolidCase::Shape::cylinder && body.axis == 0 ? 1 : 0;
    inverse_mass += 1 / (volume_[n] * (body.free->density + body.virtual_mass(across) / 2));
    pressing += volume_[n] * pressing_on(body, poses[n].place);
  }
  if (given > 0) return given;
  const double speed = std::max(approach.speed, 0.0);
  return 3 * (speed * speed / (2 * inverse_mass) / range(pair) + pressing);
}

std::vector<PerAxis<double>> BodyContacts::repulsion(const std::vector<BodyPose>& poses,
                                                     double dt,
                                                     double t) {
  std::vector<PerAxis<double>> accelerations(poses.size());
  for (const Pair& pair : pairs_) {
    const Approach approach = approach_of(pair, poses, dt);
    const double part = 1 - approach.gap / range(pair);
    if (!(part > 0)) {
      held_.erase(pair);
      continue;
    }
    if (hard_bounce_.empty()) note_bounce(pair, approach, t);
    const auto [first, second] = pair;
    if (!face_in(pair)) {
      const SolidCase& body = case_.solids[first];
      const SolidCase& other = case_.solids[second];
      if (-approach.gap > most_overlap * std::min(body.radius, other.radius)) {
        throw CaseError(fmt::format(
            "{}.free: in the step to t = {:.6g} {} overlaps solids.{} by {:.3g}, but {} of the "
            "smaller radius is the most; take shorter steps, or set a larger collisions.stiffness",
            body.path(),
            t,
            body.is_one_of_several() ? "body " + body.name : std::string("it"),
            other.name,
            -approach.gap,
            most_overlap));
      }
    }
    double& held = held_[pair];
    held = std::max(held, stiffness(pair, approach, poses));
    const double force = held * part * part;
    for (int axis = 0; axis < 3; ++axis) {
      accelerations[first][axis] -= force * approach.normal[axis] / volume_[first];
      if (face_in(pair)) continue;
      if (case_.solids[second].free)
        accelerations[second][axis] += force * approach.normal[axis] / volume_[second];
    }
  }
  return accelerations;
}

void BodyContacts::note_bounce(Pair pair, const Approach& approach, double t) {
  constexpr double most = 10;
  for (const int number : {pair.first, pair.second}) {
    if (number < 0) continue;
    const SolidCase& body = case_.solids[number];
    if (!body.free) continue;
    const double stokes =
        body.free->density * 2 * body.radius * approach.speed / (9 * case_.viscosity());
    if (!(stokes > most)) continue;
    const std::optional<int> face = face_in(pair);
    const int other = number == pair.first ? pair.second : pair.first;
    hard_bounce_ = fmt::format(
        "{}: at t = {:.4g} it comes near {} at the Stokes number {:.3g}; above {:g} bodies bounce, "
        "but the lubrication that decides how far is not resolved",
        body.is_one_of_several() ? "solids." + body.name : body.path(),
        t,
        face ? "boundaries." + std::string(face_names[*face])
             : "solids." + case_.solids[other].name,
        stokes,
        most);
    return;
  }
}

void BodyContacts::add_to(FlowState& copy) const {
  for (const auto& [pair, held] : held_) copy.numbers.push_back({name_of_contact(pair), held});
}

void BodyContacts::start(const FlowState* copy) {
  held_.clear();
  if (copy == nullptr) return;
  std::map<std::string, double> numbers;
  for (const NamedNumber& number : copy->numbers) {
    if (number.name.starts_with("contact_")) numbers[number.name] = number.value;
  }
  if (numbers.empty()) return;
  for (const Pair& pair : pairs_) {
    const auto found = numbers.find(name_of_contact(pair));
    if (found != numbers.end()) held_[pair] = found->second;
  }
}

}  // namespace dns
