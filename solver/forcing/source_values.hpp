/// Sources of momentum and heat of a case at the points of a grid, on the host.
///
/// The source of a variable q is S - R q: S the given acceleration or heat and the rates of sponges
/// times their targets, R the rates of these sponges less the factor of linear forcing.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/subdomain.hpp"

namespace dns {

/// Whether a velocity component or a scalar has a source, has an S that is not the same everywhere,
/// one that changes with time, an R that is not the same everywhere.
[[nodiscard]] bool has_source(const Case& resolved, int variable);
[[nodiscard]] bool has_source_field(const Case& resolved, int variable);
[[nodiscard]] bool source_changes_with_time(const Case& resolved, int variable);
[[nodiscard]] bool has_rate_field(const Case& resolved, int variable);

/// The parts S and R of a source that are the same everywhere.
[[nodiscard]] double uniform_source(const Case& resolved, int variable);
[[nodiscard]] double uniform_rate(const Case& resolved, int variable);

/// S as one formula of x, y, z, t.
[[nodiscard]] Expression whole_source(const Case& resolved, int variable);

/// S at time t [L/U] and R at the points of a part where the variable lives, x fastest. Throws
/// CaseError, naming the place, where a rate of a sponge is negative or a value is not finite.
[[nodiscard]] std::vector<double> source_values(const Case& resolved,
                                                const Subdomain& part,
                                                int variable,
                                                double t);
[[nodiscard]] std::vector<double> rate_values(const Case& resolved,
                                              const Subdomain& part,
                                              int variable);

/// Lines about sponges that act on an inflow and draw the velocity there to another one than is
/// given: each names both and a place.
[[nodiscard]] std::vector<std::string> sponges_at_inflows(const Case& resolved);

}  // namespace dns
