/// The velocity of a staggered flow, and its derivatives, at any place of the box.
///
/// Each component is interpolated from its own points by the product, along x, y and z, of the
/// polynomials through four points, two on each side, at their uneven distances. Across a wall, an
/// inflow or an outflow the value on the plane, (q_0 + q_1)/2 of the ghost point and the first
/// point inside, is a point of the line, and the last intervals take the outermost four points.
/// Beside an edge of the box the value where two such planes meet is extrapolated along the first
/// of them. Periodic ends repeat, planes of symmetry mirror. Order 4; polynomials of third degree,
/// such as the profile of a laminar channel, are exact.
#pragma once

#include <cstddef>

#include "solver/core/field_view.hpp"
#include "solver/core/index.hpp"
#include "solver/numerics/projection.hpp"

namespace dns {

/// The polynomial through four points of a line, for the places between the middle two.
struct ParticleInterval {
  double place[4];    // coordinates of the points [L]
  double inverse[4];  // 1/PRODUCT_n (s_m - s_n), n != m; less than that where mirrored as odd
  int index[4];       // of the values along the axis, in the box
  int ends;           // some of ClosedEnds
};

/// Which values of a line are those of a closed end.
struct ClosedEnds {
  static constexpr int low_pair = 1;    // the mean of the first two is that on the plane
  static constexpr int high_pair = 2;   // the mean of the last two
  static constexpr int low_plane = 4;   // the first one is on the plane
  static constexpr int high_plane = 8;  // the last one
};

/// What lies at an end of the box, for a particle.
enum class ParticleEnd : int { periodic, mirror, wall, absorbing_wall, opening };

/// Tables of an axis by DivergenceFreeCell, solver/numerics/particle_divergence_free.hpp.
struct DivergenceFreeTables {
  const double* numbers;
  const int* indices;
};

/// One axis of the box for particles.
struct ParticleAxis {
  const double* faces;                 // of the cells, n + 1 [L]
  const double* centres;               // n
  const ParticleInterval* at_faces;    // between faces i and i + 1, n
  const ParticleInterval* at_centres;  // between centres i - 1 and i, n + 1
  DivergenceFreeTables divergence_free;
  const int* buckets;  // cells at the low ends of equal parts of the axis
  int bucket_count;
  double buckets_per_length;
  int cells;
  ParticleEnd ends[2];

  [[nodiscard]] DNS_HD double low() const { return faces[0]; }
  [[nodiscard]] DNS_HD double high() const { return faces[cells]; }
  [[nodiscard]] DNS_HD double length() const { return high() - low(); }
  [[nodiscard]] DNS_HD bool is_periodic() const { return ends[0] == ParticleEnd::periodic; }

  /// The cell of a place in the box.
  [[nodiscard]] DNS_HD int cell(double x) const {
    const double part = (x - low()) * buckets_per_length;
    const int bucket =
        part > 0 ? (part < bucket_count ? static_cast<int>(part) : bucket_count - 1) : 0;
    int i = buckets[bucket];
    while (i + 1 < cells && x >= faces[i + 1]) ++i;
    while (i > 0 && x < faces[i]) --i;
    return i;
  }
  /// The place in the box that has the velocity of a place near it: repeated, mirrored (then `sign`
  /// of the component along the axis becomes -1), or the nearest on a closed end.
  [[nodiscard]] DNS_HD double place_in_box(double x, double& sign) const {
    if (x >= low() && x < high()) return x;
    if (is_periodic()) {
      const double y = x < low() ? x + length() : x - length();
      return y >= low() && y < high() ? y : low();  // less than round-off beyond an end
    }
    const bool is_high = x >= high();
    const double plane = is_high ? high() : low();
    if (ends[is_high ? 1 : 0] != ParticleEnd::mirror) return plane;
    if (x != plane) sign = -1;
    return 2 * plane - x;
  }
};

/// Weights of a polynomial at a place, or of its derivative, and where their values are.
struct LineWeights {
  static constexpr int points = 4;
  int index[4];
  double weight[4];
  int ends;
  double beyond;  // of a pair: how far the plane is from the first point inside, in distances from
                  // there to the next one

