/// The bandwidth of a copy in the memory of a device; speeds of runs are stated as a share of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <new>

#include "solver/core/error.hpp"
#include "solver/simulation/simulation.hpp"

namespace dns {

/// Seconds of a steady clock.
[[nodiscard]] double steady_clock_seconds();

/// Bytes per second of `copy`, which has moved `bytes` when `synchronize` returns; the median of
/// several samples of several copies, in about a tenth of a second unless one copy takes longer.
/// `now` gives the time in seconds.
[[nodiscard]] double measured_copy_bandwidth(
    const std::function<void()>& copy,
    const std::function<void()>& synchronize,
    double bytes,
    const std::function<double()>& now = steady_clock_seconds);

/// Least bytes of both buffers together for a measurement: so much more than the cache that it
/// holds little of what the next copy reads.
[[nodiscard]] constexpr std::size_t bytes_of_copy_buffers(std::size_t last_level_cache) {
  constexpr std::size_t times_cache = 4;
  return times_cache * last_level_cache;
}

/// Least bytes of both buffers together for a run of `run_bytes`: up to 1 GiB as large as the run,
/// since on a GPU a short copy takes longer per byte (H200: 4.05 TB/s between buffers of 120 MB
/// each, 4.27 between 1 GB each).
[[nodiscard]] constexpr std::size_t bytes_of_copy_buffers(std::size_t last_level_cache,
                                                          std::size_t run_bytes) {
  constexpr std::size_t enough = std::size_t{1} << 30U;
  return std::max(bytes_of_copy_buffers(last_level_cache), std::min(run_bytes, enough));
}

/// Simulation::measure_copy_bandwidth on a backend.
template <class Backend>
double copy_bandwidth_of(Backend& backend, const CopyMeasurement& asked) {
  using Real = typename Backend::Real;
  using Array = decltype(backend.template allocate<Real>(std::size_t{}));
  const std::size_t cache = Backend::last_level_cache();
  const std::size_t bytes = bytes_of_copy_buffers(cache, asked.run_bytes);
  if (asked.run_bytes < bytes || asked.spare_host_bytes / 2 < bytes) return 0;
  const std::size_t count = bytes / 2 / sizeof(Real);
  try {
    const Array first(count);
    const Array second(count);
    backend.copy(first.data(), second.data(), count);  // pages of host memory exist once written
    backend.copy(second.data(), first.data(), count);
    return measured_copy_bandwidth([&] { backend.copy(first.data(), second.data(), count); },
                                   [&] { backend.synchronize(); },
                                   2.0 * static_cast<double>(count * sizeof(Real)));
  } catch (const std::bad_alloc&) {
    return 0;  // no memory to measure in; the run needs none of it
  } catch (const DeviceError&) {
    return 0;  // the same on a GPU; other errors of the device show in the first step
  }
}

}  // namespace dns
