#include "solver/application/terminal/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/error.hpp"
#include "solver/core/file_descriptor.hpp"
#include "solver/core/seconds.hpp"
#include "solver/core/system_errors.hpp"
#include "solver/run/printable.hpp"
#include "solver/run/words.hpp"

namespace dns {
namespace {

constexpr double redraw_interval = 0.15;       // [s]
constexpr int widest_line = 200;               // of a file
constexpr double longest_line_interval = 600;  // [s]
constexpr int lines_per_run = 10;              // at least, in a run of some length
constexpr double shortest_line_interval = 1;   // [s]
constexpr std::size_t most_warnings_kept = 100;

bool is_terminal() {
  return isatty(STDERR_FILENO) == 1;
}

int width_of_terminal() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

/// "[=====>    ]", `width` characters.
std::string bar(double fraction, int width) {
  const std::size_t inside = width - 2;
  const auto filled = static_cast<std::size_t>(static_cast<double>(inside) * fraction);
  std::string marks(std::min(filled, inside), '=');
  if (marks.size() < inside) marks += '>';
  return fmt::format("[{:<{}}]", marks, inside);
}

/// At most `width` characters: the least important parts are left out first.
std::string progress_line(const Progress& progress, int width) {
  struct Part {
    std::string text;
    int rank;  // parts of high rank go first when the line is too long
  };
  const bool ends_at_time = progress.steps == unlimited_steps;
  const std::string of_steps = ends_at_time ? "" : fmt::format("/{}", progress.steps);
  const std::string of_time = ends_at_time ? fmt::format("/{:g}", progress.end) : "";
  std::vector<Part> parts{{fmt::format("step {}{}", progress.step, of_steps), 0},
                          {fmt::format("t {:.4g}{}", progress.time, of_time), 2},
                          {fmt::format("cfl {:.2f}", progress.cfl), 3},
                          {fmt::format("div {:.0e}", progress.divergence), 5},
                          {fmt::format("{:.3g} ms/step", progress.step_seconds * 1000), 4},
                          {fmt::format("{}pt/s", in_words_count(progress.points_per_second)), 6}};
  if (progress.copy_fraction > 0) {
    parts.push_back({fmt::format("{:.0f}% of copy", progress.copy_fraction * 100), 7});
  }
  parts.push_back({fmt::format("left {}", in_words_duration(progress.seconds_left)), 1});
  const auto joined = [&] {
    std::string line;
    for (const Part& part : parts) line += (line.empty() ? "" : "  ") + part.text;
    return line;
  };
  std::string line = joined();
  while (line.size() > static_cast<std::size_t>(std::max(width, 0)) && parts.size() > 1) {
    parts.erase(std::ranges::max_element(parts, {}, &Part::rank));
    line = joined();
  }
  return line;
}

}  // namespace

bool uses_colour() {
  const char* refused = std::getenv("NO_COLOR");
  const bool is_refused = refused != nullptr && *refused != '\0';
  return is_terminal() && !is_refused;
}

Terminal::Terminal(Volume volume)
    : volume_(volume),
      last_redraw_(Clock::now() - std::chrono::hours(1)),
      last_line_(Clock::now()) {
  const char* kind = std::getenv("TERM");
  const bool can_redraw = kind != nullptr && std::string_view(kind) != "dumb";
  is_redrawn_ = is_terminal() && can_redraw && volume_ == Volume::normal;
}

Terminal::~Terminal() {
  erase_progress();
}

void Terminal::open_log(const std::string& path, LogFile mode) {
  // As the library of C would, but without waiting for the other end of a pipe.
  open_regular(path, O_WRONLY | O_CREAT).close(path);
  log_.reset(std::fopen(path.c_str(), mode == LogFile::fresh ? "we" : "ae"));
  if (!log_) throw IoError(system_message(path, "opening", errno));
}

void Terminal::say(std::string_view line) {
  if (volume_ == Volume::normal) {
    erase_progress();
    print_line(line, stderr);
  }
  record(line);
}

void Terminal::warn(std::string_view line) {
  if (volume_ == Volume::silent) return;
  if (warnings_.size() < most_warnings_kept) warnings_.emplace_back(line);
  erase_progress();
  std::fputs(uses_colour() ? "\033[33mwarning:\033[0m " : "warning: ", stderr);
  print_line(line, stderr);
  record(fmt::format("warning: {}", line));
}

void Terminal::record(std::string_view line) {
  if (!log_) return;
  print_line(line, log_.get());
  if (std::ferror(log_.get()) == 0 || is_log_incomplete_) return;
  is_log_incomplete_ = true;
  warn("log.txt could not be written and lacks lines");
}

bool Terminal::is_line_due(double done) const {
  const double waited = seconds_since(last_line_);
  const bool is_far = (done - last_line_done_) * lines_per_run >= 1;
  return done >= 1 || waited > line_interval_ || (is_far && waited > shortest_line_interval);
}

bool Terminal::is_progress_due(double done) const {
  const bool is_redraw_due = is_redrawn_ && seconds_since(last_redraw_) > redraw_interval;
  return is_redraw_due || is_line_due(done);
}

void Terminal::show_progress(const Progress& progress) {
  if (is_line_due(progress.done)) {
    if (seconds_since(last_line_) > line_interval_) {
      line_interval_ = std::min(1.5 * line_interval_, longest_line_interval);
    }
    last_line_ = Clock::now();
    last_line_done_ = progress.done;
    const std::string line = progress_line(progress, widest_line);
    record(line);
    if (!is_redrawn_ && volume_ == Volume::normal) print_line(line, stderr);
  }
  if (is_redrawn_) redraw(progress);
}

void Terminal::redraw(const Progress& progress) {
  const bool is_last = progress.done >= 1;
  last_redraw_ = Clock::now();
  constexpr int bar_width = 12;
  constexpr int narrow = 50;
  int width = width_of_terminal() - 1;  // a full line would wrap
  std::string start = "\r\033[K";
  if (width > narrow) {
    start += bar(progress.done, bar_width) + " ";
    width -= bar_width + 1;
  }
  // The line has no newline at its end; a log message would add one.
  const std::string line = start + progress_line(progress, width) + (is_last ? "\n" : "");
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
  is_line_shown_ = !is_last;
}

void Terminal::erase_progress() {
  if (!is_line_shown_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  is_line_shown_ = false;
}

}  // namespace dns
