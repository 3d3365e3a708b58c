/// Formulas at the points of a grid.
#pragma once

#include <span>

#include "solver/config/case.hpp"
#include "solver/core/subdomain.hpp"

namespace dns {

/// Evaluates a formula at the points of a part where a variable lives (u, v, w, T: their faces and
/// the cell centres, or the nodes), x fastest, at time t [L/U]; on the threads of the run.
void evaluate(const Expression& formula,
              const Case& resolved,
              const Subdomain& part,
              int variable,
              double t,
              std::span<double> values);

}  // namespace dns
