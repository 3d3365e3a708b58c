#include "solver/application/terminal/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "solver/core/seconds.hpp"
#include "solver/run/printable.hpp"

namespace dns {
namespace {

constexpr double redraw_interval = 0.15;  // [s]

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

}  // namespace

bool uses_colour() {
  const char* refused = std::getenv("NO_COLOR");
  const bool is_refused = refused != nullptr && *refused != '\0';
  return is_terminal() && !is_refused;
}

Terminal::Terminal(Volume volume)
    : volume_(volume), last_redraw_(Clock::now() - std::chrono::hours(1)) {
  const char* kind = std::getenv("TERM");
  const bool can_redraw = kind != nullptr && std::string_view(kind) != "dumb";
  is_redrawn_ = is_terminal() && can_redraw && volume_ == Volume::normal;
}

Terminal::~Terminal() {
  erase_progress();
}

void Terminal::say(std::string_view line) {
  if (volume_ != Volume::normal) return;
  erase_progress();
  print_line(line, stderr);
}

void Terminal::warn(std::string_view line) {
  erase_progress();
  std::fputs(uses_colour() ? "\033[33mwarning:\033[0m " : "warning: ", stderr);
  print_line(line, stderr);
}

bool Terminal::wants_progress() {
  return is_redrawn_ && seconds_since(last_redraw_) > redraw_interval;
}

void Terminal::progress_in_words(std::string_view line) {
  if (!is_redrawn_ && volume_ == Volume::normal) print_line(line, stderr);
}

void Terminal::progress(const Progress& progress) {
  if (!is_redrawn_) return;
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
