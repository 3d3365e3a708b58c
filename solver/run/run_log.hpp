/// What a run says: to its listener and to log.txt.
#pragma once

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "solver/run/run_listener.hpp"

namespace dns {

/// Passes everything to a listener, and from open() on to a file. A silent one, that of ranks 1,
/// 2, ..., passes nothing on.
class RunLog {
 public:
  enum class Volume { normal, silent };
  enum class File { fresh, append };

  /// The listener outlives it.
  RunLog(RunListener& listener, Volume volume);

  /// From here on everything goes to the file `path` too. Throws IoError.
  void open(const std::string& path, File mode);

  void say(std::string_view line);
  void warn(std::string_view line);
  /// The first hundred warnings.
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }
  /// Only for log.txt: what the listener learns in another way.
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

  RunListener& listener_;
  Volume volume_;
  std::unique_ptr<std::FILE, Closed> file_;  // log.txt; null before it is opened
  bool is_file_incomplete_ = false;          // and the warning given
  std::vector<std::string> warnings_;
  Clock::time_point last_line_ = Clock::now();
  double line_interval_ = 10;  // [s] between lines of progress, growing
  double last_line_done_ = 0;
};

}  // namespace dns
