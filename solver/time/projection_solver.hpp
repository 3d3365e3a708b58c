/// Scheme `projection`: one time step on one page.
///
/// From V^n, V^(n-1), p^(n-1/2) to V^(n+1), p^(n+1/2), with G global iterations k:
///
///   repeat G times (or until V^(n+1) changes by less than the tolerance):
///     V~  = V^n + dt/(2 dt_before) (V^n - V^(n-1))  in the first, (V^n + V^(k-1))/2 after it
///     T:  (I + A_z)(I + A_y)(I + A_x) dT = -2 (A_x + A_y + A_z) T^n
///     V*: (I + A_z)(I + A_y)(I + A_x) dV = -2 (A_x + A_y + A_z) V^n - dt grad p^(n-1/2) + dt F
///     lap phi = div V*/dt,   V^(k) = V* - dt grad phi
///   V^(n+1) = V^(k),   p^(n+1/2) = p^(n-1/2) + phi
///
/// Temperature goes first, so that buoyancy in F is that of (T^n + T^(n+1))/2, second order in
/// time. Three layers of the velocity rotate: V^n; V^(n-1), in whose place V~ is made; and one for
/// the solutions of the sweeps, V* and V^(n+1). The equations of the sweeps stand in
/// solver/numerics/projection_rows.hpp, with their sources.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solver/equations/driving.hpp"
#include "solver/equations/factor_sweeps.hpp"
#include "solver/equations/flow_checks.hpp"
#include "solver/equations/poisson_solver.hpp"
#include "solver/equations/staggered_boundaries.hpp"
#include "solver/equations/staggered_copies.hpp"
#include "solver/equations/staggered_summary.hpp"
#include "solver/equations/statistics_sampler.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/numerics/projection.hpp"
#include "solver/time/simulation.hpp"
#include "solver/time/time_step_control.hpp"

namespace dns {

template <class Backend>
class ProjectionSolver final : public Simulation {
 public:
  using Real = typename Backend::Real;

  ProjectionSolver(Backend backend, const Case& resolved);

  void set_state(const FlowState& state) override;
  StepReport advance() override;
  FlowFigures figures() override;
  [[nodiscard]] std::vector<std::string> figure_names() const override { return summary_.names(); }
  [[nodiscard]] FlowState allocate_state(CopyPurpose purpose) const override;
  void copy_state(FlowState& state, CopyPurpose purpose) const override;
  [[nodiscard]] bool one_copy_serves_both() const override { return false; }
  [[nodiscard]] StatisticsSums statistics() const override { return statistics_.sums(); }

  [[nodiscard]] std::int64_t step() const override { return step_; }
  [[nodiscard]] double time() const override { return time_; }
  [[nodiscard]] double time_step() const override { return dt_; }
  [[nodiscard]] std::vector<std::string> methods() const override {
    return {"Poisson equation: " + poisson_.description()};
  }
  [[nodiscard]] std::string device_name() const override { return backend_.device_name(); }
  [[nodiscard]] std::size_t memory_bytes() const override { return backend_.allocated_bytes(); }
  [[nodiscard]] double compulsory_bytes_per_step() const override {
    return needs_of(case_).compulsory_bytes_per_step;
  }
  double measure_copy_bandwidth() override;
  [[nodiscard]] std::vector<PhaseTime> phase_times() const override;

 private:
  using Velocity = StaggeredVelocity<Backend>;
  using Field = StaggeredField<Backend>;

  [[nodiscard]] double next_step();
  void combine_carrier(const Velocity& other, double weight);
  void advance_temperature(const Carrier<Real>& carrier);
  void advance_velocity(const Carrier<Real>& carrier);
  template <Axis axis>
  void advance_component(const Carrier<Real>& carrier);
  void project(double dt, bool advances_pressure);
  void accept_layers();
  void accept_step();
  void start_from(const FlowState& initial);
  [[nodiscard]] double change_since_last_iteration();
  [[nodiscard]] FieldView<Real> temperature(int which) const {
    return heat_ ? (*heat_)[static_cast<std::size_t>(which)].view() : FieldView<Real>{};
  }
  [[nodiscard]] StaggeredLayers<Backend> layers(const Velocity& now, int which_temperature) const {
    return {now,
            carrier_,
            pressure_,
            heat_ ? &(*heat_)[static_cast<std::size_t>(which_temperature)] : nullptr};
  }

