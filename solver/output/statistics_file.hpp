/// statistics.h5: averages of a flow, made of its sums.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/flow_state.hpp"

namespace dns {

inline constexpr std::string_view statistics_name = "statistics.h5";
inline constexpr std::string_view phases_name = "statistics_phase.h5";
inline constexpr std::string_view phases_prefix = "statistics_phase_";  // of those set aside
inline constexpr std::string_view statistics_format = "dns statistics";

/// Writes DIRECTORY/statistics.h5 (or `name`), aside and renamed, unless there are no samples yet.
///
/// Every dataset is an array over the axes that are not averaged over, slowest first (a single
/// number where all are), in double:
///   u, v, w, p, T           means                       [U, U^2, T0]
///   dissipation             mean of Phi/Re              [U^3/L]
///   uu, vv, ww, uv, uw, vw  Reynolds stresses <u'v'>    [U^2]
///   pp, TT, uT, vT, wT      the same of pressure and temperature; of salt salt_salt, u_salt,
///                           skewness_salt and so on
///   skewness_u, flatness_u  <u'^3>/<u'^2>^1.5, <u'^4>/<u'^2>^2, and of v, w, p, T; NaN where the
///                           variance is round-off, see MeanFlow::normalised
///   NAME                    means of output.statistics.quantities, each in the unit of its formula
///   momentum_u_advection, momentum_u_diffusion   over planes between walls of order 4: what
///                           advection and viscosity change <u> by, of w likewise; times
///                           y_widths they sum up to 0 and to what the walls take [U^2/L]
///   budget_...              with output.statistics.budgets, see budget_averages.hpp [U^3/L]
///   fluid                   where there are bodies: the share of the cells averaged over whose
///                           centres are in the fluid; all others are averages over these cells
///                           alone, NaN where there are none
/// Where spectra are taken also spectrum_x_uu, correlation_x_uu, spectrum_k, ... over
/// wavenumber_x, separation_x, wavenumber: solver/statistics/energy_spectra.hpp.
/// x, y, z (centres of cells, dimension scales) and x_faces ... of these axes [L]; along axes
/// with order 4 across walls y_widths, the weights of cells in sums [L]; along axes between walls
/// y_plus ..., distance from the nearest wall times friction_velocity Re; of walls
/// outside of bodies.
/// Attributes: samples, first_time and last_time, between which is averaged [L/U],
/// friction_velocity [U] and friction_reynolds (that times half the distance of the walls times Re;
/// of all walls across the axes kept, from the mean shear between wall and first cell), and those
/// of a snapshot. Throws IoError.
void write_statistics(const std::string& directory,
                      const FlowState& state,
                      const Case& resolved,
                      const std::string& case_yaml,
                      std::string_view name = statistics_name);

/// Writes DIRECTORY/statistics_phase.h5 (or `name`) in the same way, with output.statistics.phase
/// and two samples at least: averages over the time in each bin of the period, of the same names
/// but for spectra and budgets. Before the other axes of each stands
///   phase            centre of the bin, t/period - floor(t/period), a dimension scale [1]
/// and
///   phase_duration   is the time that was averaged over in the bin [L/U]; where it is 0 averages
///                    are NaN.
/// Moments are those about the mean of the bin. Attributes: those of statistics.h5 and period
/// [L/U]; wall units are those of the whole time. Throws IoError.
void write_phases(const std::string& directory,
                  const FlowState& state,
                  const Case& resolved,
                  const std::string& case_yaml,
                  std::string_view name = phases_name);

/// Writes the averages over one time window to statistics_<digits>.h5, with the step of its last
/// sample; that and its time are step and time of the file. Throws IoError.
void write_window(const std::string& directory,
                  const StatisticsSums& window,
                  const Case& resolved,
                  const std::string& case_yaml);

}  // namespace dns
