/// A simulation of a slab for tests of ranks: no equations, values known in the whole box.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "solver/core/error.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/simulation/simulation.hpp"

namespace dns::testing {

/// Values of whole fields, by the index of the stored point.
inline double known_value(int field, int i, int j, int k) {
  return 1000 * field + 100 * k + 10 * j + i;
}

/// A flow of a part of the box: a field with ghost points at all ends, and one without (viewing:
/// the latter alone). What lies beyond seams is not a number.
inline FlowState known_flow(const Subdomain& part, CopyPurpose purpose) {
  FlowState state;
  const Extents n = part.points();
  const auto add = [&](int number, int ghosts) {
    HostField& field =
        state.fields.emplace_back("field_" + std::to_string(number),
                                  Extents{n.nx + ghosts, n.ny + ghosts, n.nz + ghosts},
                                  Precision::double_precision);
    const Extents stored = field.extents();
    auto value = field.values<double>().begin();
    for (int k = 0; k < stored.nz; ++k)
      for (int j = 0; j < stored.ny; ++j)
        for (int i = 0; i < stored.nx; ++i) *value++ = known_value(number, i, j, k + part.first(2));
  };
  if (purpose == CopyPurpose::restart) add(1, 2);
  add(2, 0);
  return state;
}

/// What happened to the simulations of all ranks.
struct SlabEvents {
  FlowState given;  // to set_state
  int steps = 0;
};

class SlabSimulation final : public Simulation {
 public:
  SlabSimulation(const Subdomain& part, SlabEvents& events) : part_(part), events_(events) {}

  void set_state(const FlowState& state) override {
    events_.given = state;
    for (HostField& field : events_.given.fields) field = field.duplicate();
    step_ = state.step;
  }
  StepReport advance() override {
    if (step_ == unbalanced_step) throw CaseError("the boundaries do not balance");
    if (step_ == broken_step && part_.first(2) == 0) throw DeviceError("the device is gone");
    ++step_;
    ++events_.steps;
    return {.global_iterations = 3};
  }
  /// The flow of step 5 diverges: worst where z is greatest, but in the middle not a number.
  void begin_diagnostics() override { begun_step_ = step_; }
  FlowDiagnostics finish_diagnostics() override {
    constexpr std::int64_t diverged = 5;
    if (begun_step_ < diverged) return {.cfl = 0.5};
    const int k = part_.part.begin.k;
    const bool is_odd = begun_step_ > diverged && k > 0;
    throw DivergenceError("worst in the planes from " + std::to_string(k),
                          is_odd ? std::numeric_limits<double>::infinity() : 1.0 + k);
  }
  [[nodiscard]] std::vector<std::string> diagnostic_names() const override { return {}; }
  [[nodiscard]] FlowState allocate_state(CopyPurpose purpose) const override {
    FlowState state = known_flow(part_, purpose);
    for (HostField& field : state.fields)
      for (double& value : field.values<double>()) value = 0;
    return state;
  }
  void copy_state(FlowState& state, CopyPurpose purpose) const override {
    const FlowState known = known_flow(part_, purpose);
    for (std::size_t n = 0; n < known.fields.size(); ++n) {
      const HostField& from = known.fields[n];
      HostField& to = state.fields[n];
      std::memcpy(to.data(), from.data(), from.bytes());
      if (from.extents().nz == part_.points().nz) continue;
      spoil(to, 0, part_.is_boundary(2, false));
      spoil(to, from.extents().nz - 1, part_.is_boundary(2, true));
    }
    state.step = step_;
    state.time = time();
    state.numbers = {{"time_step", 0.5}};
  }
  [[nodiscard]] bool one_copy_serves_both() const override { return false; }
  /// Values of u, one a plane of the slab; of a plane across z on the first rank alone.
  std::vector<PlaneValues> planes() override {
    std::vector<PlaneValues> planes(2, PlaneValues(2));
    for (int k = part_.part.begin.k; k < part_.part.end.k; ++k) planes[0][0].push_back(k);
    if (part_.first(2) == 0) planes[1][0] = {-1, -2};
    return planes;
  }
  [[nodiscard]] std::int64_t step() const override { return step_; }
  [[nodiscard]] double time() const override { return 0.5 * static_cast<double>(step_); }
  [[nodiscard]] double time_step() const override { return 0.5; }
  [[nodiscard]] double time_before() const override { return time() - 0.5; }
  [[nodiscard]] const Subdomain& subdomain() const override { return part_; }
  [[nodiscard]] std::string device_name() const override { return "fake"; }
  [[nodiscard]] std::size_t memory_bytes() const override { return part_.points().count(); }
  double measure_copy_bandwidth(const CopyMeasurement& /*asked*/) override { return 10; }
  [[nodiscard]] std::vector<PhaseTime> phase_times() const override { return {}; }

  static constexpr std::int64_t unbalanced_step = 3;
  static constexpr std::int64_t broken_step = 8;

 private:
  /// Ghost planes beyond seams are none of the copy's business.
  static void spoil(HostField& field, int plane, bool is_of_the_box) {
    if (is_of_the_box) return;
    HostField beyond = field.planes(plane, 1);
    for (double& value : beyond.values<double>()) value = std::numeric_limits<double>::quiet_NaN();
  }

  Subdomain part_;
  SlabEvents& events_;
  std::int64_t step_ = 0;
  std::int64_t begun_step_ = 0;
};

}  // namespace dns::testing
