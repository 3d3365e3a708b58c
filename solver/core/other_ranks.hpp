/// What the ranks of a run do for its files, as rank 0 sees it and as the others do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/core/flow_state.hpp"
#include "solver/core/subdomain.hpp"

namespace dns {

/// On rank 0: the other ranks, for output. Two threads use it: the one that computes, which alone
/// sends messages, and the one that writes.
class OtherRanks {
 public:
  OtherRanks() = default;
  OtherRanks(const OtherRanks&) = delete;
  OtherRanks& operator=(const OtherRanks&) = delete;
  virtual ~OtherRanks() = default;

  [[nodiscard]] virtual int ranks() const = 0;  // of the run, rank 0 among them

  /// By the thread that computes: the others call RankOutput::copy(what) now.
  virtual void copy(std::int32_t what) = 0;
  /// By the thread that computes, again and again while output is being written: carries tasks to
  /// the others and their results back. After an error that leaves the ranks out of step
  /// it calls abandon() instead.
  virtual void serve() = 0;
  /// Whoever waits for results gets an IoError, from now on.
  virtual void abandon() = 0;

  /// By the thread that writes: the others call RankOutput::carry_out(task) in the background.
  virtual void start(const std::string& task) = 0;
  /// By the thread that writes: waits for the results of the task that was started last, of ranks
  /// 1, 2, ... Throws the IoError of the lowest rank that has one, with its name.
  virtual std::vector<std::string> results() = 0;
};

/// How each rank reads its slab of a flow in a file.
class SlabReader {
 public:
  SlabReader() = default;
  SlabReader(const SlabReader&) = delete;
  SlabReader& operator=(const SlabReader&) = delete;
  virtual ~SlabReader() = default;

  /// Fills in all values of the slab `part`; returns what require_sound needs. `file` says where
  /// they are. Throws IoError.
  virtual std::string read(const std::string& file,
                           const Subdomain& part,
                           FlowState& slab) const = 0;
  /// Throws IoError unless what all ranks have read, in their order, is what the file should hold.
  virtual void require_sound(const std::string& file,
                             const std::vector<std::string>& read) const = 0;
};

/// On the other ranks.
class RankOutput {
 public:
  RankOutput() = default;
  RankOutput(const RankOutput&) = delete;
  RankOutput& operator=(const RankOutput&) = delete;
  virtual ~RankOutput() = default;

  /// Between steps, on the thread that computes.
  virtual void copy(std::int32_t what) = 0;
  /// On another thread, one task after the other.
  virtual std::string carry_out(const std::string& task) = 0;
};

}  // namespace dns
