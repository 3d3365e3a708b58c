/// What differs between host and device compilers; nothing else in the project asks which one runs.
/// DNS_HD marks code that both compile.
#pragma once

#ifdef __CUDACC__
#define DNS_HD __host__ __device__ __forceinline__
#else
#define DNS_HD inline __attribute__((always_inline))
#endif

namespace dns {

/// Reads memory that nothing writes while the kernel runs, so that a GPU may read it early and
/// through its read-only path.
template <class Real>
DNS_HD Real read_only(const Real* from) {
#ifdef __CUDA_ARCH__
  return __ldg(from);
#else
  return *from;
#endif
}

}  // namespace dns
