/// The fields of scheme `projection` and the operations of a step on them; their order is in
/// solver/projection/projection_solver.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

#include "solver/config/step_limit.hpp"
#include "solver/flow/variables.hpp"
#include "solver/forcing/source_fields.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/numerics/buoyancy.hpp"
#include "solver/numerics/coriolis.hpp"
#include "solver/numerics/projection.hpp"
#include "solver/numerics/staggered_gradients.hpp"
#include "solver/projection/axis_orders.hpp"
#include "solver/projection/driving.hpp"
#include "solver/projection/factor_sweeps.hpp"
#include "solver/projection/flow_copies.hpp"
#include "solver/projection/mean_scalar.hpp"
#include "solver/projection/metric_arrays.hpp"
#include "solver/projection/poisson_solver.hpp"
#include "solver/projection/projection_boundaries.hpp"
#include "solver/projection/solid_fields.hpp"
#include "solver/projection/variable_step.hpp"

namespace dns {

template <class Backend>
class RungeKutta;

/// What a projection makes of the pressure: nothing, p + phi, or phi.
enum class NewPressure { unchanged, advanced, replaced };

/// How a step advances: by Crank-Nicolson, or, as half of a damped step, by implicit Euler.
enum class Stepping { crank_nicolson, implicit_euler };

template <class Backend>
class ProjectionFlow {
 public:
  using Real = typename Backend::Real;
  using Velocity = StaggeredVelocity<Backend>;
  using Field = StaggeredField<Backend>;

  /// `backend` and `late` must outlive the flow.
  ProjectionFlow(Backend& backend,
                 LateReductions<Backend>& late,
                 const Case& resolved,
                 const Subdomain& part);

  /// The axes along which diffusion is implicit.
  [[nodiscard]] static std::array<bool, 3> axes_of_sweeps(const Case& resolved) {
    std::array<bool, 3> axes{true, true, true};
    for (int axis = 0; axis < 3 && resolved.time.scheme == TimeScheme::runge_kutta; ++axis)
      axes[static_cast<std::size_t>(axis)] = has_implicit_diffusion(resolved, axis);
    return axes;
  }

  /// Whether a given value jumps in a step from t to t + dt [L/U], which damping is to be told.
  [[nodiscard]] bool value_jumps(double t, double dt) {
    return boundaries_.jumps.value_jumps(t, dt);
  }
  /// Starts from the flow of initial_state, at time t [L/U]. Returns the largest
  /// diffusivity/width^2 where the flow and a given value differ as by a jump; 0: nowhere [U/L].
  double start_from(const FlowState& initial, double t);
  /// Continues from a copy for restart, at time t [L/U].
  void go_on_from(const FlowState& copy, double t);

  /// Tells that a step of dt would have been of `free` if it ended at no due time [L/U]. Pressure
  /// and driving force hardly change in a much shorter step, but the round-off of the velocity,
  /// over dt, is in phi: they then take the part 100 dt/free of their changes.
  void shorten_step(double dt, double free) {
    constexpr double much_shorter = 0.01;
    part_of_change_ = std::min(1.0, dt / (much_shorter * free));
  }
  /// Prepares a step from t to t + dt [L/U].
  void begin_step(double t, double dt, Stepping stepping);
  /// Evaluates ahead what a step to time t [L/U] will need from the host.
  void prepare_step(double t) {
    backend_->enter(phase::boundaries);
    boundaries_.given.prepare(t);
    backend_->enter(phase::other);
  }
  /// V~ = V^n + dt/(2 dt_before) (V^n - V^(n-1)); V^n where dt_before is 0. Buoyancy wants V^n for
  /// scalars.
  void extrapolate_advecting_velocity(double dt_before) {
    combine_advecting_velocity(advecting_, dt_before > 0 ? -dt_ / (2 * dt_before) : 0);
    transporting_ = case_.buoyancy ? &now_ : &advecting_;
  }
  /// V~ = (V^n + V^(k-1))/2.
  void average_advecting_velocity() {
    combine_advecting_velocity(next_, 0.5);
    transporting_ = &advecting_;
  }
  /// The scalars. sums_at_solids: what the bodies feel is wanted.
  void advance_scalars(bool sums_at_solids);
  /// V*.
  void advance_velocity(bool sums_at_solids);
  /// V^(k) and phi; p^(n+1/2) too if it is to be advanced.
  void project(bool advances_pressure);
  /// p^(n+1/2) = p^(n-1/2) + phi.
  void advance_pressure();
  /// Makes the levels of t + dt those of the beginning of the next step.
  void accept_levels();

  /// Looks at the stratification if that is due, or if it may soon limit buoyancy in steps of dt.
  void watch_stratification(bool is_due, double dt);
  /// Its largest N^2 when it was last looked at [U^2/L^2]; below 0: never.
  [[nodiscard]] double stratification() const { return stratification_; }
  [[nodiscard]] bool limits_buoyancy() const { return limits_buoyancy_; }

  /// The largest rate at which sources draw the flow to targets [U/L].
  [[nodiscard]] double largest_source_rate() const {
    return sources_ ? sources_->largest_rate() : 0;
  }

  /// Largest change of V^(k) from one iteration to the next [U].
  [[nodiscard]] double change_since_last_iteration();

