/// What a run shows on stderr: lines, warnings and its progress.
#pragma once

#include <chrono>
#include <string_view>

#include "solver/run/run_listener.hpp"

namespace dns {

/// stderr shows warnings, and everything else unless quiet. On a terminal the progress line is
/// redrawn in place; elsewhere it is a line now and then.
class Terminal : public RunListener {
 public:
  enum class Volume { normal, quiet };

  explicit Terminal(Volume volume);
  ~Terminal() override;
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void say(std::string_view line) override;
  void warn(std::string_view line) override;
  bool wants_progress() override;
  void progress(const Progress& progress) override;
  void progress_in_words(std::string_view line) override;

 private:
  using Clock = std::chrono::steady_clock;

  void erase_progress();

  Volume volume_;
  bool is_redrawn_;  // stderr is a terminal that can redraw a line
  bool is_line_shown_ = false;
  Clock::time_point last_redraw_;
};

/// stderr is a terminal and the user has not asked for no colour (NO_COLOR).
bool uses_colour();

}  // namespace dns
