/// Where the surface of a body cuts the way from a point in the fluid to its neighbour in the body.
#pragma once

#include <cmath>
#include <cstdint>

#include "solver/core/host_device.hpp"

namespace dns {

/// The least distance from a surface, over that of a point to its neighbour: 1/theta must be a
/// number.
inline constexpr double least_theta = 1e-6;
/// Steps of bisection that find a surface between two points.
inline constexpr int steps_to_surface = 40;

/// The distance from a point in the fluid to the surface, over that to its neighbour in the body:
/// phi(part) is the body's function at that part of the way. With several crossings, it returns one
/// whose near side is fluid.
template <class Function>
[[nodiscard]] DNS_HD double part_to_surface(const Function& phi) {
  double outside = 0;
  double inside = 1;
  DNS_ROLLED
  for (int n = 0; n < steps_to_surface; ++n) {
    const double middle = (outside + inside) / 2;
    (phi(middle) > 0 ? outside : inside) = middle;
  }
  return outside > least_theta ? outside : least_theta;
}

/// part_to_surface where the function falls from one end of the way to the other, as along a line
/// into a convex body, in about eight evaluations: false position, of which every third step is a
/// bisection. It goes by the same numbers, whole multiples of 2^-40, so that it ends with the same
/// one.
///
/// Source: Dowell & Jarratt, BIT 11 (1971) 168 (the end that stays counts half: "Illinois").
template <class Function>
[[nodiscard]] DNS_HD double part_to_convex_surface(const Function& phi) {
  constexpr double parts = std::int64_t{1} << steps_to_surface;
  double outside = 0;
  double inside = 1;
  double above = phi(outside);
  double below = phi(inside);
  int stayed = 0;  // steps since which the same end stays; of the inner one below 0
  DNS_ROLLED
  for (int n = 1; (inside - outside) * parts > 1; ++n) {
    double next = outside + (inside - outside) * (above / (above - below));
    if (n % 3 == 0) next = (outside + inside) / 2;
    next = std::floor(next * parts) / parts;
    if (!(next > outside)) next = outside + 1 / parts;
    if (!(next < inside)) next = inside - 1 / parts;
    const double value = phi(next);
    if (value > 0) {
      outside = next;
      above = value;
      stayed = stayed < 0 ? stayed - 1 : -1;
      if (stayed < -1) below /= 2;
    } else {
      inside = next;
      below = value;
      stayed = stayed > 0 ? stayed + 1 : 1;
      if (stayed > 1) above /= 2;
    }
  }
  return outside > least_theta ? outside : least_theta;
}

}  // namespace dns
