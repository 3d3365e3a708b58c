/// What a run starts from: a case, a checkpoint or none, and the folder that it has to itself.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/config/case_difference.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/files/folder_lock.hpp"
#include "solver/output/checkpoint.hpp"
#include "solver/output/outputs.hpp"
#include "solver/output/run_folder.hpp"
#include "solver/run/run_log.hpp"
#include "solver/run/run_options.hpp"

namespace dns {

/// Averages of a checkpoint that those of the present case must not be mixed with.
struct EarlierAverages {
  FlowState state;  // without fields
  Case resolved;    // with which they were taken
  std::string case_yaml;
  std::vector<std::string> keys;  // which differ
};

/// A run about to start.
struct Start {
  using Clock = std::chrono::steady_clock;

  std::unique_ptr<FolderLock> lock;  // none: the folder is still to be made
  Case recorded;  // as in the run's folder: the number of threads is that of this start only
  Case resolved;
  std::optional<Checkpoint> checkpoint;    // none: from the beginning
  bool is_chosen = false;                  // the checkpoint, by its step
  std::vector<KeyDifference> differences;  // of the case, from that of the checkpoint
  std::optional<EarlierAverages> earlier_averages;
  bool begins_averages_anew = false;     // those of the checkpoint are earlier_averages
  bool drops_line_of_last_step = false;  // of the time series, which was due at the end alone
  Warnings warnings;                     // about the case file
  std::vector<std::string> source;       // of initial.type file: what it starts from, in words
  ExistingFolder existing = ExistingFolder::refuse;
  bool branches = false;  // goes on in another folder than that of its checkpoint
  Clock::time_point started;
};

/// Reads the case, keeps other runs out of the folder, then reads its newest checkpoint if the run
/// is to go on. Throws CaseError, IoError.
void find_start(const RunOptions& options, Start& start);

/// Where initial.path is the folder of a run, its newest good checkpoint takes the place of the
/// folder. Returns what the user should know: checkpoints that are damaged. Throws IoError.
Warnings find_start_file(Case& resolved);

/// Leaves in the folder what a run would leave that was not stopped at this checkpoint. Throws
/// IoError.
void tidy_folder(const Start& start, const Outputs& outputs, RunLog& log);

/// Makes the folder ready and opens log.txt. From here on what happens is recorded. Throws
/// CaseError for a folder that is not to be replaced or is in use, IoError.
void open_folder(Start& start, const Outputs& outputs, RunLog& log);

/// Writes case.yaml. Throws IoError.
void write_case(const Start& start);

/// Writes case.yaml, and sets averages aside that do not go on. Call it once the outputs are open:
/// a case that they refuse leaves the folder that of the case before. Throws IoError.
void record_case(const Start& start, RunLog& log);

}  // namespace dns
