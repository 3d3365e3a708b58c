/// Scheme `splitting`: one time step on one page.
///
/// From time level n to n+1, with G global and L local iterations and the non-linear level N:
///
///   N := time level n
///   repeat G times (or until the change of N over a global iteration is below the tolerance):
///     S := time level n
///     for s in z, y, x:
///       repeat L times:  D := sweep_s(S; N);  N := (N + D)/2 inside, then boundaries of N
///       S := D
///     N := (N + S)/2 inside, then boundaries of N
///   time level n+1 := S with its boundaries
///
/// The last line of a global iteration is part of its last sweep, ((N + D)/2 + D)/2, and left out
/// where N is not needed any more. S is time level n itself in the sweeps along z, and another
/// level after them, in which the last local iteration along each axis stores D. N has two levels,
/// one to read and one to write; in the first sweep of a step time level n is read in its place.
///
/// Source: Berezin, Paskonov & Sakharnykh (2012); the equations are in
/// solver/numerics/splitting_rows.hpp. Values given at boundaries are those of time level n+1.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solver/core/error.hpp"
#include "solver/flow/variables.hpp"
#include "solver/forcing/source_fields.hpp"
#include "solver/numerics/nodal_diagnostics.hpp"
#include "solver/numerics/splitting_rows.hpp"
#include "solver/numerics/splitting_solid_rows.hpp"
#include "solver/sampling/derived_in_snapshots.hpp"
#include "solver/sampling/simulation_on_backend.hpp"
#include "solver/simulation/flow_checks.hpp"
#include "solver/splitting/solid_nodes.hpp"
#include "solver/splitting/splitting_boundaries.hpp"
#include "solver/splitting/splitting_diagnostics.hpp"
#include "solver/splitting/time_level.hpp"

namespace dns {

template <class Backend>
class SplittingSolver final : public SimulationOnBackend<Backend> {
 public:
  using Real = typename Backend::Real;

  SplittingSolver(Backend backend, const Case& resolved);

  void set_state(const FlowState& state) override;
  void begin_anew(const FlowState* flow) override;
  void change(const Case& changed) override {
    this->change_time(changed.time);
    if (!this->change_forcing(changed.forcing)) return;
    sources_.reset();
    if (SourceFields<Backend>::are_in(case_)) make_sources();
  }
  StepReport advance() override;
  void begin_diagnostics() override;
  FlowDiagnostics finish_diagnostics() override;
  [[nodiscard]] std::vector<std::string> diagnostic_names() const override {
    return {"temperature_mean"};
  }
  [[nodiscard]] FlowState allocate_state(CopyPurpose purpose) const override;
  void copy_state(FlowState& state, CopyPurpose purpose) const override;
  [[nodiscard]] bool one_copy_serves_both() const override { return !derived_.are_any(); }
  [[nodiscard]] std::vector<std::string> methods() const override {
    return solids_ ? solids_->in_words() : std::vector<std::string>{};
  }

 private:
  void act_by(int variable, const std::vector<double>& values) override {
    if (!sources_) make_sources();
    sources_->set_values(variable, values);
  }
  using Level = TimeLevel<Backend>;
  static constexpr int interleave_width = Backend::interleave_width;

  /// What a local iteration writes: N relaxed with this weight, D as the next S.
  struct Written {
    Real weight = Real(0.5);
    bool relaxes = true;
    bool stores_solution = false;
  };
  [[nodiscard]] Written end_of_global_iteration(bool is_last) const;
  template <Axis axis>
  void relax(const Level& source, const Written& at_last);
  template <Axis axis, Axis reader>
  void iterate(const Level& source, const Written& written);
  template <Axis axis, class Exchange>
  BoundaryPlanes sweep(const Level& source,
                       const RelaxAndStore<Real, interleave_width>& relax_and_store,
                       const BoundaryForSweep<Real, interleave_width>& boundary,
                       const Exchange& exchange);
  [[nodiscard]] bool insulates() const { return solids_ && solids_->has_adiabatic(); }
  void insulate(const Level& level);
  void make_sources() { sources_.emplace(backend_, case_, part_, layout_); }
  void upload(const FlowState& state);
  void impose_given();
  void add_sources();
  double change_since_last_iteration();
  void copy_variables(const Level& level, FlowState& state) const;
  [[nodiscard]] FlowState flow_of_diagnostics() const;
  [[nodiscard]] StridedField<const Real> field_of(int variable) const override {
    if (variable >= variables_per_level) return {};
    return flow_.view_const().field(variable);
  }

  using Base = SimulationOnBackend<Backend>;
  using Base::backend_, Base::case_, Base::dt_, Base::part_, Base::phases_, Base::step_,
      Base::time_, Base::time_before_;

