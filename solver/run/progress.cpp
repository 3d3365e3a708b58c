#include "solver/run/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/run/words.hpp"

namespace dns {

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

}  // namespace dns
