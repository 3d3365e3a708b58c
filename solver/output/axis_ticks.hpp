/// Round numbers along an axis of a picture.
#pragma once

#include <string>
#include <vector>

namespace dns {

struct Tick {
  double value = 0;
  std::string text;  // "0.25", "-3e-05"
};

/// Multiples of 1, 2 or 5 times a power of ten from `low` to `high`, at most `most` (at least 2) of
/// them; none where the range is empty or not finite.
[[nodiscard]] std::vector<Tick> ticks_between(double low, double high, int most);

}  // namespace dns