  LevelLayout layout_;
  SplittingDiagnostics<Backend> summary_;
  SplittingConstants<Real> constants_;
  InverseTwoSpacings<Real> inverse_two_h_;
  SplittingBoundaries<Backend> boundaries_;
  std::optional<SolidNodes<Backend>> solids_;
  std::optional<SourceFields<Backend>> sources_;
  DerivedInSnapshots<Backend> derived_;
  decltype(std::declval<Backend&>().template allocate<Real>(
      0)) between_{};  // a derived field on its way

  Level flow_;                             // time level n
  Level solution_;                         // D, and S after the sweeps along z
  Level relaxed_[2];                       // N, and N after relaxation, in turn
  const Level* nonlinear_ = nullptr;       // N: time level n or one of the two
  std::optional<Level> nonlinear_before_;  // N of the last global iteration

  std::int64_t begun_step_ = 0;  // for which diagnostics were begun last
};

template <class Backend>
SplittingSolver<Backend>::SplittingSolver(Backend backend, const Case& resolved)
    : Base(std::move(backend), resolved),
      layout_(LevelLayout::of(part_)),
      summary_(backend_, case_, part_),
      constants_{static_cast<Real>(1 / resolved.time.step),
                 static_cast<Real>(resolved.viscosity()),
                 static_cast<Real>(resolved.conductivity()),
                 static_cast<Real>((resolved.fluid.heat_capacity_ratio - 1) /
                                   (resolved.fluid.heat_capacity_ratio * resolved.fluid.reynolds))},
      inverse_two_h_{static_cast<Real>(1 / (2 * spacing(resolved, 0))),
                     static_cast<Real>(1 / (2 * spacing(resolved, 1))),
                     static_cast<Real>(1 / (2 * spacing(resolved, 2)))},
      boundaries_(backend_, case_, part_),
      derived_(resolved, part_.points()),
      flow_(backend_, layout_),
      solution_(backend_, layout_),
      relaxed_{{backend_, layout_}, {backend_, layout_}} {
  dt_ = resolved.time.step;
  backend_.reserve_copies(part_.points());
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    const bool is_cyclic = part_.is_periodic(axis);
    const Box box = layout_.interior();
    is_cyclic || boundaries_.velocity_shares_closures(axis)
        ? backend_.template reserve_sweeps<SharedVelocityMatrix>(axis, box, is_cyclic)
        : backend_.template reserve_sweeps<SeparateNormalVelocity<Axis::x>>(axis, box, false);
  }
  if (derived_.are_any()) between_ = backend_.template allocate<Real>(part_.points().count());
  if (resolved.time.global_tolerance.has_value()) nonlinear_before_.emplace(backend_, layout_);
  if (!resolved.solids.empty()) solids_.emplace(backend_, case_, part_, layout_);
  if (SourceFields<Backend>::are_in(resolved)) make_sources();
}

template <class Backend>
StepReport SplittingSolver<Backend>::advance() {
  phases_.begin_step(backend_, layout_.points);
  StepReport report;
  const TimeCase& control = case_.time;
  const int most_iterations = control.most_iterations();

  dt_ = case_.due_step(step_, time_, case_.time.step);
  constants_.inverse_dt = static_cast<Real>(1 / dt_);
  boundaries_.set_time(backend_, time_ + dt_);
  if (sources_) sources_->set_time(time_ + dt_);
  nonlinear_ = &flow_;
  report.reached_tolerance = !control.global_tolerance;
  while (report.global_iterations < most_iterations) {
    if (nonlinear_before_) {
      backend_.enter(phase::copy);
      backend_.copy(nonlinear_->data(), nonlinear_before_->data(), nonlinear_->count());
    }
    ++report.global_iterations;
    const bool is_last = !control.global_tolerance && report.global_iterations == most_iterations;
    relax<Axis::z>(flow_, {.stores_solution = true});
    add_sources();
    relax<Axis::y>(solution_, {.stores_solution = true});
    relax<Axis::x>(solution_, end_of_global_iteration(is_last));
    if (control.global_tolerance) {
      report.iteration_change = change_since_last_iteration();
      report.reached_tolerance = report.iteration_change <= *control.global_tolerance;
      if (!std::isfinite(report.iteration_change) || report.reached_tolerance) break;
    }
  }
  backend_.enter(phase::boundaries);
  boundaries_.evaluate(backend_, solution_.view());
  solution_.exchange(backend_);
  insulate(solution_);
  backend_.enter(phase::other);
  std::swap(flow_, solution_);
  ++step_;
  time_before_ = std::exchange(time_, time_ + dt_);
  this->record_probes_if_due();
  backend_.end_step();
  if (!control.is_over(step_, time_)) {
    backend_.enter(phase::boundaries);
    boundaries_.prepare(time_ + dt_);  // while the device works
    backend_.enter(phase::other);
  }
  return report;
}

