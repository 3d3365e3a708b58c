/// How many waves disturb a flow at the start.
#pragma once

#include <algorithm>

namespace dns {

inline constexpr int most_waves_along = 4;   // along the flow
inline constexpr int most_waves_across = 8;  // along each other axis

/// Number of waves on `length` whose lengths are at least `shortest`, limited to 1 .. `most`.
[[nodiscard]] inline int waves_on(double length, double shortest, int most) {
  return std::clamp(static_cast<int>(length / shortest), 1, most);
}

}  // namespace dns
