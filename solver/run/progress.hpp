/// How far a run is.
#pragma once

#include <cstdint>
#include <string>

namespace dns {

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

/// A line of at most `width` characters: the least important parts are left out first.
std::string progress_line(const Progress& progress, int width);

}  // namespace dns
