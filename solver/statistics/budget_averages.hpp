/// Budgets of turbulent kinetic energy and Reynolds stresses, made of sums.
#pragma once

#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/statistics/flow_averages.hpp"

namespace dns {

/// d<u_i'u_j'>/dt, term by term, at the cells of the axes that are kept; none without sums for
/// budgets. Requires samples > 0. With U = <u>, sums over k, and k = <u_i'u_i'>/2 itself:
///
///   budget_uv_advection           - U_k d<u'v'>/dx_k
///   budget_uv_production          - <u'u_k'> dV/dx_k - <v'u_k'> dU/dx_k
///   budget_uv_turbulent_transport - d<u'v'u_k'>/dx_k
///   budget_uv_pressure_transport  - d<p'u'>/dy - d<p'v'>/dx
///   budget_uv_pressure_strain       <p' (du'/dy + dv'/dx)>
///   budget_uv_viscous_diffusion     nu d2<u'v'>/dx_k2
///   budget_uv_dissipation         - 2 nu <du'/dx_k dv'/dx_k>
///   budget_uv_buoyancy              with buoyancy: its factor times <u'T'> along v, <v'T'> along u
///   budget_uv_residual              the sum of all these: what is left to change <u'v'>
///
/// likewise for uu, vv, ww, uw, vw and k, which has no pressure strain; all in [U^3/L]. Dissipation
/// is that of the pseudo-dissipation nu <|grad u'|^2>, negative or 0 for k, uu, vv, ww.
///
/// Terms of uu, vv, ww and k are those that the scheme itself has in space: their sum is 2 <u'R'>,
/// with R the right-hand side of its equation, to round-off; pressure strains add up to p' div u' =
/// 0; transports and diffusion are differences of fluxes. They are formed at the unknowns and moved
/// to cells by halves of control volumes. Unknowns on boundary planes have no equation;
/// diffusion into their half cells and dissipation there cancel where what is given is steady.
/// Between walls of order 4 sums over cells are weighted with y_widths, and terms move from faces
/// to cells by I* (solver/numerics/budgets_across_walls.hpp). Those of uv, uw, vw are of second
/// order in the cell widths, and so is buoyancy along a stretched axis that is averaged. Source:
/// Verstappen & Veldman, J. Comput. Phys. 187 (2003) 343-368, for the operators; names and signs as
/// in Moser, Kim & Mansour, Phys. Fluids 11 (1999) 943-945.
std::vector<Average> budgets_of(const StatisticsSums& statistics, const Case& resolved);

}  // namespace dns
