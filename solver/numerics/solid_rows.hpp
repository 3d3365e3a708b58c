/// Solid bodies in the equations of scheme `projection`.
///
/// An unknown is solid where its own point lies in a body. Where the neighbour of a fluid unknown
/// along an axis is solid, the surface lies theta of their distance away, and diffusion takes
/// (q_wall - q)/(theta distance) in place of (q_solid - q)/distance; control volumes stay whole,
/// and so does advection. That is one rate for each unknown and the value it pulls towards:
///
///   kappa = nu SUM (1/theta - 1)/(width distance)               infinite in a body
///   W     = nu/kappa SUM (q_wall/theta - q_solid)/(width distance)     q_solid in a body
///
/// with the sums over the cut ends of all axes. In a step or stage of dt
///
///   theta = max(1/2, 1 - 1/(dt kappa)), in damped steps 1      b = 1/(1 + theta dt kappa)
///
/// the row l | d | u of each factor I + A_s becomes
///
///   b l | 1 + b (d - 1) | b u
///
/// and the right-hand side R of the first factor b R + b dt kappa (W - q^n). A body's rows are then
/// dq = W - q^n, and cut rows those of the surface's own stencil: trapezoidal in time up to dt
/// kappa = 2; beyond that b dt kappa = 1, and q goes to W and not past it.
///
/// A body may give the flux of a scalar instead, its own or D h (outside - q), which enters the
/// unknowns beside it; all other passage through the faces between the points of fluid and body is
/// closed. A flux F along the normal n of the surface is F n_s along an axis, and so
///
///   g     = SUM F n_s/width                                          the rate of q
///   kappa = SUM 1/(width (theta distance/D + 1/(D h n_s))),   W = outside
///
/// A body may conduct a scalar. Where a line crosses from a to b, part r of the distance of two
/// points in a, the conductivity of the face and the heat capacity of an unknown over those of the
/// fluid are
///
///   k = 1/(r/k_a + (1 - r)/k_b)      c = that of its own side and of the other, by their lengths
///
/// so that the flux along the line is continuous; of width times distance only the lengths along
/// the line count, as above. Diffusion through a face is k times that of the fluid, and all that
/// changes an unknown, kappa and g included, is 1/c times that: SUM volume c q is kept to
/// round-off.
///
/// Sources: Gibou, Fedkiw, Cheng & Kang, J. Comput. Phys. 176 (2002) 205 (diffusion at cut lines);
/// Fadlun, Verzicco, Orlandi & Mohd-Yusof, J. Comput. Phys. 161 (2000) 35 (direct forcing);
/// Patankar, Numerical Heat Transfer and Fluid Flow, Hemisphere (1980), section 4.2-3 (harmonic
/// means of conductivities).
#pragma once

#include <type_traits>

#include "solver/numerics/closed_face.hpp"
#include "solver/numerics/projection.hpp"
#include "solver/numerics/projection_rows.hpp"

namespace dns {

/// kappa of the unknowns in a body is above this, that of all others below [U/L].
inline constexpr double solid_rate = 1e30;

/// The term of kappa of one cut end [U/L]; `diffusion` = nu/(width distance).
[[nodiscard]] DNS_HD constexpr double pull_of_cut(double diffusion, double theta) {
  return diffusion * (1 / theta - 1);
}
/// The term of kappa W of one cut end.
[[nodiscard]] DNS_HD constexpr double pull_times_target(double diffusion,
                                                        double theta,
                                                        double wall,
                                                        double solid) {
  return diffusion * (wall / theta - solid);
}

/// The rate per transfer of one cut end [1/L]: of D h (outside - q) through a surface with the part
/// `normal` of its normal along the axis; `diffusivity` [U L] is D of the point's own side.
[[nodiscard]] constexpr double transfer_of_cut(double diffusivity_of_fluid,
                                               double transfer,
                                               double normal,
                                               double diffusivity,
                                               double theta_distance) {
  const double at_surface = diffusivity_of_fluid * transfer * normal;
  return at_surface == 0 ? 0 : 1 / (theta_distance / diffusivity + 1 / at_surface);
}
/// The conductivity of a face, part r of the distance in a.
[[nodiscard]] constexpr double face_conductivity(double r, double of_a, double of_b) {
  return 1 / (r / of_a + (1 - r) / of_b);
}

/// What bodies are to the unknowns of one variable.
template <class Real>
struct SolidsView {
  /// Outside of it no unknown is solid or has a neighbour that is. It begins some points early
  /// along x, because points are handled in packs.
  Box box;
  FieldView<const Real> kappa;      // [U/L]
  FieldView<const Real> target;     // W; null: uniform_target everywhere
  FieldView<const Real> insulated;  // 1 in adiabatic bodies, else 0; null: there are none
  Real uniform_target = 0;
  Real half_dt = 0;
  bool is_trapezoidal = false;                  // theta below 1 where kappa allows it
  FieldView<const Real> gain;                   // g; null: no body gives a flux
  PerAxis<FieldView<const Real>> conductivity;  // k of the low face along each axis
  FieldView<const Real> inverse_capacity;       // 1/c; null: no body conducts

