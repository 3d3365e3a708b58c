/// A layer of four fields in host memory, filled from a function, for tests of formulas.
#pragma once

#include <cstddef>
#include <vector>

#include "solver/core/nodal_view.hpp"
#include "solver/splitting/time_level.hpp"

namespace dns::testing {

template <class Real, int together = 1>
class SmallLayer {
 public:
  explicit SmallLayer(LayerShape shape)
      : shape_(shape), values_(shape.values(together * sizeof(Real))) {}
  explicit SmallLayer(Extents points) : SmallLayer(LayerShape{points}) {}

  /// Sets every variable at every node, ghosts included, to value(variable, i, j, k).
  template <class Value>
  SmallLayer(LayerShape shape, const Value& value) : SmallLayer(shape) {
    const Box stored = shape.all_stored();
    for (int variable = 0; variable < variables_per_layer; ++variable) {
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
  SmallLayer(Extents points, const Value& value) : SmallLayer(LayerShape{points}, value) {}

  LayerView<Real, together> view() { return shape_.template view<Real, together>(values_.data()); }

 private:
  LayerShape shape_;
  std::vector<Real> values_;
};

}  // namespace dns::testing
