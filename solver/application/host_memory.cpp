#include "solver/application/host_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#include "solver/application/words.hpp"
#include "solver/core/error.hpp"
#include "solver/time/simulation.hpp"

namespace dns {
namespace {

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

/// A file that holds one number; `otherwise` when it does not.
std::size_t number_in(const char* path, std::size_t otherwise) {
  std::ifstream file(path);
  std::size_t number = 0;
  return file >> number ? number : otherwise;
}

std::size_t left_in_control_group() {
  const std::size_t limit = number_in("/sys/fs/cgroup/memory.max", no_limit);
  if (limit == no_limit) return no_limit;
  const std::size_t used = number_in("/sys/fs/cgroup/memory.current", 0);
  return limit > used ? limit - used : 0;
}

}  // namespace

std::size_t available_host_memory() {
  constexpr std::size_t kibibyte = 1024;
  std::size_t available = no_limit;
  std::ifstream file("/proc/meminfo");
  for (std::string name; file >> name;) {
    std::size_t kibibytes = 0;
    if (name == "MemAvailable:" && file >> kibibytes) available = kibibytes * kibibyte;
  }
  return std::min(available, left_in_control_group());
}

int fields_for_restart(const Case& resolved) {
  if (resolved.scheme == Scheme::splitting) return 4;
  constexpr int velocities_and_pressure = 7;  // velocities of two times
  return resolved.has_temperature() ? velocities_and_pressure + 1 : velocities_and_pressure;
}

std::size_t needed_host_memory(const Case& resolved) {
  constexpr std::size_t fields = 4;  // of a flow to start from
  constexpr std::size_t copies = 2;  // of a flow, for output
  const std::size_t points = resolved.grid.points.count();
  auto copied = static_cast<std::size_t>(fields_for_restart(resolved));
  const bool has_views = resolved.output.fields.every > 0 || resolved.output.slices;
  const bool has_separate_views = resolved.scheme == Scheme::projection && has_views;
  if (has_separate_views) copied += fields + (resolved.has_temperature() ? 1 : 0);
  const std::size_t for_output = copies * copied * points * bytes_of(resolved.precision);
  const std::size_t at_start = fields * points * sizeof(double);
  const bool is_on_host = resolved.device == DeviceChoice::cpu;
  return std::max(for_output, at_start) + (is_on_host ? needs_of(resolved).device_bytes : 0);
}

void require_host_memory(const Case& resolved) {
  const std::size_t needed = needed_host_memory(resolved);
  const std::size_t available = available_host_memory();
  if (needed <= available) return;
  const std::string fitting = grid_that_fits(resolved, needed, available);
  throw DeviceError(
      fmt::format("the run needs {} of memory, but {} are available; {}{}",
                  in_words_bytes(static_cast<double>(needed)),
                  in_words_bytes(static_cast<double>(available)),
                  fitting.empty() ? "a smaller grid.points needs less" : fitting + " would fit",
                  resolved.precision == Precision::double_precision
                      ? ", and --precision float needs half as much"
                      : ""));
}

}  // namespace dns
