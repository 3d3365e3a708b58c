/// Spectra made of their sums, and the correlations that follow from them.
#pragma once

#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/statistics/flow_averages.hpp"

namespace dns {

/// Spectra along an axis or over shells, or correlations along an axis.
struct Spectrum {
  std::string name;
  int axis = -1;    // along which; -1: shells
  Extents extents;  // wavenumbers or separations along the axis, one point along axes averaged over
  std::vector<double> values;
  std::string scale = "wavenumber";  // the name of what they are over: wavenumber_x ...
  double step = 0;                   // of that from one value to the next, which begins with 0
};

/// The spectra of all sums that are of spectra, and after those along an axis their correlations.
///
///   spectrum_x_uu     E(k_m), k_m = 2 pi m/L, m = 0 .. n/2: sum over m of E 2 pi/L = <u'u'>, the
///                     average `uu`; the mean, <u>, is left out of m = 0
///   correlation_x_uu  <u'(x) u'(x + r)>, r = 0, h, .. n/2 h: sum over m of E cos(k_m r) 2 pi/L
///   spectrum_k        E(k_s), k_s = s dk: sum over s of E dk = <u^2 + v^2 + w^2>/2, the mean in
///                     shell 0
///
/// averages: those of averages_of(statistics), among them the variances. Requires samples > 0.
/// Throws IoError where a variance is missing.
[[nodiscard]] std::vector<Spectrum> spectra_of(const StatisticsSums& statistics,
                                               const std::vector<Average>& averages,
                                               const Case& resolved);

}  // namespace dns
