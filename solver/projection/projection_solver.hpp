/// Scheme `projection`: one time step on one page.
///
/// From V^n, V^(n-1), p^(n-1/2) to V^(n+1), p^(n+1/2), with G global iterations k:
///
///   repeat G times (or until V^(n+1) changes by less than the tolerance):
///     V~  = V^n + dt/(2 dt_before) (V^n - V^(n-1))  in the first, (V^n + V^(k-1))/2 after it
///     particles that act on the flow move, in the first, and give it J (particle_impulse.hpp)
///     T:  (I + A_z)(I + A_y)(I + A_x) dT = -2 (A_x + A_y + A_z) T^n        all scalars likewise
///     V*: (I + A_z)(I + A_y)(I + A_x) dV = -2 (A_x + A_y + A_z) V^n - dt grad p^(n-1/2) + dt F
///         + J/volume
///         in a frame that rotates: dt C V^n more, and two factors more beside I + A_x on its right
///         (solver/numerics/coriolis.hpp)
///     lap phi = div V*/dt,   V^(k) = V* - dt grad phi
///   V^(n+1) = V^(k),   p^(n+1/2) = p^(n-1/2) + phi
///
/// p belongs to the middle of a step: outputs have p^(n+1/2) + dt/(dt + dt_before) phi, that of
/// V^(n+1). Scalars go first, so that buoyancy in F is that of the middle of the step; with
/// buoyancy they are advected with V^n, and corrected once V^(n+1) is known
/// (solver/numerics/buoyancy.hpp). After a jump of a given value two steps are each made of two
/// half-steps of implicit Euler, with
/// -(A_x + A_y + A_z) on the right and A_s = dt (N_s - nu L_s) of their own dt (Rannacher 1984).
/// Three levels of the velocity rotate: V^n; V^(n-1), which V~ overwrites; and one for the
/// solutions of the sweeps, V* and V^(n+1). The equations of the sweeps, with their sources, are in
/// solver/numerics/projection_rows.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solver/particles/released_bodies.hpp"
#include "solver/projection/body_forces.hpp"
#include "solver/projection/implicit_step.hpp"
#include "solver/projection/projection_diagnostics.hpp"
#include "solver/projection/projection_flow.hpp"
#include "solver/projection/runge_kutta.hpp"
#include "solver/projection/snapshot_fields.hpp"
#include "solver/projection/statistics_sampler.hpp"
#include "solver/projection/step_lengths.hpp"
#include "solver/sampling/simulation_on_backend.hpp"
#include "solver/simulation/flow_checks.hpp"

namespace dns {

template <class Backend>
class ProjectionSolver final : public SimulationOnBackend<Backend> {
 public:
  using Real = typename Backend::Real;

  ProjectionSolver(Backend backend, const Case& resolved);

  void set_state(const FlowState& state) override;
  void begin_anew(const FlowState* flow) override;
  void change(const Case& changed) override {
    this->change_time(changed.time);
    flow_.terms.take_forcing(this->change_forcing(changed.forcing));
  }
  StepReport advance() override {
    StepReport report;
    if constexpr (!Backend::only_counts) take_step(report);  // the sweeps are compiled elsewhere
    return report;
  }
  void begin_diagnostics() override;
  FlowDiagnostics finish_diagnostics() override;
  [[nodiscard]] std::vector<std::string> diagnostic_names() const override {
    std::vector<std::string> names = summary_.names();
    for (std::string& name : flow_.terms.names()) names.push_back(std::move(name));
    for (std::string& name : BodyImpulses<Backend>::names(case_)) names.push_back(std::move(name));
    if (flow_.particles)
      for (std::string& name : flow_.particles->names()) names.push_back(std::move(name));
    return names;
  }
  [[nodiscard]] FlowState allocate_state(CopyPurpose purpose) const override;
  void copy_state(FlowState& state, CopyPurpose purpose) const override;
  [[nodiscard]] bool one_copy_serves_both() const override { return false; }
  [[nodiscard]] StatisticsSums statistics() const override { return statistics_.sums().all(); }
  [[nodiscard]] StatisticsSums window() const override { return statistics_.sums().window(); }
  std::vector<StatisticsSums> take_ended_windows() override {
    return statistics_.sums().take_ended();
  }
  ParticleCopy particles(const ParticlesAsked& asked) override {
    return flow_.particles->copy(asked, flow_.velocity());
  }
  std::vector<ParticleSums> particle_sums() override {
    return flow_.particles ? flow_.particles->sums() : std::vector<ParticleSums>{};
  }
  [[nodiscard]] std::vector<std::string> methods() const override {
    std::vector<std::string> lines{"Poisson equation: " + flow_.projection.method()};
    if (flow_.solids)
      for (const std::string& line : flow_.solids->in_words()) lines.push_back(line);
    if (std::string line = balance_in_words(flow_.boundaries.given.imbalance()); !line.empty())
      lines.push_back(std::move(line));
    for (std::string& line : flow_.terms.in_words()) lines.push_back(std::move(line));
    return lines;
  }

