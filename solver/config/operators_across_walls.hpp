/// The differences and means of order 4 across walls on the faces of an axis.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "solver/numerics/order_across_walls.hpp"

namespace dns {

/// Centres, volumes and operators along one axis (solver/numerics/order_across_walls.hpp), in
/// double.
class OperatorsAcrossWalls : public MatricesAcrossWalls {
 public:
  /// faces: coordinates, ascending [L]; at least fewest_cells + 1 of them.
  explicit OperatorsAcrossWalls(std::vector<double> faces)
      : MatricesAcrossWalls(static_cast<int>(faces.size()) - 1), faces_(std::move(faces)) {
    const int n = cells();
    centres_.resize(n);
    centres_[0] = (5 * faces_[0] + 15 * faces_[1] - 5 * faces_[2] + faces_[3]) / 16;
    for (int i = 1; i < n - 1; ++i)
      centres_[i] = (-faces_[i - 1] + 9 * faces_[i] + 9 * faces_[i + 1] - faces_[i + 2]) / 16;
    centres_[n - 1] = (5 * faces_[n] + 15 * faces_[n - 1] - 5 * faces_[n - 2] + faces_[n - 3]) / 16;
    cell_volumes_.assign(n, 0);
    face_volumes_.assign(n + 1, 0);
    for (int i = 0; i < n; ++i) {
      for (int j = first_face(i, n); j < first_face(i, n) + row_width; ++j)
        cell_volumes_[i] += difference(i, j) * faces_[j];
    }
    for (int j = 0; j <= n; ++j) {
      for (int i = first_cell(j, n); i < first_cell(j, n) + row_width; ++i)
        face_volumes_[j] -= difference(i, j) * centres_[i];
    }
    face_volumes_[0] -= faces_[0];
    face_volumes_[n] += faces_[n];
  }

  /// y_c [L].
  [[nodiscard]] double centre(int cell) const { return centres_[cell]; }
  /// wc and wf [L].
  [[nodiscard]] double cell_volume(int cell) const { return cell_volumes_[cell]; }
  [[nodiscard]] double face_volume(int face) const { return face_volumes_[face]; }
  [[nodiscard]] bool has_positive_volumes() const {
    const auto is_positive = [](double volume) { return volume > 0; };
    return std::ranges::all_of(cell_volumes_, is_positive) &&
           std::ranges::all_of(face_volumes_, is_positive);
  }

  /// An entry of J* = J^T wc/wf.
  [[nodiscard]] double carry(int face, int cell) const {
    return mean(face, cell) * cell_volume(cell) / (weight_of_cell(cell) * face_volume(face));
  }

 private:
  std::vector<double> faces_, centres_, cell_volumes_, face_volumes_;
};

}  // namespace dns
