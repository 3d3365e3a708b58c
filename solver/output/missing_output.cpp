#include "solver/output/missing_output.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>

#include "solver/core/error.hpp"
#include "solver/files/hdf5_file.hpp"
#include "solver/files/run_files.hpp"
#include "solver/output/statistics_file.hpp"

namespace dns {
namespace {

bool is_there(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

/// statistics.h5 holds the averages up to this flow; true too where there are none to hold.
bool has_averages_of(const std::string& path, const FlowState& state) {
  if (state.statistics.samples == 0) return true;
  if (!is_there(path)) return false;
  try {
    const Hdf5File file = Hdf5File::open(path);
    return file.read_integer("step") == state.step &&
           file.read_integer("samples") == state.statistics.samples;
  } catch (const IoError&) {
    return false;
  }
}

}  // namespace

WriteRequest missing_output(const Case& resolved, const FlowState& checkpoint) {
  const OutputCase& output = resolved.output;
  const std::filesystem::path folder(output.directory);
  const bool is_last = resolved.time.is_over(checkpoint.step, checkpoint.time);
  const auto is_due = [&](std::int64_t every) {
    return every > 0 && (is_last || checkpoint.step % every == 0);
  };
  WriteRequest missing;
  missing.snapshot = is_due(output.fields.every) &&
                     !is_there(folder / numbered_name(snapshot_prefix, checkpoint.step));
  missing.slices = output.slices && is_due(output.slices->every) &&
                   !std::ranges::all_of(output.slices->planes, [&](const SliceCase& plane) {
                     return is_there(folder / slice_name(plane.name, checkpoint.step));
                   });
  missing.statistics =
      output.statistics && !has_averages_of((folder / statistics_name).string(), checkpoint);
  missing.windows =
      is_last && checkpoint.window.duration > 0 &&
      !is_there(folder / numbered_name(statistics_prefix, checkpoint.window.last_step));
  return missing;
}

}  // namespace dns