  /// Whether no body holds or cuts what is at a point, or at all of a pack: then b is 1. Kernels
  /// that have nothing to do there need not read more.
  template <class Point>
  [[nodiscard]] DNS_HD bool are_beyond(const Spot<Point>& c) const {
    return is_zero(kappa(c));
  }
  [[nodiscard]] DNS_HD bool conduct() const { return inverse_capacity.origin != nullptr; }
  /// What diffusion through the low (side = -1) or high (1) face at c has more than in the fluid.
  template <Axis axis, class Point, class Value>
  [[nodiscard]] DNS_HD auto excess(const Spot<Point>& c, int side, Value diffusion) const {
    const FieldView<const Real>& k = conductivity[axis];
    return diffusion * (k.template beside<axis>(c, side < 0 ? 0 : 1) - Real(1));
  }

  /// b, 0 in bodies. Exact division has a branch on a GPU, which keeps the loads of a thread's next
  /// rows from being under way together; `reciprocal` may give NaN of infinity.
  template <class Point>
  [[nodiscard]] DNS_HD auto freedom(const Spot<Point>& c) const {
    const auto rate = kappa(c);
    const auto half = half_dt * rate;
    const auto lowest = Real(is_trapezoidal ? 1 : 0);
    const auto outside =
        reciprocal(decltype(rate)(Real(1)) + half + where_above(half, lowest, half - lowest));
    return where_above(-rate, Real(-solid_rate), outside);
  }
  /// b dt kappa from b, 1 in bodies.
  template <class Value>
  [[nodiscard]] DNS_HD Value pull(Value b) const {
    const Value held = Real(1) - b;
    if (!is_trapezoidal) return held;
    const Value twice = held + held;
    return twice - where_above(twice, Real(1), twice - Real(1));
  }
  /// W.
  template <class Point>
  [[nodiscard]] DNS_HD auto target_at(const Spot<Point>& c) const {
    using Value = decltype(kappa(c));
    return target.origin == nullptr ? Value(uniform_target) : Value(target(c));
  }
};

/// Rows of a factor along `axis` with bodies. Fluid: FactorRows of an axis that is not known to be
/// uniform, since the diagonal differs from point to point along uniform axes too. Far from bodies
/// kappa is 0 and b 1: to ask first whether a point is near one would make each row wait for the
/// loads of the one before.
template <Axis axis, class Fluid, class Real>
struct RowsAtSolids : Fluid {
  using System = typename Fluid::System;
  static constexpr int coefficients = 3;
  static_assert(Fluid::coefficients == coefficients);

  SolidsView<Real> solids;
  bool is_uniform = false;  // the axis: the diagonal is that of FactorRows there, to the last bit

