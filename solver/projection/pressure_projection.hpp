/// The projection of a staggered flow, and its pressure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "solver/core/backend.hpp"
#include "solver/core/index.hpp"
#include "solver/numerics/momentum_balance.hpp"
#include "solver/numerics/projection.hpp"
#include "solver/numerics/staggered_ghosts.hpp"
#include "solver/projection/fields.hpp"
#include "solver/projection/poisson_solver.hpp"
#include "solver/projection/projection_boundaries.hpp"
#include "solver/projection/solid_fields.hpp"
#include "solver/projection/terms/driving.hpp"

namespace dns {

/// What a projection makes of the pressure: nothing, p + phi, or phi.
enum class NewPressure { unchanged, advanced, replaced };

template <class Backend>
class PressureProjection {
 public:
  using Real = typename Backend::Real;

  /// All outlive it.
  PressureProjection(ProjectionFields<Backend>& fields,
                     ProjectionBoundaries<Backend>& boundaries,
                     Driving<Backend>& driving,
                     std::optional<SolidFields<Backend>>& solids)
      : backend_(fields.backend),
        fields_(&fields),
        boundaries_(&boundaries),
        driving_(&driving),
        solids_(&solids),
        poisson_(*fields.backend,
                 fields.grid,
                 fields.part,
                 {fields.layout.stride_y(sizeof(Real)), fields.layout.stride_z(sizeof(Real))}) {
    if (fields.resolved.body_projections() > 1) earlier_.emplace(*fields.backend, fields.layout);
  }

  /// Tells that a step of dt would have been of `free` if it ended at no due time [L/U]. Pressure
  /// and driving force hardly change in a much shorter step, but the round-off of the velocity,
  /// over dt, is in phi: they then take the part 100 dt/free of their changes, p from that of V on.
  /// Returns whether that is so.
  bool shorten_step(double dt, double free) {
    constexpr double much_shorter = 0.01;
    part_of_change_ = std::min(1.0, dt / (much_shorter * free));
    if (part_of_change_ == 1) return false;
    static_cast<void>(pressure_of_flow());
    std::swap(fields_->pressure, fields_->phi);
    return true;
  }
  /// lap phi = div V*/dt, V := V* - dt grad phi, in place; adds what momentum lacks. Fills
  /// the ghost points, also those of `scalars`.
  void project(double dt, NewPressure pressure, const ScalarViews<Real>& scalars);
  /// Does so as often as the case says. In between take_back(number) gives bodies their velocity
  /// again, behind projection `number`, from 0, with its phi and ghost points of that. At the end
  /// phi is the sum of all.
  template <class TakeBack>
  void project_around_bodies(double dt,
                             NewPressure pressure,
                             const ScalarViews<Real>& scalars,
                             const TakeBack& take_back) {
    project(dt, pressure, scalars);
    if (!earlier_) return;
    const Box all = fields_->layout.all_words(sizeof(Real));
    for (int number = 1; number < fields_->resolved.body_projections(); ++number) {
      take_back(number - 1);
      const Real own = number == 1 ? 0 : 1;
      backend_->for_each(
          all, MixFields<Real>{fields_->phi.view_const(), earlier_->view(), own, Real(1)});
      project(dt, pressure, {});
    }
    backend_->for_each(all, AddField<Real>{earlier_->view_const(), fields_->phi.view(), Real(1)});
  }
  /// p^(n+1/2) = p^(n-1/2) + phi.
  void advance_pressure();
  /// Tells after a step what the pressure of V is: so much of p and of phi.
  void set_extrapolation(double of_pressure, double of_phi) {
    of_pressure_ = of_pressure;
    of_phi_ = of_phi;
    of_others_ = 0;
    is_extrapolated_ = false;
  }
  /// Tells that it is p, a part of what p changed by last and, unless null, a field of parts of
  /// earlier changes. The field outlives this and changes with the next step.
  void extrapolate_by_change(double part, const StaggeredField<Backend>* others = nullptr) {
    set_extrapolation(1, part * part_of_change_);
    others_ = others;
    if (others != nullptr) of_others_ = part_of_change_;
  }
  /// The pressure at the time of V, ghost points included; in phi, until the next step.
  [[nodiscard]] const StaggeredField<Backend>& pressure_of_flow() const;
  /// Tells that phi has the pressure of V already.
  void accept_pressure_of_flow() { is_extrapolated_ = true; }
  /// Projects a flow in V^(n+1) that need not meet the boundary conditions.
  void project_start();
  /// Solves lap p = div F, with ghost points of p, and nothing through boundaries: there F becomes
  /// 0.
  void balance(const StaggeredVelocity<Backend>& forces, const StaggeredField<Backend>& p);
  /// Does so with F the forces in V^(n+1), for the pressure.
  void find_pressure_of_forces();

