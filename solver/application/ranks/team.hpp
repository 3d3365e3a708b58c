/// The ranks of a run: this process alone, or with others that a launcher has started.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/application/exit_code.hpp"
#include "solver/application/ranks/launched.hpp"
#include "solver/application/ranks/rank_place.hpp"
#include "solver/application/terminal/command_line.hpp"
#include "solver/config/case.hpp"
#include "solver/core/communicator.hpp"
#include "solver/output/checkpoint.hpp"
#include "solver/output/stored_fields.hpp"
#include "solver/output/whole_flow.hpp"
#include "solver/ranks/orders.hpp"
#include "solver/ranks/rank_tasks.hpp"
#include "solver/simulation/simulation.hpp"

namespace dns {

/// Rank 0 leads: it alone reads the case, keeps the folder, writes and speaks. The others follow,
/// and end with its exit code. Whoever made a Team calls end() at last, whatever happened.
class Team {
 public:
  /// Joins the others. Throws DeviceError without MPI, CaseError where the launcher and MPI know of
  /// different numbers of ranks, or ranks were started with different arguments. Ends the process
  /// where the others do not come.
  void join(const Launched& launched, const std::vector<std::string>& arguments);

  [[nodiscard]] int ranks() const { return communicator_ ? communicator_->size() : 1; }
  [[nodiscard]] bool leads() const { return !communicator_ || communicator_->rank() == 0; }
  /// This rank's share of the cores of its host.
  [[nodiscard]] int cores() const;
  [[nodiscard]] int ranks_on_host() const { return place_ ? place_->ranks_on_host : 1; }
  /// Of a launcher that has bound this rank to few; empty: nothing to warn of.
  [[nodiscard]] std::string warning_about_cores(DeviceChoice device, int threads) const;

  /// The simulation of the whole box; `threads` as the case says, 0 for nothing, from which each
  /// rank finds its own number. Throws the errors of make_simulation, of any rank, and CaseError
  /// for slabs that are too thin and for fewer GPUs than ranks.
  std::unique_ptr<Simulation> make_simulation(const Case& resolved,
                                              int threads,
                                              const Command& command);
  /// For work that all ranks do alike: the connection of this rank, whose GPU is chosen. Called by
  /// all ranks; requires several. Throws CaseError for fewer GPUs than ranks.
  Communicator& communicator_on(DeviceChoice device);
  /// Sets the flow at the start; formulas are evaluated by each rank for its slab.
  static void set_initial_flow(Simulation& simulation, const Case& resolved);
  /// Goes on from a checkpoint; where its values are still in the file each rank reads its slab.
  void set_state(Simulation& simulation, const Checkpoint& checkpoint);
  /// What the output of this simulation is made of; valid as long as both.
  [[nodiscard]] OutputSource output_of(const Simulation& simulation);
  /// Lines about the ranks of a simulation that was made, and what may make them slow.
  [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

  /// On the other ranks: takes part in the run to its end.
  ExitCode follow(const Command& command);

  /// Calls function() on all ranks, which send messages in it: an error of one ends all. The others
  /// call follow() after it.
  void together(const std::function<void()>& function);

  /// The end of the program with this code: of all ranks, once all are ready for it, or at once
  /// where they wait for one that failed.
  ExitCode end(ExitCode code);

 private:
  ExitCode carry_out_orders(const Command& command);
  void speak_in_turn(const std::function<void()>& function) const;
  std::exception_ptr take_device(DeviceChoice device, const std::function<void()>& prepare);
  std::unique_ptr<Simulation> make_own(Case& resolved, const Command& command);
  void describe(const Simulation& own, const std::string& warning);

  std::unique_ptr<Communicator> communicator_;  // null: alone
  std::optional<Lead> lead_;
  std::optional<RankPlace> place_;
  std::optional<RankTasks> tasks_;  // of output
  StoredFields stored_fields_;
  bool was_told_to_end_ = false;
  std::vector<std::string> lines_, warnings_;
};

/// Throws CaseError where the slabs of so many ranks would be too thin.
void require_planes(const Case& resolved, int ranks);

}  // namespace dns
