/// The points of a face where its values are given.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "solver/config/case.hpp"

namespace dns {

/// Points of one axis in a face, and the length that each stands for in integrals over it [L].
struct FaceAxis {
  int axis = 0;
  std::vector<double> points, lengths;
  bool is_periodic = false;
  double low = 0, high = 0;  // ends of the box along it [L]
};

/// SUM over the points of an area of the lengths that they stand for, first times second, times
/// values, the first axis fastest.
[[nodiscard]] double integral(const std::array<std::vector<double>, 2>& lengths,
                              const std::vector<double>& values);

/// The points of a whole face at which its normal velocity is given, the axes in the order x, y, z:
/// centres of the faces of cells (scheme projection), or nodes (splitting), which stand for the
/// lengths of the trapezoidal rule.
struct FacePoints {
  int face = 0;
  std::array<FaceAxis, 2> axes;  // the first one is the faster
  double position = 0;           // along the normal [L]

  [[nodiscard]] int normal() const { return (face / 2); }
  [[nodiscard]] double area() const;  // [L^2]
  /// The mean over the face of values at these points, the first axis fastest.
  [[nodiscard]] double mean(const std::vector<double>& values) const;
};

[[nodiscard]] FacePoints face_points(const Case& resolved, int face);

/// Values of a formula at time t at the points of a face, the first axis fastest; and at the points
/// first x second of a face.
[[nodiscard]] std::vector<double> values_of_formula(const Expression& formula,
                                                    const FacePoints& face,
                                                    double t);
[[nodiscard]] std::vector<double> values_of_formula(const Expression& formula,
                                                    const FacePoints& face,
                                                    const std::vector<double>& first,
                                                    const std::vector<double>& second,
                                                    double t);

/// Changes the normal velocities on a face so that their mean is `wanted`: those of one direction
/// grow, those of the other shrink, in proportion to themselves, so that values of 0 remain.
void set_mean(const FacePoints& face,
              const std::vector<double>& on_whole_face,
              double wanted,
              std::vector<double>& values);

}  // namespace dns
