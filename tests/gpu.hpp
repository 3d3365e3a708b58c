/// Whether tests have a GPU: asked here and nowhere else.
#pragma once

#include <string>

#include "cuda/cuda_facts.hpp"

namespace dns::testing {

/// The message of a test skipped for lack of a GPU, or of a build for it: scripts/skipped
/// recognises it by its first words. Empty where there is one.
inline std::string no_gpu() {
  const std::string obstacle = cuda_obstacle();
  return obstacle.empty() ? "" : "no GPU: " + obstacle;
}

inline bool has_gpu() {
  return no_gpu().empty();
}

}  // namespace dns::testing
