/// Runs on several ranks, as threads of the test, and the flows of their slabs.
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "tests/thread_ranks.hpp"
#include "tests/verification/devices.hpp"

namespace dns::testing {

/// The part of a flow of the whole box, with the ghost planes that its fields have.
inline FlowState cut_out(const FlowState& whole, const Subdomain& part) {
  FlowState slab = whole;
  for (HostField& field : slab.fields) {
    const HostField all = field;
    const Extents n = all.extents();
    const int ghosts = n.nz - part.whole.nz;
    field = HostField(all.name(), {n.nx, n.ny, part.points().nz + ghosts}, all.precision());
    const std::size_t plane = all.bytes() / static_cast<std::size_t>(n.nz);
    std::memcpy(
        field.data(),
        static_cast<const std::byte*>(all.data()) + static_cast<std::size_t>(part.first(2)) * plane,
        field.bytes());
  }
  return slab;
}

/// Puts the flow of a slab into that of the whole box: all its own planes, and the ghost planes at
/// the ends of the box.
inline void put_into(FlowState& whole, const FlowState& slab, const Subdomain& part) {
  for (std::size_t n = 0; n < slab.fields.size(); ++n) {
    const HostField& from = slab.fields[n];
    HostField& to = whole.fields[n];
    const int ghosts = (from.extents().nz - part.points().nz) / 2;
    const int begin = part.part.begin.k == 0 ? 0 : ghosts;
    const int end = from.extents().nz - (part.part.end.k == part.whole.nz ? 0 : ghosts);
    const std::size_t plane = from.bytes() / static_cast<std::size_t>(from.extents().nz);
    std::memcpy(
        static_cast<std::byte*>(to.data()) +
            static_cast<std::size_t>(part.first(2) + begin) * plane,
        static_cast<const std::byte*>(from.data()) + static_cast<std::size_t>(begin) * plane,
        static_cast<std::size_t>(end - begin) * plane);
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
  result.viewing = whole->allocate_state(CopyPurpose::viewing);
  result.diagnostics.resize(static_cast<std::size_t>(ranks));
  result.statistics.resize(static_cast<std::size_t>(ranks));
  std::mutex mutex;
  ThreadRanks::run(ranks, [&](Communicator& communicator) {
    const auto simulation = make_simulation(resolved, communicator);
    const Subdomain part = simulation->subdomain();
    simulation->set_state(start == nullptr ? initial_state(resolved, part) : cut_out(*start, part));
    for (int n = 0; n < steps; ++n) simulation->advance();
    const FlowDiagnostics diagnostics = simulation->diagnostics();
    FlowState restart = simulation->allocate_state(CopyPurpose::restart);
    simulation->copy_state(restart, CopyPurpose::restart);
    FlowState viewing = simulation->allocate_state(CopyPurpose::viewing);
    simulation->copy_state(viewing, CopyPurpose::viewing);
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

}  // namespace dns::testing
