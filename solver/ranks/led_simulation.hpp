/// A run on several ranks: rank 0 leads, and sees one simulation of the whole box; the others
/// follow and do on their slabs what it does.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "solver/core/communicator.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/core/other_ranks.hpp"
#include "solver/ranks/orders.hpp"
#include "solver/simulation/simulation.hpp"

namespace dns {

/// Makes the flow at the start for a slab.
using InitialFlow = std::function<FlowState(const Subdomain&)>;

/// On rank 0: the simulation of the whole box. It starts from states of the whole box, but its
/// copies hold rank 0's slab alone: each rank copies its own (OtherRanks). Each call that needs the
/// other ranks is an order to them, so all calls come from one thread. What one rank cannot do ends
/// all: after an error that is not met by all alike Lead::is_in_step is false.
class LedSimulation final : public Simulation {
 public:
  /// own: of rank 0's slab. `lead` outlives it. The others call follow().
  LedSimulation(std::unique_ptr<Simulation> own, Lead& lead);

  /// The state of step 0, made by each rank for its slab. Throws as `initial` does on any rank.
  void set_initial_flow(const InitialFlow& initial);

  /// A flow in a file, of which each rank reads its slab: `head` has the extents of its fields, but
  /// no values. Throws IoError, the same on all ranks.
  void read_state(const FlowState& head, const std::string& file, const SlabReader& reader);

  void set_state(const FlowState& state) override;
  StepReport advance() override;
  FlowDiagnostics diagnostics() override;
  [[nodiscard]] std::vector<std::string> diagnostic_names() const override {
    return own_->diagnostic_names();
  }
  /// The simulation of rank 0's slab.
  [[nodiscard]] const Simulation& slab() const { return *own_; }
  [[nodiscard]] FlowState allocate_state(CopyPurpose purpose) const override {
    return own_->allocate_state(purpose);
  }
  void copy_state(FlowState& state, CopyPurpose purpose) const override {
    own_->copy_state(state, purpose);
  }
  [[nodiscard]] bool one_copy_serves_both() const override { return own_->one_copy_serves_both(); }
  [[nodiscard]] StatisticsSums statistics() const override { return own_->statistics(); }
  [[nodiscard]] StatisticsSums window() const override { return own_->window(); }
  std::vector<StatisticsSums> take_ended_windows() override { return own_->take_ended_windows(); }
  /// Put together from those of all ranks.
  std::vector<PlaneValues> planes() override;
  ProbeRecords take_probes() override;
  [[nodiscard]] std::int64_t step() const override { return own_->step(); }
  [[nodiscard]] double time() const override { return own_->time(); }
  [[nodiscard]] double time_step() const override { return own_->time_step(); }
  [[nodiscard]] std::vector<std::string> methods() const override { return own_->methods(); }
  [[nodiscard]] const Subdomain& subdomain() const override { return whole_; }
  [[nodiscard]] std::string device_name() const override { return own_->device_name(); }
  /// Of all ranks.
  [[nodiscard]] std::size_t memory_bytes() const override;
  /// The sum over all ranks, measured at once; `asked` is shared out among them.
  double measure_copy_bandwidth(const CopyMeasurement& asked) override;
  [[nodiscard]] std::vector<PhaseTime> phase_times() const override { return own_->phase_times(); }
  [[nodiscard]] Traffic traffic() const override { return own_->traffic(); }

 private:
  template <class Function>
  auto in_step(const Function& function) const;
  void require_extents(const FlowState& state) const;

  std::unique_ptr<Simulation> own_;
  Lead& lead_;
  Communicator& communicator_;
  Subdomain whole_;
  std::vector<std::size_t> memory_of_ranks_;  // [bytes]
};

/// What a rank that follows needs besides its simulation.
struct Duties {
  InitialFlow initial;
  RankOutput& output;
  const SlabReader& reader;
};

/// On the other ranks: carries out the orders of rank 0's LedSimulation on `own`, that of this
/// rank's slab, and for output; returns the exit code with which rank 0 ends. Throws what is to end
/// the program: errors that the other ranks did not meet.
int follow(Simulation& own, Communicator& communicator, const Duties& duties);

}  // namespace dns