  [[nodiscard]] std::string method() const { return poisson_.description(); }

 private:
  void write_divergence(const StaggeredVelocity<Backend>& velocity,
                        double dt,
                        const FieldView<Real>& result,
                        const Box& cells);
  template <class Orders>
  [[nodiscard]] DivergenceOverTime<Real, Orders> divergence_over(
      const StaggeredVelocity<Backend>& velocity,
      double dt,
      const FieldView<Real>& result,
      const Orders& orders) const {
    return {
        velocity.view_const(), fields_->metrics.view(), static_cast<Real>(1 / dt), result, orders};
  }
  [[nodiscard]] Real part_of_change() const { return static_cast<Real>(part_of_change_); }
  bool find_phi(double dt, bool merges_passes);
  bool write_right_hand_side(double dt);
  template <class Orders, bool goes_around>
  [[nodiscard]] CorrectVelocity<Real, Orders, goes_around> correction(double dt,
                                                                      NewPressure pressure,
                                                                      const Real* added,
                                                                      const Orders& orders) const {
    return {.velocity = fields_->next.view(),
            .phi = fields_->phi.view_const(),
            .pressure = fields_->pressure.view(),
            .metrics = fields_->metrics.view(),
            .dt = static_cast<Real>(dt),
            .shift = added,
            .part = pressure == NewPressure::advanced ? part_of_change() : Real(0),
            .orders = orders};
  }
  void correct_around(CorrectVelocity<Real, SecondOrder, true> correct);
  /// The pressure whose ghost points are still to be filled after a correction.
  [[nodiscard]] FieldView<Real> pressure_with_ghosts(NewPressure pressure,
                                                     const FieldView<Real>& where_replaced) const {
    return pressure == NewPressure::replaced ? where_replaced : fields_->pressure.view();
  }
  void replace_pressure(NewPressure pressure);
  /// Fills the ghost points of phi if the last correction went around them. To be called before
  /// all words of phi are used.
  void fill_ghosts_of_phi() const {
    if (!has_ghosts_of_phi_) boundaries_->ghosts.fill_ghosts(fields_->phi.view());
    has_ghosts_of_phi_ = true;
  }

