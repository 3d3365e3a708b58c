/// Twelve fixed cases whose steps are timed against a copy in the same run, and the times that they
/// took before: `dns bench guard`.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/measurement.hpp"
#include "solver/config/case.hpp"

namespace dns::bench {

struct GuardCase {
  std::string_view name;
  Scheme scheme = Scheme::projection;
  Precision precision = Precision::double_precision;
  Extents on_gpu{192, 192, 192};  // cells or nodes
  Extents on_cpu{64, 64, 64};
  std::vector<std::pair<std::string, std::string>> settings{};  // key and value in the case
};

const std::vector<GuardCase>& guard_cases();

/// One of the cases on a device.
Case case_of(const GuardCase& guard, Device device, int threads);

/// Machine and name of a case -> time of a step over the time that a copy of its compulsory traffic
/// takes.
using GuardTable = std::map<std::pair<std::string, std::string>, double>;

/// Reads lines "machine | case | ratio". Throws CaseError naming file and line, IoError.
GuardTable read_guard_table(const std::string& path);

/// A case counts as slower where its ratio exceeds this many times that of the table.
inline constexpr double most_slower = 1.05;

struct GuardReport {
  std::string text;
  int slower = 0;  // cases
};

/// Compares ratio(guard) of each case with the row of `machine`. A case that seems slower is
/// measured twice more; the least ratio counts.
GuardReport guard_report(const std::string& machine,
                         const GuardTable& table,
                         const std::function<double(const GuardCase&)>& ratio);

}  // namespace dns::bench