  [[nodiscard]] VelocityView<const Real> velocity() const { return now_.view_const(); }
  [[nodiscard]] FieldView<const Real> pressure() const { return pressure_.view_const(); }
  [[nodiscard]] ScalarViews<const Real> scalars() const { return scalars_[0].views().as_const(); }
  /// Of what is solved for, by its number.
  [[nodiscard]] FieldView<const Real> variable(int number) const {
    if (is_velocity(number)) return now_[number].view_const();
    return number < transported_variables(case_) ? scalars()[number - first_scalar] : pressure();
  }
  [[nodiscard]] const GridMetrics<Real>& metrics() const { return metrics_.view(); }
  [[nodiscard]] const StaggeredGrid& grid() const { return grid_; }
  [[nodiscard]] const StaggeredLayout& layout() const { return layout_; }
  [[nodiscard]] Driving<Backend>& driving() { return driving_; }
  [[nodiscard]] const Driving<Backend>& driving() const { return driving_; }
  /// Of each scalar.
  [[nodiscard]] const std::vector<MeanScalar<Backend>>& scalar_means() const { return means_; }
  /// Null if there are none.
  [[nodiscard]] const SolidFields<Backend>* solids() const { return solids_ ? &*solids_ : nullptr; }
  [[nodiscard]] SolidFields<Backend>* solids() { return solids_ ? &*solids_ : nullptr; }
  [[nodiscard]] std::string poisson_method() const { return poisson_.description(); }
  /// See GivenPlanes::imbalance.
  [[nodiscard]] double inflow_imbalance() const { return boundaries_.given.imbalance(); }

  /// The fields of a copy for restart.
  [[nodiscard]] StaggeredLevels<Backend> levels() const { return levels(now_, 0); }
  /// The same with velocities at cell centres; these are overwritten in the next step.
  [[nodiscard]] StaggeredLevels<Backend> levels_at_centres() const {
    return levels_at_centres(now_, 0);
  }
  /// The velocity and the scalars before the last accept_levels(), in the same way.
  [[nodiscard]] StaggeredLevels<Backend> levels_before_at_centres() const {
    return levels_at_centres(advecting_, 1);
  }
  /// The derivatives of the velocity.
  [[nodiscard]] StaggeredGradients<Real> gradients() const;
  /// Fields that the next step overwrites.
  [[nodiscard]] const Velocity& room() const { return next_; }

 private:
  friend class RungeKutta<Backend>;  // the other time scheme: advances the same fields

  [[nodiscard]] StaggeredLevels<Backend> levels_at_centres(const Velocity& velocity,
                                                           int which) const;
  void combine_advecting_velocity(const Velocity& other, double weight);
  [[nodiscard]] AdvectingVelocity<Real> advecting_with(const Velocity& velocity) const {
    return {{velocity[0].view_const(), velocity[1].view_const(), velocity[2].view_const()},
            metrics_.view()};
  }
  void limit_buoyancy();
  void correct_scalar(int n);
  /// The right-hand side of the component along `axis`.
  template <Axis axis, class Uniform>
  [[nodiscard]] RightHandSide<static_cast<int>(axis), Real, MomentumSource<axis, Real>, Uniform>
  momentum() const;
  [[nodiscard]] VariableStep<Real> step_of(int variable) const;
  template <class Source>
  void begin_scalar_sums(const VariableStep<Real>& step, const Source& source);
  [[nodiscard]] CarriedGradient<Real> carried_gradient(int variable,
                                                       const Velocity& velocity) const;
  [[nodiscard]] BuoyantScalars<Real> buoyant(std::size_t level) const;
  [[nodiscard]] double buoyancy_along(int axis) const;
  [[nodiscard]] double uniform_acceleration(int axis) const;
  [[nodiscard]] double mean_gradient_of_buoyancy(int axis) const;
  void advance_scalar(int n, bool sums_at_solids);
  [[nodiscard]] double carried_mean(int n, const Velocity& velocity) const;
  void correct_mean(int n, double dt, const Velocity& transporting);
  void accept_means() {
    for (MeanScalar<Backend>& mean : means_) mean.accept();
  }
  [[nodiscard]] double mean_of_scalar(std::size_t level, int n) const;
  void write_right_hand_sides();
  template <class Orders>
  void add_coriolis(const Orders& orders, const Velocity* force, double weight);
  void substitute_coriolis();
  void project_start();
  [[nodiscard]] bool has_orders_of(const FlowState& copy) const;
  void project_anew();
  [[nodiscard]] bool has_first_pressure() const;
  void find_first_pressure(double t);
  void write_divergence(double dt, const FieldView<Real>& result, const Box& cells);
  void project_over(double dt, NewPressure pressure, const ScalarViews<Real>& scalars);
  [[nodiscard]] bool has_level_before() const { return case_.time.scheme == TimeScheme::implicit; }
  [[nodiscard]] StaggeredLevels<Backend> levels(const Velocity& now, int which) const {
    StaggeredLevels<Backend> levels{now, has_level_before() ? &advecting_ : nullptr, pressure_, {}};
    for (int n = 0; n < case_.scalar_count(); ++n)
      levels.scalars.push_back(
          {case_.name_of_scalar(first_scalar + n), scalars_[static_cast<std::size_t>(which)][n]});
    return levels;
  }

