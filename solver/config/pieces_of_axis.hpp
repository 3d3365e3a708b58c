/// Grids with uniform parts, such as one around a body, and cells that grow away from them.
#pragma once

#include <string>
#include <vector>

namespace dns {

/// Part of an axis with equal cells [L].
struct UniformPart {
  double first = 0, last = 0, width = 0;
};

/// Coordinates of the faces of an axis from `low` to `high` with these uniform parts [L]:
///
///   part:           face_k = first + (last - first) k/m,  m = (last - first)/width, rounded
///   to an end:      widths h r, h r^2, ..., h r^n,        h that of the part
///   between parts:  widths min(h r^i, g r^(n + 1 - i)),   h and g those of the parts, i = 1 ... n
///
/// n is the least number of cells whose widths with r = `ratio` reach over the gap; with it r <=
/// ratio is then the one whose widths fill the gap.
///
/// ratio: of neighbouring cells, the largest allowed, > 1; parts: one at least.
/// Throws ValueMistake where parts overlap or leave the axis, have no width, or where a gap is too
/// short for the ratio.
std::vector<double> faces_of_pieces(double low,
                                    double high,
                                    std::vector<UniformPart> parts,
                                    double ratio);

/// The largest ratio of the widths of neighbouring cells, also across the ends of a periodic axis,
/// and the face between the two [L]; a ratio of 1 along one cell.
struct LargestRatio {
  double ratio = 1, face = 0;
};
LargestRatio largest_ratio(const std::vector<double>& faces, bool is_periodic);

}  // namespace dns
