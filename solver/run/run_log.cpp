#include "solver/run/run_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>

#include "solver/core/error.hpp"
#include "solver/core/file_descriptor.hpp"
#include "solver/core/seconds.hpp"
#include "solver/core/system_errors.hpp"
#include "solver/run/printable.hpp"

namespace dns {
namespace {

constexpr int widest_line = 200;
constexpr double longest_line_interval = 600;  // [s]
constexpr int lines_per_run = 10;              // at least, in a run of some length
constexpr double shortest_line_interval = 1;   // [s]
constexpr std::size_t most_warnings_kept = 100;

}  // namespace

RunLog::RunLog(RunListener& listener, Volume volume) : listener_(listener), volume_(volume) {}

void RunLog::open(const std::string& path, File mode) {
  // As the library of C would, but without waiting for the other end of a pipe.
  open_regular(path, O_WRONLY | O_CREAT).close(path);
  file_.reset(std::fopen(path.c_str(), mode == File::fresh ? "we" : "ae"));
  if (!file_) throw IoError(system_message(path, "opening", errno));
}

void RunLog::say(std::string_view line) {
  if (volume_ == Volume::silent) return;
  listener_.say(line);
  record(line);
}

void RunLog::warn(std::string_view line) {
  if (volume_ == Volume::silent) return;
  if (warnings_.size() < most_warnings_kept) warnings_.emplace_back(line);
  listener_.warn(line);
  record(fmt::format("warning: {}", line));
}

void RunLog::record(std::string_view line) {
  if (!file_) return;
  print_line(line, file_.get());
  if (std::ferror(file_.get()) == 0 || is_file_incomplete_) return;
  is_file_incomplete_ = true;
  warn("log.txt could not be written and lacks lines");
}

bool RunLog::is_line_due(double done) const {
  const double waited = seconds_since(last_line_);
  const bool is_far = (done - last_line_done_) * lines_per_run >= 1;
  return done >= 1 || waited > line_interval_ || (is_far && waited > shortest_line_interval);
}

bool RunLog::is_progress_due(double done) const {
  return listener_.wants_progress() || is_line_due(done);
}

void RunLog::show_progress(const Progress& progress) {
  if (volume_ == Volume::silent) return;
  if (is_line_due(progress.done)) {
    if (seconds_since(last_line_) > line_interval_) {
      line_interval_ = std::min(1.5 * line_interval_, longest_line_interval);
    }
    last_line_ = Clock::now();
    last_line_done_ = progress.done;
    const std::string line = progress_line(progress, widest_line);
    record(line);
    listener_.progress_in_words(line);
  }
  listener_.progress(progress);
}

}  // namespace dns
