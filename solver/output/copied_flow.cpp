#include "solver/output/copied_flow.hpp"

namespace dns {

void copy_flow(const Simulation& simulation, const WriteRequest& request, FlowCopies& flow) {
  flow.restart.step = simulation.step();
  flow.restart.time = simulation.time();
  if (request.renews_statistics()) {
    flow.restart.statistics = simulation.statistics();
    flow.restart.window = simulation.window();
  }
  const bool serves_both = simulation.one_copy_serves_both();
  if (request.checkpoint || (request.needs_viewing() && serves_both))
    simulation.copy_state(flow.restart, CopyPurpose::restart);
  if (!request.needs_viewing() || serves_both) return;
  if (!flow.separate_viewing)
    flow.separate_viewing = simulation.allocate_state(CopyPurpose::snapshot);
  simulation.copy_state(*flow.separate_viewing,
                        request.snapshot ? CopyPurpose::snapshot : CopyPurpose::viewing);
}

}  // namespace dns
