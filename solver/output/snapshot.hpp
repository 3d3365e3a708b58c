/// Files for viewing: HDF5 snapshots and the XDMF list that opens them in ParaView.
#pragma once

#include <cstdint>
#include <string>

#include "solver/config/case.hpp"
#include "solver/core/flow_state.hpp"

namespace dns {

/// Writes DIRECTORY/fields_00000050.h5 (INTERFACE: /velocity (nz, ny, nx, 3), /temperature,
/// /x /y /z as dimension scales, attributes), aside and renamed. `device` is recorded.
/// Throws IoError.
void write_snapshot(const std::string& directory,
                    const FlowState& state,
                    const Case& resolved,
                    const std::string& device);

/// The same with the text of the case given: for many snapshots it is made once.
void write_snapshot(const std::string& directory,
                    const FlowState& state,
                    const Case& resolved,
                    const std::string& device,
                    const std::string& case_yaml);

/// Rewrites DIRECTORY/fields.xdmf from the snapshots on disk, aside and renamed. Files of steps
/// beyond `last_step` and files that cannot be read are not listed; with none to list, there is no
/// list. For one list after another see SnapshotSeries. Throws IoError.
void write_snapshot_list(const std::string& directory, std::int64_t last_step);

}  // namespace dns