  [[nodiscard]] Real part_of_change() const { return static_cast<Real>(part_of_change_); }

  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));

  Backend* backend_;
  Case case_;
  StaggeredGrid grid_;  // of the whole box
  Subdomain part_;
  StaggeredLayout layout_;
  MetricArrays<Backend> metrics_;
  SweepCoefficientArrays<Backend> velocity_coefficients_;
  std::vector<SweepCoefficientArrays<Backend>> scalar_coefficients_;
  ProjectionBoundaries<Backend> boundaries_;
  FactorSweeps<Backend> sweeps_;
  PoissonSolver<Backend> poisson_;
  Driving<Backend> driving_;
  std::vector<MeanScalar<Backend>> means_;  // of each scalar
  std::optional<SolidFields<Backend>> solids_;
  std::optional<SourceFields<Backend>> sources_;

  Velocity now_;        // V^n
  Velocity advecting_;  // V^(n-1), and V~ during a step
  Velocity next_;       // solutions of sweeps, V*, V^(n+1)
  Field pressure_;      // p^(n-1/2)
  Field phi_;
  std::array<StaggeredScalars<Backend>, 2> scalars_;  // at t^n, t^(n+1)
  double dt_ = 0;                                     // of the step [L/U]
  double weight_ = -2;                                // see RightHandSide
  const Velocity* transporting_ = nullptr;            // the velocity that scalars are advected with
  double stratification_ = -1;                        // see stratification()
  int first_buoyant_ = 0;                             // of the scalars, the first that rises
  Memory buoyancy_weights_;                           // of those after it, see BuoyantScalars
  int buoyant_scalars_ = 0;                           // of these, up to the last that rises
  Memory of_planes_;                                  // see MomentumSource
  bool limits_buoyancy_ = false;
  double part_of_change_ = 1;  // see shorten_step()
};

template <class Backend>
ProjectionFlow<Backend>::ProjectionFlow(Backend& backend,
                                        LateReductions<Backend>& late,
                                        const Case& resolved,
                                        const Subdomain& part)
    : backend_(&backend),
      case_(resolved),
      grid_(staggered_grid(resolved)),
      part_(part),
      layout_(part.points(), orders_of(grid_)),
      metrics_(backend, grid_, part),
      velocity_coefficients_(backend, grid_, part, resolved.viscosity()),
      boundaries_(backend, resolved, part, grid_, metrics_.view()),
      sweeps_(backend, boundaries_.given, layout_, grid_, part),
      poisson_(
          backend, grid_, part, {layout_.stride_y(sizeof(Real)), layout_.stride_z(sizeof(Real))}),
      driving_(resolved, grid_),
      now_(backend, layout_),
      advecting_(backend, layout_),
      next_(backend, layout_),
      pressure_(backend, layout_),
      phi_(backend, layout_),
      scalars_{{{backend, layout_, resolved.scalar_count()},
                {backend, layout_, resolved.scalar_count()}}} {
  sweeps_.reserve(axes_of_sweeps(resolved));
  if (!case_.solids.empty()) solids_.emplace(backend, late, resolved, grid_, part, layout_);
  if (SourceFields<Backend>::are_in(case_)) sources_.emplace(backend, resolved, part_, layout_);
  for (int n = 0; n < case_.scalar_count(); ++n) {
    const int variable = first_scalar + n;
    scalar_coefficients_.emplace_back(backend, grid_, part, resolved.diffusivity(variable));
    means_.emplace_back(resolved, grid_, variable);
  }
  if (!case_.buoyancy) return;
  const auto weight = [&](int n) { return case_.buoyancy_weight(first_scalar + n); };
  while (weight(first_buoyant_) == 0) ++first_buoyant_;
  std::vector<Real> weights;
  for (int n = first_buoyant_ + 1; n < case_.scalar_count(); ++n) {
    weights.push_back(static_cast<Real>(weight(n) / weight(first_buoyant_)));
    if (weight(n) != 0) buoyant_scalars_ = static_cast<int>(weights.size());
  }
  if (buoyant_scalars_ > 0) {
    buoyancy_weights_ = backend.template allocate<Real>(weights.size());
    if constexpr (!Backend::only_counts)
      backend.upload_values(weights.data(), buoyancy_weights_.data(), weights.size());
  }
  const std::optional<int> axis = case_.axis_of_buoyancy();
  if (!axis) return;
  of_planes_ = backend.template allocate<Real>(metric_count(layout_.points[*axis]));
  backend.reserve_profiles(static_cast<std::size_t>(layout_.points[*axis]), 1);
}

template <class Backend>
void ProjectionFlow<Backend>::begin_step(double t, double dt, Stepping stepping) {
  const bool is_trapezoidal = stepping == Stepping::crank_nicolson;
  dt_ = dt;
  weight_ = is_trapezoidal ? -2 : -1;
  const double dt_of_factors = is_trapezoidal ? dt : 2 * dt;
  backend_->enter(phase::boundaries);
  if (sources_) sources_->set_time(t + dt / 2);
  velocity_coefficients_.set_time_step(*backend_, dt_of_factors);
  for (auto& coefficients : scalar_coefficients_)
    coefficients.set_time_step(*backend_, dt_of_factors);
  boundaries_.begin_step(t, dt, now_.view(), scalars_[0].views());
  limit_buoyancy();
}

template <class Backend>
void ProjectionFlow<Backend>::watch_stratification(bool is_due, double dt) {
  if (!case_.buoyancy) return;
  constexpr double far_from_limit = 0.25;
  const bool may_be_limited =
      dt * dt / 4 * stratification_ > far_from_limit * unlimited_stratification;
  if (!is_due && stratification_ >= 0 && !may_be_limited) return;
  backend_->enter(phase::diagnostics);
  Stratification<Real> kernel{buoyant(0), metrics_.view(), 0, {}};
  for (int axis = 0; axis < 3; ++axis) {
    kernel.factor[axis] = buoyancy_along(axis);
    kernel.of_mean_gradient += kernel.factor[axis] * mean_gradient_of_buoyancy(axis);
  }
  stratification_ = backend_->template reduce<0, 1>(layout_.all_points(), kernel).maximum[0];
}

