/// Energy over wavenumbers, as contributions of the real modes of lines and boxes, in double.
///
/// A periodic line of n values has n real modes p (LineTransformKind::fourier): mode 2 pi p/L of
/// the cosine where 2 p <= n, mode 2 pi (n - p)/L of the sine above. With the share of each in the
/// mean square,
///
///   mean of q^2 over the line = sum over p of share(p) mode(p)^2             (Parseval)
///
/// and likewise in two and three dimensions, with products of shares. So the sine and the cosine of
/// a wavenumber, and the waves of all signs (+-kx, +-ky, +-kz), are those of one |k|, whose energy
/// is a sum of squares of real numbers.
#pragma once

#include <cmath>

#include "solver/core/field_view.hpp"
#include "solver/core/index.hpp"
#include "solver/numerics/statistics.hpp"

namespace dns {

/// The number of waves along L of the real mode p of n.
[[nodiscard]] DNS_HD constexpr int waves_of_mode(int p, int n) {
  return 2 * p <= n ? p : n - p;
}

/// Real modes along one axis: how many, and what the square of each contributes to the mean square.
struct ModeShares {
  int points = 1;
  double single = 1;  // of modes that are cosines alone: p = 0 and p = n/2
  double paired = 1;  // of the others

  [[nodiscard]] DNS_HD double of(int p) const {
    return p == 0 || 2 * p == points ? single : paired;
  }
};

/// The square of a mode of lines along one axis, times the weight of the line in the averages over
/// the other axes. A velocity component of a cell is that of both its faces: the mean of the
/// squares there, as in PowersSample. What lives at centres has one place in a cell, and so have
/// components along the lines and, by their mean, along periodic axes of equal cells averaged over.
template <class Real>
struct SquaredMode {
  FieldView<const Real> modes;
  int to_other_face;             // words; 0 where one face of each cell is enough
  AveragingWeight<Real> weight;  // without the axis of the lines
  Index3 first;                  // the cell of point (0, 0, 0)

  DNS_HD void operator()(Index3 c, Reduction<double, 1, 0>& reduction) const {
    const Real* const here = modes.address(c);
    const double low = in_double(here[0]);
    const double high = in_double(here[to_other_face]);
    reduction.sum[0] += 0.5 * weight.at(Index3{c.i + first.i, c.j + first.j, c.k + first.k}) *
                        (low * low + high * high);
  }
};

/// Hands over sums of squares of modes as contributions of waves to the mean square, and leaves
/// zeros in their place. Point c is the wave c of `along`, and of the other axes a point for which
/// sums are kept. By default modes are not paired, and their shares are 1: so are shells.
struct WavesOfModes {
  double* modes;  // x fastest, without gaps
  Extents kept;   // points of `modes`
  double* waves;  // where wave 0 of the first point goes: x fastest, without gaps
  Extents extents;
  Axis along = Axis::x;
  ModeShares shares = {};

  DNS_HD void operator()(Index3 c) const {
    const int wave = along == Axis::x ? c.i : along == Axis::y ? c.j : c.k;
    const int sine = shares.points - wave;
    double sum = taken(c);
    if (wave > 0 && wave < sine) {
      sum += taken({along == Axis::x ? sine : c.i,
                    along == Axis::y ? sine : c.j,
                    along == Axis::z ? sine : c.k});
    }
    waves[place(c, extents)] = shares.of(wave) * sum;
  }

 private:
  [[nodiscard]] DNS_HD static long long place(Index3 c, Extents points) {
    return (static_cast<long long>(c.k) * points.ny + c.j) * points.nx + c.i;
  }
  [[nodiscard]] DNS_HD double taken(Index3 c) const {
    double& sum = modes[place(c, kept)];
    const double value = sum;
    sum = 0;
    return value;
  }
};

/// Half the mean square of the waves in shells of |k|, of the modes along all three axes of a
/// periodic box. Shell s holds the waves with (s - 1/2) dk <= |k| < (s + 1/2) dk. Point (s, j, k)
/// adds what row j of the modes has in shell s at mode k along z.
template <class Real>
struct ShellEnergy {
  FieldView<const Real> modes;
  PerAxis<ModeShares> shares;
  PerAxis<double> step;  // 2 pi/(L dk) of each axis
  int first_row;         // mode along y of row 0

  DNS_HD void operator()(Index3 c, Reduction<double, 1, 0>& reduction) const {
    const int q = first_row + c.j;
    const double ky = step[1] * waves_of_mode(q, shares[1].points);
    const double kz = step[2] * waves_of_mode(c.k, shares[2].points);
    const double across = ky * ky + kz * kz;
    const int n = shares[0].points;
    const int behind = first_wave_of(c.i + 1, across);
    const int end = behind < n / 2 + 1 ? behind : n / 2 + 1;
    const Real* const row = modes.address({0, c.j, c.k});
    double sum = 0;
    for (int m = first_wave_of(c.i, across); m < end; ++m) {
      const double cosine = in_double(row[m]);
      const double sine = m == 0 || 2 * m == n ? 0 : in_double(row[n - m]);
      sum += shares[0].of(m) * (cosine * cosine + sine * sine);
    }
    reduction.sum[0] += 0.5 * shares[1].of(q) * shares[2].of(c.k) * sum;
  }

 private:
  /// The least number of waves along x with which |k| reaches shell s. Where all steps are 1 the
  /// squares are whole numbers and quarters: no rounding decides.
  [[nodiscard]] DNS_HD int first_wave_of(int s, double across) const {
    const double edge = (s - 0.5) * (s - 0.5);
    if (s == 0 || edge <= across) return 0;
    return static_cast<int>(std::ceil(std::sqrt(edge - across) / step[0]));
  }
};

}  // namespace dns
