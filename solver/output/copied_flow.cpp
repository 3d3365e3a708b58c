#include "solver/output/copied_flow.hpp"

namespace dns {

void copy_flow(const Simulation& simulation, const CopyNeeds& needs, FlowCopies& flow) {
  flow.restart.step = simulation.step();
  flow.restart.time = simulation.time();
  if (needs.sums) {
    flow.restart.statistics = simulation.statistics();
    flow.restart.window = simulation.window();
  }
  const bool needs_viewing = needs.viewing || needs.snapshot;
  const bool serves_both = simulation.one_copy_serves_both();
  if (needs.restart || (needs_viewing && serves_both))
    simulation.copy_state(flow.restart, CopyPurpose::restart);
  if (!needs_viewing || serves_both) return;
  if (!flow.separate_viewing)
    flow.separate_viewing = simulation.allocate_state(CopyPurpose::snapshot);
  simulation.copy_state(*flow.separate_viewing,
                        needs.snapshot ? CopyPurpose::snapshot : CopyPurpose::viewing);
}

}  // namespace dns
