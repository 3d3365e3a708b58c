#include "cpu/vectors.hpp"

namespace dns {

[[gnu::visibility("default")]] Vectors built_for_vectors() {
#if defined(__AVX512F__)
  return Vectors::avx512;
#elif defined(__AVX2__)
  return Vectors::avx2;
#elif defined(__AVX__)
  return Vectors::avx;
#elif defined(__SSE4_2__)
  return Vectors::sse4;
#else
  return Vectors::of_every_processor;
#endif
}

[[gnu::visibility("default")]] const char* engine_level() {
#if defined(DNS_ENGINE)
  return DNS_ENGINE;
#else
  return "";
#endif
}

}  // namespace dns
