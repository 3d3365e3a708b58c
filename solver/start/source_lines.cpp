#include "solver/start/source_lines.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "solver/core/index.hpp"
#include "solver/flow/conditions.hpp"
#include "solver/grid/case_grid.hpp"

namespace dns {
namespace {

/// How the line of a variable at centres ends at a face of the box.
LineEndKind end_at(const Condition& condition) {
  using Kind = Condition::Kind;
  if (condition.kind == Kind::gradient && condition.is_zero()) return LineEndKind::symmetric;
  const bool is_known = condition.is_value_on_face() && !condition.file && !condition.is_turbulent;
  return is_known ? LineEndKind::given : LineEndKind::open;
}

void add_point(SourceLine& line, double coordinate, int slot) {
  line.line.coordinates.push_back(coordinate);
  line.slots.push_back(slot);
}

}  // namespace

AxisPoints axis_points(const Case& source, int axis) {
  AxisPoints points;
  points.low = source.grid.origin[axis];
  points.high = points.low + source.grid.length[axis];
  points.centres = point_coordinates(source, axis);
  if (source.scheme == Scheme::projection) points.faces = face_coordinates(source.grid, axis);
  return points;
}

SourceLine source_line(
    const Case& source, const AxisPoints& points, int variable, int axis, Storage storage) {
  const int cells = static_cast<int>(points.centres.size());
  const bool is_periodic = source.is_periodic(axis);
  const bool has_faces = storage == Storage::faces || storage == Storage::ghosts;
  const bool is_at_faces = has_faces && variable == axis;
  SourceLine line;
  line.first = storage == Storage::ghosts ? 1 : 0;
  line.points = is_at_faces && !is_periodic ? cells + 1 : cells;
  line.stored = storage == Storage::ghosts ? cells + 2 : is_at_faces ? cells + 1 : cells;
  const double low = points.low;
  const double high = points.high;
  if (is_periodic) line.line.period = high - low;
  std::vector<double> inside = is_at_faces ? points.faces : points.centres;
  inside.resize(line.points);
  const bool has_ends = storage != Storage::nodes && !is_at_faces && !is_periodic;
  for (const bool is_high_end : {false, true}) {
    const double distance = is_high_end ? high - inside.back() : inside.front() - low;
    if (has_ends && distance > round_off_of_place * (high - low))
      line.ends.at(is_high_end ? 1 : 0) =
          end_at(FaceConditions(source, face_index(axis, is_high_end))[variable]);
  }

  line.coordinates.push_back(low);
  line.coordinates.insert(line.coordinates.end(), inside.begin(), inside.end());
  line.coordinates.push_back(high);
  if (line.ends[0] == LineEndKind::given) add_point(line, low, 0);
  if (line.ends[0] == LineEndKind::symmetric) add_point(line, 2 * low - inside.front(), 1);
  for (int n = 0; n < line.points; ++n) add_point(line, inside[n], n + 1);
  if (line.ends[1] == LineEndKind::symmetric)
    add_point(line, 2 * high - inside.back(), line.points);
  if (line.ends[1] == LineEndKind::given) add_point(line, high, line.points + 1);
  return line;
}

SourceLines source_lines(const Case& source,
                         const PerAxis<AxisPoints>& points,
                         int variable,
                         Storage storage) {
  return {source_line(source, points[0], variable, 0, storage),
          source_line(source, points[1], variable, 1, storage),
          source_line(source, points[2], variable, 2, storage)};
}

AxisFit axis_fit(const Case& source, const Case& target, int axis) {
  AxisFit fit;
  fit.source_origin = source.grid.origin[axis];
  fit.target_origin = target.grid.origin[axis];
  const double ratio = target.grid.length[axis] / source.grid.length[axis];
  constexpr double most = 1e6;  // of parts that are all alike
  if (source.is_periodic(axis))
    fit.repeats = static_cast<int>(std::clamp(std::round(ratio), 1.0, most));
  fit.scale = ratio / fit.repeats;
  if (std::abs(fit.scale - 1) <= round_off_of_place) fit.scale = 1;
  return fit;
}

}  // namespace dns