  /// The mean of the ghost and the first value inside stands for the value on the plane.
  DNS_HD void move_to_pairs() {
    if ((ends & ClosedEnds::low_pair) != 0) {
      weight[0] *= 0.5;
      weight[1] += weight[0];
    }
    if ((ends & ClosedEnds::high_pair) != 0) {
      weight[3] *= 0.5;
      weight[2] += weight[3];
    }
  }
  /// The parts on the closed end: of a pair, or on the plane itself.
  [[nodiscard]] DNS_HD LineWeights on_end() const {
    LineWeights part = *this;
    for (double& of : part.weight) of = 0;
    if ((ends & ClosedEnds::low_pair) != 0) part.weight[0] = part.weight[1] = weight[0];
    if ((ends & ClosedEnds::high_pair) != 0) part.weight[2] = part.weight[3] = weight[3];
    if ((ends & ClosedEnds::low_plane) != 0) part.weight[0] = weight[0];
    if ((ends & ClosedEnds::high_plane) != 0) part.weight[3] = weight[3];
    return part;
  }
  [[nodiscard]] DNS_HD LineWeights without_end() const {
    LineWeights part = *this;
    const LineWeights end = on_end();
    for (int m = 0; m < 4; ++m) part.weight[m] -= end.weight[m];
    return part;
  }
  /// Weights by which the points share a force: that of a value on a closed end is added to that of
  /// the first point inside.
  [[nodiscard]] DNS_HD LineWeights given_inside() const {
    LineWeights part = *this;
    if ((ends & (ClosedEnds::low_pair | ClosedEnds::low_plane)) != 0) {
      part.weight[1] += weight[0];
      part.weight[0] = 0;
    }
    if ((ends & (ClosedEnds::high_pair | ClosedEnds::high_plane)) != 0) {
      part.weight[2] += weight[3];
      part.weight[3] = 0;
    }
    return part;
  }
  [[nodiscard]] DNS_HD double sum() const { return weight[0] + weight[1] + weight[2] + weight[3]; }
  /// The point of the largest weight.
  [[nodiscard]] DNS_HD int largest() const {
    int at = 0;
    for (int m = 1; m < 4; ++m)
      if (weight[m] > weight[at]) at = m;
    return at;
  }
  /// With the value on the plane of a pair extrapolated from the two points inside.
  [[nodiscard]] DNS_HD LineWeights from_inside() const {
    LineWeights part = *this;
    if ((ends & ClosedEnds::low_pair) != 0) {
      part.weight[0] = 0;
      part.weight[1] += weight[0] * (1 + 2 * beyond);
      part.weight[2] -= weight[0] * 2 * beyond;
    }
    if ((ends & ClosedEnds::high_pair) != 0) {
      part.weight[3] = 0;
      part.weight[2] += weight[3] * (1 + 2 * beyond);
      part.weight[1] -= weight[3] * 2 * beyond;
    }
    return part;
  }
};

/// Where the values of a polynomial are, and the way from its points to a place [L].
[[nodiscard]] DNS_HD LineWeights line_at(const ParticleInterval& interval,
                                         double x,
                                         double (&way)[4]) {
  LineWeights at;
  for (int m = 0; m < 4; ++m) {
    at.index[m] = interval.index[m];
    way[m] = x - interval.place[m];
  }
  at.ends = interval.ends;
  at.beyond = 0;
  const double inner = interval.place[2] - interval.place[1];
  if ((at.ends & ClosedEnds::low_pair) != 0)
    at.beyond = (interval.place[1] - interval.place[0]) / inner;
  if ((at.ends & ClosedEnds::high_pair) != 0)
    at.beyond = (interval.place[3] - interval.place[2]) / inner;
  return at;
}

[[nodiscard]] DNS_HD LineWeights weights_at(const ParticleInterval& interval, double x) {
  double way[4];
  LineWeights at = line_at(interval, x, way);
  const double low = way[0] * way[1];
  const double high = way[2] * way[3];
  at.weight[0] = way[1] * high * interval.inverse[0];
  at.weight[1] = way[0] * high * interval.inverse[1];
  at.weight[2] = low * way[3] * interval.inverse[2];
  at.weight[3] = low * way[2] * interval.inverse[3];
  at.move_to_pairs();
  return at;
}

/// Weights of the derivative of the polynomial.
[[nodiscard]] DNS_HD LineWeights slopes_at(const ParticleInterval& interval, double x) {
  double way[4];
  LineWeights at = line_at(interval, x, way);
  const auto slope = [&](int a, int b, int c) {
    return way[a] * way[b] + way[a] * way[c] + way[b] * way[c];
  };
  at.weight[0] = slope(1, 2, 3) * interval.inverse[0];
  at.weight[1] = slope(0, 2, 3) * interval.inverse[1];
  at.weight[2] = slope(0, 1, 3) * interval.inverse[2];
  at.weight[3] = slope(0, 1, 2) * interval.inverse[3];
  at.move_to_pairs();
  return at;
}

/// A velocity on the part of a rank, and planes beyond its seams along z.
template <class Real>
struct VelocityAround {
  static constexpr int planes_beyond = 4;  // 2 of the stencil, 2 that a particle moves in a step

