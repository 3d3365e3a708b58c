#include "solver/statistics/phase_bins.hpp"

namespace dns {

std::vector<double> durations_in_bins(const PhaseCase& phase, double from, double until) {
  std::vector<double> durations(phase.bins);
  for_each_bin(phase, from, until, [&](int bin, double begin, double end) {
    durations[bin] += end - begin;
  });
  return durations;
}

StatisticsSums sums_of_bin(const StatisticsSums& statistics,
                           const std::vector<double>& durations,
                           int bin) {
  StatisticsSums of_bin{.samples = statistics.samples,
                        .first_time = statistics.first_time,
                        .last_time = statistics.last_time,
                        .last_step = statistics.last_step,
                        .duration = durations[bin],
                        .references = statistics.references,
                        .offsets = statistics.offsets};
  const auto bins = static_cast<int>(durations.size());
  for (const HostField& sum : statistics.phases) {
    const int planes = sum.extents().nz / bins;
    of_bin.sums.push_back(sum.planes(bin * planes, planes));
  }
  return of_bin;
}

}  // namespace dns
