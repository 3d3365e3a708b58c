/// The flow at probes, as a simulation hands it over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dns {

/// Records of the probes of a case, one after the other.
struct ProbeRecords {
  std::vector<std::int64_t> steps;
  std::vector<double> times;         // [L/U]
  std::vector<std::size_t> samples;  // what each value of a record is: numbers in probe_samples
  std::vector<double> values;        // (records, samples)

  [[nodiscard]] std::size_t count() const { return steps.size(); }
  [[nodiscard]] std::size_t bytes() const { return values.size() * sizeof(double); }
  [[nodiscard]] const double* record(std::size_t number) const {
    return values.data() + number * samples.size();
  }

  /// Puts later records of the same samples behind these.
  void append(const ProbeRecords& later) {
    if (samples.empty()) samples = later.samples;
    steps.insert(steps.end(), later.steps.begin(), later.steps.end());
    times.insert(times.end(), later.times.begin(), later.times.end());
    values.insert(values.end(), later.values.begin(), later.values.end());
  }
  /// Drops the records of later steps, which are the last ones.
  void drop_after(std::int64_t step) {
    while (!steps.empty() && steps.back() > step) {
      steps.pop_back();
      times.pop_back();
      values.resize(values.size() - samples.size());
    }
  }
};

}  // namespace dns
