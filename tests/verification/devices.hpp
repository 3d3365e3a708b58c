/// Every device and precision a simulation can run on, as test parameters.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <ostream>
#include <string>

#include "solver/config/load_case.hpp"
#include "solver/instances/make_simulation.hpp"
#include "solver/simulation/simulation.hpp"
#include "solver/start/initial_state.hpp"
#include "tests/compare_states.hpp"
#include "tests/gpu.hpp"

namespace dns::testing {

struct Target {
  DeviceChoice device;
  Precision precision;
};

inline std::string name_of_target(const ::testing::TestParamInfo<Target>& info) {
  return std::string(info.param.device == DeviceChoice::cuda ? "cuda_" : "cpu_") +
         std::string(name_of(info.param.precision));
}
// NOLINTNEXTLINE(readability-identifier-naming): the name GoogleTest looks for
inline void PrintTo(const Target& target, std::ostream* out) {
  *out << (target.device == DeviceChoice::cuda ? "cuda " : "cpu ") << name_of(target.precision);
}

inline auto all_targets() {
  return ::testing::Values(Target{DeviceChoice::cpu, Precision::single_precision},
                           Target{DeviceChoice::cpu, Precision::double_precision},
                           Target{DeviceChoice::cuda, Precision::single_precision},
                           Target{DeviceChoice::cuda, Precision::double_precision});
}

/// A test that runs once on every target; those on a GPU are skipped where there is none.
class OnEveryTarget : public ::testing::TestWithParam<Target> {
 protected:
  void SetUp() override {
    if (GetParam().device == DeviceChoice::cuda && !has_gpu()) GTEST_SKIP() << no_gpu();
  }

  /// Files that it names are found from tests/data.
  [[nodiscard]] static Case case_of(const std::string& yaml) {
    Case resolved = parse_case(yaml, DNS_TEST_DATA "/test.yaml", {});
    resolved.device = GetParam().device;
    resolved.precision = GetParam().precision;
    resolved.run.threads = 2;
    return resolved;
  }
  [[nodiscard]] static bool is_double() {
    return GetParam().precision == Precision::double_precision;
  }
  [[nodiscard]] static double epsilon() {
    return is_double() ? std::numeric_limits<double>::epsilon()
                       : static_cast<double>(std::numeric_limits<float>::epsilon());
  }
};

inline std::unique_ptr<Simulation> started(const Case& resolved) {
  auto simulation = make_simulation(resolved);
  simulation->set_state(initial_state(resolved));
  return simulation;
}

inline std::unique_ptr<Simulation> after(const Case& resolved, int steps) {
  auto simulation = started(resolved);
  for (int n = 0; n < steps; ++n) simulation->advance();
  return simulation;
}

inline FlowState state_of(const Simulation& simulation) {
  FlowState state = simulation.allocate_state(CopyPurpose::restart);
  simulation.copy_state(state, CopyPurpose::restart);
  return state;
}

}  // namespace dns::testing
