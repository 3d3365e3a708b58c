// Built for every processor, unlike the loops: it has to run where they cannot.
#include "cpu/cpu_facts.hpp"

#include <cblas.h>
#include <fftw3.h>

namespace dns {
namespace {

bool processor_has([[maybe_unused]] Vectors vectors) {
#if defined(__x86_64__)
  switch (vectors) {
    case Vectors::avx512:
      return static_cast<bool>(__builtin_cpu_supports("avx512f"));
    case Vectors::avx2:
      return static_cast<bool>(__builtin_cpu_supports("avx2"));
    case Vectors::avx:
      return static_cast<bool>(__builtin_cpu_supports("avx"));
    case Vectors::sse4:
      return static_cast<bool>(__builtin_cpu_supports("sse4.2"));
    case Vectors::of_every_processor:
      return true;
  }
#endif
  return true;
}

}  // namespace

std::string vectors_in_words(Vectors vectors) {
  switch (vectors) {
    case Vectors::avx512:
      return "AVX-512";
    case Vectors::avx2:
      return "AVX2";
    case Vectors::avx:
      return "AVX";
    case Vectors::sse4:
      return "SSE4.2";
    case Vectors::of_every_processor:
      break;
  }
  return "every processor of its kind";
}

std::string cpu_obstacle(Vectors vectors) {
  if (processor_has(vectors)) return "";
  return "this processor has no " + vectors_in_words(vectors) +
         ", which the program was built for; build it on this machine (scripts/build), or for all "
         "processors (cmake --preset release -DDNS_NATIVE=OFF)";
}

std::vector<LibraryFacts> cpu_libraries() {
  return {{"FFTW", fftw_version, ""}, {"OpenBLAS", openblas_get_config(), ""}};
}

}  // namespace dns
