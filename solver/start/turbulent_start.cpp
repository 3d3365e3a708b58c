#include "solver/start/turbulent_start.hpp"

#include <utility>

#include "solver/start/turbulent_channel.hpp"
#include "solver/start/turbulent_duct.hpp"

namespace dns {
namespace {

template <class Flow>
VelocityAtStart velocity_of(Flow flow) {
  return [flow = std::move(flow)](int component,
                                  const std::array<std::vector<double>, 3>& coordinates) {
    return flow.velocity(component, coordinates);
  };
}

}  // namespace

VelocityAtStart turbulent_start(const Case& resolved) {
  const int flow = resolved.initial.turbulent_channel->axis;
  const bool is_channel =
      resolved.is_periodic((flow + 1) % 3) || resolved.is_periodic((flow + 2) % 3);
  return is_channel ? velocity_of(TurbulentChannel(resolved))
                    : velocity_of(TurbulentDuct(resolved));
}

}  // namespace dns
