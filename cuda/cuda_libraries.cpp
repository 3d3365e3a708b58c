#include "cuda/cuda_libraries.hpp"

#include <cublas_v2.h>
#include <cufft.h>

#include <string>

#include "cuda/library_on_demand.hpp"
#include "solver/core/error.hpp"

namespace dns {
namespace {

/// `Property`: the library's function that gives a part of its version.
template <class Property>
LibraryFacts facts_of(const char* name, const std::string& path, const char* function) {
  LibraryFacts facts{name, "", ""};
  try {
    const LibraryOnDemand library(path);
    Property* const property = library.function<Property>(function);
    for (const libraryPropertyType part : {MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL}) {
      int number = 0;
      property(part, &number);
      facts.version += (facts.version.empty() ? "" : ".") + std::to_string(number);
    }
  } catch (const DeviceError& error) {
    facts.obstacle = error.what();
  }
  return facts;
}

}  // namespace

std::vector<LibraryFacts> cuda_libraries() {
  return {facts_of<decltype(cufftGetProperty)>("cuFFT", DNS_CUFFT, "cufftGetProperty"),
          facts_of<decltype(cublasGetProperty)>("cuBLAS", DNS_CUBLAS, "cublasGetProperty")};
}

}  // namespace dns
