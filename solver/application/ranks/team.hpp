/// The ranks of a run: this process alone, or with others that a launcher has started.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/application/exit_code.hpp"
#include "solver/application/ranks/launcher.hpp"
#include "solver/application/terminal/command_line.hpp"
#include "solver/config/case.hpp"
#include "solver/core/communicator.hpp"
#include "solver/run/ranks/rank_place.hpp"
#include "solver/simulation/simulation.hpp"

namespace dns {

/// All ranks run the same program; rank 0 alone reads the case, keeps the folder and speaks.
/// Whoever made a Team calls end() at last, whatever happened.
class Team {
 public:
  /// Joins the others. Throws DeviceError without MPI, CaseError where the launcher and MPI know of
  /// different numbers of ranks, or ranks were started with different arguments. Ends the process
  /// where the others do not come.
  void join(const Launched& launched, const std::vector<std::string>& arguments);

  [[nodiscard]] int ranks() const { return communicator_ ? communicator_->size() : 1; }
  [[nodiscard]] bool is_first() const { return !communicator_ || communicator_->rank() == 0; }
  [[nodiscard]] Communicator& communicator() { return communicator_ ? *communicator_ : alone(); }
  /// Share of this rank in the cores of its host.
  [[nodiscard]] int cores() const;
  [[nodiscard]] int ranks_on_host() const { return place_ ? place_->ranks_on_host : 1; }
  /// Warning about a launcher that has bound this rank to few cores; empty: nothing to warn of.
  [[nodiscard]] std::string warning_about_cores(DeviceChoice device, int threads) const;

  /// The simulation of this rank's slab; `threads` as the case says, 0 for nothing, from which each
  /// rank finds its own number. Throws the errors of dns::make_simulation, of any rank, and
  /// CaseError for fewer GPUs than ranks.
  std::unique_ptr<Simulation> make_simulation(const Case& resolved,
                                              int threads,
                                              const Command& command);
  /// The connection of this rank, whose GPU is chosen for device cuda; then each calls prepare().
  /// Called by all ranks; requires several. Throws CaseError for fewer GPUs than ranks.
  Communicator& communicator_on(DeviceChoice device, const std::function<void()>& prepare = {});
  /// Lines about the ranks of a simulation that was made, and what may make them slow.
  [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

  /// Calls function() on all ranks, which send messages in it. An error that all meet is thrown on
  /// rank 0 alone; one that this rank meets alone ends all, with its name unless it is rank 0.
  ExitCode together(const std::function<ExitCode()>& function);

  /// The end of the program with the code of rank 0: of all ranks, once all are ready for it, or at
  /// once where they wait for one that failed.
  ExitCode end(ExitCode code);

 private:
  void speak_in_turn(const std::function<void()>& function) const;
  void describe(const Simulation& own, const std::string& warning);

  std::unique_ptr<Communicator> communicator_;  // null: alone
  std::optional<RankPlace> place_;
  bool is_in_step_ = true;  // no rank waits for messages of this one
  std::vector<std::string> lines_, warnings_;
};

/// Fewest planes of a slab: as many as the ghost planes of order 8, and one more.
inline constexpr int fewest_planes = 8;

/// Throws CaseError where so many ranks cannot divide the box: their slabs would be too thin, or
/// the order along z is above 2 and planes of symmetry are in the way of transposed modes.
void require_planes(const Case& resolved, int ranks);

}  // namespace dns
