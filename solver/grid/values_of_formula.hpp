/// Formulas at the points of a grid.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "solver/config/case.hpp"
#include "solver/core/index.hpp"
#include "solver/core/subdomain.hpp"

namespace dns {

/// Evaluates a formula at all points with coordinates x, y, z of these lists [L], x fastest, at
/// time t [L/U]; on so many threads. The bits do not depend on their number.
void evaluate(const Expression& formula,
              const PerAxis<std::span<const double>>& coordinates,
              double t,
              int threads,
              std::span<double> values);

/// Evaluates a formula at the points of a part where a variable lives (u, v, w, T: their faces and
/// the cell centres, or the nodes), x fastest, at time t [L/U], on the threads of the run.
void evaluate(const Expression& formula,
              const Case& resolved,
              const Subdomain& part,
              int variable,
              double t,
              std::span<double> values);

/// Throws CaseError: "forcing.heat: 1/x is inf at x = 0, y = 1, z = 2, but must be finite", and the
/// time where the formula depends on it.
[[noreturn]] void refuse_value(const std::string& key,
                               const Expression& formula,
                               double value,
                               const PerAxis<double>& place,
                               double t,
                               std::string_view rule);

/// Throws CaseError, as refuse_value does, where one of these values is not finite. `values` are
/// those of the formula at all points of `coordinates`, x fastest, and `key` is its place in the
/// case.
void require_finite(const std::string& key,
                    const Expression& formula,
                    const PerAxis<std::span<const double>>& coordinates,
                    double t,
                    std::span<const double> values);

}  // namespace dns
