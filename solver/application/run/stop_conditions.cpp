#include "solver/application/run/stop_conditions.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "solver/application/run/signals.hpp"
#include "solver/application/terminal/words.hpp"

namespace dns {
namespace {

/// Looking for a file costs up to a millisecond on a network file system.
constexpr std::chrono::milliseconds look_interval{20};

}  // namespace

StopConditions::StopConditions(const std::string& directory,
                               std::optional<double> limit,
                               Clock::time_point started)
    : stop_file_((std::filesystem::path(directory) / "STOP").string()),
      limit_(limit),
      started_(started) {}

std::string StopConditions::reason_to_stop(double seconds_to_end) {
  if (!stop_signal().empty()) return std::string(stop_signal());
  const Clock::time_point now = Clock::now();
  const double elapsed = std::chrono::duration<double>(now - started_).count();
  if (limit_ && elapsed + seconds_to_end > *limit_) {
    return fmt::format("run.wall_time_limit of {}", in_words_duration(*limit_));
  }
  if (now - last_look_ < look_interval) return {};
  last_look_ = now;
  std::error_code ignored;
  if (!std::filesystem::exists(stop_file_, ignored)) return {};
  return fmt::format("the file {}", stop_file_);
}

void StopConditions::remove_stop_file() const {
  std::error_code ignored;
  std::filesystem::remove(stop_file_, ignored);
}

}  // namespace dns
