#include "solver/core/version.hpp"

namespace dns {

std::string_view version() {
  return DNS_VERSION;
}

bool has_cuda() {
  return DNS_HAS_CUDA != 0;
}

}  // namespace dns