/// Finds the mean temperatures of planes where buoyancy along an axis needs a limit.
template <class Backend>
void ProjectionFlow<Backend>::limit_buoyancy() {
  const std::optional<int> along = case_.axis_of_buoyancy();
  limits_buoyancy_ = along && dt_ * dt_ / 4 * stratification_ > unlimited_stratification;
  if (!limits_buoyancy_) return;
  backend_->enter(phase::diagnostics);
  with_axis(*along, [&]<Axis axis>() {
    constexpr int a = static_cast<int>(axis);
    std::array<bool, 3> summed{true, true, true};
    summed[static_cast<std::size_t>(a)] = false;
    const auto profile = backend_->template reduce_profiles<1>(
        layout_.all_points(), summed, BuoyancyAtFaces<axis, Real>{buoyant(0)});
    const double count = static_cast<double>(part_.whole.count()) / part_.whole[a];
    std::vector<Real> means(metric_count(layout_.points[a]));
    for (int n = 0; n < layout_.points[a]; ++n) {
      const auto place = static_cast<std::size_t>(part_.first(a) + n);
      means[metric_place(n)] = static_cast<Real>(profile[place].sum[0] / count);
    }
    backend_->upload_values(means.data(), of_planes_.data(), means.size());
  });
}

template <class Backend>
void ProjectionFlow<Backend>::advance_pressure() {
  backend_->enter(phase::correction);
  backend_->for_each(layout_.all_words(sizeof(Real)),
                     AddField<Real>{phi_.view_const(), pressure_.view(), part_of_change()});
}

template <class Backend>
StaggeredLevels<Backend> ProjectionFlow<Backend>::levels_at_centres(const Velocity& velocity,
                                                                    int which) const {
  backend_->for_each(layout_.all_points(),
                     VelocityAtCentres<Real>{velocity.view_const(), next_.view()});
  return levels(next_, which);
}

template <class Backend>
StaggeredGradients<typename Backend::Real> ProjectionFlow<Backend>::gradients() const {
  StaggeredGradients<Real> gradients{velocity(), metrics(), layout_.points};
  for (std::size_t face = 0; face < case_.faces.size(); ++face) {
    const auto axis = static_cast<int>(face / 2);
    const auto end = static_cast<int>(face % 2);
    for (int component = 0; component < 3 && part_.is_boundary(face); ++component) {
      const LineEnd<Real> at_end =
          boundaries_.given.line_end(static_cast<Axis>(axis), component, end == 1);
      gradients.place[component][axis][end] =
          component == axis ? Real(1) : place_of_difference(at_end.closure);
    }
  }
  return gradients;
}

template <class Backend>
void ProjectionFlow<Backend>::go_on_from(const FlowState& copy, double t) {
  StaggeredLevels<Backend> known = levels();
  if (!dns::has_level_before(copy)) known.before = nullptr;
  upload_restart(*backend_, known, layout_, copy);
  driving_.set_acceleration({number_in(copy, restart_numbers[1]),
                             number_in(copy, restart_numbers[2]),
                             number_in(copy, restart_numbers[3])});
  stratification_ = find_number(copy, stratification_number).value_or(-1);
  boundaries_.start(t, now_.view(), scalars_[0].views());
  boundaries_.ghosts.fill_further_ghosts(now_.view(), pressure_.view(), scalars_[0].views());
  if (!has_orders_of(copy)) project_anew();
  if (known.before == nullptr && has_level_before()) combine_advecting_velocity(now_, 0);
  for (int n = 0; n < scalars_[0].count(); ++n) {
    MeanScalar<Backend>& known_mean = means_[static_cast<std::size_t>(n)];
    if (!known_mean.is_known()) continue;
    const auto mean = find_number(copy, mean_number_of(case_.name_of_scalar(first_scalar + n)));
    known_mean.set(mean ? *mean : mean_of_scalar(0, n));
  }
}

/// V~ = V^n + weight (V - V^n), V = `other`; overwrites V^(n-1).
template <class Backend>
void ProjectionFlow<Backend>::combine_advecting_velocity(const Velocity& other, double weight) {
  backend_->enter(phase::advecting_velocity);
  backend_->for_each(
      layout_.all_words(sizeof(Real)),
      CombineVelocities<Real>{
          now_.view_const(), other.view(), advecting_.view(), static_cast<Real>(weight)});
}

/// A step of a velocity component or a scalar.
template <class Backend>
auto ProjectionFlow<Backend>::step_of(int variable) const -> VariableStep<Real> {
  const bool is_scalar = !is_velocity(variable);
  const int n = variable - first_scalar;
  VariableStep<Real> step{variable,
                          advecting_with(is_scalar ? *transporting_ : advecting_),
                          is_scalar ? scalar_coefficients_[static_cast<std::size_t>(n)].view()
                                    : velocity_coefficients_.view(),
                          is_scalar ? scalars_[0][n].as_const() : now_[variable].view_const(),
                          is_scalar ? scalars_[1][n] : next_[variable].view(),
                          {},
                          {},
                          static_cast<Real>(weight_)};
  if (solids_) {
    step.solids = {solids_->view(variable, dt_),
                   {solids_->lines_near(variable, 0),
                    solids_->lines_near(variable, 1),
                    solids_->lines_near(variable, 2)}};
  }
  const bool has_source = is_scalar && sources_ && sources_->has(variable);
  if (has_source || (is_scalar && case_.has_mean_gradient(variable)))
    step.source = {has_source ? sources_->view(variable) : SourceView<Real>{},
                   carried_gradient(variable, *transporting_),
                   step.now,
                   static_cast<Real>(dt_)};
  return step;
}

