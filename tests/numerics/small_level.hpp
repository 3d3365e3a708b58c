/// A level of four fields in host memory, filled from a function, for tests of formulas.
#pragma once

#include <vector>

#include "solver/core/level_view.hpp"
#include "solver/splitting/time_level.hpp"

namespace dns::testing {

template <class Real, int interleave_width = 1>
class SmallLevel {
 public:
  explicit SmallLevel(LevelLayout shape)
      : shape_(shape), values_(shape.values(interleave_width * sizeof(Real))) {}
  explicit SmallLevel(Extents points) : SmallLevel(LevelLayout{points}) {}

  /// Sets every variable at every node, ghosts included, to value(variable, i, j, k).
  template <class Value>
  SmallLevel(LevelLayout shape, const Value& value) : SmallLevel(shape) {
    const Box stored = shape.all_stored();
    for (int variable = 0; variable < variables_per_level; ++variable) {
      for (int k = stored.begin.k; k < stored.end.k; ++k) {
        for (int j = stored.begin.j; j < stored.end.j; ++j) {
          for (int i = stored.begin.i; i < stored.end.i; ++i) {
            view().set(variable, Index3{i, j, k}, static_cast<Real>(value(variable, i, j, k)));
          }
        }
      }
    }
  }
  template <class Value>
  SmallLevel(Extents points, const Value& value) : SmallLevel(LevelLayout{points}, value) {}

  LevelView<Real, interleave_width> view() {
    return shape_.template view<Real, interleave_width>(values_.data());
  }

 private:
  LevelLayout shape_;
  std::vector<Real> values_;
};

}  // namespace dns::testing
