/// Runs on several ranks, as threads of the test, and the flows of their slabs.
#pragma once

#include <cstddef>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "solver/core/reduction.hpp"
#include "tests/slab_of.hpp"
#include "tests/thread_ranks.hpp"
#include "tests/verification/devices.hpp"
#include "tests/verification/staggered_fields.hpp"

namespace dns::testing {

/// Puts the flow of a slab into that of the whole box: all its own planes, and the ghost planes at
/// the ends of the box.
inline void put_into(FlowState& whole, const FlowState& slab, const Subdomain& part) {
  for (std::size_t n = 0; n < slab.fields.size(); ++n) {
    const HostField& from = slab.fields[n];
    const HostField& to = whole.fields[n];
    const int ghosts = (from.extents().nz - part.points().nz) / 2;
    const int begin = part.part.begin.k == 0 ? 0 : ghosts;
    const int end = from.extents().nz - (part.part.end.k == part.whole.nz ? 0 : ghosts);
    HostField owned = to.planes(part.first(2) + begin, end - begin);
    std::memcpy(owned.data(), from.planes(begin, end - begin).data(), owned.bytes());
  }
}

/// What a run on some ranks ends with.
struct RanksResult {
  FlowState restart, viewing;                // of the whole box
  std::vector<FlowDiagnostics> diagnostics;  // of each rank
  std::vector<StatisticsSums> statistics;    // likewise
};

/// A flow on `ranks` ranks after `steps` steps from `start`, or from the case's own start.
inline RanksResult run_on_ranks(const Case& resolved,
                                int ranks,
                                int steps,
                                const FlowState* start = nullptr) {
  RanksResult result;
  const auto whole = make_simulation(resolved);
  result.restart = whole->allocate_state(CopyPurpose::restart);
  result.viewing = whole->allocate_state(CopyPurpose::snapshot);
  result.diagnostics.resize(static_cast<std::size_t>(ranks));
  result.statistics.resize(static_cast<std::size_t>(ranks));
  std::mutex mutex;
  ThreadRanks::run(ranks, [&](Communicator& communicator) {
    const auto simulation = make_simulation(resolved, communicator);
    const Subdomain part = simulation->subdomain();
    simulation->set_state(start == nullptr ? initial_state(resolved, part) : slab_of(*start, part));
    for (int n = 0; n < steps; ++n) simulation->advance();
    const FlowDiagnostics diagnostics = simulation->diagnostics();
    FlowState restart = simulation->allocate_state(CopyPurpose::restart);
    simulation->copy_state(restart, CopyPurpose::restart);
    FlowState viewing = simulation->allocate_state(CopyPurpose::snapshot);
    simulation->copy_state(viewing, CopyPurpose::snapshot);
    const std::lock_guard lock(mutex);
    const auto rank = static_cast<std::size_t>(communicator.rank());
    result.diagnostics[rank] = diagnostics;
    result.statistics[rank] = simulation->statistics();
    put_into(result.restart, restart, part);
    put_into(result.viewing, viewing, part);
    for (FlowState* state : {&result.restart, &result.viewing}) {
      state->step = simulation->step();
      state->time = simulation->time();
      state->numbers = restart.numbers;
    }
  });
  result.restart.statistics = result.statistics.front();
  return result;
}

/// The largest distance of fields in snapshots after 8 steps on `ranks` ranks from those of one.
inline double difference_on_ranks(const Case& resolved,
                                  int ranks,
                                  const std::vector<std::string>& names) {
  constexpr int steps = 8;
  const FlowState alone = viewing_copy(*after(resolved, steps));
  const FlowState shared = run_on_ranks(resolved, ranks, steps).viewing;
  double largest = 0;
  for (const std::string& name : names) {
    largest =
        larger_or_nan(largest, distance(resolved, values_of(shared, name), values_of(alone, name)));
  }
  return largest;
}

/// All numbers of the diagnostics, kinetic energy and dissipation among them.
inline std::vector<double> all_figures(Simulation& simulation) {
  const FlowDiagnostics diagnostics = simulation.diagnostics();
  std::vector<double> figures = diagnostics.others;
  for (const NamedList& bodies : diagnostics.bodies)
    figures.insert(figures.end(), bodies.values.begin(), bodies.values.end());
  figures.push_back(diagnostics.kinetic_energy);
  figures.push_back(diagnostics.dissipation);
  return figures;
}

/// Whether a run that goes on from a copy ends with the bits of one in one go.
inline bool goes_on_bit_for_bit(const Case& resolved) {
  const auto whole = after(resolved, 7);
  const auto resumed = make_simulation(resolved);
  resumed->set_state(state_of(*whole));
  for (int n = 0; n < 6; ++n) {
    whole->advance();
    resumed->advance();
  }
  return same_bits(state_of(*resumed), state_of(*whole));
}

}  // namespace dns::testing
