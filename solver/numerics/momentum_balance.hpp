/// What a step of scheme `projection` lacks of momentum.
///
/// In a box that nothing flows through, the means M [U] of the components along its periodic axes
/// follow from forces and the shear of walls alone. The products of the factors of an implicit step
/// do not keep that: they make momentum of O(dt^3) in a step. A uniform velocity c makes up for it,
///
///   (M* + c - M^n)/dt = <f> - s^n - theta (s* + kappa c - s^n) - 1/2 w x (M* + c - M^n)
///
/// with * what the factors give, s the shear of the walls over the volume [U^2/L], kappa that of a
/// unit velocity [U/L], <f> the mean force at the beginning, w = 2 Omega of a frame that turns (I
/// and w x together as the two factors that rotation has), and theta 1/2, or 1 of implicit Euler.
/// Where the bulk velocity is held, c is what it lacks, and F what the equation lacks. M^(n+1) = M*
/// + c to round-off, however many steps: what a velocity of single precision cannot take up in one
/// step is made up for in the next ones.
#pragma once

#include "solver/core/index.hpp"
#include "solver/numerics/bulk_velocity.hpp"

namespace dns {

/// M [U] and s [U^2/L] along each axis.
struct Momenta {
  PerAxis<double> mean{}, shear{};
};

/// The three equations of c, solved.
struct MomentumBalance {
  PerAxis<bool> is_held{}, is_known{};  // of the others c is 0
  PerAxis<double> held{};               // bulk velocity [U]
  PerAxis<double> kappa{}, turn{};      // turn: w; [U/L]
  bool turns = false;                   // w is not 0
  double dt = 0, theta = 0;             // theta 0: nothing is known, and F grows by c/dt

  struct Solution {
    PerAxis<double> added{};  // c [U]
    PerAxis<double> lack{};   // of F where the bulk velocity is held [U^2/L]
    Momenta next;             // at the end of the step
  };

  /// dt/2 w x, between components whose balance is known: the mean of the others is 0.
  [[nodiscard]] DNS_HD double half_turn(int a, int b) const {
    if (!turns || a == b || !is_known[a] || !is_known[b]) return 0;
    return dt / 2 * (b == (a + 1) % 3 ? -turn[(a + 2) % 3] : turn[(a + 1) % 3]);
  }
  /// impulse: dt (<f> - s^n) [U].
  [[nodiscard]] DNS_HD Solution solve(const PerAxis<double>& impulse,
                                      const Momenta& now,
                                      const Momenta& star) const {
    Solution found{{}, {}, star};
    PerAxis<double> lack{};
    for (int a = 0; a < 3; ++a) {
      if (!is_known[a]) continue;
      lack[a] = impulse[a] - theta * dt * (star.shear[a] - now.shear[a]);
      for (int b = 0; b < 3; ++b) {
        if (a == b || turns) lack[a] -= of_change(a, b) * (star.mean[b] - now.mean[b]);
      }
    }
    for (int a = 0; a < 3; ++a) {
      if (is_held[a]) found.added[a] = held[a] - star.mean[a];
      if (is_known[a] && !is_held[a] && !turns) found.added[a] = lack[a] / of_added(a, a);
    }
    if (turns) solve_coupled(lack, found.added);
    for (int a = 0; a < 3; ++a) {
      const double c = found.added[a];
      found.next.mean[a] += c;
      found.next.shear[a] += kappa[a] * c;
      if (!is_held[a]) continue;
      found.lack[a] = (of_added(a, a) * c - lack[a]) / dt;
      for (int b = 0; turns && b < 3; ++b) {
        if (a != b) found.lack[a] += of_added(a, b) * found.added[b] / dt;
      }
    }
    return found;
  }

