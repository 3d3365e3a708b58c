/// The ranks of a run: this process alone, or with others.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/config/load_case.hpp"
#include "solver/core/communicator.hpp"
#include "solver/run/ranks/rank_place.hpp"
#include "solver/simulation/simulation.hpp"

namespace dns {

/// All ranks run the same program; rank 0 alone reads the case, keeps the folder and speaks.
class Team {
 public:
  /// A team of this process alone.
  Team() = default;
  /// All processes of a communicator; null: this one alone. Throws DeviceError where they are
  /// different programs.
  explicit Team(std::unique_ptr<Communicator> ranks);
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  virtual ~Team() = default;

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
                                              const std::vector<Override>& overrides);
  /// The connection of this rank, whose GPU is chosen for device cuda; then each calls prepare().
  /// Called by all ranks; requires several. Throws CaseError for fewer GPUs than ranks.
  Communicator& communicator_on(DeviceChoice device, const std::function<void()>& prepare = {});
  /// Lines about the ranks of a simulation that was made, and what may make them slow.
  [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

 protected:
  /// Throws DeviceError.
  void require_same_program();

  std::unique_ptr<Communicator> communicator_;  // null: alone
  std::optional<RankPlace> place_;              // found with the communicator

 private:
  void describe(const Simulation& own, const std::string& warning);

  std::vector<std::string> lines_, warnings_;
};

/// Difference between what the ranks say of themselves, with the words for what they are then;
/// empty: there is none. Called by all ranks.
std::string difference_of_ranks(Communicator& communicator,
                                const std::string& own,
                                const char* what_they_are);

/// Fewest planes of a slab: as many as the ghost planes of order 8, and one more.
inline constexpr int fewest_planes = 8;

/// Throws CaseError where so many ranks cannot divide the box: their slabs would be too thin, or
/// the order along z is above 2 and planes of symmetry are in the way of transposed modes.
void require_planes(const Case& resolved, int ranks);

}  // namespace dns
