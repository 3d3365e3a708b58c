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

/// Reads memory that nothing writes while the kernel runs, so that a GPU may read it early and
/// through its read-only path. The address must depend on the point: what is the same for all
/// points might be read before the kernels before this one have written it.
template <class Real>
DNS_HD Real read_only(const Real* from) {
#ifdef __CUDA_ARCH__
  return __ldg(from);
#else
  return *from;
#endif
}

/// 1/x; for packs too.
template <class Value>
DNS_HD Value reciprocal(Value x) {
  return Value(1) / x;
}
#ifdef __CUDACC__
/// The same on a GPU, to the last bit or the one before it, without the branches of its exact
/// division: the hardware's approximation r, in double followed by one step of third order,
/// r (1 + e + e^2) with e = 1 - x r, which leaves e^3 of an e below 1e-6. Overflows and underflows
/// give an infinity or NaN instead of a denormal number.
DNS_HD float reciprocal(float x) {
#ifdef __CUDA_ARCH__
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
#else
  return 1 / x;
#endif
}
DNS_HD double reciprocal(double x) {
#ifdef __CUDA_ARCH__
  double r;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
  const double e = fma(-x, r, 1.0);
  return fma(r, fma(e, e, e), r);
#else
  return 1 / x;
#endif
}
#endif

/// What a thread of a GPU reads or writes in one piece at best [bytes].
inline constexpr std::size_t gpu_piece = 16;

/// Values that a thread reads or writes in one piece.
template <class Value, int count>
struct alignas(count * sizeof(Value)) SideBySide {
  Value values[count];

  DNS_HD Value& operator[](int n) { return values[n]; }
  DNS_HD const Value& operator[](int n) const { return values[n]; }
};
/// Whether what is read will be read again soon near by: a GPU's first-level cache keeps `again`
/// longer than the rest, and `once` takes nobody's place in it. Only for what nothing writes until
/// it is used.
enum class CacheHint { none, read_once, read_again };

/// How a GPU reads what a row sees of its point: in any order, in the order of the program, or in
/// that order and with hints for its first-level cache.
enum class StencilLoads { in_any_order, in_order, for_cache };

/// Requires that `from` is a multiple of the size of all of them.
template <int count, CacheHint hint = CacheHint::none, class Real>
[[nodiscard]] DNS_HD SideBySide<Real, count> load_aligned(const Real* from) {
  SideBySide<Real, count> values;
#ifdef __CUDA_ARCH__
  if constexpr (hint == CacheHint::none || sizeof(values) != gpu_piece) {
    values = *reinterpret_cast<const SideBySide<Real, count>*>(from);
  } else if constexpr (sizeof(Real) == 8) {
    if constexpr (hint == CacheHint::read_once) {
      asm("ld.global.L1::no_allocate.v2.f64 {%0, %1}, [%2];"
          : "=d"(values[0]), "=d"(values[1])
          : "l"(from));
    } else {
      asm("ld.global.L1::evict_last.v2.f64 {%0, %1}, [%2];"
          : "=d"(values[0]), "=d"(values[1])
          : "l"(from));
    }
  } else {
    if constexpr (hint == CacheHint::read_once) {
      asm("ld.global.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
          : "=f"(values[0]), "=f"(values[1]), "=f"(values[2]), "=f"(values[3])
          : "l"(from));
    } else {
      asm("ld.global.L1::evict_last.v4.f32 {%0, %1, %2, %3}, [%4];"
          : "=f"(values[0]), "=f"(values[1]), "=f"(values[2]), "=f"(values[3])
          : "l"(from));
    }
  }
#else
  __builtin_memcpy(&values, from, sizeof(values));
#endif
  return values;
}
/// What is written takes no place in a GPU's first-level cache. (In float that gained nothing.)
template <class Real, int count>
DNS_HD void store_aligned(Real* to, const SideBySide<Real, count>& values) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(Real) == 8 && sizeof(values) == gpu_piece) {
    asm volatile(
        "st.global.L1::no_allocate.v2.f64 [%0], {%1, %2};" ::"l"(to), "d"(values[0]), "d"(values[1])
        : "memory");
  } else {
    *reinterpret_cast<SideBySide<Real, count>*>(to) = values;
  }
#else
  __builtin_memcpy(to, &values, sizeof(values));
#endif
}

/// The same pointer, behind which compilers do not look: what is added to it later is added to it,
/// in one operation, and not worked out anew from where its array begins. As they cannot tell
/// whether it leads to shared memory, they also leave what is read through it before what is
/// written there, in the batches a kernel asks for.
template <class T>
DNS_HD T* anchored(T* pointer) {
#ifdef __CUDA_ARCH__
  asm volatile("" : "+l"(pointer));
#endif
  return pointer;
}

}  // namespace dns