  template <class Point>
  DNS_HD auto operator()(Point point) const {
    const auto open = Fluid::operator()(point);
    using Value = std::remove_cvref_t<decltype(open.rhs[0])>;
    const Coupling<Value> row = Fluid::coupling(0, open.coefficient);
    RowData<System, coefficients, Value> data;
    auto& [lower, upper, diagonal] = data.coefficient;
    lower = row.lower;
    upper = row.upper;
    diagonal = is_uniform ? Value(this->step.uniform_diagonal[axis]) : Value(row.diagonal);
    data.rhs[0] = open.rhs[0];
    const auto c = solids.kappa.spot(point);
    if constexpr (Fluid::is_of_scalar) {
      if (solids.conduct()) {
        const AxisCoefficients<Real>& factors = this->of_unknowns();
        const auto more_low =
            solids.template excess<axis>(c, -1, entry<axis>(factors.diffusion_low, c));
        const auto more_high =
            solids.template excess<axis>(c, 1, entry<axis>(factors.diffusion_high, c));
        lower -= more_low;
        upper -= more_high;
        diagonal += more_low + more_high;
      }
      if (solids.insulated.origin != nullptr) {
        // The neighbour beyond a closed face has the value of the point itself.
        const auto closed_low = lower * is_closed_face<axis>(solids.insulated, c, -1);
        const auto closed_high = upper * is_closed_face<axis>(solids.insulated, c, 1);
        lower -= closed_low;
        upper -= closed_high;
        diagonal += closed_low + closed_high;
      }
      if (solids.conduct()) {
        const auto share = solids.inverse_capacity(c);
        lower = share * lower;
        upper = share * upper;
        diagonal = Real(1) + share * (diagonal - Real(1));
      }
    }
    const auto b = solids.freedom(c);
    lower = b * lower;
    upper = b * upper;
    diagonal = Real(1) + b * (diagonal - Real(1));
    return data;
  }

  template <class Value>
  [[nodiscard]] DNS_HD Coupling<Value> coupling(int /*matrix*/,
                                                const Value (&coefficient)[coefficients]) const {
    return {coefficient[0], coefficient[2], coefficient[1]};
  }
};

/// The right-hand side of the first factor, with bodies.
template <int component, class Right, class Real>
struct PulledRightHandSide {
  Right right;
  FieldView<const Real> q;  // at t^n, ghosts included
  SolidsView<Real> solids;

  template <class Point>
  DNS_HD auto operator()(Point c,
                         const AdvectingVelocity<Real>& advecting,
                         const SweepCoefficients<Real>& step) const {
    auto value = right(c, advecting, step);
    if constexpr (component == scalar_component) {
      if (solids.conduct() && solids.box.holds(c)) {
        value += right.weight *
                 (excess<Axis::x>(c, step) + excess<Axis::y>(c, step) + excess<Axis::z>(c, step));
      }
      if (solids.insulated.origin != nullptr && solids.box.holds(c)) {
        value += right.weight * (through_closed<Axis::x>(c, advecting, step) +
                                 through_closed<Axis::y>(c, advecting, step) +
                                 through_closed<Axis::z>(c, advecting, step));
      }
      if (solids.conduct() && solids.box.holds(c)) value = solids.inverse_capacity(c) * value;
      if (solids.gain.origin != nullptr && solids.box.holds(c))
        value += Real(2) * solids.half_dt * solids.gain(c);
    }
    const auto b = solids.freedom(c);
    return b * value + solids.pull(b) * (solids.target_at(c) - q(c));
  }

 private:
  /// What A_s q has less with q beyond closed faces replaced by that of the point.
  template <Axis axis, class Point>
  [[nodiscard]] DNS_HD auto through_closed(Point c,
                                           const AdvectingVelocity<Real>& advecting,
                                           const SweepCoefficients<Real>& step) const {
    auto row = advecting.template term<axis, component, AnyAxes>(c, step).row();
    const auto here = q(c);
    if (solids.conduct()) {
      const AxisCoefficients<Real>& factors = step.template unknowns<axis, component>();
      row.lower -= solids.template excess<axis>(c, -1, entry<axis>(factors.diffusion_low, c));
      row.upper -= solids.template excess<axis>(c, 1, entry<axis>(factors.diffusion_high, c));
    }
    return row.lower * is_closed_face<axis>(solids.insulated, c, -1) *
               (here - q.template beside<axis>(c, -1)) +
           row.upper * is_closed_face<axis>(solids.insulated, c, 1) *
               (here - q.template beside<axis>(c, 1));
  }
  /// What A_s q has more where bodies conduct.
  template <Axis axis, class Point>
  [[nodiscard]] DNS_HD auto excess(const Spot<Point>& c,
                                   const SweepCoefficients<Real>& step) const {
    const AxisCoefficients<Real>& factors = step.template unknowns<axis, component>();
    const auto here = q(c);
    return solids.template excess<axis>(c, -1, entry<axis>(factors.diffusion_low, c)) *
               (here - q.template beside<axis>(c, -1)) +
           solids.template excess<axis>(c, 1, entry<axis>(factors.diffusion_high, c)) *
               (here - q.template beside<axis>(c, 1));
  }
};

/// Bodies in a Runge-Kutta stage: b r + b dt kappa (W - q) in place of its right-hand side r or,
/// where no sweep follows, of what r changes.
template <class Real>
struct PullStage {
  SolidsView<Real> solids;
  FieldView<const Real> q;  // at the beginning of the stage
  FieldView<Real> result;   // r, or q + r
  bool has_sweeps;

