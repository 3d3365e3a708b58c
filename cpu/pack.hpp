/// Packs: a few neighbouring points handled as one vector register.
#pragma once

#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "solver/core/host_cache.hpp"
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

/// Points of one vector register.
template <class Real>
inline constexpr int pack_width = vector_bytes / sizeof(Real);

/// `width` numbers (a power of two), one per point of a PackPoint.
template <class Real, int width>
struct Pack {
  // The attribute of an alias of a dependent type would be lost.
  // NOLINTNEXTLINE(modernize-use-using)
  typedef Real Lanes __attribute__((vector_size(sizeof(Real) * width)));
  Lanes lanes = {};

  Pack() = default;
  // Not explicit: formulas combine packs with numbers as they combine numbers.
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
template <class Real, int width>
DNS_HD Pack<Real, width> magnitude(Pack<Real, width> values) {
  return Pack<Real, width>::of(values.lanes < 0 ? -values.lanes : values.lanes);
}
template <class Real, int width>
DNS_HD Pack<Real, width> where_above(Pack<Real, width> x, Real bound, Pack<Real, width> value) {
  return Pack<Real, width>::of(x.lanes > bound ? value.lanes : typename Pack<Real, width>::Lanes{});
}
template <class Real, int width>
DNS_HD bool is_zero(Pack<Real, width> values) {
  bool is_zero = true;
  for (int lane = 0; lane < width; ++lane) is_zero = is_zero & (values.lanes[lane] == 0);
  return is_zero;
}
template <class Real, int width>
DNS_HD Pack<Real, width> larger_or_nan(Pack<Real, width> best, Pack<Real, width> value) {
  return Pack<Real, width>::of(
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
DNS_HD Pack<Real, width> load_unaligned(const Real* from, PackPoint<width> at) {
  return load(from, at);
}
template <class Real, int width>
DNS_HD Pack<Real, width> load_nearby(const Real* from, PackPoint<width> at) {
  return load(from, at);
}
template <class Real, int width>
DNS_HD Pack<Real, width> load(Real* from, PackPoint<width> at) {
  return load(static_cast<const Real*>(from), at);
}
template <class Real, int width>
DNS_HD void store(Real* to, Pack<Real, width> values, PackPoint<width> /*at*/) {
  __builtin_memcpy(to, &values.lanes, sizeof(values.lanes));
}

/// Whether a pack fills one line of the cache.
inline constexpr bool packs_fill_cache_lines = vector_bytes == 64;

/// A PackPoint whose results bypass the caches, so that cache lines which are only written need not
/// be read first. For fields that will have left the caches before they are read again.
///
/// The pack stores its points in one cache line only. That line starts `line` points after the
/// pack's first point; a negative `line` means before it. PacksOfRange gives each pack a line of
/// its own. If overlapping packs stored all their points, two of them would write the same line.
/// The second store then waits until the first has reached memory: sweeps along y and z took 1.6
/// times as long (192^3, double, AMD EPYC).
template <int width>
struct StreamedPackPoint : PackPoint<width> {
  int line = 0;
};

/// Whether a field of this size leaves the caches before it is read again; a kernel also touches
/// other fields. With 32 MiB of cache steps past the caches are 3 % slower for fields of 6.8 MiB
/// (scheme projection, 96^3) and 5 to 10 % faster for levels of 7.3 MiB (splitting, 64^3). A
/// virtual machine may be told of larger caches than it has to itself.
[[nodiscard]] inline bool outgrow_caches(std::size_t bytes) {
  constexpr std::size_t large = std::size_t{28} << 20;
  static const std::size_t least = std::min(2 * host_cache_bytes() / 9, large);
  return packs_fill_cache_lines && bytes >= least;
}

#ifdef __AVX512F__
/// Stores the lanes that lie in the line that starts `line` points after `to`. Requires line != 0.
/// The lanes are shifted first: a masked store at `to` would touch the neighbouring line, too.
template <class Real>
void store_in_line(Real* to, __m512i lanes, int line) {
  constexpr int width = pack_width<Real>;
  constexpr unsigned all = (1U << width) - 1;
  const unsigned from_low = all >> std::abs(line);
  const unsigned from_high = all & all << std::abs(line);
  if constexpr (width == 8) {
    lanes = line > 0 ? _mm512_maskz_compress_epi64(static_cast<__mmask8>(from_high), lanes)
                     : _mm512_maskz_expand_epi64(static_cast<__mmask8>(from_high), lanes);
    _mm512_mask_store_epi64(
        to + line, static_cast<__mmask8>(line > 0 ? from_low : from_high), lanes);
  } else {
    lanes = line > 0 ? _mm512_maskz_compress_epi32(static_cast<__mmask16>(from_high), lanes)
                     : _mm512_maskz_expand_epi32(static_cast<__mmask16>(from_high), lanes);
    _mm512_mask_store_epi32(
        to + line, static_cast<__mmask16>(line > 0 ? from_low : from_high), lanes);
  }
}
#endif

template <class Real, int width>
DNS_HD void store(Real* to, Pack<Real, width> values, StreamedPackPoint<width> at) {
#ifdef __AVX512F__
  __m512i lanes;
  __builtin_memcpy(&lanes, &values.lanes, sizeof(lanes));
  if (at.line != 0) return store_in_line(to, lanes, at.line);
  if (reinterpret_cast<std::uintptr_t>(to) % vector_bytes == 0) {
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to), lanes);
    return;
  }
#endif
  store(to, values, static_cast<const PackPoint<width>&>(at));
}

/// Makes streamed results visible to other threads before what the calling thread does next.
inline void finish_streaming() {
#ifdef __AVX512F__
  _mm_sfence();
#endif
}

/// A formula evaluated at this point prefetches what it would read; its result is meaningless.
struct PrefetchPoint : Index3 {};

template <class Real>
DNS_HD Real load(const Real* from, PrefetchPoint /*at*/) {
  __builtin_prefetch(from);
  return Real(0);
}
template <class Real>
DNS_HD Real load(Real* from, PrefetchPoint at) {
  return load(static_cast<const Real*>(from), at);
}
template <class Real>
DNS_HD Real load_unaligned(const Real* from, PrefetchPoint at) {
  return load(from, at);
}

template <class Real>
DNS_HD Real load_nearby(const Real* /*from*/, PrefetchPoint /*at*/) {
  return Real(0);
}

template <class Real>
DNS_HD void store(Real* to, Real /*value*/, PrefetchPoint /*at*/) {
  __builtin_prefetch(to, 1);
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
