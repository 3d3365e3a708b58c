/// Where the values of a flow in a file live, along the lines of its grid.
#pragma once

#include <array>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/index.hpp"
#include "solver/grid/line_stencils.hpp"

namespace dns {

/// Where in the grid of its case a dataset has the values of a variable.
enum class Storage {
  nodes,    // scheme splitting
  centres,  // of cells: scheme projection, all variables
  faces,    // a velocity at the n + 1 faces across its axis, at the centres along the others
  ghosts    // a copy for restart of scheme projection: faces, with ghost points at both ends
};

/// How a line of values ends.
enum class LineEndKind {
  open,      // with the last of its values
  given,     // with the value that the case gives on the boundary
  symmetric  // its values go on mirrored
};

/// The places along one axis of the grid that a flow in a file has.
struct AxisPoints {
  double low = 0, high = 0;     // the ends of the box [L]
  std::vector<double> centres;  // of cells, or the nodes [L]
  std::vector<double> faces;    // n + 1 of n cells; none of nodes [L]
};

/// The places of the grid of a case along an axis.
[[nodiscard]] AxisPoints axis_points(const Case& source, int axis);

/// The points of a variable along one axis. They have slots: 0 of the value given at the low end, 1
/// .. n of the values in the file, n + 1 of that given at the high end; those that are not given
/// are not used.
struct SourceLine {
  int first = 0;                    // the index in the dataset of the value in slot 1
  int points = 0;                   // n
  int stored = 0;                   // values in the dataset along the axis
  std::vector<double> coordinates;  // of all slots [L]
  std::array<LineEndKind, 2> ends{LineEndKind::open, LineEndKind::open};  // low, high
  LinePoints line;                                                        // to interpolate among
  std::vector<int> slots;                                                 // of the points of `line`

  [[nodiscard]] bool is_given(bool is_high_end) const {
    return ends[is_high_end ? 1 : 0] == LineEndKind::given;
  }
};

/// The line of a variable (u, v, w, T) at these points, in the box and with the boundaries of a
/// case. On walls, and where formulas give what flows in, the given values are points of the line;
/// beside symmetry and adiabatic walls the values go on mirrored; where files or synthetic
/// turbulence give them, on open boundaries and where another gradient or a transfer of a scalar is
/// given, it ends with the last centre; and so where that is on the boundary.
[[nodiscard]] SourceLine source_line(
    const Case& source, const AxisPoints& points, int variable, int axis, Storage storage);

/// The lines of a variable along x, y, z.
using SourceLines = PerAxis<SourceLine>;
[[nodiscard]] SourceLines source_lines(const Case& source,
                                       const PerAxis<AxisPoints>& points,
                                       int variable,
                                       Storage storage);

/// How one axis of a box is filled with a flow of another: the part of the source, from its origin
/// on, follows on itself `repeats` times, each stretched to `scale` times its length, and fills the
/// axis of the target.
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

/// Values of a dataset that holds these lines.
[[nodiscard]] inline Extents stored_extents(const SourceLines& lines) {
  return {lines[0].stored, lines[1].stored, lines[2].stored};
}

}  // namespace dns
