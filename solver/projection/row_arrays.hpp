/// The rows of order 4 across walls in memory of a device.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "solver/core/backend.hpp"
#include "solver/numerics/order_across_walls.hpp"
#include "solver/numerics/rows_across_walls.hpp"

namespace dns {

template <class Backend>
class RowArrays {
 public:
  using Real = typename Backend::Real;

  RowArrays(Backend& backend, const OperatorsAcrossWalls& axis) : cells_(axis.cells()) {
    std::vector<double> values = weights_across_walls(axis);
    weights_ = values.size();
    for (int cell = 0; cell < cells_; ++cell) values.push_back(1 / axis.cell_volume(cell));
    for (int face = 0; face <= cells_; ++face) values.push_back(1 / axis.face_volume(face));
    const std::vector<Real> rounded(values.begin(), values.end());
    values_ = backend.template allocate<Real>(rounded.size());
    backend.upload_values(rounded.data(), values_.data(), rounded.size());
  }

  [[nodiscard]] RowsAcrossWalls<Real> rows() const {
    const Real* const values = values_.data();
    return {.weights = values,
            .inverse_cell_volume = values + weights_,
            .inverse_face_volume = values + weights_ + cells_,
            .cells = cells_};
  }

 private:
  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));

  int cells_;
  std::size_t weights_;
  Memory values_;
};

}  // namespace dns
