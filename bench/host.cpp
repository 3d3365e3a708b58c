#include "bench/host.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

namespace dns::bench {

double host_seconds(const Variant& variant, int sets, double enough_seconds) {
  constexpr double slow_seconds = 4;
  constexpr std::size_t fewest = 5;
  constexpr std::size_t fewest_slow = 3;
  constexpr std::size_t most = 500;
  using Clock = std::chrono::steady_clock;
  std::vector<double> samples;
  double total = 0;
  int set = 0;
  const auto is_enough = [&] {
    if (samples.size() >= most) return true;
    if (total >= slow_seconds) return samples.size() >= fewest_slow;
    return total >= enough_seconds && samples.size() >= fewest;
  };
  while (!is_enough()) {
    set = (set + 1) % sets;
    if (variant.restore) variant.restore(set);
    const auto start = Clock::now();
    variant.work(set);
    samples.push_back(std::chrono::duration<double>(Clock::now() - start).count());
    total += samples.back();
  }
  return median(samples);
}

}  // namespace dns::bench
