/// The equations of scheme `projection`, one factor a sweep:
///
///   (I + A_z)(I + A_y)(I + A_x) dV = - 2 (A_x + A_y + A_z) V^n - dt grad p^(n-1/2) + dt F^(n+1/2)
///
/// solved for each velocity component separately, on the box of its own unknowns; temperature
/// likewise, without pressure and force. A_s: advection_diffusion.hpp. In a half-step of implicit
/// Euler - (A_x + A_y + A_z) stands on the right, with A_s = dt (N_s - nu L_s) of its own dt.
///
/// Sources: Harlow & Welch, Phys. Fluids 8 (1965) 2182; Kim & Moin, J. Comput. Phys. 59 (1985) 308;
/// factors in delta form: Beam & Warming, J. Comput. Phys. 22 (1976) 87.
#pragma once

#include "solver/core/index.hpp"
#include "solver/core/level_view.hpp"
#include "solver/core/reduction.hpp"
#include "solver/numerics/advection_diffusion.hpp"
#include "solver/numerics/buoyant_scalars.hpp"
#include "solver/numerics/plane_closure.hpp"
#include "solver/numerics/store_solution.hpp"

namespace dns {

/// What a scalar's right-hand side adds to -2 (A_x + A_y + A_z) q: nothing.
struct NoSource {
  template <class Point, class Value>
  [[nodiscard]] DNS_HD Value added_to(Value value, Point /*c*/) const {
    return value;
  }
};

/// Buoyancy of a step along `axis`, dt factor (T^n + T_q)/2, T_q as advected by V^n (buoyancy.hpp).
/// T at a face is the unweighted mean of its two cells, as in the advection of T through the face,
/// so that buoyancy does the work that advection of T takes from the potential energy. Scalars: the
/// FieldView of T or, where several scalars rise, BuoyantScalars.
template <Axis axis, class Real, class Scalars>
struct StepBuoyancy {
  Real quarter_dt = 0;          // dt factor/4; 0 without buoyancy along `axis`
  Scalars temperature[2] = {};  // T^n, T_q

  template <class Point, class Value>
  [[nodiscard]] DNS_HD Value added_to(Value value, Point c) const {
    if (quarter_dt != 0) {
      const Value below = temperature[0].template beside<axis>(c, -1);
      value += quarter_dt * ((temperature[0](c) + below) +
                             (temperature[1](c) + temperature[1].template beside<axis>(c, -1)));
    }
    return value;
  }
};

/// Adds the buoyancy of several scalars to a right-hand side. A pass of its own: loops over scalars
/// in the kernel of right-hand sides made it three times as long for all flows.
template <Axis axis, class Real>
struct AddStepBuoyancy {
  StepBuoyancy<axis, Real, BuoyantScalars<Real>> buoyancy;
  FieldView<Real> result;

  template <class Point>
  DNS_HD void operator()(Point point) const {
    const auto c = result.spot(point);
    result.set(c, buoyancy.added_to(result(c), c));
  }
};

/// - dt grad p + dt F for the component along `axis`, with F a uniform acceleration and the
/// buoyancy of one scalar, factor ((T^n + T_q)/2 - T_0). That of several: AddStepBuoyancy.
template <Axis axis, class Real>
struct MomentumSource {
  FieldView<const Real> pressure;
  const Real* inverse_distance;  // across faces along `axis` [1/L]
  Real dt;
  Real dt_acceleration;  // dt (F - factor T_0)
  StepBuoyancy<axis, Real, FieldView<const Real>> buoyancy = {};

  template <class Point, class Value>
  [[nodiscard]] DNS_HD Value added_to(Value value, Point c) const {
    const auto slope = dt * entry<axis>(inverse_distance, c);
    value -= slope * (pressure(c) - pressure.template beside<axis>(c, -1));
    value += Value(dt_acceleration);
    return buoyancy.added_to(value, c);
  }
};

/// The whole right-hand side, evaluated from the fields. Uniform: UniformAxes.
template <int component, class Real, class Source, class Uniform = AnyAxes>
struct RightHandSide {
  FieldView<const Real> q;  // the component at t^n, ghosts included
  Source source;
  Real weight = Real(-2);  // of A q; in a half-step of implicit Euler -1

