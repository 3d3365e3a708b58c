/// Bins of the time within a period: bin n of m holds the times with
///   n/m <= t/period - floor(t/period) < (n + 1)/m,     n = 0 .. m - 1
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/flow_state.hpp"

namespace dns {

/// Calls use(bin, from, until) for each piece of an interval of time that lies in one bin, in order
/// [L/U].
template <class Use>
void for_each_bin(const PhaseCase& phase, double from, double until, const Use& use) {
  const double width = phase.period / phase.bins;
  for (double n = std::floor(from / width); from < until; ++n) {
    const double end = std::min((n + 1) * width, until);
    if (!(end > from)) continue;
    use(static_cast<int>(n - phase.bins * std::floor(n / phase.bins)), from, end);
    from = end;
  }
}

/// How long an interval of time lies in each bin [L/U].
[[nodiscard]] std::vector<double> durations_in_bins(const PhaseCase& phase,
                                                    double from,
                                                    double until);

/// The sums over the time in one bin, in the memory of StatisticsSums::phases. durations: of all
/// bins, between first and last time of the sums [L/U]; where it is 0 there are no averages.
[[nodiscard]] StatisticsSums sums_of_bin(const StatisticsSums& statistics,
                                         const std::vector<double>& durations,
                                         int bin);

}  // namespace dns