/// N := (N + D)/2 and (N + S)/2 in one, with S = D. After the last global iteration only D is
/// needed, after the others only N; with a tolerance it is not known which is the last.
template <class Backend>
auto SplittingSolver<Backend>::end_of_global_iteration(bool is_last) const -> Written {
  return {.weight = Real(0.75),
          .relaxes = !is_last,
          .stores_solution = is_last || case_.time.global_tolerance.has_value()};
}

/// D of the sweep along z, which is S of that along y, with what the sources give in the step.
template <class Backend>
void SplittingSolver<Backend>::add_sources() {
  if (!sources_) return;
  SourceStage<Real, interleave_width> stage{{}, solution_.view(), static_cast<Real>(dt_)};
  for (int variable = 0; variable < variables_per_level; ++variable)
    stage.sources[variable] = sources_->view(variable);
  backend_.for_each(layout_.interior(), stage);
}

/// All local iterations along `axis`: D := sweep_s(S; N), N := (N + D)/2.
template <class Backend>
template <Axis axis>
void SplittingSolver<Backend>::relax(const Level& source, const Written& at_last) {
  constexpr Axis next_axis = axis == Axis::z ? Axis::y : axis == Axis::y ? Axis::x : Axis::z;
  for (int iteration = 1; iteration < case_.time.local_iterations; ++iteration) {
    iterate<axis, axis>(source, {});
  }
  iterate<axis, next_axis>(source, at_last);
}

/// One of these iterations; the next sweep, along `reader`, reads N.
template <class Backend>
template <Axis axis, Axis reader>
void SplittingSolver<Backend>::iterate(const Level& source, const Written& written) {
  const Level& next = relaxed_[nonlinear_ == &relaxed_[0] ? 1 : 0];
  backend_.enter(phase::of_sweep(axis));
  auto boundary = boundaries_.boundary_for_sweep(reader, next.view());
  if (!written.relaxes) boundary.planes = {};
  // No sweep reads the boundary of N beyond seams. Sweeps along z relax N there themselves.
  const auto exchange = [&] {
    if (axis != Axis::z && written.relaxes && !insulates()) next.exchange(backend_);
  };
  const BoundaryPlanes left = sweep<axis>(source,
                                          {.nonlinear = nonlinear_->view_const(),
                                           .nonlinear_next = next.view(),
                                           .source = solution_.view(),
                                           .weight = written.weight,
                                           .relaxes = written.relaxes,
                                           .stores_solution = written.stores_solution},
                                          boundary,
                                          exchange);
  if (!written.relaxes) return;
  nonlinear_ = &next;
  if (left.any()) {
    backend_.enter(phase::boundaries);
    boundaries_.template evaluate_for_sweep<reader>(backend_, next.view(), left);
  }
  insulate(next);
}

template <class Backend>
template <Axis axis, class Exchange>
BoundaryPlanes SplittingSolver<Backend>::sweep(
    const Level& source,
    const RelaxAndStore<Real, interleave_width>& relax_and_store,
    const BoundaryForSweep<Real, interleave_width>& boundary,
    const Exchange& exchange) {
  const auto solve = [&]<class System, bool is_cyclic>() {
    const SplittingRows<axis, Real, System, is_cyclic, interleave_width> rows{
        .source = source.view(),
        .nonlinear = nonlinear_->view_const(),
        .constants = constants_,
        .inverse_two_h = inverse_two_h_,
        .low = boundaries_.closures(axis, false),
        .high = boundaries_.closures(axis, true)};
    if (solids_) {
      using Rows = SplittingRowsAtSolids<axis, std::remove_const_t<decltype(rows)>, Real>;
      return backend_.template sweep_and_exchange<axis>(
          layout_.interior(), Rows{rows, solids_->view()}, relax_and_store, exchange, boundary);
    }
    return backend_.template sweep_and_exchange<axis>(
        layout_.interior(), rows, relax_and_store, exchange, boundary);
  };
  if (part_.is_periodic(axis)) {
    return solve.template operator()<SharedVelocityMatrix, true>();
  }
  if (boundaries_.velocity_shares_closures(axis)) {
    return solve.template operator()<SharedVelocityMatrix, false>();
  }
  return solve.template operator()<SeparateNormalVelocity<axis>, false>();
}

/// T in adiabatic bodies follows that around them, and so do its images beyond periodic ends and
/// seams.
template <class Backend>
void SplittingSolver<Backend>::insulate(const Level& level) {
  if (!insulates()) return;
  backend_.enter(phase::boundaries);
  boundaries_.evaluate_all(backend_, level.view());  // a sweep needs but some of them
  level.exchange(backend_);
  solids_->insulate(level);
  boundaries_.evaluate_all(backend_, level.view());
  level.exchange(backend_);
}

