/// The folder of a run: made or taken over before anything is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "solver/files/run_files.hpp"

namespace dns {

/// What to do with a folder that already holds a run.
enum class ExistingFolder { refuse, replace };

/// Makes `directory` with its parents. Throws IoError when it cannot be made or written.
void make_run_folder(const std::string& directory);

/// Makes `directory` (with parents) ready for a new run. With `replace` the files an earlier run
/// left there are removed: case.yaml, fields.xdmf, fields_points.xdmf, fields_<digits>.h5,
/// timeseries.csv, checkpoint_<digits>.h5, slice_<name>_<digits>.png, statistics.h5,
/// statistics_<digits>.h5, planes_<name>.h5, planes_<name>.xdmf, planes_<name>_<digits>.h5,
/// probes_<name>.csv, probes_<name>.h5, probes_<name>_<digits>.h5, log.txt, STOP, and what a killed
/// run left of them as *.part; nothing else ever is. Throws CaseError when the folder holds a run
/// and `policy` is refuse, IoError when it cannot be made or written.
void prepare_run_folder(const std::string& directory, ExistingFolder policy);

/// Files that were removed, and warnings of lists that were written anew.
struct RemovedFiles {
  std::size_t count = 0;
  Warnings warnings;
};

/// Makes the folder of a run ready to go on after `last_step`: lists the snapshots up to there anew
/// and removes later snapshots and slices, which would mix with its own even where it does not
/// reach their steps (another interval of output, another fluid), and pieces of recorded planes and
/// lines; lines of later steps of the tables of probes are dropped. Throws IoError.
///
/// What a killed run left as *.part goes too; it is not counted.
RemovedFiles remove_later_fields(const std::string& directory, std::int64_t last_step);

/// Removes averages of windows whose last sample is of a later step. Returns how many. Throws
/// IoError.
std::size_t remove_later_windows(const std::string& directory, std::int64_t last_step);

/// The same of recorded planes alone; of all their records where last_step is -1.
RemovedFiles remove_later_planes(const std::string& directory, std::int64_t last_step);
/// Likewise of probes: the lines of tables and the pieces of lines.
RemovedFiles remove_later_probes(const std::string& directory, std::int64_t last_step);

}  // namespace dns
