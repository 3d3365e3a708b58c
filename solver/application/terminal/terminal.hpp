/// What a run says: lines on stderr and in log.txt, and the progress line.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace dns {

/// Where the run is.
struct Progress {
  std::int64_t step = 0;
  std::int64_t steps = 0;  // unlimited_steps: the run ends at `end`
  double time = 0;         // [L/U]
  double end = 0;          // [L/U]
  double done = 0;         // part of the run, 0 .. 1; 1 in its last step alone
  double cfl = 0;
  double divergence = 0;    // mean [U/L]
  double step_seconds = 0;  // recent
  double points_per_second = 0;
  double copy_fraction = 0;  // of the bandwidth of a copy; 0: unknown
  double seconds_left = 0;
};

/// stderr shows warnings, and everything else unless quiet; log.txt gets all of it. On a terminal
/// the progress line is redrawn in place; elsewhere it is a line now and then. A silent one, that
/// of ranks 1, 2, ..., shows nothing.
class Terminal {
 public:
  enum class Volume { normal, quiet, silent };
  enum class LogFile { fresh, append };

  explicit Terminal(Volume volume);
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  /// From here on everything goes to the file `path` too. Throws IoError.
  void open_log(const std::string& path, LogFile mode);

  void say(std::string_view line);
  void warn(std::string_view line);
  /// The first hundred warnings.
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }
  /// Only for log.txt: what stderr shows in another way.
  void record(std::string_view line);

  /// Whether show_progress would do something when this part of the run is done. Cheap enough to be
  /// called every step.
  [[nodiscard]] bool is_progress_due(double done) const;
  void show_progress(const Progress& progress);

 private:
  using Clock = std::chrono::steady_clock;
  struct Closed {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  [[nodiscard]] bool is_line_due(double done) const;
  void redraw(const Progress& progress);
  void erase_progress();

  std::unique_ptr<std::FILE, Closed> log_;  // log.txt; null before it is opened
  bool is_log_incomplete_ = false;          // and the warning given
  std::vector<std::string> warnings_;
  Volume volume_;
  bool is_redrawn_;  // stderr is a terminal that can redraw a line
  bool is_line_shown_ = false;
  Clock::time_point last_redraw_;
  Clock::time_point last_line_;
  double line_interval_ = 10;  // [s] between lines, growing
  double last_line_done_ = 0;
};

/// stderr is a terminal and the user has not asked for no colour (NO_COLOR).
bool uses_colour();

}  // namespace dns
