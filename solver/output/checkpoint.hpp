/// Exact restart.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/core/flow_state.hpp"
#include "solver/output/whole_flow.hpp"

namespace dns {

/// What becomes of the values of the fields, once they are known to be good.
enum class FieldValues {
  kept,
  left_in_file  // where each rank can read its slab (StoredFields); else kept
};

/// A checkpoint read back.
struct Checkpoint {
  std::string path;
  FlowState state;        // precision of the run that wrote it
  std::string case_yaml;  // the resolved case
  std::string stored;  // where each rank finds the values of the fields; empty: the state has them
  std::vector<std::string> warnings;  // what was left out, and why: newer checkpoints, averages
};

/// Writes DIRECTORY/checkpoint_00000100.h5: written as *.part, read back, flushed to disk, renamed;
/// then removes all but the newest `keep`. Fields and sums of any extents, each in its own
/// precision, and numbers; every value exact; each dataset with a checksum. Throws IoError and
/// leaves older checkpoints alone.
void write_checkpoint(const std::string& directory,
                      const WholeFlow& flow,
                      const std::string& case_yaml,
                      int keep);

/// Removes all checkpoints up to that of `step` but the newest `keep`, in place of a run that was
/// killed before it could.
void remove_older_checkpoints(const std::string& directory, std::int64_t step, int keep);

/// The newest checkpoint of a run folder that can be read without error and has valid checksums,
/// step and numbers; others are skipped with a warning. Values of fields may be anything: the run
/// that resumes from them checks for NaN. Throws IoError when there is none, naming what was tried.
Checkpoint read_newest_checkpoint(const std::string& directory,
                                  FieldValues values = FieldValues::kept);

}  // namespace dns
