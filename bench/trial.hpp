/// How every variant is treated, on any device: its output poisoned, checked once, then timed.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/measurement.hpp"

namespace dns::bench {

/// Executes a variant on the buffers of set number `set`. Sets are taken in turn, so that what is
/// timed does not find its input in a cache. May return before the work is done (GPU).
using Work = std::function<void(int set)>;

/// One way of doing what a trial asks for.
struct Variant {
  std::string name;
  std::string direction;
  int threads;
  Work work;
  Work restore = {};  // restores, untimed, the input that `work` overwrites
};

/// What the variants of one study have in common.
struct Trial {
  std::string section;
  Device device = Device::cpu;
  Precision precision = Precision::double_precision;
  int points = 0;
  double bytes = 0;                               // compulsory traffic of one execution
  double tolerance = 0;                           // of `error`
  std::function<void()> poison;                   // fills the output of set 0 with NaN
  std::function<double()> error;                  // of the output of set 0 against the reference
  std::function<double(const Variant&)> seconds;  // the median of repeated executions
};

/// Checks the variant, and times it when it is right.
[[nodiscard]] Measurement measure(const Trial& trial, const Variant& variant);

/// The middle value (the mean of the two middle ones). Requires at least one value.
[[nodiscard]] double median(std::vector<double> values);

/// Number of sets of buffers that together exceed a cache four times; one for large sets. At most
/// as many as `memory` bytes hold, and at most 256.
[[nodiscard]] int sets_beyond_cache(std::size_t set_bytes, std::size_t cache, std::size_t memory);

}  // namespace dns::bench