/// Of a scalar, by a velocity.
template <class Backend>
auto ProjectionFlow<Backend>::carried_gradient(int variable, const Velocity& velocity) const
    -> CarriedGradient<Real> {
  const std::array<double, 3>& gradient = case_.mean_gradient(variable);
  return {velocity.view_const(),
          {static_cast<Real>(gradient[0]),
           static_cast<Real>(gradient[1]),
           static_cast<Real>(gradient[2])},
          case_.has_mean_gradient(variable),
          any_orders<Real>(grid_)};
}

/// What rises, at t^n (0) or t^(n+1) (1), over the weight of the first scalar that does; null
/// without buoyancy.
template <class Backend>
auto ProjectionFlow<Backend>::buoyant(std::size_t level) const -> BuoyantScalars<Real> {
  if (!case_.buoyancy) return {};
  const ScalarViews<const Real> scalars = scalars_[level].views().as_const();
  return {scalars[first_buoyant_], buoyancy_weights_.data(), buoyant_scalars_, scalars.between};
}

/// The acceleration along an axis per value of that scalar [U^2/(L T0)]; 0 without buoyancy.
template <class Backend>
double ProjectionFlow<Backend>::buoyancy_along(int axis) const {
  if (!case_.buoyancy) return 0;
  return case_.buoyancy_along()[static_cast<std::size_t>(axis)] *
         case_.buoyancy_weight(first_scalar + first_buoyant_);
}

/// The part of F along an axis that is the same everywhere [U^2/L].
template <class Backend>
double ProjectionFlow<Backend>::uniform_acceleration(int axis) const {
  const double driving = driving_.acceleration()[static_cast<std::size_t>(axis)];
  if (!case_.buoyancy) return driving;
  return driving - buoyancy_along(axis) * case_.buoyancy->reference_temperature;
}

/// The imposed gradient of what rises along an axis, over the weight of that scalar [T0/L].
template <class Backend>
double ProjectionFlow<Backend>::mean_gradient_of_buoyancy(int axis) const {
  double sum = 0;
  for (int variable = first_scalar; variable < transported_variables(case_); ++variable)
    sum += case_.buoyancy_weight(variable) *
           case_.mean_gradient(variable)[static_cast<std::size_t>(axis)];
  return sum / case_.buoyancy_weight(first_scalar + first_buoyant_);
}

template <class Backend>
void ProjectionFlow<Backend>::advance_scalars(bool sums_at_solids) {
  for (int n = 0; n < scalars_[0].count(); ++n) advance_scalar(n, sums_at_solids);
  if (!case_.buoyancy) return;
  backend_->enter(phase::boundaries);
  boundaries_.ghosts.fill_ghosts(next_.view(), pressure_.view(), scalars_[1].views());
}

template <class Backend>
void ProjectionFlow<Backend>::advance_scalar(int n, bool sums_at_solids) {
  const VariableStep<Real> step = step_of(first_scalar + n);
  if (solids_ && sums_at_solids) {
    backend_->enter(phase::diagnostics);
    if (step.source) {
      begin_scalar_sums(step, *step.source);
    } else {
      begin_scalar_sums(step, NoSource{});
    }
  }
  backend_->plane_by_plane([&] { advance_variable<scalar_component>(sweeps_, step); });
  if (solids_ && sums_at_solids) {
    backend_->enter(phase::diagnostics);
    solids_->end_scalar_sums(step.variable, step.now, step.next.as_const(), metrics_.view());
  }
  correct_mean(n, dt_, *transporting_);
}

template <class Backend>
template <class Source>
void ProjectionFlow<Backend>::begin_scalar_sums(const VariableStep<Real>& step,
                                                const Source& source) {
  using Right = RightHandSide<scalar_component, Real, Source>;
  using Pulled = PulledRightHandSide<scalar_component, Right, Real>;
  solids_->begin_scalar_sums(step.variable,
                             RightHandSideOfScalar<Pulled, Real>{
                                 {{step.now, source, step.weight}, step.now, step.solids->view},
                                 step.advecting,
                                 step.coefficients},
                             metrics_.view());
}

/// The mean of a scalar at t^n (0) or t^(n+1) (1).
template <class Backend>
double ProjectionFlow<Backend>::mean_of_scalar(std::size_t level, int n) const {
  return means_[static_cast<std::size_t>(n)].of(
      *backend_, layout_, scalars_[level][n].as_const(), metrics_.view());
}

/// See MeanScalar.
template <class Backend>
double ProjectionFlow<Backend>::carried_mean(int n, const Velocity& velocity) const {
  return means_[static_cast<std::size_t>(n)].carried(
      *backend_, layout_, velocity.view_const(), metrics_.view());
}

/// Adds to a scalar at t^(n+1), dt after t^n, what its mean lacks, where that is known. A flow that
/// has diverged stays as it is, so that the place where it did can be named.
template <class Backend>
void ProjectionFlow<Backend>::correct_mean(int n, double dt, const Velocity& transporting) {
  MeanScalar<Backend>& mean = means_[static_cast<std::size_t>(n)];
  if (!mean.is_known()) return;
  backend_->enter(phase::correction);
  mean.advance(dt, carried_mean(n, transporting));
  const double deficit = mean.next() - mean_of_scalar(1, n);
  if (deficit == 0 || !std::isfinite(deficit)) return;
  backend_->for_each(layout_.all_words(sizeof(Real)),
                     AddUniform<Real>{static_cast<Real>(deficit), scalars_[1][n]});
}

