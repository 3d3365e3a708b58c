/// Bodies at rest that particles meet.
///
/// A particle that a step has taken into a body, nearer to its surface than half its diameter,
/// comes back along the tangent plane of the point where it met the surface, as from a wall (Bounce
/// of solver/numerics/particle_step.hpp): v_n is that along the normal there. The point is found by
/// going back along the velocity.
#pragma once

#include <cmath>
#include <cstdint>

#include "solver/core/host_device.hpp"
#include "solver/core/index.hpp"
#include "solver/numerics/distance_lattice.hpp"
#include "solver/numerics/formula.hpp"
#include "solver/numerics/particle_motion.hpp"

namespace dns {

/// How far a place is from a surface, below 0 inside [L], and the direction away from it.
struct SurfaceDistance {
  double distance;
  PerAxis<double> normal;
};

/// A sphere, a cylinder, a box, where a formula is not above 0, or what triangles enclose.
struct ParticleBody {
  enum class Shape : int { sphere, cylinder, box, formula, triangles };

  Shape shape;
  PerAxis<double> centre;      // [L]
  double radius;               // of spheres and cylinders [L]
  int axis;                    // of cylinders
  PerAxis<double> half;        // of boxes, and along the axis of cylinders; infinite: endless [L]
  const Instruction* program;  // of a formula
  int instructions;            // likewise
  double small;                // distance for differences of a formula [L]
  PerAxis<double> origin, length;  // of the box
  PerAxis<bool> repeats;
  DistanceLattice lattice;  // of triangles

  /// The distance alone.
  [[nodiscard]] DNS_HD double distance(const PerAxis<double>& x) const {
    return shape == Shape::triangles ? lattice.at(x) : at(x).distance;
  }
  /// For a formula f: f/|grad f|, right beside the surface.
  [[nodiscard]] DNS_HD SurfaceDistance at(const PerAxis<double>& x) const {
    if (shape == Shape::formula) return by_formula(x);
    if (shape == Shape::triangles) return by_lattice(x);
    const PerAxis<double> way = from_centre(x);
    NearestFace nearest;
    if (shape == Shape::box) {
      for (int along = 0; along < 3; ++along) nearest.add_pair(way, along, half[along]);
    } else {
      PerAxis<double> across = way;
      if (shape == Shape::cylinder) across[axis] = 0;
      nearest.add_round(across, radius);
      if (shape == Shape::cylinder) nearest.add_pair(way, axis, half[axis]);
    }
    return nearest.result();
  }
  /// How often a particle that is inside is moved along the normal, each time twice as far for its
  /// depth: at edges of triangles the distance grows more slowly along the normal than the way.
  [[nodiscard]] DNS_HD int most_moves() const { return shape == Shape::triangles ? 4 : 1; }

 private:
  /// Faces whose normals are at right angles, inside of all of which the body is: outside of
  /// several the nearest point is where these meet.
  struct NearestFace {
    double inside = -1e300;  // the largest of all distances
    double square = 0;       // sum of those above 0
    PerAxis<double> of_inside{}, outward{};

    DNS_HD void add(double distance, const PerAxis<double>& normal) {
      if (distance > inside) {
        inside = distance;
        of_inside = normal;
      }
      if (distance <= 0) return;
      square += distance * distance;
      for (int a = 0; a < 3; ++a) outward[a] += distance * normal[a];
    }
    DNS_HD void add_pair(const PerAxis<double>& way, int along, double half_size) {
      PerAxis<double> normal{};
      normal[along] = way[along] < 0 ? -1 : 1;
      add(std::abs(way[along]) - half_size, normal);
    }
    DNS_HD void add_round(const PerAxis<double>& way, double round_radius) {
      const double r = std::sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
      PerAxis<double> normal{};
      for (int a = 0; a < 3 && r > 0; ++a) normal[a] = way[a] / r;
      add(r - round_radius, normal);
    }
    [[nodiscard]] DNS_HD SurfaceDistance result() const {
      if (square == 0) return {inside, of_inside};
      SurfaceDistance at{std::sqrt(square), outward};
      for (int a = 0; a < 3; ++a) at.normal[a] /= at.distance;
      return at;
    }
  };

  [[nodiscard]] DNS_HD PerAxis<double> from_centre(const PerAxis<double>& x) const {
    PerAxis<double> way;
    for (int a = 0; a < 3; ++a) {
      way[a] = x[a] - centre[a];
      if (repeats[a]) way[a] = std::remainder(way[a], length[a]);
    }
    return way;
  }
  [[nodiscard]] DNS_HD double value(PerAxis<double> x) const {
    for (int a = 0; a < 3; ++a)
      if (repeats[a]) x[a] -= length[a] * std::floor((x[a] - origin[a]) / length[a]);
    return value_of(program, instructions, x[0], x[1], x[2], 0);
  }
  [[nodiscard]] DNS_HD SurfaceDistance by_formula(const PerAxis<double>& x) const {
    SurfaceDistance at{value(x), {}};
    double square = 0;
    for (int a = 0; a < 3; ++a) {
      PerAxis<double> low = x;
      PerAxis<double> high = x;
      low[a] -= small;
      high[a] += small;
      at.normal[a] = (value(high) - value(low)) / (2 * small);
      square += at.normal[a] * at.normal[a];
    }
    if (!(square > 0)) return at;
    const double slope = std::sqrt(square);
    at.distance /= slope;
    for (int a = 0; a < 3; ++a) at.normal[a] /= slope;
    return at;
  }
  [[nodiscard]] DNS_HD SurfaceDistance by_lattice(const PerAxis<double>& x) const {
    SurfaceDistance at{lattice.at(x), lattice.gradient(x)};
    const double slope = std::sqrt(at.normal[0] * at.normal[0] + at.normal[1] * at.normal[1] +
                                   at.normal[2] * at.normal[2]);
    for (int a = 0; a < 3 && slope > 0; ++a) at.normal[a] /= slope;
    return at;
  }
};

/// Sends particles back that a step of h has taken into a body, or removes and counts them.
template <class Real, class Weights>
struct MeetBodies {
  ParticleSpace<Real> space;
  VelocityAround<Real> velocity;  // at the end of the step
  const ParticleBody* bodies;
  int count;
  bool absorbs;
  double h;  // [L/U]

