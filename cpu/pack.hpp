/// Packs: a few neighbouring points handled as one vector register.
#pragma once

#include <cstddef>
#include <utility>

#include "solver/core/index.hpp"

namespace dns {

/// Bytes of one vector register of the processor compiled for.
#if defined(__AVX512F__)
inline constexpr std::size_t vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr std::size_t vector_bytes = 32;
#else
inline constexpr std::size_t vector_bytes = 16;
#endif

/// `width` numbers (a power of two), one per point of a PackPoint.
template <class Real, int width>
struct Pack {
  // The attribute of an alias of a dependent type would be lost.
  // NOLINTNEXTLINE(modernize-use-using)
  typedef Real Lanes __attribute__((vector_size(sizeof(Real) * width)));
  Lanes lanes = {};

  Pack() = default;
  // Not explicit: a number stands in a formula as it does among numbers.
  DNS_HD Pack(Real everywhere) : lanes(everywhere - Lanes{}) {}
  DNS_HD static Pack of(const Lanes& values) {
    Pack pack;
    pack.lanes = values;
    return pack;
  }

  DNS_HD friend Pack operator+(Pack a, Pack b) { return of(a.lanes + b.lanes); }
  DNS_HD friend Pack operator-(Pack a, Pack b) { return of(a.lanes - b.lanes); }
  DNS_HD friend Pack operator*(Pack a, Pack b) { return of(a.lanes * b.lanes); }
  DNS_HD friend Pack operator/(Pack a, Pack b) { return of(a.lanes / b.lanes); }
  DNS_HD friend Pack operator-(Pack a) { return of(-a.lanes); }
  DNS_HD Pack& operator+=(Pack b) { return *this = *this + b; }
  DNS_HD Pack& operator-=(Pack b) { return *this = *this - b; }
};

template <class Real, int width>
DNS_HD Pack<double, width> in_double(Pack<Real, width> values) {
  return Pack<double, width>::of(
      __builtin_convertvector(values.lanes, typename Pack<double, width>::Lanes));
}
template <int width>
DNS_HD Pack<double, width> magnitude(Pack<double, width> values) {
  return Pack<double, width>::of(values.lanes < 0 ? -values.lanes : values.lanes);
}
template <int width>
DNS_HD Pack<double, width> larger_or_nan(Pack<double, width> best, Pack<double, width> value) {
  return Pack<double, width>::of(
      ((value.lanes > best.lanes) | (value.lanes != value.lanes)) ? value.lanes : best.lanes);
}

/// The points (i, j, k) .. (i + width - 1, j, k).
template <int width>
struct PackPoint : Index3 {};

template <class Real, int width>
DNS_HD Pack<Real, width> load(const Real* from, PackPoint<width> /*at*/) {
  Pack<Real, width> values;
  __builtin_memcpy(&values.lanes, from, sizeof(values.lanes));
  return values;
}
template <class Real, int width>
DNS_HD void store(Real* to, Pack<Real, width> values, PackPoint<width> /*at*/) {
  __builtin_memcpy(to, &values.lanes, sizeof(values.lanes));
}

/// Transposes a square block of numbers: lane n of block[m] becomes lane m of block[n].
template <class Real, int width>
DNS_HD void transpose(Pack<Real, width> (&block)[width]) {
  // log2(width) rounds; each exchanges the off-diagonal halves of all 2s x 2s sub-blocks.
  auto exchange = [&]<int s>(std::integral_constant<int, s>) {
    for (int m = 0; m < width; ++m) {
      if ((m & s) != 0) continue;
      const auto a = block[m].lanes;
      const auto b = block[m + s].lanes;
      [&]<int... lane>(std::integer_sequence<int, lane...>) {
        block[m].lanes =
            __builtin_shufflevector(a, b, ((lane & s) != 0 ? width + lane - s : lane)...);
        block[m + s].lanes =
            __builtin_shufflevector(a, b, ((lane & s) != 0 ? width + lane : lane + s)...);
      }
      (std::make_integer_sequence<int, width>{});
    }
  };
  if constexpr (width > 1) exchange(std::integral_constant<int, 1>{});
  if constexpr (width > 2) exchange(std::integral_constant<int, 2>{});
  if constexpr (width > 4) exchange(std::integral_constant<int, 4>{});
  if constexpr (width > 8) exchange(std::integral_constant<int, 8>{});
}

}  // namespace dns
