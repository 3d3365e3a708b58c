/// What the simulations of all schemes have in common.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "solver/core/level_view.hpp"
#include "solver/flow/variables.hpp"
#include "solver/sampling/plane_sampler.hpp"
#include "solver/sampling/probe_sampler.hpp"
#include "solver/simulation/copy_bandwidth.hpp"
#include "solver/simulation/flow_checks.hpp"
#include "solver/simulation/given_sources.hpp"
#include "solver/simulation/simulation.hpp"
#include "solver/simulation/step_phases.hpp"

namespace dns {

/// A run on a backend: where it stands in time, its device, and planes and probes of what is solved
/// for.
template <class Backend>
class SimulationOnBackend : public Simulation {
 public:
  using Real = typename Backend::Real;

  std::vector<PlaneValues> planes() override { return planes_.sample(backend_, fields()); }
  std::vector<DeviceField> device_fields() override {
    backend_.synchronize();
    std::vector<DeviceField> found;
    int number = 0;
    for (const Variable& variable : solved_variables(case_)) {
      const StridedField<const Real> field = field_of(number++);
      if (field.origin == nullptr) continue;
      found.push_back({.name = variable.name,
                       .origin = const_cast<Real*>(field.origin),  // NOLINT: the flow is its own
                       .points = part_.points(),
                       .strides = {field.stride_x, field.stride_y, field.stride_z},
                       .precision = precision_of<Real>()});
    }
    return found;
  }
  [[nodiscard]] int device_number() const override { return backend_.device_number(); }
  void set_source(int variable, const std::vector<double>& values) override {
    act_by(variable, values);
    sources_by_values_.set(case_, variable, part_.points(), values);
  }
  ProbeRecords take_probes() override { return probes_.take(backend_); }

  [[nodiscard]] std::int64_t step() const override { return step_; }
  [[nodiscard]] double time() const override { return time_; }
  [[nodiscard]] double time_step() const override { return dt_; }
  [[nodiscard]] double time_before() const override { return time_before_; }
  [[nodiscard]] const Subdomain& subdomain() const override { return part_; }
  [[nodiscard]] std::string device_name() const override { return backend_.device_name(); }
  [[nodiscard]] std::size_t memory_bytes() const override { return backend_.allocated_bytes(); }
  double measure_copy_bandwidth(const CopyMeasurement& asked) override {
    return copy_bandwidth_of(backend_, asked);
  }
  [[nodiscard]] std::string transport() const override { return backend_.transport(); }
  [[nodiscard]] Traffic traffic() const override { return backend_.traffic(); }
  [[nodiscard]] std::vector<PhaseTime> phase_times() const override {
    return phases_.times(backend_);
  }

 protected:
  SimulationOnBackend(Backend backend, const Case& resolved)
      : case_(resolved),
        backend_(std::move(backend)),
        part_(backend_.part()),
        planes_(backend_, resolved, part_),
        probes_(backend_, resolved, part_) {}

  /// What is solved for, by its number; null where there is none.
  [[nodiscard]] virtual StridedField<const Real> field_of(int variable) const = 0;

  /// Makes a source act, see set_source().
  virtual void act_by(int variable, const std::vector<double>& values) = 0;
  void take_sources_of(const FlowState& copy) {
    for (const auto& [variable, values] : GivenSources::in(copy, case_))
      set_source(variable, values);
  }

  void change_time(const TimeCase& changed) {
    case_.time.cfl = changed.cfl;
    case_.time.step = changed.step;
    case_.time.steps = changed.steps;
    case_.time.end = changed.end;
    case_.time.met_intervals = changed.met_intervals;
  }
  /// Takes what Simulation::change takes of the forcing of a case. Returns whether sources other
  /// than its value are different.
  bool change_forcing(const ForcingCase& changed) {
    const auto is_other = [](const Expression& one, const Expression& other) {
      return one.text() != other.text();
    };
    ForcingCase& own = case_.forcing;
    bool has_other_sources = own.linear != changed.linear || is_other(own.heat, changed.heat);
    for (int axis = 0; axis < 3; ++axis)
      has_other_sources =
          has_other_sources || is_other(own.acceleration[axis], changed.acceleration[axis]);
    own.kind = changed.kind;
    own.value = changed.value;
    own.acceleration = changed.acceleration;
    own.heat = changed.heat;
    own.linear = changed.linear;
    if (has_other_sources) sources_by_values_.clear();
    return has_other_sources;
  }

  void begin_probes() { probes_.begin(backend_, moment(), fields()); }
  void record_probes_if_due() { probes_.record_if_due(backend_, moment(), fields()); }
  [[nodiscard]] FlowMoment moment() const { return {step_, time_, time_before_}; }

  Case case_;
  mutable Backend backend_;
  Subdomain part_;
  PlaneSampler<Backend> planes_;
  ProbeSampler<Backend> probes_;
  std::int64_t step_ = 0;
  double time_ = 0;
  double time_before_ = 0;  // of the last step
  double dt_ = 0;           // of the last step; before the first one, of that one [L/U]
  StepPhases phases_;
  GivenSources sources_by_values_;

 private:
  [[nodiscard]] auto fields() const {
    return [this](int variable) { return field_of(variable); };
  }
};

}  // namespace dns