 private:
  void act_by(int variable, const std::vector<double>& values) override {
    flow_.terms.set_source(variable, values);
  }
  static constexpr int steps_after_jump = 2;

  [[nodiscard]] bool has_stages() const { return stages_.has_value(); }
  [[nodiscard]] const BodyImpulses<Backend>* impulses() const {
    return stages_ ? stages_->impulses() : nullptr;
  }
  void settle_diagnostics();
  [[nodiscard]] FlowState flow_of_diagnostics() const;
  void take_step(StepReport& report);
  void forget_past();
  void begin_steps(double rate_of_jumps);
  void advance_by(Stepping stepping, StepReport& report);
  void solve(double t, double dt, Stepping stepping, StepReport& report);
  void accept_step();
  [[nodiscard]] StridedField<const Real> field_of(int variable) const override {
    return field_from(flow_.variable(variable), {});
  }

  using Base = SimulationOnBackend<Backend>;
  using Base::backend_, Base::case_, Base::dt_, Base::part_, Base::phases_, Base::step_,
      Base::time_, Base::time_before_;

  LateReductions<Backend> late_;
  ProjectionFlow<Backend> flow_;
  ImplicitStep<Backend> implicit_;
  std::optional<RungeKutta<Backend>> stages_;  // of time.scheme runge_kutta
  StepLengths<Backend> lengths_;
  BodyForces<Backend> forces_;
  ProjectionDiagnostics<Backend> summary_;
  StatisticsSampler<Backend> statistics_;
  SnapshotFields<Backend> further_;