  Case case_;
  mutable Backend backend_;
  StaggeredGrid grid_;
  StaggeredShape shape_;
  Metrics<Backend> metrics_;
  StepMetrics<Backend> momentum_step_;
  std::optional<StepMetrics<Backend>> heat_step_;
  StaggeredBoundaries<Backend> boundaries_;
  FactorSweeps<Backend> sweeps_;
  PoissonSolver<Backend> poisson_;
  Driving<Backend> driving_;
  StaggeredSummary<Backend> summary_;
  StatisticsSampler<Backend> statistics_;

  Velocity now_;      // V^n
  Velocity carrier_;  // V^(n-1), and V~ during a step
  Velocity next_;     // solutions of sweeps, V*, V^(n+1)
  Field pressure_;    // p^(n-1/2)
  Field phi_;
  std::optional<std::array<Field, 2>> heat_;  // T^n, T^(n+1)

  std::int64_t step_ = 0;
  double time_ = 0;
  double dt_ = 0;                       // of the last step, or of the first one
  double dt_before_ = 0;                // of the last step; 0: V^(n-1) is not known
  std::vector<double> seconds_before_;  // of the phases, before the first step
};

template <class Backend>
ProjectionSolver<Backend>::ProjectionSolver(Backend backend, const Case& resolved)
    : case_(resolved),
      backend_(std::move(backend)),
      grid_(staggered_grid(resolved)),
      shape_{resolved.grid.points},
      metrics_(backend_, grid_),
      momentum_step_(backend_, grid_, 1 / resolved.fluid.reynolds),
      boundaries_(backend_, resolved, grid_, metrics_.view()),
      sweeps_(backend_,
              boundaries_,
              shape_,
              {resolved.is_periodic(0), resolved.is_periodic(1), resolved.is_periodic(2)}),
      poisson_(backend_, grid_),
      driving_(resolved, grid_),
      summary_(resolved, grid_),
      statistics_(resolved, grid_),
      now_(backend_, shape_),
      carrier_(backend_, shape_),
      next_(backend_, shape_),
      pressure_(backend_, shape_),
      phi_(backend_, shape_) {
  if (!case_.has_temperature()) return;
  heat_.emplace(std::array<Field, 2>{{{backend_, shape_}, {backend_, shape_}}});
  heat_step_.emplace(backend_, grid_, 1 / (resolved.fluid.reynolds * resolved.fluid.prandtl));
}

template <class Backend>
StepReport ProjectionSolver<Backend>::advance() {
  if (seconds_before_.empty()) {
    backend_.enter(Phase::other);
    backend_.synchronize();
    seconds_before_ = backend_.phase_seconds();
  }
  StepReport report;
  const TimeCase& control = case_.time;
  const int most_iterations =
      control.global_tolerance ? control.max_global_iterations : control.global_iterations;

  dt_ = next_step();
  momentum_step_.set_time_step(backend_, dt_);
  if (heat_step_) heat_step_->set_time_step(backend_, dt_);
  backend_.enter(Phase::boundaries);
  boundaries_.begin_step(time_, dt_, now_.view(), temperature(0));
  report.reached_tolerance = !control.global_tolerance;
  while (report.global_iterations < most_iterations) {
    ++report.global_iterations;
    if (report.global_iterations == 1) {
      combine_carrier(carrier_, dt_before_ > 0 ? -dt_ / (2 * dt_before_) : 0);
    } else {
      combine_carrier(next_, 0.5);
    }
    const Carrier<Real> carrier{
        {carrier_[0].view_const(), carrier_[1].view_const(), carrier_[2].view_const()},
        metrics_.view()};
    if (heat_) advance_temperature(carrier);
    advance_velocity(carrier);
    const bool is_last = !control.global_tolerance && report.global_iterations == most_iterations;
    project(dt_, is_last);
    if (control.global_tolerance) {
      report.iteration_change = change_since_last_iteration();
      report.reached_tolerance = report.iteration_change <= *control.global_tolerance;
      if (!std::isfinite(report.iteration_change) || report.reached_tolerance) break;
    }
  }
  if (control.global_tolerance) {
    backend_.for_each(shape_.all_words(sizeof(Real)),
                      AddField<Real>{phi_.view_const(), pressure_.view()});
  }
  accept_step();
  return report;
}

/// The last step of a run may be shorter than what the flow allows.
template <class Backend>
double ProjectionSolver<Backend>::next_step() {
  double rate = 0;
  if (case_.time.cfl) {
    backend_.enter(Phase::figures);
    rate = backend_
               .template tally<0, 1>(shape_.all_cells(),
                                     CflRate<Real>{now_.view_const(), metrics_.view()})
               .maximum[0];
  }
  return next_time_step(case_.time, time_, rate, dt_before_);
}

/// V~ = V^n + weight (V - V^n), in the place of V^(n-1).
template <class Backend>
void ProjectionSolver<Backend>::combine_carrier(const Velocity& other, double weight) {
  backend_.enter(Phase::carrier);
  backend_.for_each(
      shape_.all_words(sizeof(Real)),
      CombineVelocities<Real>{
          now_.view_const(), other.view(), carrier_.view(), static_cast<Real>(weight)});
}

template <class Backend>
void ProjectionSolver<Backend>::advance_temperature(const Carrier<Real>& carrier) {
  sweeps_.template advance<scalar_component>(
      carrier, heat_step_->view(), NoSource{}, temperature(0).as_const(), temperature(1));
  backend_.enter(Phase::boundaries);
  if (case_.buoyancy) boundaries_.fill_ghosts(next_.view(), pressure_.view(), temperature(1));
}

template <class Backend>
void ProjectionSolver<Backend>::advance_velocity(const Carrier<Real>& carrier) {
  advance_component<Axis::x>(carrier);
  advance_component<Axis::y>(carrier);
  advance_component<Axis::z>(carrier);
}

template <class Backend>
template <Axis axis>
void ProjectionSolver<Backend>::advance_component(const Carrier<Real>& carrier) {
  constexpr int a = static_cast<int>(axis);
  double acceleration = driving_.acceleration()[static_cast<std::size_t>(a)];
  double buoyancy = 0;  // acceleration per temperature [U^2/(L T0)]
  if (case_.buoyancy && case_.buoyancy->axis == a) {
    const FluidCase& fluid = case_.fluid;
    buoyancy = case_.buoyancy->rayleigh / (fluid.prandtl * fluid.reynolds * fluid.reynolds);
    acceleration -= buoyancy * case_.buoyancy->reference_temperature;
  }
  sweeps_.template advance<a>(
      carrier,
      momentum_step_.view(),
      MomentumSource<axis, Real>{pressure_.view_const(),
                                 metrics_.view().axes[a].inverse_distance,
                                 static_cast<Real>(dt_),
                                 static_cast<Real>(dt_ * acceleration),
                                 static_cast<Real>(dt_ * buoyancy / 4),
                                 {temperature(0).as_const(), temperature(1).as_const()}},
      now_[a].view_const(),
      next_[a].view());
}

/// Takes the gradient of phi from V*, in its place, and holds the bulk velocity.
template <class Backend>
void ProjectionSolver<Backend>::project(double dt, bool advances_pressure) {
  backend_.enter(Phase::boundaries);
  boundaries_.set_normal_velocity(next_.view());
  backend_.enter(Phase::correction);
  const std::array<double, 3> missing =
      driving_.missing_velocity(backend_, shape_, next_.view_const(), metrics_.view());
  driving_.account_for(missing, dt);
  backend_.for_each(
      shape_.all_cells(),
      DivergenceOverTime<Real>{
          next_.view_const(), metrics_.view(), static_cast<Real>(1 / dt), phi_.view()});
  backend_.enter(Phase::poisson);
  poisson_.solve(phi_.view());
  backend_.enter(Phase::boundaries);
  boundaries_.fill_ghosts(phi_.view());
  backend_.enter(Phase::correction);
  backend_.for_each(shape_.all_cells(),
                    CorrectVelocity<Real>{next_.view(),
                                          phi_.view_const(),
                                          pressure_.view(),
                                          metrics_.view(),
                                          static_cast<Real>(dt),
                                          {static_cast<Real>(missing[0]),
                                           static_cast<Real>(missing[1]),
                                           static_cast<Real>(missing[2])},
                                          advances_pressure});
  backend_.enter(Phase::boundaries);
  boundaries_.fill_ghosts(next_.view(), pressure_.view(), temperature(1));
}

template <class Backend>
void ProjectionSolver<Backend>::accept_layers() {
  backend_.enter(Phase::other);
  std::swap(carrier_, now_);
  std::swap(now_, next_);
  if (heat_) std::swap((*heat_)[0], (*heat_)[1]);
}

/// V^(n+1) becomes V^n, which becomes V^(n-1); a sample for the averages is taken.
template <class Backend>
void ProjectionSolver<Backend>::accept_step() {
  accept_layers();
  ++step_;
  time_ += dt_;
  dt_before_ = dt_;
  backend_.enter(Phase::figures);
  statistics_.sample_if_due(backend_,
                            step_,
                            time_,
                            now_.view_const(),
                            pressure_.view_const(),
                            temperature(0).as_const(),
                            metrics_.view());
}

template <class Backend>
double ProjectionSolver<Backend>::change_since_last_iteration() {
  backend_.enter(Phase::figures);
  const auto tally = backend_.template tally<0, 1>(
      shape_.all_cells(),
      IterationChange<Real>{now_.view_const(), carrier_.view_const(), next_.view_const()});
  return tally.maximum[0];
}

template <class Backend>
FlowFigures ProjectionSolver<Backend>::figures() {
  backend_.enter(Phase::figures);
  FlowFigures figures = summary_.figures(backend_,
                                         now_.view_const(),
                                         temperature(0).as_const(),
                                         metrics_.view(),
                                         dt_,
                                         driving_.acceleration());
  backend_.enter(Phase::other);
  if (!is_finite(figures)) {
    FlowState state = allocate_state(CopyPurpose::viewing);
    copy_state(state, CopyPurpose::viewing);
    throw DivergenceError(describe_divergence(case_, state));
  }
  return figures;
}

template <class Backend>
void ProjectionSolver<Backend>::set_state(const FlowState& state) {
  step_ = state.step;
  time_ = state.time;
  if (is_restart_copy(state)) {
    upload_restart(backend_, layers(now_, 0), shape_, state);
    statistics_.go_on_from(state.statistics);
    dt_before_ = number_in(state, restart_numbers[0]);
    driving_.set_acceleration({number_in(state, restart_numbers[1]),
                               number_in(state, restart_numbers[2]),
                               number_in(state, restart_numbers[3])});
    boundaries_.start(time_, now_.view(), temperature(0));
  } else {
    start_from(state);
  }
  dt_ = dt_before_ > 0 ? dt_before_ : next_step();
  backend_.enter(Phase::other);
  backend_.synchronize();
}

/// Projects a flow that knows nothing of boundaries and of the steps before: twice, because the
/// first correction may be so large that its round-off matters.
template <class Backend>
void ProjectionSolver<Backend>::start_from(const FlowState& initial) {
  upload_initial(backend_, layers(next_, 1), shape_, initial);
  boundaries_.start(time_, next_.view(), temperature(1));
  project(1, false);
  project(1, false);
  accept_layers();
  driving_.set_acceleration({});
  backend_.for_each(shape_.all_words(sizeof(Real)), ClearField<Real>{pressure_.view()});
  combine_carrier(now_, 0);
  dt_before_ = 0;
}

template <class Backend>
FlowState ProjectionSolver<Backend>::allocate_state(CopyPurpose purpose) const {
  return allocate_copy(layers(now_, 0), shape_, purpose);
}

template <class Backend>
void ProjectionSolver<Backend>::copy_state(FlowState& state, CopyPurpose purpose) const {
  backend_.enter(Phase::copy);
  state.step = step_;
  state.time = time_;
  if (purpose == CopyPurpose::restart) {
    download_copy(backend_, layers(now_, 0), shape_, purpose, state);
    const std::array<double, 3>& acceleration = driving_.acceleration();
    state.numbers = {{std::string(restart_numbers[0]), dt_before_},
                     {std::string(restart_numbers[1]), acceleration[0]},
                     {std::string(restart_numbers[2]), acceleration[1]},
                     {std::string(restart_numbers[3]), acceleration[2]}};
  } else {
    backend_.for_each(shape_.all_cells(), VelocityAtCentres<Real>{now_.view_const(), next_.view()});
    download_copy(backend_, layers(next_, 0), shape_, purpose, state);
  }
  backend_.synchronize();
  backend_.enter(Phase::other);
}

template <class Backend>
double ProjectionSolver<Backend>::measure_copy_bandwidth() {
  return measured_copy_bandwidth([&] { backend_.copy(next_[0].data(), phi_.data(), phi_.count()); },
                                 [&] { backend_.synchronize(); },
                                 2.0 * static_cast<double>(phi_.count() * sizeof(Real)));
}

template <class Backend>
std::vector<PhaseTime> ProjectionSolver<Backend>::phase_times() const {
  const std::vector<double> seconds = backend_.phase_seconds();
  std::vector<PhaseTime> times;
  for (std::size_t phase = 0; phase < phase_names.size(); ++phase) {
    const double before = seconds_before_.empty() ? seconds[phase] : seconds_before_[phase];
    times.push_back({std::string(phase_names[phase]), seconds[phase] - before});
  }
  return times;
}

}  // namespace dns
