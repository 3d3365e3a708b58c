/// A layer of four fields in host memory, filled from a function, for tests of formulas.
#pragma once

#include <cstddef>
#include <vector>

#include "solver/core/layer_view.hpp"

namespace dns::testing {

template <class Real>
class SmallLayer {
 public:
  explicit SmallLayer(Extents points)
      : points_(points), values_(variables_per_layer * points.count()) {}

  /// Sets every variable at every node to value(variable, i, j, k).
  template <class Value>
  SmallLayer(Extents points, const Value& value) : SmallLayer(points) {
    for (int variable = 0; variable < variables_per_layer; ++variable) {
      for (int k = 0; k < points.nz; ++k) {
        for (int j = 0; j < points.ny; ++j) {
          for (int i = 0; i < points.nx; ++i) {
            view().set(variable, Index3{i, j, k}, static_cast<Real>(value(variable, i, j, k)));
          }
        }
      }
    }
  }

  LayerView<Real> view() {
    LayerView<Real> view;
    view.stride_y = points_.nx;
    view.stride_z = static_cast<std::ptrdiff_t>(points_.nx) * points_.ny;
    for (int variable = 0; variable < variables_per_layer; ++variable) {
      view.origin[variable] = values_.data() + static_cast<std::size_t>(variable) * points_.count();
    }
    return view;
  }

 private:
  Extents points_;
  std::vector<Real> values_;
};

}  // namespace dns::testing