  template <class Point>
  DNS_HD auto operator()(Point c,
                         const AdvectingVelocity<Real>& advecting,
                         const SweepCoefficients<Real>& step) const {
    using Value = decltype(q(c));
    const Value here = q(c);
    const Value all = along<Axis::x>(c, here, advecting, step) +
                      along<Axis::y>(c, here, advecting, step) +
                      along<Axis::z>(c, here, advecting, step);
    return source.added_to(weight * all, c);
  }

 private:
  template <Axis axis, class Point, class Value>
  [[nodiscard]] DNS_HD Value along(Point c,
                                   Value here,
                                   const AdvectingVelocity<Real>& advecting,
                                   const SweepCoefficients<Real>& step) const {
    return advecting.template term<axis, component, Uniform>(c, step).applied(
        q.template beside<axis>(c, -1), here, q.template beside<axis>(c, 1));
  }
};

/// The right-hand sides of all components at once, for sweeps that read them where they store the
/// solution. On boundary faces, which have no equation, the values are meaningless.
template <class Real, class Uniform>
struct WriteRightHandSides {
  using Number = Real;
  static constexpr bool is_for_a_later_pass = true;
  RightHandSide<0, Real, MomentumSource<Axis::x, Real>, Uniform> x;
  RightHandSide<1, Real, MomentumSource<Axis::y, Real>, Uniform> y;
  RightHandSide<2, Real, MomentumSource<Axis::z, Real>, Uniform> z;
  AdvectingVelocity<Real> advecting;
  SweepCoefficients<Real> step;
  PerAxis<FieldView<Real>> result;

  template <class Point>
  DNS_HD void operator()(Point point) const {
    const auto c = advecting.velocity[0].spot(point);
    result[0].set(c, x(c, advecting, step));
    result[1].set(c, y(c, advecting, step));
    result[2].set(c, z(c, advecting, step));
  }
};

/// The solution of the previous sweep, which that of this sweep may replace.
template <class Real>
struct SolutionBefore {
  FieldView<Real> solution;

  template <class Point>
  DNS_HD auto operator()(Point c,
                         const AdvectingVelocity<Real>& /*advecting*/,
                         const SweepCoefficients<Real>& /*step*/) const {
    return solution(c);
  }
};

/// The unknown q_0 beyond one end of a line. Its change over a step, dq_0, follows from dq_1 by the
/// closure of the end of the step and the change of the given value; where the closure changes, the
/// value given now is that which q_0 and q_1 have with it.
template <class Real>
struct LineEnd {
  PlaneClosure<Real> next;         // at t^(n+1)
  FaceView<const Real> given_now;  // at t^n
};

/// The lines of a factor along `axis`. Along a uniform axis the diagonal is the same everywhere,
/// and is not one of the coefficients.
template <Axis axis, class Real, bool cyclic, bool uniform>
struct FactorLines {
  using System = OneUnknown;
  static constexpr bool is_cyclic = cyclic;
  static constexpr int coefficients = uniform ? 2 : 3;

  SweepCoefficients<Real> step;
  LineEnd<Real> low, high;

  template <class Value>
  [[nodiscard]] DNS_HD static auto data_of(const Coupling<Value>& row, Value rhs) {
    RowData<System, coefficients, Value> data;
    data.coefficient[0] = row.lower;
    data.coefficient[1] = row.upper;
    if constexpr (!uniform) data.coefficient[2] = row.diagonal;
    data.rhs[0] = rhs;
    return data;
  }

  template <class Value>
  [[nodiscard]] DNS_HD Coupling<Value> coupling(int /*matrix*/,
                                                const Value (&coefficient)[coefficients]) const {
    if constexpr (uniform) {
      return {coefficient[0], Value(step.uniform_diagonal[axis]), coefficient[1]};
    } else {
      return {coefficient[0], coefficient[2], coefficient[1]};
    }
  }

