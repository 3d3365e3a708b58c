/// Random numbers that are functions of their arguments alone: independent of threads and device.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dns {

/// A hash whose value is uniform over all 64-bit numbers. Source: Steele, Lea & Flood, Fast
/// splittable pseudorandom number generators, OOPSLA 2014 (SplitMix64).
[[nodiscard]] inline std::uint64_t mixed(std::uint64_t bits) {
  bits += 0x9e3779b97f4a7c15U;
  bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31U);
}

/// Number `index` of sequence `sequence`, uniform in [-1, 1).
[[nodiscard]] inline double random_number(std::uint64_t seed, int sequence, std::size_t index) {
  const std::uint64_t bits =
      mixed(mixed(seed + 0x632be59bd9b4e019U * static_cast<std::uint64_t>(sequence + 1)) + index);
  return static_cast<double>(bits >> 11U) * 0x1.0p-52 - 1;
}

}  // namespace dns
