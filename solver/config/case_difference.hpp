/// What differs between two cases.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "solver/config/case.hpp"

namespace dns {

/// A key with another value in two cases, both in YAML and "none" where a case does not have it.
struct KeyDifference {
  std::string key;  // fluid.reynolds
  std::string before, now;
};

/// The keys whose values differ, in the order of a case file. Defaults count as values; formulas
/// are compared once compiled, files by their contents. A section that one of the cases does not
/// have is one difference.
std::vector<KeyDifference> differences(const Case& before, const Case& now);

/// Whether a key makes a different flow, whose averages must not be mixed: what is marked so in the
/// table of keys. Start, time steps, device, precision, threads and output may differ.
bool is_of_flow(std::string_view key);

/// Whether averages of two cases with another value of the key must not be mixed: all of
/// output.statistics but the interval between samples, which are weighted by time.
bool is_of_averages(std::string_view key);

/// The keys of the flow that two cases do not share.
std::vector<std::string> differences_of_flow(const Case& one, const Case& other);

/// Puts the scalars of `now` into the order of `before`, where both have the same ones.
void take_order_of_scalars(const Case& before, Case& now);

}  // namespace dns
