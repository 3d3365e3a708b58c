/// What differs between host and device compilers; nothing else in the project asks which one runs.
/// DNS_HD marks code that both compile. It is inlined everywhere, but where DNS_LEAVES_INLINING is
/// defined: under the sanitizers that would make functions which take many minutes to compile.
#pragma once

#include <cstddef>

#ifdef __CUDACC__
#define DNS_HD __host__ __device__ __forceinline__
#elif defined(DNS_LEAVES_INLINING)
#define DNS_HD inline
#else
#define DNS_HD inline __attribute__((always_inline))
#endif

namespace dns {

/// 1/x; for packs too. On a GPU to the last bit or the one before it (cuda/intrinsics.cuh).
template <class Value>
DNS_HD Value reciprocal(Value x) {
  return Value(1) / x;
}

/// Values that a thread reads or writes in one piece.
template <class Value, int count>
struct alignas(count * sizeof(Value)) SideBySide {
  Value values[count];

  DNS_HD Value& operator[](int n) { return values[n]; }
  DNS_HD const Value& operator[](int n) const { return values[n]; }
};
/// Whether what is read will be read again soon near by: a GPU's first-level cache keeps
/// `read_again` longer than the rest, and `read_once` takes nobody's place in it. Only for what
/// nothing writes until it is used.
enum class CacheHint { none, read_once, read_again };

/// How a GPU loads the stencil of a row: in any order, in the order of the program, or in that
/// order and with hints for its first-level cache.
enum class StencilLoads { in_any_order, in_order, for_cache };

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

/// The same pointer, behind which compilers do not look: what is added to it later is added to it,
/// in one operation, and not worked out anew from where its array begins. As they cannot tell
/// whether it leads to shared memory, they also leave what is read through it before what is
/// written there, in the batches a kernel asks for.
template <class T>
DNS_HD T* anchored(T* pointer) {
  return pointer;
}

}  // namespace dns
#endif

namespace dns {

/// Requires that `from` is a multiple of the size of all of them.
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
