/// The disturbed laminar flow of initial.type turbulent_channel.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "solver/config/case.hpp"

namespace dns {

/// The values of a component at the points of a tensor grid: as TurbulentChannel::velocity.
using VelocityAtStart = std::function<std::vector<double>(
    int component, const std::array<std::vector<double>, 3>& coordinates)>;

/// That of a channel, or of a duct where there are walls across two axes. Requires
/// case.initial.turbulent_channel.
[[nodiscard]] VelocityAtStart turbulent_start(const Case& resolved);

}  // namespace dns