template <class Backend>
void ProjectionFlow<Backend>::advance_velocity(bool sums_at_solids) {
  write_right_hand_sides();
  if (solids_ && sums_at_solids) {
    backend_->enter(phase::diagnostics);
    solids_->begin_velocity_sums(next_.view_const(), metrics_.view(), dt_);
  }
  backend_->enter(phase::sweep_z);
  // So that all components of a plane find the velocity that carries them in the caches.
  backend_->plane_by_plane([&] {
    backend_->concurrently(3, layout_.points, [&](int component) {
      if (component == 0) advance_variable<0>(sweeps_, step_of(0));
      if (component == 1) advance_variable<1>(sweeps_, step_of(1));
      if (component == 2) advance_variable<2>(sweeps_, step_of(2));
    });
  });
  if (solids_ && sums_at_solids) {
    backend_->enter(phase::diagnostics);
    solids_->end_velocity_sums(velocity(), next_.view_const(), metrics_.view());
  }
  if (case_.rotates()) substitute_coriolis();
}

/// Adds weight C V^n to V^(n+1), and C V^n to `force` unless null.
template <class Backend>
template <class Orders>
void ProjectionFlow<Backend>::add_coriolis(const Orders& orders,
                                           const Velocity* force,
                                           double weight) {
  AddCoriolis<Real, Orders> kernel{velocity(),
                                   metrics_.view(),
                                   orders,
                                   {},
                                   force != nullptr ? force->view() : VelocityView<Real>{},
                                   next_.view(),
                                   static_cast<Real>(weight)};
  const std::array<double, 3> rate = case_.coriolis_rate();
  std::ranges::transform(rate, kernel.rate, [](double of) { return static_cast<Real>(of); });
  backend_->for_each(layout_.all_points(), kernel);
}

/// The factors (I + dt/2 L)(I + dt/2 U) of V* - V^n (solver/numerics/coriolis.hpp). A component
/// that nothing depends on needs no ghost points.
template <class Backend>
void ProjectionFlow<Backend>::substitute_coriolis() {
  const std::array<double, 3> rate = case_.coriolis_rate();
  const auto of = [&](int axis) {
    return static_cast<Real>(dt_ / 2 * rate[static_cast<std::size_t>(axis)]);
  };
  const auto fill = [&](int component) {
    VelocityView<Real> alone{};
    alone.component[component] = next_[component].view();
    backend_->enter(phase::boundaries);
    boundaries_.ghosts.fill_ghosts(alone, {}, {});
  };
  const auto substitute = [&]<Axis to>(Real of_next_axis, Real of_last_axis) {
    if (of_next_axis == 0 && of_last_axis == 0) return;
    constexpr int component = static_cast<int>(to);
    backend_->enter(phase::correction);
    backend_->for_each(
        sweeps_.unknowns(component),
        SubstituteCoriolis<to, Real>{velocity(),
                                     next_.view_const(),
                                     metrics_.view(),
                                     solids_ ? solids_->view(component, dt_) : SolidsView<Real>{},
                                     of_next_axis,
                                     of_last_axis,
                                     next_[component].view()});
  };
  backend_->enter(phase::boundaries);
  boundaries_.ghosts.set_normal_velocity(next_.view());
  if (of(1) != 0 || of(2) != 0) fill(0);
  substitute.template operator()<Axis::y>(0, -of(2));
  if (of(0) != 0) fill(1);
  substitute.template operator()<Axis::z>(of(1), -of(0));
  if (of(0) != 0 || of(1) != 0) fill(2);
  substitute.template operator()<Axis::y>(of(0), 0);
  if (of(2) != 0) fill(1);
  substitute.template operator()<Axis::x>(of(2), -of(1));
}

/// Stores them where the solutions go, all in one pass: the components share most of what they
/// read.
template <class Backend>
void ProjectionFlow<Backend>::write_right_hand_sides() {
  backend_->enter(phase::sweep_z);
  with_uniform_axes(grid_, [&]<class Uniform>() {
    backend_->for_each(
        layout_.all_points(),
        WriteRightHandSides<Real, Uniform>{momentum<Axis::x, Uniform>(),
                                           momentum<Axis::y, Uniform>(),
                                           momentum<Axis::z, Uniform>(),
                                           advecting_with(advecting_),
                                           velocity_coefficients_.view(),
                                           {next_[0].view(), next_[1].view(), next_[2].view()}});
  });
  if (case_.rotates()) add_coriolis(SecondOrder{}, nullptr, dt_);
  for (int component = 0; sources_ && component < 3; ++component) {
    if (!sources_->has(component)) continue;
    backend_->for_each(layout_.all_points(),
                       AddSource<Real>{sources_->view(component),
                                       now_[component].view_const(),
                                       next_[component].view(),
                                       static_cast<Real>(dt_)});
  }
}

template <class Backend>
template <Axis axis, class Uniform>
auto ProjectionFlow<Backend>::momentum() const
    -> RightHandSide<static_cast<int>(axis), Real, MomentumSource<axis, Real>, Uniform> {
  constexpr int a = static_cast<int>(axis);
  const double buoyancy = buoyancy_along(a);
  return {now_[a].view_const(),
          {pressure_.view_const(),
           metrics_.view().axes[a].inverse_distance,
           static_cast<Real>(dt_),
           static_cast<Real>(dt_ * uniform_acceleration(a)),
           static_cast<Real>(dt_ * buoyancy / 4),
           {buoyant(0), buoyant(1)},
           limits_buoyancy_ ? of_planes_.data() + metric_ghosts : nullptr,
           static_cast<Real>(dt_ * dt_ * buoyancy / 4),
           static_cast<Real>(buoyancy != 0 ? mean_gradient_of_buoyancy(a) : 0)},
          static_cast<Real>(weight_)};
}

