#include "solver/start/turbulent_start.hpp"

#include "solver/start/turbulent_channel.hpp"
#include "solver/start/turbulent_duct.hpp"

namespace dns {

VelocityAtStart turbulent_start(const Case& resolved) {
  const int flow = resolved.initial.turbulent_channel->axis;
  if (resolved.is_periodic((flow + 1) % 3) || resolved.is_periodic((flow + 2) % 3))
    return std::bind_front(&TurbulentChannel::velocity, TurbulentChannel(resolved));
  return std::bind_front(&TurbulentDuct::velocity, TurbulentDuct(resolved));
}

}  // namespace dns
