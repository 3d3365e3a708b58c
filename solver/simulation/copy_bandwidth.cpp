#include "solver/simulation/copy_bandwidth.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

namespace dns {

double steady_clock_seconds() {
  const auto since_start = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(since_start).count();
}

double measured_copy_bandwidth(const std::function<void()>& copy,
                               const std::function<void()>& synchronize,
                               double bytes,
                               const std::function<double()>& now) {
  // Samples of several copies, so that the time of a synchronisation hardly counts.
  constexpr std::size_t most_samples = 5;
  constexpr double sample_seconds = 5e-3;
  constexpr double enough_seconds = 0.1;
  constexpr double most_copies = 200;
  const auto seconds_of_one = [&](int copies) {
    const double start = now();
    for (int n = 0; n < copies; ++n) copy();
    synchronize();
    return (now() - start) / copies;
  };
  const double first = now();
  seconds_of_one(1);
  const double estimate = seconds_of_one(1);
  const auto copies = static_cast<int>(std::clamp(sample_seconds / estimate, 1.0, most_copies));
  std::vector<double> seconds;
  while (seconds.empty() || (seconds.size() < most_samples && now() - first < enough_seconds))
    seconds.push_back(seconds_of_one(copies));
  std::ranges::sort(seconds);
  return bytes / seconds[seconds.size() / 2];
}

}  // namespace dns
