/// Checks and conversions of a flow on the host, shared by all instances of a scheme.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/simulation/simulation.hpp"

namespace dns {

template <class Real>
[[nodiscard]] constexpr Precision precision_of() {
  return sizeof(Real) == sizeof(float) ? Precision::single_precision : Precision::double_precision;
}

/// The field of `state` of this name, converted to `precision` where it differs. Throws CaseError
/// when it is missing or has other extents than `points` and that many ghost points at each end.
HostField field_in(const FlowState& state,
                   std::string_view name,
                   Extents points,
                   Precision precision,
                   int ghosts = 0);

/// Throws CaseError: a field of the flow to start from has other extents; those that are said leave
/// out its ghost points.
[[noreturn]] void refuse_extents(const HostField& field, Extents points, int ghosts);

/// The number of `state` of this name; none where there is none.
std::optional<double> find_number(const FlowState& state, std::string_view name);
/// The number of `state` of this name. Throws CaseError when there is none.
double number_in(const FlowState& state, std::string_view name);

/// Throws CaseError: a constant step dt of a time scheme from time t on is longer than explicit
/// stages, or waves along no axis, allow [L/U].
[[noreturn]] void refuse_long_step(TimeScheme scheme, double dt, double limit, double t);

/// Throws DivergenceError if one of the diagnostics of a flow is NaN or infinite, or the CFL number
/// above 1000: it says which variable has the worst value of the part that this rank has, and where
/// in the box. flow: called then for the velocity and temperature to look at.
void require_sound_flow(const FlowDiagnostics& diagnostics,
                        const Case& resolved,
                        const Subdomain& part,
                        const std::function<FlowState()>& flow);

}  // namespace dns
