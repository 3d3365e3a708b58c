/// Where the values of a plain file of a flow live: datasets that somebody else wrote.
#pragma once

#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/index.hpp"
#include "solver/files/flow_file.hpp"
#include "solver/start/source_lines.hpp"

namespace dns {

/// The places of a plain file along x, y, z: its datasets x, y, z (n centres of cells, or points)
/// and, for velocities at faces, x_faces, y_faces, z_faces (n + 1); without x, y, z those of the
/// grid of the case. Faces are empty where neither the file nor the case has them.
///
/// Coordinates lie in the box of the case, ascend and reach its ends up to one spacing; along a
/// periodic axis they span less than the period. Throws CaseError with dataset, shape and rule.
[[nodiscard]] PerAxis<AxisPoints> plain_points(const FlowFile& file, const Case& target);

/// Whether all points are those of the grid of the case, up to round-off; of velocities at faces
/// the faces too.
[[nodiscard]] bool are_of_grid(const PerAxis<AxisPoints>& points,
                               const Case& target,
                               bool with_faces);

/// Throws CaseError unless a dataset has `components` values at each point of the lines; at the
/// faces of a periodic axis the last, which repeats the first, may be left out.
void require_plain_shape(const FlowFile& file,
                         const FlowFile::Dataset& dataset,
                         const SourceLines& lines,
                         int components);

/// Throws CaseError where a plane of a dataset has a value that is not finite.
template <class Real>
void require_finite(const FlowFile& file,
                    const FlowFile::Dataset& dataset,
                    int k,
                    const Real* values);

}  // namespace dns