  VelocityView<const Real> own;
  PerAxis<FieldView<const Real>> low, high;  // planes below and above; null without seams
  int first = 0, planes = 0, whole = 0;      // of the part, and of the box

  /// Where plane k of the box begins, for a component.
  [[nodiscard]] DNS_HD const Real* plane(int component, int k) const {
    int local = k - first;
    if (low[component].origin != nullptr || high[component].origin != nullptr) {
      if (local >= planes + planes_beyond) local -= whole;
      if (local < -planes_beyond) local += whole;
      if (local < 0 && low[component].origin != nullptr)
        return low[component].address({0, 0, local + planes_beyond});
      if (local >= planes && high[component].origin != nullptr)
        return high[component].address({0, 0, local - planes});
    }
    return own[component].address({0, 0, local});
  }
};

/// The polynomial of a line at a place in the box.
[[nodiscard]] DNS_HD const ParticleInterval& interval_at(const ParticleAxis& axis,
                                                         int cell,
                                                         double x,
                                                         bool is_at_faces) {
  return is_at_faces ? axis.at_faces[cell]
                     : axis.at_centres[x < axis.centres[cell] ? cell : cell + 1];
}

/// Weights along all axes at a place, for components that lie at faces and at centres.
struct PlaceWeights {
  LineWeights at_faces[3], at_centres[3];
  double sign[3];  // of the components: -1 beyond a plane of symmetry
  PerAxis<int> cell;