  template <class Point>
  DNS_HD void operator()(Point point) const {
    const auto c = result.spot(point);
    if (solids.are_beyond(c)) return;
    const auto here = q(c);
    const auto b = solids.freedom(c);
    const auto right = has_sweeps ? result(c) : result(c) - here;
    const auto pulled = b * right + solids.pull(b) * (solids.target_at(c) - here);
    result.set(c, has_sweeps ? pulled : here + pulled);
  }
};

/// The stage of a scalar beside bodies that are closed for it: what F and r have more with q beyond
/// closed faces replaced by that of the point, and the flux that they give. Differences of higher
/// order meet no such face.
template <class Real, class Terms, class Implicit>
struct CloseFacesInStage {
  Terms terms;        // SkewTerms
  Implicit implicit;  // ImplicitDiffusion
  SolidsView<Real> solids;
  FieldView<const Real> q;
  Real weight;            // of F in r
  FieldView<Real> force;  // null: not wanted
  FieldView<Real> result;

  template <class Point>
  DNS_HD void operator()(Point point) const {
    const auto c = q.spot(point);
    auto of_force =
        explicit_along<Axis::x>(c) + explicit_along<Axis::y>(c) + explicit_along<Axis::z>(c);
    if (solids.gain.origin != nullptr) of_force += solids.gain(c);
    auto right = weight * of_force;
    if (implicit.is_implicit[0]) right += implicit_along<Axis::x>(c);
    if (implicit.is_implicit[1]) right += implicit_along<Axis::y>(c);
    if (implicit.is_implicit[2]) right += implicit_along<Axis::z>(c);
    if (force.origin != nullptr) force.set(c, force(c) + of_force);
    result.set(c, result(c) + right);
  }

 private:
  /// The point's value less that beyond its closed face at an end (-1, 1), else 0.
  template <Axis axis, class Point>
  [[nodiscard]] DNS_HD auto jump(const Spot<Point>& c, int end) const {
    return is_closed_face<axis>(solids.insulated, c, end) *
           (q(c) - q.template beside<axis>(c, end));
  }
  template <Axis axis, class Point>
  [[nodiscard]] DNS_HD auto explicit_along(const Spot<Point>& c) const {
    const FieldView<const Real>& normal = terms.velocity[axis];
    const Real diffusion = terms.diffusion[axis];
    return entry<axis>(terms.metrics.template along<axis>().inverse_width, c) *
           ((diffusion + Real(0.5) * normal(c)) * jump<axis>(c, -1) +
            (diffusion - Real(0.5) * normal.template beside<axis>(c, 1)) * jump<axis>(c, 1));
  }
  template <Axis axis, class Point>
  [[nodiscard]] DNS_HD auto implicit_along(const Spot<Point>& c) const {
    const AxisCoefficients<Real>& factors =
        implicit.coefficients.template unknowns<axis, scalar_component>();
    return implicit.weight * (entry<axis>(factors.diffusion_low, c) * jump<axis>(c, -1) +
                              entry<axis>(factors.diffusion_high, c) * jump<axis>(c, 1));
  }
};

/// The stage of a scalar that bodies conduct: F and r, which know the fluid alone, become those
/// with k and 1/c. Closed faces and the flux that bodies give are part of it.
template <class Real, class Terms, class Implicit>
struct ConductInStage {
  Terms terms;        // SkewTerms
  Implicit implicit;  // ImplicitDiffusion
  SolidsView<Real> solids;
  FieldView<const Real> q;
  Real weight;            // of F in r
  FieldView<Real> force;  // null: the whole result is F
  FieldView<Real> result;

