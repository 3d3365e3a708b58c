/// All outputs of a run.
#pragma once

#include <bitset>
#include <memory>
#include <string>
#include <vector>

#include "solver/output/output.hpp"

namespace dns {

/// The outputs in the order in which they are written.
class Outputs {
 public:
  /// Some of them, by their place in the list.
  using Set = std::bitset<most_outputs>;

  /// None: nothing is written.
  Outputs() = default;
  /// Touches no file. is_live: with a page.
  Outputs(const Case& resolved, Communicator& communicator, bool is_live = false);

  /// Takes forcing, faces and time of a case, which may change while a run goes on. Requires that
  /// nothing is being written.
  void take_changes(const Case& changed);

  [[nodiscard]] Output::FileKind kind_of(std::string_view name) const;
  [[nodiscard]] RemovedFiles cut_back(const FlowState& checkpoint) const;
  [[nodiscard]] Set owed(const FlowState& checkpoint) const;
  [[nodiscard]] std::vector<std::string> open(const RunOpening& opening) const;

  [[nodiscard]] bool is_scheduled(const FlowMoment& flow) const;
  [[nodiscard]] Asks asks(bool is_writer_idle) const;
  /// Asks for all records that wait in the memory of the simulation.
  [[nodiscard]] Asks asks_for_waiting() const;
  /// What is due beside `due`, and all that goes with it; tells `moment` of them.
  [[nodiscard]] Set due(Moment& moment, const Asks& asks, Set due = {}) const;
  [[nodiscard]] std::vector<Output*> of(const Set& set) const;

  [[nodiscard]] auto begin() const { return list_.begin(); }
  [[nodiscard]] auto end() const { return list_.end(); }

 private:
  std::unique_ptr<OutputContext> context_;
  std::vector<std::unique_ptr<Output>> list_;
};

/// The kinds of output in the order in which they are written; make_NAME makes each. What a
/// checkpoint claims is put on the disk before it, in this order too.
#define DNS_OUTPUTS(NAME) \
  NAME(checkpoints)       \
  NAME(snapshots)         \
  NAME(planes)            \
  NAME(probes)            \
  NAME(windows)           \
  NAME(time_series)       \
  NAME(bodies)            \
  NAME(pictures)          \
  NAME(statistics)        \
  NAME(trajectories)      \
  NAME(own_records)       \
  NAME(particle_statistics)

#define DNS_DECLARE_OUTPUT(name) std::unique_ptr<Output> make_##name(const OutputContext& context);
DNS_OUTPUTS(DNS_DECLARE_OUTPUT)
#undef DNS_DECLARE_OUTPUT

}  // namespace dns
