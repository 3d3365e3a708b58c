/// How the box of one flow is filled with another.
#pragma once

#include "solver/config/case.hpp"

namespace dns {

/// One axis: the part of the source, from its origin on, follows on itself `repeats` times, each
/// stretched to `scale` times its length, and fills the axis of the target.
struct AxisFit {
  int repeats = 1;
  double scale = 1;
  double source_origin = 0, target_origin = 0;  // [L]

  /// Where in the source, or in one of its repetitions, the place of the target is [L].
  [[nodiscard]] double in_source(double position) const {
    return source_origin + (position - target_origin) / scale;
  }
};

/// A source that is periodic along the axis is repeated as often as it goes into the target, to the
/// nearest whole number, and scaled by the rest; another one is scaled.
[[nodiscard]] AxisFit axis_fit(const Case& source, const Case& target, int axis);

/// Whether both have the same scheme, and the same nodes or cells up to round-off.
[[nodiscard]] bool have_same_grid(const Case& one, const Case& other);

}  // namespace dns