 private:
  /// I and the turning, in the factors that coriolis.hpp has: (I + lower half)(I + upper half); 0
  /// between components of which one is not known.
  [[nodiscard]] DNS_HD double of_change(int a, int b) const {
    double sum = (a == b ? 1 : 0) + half_turn(a, b);
    for (int k = 0; turns && k < a && k < b; ++k) sum += half_turn(a, k) * half_turn(k, b);
    return sum;
  }
  [[nodiscard]] DNS_HD double of_added(int a, int b) const {
    return of_change(a, b) + (a == b ? theta * dt * kappa[a] : 0);
  }
  /// c along the axes that are known and not held, by elimination; the others are given. It needs
  /// no pivots.
  DNS_HD void solve_coupled(const PerAxis<double>& lack, PerAxis<double>& c) const {
    double matrix[3][4] = {};
    for (int a = 0; a < 3; ++a) {
      const bool is_solved = is_known[a] && !is_held[a];
      for (int b = 0; b < 3; ++b) matrix[a][b] = is_solved ? of_added(a, b) : a == b ? 1 : 0;
      matrix[a][3] = is_solved ? lack[a] : c[a];
    }
    for (int pivot = 0; pivot < 3; ++pivot) {
      for (int row = pivot + 1; row < 3; ++row) {
        const double factor = matrix[row][pivot] / matrix[pivot][pivot];
        for (int n = pivot; n < 4; ++n) matrix[row][n] -= factor * matrix[pivot][n];
      }
    }
    for (int row = 2; row >= 0; --row) {
      c[row] = matrix[row][3];
      for (int n = row + 1; n < 3; ++n) c[row] -= matrix[row][n] * c[n];
      c[row] /= matrix[row][row];
    }
  }
};

/// Sums of MomentaBetweenWalls.
using MomentumReduction = Reduction<double, MomentumSum::count, 0>;

/// Sums over boxes, as a device or all ranks have found them: over the whole box, and over planes
/// beside walls across x, of which the shear alone counts.
struct MomentumSums {
  MomentumReduction of[3];

  [[nodiscard]] DNS_HD Momenta momenta(const PerAxis<double>& inverse_volume) const {
    Momenta found;
    for (int a = 0; a < 3; ++a) {
      found.mean[a] = of[0].sum[MomentumSum::momentum + a] * inverse_volume[a];
      for (const MomentumReduction& box : of) found.shear[a] += box.sum[MomentumSum::shear + a];
      found.shear[a] *= inverse_volume[a];
    }
    return found;
  }
};

/// What the host reads of a balance.
struct MomentumReport {
  PerAxis<double> lack{};  // MomentumBalance::Solution
  Momenta next;
};

/// The balance of a step, in the memory of the device; for one point.
template <class Real>
struct BalanceMomentum {
  MomentumBalance balance;
  PerAxis<double> acceleration, inverse_volume;
  PerAxis<bool> is_measured;  // the impulse: it is the mean of the right-hand sides
  MomentumSums of_star;       // where `sums` is null
  MomentumReduction of_rows;  // likewise
  const MomentumSums* sums;   // null: given by value, with those of right-hand sides
  const MomentumReduction* sums_of_rows;
  const Momenta* now;
  Momenta* next;
  MomentumReport* report;
  Real* added;

  DNS_HD void operator()(Index3 /*only*/) const {
    const Momenta star = (sums != nullptr ? *sums : of_star).momenta(inverse_volume);
    const MomentumReduction& rows = sums != nullptr ? *sums_of_rows : of_rows;
    PerAxis<double> impulse{};
    for (int a = 0; a < 3; ++a) {
      impulse[a] = is_measured[a] ? rows.sum[MomentumSum::momentum + a] * inverse_volume[a]
                                  : balance.dt * (acceleration[a] - now->shear[a]);
      for (int b = 0; balance.turns && !is_measured[a] && b < 3; ++b)
        impulse[a] -= 2 * balance.half_turn(a, b) * now->mean[b];
    }
    const MomentumBalance::Solution found = balance.solve(impulse, *now, star);
    for (int a = 0; a < 3; ++a) added[a] = static_cast<Real>(found.added[a]);
    *next = found.next;
    *report = {found.lack, found.next};
  }
};

/// Sums of V*, and then the balance.
template <class Real>
struct MomentaAndBalance {
  static constexpr bool is_light = true;
  MomentaBetweenWalls<Real> momenta;
  BalanceMomentum<Real> balance;

  template <class Point, class Reduced>
  DNS_HD void operator()(Point c, Reduced& reduction) const {
    momenta(c, reduction);
  }
  DNS_HD void conclude() const { balance({}); }
};

/// div V*/dt, the sums of V*, which both read it, and then the balance.
template <class Real, class Orders>
struct DivergenceAndMomenta {
  static constexpr bool is_light = true;
  DivergenceOverTime<Real, Orders> divergence;
  MomentaAndBalance<Real> sums;

  template <class Point, class Reduced>
  DNS_HD void operator()(Point c, Reduced& reduction) const {
    divergence(c);
    sums(c, reduction);
  }
  DNS_HD void conclude() const { sums.conclude(); }
};

/// Stores momenta: those given, or of sums; for one point.
struct StoreMomenta {
  MomentumSums of_sums;  // where `sums` is null
  const MomentumSums* sums;
  PerAxis<double> inverse_volume;
  Momenta given;
  bool is_given;
  Momenta* to;
  MomentumReport* report;

  DNS_HD void operator()(Index3 /*only*/) const {
    *to = is_given ? given : (sums != nullptr ? *sums : of_sums).momenta(inverse_volume);
    report->next = *to;
  }
};

}  // namespace dns
