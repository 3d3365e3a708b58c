/// What the files of a recorded plane have in common: planes_NAME.h5, which stands for all records,
/// and its pieces planes_NAME_00000120.h5, which hold them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "solver/files/hdf5_file.hpp"
#include "solver/files/plane_grid.hpp"

namespace dns {

inline constexpr std::string_view planes_format = "dns planes";
inline constexpr std::string_view plane_piece_format = "dns planes piece";
inline constexpr std::string_view lines_format = "dns probes";
inline constexpr std::string_view line_piece_format = "dns probes piece";

/// Writes the attributes name, axis, at, location, variables and whether its axes are periodic; of
/// a line name, location and variables, and its points as x, y and z. Throws IoError.
void write_plane(Hdf5File& file, const PlaneGrid& grid);

/// "planes_" or "probes_", with which the names of its files begin.
std::string_view prefix_of(const PlaneGrid& grid);

/// (records, second, first) points; of a line (records, points).
std::vector<hsize_t> shape_of(const PlaneDataset& dataset, std::size_t records);

/// Writes the coordinates of the plane's points as scales, and `time` of its records. Throws
/// IoError.
Scales write_scales(Hdf5File& file, const PlaneGrid& grid, const std::vector<double>& times);

/// What these have written. Throws IoError for whatever is missing or does not fit.
PlaneGrid read_plane(const Hdf5File& file);

}  // namespace dns