  template <class Point>
  DNS_HD void operator()(Point point) const {
    const auto c = q.spot(point);
    using Value = decltype(q(c));
    const Value share = solids.inverse_capacity(c);
    Value gain = Value(Real(0));
    if (solids.gain.origin != nullptr) gain = solids.gain(c);
    Value more =
        explicit_along<Axis::x>(c) + explicit_along<Axis::y>(c) + explicit_along<Axis::z>(c);
    Value more_implicit = Value(Real(0));
    if (implicit.is_implicit[0]) more_implicit += implicit_along<Axis::x>(c);
    if (implicit.is_implicit[1]) more_implicit += implicit_along<Axis::y>(c);
    if (implicit.is_implicit[2]) more_implicit += implicit_along<Axis::z>(c);
    if (force.origin == nullptr) {
      result.set(c, share * (result(c) + weight * more + more_implicit) + weight * gain);
      return;
    }
    const Value before = force(c);
    const Value now = share * (before + more) + gain;
    const Value of_fluid =
        implicit.template added_to<scalar_component>(Value(Real(0)), Value(q(c)), q, c);
    force.set(c, now);
    result.set(
        c, result(c) + weight * (now - before) + (share * (of_fluid + more_implicit) - of_fluid));
  }

 private:
  /// 1 where the face at an end (-1, 1) is closed, else 0.
  template <Axis axis, class Point>
  [[nodiscard]] DNS_HD auto closed(const Spot<Point>& c, int end) const {
    using Value = decltype(q(c));
    Value is_closed = Value(Real(0));
    if (solids.insulated.origin != nullptr)
      is_closed = is_closed_face<axis>(solids.insulated, c, end);
    return is_closed;
  }
  /// The value beyond an end less that of the point.
  template <Axis axis, class Point>
  [[nodiscard]] DNS_HD auto rise(const Spot<Point>& c, int end) const {
    return q.template beside<axis>(c, end) - q(c);
  }
  template <Axis axis, class Point>
  [[nodiscard]] DNS_HD auto explicit_along(const Spot<Point>& c) const {
    using Value = decltype(q(c));
    const FieldView<const Real>& normal = terms.velocity[axis];
    const Value diffusion = Value(terms.diffusion[axis]);
    const Value low = closed<axis>(c, -1);
    const Value high = closed<axis>(c, 1);
    const Value of_low = (Real(1) - low) * solids.template excess<axis>(c, -1, diffusion) -
                         low * (diffusion + Real(0.5) * normal(c));
    const Value of_high = (Real(1) - high) * solids.template excess<axis>(c, 1, diffusion) -
                          high * (diffusion - Real(0.5) * normal.template beside<axis>(c, 1));
    return entry<axis>(terms.metrics.template along<axis>().inverse_width, c) *
           (of_low * rise<axis>(c, -1) + of_high * rise<axis>(c, 1));
  }
  template <Axis axis, class Point>
  [[nodiscard]] DNS_HD auto implicit_along(const Spot<Point>& c) const {
    using Value = decltype(q(c));
    const AxisCoefficients<Real>& factors =
        implicit.coefficients.template unknowns<axis, scalar_component>();
    const Value to_low = Value(entry<axis>(factors.diffusion_low, c));
    const Value to_high = Value(entry<axis>(factors.diffusion_high, c));
    const Value low = closed<axis>(c, -1);
    const Value high = closed<axis>(c, 1);
    return implicit.weight *
           (((Real(1) - low) * solids.template excess<axis>(c, -1, to_low) - low * to_low) *
                rise<axis>(c, -1) +
            ((Real(1) - high) * solids.template excess<axis>(c, 1, to_high) - high * to_high) *
                rise<axis>(c, 1));
  }
};

/// Gives the unknowns in bodies the values there.
template <class Real>
struct ImposeSolids {
  SolidsView<Real> solids;
  FieldView<Real> q;

  template <class Point>
  DNS_HD void operator()(Point point) const {
    const auto c = q.spot(point);
    if (solids.are_beyond(c)) return;
    const auto here = q(c);
    q.set(c, here + where_above(solids.kappa(c), Real(solid_rate), solids.target_at(c) - here));
  }
};

}  // namespace dns
