/// Rigid bodies that move through the grid: which unknowns they hold at one time, and where their
/// surfaces cut the lines of the grid (kappa and W of solver/numerics/solid_rows.hpp).
///
/// A body is given in its own frame, that of the grid at the start: a function phi that is not
/// above 0 in the body. With its place X and its turn R, at a point x it is
///
///   phi(R^T (x - X))         the velocity there is V_0 + Omega x (x - X)
///
/// Rows are trapezoidal in time (theta of solid_rows.hpp), so that cut ones are pulled to the W of
/// that time within the step: theta W^(n+1) + (1 - theta) W^n, with W^n of the velocity at its
/// beginning, at the place of the body at its end.
///
/// Faces that are the only open ones of a cell become part of the body beside them, also those that
/// are so because of one other such face.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "solver/core/field_view.hpp"
#include "solver/core/host_device.hpp"
#include "solver/core/index.hpp"
#include "solver/numerics/formula.hpp"
#include "solver/numerics/part_to_surface.hpp"
#include "solver/numerics/solid_rows.hpp"

namespace dns {

/// The velocity of a rigid body, in the frame of the grid.
struct RigidVelocity {
  PerAxis<double> velocity{};  // V_0, of the centre [U]
  PerAxis<double> rotation{};  // Omega [U/L]

  /// A component of it at a way from the centre [U].
  [[nodiscard]] DNS_HD double at(int component, const PerAxis<double>& way) const {
    const int first = (component + 1) % 3;
    const int second = (component + 2) % 3;
    return velocity[component] + rotation[first] * way[second] - rotation[second] * way[first];
  }
};

/// A body at one time.
struct BodyAtTime {
  enum class Shape : int { sphere, cylinder, box, formula };

  Shape shape = Shape::sphere;
  PerAxis<double> place{};          // X, where the centre is [L]
  PerAxis<PerAxis<double>> turn{};  // R, row by row
  PerAxis<double> middle{};         // the place of the middle of its shape [L]
  // What follows is in the frame of the body.
  PerAxis<double> half{};   // box; cylinder along its axis, infinite: endless [L]
  double radius = 0;        // sphere, cylinder [L]
  int axis = 0;             // cylinder
  PerAxis<double> start{};  // formula: the centre at the start [L]
  bool is_turned = false;   // formula: R is not 1
  const Instruction* program = nullptr;
  int instructions = 0;
  RigidVelocity motion, gain;  // gain: of the motion, in the step
  double scalar = 0;           // the value of the scalar that is looked at
  bool is_insulated = false;   // nothing of that scalar passes the surface

  /// phi from the way from the place of the middle of the shape.
  [[nodiscard]] DNS_HD double function(const PerAxis<double>& way) const {
    if (shape == Shape::sphere)
      return std::sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]) - radius;
    PerAxis<double> x{};
    for (int a = 0; a < 3; ++a)
      x[a] = turn[0][a] * way[0] + turn[1][a] * way[1] + turn[2][a] * way[2];
    if (shape == Shape::formula) return formula(start[0] + x[0], start[1] + x[1], start[2] + x[2]);
    if (shape == Shape::box) {
      const double first = std::fabs(x[0]) - half[0];
      const double second = std::fabs(x[1]) - half[1];
      const double third = std::fabs(x[2]) - half[2];
      const double larger = first > second ? first : second;
      return larger > third ? larger : third;
    }
    const double along = axis == 0 ? x[0] : axis == 1 ? x[1] : x[2];
    const double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] - along * along;
    const double across = std::sqrt(square > 0 ? square : 0.0) - radius;
    const double beyond = std::fabs(along) - (axis == 0 ? half[0] : axis == 1 ? half[1] : half[2]);
    return across > beyond ? across : beyond;
  }
  [[nodiscard]] DNS_HD double formula(double x, double y, double z) const {
    return value_of(program, instructions, x, y, z, 0);
  }
};

/// Most bodies near a box of points: one bit each.
inline constexpr int most_bodies_near = 32;

/// The bodies near a box of points of a grid that may be periodic, in the order of the case.
struct BodiesNear {
  const BodyAtTime* all = nullptr;  // bodies of the case
  int number[most_bodies_near] = {};
  int count = 0;
  PerAxis<double> origin{}, length{};  // of the grid
  PerAxis<bool> repeats{};             // whether it is periodic

