/// The disturbed laminar flow of initial.type turbulent_channel.
#pragma once

#include <functional>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/index.hpp"

namespace dns {

/// The values of a component at the points of a tensor grid: as TurbulentChannel::velocity.
using VelocityAtStart = std::function<std::vector<double>(
    int component, const PerAxis<std::vector<double>>& coordinates)>;

/// The turbulent start of a channel, or of a duct where there are walls across two axes. Requires
/// case.initial.turbulent_channel.
[[nodiscard]] VelocityAtStart turbulent_start(const Case& resolved);

}  // namespace dns
