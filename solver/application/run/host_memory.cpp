#include "solver/application/run/host_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "solver/application/run/control_groups.hpp"
#include "solver/application/terminal/words.hpp"
#include "solver/core/error.hpp"
#include "solver/grid/plane_points.hpp"
#include "solver/grid/probe_points.hpp"
#include "solver/instances/case_needs.hpp"

namespace dns {
std::size_t available_host_memory() {
  constexpr std::size_t kibibyte = 1024;
  std::size_t available = unlimited_memory;
  std::ifstream file("/proc/meminfo");
  for (std::string name; file >> name;) {
    std::size_t kibibytes = 0;
    if (name == "MemAvailable:" && file >> kibibytes) available = kibibytes * kibibyte;
  }
  return std::min(available, memory_left_in_control_groups());
}

int fields_for_restart(const Case& resolved) {
  if (resolved.scheme == Scheme::splitting) return 4;
  constexpr int velocities_and_pressure = 7;  // velocities of two times
  return resolved.has_temperature() ? velocities_and_pressure + 1 : velocities_and_pressure;
}

/// What a copy for a snapshot has besides the variables.
int further_fields(const FieldOutputCase& output) {
  const bool has_faces = output.velocity && output.location == FieldOutputCase::Location::faces;
  return (has_faces ? 3 : 0) + (output.vorticity ? 3 : 0) + (output.q_criterion ? 1 : 0);
}

std::size_t needed_host_memory(const Case& resolved, const RunRanks& ranks) {
  constexpr std::size_t fields = 4;  // of a flow to start from
  constexpr std::size_t copies = 2;  // of a slab, for output
  const Extents whole = resolved.grid.points;
  const int most_planes = (whole.nz + ranks.all - 1) / ranks.all;
  const std::size_t points = Extents{whole.nx, whole.ny, most_planes}.count();
  auto copied = static_cast<std::size_t>(fields_for_restart(resolved));
  const bool has_views = resolved.output.fields.every > 0 || resolved.output.slices;
  const int further = further_fields(resolved.output.fields);
  const bool are_separate = resolved.scheme == Scheme::projection || further > 0;
  if (has_views && are_separate) {
    copied += fields + static_cast<std::size_t>(further) +
              (resolved.scheme == Scheme::projection && resolved.has_temperature() ? 1 : 0);
  }
  const auto on_host = static_cast<std::size_t>(ranks.on_host);
  std::size_t for_output = on_host * copies * copied * points * bytes_of(resolved.precision);
  const std::size_t at_start = on_host * fields * points * sizeof(double);
  if (ranks.all > 1) {  // what passes through rank 0
    const FieldOutputCase& files = resolved.output.fields;
    if (files.every > 0 && files.compression > 0)  // the slab of another rank, there and here
      for_output += std::size_t{6} * points * bytes_of(files.precision);
  }
  if (resolved.output.planes) {  // records: collected, and in both copies for output
    constexpr std::size_t collected = std::size_t{32} << 20;
    const std::size_t record = values_in_planes(resolved, whole_box(resolved)) * sizeof(double);
    for_output += (1 + copies) * (collected + record);
  }
  if (resolved.output.probes) {  // likewise, and those of lines until a checkpoint
    constexpr std::size_t collected = std::size_t{32} << 20;
    const std::size_t record = probe_samples(resolved).size() * sizeof(double);
    for_output += (2 + copies) * (collected + record);
  }
  if (resolved.output.statistics) {  // sums: of each rank, and in both copies for output
    const std::size_t lists = resolved.output.statistics->window ? 2 : 1;
    for_output += (on_host + copies) * lists * values_in_sums(resolved) * sizeof(double);
  }
  const bool is_on_host = resolved.device == DeviceChoice::cpu;
  return std::max(for_output, at_start) +
         (is_on_host ? on_host * needs_of(resolved, ranks.all).device_bytes : 0);
}

void require_host_memory(const Case& resolved, const RunRanks& ranks) {
  const std::size_t needed = needed_host_memory(resolved, ranks);
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
