/// A simulation for tests of output: no equations, known values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "output_testing.hpp"
#include "solver/simulation/simulation.hpp"

namespace dns {

/// A simulation whose flow is known_flow() with the step's number as its first value.
class FakeSimulation : public Simulation {
 public:
  void set_state(const FlowState& state) override { step_ = state.step; }
  StepReport advance() override {
    ++step_;
    return {};
  }
  void begin_diagnostics() override {}
  FlowDiagnostics finish_diagnostics() override { return {}; }
  [[nodiscard]] FlowState allocate_state(CopyPurpose /*purpose*/) const override {
    ++allocations_;
    return known_flow(Precision::double_precision);
  }
  void copy_state(FlowState& state, CopyPurpose /*purpose*/) const override {
    ++copies_;
    state.step = step_;
    state.time = time();
    state.fields[0].values<double>()[0] = static_cast<double>(step_);
  }
  [[nodiscard]] std::vector<std::string> diagnostic_names() const override { return {}; }
  [[nodiscard]] bool one_copy_serves_both() const override { return true; }
  [[nodiscard]] double time_step() const override { return 0.5; }
  [[nodiscard]] double time_before() const override { return time() - 0.5; }
  [[nodiscard]] std::int64_t step() const override { return step_; }
  [[nodiscard]] double time() const override { return 0.5 * static_cast<double>(step_); }
  [[nodiscard]] std::string device_name() const override { return "fake"; }
  [[nodiscard]] std::size_t memory_bytes() const override { return 0; }
  double measure_copy_bandwidth(const CopyMeasurement& /*asked*/) override { return 0; }
  [[nodiscard]] std::vector<PhaseTime> phase_times() const override { return {}; }
  [[nodiscard]] const Subdomain& subdomain() const override { return whole_; }

  [[nodiscard]] int allocations() const { return allocations_; }
  [[nodiscard]] int copies() const { return copies_; }

 private:
  Subdomain whole_{};
  std::int64_t step_ = 0;
  mutable int allocations_ = 0;
  mutable int copies_ = 0;
};

}  // namespace dns
