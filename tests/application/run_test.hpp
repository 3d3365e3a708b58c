/// What tests of whole runs share: a folder, a small case, and access to the files of a run.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "solver/core/flow_state.hpp"
#include "tests/application/process.hpp"
#include "tests/compare_states.hpp"
#include "tests/gpu.hpp"

namespace dns::testing {

/// A folder of its own with a small case in it: case.yaml, 13 x 11 x 9 nodes, 40 steps.
class RunTest : public ::testing::Test {
 public:
  RunTest(const RunTest&) = delete;
  RunTest& operator=(const RunTest&) = delete;
  ~RunTest() override;

 protected:
  RunTest();

  /// A path in the test's folder.
  [[nodiscard]] std::string path(const std::string& name) const;
  [[nodiscard]] std::string case_file() const { return path("case.yaml"); }
  [[nodiscard]] bool exists(const std::string& name) const;
  void write(const std::string& name, const std::string& text) const;

  /// `dns run` of the small case into the folder `name`, with more options.
  [[nodiscard]] std::vector<std::string> run_into(const std::string& name,
                                                  const std::vector<std::string>& more = {}) const;
  [[nodiscard]] std::vector<std::string> resume_in(const std::string& name,
                                                   const std::vector<std::string>& more = {}) const;

  /// Waits until the run into `name` has done a few steps.
  [[nodiscard]] bool has_begun(const std::string& name) const;

 private:
  std::string folder_;
};

/// More steps than any test waits for.
std::vector<std::string> endless();
/// Steps so long that the small case diverges.
std::vector<std::string> until_it_diverges();
/// That many steps, with no other output than the time series and the checkpoint of the last one.
std::vector<std::string> quietly(const std::string& steps);

/// The member `name` of a JSON object.
std::string json_member(const std::string& json, const std::string& name);

/// The flow of the newest checkpoint of a run's folder.
FlowState newest_state(const std::string& directory);

/// timeseries.csv without its last column, the wall clock.
std::string series_without_clock(const std::string& directory);

}  // namespace dns::testing