  DNS_HD void operator()(Index3 c) const {
    const int n = particle_at(c);
    if (space.is_empty(n)) return;
    ParticleState state = space.state(n);
    bool has_met = false;
    for (int body = 0; body < count; ++body) {
      if (!(distance(n, bodies[body], state.x) < 0)) continue;
      if (absorbs) {
        add_whole(space.counters + ParticleCounter::in_bodies, 1);
        return space.remove(n);
      }
      has_met = true;
      meet(n, bodies[body], state);
    }
    if (!has_met) return;
    for (int axis = 0; axis < 3; ++axis) {
      double sign = 1;
      if (space.axes[axis].is_periodic()) space.wrap(n, axis, state.x[axis]);
      state.x[axis] = space.axes[axis].place_in_box(state.x[axis], sign);
    }
    space.store(n, state);
  }

 private:
  /// The distance of gap() alone.
  [[nodiscard]] DNS_HD double distance(int n,
                                       const ParticleBody& body,
                                       const PerAxis<double>& x) const {
    return body.distance(x) - space.radius(n);
  }
  /// From the surface of the particle to that of a body.
  [[nodiscard]] DNS_HD SurfaceDistance gap(int n,
                                           const ParticleBody& body,
                                           const PerAxis<double>& x) const {
    SurfaceDistance at = body.at(x);
    at.distance -= space.radius(n);
    return at;
  }
  DNS_HD static double product(const PerAxis<double>& a, const PerAxis<double>& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  }
  /// The place a time s [L/U] before.
  DNS_HD static PerAxis<double> before(const ParticleState& state, double s) {
    PerAxis<double> x = state.x;
    for (int axis = 0; axis < 3; ++axis) x[axis] -= s * state.v[axis];
    return x;
  }
  /// Where it met the surface: the time since then [L/U]; 0: not within the step.
  [[nodiscard]] DNS_HD double since(int n,
                                    const ParticleBody& body,
                                    const ParticleState& state) const {
    constexpr int bisections = 50;
    if (!(distance(n, body, before(state, h)) > 0)) return 0;
    double inside = 0;
    double outside = h;
    for (int pass = 0; pass < bisections; ++pass) {
      const double middle = (inside + outside) / 2;
      (distance(n, body, before(state, middle)) > 0 ? outside : inside) = middle;
    }
    return outside;
  }
  DNS_HD void meet(int n, const ParticleBody& body, ParticleState& state) const {
    SurfaceDistance at = gap(n, body, state.x);
    if (!space.law.is_tracer()) at = bounce(n, body, at, state);
    // A tracer, and what curved surfaces leave over.
    double times = space.law.is_tracer() ? 2 : 1;
    for (int move = 1; at.distance < 0; ++move, times *= 2) {
      for (int axis = 0; axis < 3; ++axis) state.x[axis] -= times * at.distance * at.normal[axis];
      if (move == body.most_moves()) return;
      at = gap(n, body, state.x);
    }
  }
  /// Returns how far from the body it comes to.
  [[nodiscard]] DNS_HD SurfaceDistance bounce(int n,
                                              const ParticleBody& body,
                                              const SurfaceDistance& at,
                                              ParticleState& state) const {
    const ParticleLaw law = space.law_of(n);
    const double time = since(n, body, state);
    const PerAxis<double> normal = time > 0 ? gap(n, body, before(state, time)).normal : at.normal;
    const double v_n = product(normal, state.v);
    if (!(v_n < 0)) return at;
    const double y = time > 0 ? time * v_n : at.distance;
    const PerAxis<double> u = velocity_by(velocity, Weights::at(space.axes, state.x));
    const Bounce after = bounced(y, v_n, h, space.restitution, [&](double v) {
      PerAxis<double> slip;
      for (int axis = 0; axis < 3; ++axis)
        slip[axis] = u[axis] - state.v[axis] - (v - v_n) * normal[axis];
      return law.rate(slip) * product(slip, normal) + product(law.gravity, normal);
    });
    for (int axis = 0; axis < 3; ++axis) {
      state.x[axis] += (after.y - y) * normal[axis];
      state.v[axis] += (after.v - v_n) * normal[axis];
    }
    return gap(n, body, state.x);
  }
};

}  // namespace dns
