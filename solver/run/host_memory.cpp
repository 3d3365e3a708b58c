#include "solver/run/host_memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "solver/core/error.hpp"
#include "solver/grid/plane_points.hpp"
#include "solver/grid/probe_points.hpp"
#include "solver/instances/case_needs.hpp"
#include "solver/output/whole_flow.hpp"
#include "solver/run/control_groups.hpp"
#include "solver/run/words.hpp"
#include "solver/statistics/statistics_sums.hpp"

namespace dns {
namespace {

/// What a limit of the process leaves of what it has taken, a number of /proc/self/statm.
std::size_t left_of_limit(int limit, std::size_t place) {
  rlimit most{};
  if (getrlimit(limit, &most) != 0 || most.rlim_cur == RLIM_INFINITY) return unlimited_memory;
  std::ifstream file("/proc/self/statm");
  std::size_t pages = 0;
  for (std::size_t number = 0; number <= place; ++number) file >> pages;
  const std::size_t taken = pages * sysconf(_SC_PAGESIZE);
  return most.rlim_cur > taken ? most.rlim_cur - taken : 0;
}

/// What ulimit -v and -d leave for the memory of a run: of addresses the C library takes 64 MiB for
/// the heap of the thread that writes output, whatever that thread needs.
std::size_t addresses_left() {
  constexpr std::size_t heap_of_writer = std::size_t{64} << 20;
  constexpr std::size_t place_of_all = 0;
  constexpr std::size_t place_of_data = 5;
  const std::size_t left =
      std::min(left_of_limit(RLIMIT_AS, place_of_all), left_of_limit(RLIMIT_DATA, place_of_data));
  if (left == unlimited_memory) return left;
  return left > heap_of_writer ? left - heap_of_writer : 0;
}

}  // namespace

std::size_t available_host_memory() {
  constexpr std::size_t kibibyte = 1024;
  std::size_t available = unlimited_memory;
  std::ifstream file("/proc/meminfo");
  for (std::string name; file >> name;) {
    std::size_t kibibytes = 0;
    if (name == "MemAvailable:" && file >> kibibytes) available = kibibytes * kibibyte;
  }
  return std::min({available, memory_left_in_control_groups(), addresses_left()});
}

std::size_t needed_host_memory(const Case& resolved, const RunRanks& ranks) {
  constexpr std::size_t fields = 4;  // of a flow to start from
  constexpr std::size_t copies = copy_slots;
  const CaseNeeds needs = needs_of(resolved, ranks.all);
  const Extents whole = resolved.grid.points;
  const int most_planes = (whole.nz + ranks.all - 1) / ranks.all;
  const std::size_t points = Extents{whole.nx, whole.ny, most_planes}.count();
  const FieldOutputCase& files = resolved.output.fields;
  const bool has_views = files.every.is_any() || resolved.output.slices;
  const std::size_t on_host = ranks.on_host;
  std::size_t for_output =
      on_host * copies * (needs.restart_bytes + (has_views ? needs.viewing_bytes : 0));
  if (!resolved.solids.empty()) for_output += on_host * points * bytes_of(resolved.precision);
  const std::size_t at_start = on_host * fields * points * sizeof(double);
  if (ranks.all > 1 && files.every.is_any() &&
      files.compression > 0)  // another's slab, there and here
    for_output += std::size_t{6} * points * bytes_of(files.precision);
  const auto collected = [&](std::size_t values) {  // records, before they are set down
    constexpr std::size_t most_bytes = std::size_t{32} << 20;
    const std::size_t record = values * sizeof(double);
    const std::size_t steps = resolved.time.steps;
    return record + (record > 0 && steps < most_bytes / record ? steps * record : most_bytes);
  };
  if (resolved.output.planes)  // being collected, and in both copies for output
    for_output += (1 + copies) * collected(values_in_planes(resolved, whole_box(resolved)));
  if (resolved.output.probes)  // likewise, and those of lines until a checkpoint
    for_output += (2 + copies) * collected(probe_samples(resolved).size());
  if (resolved.output.statistics) {  // sums, last sample; of a window under way, of an ended one
    const std::size_t lists = resolved.output.statistics->window ? 4 : 2;
    for_output += on_host * (1 + copies) *
                  (lists * values_in_sums(resolved) + values_in_phases(resolved)) * sizeof(double);
    // While a sample is taken: parts and their sum, of all ranks too.
    const auto [kept, sums] = largest_profile(resolved, {whole.nx, whole.ny, most_planes});
    const std::size_t profiles = (ranks.all > 1 ? 2 + 2 * on_host : 2) * kept;
    for_output += on_host * profiles * (sums + 1) * sizeof(double);
  }
  for_output += std::size_t{32} << 20;  // HDF5, blocks of values, pictures, stack of the writer
  const bool is_on_host = resolved.device == DeviceChoice::cpu;
  return std::max(for_output, at_start) + (is_on_host ? on_host * needs.device_bytes : 0);
}

void require_host_memory(const Case& resolved, const RunRanks& ranks) {
  const std::size_t needed = needed_host_memory(resolved, ranks);
  const std::size_t available = available_host_memory();
  if (needed <= available) return;
  const std::string fitting = grid_that_fits(resolved, needed, available);
  throw DeviceError(
      fmt::format("the run needs {} of memory, but {} are available; {}{}",
                  in_words_bytes(needed),
                  in_words_bytes(available),
                  fitting.empty() ? "a smaller grid.points needs less" : fitting + " would fit",
                  resolved.precision == Precision::double_precision
                      ? ", and --precision float needs half as much"
                      : ""));
}

}  // namespace dns
