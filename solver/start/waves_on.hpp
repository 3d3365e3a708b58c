/// How many waves disturb a flow at the start.
#pragma once

#include <algorithm>

namespace dns {

inline constexpr int most_waves_along = 4;   // along the flow
inline constexpr int most_waves_across = 8;  // along each other axis

/// Number of waves on `length` whose lengths are at least `shortest`, limited to `least` .. `most`.
[[nodiscard]] inline int waves_on(double length, double shortest, int least, int most) {
  return std::clamp(static_cast<int>(length / shortest), least, most);
}

}  // namespace dns
