/// Reproducible numbers that look random: the inputs of studies.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dns::bench {

/// In [0, 1), different for every n and every field.
[[nodiscard]] inline double scattered(std::size_t n, std::uint64_t field) {
  // The finaliser of splitmix64 (Steele, Lea & Flood, OOPSLA 2014).
  std::uint64_t bits =
      (static_cast<std::uint64_t>(n) + 1) * 0x9e3779b97f4a7c15U + (field + 1) * 0xd1b54a32d192ed03U;
  bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
  bits ^= bits >> 31U;
  return static_cast<double>(bits >> 11U) * 0x1.0p-53;
}

/// In [-1, 1).
[[nodiscard]] inline double scattered_sign(std::size_t n, std::uint64_t field) {
  return 2 * scattered(n, field) - 1;
}

}  // namespace dns::bench