template <class Backend>
double SplittingSolver<Backend>::change_since_last_iteration() {
  backend_.enter(phase::diagnostics);
  const auto reduction = backend_.template reduce<0, 1>(
      layout_.interior(),
      LevelChange<Real, interleave_width>{nonlinear_before_->view_const(),
                                          nonlinear_->view_const()});
  return reduction.maximum[0];
}

template <class Backend>
void SplittingSolver<Backend>::begin_diagnostics() {
  backend_.enter(phase::diagnostics);
  summary_.begin(flow_, inverse_two_h_, solids_, dt_);
  backend_.enter(phase::other);
  begun_step_ = step_;
}

template <class Backend>
FlowDiagnostics SplittingSolver<Backend>::finish_diagnostics() {
  FlowDiagnostics diagnostics = summary_.finish();
  require_sound_flow(diagnostics, case_, part_, [this] { return flow_of_diagnostics(); });
  return diagnostics;
}

/// After a step time level n is where D of the next one will be.
template <class Backend>
FlowState SplittingSolver<Backend>::flow_of_diagnostics() const {
  FlowState state = allocate_state(CopyPurpose::viewing);
  copy_variables(begun_step_ == step_ ? flow_ : solution_, state);
  backend_.synchronize();
  return state;
}

template <class Backend>
void SplittingSolver<Backend>::upload(const FlowState& state) {
  std::vector<HostField> fields;
  for (const Variable& variable : solved_variables(case_))
    fields.push_back(field_in(state, variable.name, part_.points(), precision_of<Real>()));
  for (int variable = 0; variable < variables_per_level; ++variable) {
    backend_.upload(fields.at(variable).template values<Real>().data(),
                    flow_.view().field(variable),
                    part_.points());
  }
}

template <class Backend>
void SplittingSolver<Backend>::set_state(const FlowState& state) {
  upload(state);
  this->take_sources_of(state);
  step_ = state.step;
  time_ = state.time;
  dt_ = find_number(state, time_step_number).value_or(case_.time.step);
  time_before_ = find_number(state, time_before_number).value_or(time_ - dt_);
  impose_given();
  this->begin_probes();
  backend_.synchronize();
}

template <class Backend>
void SplittingSolver<Backend>::begin_anew(const FlowState* flow) {
  backend_.wait_for_device();
  if (flow != nullptr) upload(*flow);
  impose_given();
  if (step_ == 0) this->begin_probes();
  backend_.synchronize();
}

/// Values at boundaries and in bodies of all levels, at the present time.
template <class Backend>
void SplittingSolver<Backend>::impose_given() {
  if (solids_) solids_->impose(flow_);
  boundaries_.set_time(backend_, time_);
  for (const Level* level : {&flow_, &solution_, &relaxed_[0], &relaxed_[1]}) {
    boundaries_.evaluate_all(backend_, level->view());
    level->exchange(backend_);
  }
  insulate(flow_);
}

template <class Backend>
FlowState SplittingSolver<Backend>::allocate_state(CopyPurpose purpose) const {
  FlowState state;
  for (const Variable& variable : solved_variables(case_))
    add_field<Backend>(variable.name, part_.points(), state);
  if (solids_) state.fields.push_back(solids_->at_nodes());
  if (purpose == CopyPurpose::snapshot) derived_.allocate(state);
  return state;
}

template <class Backend>
void SplittingSolver<Backend>::copy_state(FlowState& state, CopyPurpose purpose) const {
  backend_.enter(phase::copy);
  state.step = step_;
  state.time = time_;
  copy_variables(flow_, state);
  if (purpose == CopyPurpose::restart) {
    state.numbers = {{std::string(time_before_number), time_before_}};
    this->sources_by_values_.add_to(state);
    if (case_.meets_times()) state.numbers.push_back({std::string(time_step_number), dt_});
  }
  if (purpose == CopyPurpose::snapshot && derived_.are_any()) {
    const auto [nx, ny, nz] = part_.points();
    derived_.download(backend_,
                      gradients_of(flow_, inverse_two_h_, part_),
                      {between_.data(), 1, nx, nx * ny},
                      state);
  }
  backend_.synchronize();
  backend_.enter(phase::other);
}

template <class Backend>
void SplittingSolver<Backend>::copy_variables(const Level& level, FlowState& state) const {
  for (int variable = 0; variable < variables_per_level; ++variable) {
    backend_.download(level.view_const().field(variable),
                      part_.points(),
                      state.fields[variable].values<Real>().data());
  }
}

template <class Backend>
struct SolverOf<Scheme::splitting, Backend> {
  using Type = SplittingSolver<Backend>;
};

}  // namespace dns
