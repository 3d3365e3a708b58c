/// What differs between host and device compilers; nothing else in the project asks which one runs.
/// DNS_HD marks code that both compile. It is always inlined unless DNS_LEAVES_INLINING is defined:
/// with sanitizers, inlining makes functions that take many minutes to compile.
#pragma once

#include <cstddef>
#include <cstdint>

#ifdef __CUDACC__
#define DNS_HD __host__ __device__ __forceinline__
#elif defined(DNS_LEAVES_INLINING)
#define DNS_HD inline
#else
#define DNS_HD inline __attribute__((always_inline))
#endif

// Before a loop: a GPU takes all its passes at once, or one by one. Host compilers do not know
// these.
#ifdef __CUDA_ARCH__
#define DNS_UNROLLED _Pragma("unroll")
#define DNS_ROLLED _Pragma("unroll 1")
#else
#define DNS_UNROLLED
#define DNS_ROLLED
#endif

namespace dns {

/// Size of a value [bytes].
template <class Value>
inline constexpr int bytes_per = sizeof(Value);

/// 1/x; for packs too. On a GPU accurate to the last bit or the one before it
/// (cuda/intrinsics.cuh).
template <class Value>
DNS_HD Value reciprocal(Value x) {
  return Value(1) / x;
}

/// Values that a thread reads or writes in one memory access.
template <class Value, int count>
struct alignas(count * sizeof(Value)) SideBySide {
  Value values[count];

  DNS_HD Value& operator[](int n) { return values[n]; }
  DNS_HD const Value& operator[](int n) const { return values[n]; }
};
/// Whether neighbouring threads will soon read the same again: a GPU's first-level cache keeps
/// `read_again` longer than the rest, and makes no room for `read_once`. Only for values that
/// nothing writes until they are used.
enum class CacheHint { none, read_once, read_again };

}  // namespace dns

#ifdef __CUDACC__
#include "cuda/intrinsics.cuh"
#else
namespace dns {

/// Reads memory that nothing writes while the kernel runs, so that a GPU may read it early and
/// through its read-only path. The address must depend on the point: what is the same for all
/// points might be read before the kernels before this one have written it.
template <class Real>
DNS_HD Real read_only(const Real* from) {
  return *from;
}

template <CacheHint hint, class Real, int count>
DNS_HD void copy_in(SideBySide<Real, count>& values, const Real* from) {
  __builtin_memcpy(&values, from, sizeof(values));
}
template <class Real, int count>
DNS_HD void copy_out(Real* to, const SideBySide<Real, count>& values) {
  __builtin_memcpy(to, &values, sizeof(values));
}

/// Adds to a whole number that many threads add to: sums do not depend on their order.
// NOLINTNEXTLINE(readability-non-const-parameter): written by a builtin function
DNS_HD void add_whole(std::int64_t* to, std::int64_t amount) {
  __atomic_fetch_add(to, amount, __ATOMIC_RELAXED);
}
/// Raises a whole number, which many threads raise, to `value` at least.
// NOLINTNEXTLINE(readability-non-const-parameter): written by a builtin function
DNS_HD void raise_whole(std::int64_t* to, std::int64_t value) {
  std::int64_t now = __atomic_load_n(to, __ATOMIC_RELAXED);
  while (now < value &&
         !__atomic_compare_exchange_n(to, &now, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

/// The pointer, opaque to compilers: they add later offsets to it, in one operation, instead of
/// computing each address anew from the start of the array. As they cannot tell whether it points
/// to shared memory, they also keep loads through it before stores there, in the batches that a
/// kernel asks for.
template <class T>
DNS_HD T* anchored(T* pointer) {
  return pointer;
}

}  // namespace dns
#endif

namespace dns {

/// `count` values in one access. Requires `from` to be a multiple of the size of all of them.
template <int count, CacheHint hint = CacheHint::none, class Real>
[[nodiscard]] DNS_HD SideBySide<Real, count> load_aligned(const Real* from) {
  SideBySide<Real, count> values;
  copy_in<hint>(values, from);
  return values;
}
template <class Real, int count>
DNS_HD void store_aligned(Real* to, const SideBySide<Real, count>& values) {
  copy_out(to, values);
}

}  // namespace dns
