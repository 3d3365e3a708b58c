#include "solver/core/version.hpp"

#include "version_text.hpp"

namespace dns {

std::string_view version() {
  return DNS_VERSION;
}

std::string_view cuda_architectures() {
  return DNS_CUDA_ARCHITECTURES;
}

bool has_cuda() {
  return DNS_HAS_CUDA != 0;
}

}  // namespace dns