  Backend* backend_;
  ProjectionFields<Backend>* fields_;
  ProjectionBoundaries<Backend>* boundaries_;
  Driving<Backend>* driving_;
  std::optional<SolidFields<Backend>>* solids_;
  PoissonSolver<Backend> poisson_;
  std::optional<StaggeredField<Backend>> earlier_;  // phi of earlier projections of a step
  double part_of_change_ = 1;                       // see shorten_step()
  double of_pressure_ = 1, of_phi_ = 0;             // see set_extrapolation()
  double of_others_ = 0;                            // see extrapolate_by_change()
  const StaggeredField<Backend>* others_ = nullptr;
  mutable bool is_extrapolated_ = false;
  mutable bool has_ghosts_of_phi_ = true;
};

template <class Backend>
void PressureProjection<Backend>::advance_pressure() {
  fill_ghosts_of_phi();
  backend_->enter(phase::correction);
  backend_->for_each(
      fields_->layout.all_words(sizeof(Real)),
      AddField<Real>{fields_->phi.view_const(), fields_->pressure.view(), part_of_change()});
}

template <class Backend>
const StaggeredField<Backend>& PressureProjection<Backend>::pressure_of_flow() const {
  if (!is_extrapolated_) {
    fill_ghosts_of_phi();
    backend_->for_each(fields_->layout.all_words(sizeof(Real)),
                       MixFields<Real>{fields_->pressure.view_const(),
                                       fields_->phi.view(),
                                       static_cast<Real>(of_phi_),
                                       static_cast<Real>(of_pressure_)});
    if (of_others_ != 0)
      backend_->for_each(
          fields_->layout.all_words(sizeof(Real)),
          AddField<Real>{
              others_->view_const(), fields_->phi.view(), static_cast<Real>(of_others_)});
    is_extrapolated_ = true;
  }
  return fields_->phi;
}

template <class Backend>
void PressureProjection<Backend>::project(double dt,
                                          NewPressure pressure,
                                          const ScalarViews<Real>& scalars) {
  const bool merges_passes = boundaries_->ghosts.go_with_cells() && !*solids_;
  const bool adds_momentum = find_phi(dt, merges_passes);
  const Real* const added = adds_momentum ? driving_->take_added(part_of_change_) : nullptr;
  if constexpr (Backend::merges_passes_below > 0) {
    if (merges_passes) {
      correct_around(correction<SecondOrder, true>(dt, pressure, added, {}));
      boundaries_->ghosts.fill_ghosts(
          fields_->next.view(), pressure_with_ghosts(pressure, fields_->phi.view()), scalars);
      has_ghosts_of_phi_ = pressure == NewPressure::replaced;  // else p alone has them
      return replace_pressure(pressure);
    }
  }
  const auto correct = [&](const Box& cells) {
    backend_->enter(phase::correction);
    fields_->with_orders([&]<class Orders>(const Orders& orders) {
      backend_->for_each(cells, correction<Orders, false>(dt, pressure, added, orders));
    });
  };
  boundaries_->ghosts.fill_ghosts_around(correct,
                                         fields_->phi.view(),
                                         fields_->next.view(),
                                         pressure_with_ghosts(pressure, {}),
                                         scalars);
  has_ghosts_of_phi_ = true;
  replace_pressure(pressure);
}

/// lap phi = div V*/dt, but for ghost points. Returns whether momentum is added to V*. On small
/// grids its sums are found meanwhile: velocities across boundaries, set here, are not in them.
template <class Backend>
bool PressureProjection<Backend>::find_phi(double dt, bool merges_passes) {
  if constexpr (Backend::merges_passes_below > 0) {
    if (merges_passes) {
      backend_->enter(phase::correction);
      const auto momenta = driving_->momenta_of(fields_->next.view_const(), boundaries_->given);
      const auto solve = [&] {
        backend_->for_each(
            fields_->layout.all_points(),
            DivergenceBetweenEnds<Real>{
                boundaries_->ghosts.ends_of(fields_->next.view()),
                divergence_over(fields_->next, dt, fields_->phi.view(), SecondOrder{})});
        backend_->enter(phase::poisson);
        poisson_.solve(fields_->phi.view());
      };
      if (!momenta) {
        solve();
        return false;
      }
      const MomentaAndBalance<Real> sums{*momenta, driving_->balance(dt)};
      backend_->concurrently(2, fields_->layout.points, [&](int part) {
        if (part == 1) return solve();
        backend_->template reduce_later<MomentumSum::count, 0>(
            fields_->layout.all_points(), sums, driving_->sums_of_star());
      });
      return true;
    }
  }
  const bool adds_momentum = write_right_hand_side(dt);
  backend_->enter(phase::poisson);
  poisson_.solve(fields_->phi.view());
  return adds_momentum;
}

/// div V*/dt, to phi. Returns whether momentum is added to V*.
template <class Backend>
bool PressureProjection<Backend>::write_right_hand_side(double dt) {
  backend_->enter(phase::boundaries);
  boundaries_->ghosts.set_own_normal_velocity(fields_->next.view());
  backend_->enter(phase::correction);
  const auto momenta = driving_->momenta_of(fields_->next.view_const(), boundaries_->given);
  if (momenta && !backend_->is_divided()) {
    fields_->with_orders([&]<class Orders>(const Orders& orders) {
      using Kernel = DivergenceAndMomenta<Real, Orders>;
      backend_->template reduce_later<MomentumSum::count, 0>(
          fields_->layout.all_points(),
          Kernel{divergence_over(fields_->next, dt, fields_->phi.view(), orders),
                 {*momenta, driving_->balance(dt)}},
          driving_->sums_of_star());
    });
    return true;
  }
  backend_->work_around_messages(
      fields_->layout.all_points(),
      [&] { boundaries_->ghosts.exchange_normal_velocity(fields_->next.view()); },
      [&](const Box& cells) { write_divergence(fields_->next, dt, fields_->phi.view(), cells); },
      [] {});
  if (momenta) driving_->find_added(dt);
  return momenta.has_value();
}

/// Corrects the velocity without ghost points of phi.
template <class Backend>
void PressureProjection<Backend>::correct_around(CorrectVelocity<Real, SecondOrder, true> correct) {
  for (int axis = 0; axis < 3; ++axis) {
    const bool is_periodic = fields_->part.is_periodic(axis);
    correct.around[axis] = is_periodic ? fields_->layout.points[axis] : 1;  // to itself: no slope
  }
  backend_->enter(phase::correction);
  backend_->for_each(fields_->layout.all_points(), correct);
  backend_->enter(phase::boundaries);
}

template <class Backend>
void PressureProjection<Backend>::replace_pressure(NewPressure pressure) {
  if (pressure != NewPressure::replaced) return;
  std::swap(fields_->pressure, fields_->phi);
  if (part_of_change_ == 1) return;
  backend_->for_each(fields_->layout.all_words(sizeof(Real)),
                     MixFields<Real>{fields_->phi.view_const(),
                                     fields_->pressure.view(),
                                     part_of_change(),
                                     1 - part_of_change()});
}

/// div V/dt; requires its normal velocities at and beyond the ends of the box.
template <class Backend>
void PressureProjection<Backend>::write_divergence(const StaggeredVelocity<Backend>& velocity,
                                                   double dt,
                                                   const FieldView<Real>& result,
                                                   const Box& cells) {
  fields_->with_orders([&]<class Orders>(const Orders& orders) {
    backend_->for_each(cells, divergence_over(velocity, dt, result, orders));
  });
}

/// Projects a flow that need not meet the boundary conditions: twice, because the first correction
/// may be so large that its round-off matters. With bodies as often as it takes until it has their
/// velocity in them, up to 1e-3 U: each projection undoes some of what imposing it does.
template <class Backend>
void PressureProjection<Backend>::project_start() {
  constexpr int usual_times = 2;
  constexpr int most_times = 50;
  constexpr double small_slip = 1e-3;  // [U]
  for (int times = 0; times < most_times; ++times) {
    if (times >= usual_times && !*solids_) return;
    if (*solids_) {
      const double slip = (*solids_)->slip(fields_->next.view_const(), fields_->metrics.view());
      if (times >= usual_times && !(slip > small_slip)) return;
      for (int component = 0; component < 3; ++component)
        (*solids_)->impose(component, fields_->next[component].view());
    }
    project(1, NewPressure::unchanged, fields_->scalars[1].views());
  }
}

template <class Backend>
void PressureProjection<Backend>::balance(const StaggeredVelocity<Backend>& forces,
                                          const StaggeredField<Backend>& p) {
  boundaries_->ghosts.set_normal_velocity(forces.view());
  for (int face = 0; face < boundaries_->given.faces; ++face) {
    if (!fields_->part.is_boundary(face)) continue;
    const int axis = face / 2;
    Box plane = fields_->layout.all_faces();
    const int at = face % 2 == 0 ? 0 : fields_->layout.points[axis];
    with_axis(axis, [&]<Axis across>() {
      plane.begin = placed<across>(plane.begin, at);
      plane.end = placed<across>(plane.end, at + 1);
    });
    backend_->for_each(plane, ClearField<Real>{forces[axis].view()});
  }
  write_divergence(forces, 1, p.view(), fields_->layout.all_points());
  poisson_.solve(p.view());
  boundaries_->ghosts.fill_ghosts(p.view());
}

template <class Backend>
void PressureProjection<Backend>::find_pressure_of_forces() {
  balance(fields_->next, fields_->pressure);
  // Forces beyond all numbers make the first step diverge, which says where; no file holds NaN.
  const double largest =
      backend_
          ->template reduce<0, 1>(fields_->layout.all_points(),
                                  LargestMagnitude<Real>{fields_->pressure.view_const()})
          .maximum[0];
  if (!(largest <= double{std::numeric_limits<float>::max()}))
    backend_->for_each(fields_->layout.all_words(sizeof(Real)),
                       ClearField<Real>{fields_->pressure.view()});
}

}  // namespace dns
