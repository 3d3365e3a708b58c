#include "bench/trial.hpp"

#include <algorithm>

namespace dns::bench {

Measurement measure(const Trial& trial, const Variant& variant) {
  Measurement result;
  result.section = trial.section;
  result.variant = variant.name;
  result.direction = variant.direction;
  result.device = trial.device;
  result.threads = variant.threads;
  result.precision = trial.precision;
  result.points = trial.points;
  result.bytes = trial.bytes;
  result.tolerance = trial.tolerance;
  if (variant.restore) variant.restore(0);
  trial.poison();
  variant.work(0);
  result.error = trial.error();
  if (result.is_right()) result.seconds = trial.seconds(variant);
  return result;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

int sets_beyond_cache(std::size_t set_bytes, std::size_t cache, std::size_t memory) {
  constexpr std::size_t times_cache = 4;
  constexpr std::size_t most_sets = 256;
  const std::size_t bytes = std::max<std::size_t>(set_bytes, 1);
  const std::size_t wanted = (times_cache * cache + bytes - 1) / bytes;
  return static_cast<int>(
      std::clamp<std::size_t>(std::min({wanted, memory / bytes, most_sets}), 1, most_sets));
}

}  // namespace dns::bench
