/// Balance of a scalar between walls through which it passes.
///
/// In a box that no fluid flows through, the mean of a scalar follows from its sources and from
/// what passes through walls, as a component of momentum follows from forces and shear. It is
/// balanced in the same way: momentum_balance.hpp with one component, the scalar, whose shear s is
/// what walls take from it over the volume.
#pragma once

#include "solver/core/level_view.hpp"
#include "solver/core/reduction.hpp"
#include "solver/numerics/momentum_balance.hpp"
#include "solver/numerics/plane_closure.hpp"

namespace dns {

/// The scalar of all cells times their volume [L^3], and what diffusion takes from it through
/// walls: SUM area nu (q_1 - q_0)/width [U L^2], q_0 the ghost point. In places 0 of MomentumSum.
template <class Real>
struct ScalarBetweenWalls {
  static constexpr bool is_light = true;  // cuda/reduce.cuh
  struct Wall {
    int plane = -1;   // of the cells beside it; -1: there is no wall, or it is another rank's
    double rate = 0;  // nu/width^2 of these cells [U/L]
    PlaneClosure<Real> closure{};
  };

  FieldView<const Real> scalar;
  GridMetrics<Real> metrics;
  PerAxis<Wall[2]> walls{};  // across each axis, low and high; across x in boxes of one plane alone

  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, MomentumSum::count, 0>& reduction) const {
    const auto q = in_double(scalar(c));
    const auto volume = entry_in_double<Axis::x>(metrics.template along<Axis::x>().width, c) *
                        (entry_in_double<Axis::y>(metrics.template along<Axis::y>().width, c) *
                         entry_in_double<Axis::z>(metrics.template along<Axis::z>().width, c));
    reduction.sum[MomentumSum::momentum] += q * volume;
    add<Axis::x>(c, q, volume, reduction);
    add<Axis::y>(c, q, volume, reduction);
    add<Axis::z>(c, q, volume, reduction);
  }

 private:
  template <Axis axis, class Point, class Value, class Reduced>
  DNS_HD void add(Point c, Value q, Value volume, Reduced& reduction) const {
    for (const Wall& wall : walls[axis]) {
      if (along<axis>(c) == wall.plane)
        reduction.sum[MomentumSum::shear] += wall.rate * (volume * wall.closure.drop(c, q));
    }
  }
};

/// Sums over the whole box, and then the balance; writes the latter.
template <class Real>
struct ScalarAndBalance {
  static constexpr bool is_light = true;
  ScalarBetweenWalls<Real> sums;
  BalanceMomentum<Real> balance;

  template <class Point, class Reduced>
  DNS_HD void operator()(Point c, Reduced& reduction) const {
    sums(c, reduction);
  }
  DNS_HD void conclude() const { balance({}); }
};

/// Adds a number in the memory of the device to all values of a field, unless it is infinite or not
/// a number: a flow that has diverged stays as it is, so that the place where it did can be named.
template <class Real>
struct AddFound {
  const Real* added;
  FieldView<Real> to;

  template <class Point>
  DNS_HD void operator()(Point c) const {
    const Real shift = *added;
    if (shift - shift != Real(0)) return;
    using Value = decltype(to(c));
    to.set(c, to(c) + Value(shift));
  }
};

}  // namespace dns
