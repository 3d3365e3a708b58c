#include "bench/studies/study.hpp"

#include <fmt/format.h>

#include "solver/core/error.hpp"

namespace dns::bench {

void require_memory(std::size_t needed, std::size_t available, const std::string& of_what) {
  if (needed <= available) return;
  throw DeviceError(fmt::format(
      "{} needs {} MiB, but only {} MiB are free; give fewer --points or --precision float",
      of_what,
      needed >> 20U,
      available >> 20U));
}

}  // namespace dns::bench
