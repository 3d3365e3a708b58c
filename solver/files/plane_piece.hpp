/// Some successive records of a plane in one file, which never changes: planes_NAME_00000120.h5.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "solver/files/plane_grid.hpp"
#include "solver/grid/plane_values.hpp"

namespace dns {

/// What a piece holds, without its values.
struct PlanePiece {
  /// A dataset of the plane, contiguous, little endian.
  struct Values {
    std::uint64_t place = 0;  // of the first one in the file [bytes]
    std::uint32_t checksum = 0;
  };
  std::string name;  // of the file, without the folder
  PlaneGrid grid;
  std::vector<double> steps, times;  // of its records [1, L/U]
  std::vector<Values> values;        // as datasets_of(grid)
  std::string case_yaml;
};

/// Writes the records of plane number `which` of the case to DIRECTORY/planes_NAME_STEP.h5, of a
/// line to probes_NAME_STEP.h5, aside and renamed: `step` and `time` of the records, coordinates as
/// scales, datasets_of(grid) as (records, second, first). Velocities along a plane of cells are
/// means of their two faces at the centres. Returns what the file now holds. Throws IoError.
PlanePiece write_plane_piece(const std::string& directory,
                             const PlaneGrid& grid,
                             const std::vector<PlaneRecord>& records,
                             std::size_t which,
                             const std::string& case_yaml);

/// Throws IoError for whatever is missing or does not fit; the values are not read.
PlanePiece read_plane_piece(const std::string& directory, const std::string& name);

}  // namespace dns
