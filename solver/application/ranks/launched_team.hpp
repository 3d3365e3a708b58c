/// The ranks of the program: this process alone, or with others that a launcher has started.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "solver/application/exit_code.hpp"
#include "solver/application/ranks/launcher.hpp"
#include "solver/run/ranks/team_of_ranks.hpp"

namespace dns {

/// Whoever made one calls end() at last, whatever happened.
class LaunchedTeam final : public Team {
 public:
  /// Joins the others. Throws DeviceError without MPI, CaseError where the launcher and MPI know of
  /// different numbers of ranks, or ranks were started with different arguments. Ends the process
  /// where the others do not come.
  void join(const Launched& launched, const std::vector<std::string>& arguments);

  /// Calls function() on all ranks, which send messages in it. An error that all meet is thrown on
  /// rank 0 alone; one that this rank meets alone ends all, with its name unless it is rank 0.
  ExitCode together(const std::function<ExitCode()>& function);

  /// The end of the program with the code of rank 0: of all ranks, once all are ready for it, or at
  /// once where they wait for one that failed.
  ExitCode end(ExitCode code);

 private:
  void speak_in_turn(const std::function<void()>& function) const;

  bool is_in_step_ = true;  // no rank waits for messages of this one
};

}  // namespace dns