  /// The shortest way to x from a place or one of its images.
  [[nodiscard]] DNS_HD PerAxis<double> way(const PerAxis<double>& from,
                                           const PerAxis<double>& x) const {
    PerAxis<double> shortest{};
    for (int a = 0; a < 3; ++a) {
      shortest[a] = x[a] - from[a];
      if (repeats[a] && 2 * std::fabs(shortest[a]) > length[a])
        shortest[a] = std::remainder(shortest[a], length[a]);
    }
    return shortest;
  }
  [[nodiscard]] DNS_HD const BodyAtTime& body(int n) const { return all[number[n]]; }
  /// The function of a body at a point. A formula that is not turned is taken as it is inside the
  /// box, repeated along periodic axes; a turned one at the image nearest to its centre.
  [[nodiscard]] DNS_HD double function(int n, const PerAxis<double>& x) const {
    const BodyAtTime& of = body(n);
    if (of.shape != BodyAtTime::Shape::formula || of.is_turned)
      return of.function(way(of.middle, x));
    PerAxis<double> image{};
    for (int a = 0; a < 3; ++a) {
      image[a] = x[a] - (of.place[a] - of.start[a]);
      if (repeats[a]) image[a] -= length[a] * std::floor((image[a] - origin[a]) / length[a]);
    }
    return of.formula(image[0], image[1], image[2]);
  }
  /// The first of some bodies, by its place here, that holds a point; -1: none. Bit n of `some`
  /// stands for body n.
  [[nodiscard]] DNS_HD int holding(const PerAxis<double>& x, unsigned some) const {
    for (int n = 0; n < count && some >> n != 0; ++n) {
      if ((some >> n & 1) != 0 && function(n, x) <= 0) return n;
    }
    return -1;
  }
  /// part_to_convex_surface of a sphere: its equation, solved. there: the neighbour in the body, so
  /// far along `axis` from the point.
  [[nodiscard]] DNS_HD double part_to_sphere(int n,
                                             const PerAxis<double>& there,
                                             int axis,
                                             double distance) const {
    constexpr double parts = std::int64_t{1} << steps_to_surface;
    const PerAxis<double> end = way(body(n).middle, there);
    const double along = axis == 0 ? end[0] : axis == 1 ? end[1] : end[2];
    const double across = end[0] * end[0] + end[1] * end[1] + end[2] * end[2] - along * along;
    const double square = body(n).radius * body(n).radius - across;
    const double half_chord = square > 0 ? std::sqrt(square) : 0.0;
    const double part = 1 - (along + (distance > 0 ? half_chord : -half_chord)) / distance;
    const double rounded = std::floor(part * parts) / parts;
    return rounded > least_theta ? rounded : least_theta;
  }
  /// The bodies that may be as near to a point as `distance` [L], a bit each.
  [[nodiscard]] DNS_HD unsigned within(double distance, const PerAxis<double>& x) const {
    unsigned some = 0;
    for (int n = 0; n < count; ++n) {
      if (body(n).shape == BodyAtTime::Shape::formula || !(function(n, x) > distance))
        some |= 1U << n;
    }
    return some;
  }
  /// What body n gives a variable at a point: a velocity component or the scalar.
  [[nodiscard]] DNS_HD double value(int n, int variable, const PerAxis<double>& x) const {
    if (!is_velocity(variable)) return body(n).scalar;
    return body(n).motion.at(variable, way(body(n).place, x));
  }
  /// The gain in the step of value(): 0 for scalars, which do not change.
  [[nodiscard]] DNS_HD double gain(int n, int variable, const PerAxis<double>& x) const {
    return is_velocity(variable) ? body(n).gain.at(variable, way(body(n).place, x)) : 0;
  }
};

/// The points of a staggered grid in a part: arrays that begin `before` entries before its first
/// point and end as many behind its last one.
struct LinesOfPoints {
  static constexpr int before = 4;
  static constexpr int far = 1 << 30;

  PerAxis<const double*> face, centre;     // coordinates [L]
  PerAxis<const double*> width, distance;  // of cells; of centres on both sides of faces [L]
  PerAxis<int> first, end;                 // cells of the box; -far, far along periodic axes
  PerAxis<int> points;                     // of the part
  PerAxis<bool> ends_low, ends_high;       // whether the part ends at a boundary of the box
  PerFace<bool> is_closed;                 // whether no fluid passes that boundary

  [[nodiscard]] DNS_HD PerAxis<double> at(int variable, Index3 c) const {
    return {along(0, variable, c.i), along(1, variable, c.j), along(2, variable, c.k)};
  }
  [[nodiscard]] DNS_HD double width_of(int axis, int index) const {
    return width[axis][index + before];
  }
  [[nodiscard]] DNS_HD double distance_of(int axis, int index) const {
    return distance[axis][index + before];
  }
  /// The larger of the ways along an axis from a point to the second faces on both sides [L].
  [[nodiscard]] DNS_HD double to_second_face(int axis, int variable, int index) const {
    const double x = along(axis, variable, index);
    const double down = x - face[axis][index - (axis == variable ? 2 : 1) + before];
    const double up = face[axis][index + 2 + before] - x;
    return down > up ? down : up;
  }
  /// Whether the sweeps solve for the variable there: neither on a boundary plane nor beyond one.
  [[nodiscard]] DNS_HD bool is_unknown(int variable, Index3 c) const {
    return is_within(0, variable, c.i) && is_within(1, variable, c.j) &&
           is_within(2, variable, c.k);
  }
  /// The nearest point of the part for a ghost point beyond a boundary of the box, else the point
  /// itself.
  [[nodiscard]] DNS_HD Index3 inside(Index3 c) const {
    return {nearest(0, c.i), nearest(1, c.j), nearest(2, c.k)};
  }