  template <class Point, class Data>
  DNS_HD void close_low(Point c, Data& data) const {
    close(low, c, data.coefficient[0], data.rhs[0]);
  }
  template <class Point, class Data>
  DNS_HD void close_high(Point c, Data& data) const {
    close(high, c, data.coefficient[1], data.rhs[0]);
  }
  template <class Value>
  DNS_HD void fold_low(int /*matrix*/, Coupling<Value>& row) const {
    fold(low, row.lower, row.diagonal);
  }
  template <class Value>
  DNS_HD void fold_high(int /*matrix*/, Coupling<Value>& row) const {
    fold(high, row.upper, row.diagonal);
  }

  /// Gives the changes beyond an end: those of another rank's unknowns in place of a boundary's.
  template <class ValueOf>
  void close_by_values(bool is_high, const ValueOf& value_of, FaceView<const Real> zero) {
    (is_high ? high : low) = LineEnd<Real>{{Real(0), Real(1), value_of(0)}, zero};
  }

 private:
  /// Moves what the value given at an end changes by to the right-hand side; `outward`: the
  /// coefficient of the unknown beyond.
  template <class Point, class Value>
  DNS_HD static void close(const LineEnd<Real>& end, Point c, Value& outward, Value& rhs) {
    rhs -= outward * (end.next.weight * (end.next.given(c) - end.given_now(c)));
    end.next.scale(c, outward);
  }
  template <class Value>
  DNS_HD static void fold(const LineEnd<Real>& end, Value& outward, Value& diagonal) {
    diagonal += outward * end.next.first;
    outward = Value(0);
  }
};

/// Rows of the factor I + A_s along `axis` for one component, with right-hand sides from `Right`.
template <Axis axis, int component, class Real, bool cyclic, bool uniform, class Right>
struct FactorRows : FactorLines<axis, Real, cyclic, uniform> {
  static constexpr bool is_of_scalar = component == scalar_component;

  Right right;
  AdvectingVelocity<Real> advecting;

  [[nodiscard]] DNS_HD const AxisCoefficients<Real>& of_unknowns() const {
    return this->step.template unknowns<axis, component>();
  }
  template <class Point>
  DNS_HD auto operator()(Point point) const {
    const auto c = advecting.velocity[0].spot(point);
    const auto term =
        advecting.template term<axis, component, UniformAlong<axis, uniform>>(c, this->step);
    using Value = decltype(term.advection_low);
    return this->data_of(term.row(), Value(right(c, advecting, this->step)));
  }
};

/// Rows of the factor I - dt/2 nu L_s along `axis`, implicit diffusion of a Runge-Kutta stage, for
/// any variable.
template <Axis axis, class Real, bool cyclic, bool uniform>
struct DiffusionRows : FactorLines<axis, Real, cyclic, uniform> {
  static constexpr bool is_of_scalar = true;  // or of a velocity, which no body insulates

  AxisCoefficients<Real> unknowns;  // of the variable
  FieldView<Real> solution;         // of the sweep before, which that of this sweep may replace

  [[nodiscard]] DNS_HD const AxisCoefficients<Real>& of_unknowns() const { return unknowns; }
  template <class Point>
  DNS_HD auto operator()(Point point) const {
    const auto c = solution.spot(point);
    using Value = decltype(solution(c));
    using Uniform = UniformAlong<axis, uniform>;
    const auto to_low = Value(entry_of<axis, Uniform>(unknowns.diffusion_low, c));
    const auto to_high = Value(entry_of<axis, Uniform>(unknowns.diffusion_high, c));
    return this->data_of(Coupling<Value>{-to_low, Value(Real(1)) + (to_low + to_high), -to_high},
                         solution(c));
  }
};

/// Sink of the last sweep: q^(n+1) = q^n + dq.
template <class Real>
struct AddToFlow {
  FieldView<const Real> now;
  FieldView<Real> next;

  template <class Point>
  [[nodiscard]] DNS_HD auto read(Point c) const {
    return now(c);
  }
  template <class Point, class Value>
  DNS_HD void operator()(Point c, const Value (&x)[1], Value before) const {
    next.set(c, before + x[0]);
  }
};

}  // namespace dns
