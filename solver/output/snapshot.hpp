/// Files for viewing: HDF5 snapshots.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "solver/config/case.hpp"
#include "solver/core/index.hpp"
#include "solver/files/run_files.hpp"
#include "solver/output/whole_flow.hpp"

namespace dns {

/// Names of the coordinates of cell faces in a snapshot of cells; of n + 1 values each.
inline constexpr std::array<std::string_view, 3> face_dataset_names{
    "x_faces", "y_faces", "z_faces"};

/// Name of the last axis of arrays of vectors.
inline const std::string component_name = "component";

/// Writes DIRECTORY/fields_00000050.h5, aside and renamed: as the case asks for them /velocity and
/// /vorticity (nz, ny, nx, 3), /temperature, /NAME of scalars, /pressure, /solid, /q_criterion
/// (nz, ny, nx), and with location faces /velocity_x (nz, ny, nx + 1), /velocity_y (nz, ny + 1,
/// nx), /velocity_z (nz + 1, ny, nx), along a periodic axis the first face again as the last. Their
/// axes are joined to dimension scales of the same name: /x /y /z, for cells /x_faces ...,
/// /component. The attribute `location` of an array says where its values belong. `flow` is a copy
/// for a snapshot; `device` and `case_yaml`, the case as text, are recorded. Throws IoError.
void write_snapshot(const std::string& directory,
                    const WholeFlow& flow,
                    const Case& resolved,
                    const std::string& device,
                    const std::string& case_yaml);

}  // namespace dns
