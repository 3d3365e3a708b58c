/// The interface of the measurements: what `dns bench` offers.
///
/// Every variant is checked against a reference before it is timed. Times are medians; buffers are
/// rotated so that no variant finds its input in a cache; the yardstick is the copy bandwidth
/// measured in the same run.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/measurement.hpp"

namespace dns::bench {

/// Why no GPU can be used, with the cure; empty when one can.
std::string obstacle_to_cuda();

/// What to measure where.
struct Request {
  std::vector<int> points;  // of each axis; empty: the usual ones of each section
  std::vector<Precision> precisions{Precision::double_precision, Precision::single_precision};
  bool uses_cpu = true;
  bool uses_cuda = false;
  int threads = 1;              // of the CPU, at most
  std::size_t host_memory = 0;  // free for buffers [B]
  std::string guard_table;      // path of a table for the guard; empty: its own
};

struct SectionSummary {
  std::string_view name;
  std::string_view meaning;
};

/// All sections in the order in which `all` runs them.
const std::vector<SectionSummary>& sections();

struct Session;

class Bench {
 public:
  /// progress(line) is told what begins.
  Bench(Request request, std::function<void(const std::string&)> progress);
  ~Bench();
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  /// The machine and its copy bandwidth, measured now.
  std::string describe_machine();

  /// Runs a section; the tables to print. Requires a name of sections(). Throws DeviceError when
  /// something asked for does not fit into memory.
  std::string run(std::string_view section);

  [[nodiscard]] const std::vector<Measurement>& measurements() const;
  /// The number of cases of the section guard that are slower than the table has them.
  [[nodiscard]] int slower() const;

 private:
  std::unique_ptr<Session> session_;
};

}  // namespace dns::bench
