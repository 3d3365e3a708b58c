/// The rows of order 4 across walls in memory of a device.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "solver/config/operators_across_walls.hpp"
#include "solver/core/backend.hpp"
#include "solver/numerics/rows_across_walls.hpp"
#include "solver/projection/metric_arrays.hpp"
#include "solver/projection/row_weights.hpp"

namespace dns {

template <class Backend>
class RowArrays {
 public:
  using Real = typename Backend::Real;

  RowArrays(Backend& backend, const OperatorsAcrossWalls& axis) : cells_(axis.cells()) {
    std::vector<double> values = weights_across_walls(axis);
    const auto append = [&](const std::vector<double>& more) {
      const std::size_t place = values.size();
      values.insert(values.end(), more.begin(), more.end());
      return place;
    };
    std::vector<double> of_cells(metric_count(cells_));
    std::vector<double> of_faces(metric_count(cells_));
    for (int cell = 0; cell < cells_; ++cell)
      of_cells[metric_place(cell)] = 1 / axis.cell_volume(cell);
    for (int face = 0; face <= cells_; ++face)
      of_faces[metric_place(face)] = 1 / axis.face_volume(face);
    inverse_cell_volume_ = append(of_cells) + metric_place(0);
    inverse_face_volume_ = append(of_faces) + metric_place(0);
    const std::vector<Real> rounded(values.begin(), values.end());
    values_ = backend.template allocate<Real>(rounded.size());
    backend.upload_values(rounded.data(), values_.data(), rounded.size());
  }

  [[nodiscard]] RowsAcrossWalls<Real> rows() const {
    return {.weights = values_.data(),
            .inverse_cell_volume = values_.data() + inverse_cell_volume_,
            .inverse_face_volume = values_.data() + inverse_face_volume_,
            .cells = cells_};
  }

 private:
  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));

  int cells_;
  std::size_t inverse_cell_volume_, inverse_face_volume_;  // places
  Memory values_;
};

}  // namespace dns
