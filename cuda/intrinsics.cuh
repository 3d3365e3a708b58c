/// The functions of solver/core/host_device.hpp as they are best on a GPU. CUDA's compiler gets
/// these instead, for host code too.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dns {

/// Best width of a memory access of a thread [bytes].
inline constexpr std::size_t gpu_piece = 16;

template <class Real>
__host__ __device__ __forceinline__ Real read_only(const Real* from) {
#ifdef __CUDA_ARCH__
  return __ldg(from);
#else
  return *from;
#endif
}

/// To the last bit or the one before it, without the branches of exact division: the hardware's
/// approximation r, in double followed by one step of third order, r (1 + e + e^2) with
/// e = 1 - x r, which leaves e^3 of an e below 1e-6. Overflows and underflows give an infinity or
/// NaN instead of a denormal number.
__host__ __device__ __forceinline__ float reciprocal(float x) {
#ifdef __CUDA_ARCH__
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
#else
  return 1 / x;
#endif
}
__host__ __device__ __forceinline__ double reciprocal(double x) {
#ifdef __CUDA_ARCH__
  double r;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
  const double e = fma(-x, r, 1.0);
  return fma(r, fma(e, e, e), r);
#else
  return 1 / x;
#endif
}

/// larger_or_nan (solver/core/reduction.hpp) of two numbers that are not negative, or NaN: without
/// their sign they are in the order of their bits, and NaN is the last.
__host__ __device__ __forceinline__ double larger_or_nan(double best, double value) {
#ifdef __CUDA_ARCH__
  constexpr long long without_sign = 0x7fffffffffffffff;
  return __longlong_as_double(
      max(__double_as_longlong(best) & without_sign, __double_as_longlong(value) & without_sign));
#else
  return !(value <= best) && best == best ? value : best;
#endif
}

/// Loads with the hints of CacheHint, where the values fill one access.
template <CacheHint hint, class Real, int count>
__host__ __device__ __forceinline__ void copy_in(SideBySide<Real, count>& values,
                                                 const Real* from) {
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
}

/// Stores make no room for themselves in the first-level cache. (In float that gained nothing.)
template <class Real, int count>
__host__ __device__ __forceinline__ void copy_out(Real* to, const SideBySide<Real, count>& values) {
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

__host__ __device__ __forceinline__ void add_whole(std::int64_t* to, std::int64_t amount) {
#ifdef __CUDA_ARCH__
  atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(amount));
#else
  *to += amount;
#endif
}
__host__ __device__ __forceinline__ void raise_whole(std::int64_t* to, std::int64_t value) {
#ifdef __CUDA_ARCH__
  atomicMax(reinterpret_cast<long long*>(to), static_cast<long long>(value));
#else
  if (*to < value) *to = value;
#endif
}

template <class T>
__host__ __device__ __forceinline__ T* anchored(T* pointer) {
#ifdef __CUDA_ARCH__
  asm volatile("" : "+l"(pointer));
#endif
  return pointer;
}

}  // namespace dns
