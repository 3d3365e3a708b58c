/// What the ranks of a run do together for its files. All of them write: rank 0 makes each file and
/// tells the others what to put in.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "solver/core/flow_state.hpp"
#include "solver/core/subdomain.hpp"

namespace dns {

/// How urgently rank 0 asks for an output because of what it alone sees: clock, memory, live page.
/// What is asked for now is so with others and at the end too.
enum class Ask : std::uint8_t { nothing, at_end, with_others, now };

/// Kinds of output of a run, at most.
constexpr std::size_t most_outputs = 16;
using Asks = std::array<Ask, most_outputs>;

/// The ranks, for output. Two threads of rank 0 use it: the one that computes, which alone sends
/// messages, and the one that writes.
class OtherRanks {
 public:
  OtherRanks() = default;
  OtherRanks(const OtherRanks&) = delete;
  OtherRanks& operator=(const OtherRanks&) = delete;
  virtual ~OtherRanks() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int ranks() const = 0;

  /// By the threads that compute, of all ranks: one round of messages, which carry tasks to the
  /// other ranks and their results back too. Returns the answer of rank 0; throws its error on all
  /// ranks.
  virtual int answer_of_first(int answer, const std::exception_ptr& error) = 0;

  /// How this rank carries out a task, in the background, one after the other; not on rank 0.
  virtual void carry_out_with(std::function<std::string(const std::string& task)> function) = 0;

  /// By the thread that writes: the other ranks carry out a task.
  virtual void start(const std::string& task) = 0;
  /// By the thread that writes: waits for the results of the task that was started last, of ranks
  /// 1, 2, ... Throws the IoError of the lowest rank that has one, with its name.
  virtual std::vector<std::string> results() = 0;

  /// On rank 0 whoever waits for results gets an IoError, from now on; the others return when the
  /// task at hand is done.
  virtual void abandon() = 0;
};

}  // namespace dns