template <class Backend>
void ProjectionFlow<Backend>::project(bool advances_pressure) {
  project_over(dt_,
               advances_pressure ? NewPressure::advanced : NewPressure::unchanged,
               case_.buoyancy ? ScalarViews<Real>{} : scalars_[1].views());
  if (!case_.buoyancy) return;
  for (int n = 0; n < scalars_[0].count(); ++n) correct_scalar(n);
  backend_->enter(phase::boundaries);
  boundaries_.ghosts.fill_ghosts({}, {}, scalars_[1].views());
}

/// By what the velocity of the middle of the step differs from that which it was advected with.
template <class Backend>
void ProjectionFlow<Backend>::correct_scalar(int n) {
  const int variable = first_scalar + n;
  MeanScalar<Backend>& mean = means_[static_cast<std::size_t>(n)];
  if (mean.is_known() && mean.has_mean_gradient())
    mean.advance(dt_, (carried_mean(n, now_) + carried_mean(n, next_)) / 2);
  backend_->enter(phase::correction);
  backend_->for_each(
      layout_.all_points(),
      CorrectScalar<Real>{scalars_[0][n].as_const(),
                          velocity(),
                          next_.view_const(),
                          transporting_->view_const(),
                          metrics_.view(),
                          solids_ ? solids_->view(variable, dt_) : SolidsView<Real>{},
                          static_cast<Real>(dt_),
                          scalars_[1][n],
                          {static_cast<Real>(case_.mean_gradient(variable)[0]),
                           static_cast<Real>(case_.mean_gradient(variable)[1]),
                           static_cast<Real>(case_.mean_gradient(variable)[2])}});
}

/// Subtracts dt grad phi from V*, in place, and adds the deficit of bulk velocity. Fills the ghost
/// points, also those of `scalars`.
template <class Backend>
void ProjectionFlow<Backend>::project_over(double dt,
                                           NewPressure pressure,
                                           const ScalarViews<Real>& scalars) {
  backend_->enter(phase::boundaries);
  boundaries_.ghosts.set_own_normal_velocity(next_.view());
  backend_->enter(phase::correction);
  const std::array<double, 3> deficit =
      driving_.bulk_velocity_deficit(*backend_, layout_, next_.view_const(), metrics_.view());
  driving_.account_for(deficit, dt / part_of_change_);
  backend_->work_around_messages(
      layout_.all_points(),
      [&] { boundaries_.ghosts.exchange_normal_velocity(next_.view()); },
      [&](const Box& cells) { write_divergence(dt, phi_.view(), cells); },
      [] {});
  backend_->enter(phase::poisson);
  poisson_.solve(phi_.view());
  const Real part_of_phi = pressure == NewPressure::advanced ? part_of_change() : Real(0);
  const auto correct = [&](const Box& cells) {
    backend_->enter(phase::correction);
    with_orders<Real>(grid_, [&]<class Orders>(const Orders& orders) {
      backend_->for_each(cells,
                         CorrectVelocity<Real, Orders>{next_.view(),
                                                       phi_.view_const(),
                                                       pressure_.view(),
                                                       metrics_.view(),
                                                       static_cast<Real>(dt),
                                                       {static_cast<Real>(deficit[0]),
                                                        static_cast<Real>(deficit[1]),
                                                        static_cast<Real>(deficit[2])},
                                                       part_of_phi,
                                                       orders});
    });
  };
  const bool has_ghosts = pressure == NewPressure::replaced;  // those of phi
  boundaries_.ghosts.fill_ghosts_around(correct,
                                        phi_.view(),
                                        next_.view(),
                                        has_ghosts ? FieldView<Real>{} : pressure_.view(),
                                        scalars);
  if (pressure != NewPressure::replaced) return;
  std::swap(pressure_, phi_);
  if (part_of_change_ == 1) return;
  backend_->for_each(layout_.all_words(sizeof(Real)),
                     MixFields<Real>{phi_.view_const(), pressure_.view(), 1 - part_of_change()});
}

/// div V*/dt; requires its normal velocities at and beyond the ends of the box.
template <class Backend>
void ProjectionFlow<Backend>::write_divergence(double dt,
                                               const FieldView<Real>& result,
                                               const Box& cells) {
  with_orders<Real>(grid_, [&]<class Orders>(const Orders& orders) {
    backend_->for_each(
        cells,
        DivergenceOverTime<Real, Orders>{
            next_.view_const(), metrics_.view(), static_cast<Real>(1 / dt), result, orders});
  });
}

template <class Backend>
void ProjectionFlow<Backend>::accept_levels() {
  backend_->enter(phase::other);
  std::swap(advecting_, now_);
  std::swap(now_, next_);
  std::swap(scalars_[0], scalars_[1]);
  accept_means();
}

template <class Backend>
double ProjectionFlow<Backend>::change_since_last_iteration() {
  backend_->enter(phase::diagnostics);
  const auto reduction = backend_->template reduce<0, 1>(
      layout_.all_points(),
      IterationChange<Real>{now_.view_const(), advecting_.view_const(), next_.view_const()});
  return reduction.maximum[0];
}

