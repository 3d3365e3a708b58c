#include "solver/face_values/face_points.hpp"

#include <cmath>
#include <span>

#include "solver/core/index.hpp"
#include "solver/core/level_view.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/grid/values_of_formula.hpp"

namespace dns {
namespace {

FaceAxis face_axis(const Case& resolved, int axis) {
  FaceAxis along;
  along.axis = axis;
  along.is_periodic = resolved.is_periodic(axis);
  along.low = resolved.grid.origin[axis];
  along.high = along.low + resolved.grid.length[axis];
  along.points = point_coordinates(resolved, axis);
  if (resolved.scheme == Scheme::projection) {
    const std::vector<double> faces = face_coordinates(resolved.grid, axis);
    for (std::size_t cell = 0; cell + 1 < faces.size(); ++cell)
      along.lengths.push_back(faces[cell + 1] - faces[cell]);
    return along;
  }
  along.lengths.assign(along.points.size(), spacing(resolved, axis));
  if (!along.is_periodic) {
    along.lengths.front() /= 2;
    along.lengths.back() /= 2;
  }
  return along;
}

}  // namespace

double FacePoints::area() const {
  return (axes[0].high - axes[0].low) * (axes[1].high - axes[1].low);
}

double FacePoints::mean(const std::vector<double>& values) const {
  return integral({axes[0].lengths, axes[1].lengths}, values) / area();
}

double integral(const std::array<std::vector<double>, 2>& lengths,
                const std::vector<double>& values) {
  double sum = 0;
  std::size_t n = 0;
  for (const double second : lengths[1]) {
    for (const double first : lengths[0]) sum += first * second * values[n++];
  }
  return sum;
}

FacePoints face_points(const Case& resolved, int face) {
  const int normal = face / 2;
  const auto [first, second] = axes_in_plane(normal);
  FacePoints found;
  found.face = face;
  found.axes = {face_axis(resolved, static_cast<int>(first)),
                face_axis(resolved, static_cast<int>(second))};
  const auto axis = static_cast<int>(normal);
  if (resolved.scheme == Scheme::projection) {
    const std::vector<double> faces = face_coordinates(resolved.grid, axis);
    found.position = face % 2 == 0 ? faces.front() : faces.back();
  } else {
    found.position = coordinate(resolved, axis, face % 2 == 0 ? 0 : resolved.grid.points[axis] - 1);
  }
  return found;
}

std::vector<double> values_of_formula(const Expression& formula, const FacePoints& face, double t) {
  return values_of_formula(formula, face, face.axes[0].points, face.axes[1].points, t);
}

std::vector<double> values_of_formula(const Expression& formula,
                                      const FacePoints& face,
                                      const std::vector<double>& first,
                                      const std::vector<double>& second,
                                      double t) {
  std::vector<double> values(first.size() * second.size());
  PerAxis<std::span<const double>> coordinates;
  coordinates[face.face / 2] = {&face.position, 1};
  coordinates[face.axes[0].axis] = first;
  coordinates[face.axes[1].axis] = second;
  evaluate(formula, coordinates, t, 1, values);
  return values;
}

void set_mean(const FacePoints& face,
              const std::vector<double>& on_whole_face,
              double wanted,
              std::vector<double>& values) {
  std::vector<double> magnitudes = on_whole_face;
  for (double& value : magnitudes) value = std::abs(value);
  const double gross = face.mean(magnitudes);
  if (gross == 0) return;
  const double excess = (wanted - face.mean(on_whole_face)) / gross;
  for (double& value : values) value *= 1 + (value > 0 ? excess : -excess);
}

}  // namespace dns
