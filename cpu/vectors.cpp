#include "cpu/vectors.hpp"

namespace dns {

Vectors built_for_vectors() {
#if defined(__AVX512F__)
  return Vectors::avx512;
#elif defined(__AVX2__)
  return Vectors::avx2;
#elif defined(__AVX__)
  return Vectors::avx;
#else
  return Vectors::of_every_processor;
#endif
}

}  // namespace dns