/// Whether div V = 0 in a copy is that of this flow's orders.
template <class Backend>
bool ProjectionFlow<Backend>::has_orders_of(const FlowState& copy) const {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (find_number(copy, order_numbers[axis]).value_or(2) != grid_[axis].order) return false;
  }
  return true;
}

/// Makes V^n free of divergence in differences of this flow's orders.
template <class Backend>
void ProjectionFlow<Backend>::project_anew() {
  std::swap(now_, next_);
  const std::array<double, 3> acceleration = driving_.acceleration();
  project_start();
  driving_.set_acceleration(acceleration);
  std::swap(now_, next_);
}

/// Projects a flow that need not meet the boundary conditions: twice, because the first correction
/// may be so large that its round-off matters. With bodies as often as it takes until it has their
/// velocity in them, up to 1e-3 U: each projection undoes some of what imposing it does.
template <class Backend>
void ProjectionFlow<Backend>::project_start() {
  constexpr int usual_times = 2;
  constexpr int most_times = 50;
  constexpr double small_slip = 1e-3;  // [U]
  for (int times = 0; times < most_times; ++times) {
    if (times >= usual_times && !solids_) return;
    if (solids_) {
      const double slip = solids_->slip(next_.view_const(), metrics_.view());
      if (times >= usual_times && !(slip > small_slip)) return;
      for (int component = 0; component < 3; ++component)
        solids_->impose(component, next_[component].view());
    }
    project_over(1, NewPressure::unchanged, scalars_[1].views());
  }
}

/// Whether the case has forces that a pressure may balance: buoyancy, formulas, or a uniform one
/// across a boundary. A uniform force along a periodic axis has no divergence.
template <class Backend>
bool ProjectionFlow<Backend>::has_first_pressure() const {
  if (case_.buoyancy) return true;
  for (int axis = 0; axis < 3; ++axis) {
    if (!case_.source_formula(axis).is_zero()) return true;
    if (!case_.is_periodic(axis) && driving_.acceleration()[static_cast<std::size_t>(axis)] != 0)
      return true;
  }
  return false;
}

/// Solves lap p = div F with F the forces at time t [L/U] that do not depend on the velocity, and
/// nothing through boundaries. Requires p = 0 and the ghost points of T; overwrites V^(n+1).
template <class Backend>
void ProjectionFlow<Backend>::find_first_pressure(double t) {
  const bool has_sponges = !case_.forcing.sponges.empty();
  if (has_sponges) {
    Case without = case_;
    without.forcing.sponges.clear();
    sources_->evaluate_as_in(without, t);
  } else if (sources_) {
    sources_->set_time(t);
  }
  dt_ = 1;  // F is an acceleration
  limits_buoyancy_ = false;
  for_each_axis([&]<Axis axis>() {
    constexpr int a = static_cast<int>(axis);
    auto force = momentum<axis, AnyAxes>().source;
    force.temperature[1] = force.temperature[0];
    backend_->for_each(
        sweeps_.unknowns(a),
        WriteForces<MomentumSource<axis, Real>, Real>{
            force, sources_ ? sources_->view(a) : SourceView<Real>{}, next_[a].view()});
  });
  if (has_sponges) sources_->evaluate_as_in(case_, t);
  boundaries_.ghosts.set_normal_velocity(next_.view());
  for (std::size_t face = 0; face < case_.faces.size(); ++face) {
    if (!part_.is_boundary(face)) continue;
    const int axis = static_cast<int>(face / 2);
    Box plane = layout_.all_faces();
    const int at = face % 2 == 0 ? 0 : layout_.points[axis];
    with_axis(axis, [&]<Axis across>() {
      plane.begin = placed<across>(plane.begin, at);
      plane.end = placed<across>(plane.end, at + 1);
    });
    backend_->for_each(plane, ClearField<Real>{next_[axis].view()});
  }
  write_divergence(1, pressure_.view(), layout_.all_points());
  poisson_.solve(pressure_.view());
  boundaries_.ghosts.fill_ghosts(pressure_.view());
  // Forces beyond all numbers make the first step diverge, which says where; no file holds NaN.
  const double largest = backend_
                             ->template reduce<0, 1>(layout_.all_points(),
                                                     LargestMagnitude<Real>{pressure_.view_const()})
                             .maximum[0];
  if (!(largest <= double{std::numeric_limits<float>::max()}))
    backend_->for_each(layout_.all_words(sizeof(Real)), ClearField<Real>{pressure_.view()});
}

/// From a flow that has no previous step.
template <class Backend>
double ProjectionFlow<Backend>::start_from(const FlowState& initial, double t) {
  upload_initial(*backend_, levels(next_, 1), layout_, initial);
  boundaries_.start(t, next_.view(), scalars_[1].views());
  for (int n = 0; solids_ && n < scalars_[1].count(); ++n)
    solids_->impose(first_scalar + n, scalars_[1][n]);
  project_start();
  accept_levels();
  driving_.set_acceleration({});
  backend_->for_each(layout_.all_words(sizeof(Real)), ClearField<Real>{pressure_.view()});
  if (has_first_pressure()) find_first_pressure(t);
  combine_advecting_velocity(now_, 0);
  for (int n = 0; n < scalars_[0].count(); ++n) {
    MeanScalar<Backend>& mean = means_[static_cast<std::size_t>(n)];
    if (mean.is_known()) mean.set(mean_of_scalar(0, n));
  }
  stratification_ = -1;
  return boundaries_.jumps.rate_of_jumps(velocity(), scalars());
}

}  // namespace dns