 private:
  [[nodiscard]] DNS_HD double along(int axis, int variable, int index) const {
    return (axis == variable ? face[axis] : centre[axis])[index + before];
  }
  [[nodiscard]] DNS_HD bool is_within(int axis, int variable, int index) const {
    return index >= first[axis] + (axis == variable ? 1 : 0) && index < end[axis];
  }
  [[nodiscard]] DNS_HD int nearest(int axis, int index) const {
    if (index < 0 && ends_low[axis]) return 0;
    if (index >= points[axis] && ends_high[axis]) return points[axis] - 1;
    return index;
  }
};

/// The point so many steps further along an axis known at run time only.
[[nodiscard]] DNS_HD Index3 further_along(int axis, Index3 c, int steps) {
  if (axis == 0) return {c.i + steps, c.j, c.k};
  if (axis == 1) return {c.i, c.j + steps, c.k};
  return {c.i, c.j, c.k + steps};
}
[[nodiscard]] DNS_HD int index_along(int axis, Index3 c) {
  return axis == 0 ? c.i : axis == 1 ? c.j : c.k;
}

/// Which body a point belongs to, by its place among the bodies near; -1: none. some: the bodies
/// looked at, a bit each.
struct OwnersOfPoints {
  BodiesNear bodies;
  LinesOfPoints lines;

  /// By the functions of the bodies alone.
  [[nodiscard]] DNS_HD int holding(int variable, Index3 c, unsigned some) const {
    return lines.is_unknown(variable, c) ? bodies.holding(lines.at(variable, c), some) : -1;
  }
  /// The bodies that may hold a point on which the row of c depends, a bit each. Such points reach
  /// to the second faces along each axis.
  [[nodiscard]] DNS_HD unsigned around(int variable, Index3 c) const {
    double square = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const double way = lines.to_second_face(axis, variable, index_along(axis, c));
      square += way * way;
    }
    return bodies.within(std::sqrt(square), lines.at(variable, c));
  }
  /// Dead ends included.
  [[nodiscard]] DNS_HD int owner(int variable, Index3 c, unsigned some) const {
    return is_velocity(variable) ? of_face<2>(variable, c, some) : holding(variable, c, some);
  }

 private:
  /// The owner of a face after so many passes that close dead ends.
  template <int passes>
  [[nodiscard]] DNS_HD int of_face(int axis, Index3 c, unsigned some) const {
    int owner = holding(axis, c, some);
    if constexpr (passes > 0) {
      if (owner >= 0 || !lines.is_unknown(axis, c)) return owner;
      for (int side = 0; side < 2; ++side) {
        const int found = closing<passes - 1>(further_along(axis, c, -side), axis, side, some);
        if (found > owner) owner = found;
      }
    }
    return owner;
  }
  /// The body that closes the last open face of a cell, at the low (0) or high (1) end along
  /// `axis`; -1 where another face is open.
  template <int passes>
  [[nodiscard]] DNS_HD int closing(Index3 cell, int axis, int end, unsigned some) const {
    int owner = -1;
    DNS_ROLLED
    for (int n = 0; n < 3; ++n) {
      const int along = (axis + n) % 3;  // the opposite face first: it is open most often
      for (int side = 0; side < 2; ++side) {
        if (n == 0 && side == end) continue;
        const Index3 face = further_along(along, cell, side);
        const int index = index_along(along, face);
        const bool is_boundary =
            side == 0 ? index <= lines.first[along] : index >= lines.end[along];
        if (is_boundary && lines.is_closed[2 * along + side]) continue;
        const int found = of_face<passes>(along, face, some);
        if (found < 0) return -1;
        if (found > owner) owner = found;
      }
    }
    return owner;
  }
};

/// Makes kappa, W and the owner of one variable anew at a point, for the bodies at one time.
template <class Real>
struct MakeSolidRows {
  OwnersOfPoints owners;
  int variable = 0;
  double diffusivity = 0;  // [U L]
  FieldView<Real> kappa;
  FieldView<Real> target;  // W; null: it is the same everywhere
  FieldView<Real> owner;  // 1 + number of the body that an unknown feels, 0: none; null: not wanted
  double dt = 0;          // of a step in which theta may be below 1, else 0 [L/U]
  double in_body = std::numeric_limits<double>::infinity();  // kappa there [U/L]