  [[nodiscard]] DNS_HD static PlaceWeights at(const PerAxis<ParticleAxis>& axes,
                                              const PerAxis<double>& place) {
    PlaceWeights weights;
    for (int axis = 0; axis < 3; ++axis) {
      weights.sign[axis] = 1;
      const double x = axes[axis].place_in_box(place[axis], weights.sign[axis]);
      const int cell = axes[axis].cell(x);
      weights.cell[axis] = cell;
      weights.at_faces[axis] = weights_at(interval_at(axes[axis], cell, x, true), x);
      weights.at_centres[axis] = weights_at(interval_at(axes[axis], cell, x, false), x);
    }
    return weights;
  }
  [[nodiscard]] DNS_HD const LineWeights& of(int component, int axis) const {
    return component == axis ? at_faces[axis] : at_centres[axis];
  }
  /// Weights of the derivative along an axis.
  [[nodiscard]] DNS_HD PlaceWeights slopes(const PerAxis<ParticleAxis>& axes,
                                           const PerAxis<double>& place,
                                           int axis) const {
    PlaceWeights weights = *this;
    double turned = 1;
    const double x = axes[axis].place_in_box(place[axis], turned);
    for (double& of : weights.sign) of *= turned;
    weights.at_faces[axis] = slopes_at(interval_at(axes[axis], cell[axis], x, true), x);
    weights.at_centres[axis] = slopes_at(interval_at(axes[axis], cell[axis], x, false), x);
    return weights;
  }
  /// Weights by which the points of a component share a force.
  [[nodiscard]] DNS_HD LineWeights given_inside(int component, int axis) const {
    return of(component, axis).given_inside();
  }
};

/// SUM_kji z_k y_j x_i q(i, j, k) of a component.
template <class Real, class X, class Y, class Z>
[[nodiscard]] DNS_HD double sum_by(
    const VelocityAround<Real>& velocity, int component, const X& x, const Y& y, const Z& z) {
  const std::ptrdiff_t stride_y = velocity.own[component].stride_y;
  double value = 0;
  for (int k = 0; k < Z::points; ++k) {
    const Real* const plane = velocity.plane(component, z.index[k]);
    double of_plane = 0;
    for (int j = 0; j < Y::points; ++j) {
      const Real* const line = plane + stride_y * y.index[j];
      double of_line = x.weight[0] * static_cast<double>(line[x.index[0]]);
      for (int i = 1; i < X::points; ++i)
        of_line += x.weight[i] * static_cast<double>(line[x.index[i]]);
      of_plane += y.weight[j] * of_line;
    }
    value += z.weight[k] * of_plane;
  }
  return value;
}

/// Sum beside an edge of the box, where ghost points beyond two ends are not those of a flow.
template <class Real>
[[nodiscard]] DNS_HD double sum_beside_edge(const VelocityAround<Real>& velocity,
                                            int component,
                                            const LineWeights& x,
                                            const LineWeights& y,
                                            const LineWeights& z) {
  const LineWeights& own = component == 0 ? x : component == 1 ? y : z;
  const LineWeights& first = component == 0 ? y : x;
  const LineWeights& second = component == 2 ? y : z;
  const auto sum = [&](const LineWeights& a, const LineWeights& b, const LineWeights& c) {
    return component == 0   ? sum_by(velocity, component, a, b, c)
           : component == 1 ? sum_by(velocity, component, b, a, c)
                            : sum_by(velocity, component, b, c, a);
  };
  const LineWeights own_inside = own.without_end();
  return sum(own.on_end(), first.from_inside(), second.from_inside()) +
         sum(own_inside, first.without_end(), second) +
         sum(own_inside, first.on_end(), second.from_inside());
}

/// The value of a component, or of a derivative.
template <class Real>
[[nodiscard]] DNS_HD double value_by(const VelocityAround<Real>& velocity,
                                     int component,
                                     const LineWeights& x,
                                     const LineWeights& y,
                                     const LineWeights& z) {
  const int ends = (x.ends != 0 ? 1 : 0) + (y.ends != 0 ? 1 : 0) + (z.ends != 0 ? 1 : 0);
  return ends < 2 ? sum_by(velocity, component, x, y, z)
                  : sum_beside_edge(velocity, component, x, y, z);
}

/// The velocity [U].
template <class Real>
[[nodiscard]] DNS_HD PerAxis<double> velocity_by(const VelocityAround<Real>& velocity,
                                                 const PlaceWeights& weights) {
  PerAxis<double> u;
  for (int component = 0; component < 3; ++component) {
    u[component] = weights.sign[component] * value_by(velocity,
                                                      component,
                                                      weights.of(component, 0),
                                                      weights.of(component, 1),
                                                      weights.of(component, 2));
  }
  return u;
}

/// Du/Dt = (V_next - V)/dt + u . grad u at a place, u and its derivatives of `velocity` [U^2/L].
template <class Real, class Weights>
[[nodiscard]] DNS_HD PerAxis<double> material_derivative(const PerAxis<ParticleAxis>& axes,
                                                         const PerAxis<double>& place,
                                                         const Weights& weights,
                                                         const PerAxis<double>& u,
                                                         const VelocityAround<Real>& velocity,
                                                         const VelocityAround<Real>& before,
                                                         const VelocityAround<Real>& after,
                                                         double dt) {
  const PerAxis<double> u_before = velocity_by(before, weights);
  const PerAxis<double> u_after = velocity_by(after, weights);
  PerAxis<double> rate;
  for (int component = 0; component < 3; ++component)
    rate[component] = (u_after[component] - u_before[component]) / dt;
  for (int axis = 0; axis < 3; ++axis) {
    const PerAxis<double> slope = velocity_by(velocity, weights.slopes(axes, place, axis));
    for (int component = 0; component < 3; ++component)
      rate[component] += u[axis] * slope[component];
  }
  return rate;
}

}  // namespace dns
