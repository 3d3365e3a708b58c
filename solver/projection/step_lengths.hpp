/// How long the steps of scheme `projection` are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "solver/config/step_limit.hpp"
#include "solver/core/index.hpp"
#include "solver/numerics/staggered_diagnostics.hpp"
#include "solver/projection/projection_flow.hpp"
#include "solver/projection/time_step_control.hpp"
#include "solver/simulation/flow_checks.hpp"

namespace dns {

template <class Backend>
class StepLengths {
 public:
  using Real = typename Backend::Real;

  /// `flow` outlives it.
  explicit StepLengths(ProjectionFlow<Backend>& flow) : flow_(&flow), case_(flow.fields.resolved) {}

  /// Begins anew, or continues where time.cfl alone made steps of `free` [L/U].
  void start(double free) { free_ = free; }
  /// What the last step was before outputs or the end of the run made it shorter [L/U].
  [[nodiscard]] double free() const { return case_.time.cfl ? free_ : case_.time.step; }

  /// The length of the step from step `step` at a time; dt_before: that of the last one, 0: there
  /// was none [L/U].
  ///
  /// What limits steps is evaluated in every fifth step only: the host waits for it. Steps of
  /// time.cfl leave room for waves of buoyancy that become faster until then. Throws CaseError
  /// where a constant step is longer than explicit stages, or waves, allow.
  double next(std::int64_t step, double time, double dt_before);

 private:
  static constexpr std::int64_t steps_of_one_length = 5;  // those of time.cfl

  [[nodiscard]] bool has_stages() const { return case_.time.scheme == TimeScheme::runge_kutta; }
  /// A step of dt at most, see Case::due_step. It is twice the last one at most, whatever made that
  /// short: the advecting velocity is extrapolated from it.
  [[nodiscard]] double due_step(std::int64_t step, double time, double dt_before, double dt) const {
    if (dt_before > 0) dt = std::min(dt, most_growth_of_steps * dt_before);
    return case_.due_step(step, time, dt);
  }

  ProjectionFlow<Backend>* flow_;
  const Case& case_;
  double free_ = 0;
};

template <class Backend>
double StepLengths<Backend>::next(std::int64_t step, double time, double dt_before) {
  constexpr double with_room = 0.9;
  const auto due = [&](double dt) { return due_step(step, time, dt_before, dt); };
  if (!case_.time.cfl && !case_.waves_limit_steps()) return due(case_.time.step);
  ProjectionFlow<Backend>& flow = *flow_;
  std::optional<double> rate;
  double limit = std::min(case_.longest_turn(), case_.longest_spring_step());
  if (step % steps_of_one_length == 0 || dt_before == 0) {
    using Rate = CflRate<Real>;
    const StepLimit of_stages = step_limit(case_);
    flow.backend->enter(phase::diagnostics);
    double wave_rate = 0;
    if (case_.time.cfl || has_stages()) {
      Rate kernel{flow.velocity(), flow.fields.metrics.view(), {}};
      std::ranges::copy(of_stages.wave_factors(), kernel.wave_factors.begin());
      const auto largest =
          flow.backend->template reduce<0, Rate::maxima>(flow.fields.layout.all_points(), kernel);
      rate = largest.maximum[Rate::rate];
      wave_rate = largest.maximum[Rate::wave_rate];
    }
    flow.terms.buoyancy.watch();
    if (has_stages()) {
      TermRates rates;
      flow.terms.add_to(rates);
      rates.decay += flow.boundaries.outflow.rate(*rate);
      if (flow.particles) rates.decay += flow.particles->decay_rate(flow.velocity());
      limit = of_stages.step(wave_rate, rates.frequency, rates.decay);
    } else if (case_.buoyancy) {
      limit = case_.longest_wave(flow.terms.buoyancy.frequency());
    }
  }
  if (case_.time.cfl) {
    const bool is_wave = case_.buoyancy && !has_stages();
    free_ = next_time_step(case_.time, rate, free_, is_wave ? with_room * limit : limit);
    return due(free_);
  }
  const double dt = due(case_.time.step);
  if (dt > limit) refuse_long_step(case_.time.scheme, dt, limit, time);
  return dt;
}

}  // namespace dns
