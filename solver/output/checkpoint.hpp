/// Exact restart.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/core/communicator.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/output/whole_flow.hpp"

namespace dns {

/// A checkpoint read back.
struct Checkpoint {
  std::string path;
  FlowState state;        // precision of the run that wrote it; fields without their values
  std::string case_yaml;  // the resolved case
  std::vector<std::string> warnings;  // newer checkpoints that were left out, and why
};

/// Writes DIRECTORY/checkpoint_00000100.h5: written as *.part, read back, flushed to disk, renamed;
/// then removes all but the newest `keep`. Fields and sums of any extents, each in its own
/// precision, and numbers; every value exact; each dataset with a checksum. Throws IoError and
/// leaves older checkpoints alone.
void write_checkpoint(const std::string& directory,
                      const WholeFlow& flow,
                      const std::string& case_yaml,
                      int keep);

/// Whether checkpoints of later steps stay. They were damaged, or left by a run that went on from
/// an earlier one: once there is a new one they go, or the next resume would try them first.
enum class LaterCheckpoints { kept, removed };
/// Removes the checkpoints up to that of `step` but the newest `keep`; a run that was killed may
/// have left them.
void remove_other_checkpoints(const std::string& directory,
                              std::int64_t step,
                              int keep,
                              LaterCheckpoints later);

/// The newest checkpoint of a run folder that can be read without error and has valid checksums,
/// step and numbers; others are skipped with a warning. Values of fields may be anything: the run
/// that resumes from them checks for NaN. Throws IoError when there is none, naming what was tried.
Checkpoint read_newest_checkpoint(const std::string& directory);

/// The checkpoint of a step. Throws IoError where there is none, naming those that are there, and
/// where it cannot be read.
Checkpoint read_checkpoint_of(const std::string& directory, std::int64_t step);

/// Called by all ranks: of the flow in a checkpoint that read_newest_checkpoint has found what the
/// slab `part` of this rank holds, and all of its sums and numbers. Each rank reads its own planes;
/// all of them together are compared with the checksums. Throws IoError, the same on all ranks.
FlowState read_slab(Communicator& communicator, const std::string& path, const Subdomain& part);

}  // namespace dns
