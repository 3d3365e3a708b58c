/// Formulas at the points of a grid.
#pragma once

#include <array>
#include <span>

#include "solver/config/case.hpp"
#include "solver/core/subdomain.hpp"

namespace dns {

/// Evaluates a formula at all points with coordinates x, y, z of these lists [L], x fastest, at
/// time t [L/U]; on so many threads. The bits do not depend on their number.
void evaluate(const Expression& formula,
              const std::array<std::span<const double>, 3>& coordinates,
              double t,
              int threads,
              std::span<double> values);

/// The same at the points of a part where a variable lives (u, v, w, T: their faces and the cell
/// centres, or the nodes), on the threads of the run.
void evaluate(const Expression& formula,
              const Case& resolved,
              const Subdomain& part,
              int variable,
              double t,
              std::span<double> values);

}  // namespace dns
