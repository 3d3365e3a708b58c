/// What rank 0, which leads a run, tells the others to do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/core/communicator.hpp"

namespace dns {

enum class OrderKind : std::int32_t {
  make_simulation,  // of a case, whose text follows; `bytes` of it
  set_state,        // of a flow that is described by `bytes` and then sent
  read_state,       // of a flow in a file, which is described by `bytes`: each rank reads its slab
  set_initial_flow,
  advance,
  find_diagnostics,
  take_planes,     // the recorded planes; each rank sends what it has of them to rank 0
  take_probes,     // the records of probes; likewise
  copy_output,     // RankOutput::copy of argument
  start_task,      // RankOutput::carry_out of a text of `bytes`, which follows
  collect_result,  // of that task: all say whether they have done it; once all have, their results
                   // go to rank 0
  measure_copy_bandwidth,
  end  // argument: the exit code of the program
};

struct Order {
  OrderKind kind = OrderKind::end;
  std::int32_t argument = 0;
  std::uint64_t bytes = 0;
};

/// Rank 0's place among the others.
struct Lead {
  explicit Lead(Communicator& of_all) : communicator(of_all) {}

  /// Tells the others, which are then at work.
  void give(Order order);

  Communicator& communicator;
  /// Whether the others wait for the next order. Else an error that they did not meet leaves them
  /// waiting for messages that never come, and only Communicator::abort may follow.
  bool is_in_step = true;
};

/// On the other ranks: waits for as long as rank 0 may read and write files.
Order await_order(Communicator& communicator);

/// A text of rank 0, for all others; `bytes` is its length.
void give_text(Communicator& communicator, const std::string& text);
std::string receive_text(Communicator& communicator, std::uint64_t bytes);

/// On rank 0: a text of every other rank, by its rank; that of rank 0 is empty.
std::vector<std::string> texts_of_others(Communicator& communicator);
/// On the others.
void send_text(Communicator& communicator, const std::string& text);

}  // namespace dns