  double dt_before_ = 0;                 // of the last step; 0: there was none
  double between_levels_ = 0;            // of V^(n-1) and V^n [L/U]; 0: V^(n-1) is not known
  std::optional<double> pressure_time_;  // of p [L/U]; none: p is not that of a step
  int damped_steps_ = 0;                 // that are left
  std::int64_t begun_step_ = -1;         // for which diagnostics were begun, -1: for none
  typename ProjectionDiagnostics<Backend>::Numbers begun_;
  std::vector<double> begun_terms_;         // Terms::values of the same flow
  std::int64_t begun_impulses_ = 0;         // BodyImpulses::steps of the same flow
  std::optional<FlowDiagnostics> settled_;  // of the same flow
};

template <class Backend>
ProjectionSolver<Backend>::ProjectionSolver(Backend backend, const Case& resolved)
    : Base(std::move(backend), with_single_bodies(resolved)),
      late_(backend_),
      flow_(backend_, late_, case_, part_),
      implicit_(backend_, flow_),
      lengths_(flow_),
      forces_(flow_),
      summary_(late_, case_, flow_.fields.grid, flow_.fields.rows_or_none(), part_),
      statistics_(backend_, case_, flow_.fields.grid, flow_.fields.rows_or_none(), part_),
      further_(resolved, flow_.fields.layout) {
  if (resolved.time.scheme == TimeScheme::runge_kutta) stages_.emplace(backend_, flow_);
}

template <class Backend>
void ProjectionSolver<Backend>::take_step(StepReport& report) {
  phases_.begin_step(backend_, flow_.fields.layout.points);
  const TimeCase& control = case_.time;
  dt_ = lengths_.next(step_, time_, dt_before_);
  if (flow_.projection.shorten_step(dt_, lengths_.free())) pressure_time_ = time_;
  if (control.damping && flow_.boundaries.jumps.value_jumps(time_, dt_))
    damped_steps_ = steps_after_jump;
  report.reached_tolerance = true;
  const bool is_damped = damped_steps_ > 0;
  if (is_damped) {
    settle_diagnostics();  // the first half-step is the last that leaves V^n as it is
    --damped_steps_;
  }
  const Stepping stepping = is_damped ? Stepping::implicit_euler : Stepping::crank_nicolson;
  if (has_stages()) {
    stages_->advance(time_, dt_, dt_before_, stepping);
    report.global_iterations = 1;
  } else {
    advance_by(stepping, report);
    flow_.accept_levels();
    flow_.advance_particles(is_damped ? dt_ / 2 : dt_);
  }
  accept_step();
  backend_.end_step();
  const double first_end = has_stages() ? runge_kutta_stages[0].whole() : 1;
  if (!control.is_over(step_, time_))
    flow_.prepare_step(time_ + first_end * dt_);  // while the device works
}

/// A step of time.scheme implicit, or two half-steps of implicit Euler.
template <class Backend>
void ProjectionSolver<Backend>::advance_by(Stepping stepping, StepReport& report) {
  const double end = time_ + dt_;
  double of_pressure = end;  // as implicit Euler has it
  if (stepping == Stepping::implicit_euler) {
    between_levels_ = 0;
    solve(time_, dt_ / 2, stepping, report);
    flow_.accept_levels();
    flow_.advance_particles(dt_ / 2);
    solve(time_ + dt_ / 2, dt_ / 2, stepping, report);
    between_levels_ = dt_ / 2;
  } else {
    solve(time_, dt_, stepping, report);
    between_levels_ = dt_;
    of_pressure -= dt_ / 2;
  }
  const std::optional<double> before = std::exchange(pressure_time_, of_pressure);
  flow_.projection.extrapolate_by_change(before ? (end - of_pressure) / (of_pressure - *before)
                                                : 0);
}

/// From V^n to V^(n+1), from t to t + dt [L/U].
template <class Backend>
void ProjectionSolver<Backend>::solve(double t, double dt, Stepping stepping, StepReport& report) {
  const TimeCase& control = case_.time;
  const int most_iterations = control.most_iterations();
  bool reaches_tolerance = !control.global_tolerance;
  implicit_.begin(t, dt, stepping);
  for (int iteration = 1; iteration <= most_iterations; ++iteration) {
    ++report.global_iterations;
    if (iteration == 1) {
      implicit_.extrapolate_advecting_velocity(between_levels_);
      flow_.move_acting_particles(dt);
    } else {
      implicit_.average_advecting_velocity();
    }
    const bool is_last = !control.global_tolerance && iteration == most_iterations;
    implicit_.advance_scalars();
    implicit_.advance_velocity();
    implicit_.project(is_last);
    if (control.global_tolerance) {
      report.iteration_change = implicit_.change_since_last_iteration();
      reaches_tolerance = report.iteration_change <= *control.global_tolerance;
      if (!std::isfinite(report.iteration_change) || reaches_tolerance) break;
    }
  }
  report.reached_tolerance = report.reached_tolerance && reaches_tolerance;
  if (control.global_tolerance) flow_.projection.advance_pressure();
}

/// Takes the samples for averages and probes that are due.
template <class Backend>
void ProjectionSolver<Backend>::accept_step() {
  ++step_;
  time_before_ = std::exchange(time_, time_ + dt_);
  dt_before_ = dt_;
  backend_.enter(phase::diagnostics);
  const FlowMoment now{step_, time_, time_before_};
  if (flow_.solids && flow_.solids->moving() != nullptr)
    flow_.solids->moving()->end_step(time_, case_.output.timeseries_every.is_due(now));
  if (statistics_.is_due(now)) {
    statistics_.sample(backend_,
                       now,
                       flow_.velocity(),
                       flow_.pressure(),
                       flow_.scalars(),
                       flow_.fields.metrics.view(),
                       flow_.bodies());
  }
  if (flow_.particles) flow_.particles->end_step(now, flow_.velocity());
  this->record_probes_if_due();
}

template <class Backend>
void ProjectionSolver<Backend>::begin_diagnostics() {
  backend_.enter(phase::diagnostics);
  if (flow_.solids && dt_before_ > 0) forces_.begin(time_, dt_before_);
  summary_.begin(
      flow_.velocity(), flow_.scalars(), flow_.fields.metrics.view(), flow_.sums_at_bodies);
  if (flow_.particles) flow_.particles->begin_counts();
  backend_.enter(phase::other);
  begun_step_ = step_;
  begun_ = {time_, dt_, flow_.terms.driving.acceleration()};
  begun_terms_ = flow_.terms.values();
  if (impulses() != nullptr) begun_impulses_ = impulses()->steps();
  settled_.reset();
}

template <class Backend>
FlowDiagnostics ProjectionSolver<Backend>::finish_diagnostics() {
  settle_diagnostics();
  return *std::exchange(settled_, std::nullopt);
}

/// Waits for those that were begun.
template <class Backend>
void ProjectionSolver<Backend>::settle_diagnostics() {
  if (begun_step_ < 0) return;
  FlowDiagnostics diagnostics = summary_.finish(begun_, flow_.sums_at_bodies);
  diagnostics.others.insert(diagnostics.others.end(), begun_terms_.begin(), begun_terms_.end());
  if (impulses() != nullptr) {
    for (const double value : impulses()->after(begun_impulses_))
      diagnostics.others.push_back(value);
  }
  if (flow_.particles) {
    for (const double value : flow_.particles->finish_counts()) diagnostics.others.push_back(value);
  }
  require_sound_flow(diagnostics, case_, part_, [this] { return flow_of_diagnostics(); });
  begun_step_ = -1;
  settled_ = std::move(diagnostics);
}

/// Where a step was taken since, its velocity and temperature are those before it; stages do not
/// keep these: the place where a flow diverged is then that of a step later.
template <class Backend>
FlowState ProjectionSolver<Backend>::flow_of_diagnostics() const {
  FlowState state = allocate_state(CopyPurpose::viewing);
  download_copy(backend_,
                begun_step_ == step_ || has_stages() ? flow_.levels_at_centres()
                                                     : flow_.levels_before_at_centres(),
                flow_.fields.layout,
                CopyPurpose::viewing,
                state);
  backend_.synchronize();
  return state;
}

template <class Backend>
void ProjectionSolver<Backend>::set_state(const FlowState& state) {
  step_ = state.step;
  time_ = state.time;
  begun_step_ = -1;
  this->take_sources_of(state);
  if (flow_.solids) flow_.solids->start(is_restart_copy(state) ? &state : nullptr, time_);
  double rate_of_jumps = 0;  // see ProjectionFlow::start_from
  if (is_restart_copy(state)) {
    flow_.go_on_from(state, time_);
    statistics_.go_on_from(state);
    dt_before_ = number_in(state, time_step_number);
    lengths_.start(find_number(state, free_step_number).value_or(dt_before_));
    pressure_time_ = find_number(state, pressure_time_number);
    between_levels_ =
        has_level_before(state) ? find_number(state, levels_number).value_or(dt_before_) : 0;
    damped_steps_ = static_cast<int>(find_number(state, damping_number).value_or(0));
    const std::optional<double> given = find_number(state, given_values_number);
    if (given && *given != given_values_mark(case_))
      rate_of_jumps = largest_given_rate(case_, flow_.fields.grid);
  } else {
    rate_of_jumps = flow_.start_from(state, time_);
    forget_past();
  }
  if (stages_) stages_->start(is_restart_copy(state) ? &state : nullptr);
  begin_steps(rate_of_jumps);
  time_before_ = find_number(state, time_before_number).value_or(time_ - dt_);
  if (flow_.particles)
    flow_.particles->start(
        is_restart_copy(state) ? &state : nullptr, this->moment(), flow_.velocity());
  this->begin_probes();
  backend_.enter(phase::other);
  backend_.synchronize();
}

template <class Backend>
void ProjectionSolver<Backend>::begin_anew(const FlowState* flow) {
  backend_.wait_for_device();
  begun_step_ = -1;
  const double rate_of_jumps =
      flow == nullptr ? flow_.start_from_present(time_) : flow_.start_from(*flow, time_);
  forget_past();
  if (stages_) stages_->start(nullptr);
  begin_steps(rate_of_jumps);
  if (step_ == 0) this->begin_probes();
  backend_.enter(phase::other);
  backend_.synchronize();
}

template <class Backend>
void ProjectionSolver<Backend>::forget_past() {
  dt_before_ = between_levels_ = 0;
  lengths_.start(0);
  pressure_time_.reset();
  damped_steps_ = 0;
}

/// Finds the length of the next step; rate_of_jumps: see ProjectionFlow::start_from.
template <class Backend>
void ProjectionSolver<Backend>::begin_steps(double rate_of_jumps) {
  dt_ = dt_before_ > 0 ? dt_before_ : lengths_.next(step_, time_, dt_before_);
  if (case_.time.damping && rings_after_jump(dt_, rate_of_jumps)) damped_steps_ = steps_after_jump;
}

template <class Backend>
FlowState ProjectionSolver<Backend>::allocate_state(CopyPurpose purpose) const {
  FlowState state = allocate_copy(flow_.levels(), flow_.fields.layout, purpose);
  if (flow_.solids && purpose != CopyPurpose::restart) {
    const HostField solid = flow_.solids->at_centres();  // shared, while it never changes
    state.fields.push_back(flow_.solids->moving() == nullptr ? solid : solid.duplicate());
  }
  if (purpose == CopyPurpose::snapshot) further_.allocate(state);
  return state;
}

template <class Backend>
void ProjectionSolver<Backend>::copy_state(FlowState& state, CopyPurpose purpose) const {
  backend_.enter(phase::copy);
  state.step = step_;
  state.time = time_;
  if (purpose == CopyPurpose::restart) {
    static_cast<void>(flow_.pressure());  // finds that of the flow
    download_copy(backend_, flow_.levels(), flow_.fields.layout, purpose, state);
    state.numbers = {{std::string(time_step_number), dt_before_},
                     {std::string(time_before_number), time_before_},
                     {std::string(levels_number), between_levels_},
                     {std::string(damping_number), static_cast<double>(damped_steps_)},
                     {std::string(given_values_number), given_values_mark(case_)}};
    if (pressure_time_)
      state.numbers.push_back({std::string(pressure_time_number), *pressure_time_});
    if (case_.time.cfl) state.numbers.push_back({std::string(free_step_number), lengths_.free()});
    if (has_stages()) {
      state.numbers.push_back(
          {std::string(time_scheme_number), static_cast<double>(case_.time.scheme)});
      for (int axis = 0; axis < 3; ++axis) {
        state.numbers.push_back(
            {std::string(order_numbers[axis]), static_cast<double>(case_.accuracy.order[axis])});
      }
    }
    flow_.terms.add_to(state);
    if (impulses() != nullptr) impulses()->add_to(state);
    if (flow_.solids && flow_.solids->moving() != nullptr) flow_.solids->moving()->add_to(state);
    this->sources_by_values_.add_to(state);
    state.particles.clear();
    if (flow_.particles) flow_.particles->add_to(state, flow_.velocity());
  } else {
    std::size_t copied =
        download_copy(backend_, flow_.levels_at_centres(), flow_.fields.layout, purpose, state);
    if (flow_.solids) {
      if (flow_.solids->moving() != nullptr) {
        backend_.download(field_from(flow_.solids->solid_cells(), {}),
                          flow_.fields.layout.points,
                          state.fields.at(copied).template values<Real>().data());
      }
      ++copied;  // others do not change
    }
    if (purpose == CopyPurpose::snapshot)
      further_.download(backend_, flow_.gradients(), flow_.fields.next[0].view(), copied, state);
  }
  backend_.synchronize();
  backend_.enter(phase::other);
}

template <class Backend>
struct SolverOf<Scheme::projection, Backend> {
  using Type = ProjectionSolver<Backend>;
};

}  // namespace dns
