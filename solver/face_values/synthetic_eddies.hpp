/// Synthetic turbulence on a plane: eddies of random sign that a uniform velocity carries through.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/core/index.hpp"

namespace dns {

/// The plane is normal to one axis; what is given along that axis, but its length, is not used.
struct EddySettings {
  Axis normal = Axis::x;
  PerAxis<double> low{}, high{};  // ends of the plane [L]
  PerAxis<bool> is_periodic{};
  PerAxis<double> length{};     // integral scales along x, y, z [L]
  double convection_speed = 1;  // [U]
  std::uint64_t seed = 0;
};

/// Three uncorrelated fluctuations e_j of mean 0 and variance 1 at points x of the plane:
///
///   e_j(x, t) = sqrt(V / (N s_n s_a s_b)) sum over N eddies k of
///               sign_jk f((x_n - x_nk)/s_n) f((x_a - x_ak)/s_a) f((x_b - x_bk)/s_b),
///   f(r) = sqrt(3/2) (1 - |r|) for |r| < 1, else 0.
///
/// Lengths given are integral scales L, from 0 to infinity, of the correlation coefficient. That of
/// the tent f is the cubic B-spline 1 - 3/2 q^2 + 3/4 q^3 for q = |distance|/s < 1, (2 - q)^3/4 up
/// to q = 2, whose integral is 3/4 s: s = 4/3 L. In time it is the same with U t in place of the
/// distance: the integral time is L_n/U.
///
/// Eddies are uniform in a box of volume V about the plane, from -s_n to s_n across it; along it
/// the period, or s more than the plane at either end. Across it they are equally spaced in 24
/// planes, move at speed U, and are born again elsewhere where they leave, their weight being 0
/// there. N = 4 V/(s_n s_a s_b), so that 32 overlap at a point on average: the flatness is 3 +
/// 0.729/4 - 3/N.
///
/// The tops and ends of all tents pass the plane of points at moments s_n/(12 U) apart, at each of
/// them those of one of the 24 planes of eddies, and between them every e_j is a straight line in
/// time:
///
///   e_j(x, t) = sum over 24 moments m of share(moments_at(t) - m) born_at(m)_j(x).
///
/// The variance is 1 in the mean over time, and 1 +- 0.004 at any time.
///
/// Values are functions of settings, place and time alone, to the last bit: of neither the other
/// points asked for nor threads.
/// Source: Jarrin, Benhamadouche, Laurence & Prosser, Int. J. Heat Fluid Flow 27 (2006) 585-593;
/// their eddies are placed at random across the plane too.
class SyntheticEddies {
 public:
  /// Throws CaseError unless lengths and speed are > 0, the plane is not empty, a period is at
  /// least 8/3 of the length along it, and eddies are fewer than 10 million.
  explicit SyntheticEddies(const EddySettings& settings);

  using Fluctuations = PerAxis<std::vector<double>>;
  static constexpr int planes_of_eddies = 24;  // even: one is at the top of the tent at a moment
  static constexpr std::size_t points_worth_threads = 4096;

  /// The number of moments that have passed at time t [L/U], with the part of the next one; NaN
  /// where it has no such part.
  [[nodiscard]] double moments_at(double t) const;

  /// The share of eddies `age` moments after their birth in what they are when their tops pass:
  /// 1 - |age/12 - 1| from 0 to 24 moments, else 0.
  [[nodiscard]] static double share(double age);

  /// What the eddies that are born at a moment are in e_0, e_1, e_2 when their tops pass, at the
  /// points (a, b), a fastest, along the two axes of the plane in order; each ascending [L]; of the
  /// first `components`, the others empty. Points within s of an end that is not periodic may lie
  /// beyond it; the variance falls there.
  [[nodiscard]] Fluctuations born_at(std::int64_t moment,
                                     std::span<const double> a,
                                     std::span<const double> b,
                                     std::size_t components = 3) const;

  /// e_0, e_1, e_2 at such points at time t [L/U].
  [[nodiscard]] Fluctuations unit_fluctuations(std::span<const double> a,
                                               std::span<const double> b,
                                               double t) const;

  [[nodiscard]] const EddySettings& settings() const { return settings_; }
  [[nodiscard]] std::size_t eddies() const { return eddies_; }

 private:
  struct Eddy {
    std::array<double, 2> centre;  // in the plane [L]
    PerAxis<double> amplitude;     // of each component, with its sign
  };
  struct Footprint;  // its points, or those of an image of it

  [[nodiscard]] Eddy eddy_of(std::size_t k, std::int64_t generation) const;
  void add_footprints(const Eddy& eddy,
                      std::span<const double> a,
                      std::span<const double> b,
                      std::vector<Footprint>& prints) const;
  [[nodiscard]] std::vector<Footprint> footprints(std::span<const double> a,
                                                  std::span<const double> b,
                                                  std::int64_t birth) const;

  EddySettings settings_;
  std::array<Axis, 2> axes_;  // of the plane
  PerAxis<double> size_;      // s [L]
  std::size_t eddies_ = 0;
  double amplitude_ = 0;  // sqrt(V/(N s s s)) and that of the three f
  double offset_ = 0;     // of the moments, in distances between them
};

}  // namespace dns