  DNS_HD void operator()(Index3 c) const {
    double rate = 0;
    double pulled = 0;
    int number = 0;
    find(owners.lines.inside(c), rate, pulled, number);
    const auto spot = kappa.spot(c);
    kappa.set(spot, static_cast<Real>(rate));
    if (target.origin != nullptr) target.set(spot, static_cast<Real>(pulled));
    if (owner.origin != nullptr) owner.set(spot, static_cast<Real>(number));
  }

 private:
  DNS_HD void find(Index3 c, double& rate, double& pulled, int& number) const {
    const BodiesNear& bodies = owners.bodies;
    if (!owners.lines.is_unknown(variable, c)) return;
    const unsigned near = owners.around(variable, c);
    if (near == 0) return;
    const PerAxis<double> x = owners.lines.at(variable, c);
    if (const int own = owners.owner(variable, c, near); own >= 0) {
      rate = in_body;
      pulled = bodies.value(own, variable, x);
      number = bodies.number[own] + 1;
      return;
    }
    double gained = 0;
    double nearest = 2;
    DNS_ROLLED
    for (int n = 0; n < 6; ++n) {
      const int axis = n / 2;
      const int side = n % 2;
      const Index3 next = further_along(axis, c, side == 0 ? -1 : 1);
      const int beyond = owners.holding(variable, next, near);
      if (beyond < 0) continue;
      add_cut(x, c, axis, side, next, near, beyond, rate, pulled, gained, nearest, number);
    }
    if (rate > 0) pulled = (pulled - part_before(rate) * gained) / rate;
  }
  /// 1 - theta.
  [[nodiscard]] DNS_HD double part_before(double rate) const {
    if (dt == 0) return 0;
    return dt * rate < 2 ? 0.5 : 1 / (dt * rate);
  }

  /// Adds a cut end. Of bodies that overlap beyond it, the surface is that of the first one on the
  /// way.
  DNS_HD void add_cut(const PerAxis<double>& x,
                      Index3 c,
                      int axis,
                      int side,
                      Index3 next,
                      unsigned near,
                      int beyond,
                      double& rate,
                      double& pulled,
                      double& gained,
                      double& nearest,
                      int& number) const {
    const LinesOfPoints& lines = owners.lines;
    const BodiesNear& bodies = owners.bodies;
    const PerAxis<double> there = lines.at(variable, next);
    const auto place = [&](double part) {
      PerAxis<double> on_way = x;
      for (int a = 0; a < 3; ++a)
        if (a == axis) on_way[a] += part * (there[a] - x[a]);
      return on_way;
    };
    const double way = axis == 0 ? there[0] - x[0] : axis == 1 ? there[1] - x[1] : there[2] - x[2];
    double theta = 2;
    int met = beyond;
    for (int n = beyond; n < bodies.count && near >> n != 0; ++n) {
      if ((near >> n & 1) == 0 || (n != beyond && bodies.function(n, there) > 0)) continue;
      const auto function = [&](double of_way) { return bodies.function(n, place(of_way)); };
      const BodyAtTime::Shape shape = bodies.body(n).shape;
      const double part = shape == BodyAtTime::Shape::sphere
                              ? bodies.part_to_sphere(n, there, axis, way)
                          : shape == BodyAtTime::Shape::formula ? part_to_surface(function)
                                                                : part_to_convex_surface(function);
      if (part < theta) {
        theta = part;
        met = n;
      }
    }
    if (bodies.body(met).is_insulated) return;
    const int index = index_along(axis, c);
    const bool is_face = axis == variable;
    const double width = is_face ? lines.distance_of(axis, index) : lines.width_of(axis, index);
    const double distance =
        is_face ? lines.width_of(axis, index - 1 + side) : lines.distance_of(axis, index + side);
    const double diffusion = diffusivity / (width * distance);
    rate += pull_of_cut(diffusion, theta);
    pulled += pull_times_target(diffusion,
                                theta,
                                bodies.value(met, variable, place(theta)),
                                bodies.value(met, variable, place(1)));
    gained += pull_times_target(diffusion,
                                theta,
                                bodies.gain(met, variable, place(theta)),
                                bodies.gain(met, variable, place(1)));
    if (theta < nearest) {
      nearest = theta;
      number = bodies.number[met] + 1;
    }
  }
};

/// 1 at cell centres in bodies, else 0.
template <class Real>
struct MarkSolidCells {
  OwnersOfPoints owners;
  FieldView<Real> solid;

  DNS_HD void operator()(Index3 c) const {
    constexpr unsigned all = ~0U;
    const bool is_in_body = owners.holding(first_scalar, owners.lines.inside(c), all) >= 0;
    solid.set(c, static_cast<Real>(is_in_body ? 1 : 0));
  }
};

}  // namespace dns
