/// What flows out of the box in scheme `projection`.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <utility>

#include "solver/core/backend.hpp"
#include "solver/core/index.hpp"
#include "solver/numerics/staggered_ghosts.hpp"
#include "solver/projection/boundaries/given_planes.hpp"

namespace dns {

/// Evaluates what is carried out through outflow faces, on their planes, and makes the net volume
/// flux through all faces zero.
template <class Backend>
class Outflow {
 public:
  using Real = typename Backend::Real;

  /// Both outlive it.
  Outflow(const ProjectionFields<Backend>& fields, GivenPlanes<Backend>& given)
      : backend_(fields.backend), fields_(&fields), given_(&given) {
    for (int face = 0; face < is_stabilised_.size(); ++face) {
      is_stabilised_[face] = fields.resolved.faces[face].backflow == Backflow::stabilised;
      if (given.conditions()[face].is_outflow()) open_area_ += area_of(fields.grid, face);
      if (fields.resolved.time.scheme == TimeScheme::runge_kutta && is_open(face))
        forces_[face] =
            backend_->template allocate<Real>(shape_of(face).count() * given.variables());
    }
  }

  /// At the beginning of a run, from the flow next to outflow faces.
  void start(const VelocityView<Real>& velocity, const ScalarViews<Real>& scalars) {
    carry_out(std::numeric_limits<double>::max(), velocity, scalars);
    close_mass_balance();
  }
  /// The mean velocity that inflow at the end of the last step leaves with [U].
  [[nodiscard]] double speed() const {
    return open_area_ > 0 ? std::max(given_->inflow(), 0.0) / open_area_ : 0;
  }
  /// At the end of a step of dt, with `speed` that at its beginning. Requires the ghost points of
  /// the flow at the beginning.
  void advance(double speed,
               double dt,
               const VelocityView<Real>& velocity,
               const ScalarViews<Real>& scalars) {
    carry_out(speed * dt, velocity, scalars);
    slow_backflow(dt, velocity);
    close_mass_balance();
  }
  /// At the end of a Runge-Kutta stage, see CarryOutInStages. weights: dt al, dt be.
  void advance_stage(double speed,
                     const std::array<double, 2>& weights,
                     const VelocityView<Real>& velocity,
                     const ScalarViews<Real>& scalars);
  /// A bound of the rates at which values on outflow faces decay in stages, from that at which the
  /// flow passes cells [U/L].
  [[nodiscard]] double rate(double of_flow) const;

 private:
  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));
  [[nodiscard]] bool is_open(int face) const {
    return fields_->part.is_boundary(face) && given_->conditions()[face].is_outflow();
  }
  void carry_out(double way, const VelocityView<Real>& velocity, const ScalarViews<Real>& scalars);
  template <Axis axis>
  void carry_out_across(int face, double way, const FieldView<Real>& field, int variable);
  [[nodiscard]] PlaneShape shape_of(int face) const {
    return PlaneShape::of(fields_->part.points(), face / 2);
  }
  /// F h of a variable in the stage before.
  [[nodiscard]] FaceView<Real> force(int face, int variable) const {
    const PlaneShape shape = shape_of(face);
    return shape.view(forces_[face].data() + shape.count() * variable);
  }
  [[nodiscard]] double last_width(int face) const {
    const StaggeredAxis& along = fields_->grid[face / 2];
    return along.width(face % 2 != 0 ? along.cells() - 1 : 0);
  }
  [[nodiscard]] Box last_plane(int face, int variable) const;
  template <class Visit>
  void for_each_open_variable(const VelocityView<Real>& velocity,
                              const ScalarViews<Real>& scalars,
                              const Visit& visit) const;
  template <Axis axis, int component>
  void slow_backflow_in_stage(int face, double now, const VelocityView<Real>& velocity);
  void slow_backflow(double dt, const VelocityView<Real>& velocity);
  template <Axis axis, int component>
  void slow_backflow_across(int face, double dt, const FieldView<Real>& normal);
  void close_mass_balance();

  Backend* backend_;
  const ProjectionFields<Backend>* fields_;
  GivenPlanes<Backend>* given_;
  PerFace<bool> is_stabilised_{};  // of the faces
  double open_area_ = 0;           // [L^2]
  PerFace<Memory> forces_{};       // of stages
};

template <class Backend>
template <Axis axis>
void Outflow<Backend>::carry_out_across(int face,
                                        double way,
                                        const FieldView<Real>& field,
                                        int variable) {
  const bool is_high = face % 2 != 0;
  const bool is_on_plane = variable == velocity_along(axis);
  const StaggeredAxis& along_axis = fields_->grid[axis];
  const int n = along_axis.cells();
  const double width = last_width(face);
  const double next_width = along_axis.width(is_high ? (n > 1 ? n - 2 : 0) : (n > 1 ? 1 : 0));
  const double to_first = is_on_plane ? width : width / 2;
  const double to_second = to_first + (is_on_plane ? next_width : (width + next_width) / 2);
  // The point `way` upstream, as fractions of the distances plane - first - second unknown.
  const double first = std::min(way / to_first, 1.0);
  const double second = std::min(std::max(way - to_first, 0.0) / (to_second - to_first), 1.0);
  backend_->for_each(last_plane(face, variable),
                     CarryOut<axis, Real>{.q = field.as_const(),
                                          .given_now = given_->now(face, variable),
                                          .given_next = given_->next(face, variable),
                                          .weight = {static_cast<Real>(1 - first),
                                                     static_cast<Real>(first * (1 - second)),
                                                     static_cast<Real>(first * second)},
                                          .inward = is_high ? -1 : 1,
                                          .is_on_plane = is_on_plane});
}

/// Sets outflow faces to the values a distance `way` [L] upstream of them.
template <class Backend>
void Outflow<Backend>::carry_out(double way,
                                 const VelocityView<Real>& velocity,
                                 const ScalarViews<Real>& scalars) {
  for_each_open_variable(
      velocity, scalars, [&]<Axis axis>(int face, int variable, const FieldView<Real>& field) {
        carry_out_across<axis>(face, way, field, variable);
      });
}

/// Calls visit<axis across>(face, variable, its field) for what flows out.
template <class Backend>
template <class Visit>
void Outflow<Backend>::for_each_open_variable(const VelocityView<Real>& velocity,
                                              const ScalarViews<Real>& scalars,
                                              const Visit& visit) const {
  for (int face = 0; face < is_stabilised_.size(); ++face) {
    if (!is_open(face)) continue;
    for (int variable = 0; variable < given_->variables(); ++variable) {
      if (given_->conditions()[face][variable].kind != Condition::Kind::open) continue;
      const FieldView<Real> field =
          is_velocity(variable) ? velocity[variable] : scalars[variable - first_scalar];
      with_axis(face / 2,
                [&]<Axis axis>() { visit.template operator()<axis>(face, variable, field); });
    }
  }
}

/// The points of a variable's field on the boundary plane or beyond it.
template <class Backend>
Box Outflow<Backend>::last_plane(int face, int variable) const {
  const int axis = face / 2;
  const int beyond = variable == axis ? 0 : -1;
  Box box = fields_->layout.with_one_ghost();
  box.begin[axis] = face % 2 != 0 ? fields_->part.points()[axis] : beyond;
  box.end[axis] = box.begin[axis] + 1;
  return box;
}

template <class Backend>
void Outflow<Backend>::advance_stage(double speed,
                                     const std::array<double, 2>& weights,
                                     const VelocityView<Real>& velocity,
                                     const ScalarViews<Real>& scalars) {
  for_each_open_variable(
      velocity, scalars, [&]<Axis axis>(int face, int variable, const FieldView<Real>& field) {
        const double width = last_width(face);
        backend_->for_each(
            last_plane(face, variable),
            CarryOutInStages<axis, Real>{.q = field.as_const(),
                                         .given_now = given_->now(face, variable),
                                         .given_next = given_->next(face, variable),
                                         .force = force(face, variable),
                                         .speed = static_cast<Real>(speed),
                                         .now = static_cast<Real>(weights[0] / width),
                                         .before = static_cast<Real>(weights[1] / width),
                                         .inward = face % 2 != 0 ? -1 : 1});
      });
  for (int face = 0; face < is_stabilised_.size(); ++face) {
    if (!is_open(face) || !is_stabilised_[face]) continue;
    const double now = weights[0] / last_width(face);
    with_axis(face / 2, [&]<Axis axis>() {
      slow_backflow_in_stage<axis, 0>(face, now, velocity);
      slow_backflow_in_stage<axis, 1>(face, now, velocity);
      slow_backflow_in_stage<axis, 2>(face, now, velocity);
    });
  }
  close_mass_balance();
}

template <class Backend>
template <Axis axis, int component>
void Outflow<Backend>::slow_backflow_in_stage(int face,
                                              double now,
                                              const VelocityView<Real>& velocity) {
  const bool is_high = face % 2 != 0;
  Box box = last_plane(face, component);
  if (component != velocity_along(axis)) box.begin[component] = 0;
  backend_->for_each(box,
                     SlowBackflowInStages<axis, component, Real>{
                         .q = velocity[component].as_const(),
                         .normal = velocity[axis].as_const(),
                         .given = given_->next(face, component),
                         .force = force(face, component),
                         .now = static_cast<Real>(now),
                         .inward = Real(is_high ? -1 : 1),
                         .plane = is_high ? fields_->part.points()[axis] : 0});
}

template <class Backend>
double Outflow<Backend>::rate(double of_flow) const {
  double largest = 0;
  for (int face = 0; face < is_stabilised_.size(); ++face) {
    if (!given_->conditions()[face].is_outflow()) continue;
    const double slowing = is_stabilised_[face] ? of_flow : 0;
    largest = std::max(largest, speed() / last_width(face) + slowing);
  }
  return largest;
}

/// At outflow faces that are stabilised.
template <class Backend>
void Outflow<Backend>::slow_backflow(double dt, const VelocityView<Real>& velocity) {
  for (int face = 0; face < is_stabilised_.size(); ++face) {
    if (!is_open(face) || !is_stabilised_[face]) continue;
    with_axis(face / 2, [&]<Axis axis>() {
      const FieldView<Real>& normal = velocity[axis];
      slow_backflow_across<axis, 0>(face, dt, normal);
      slow_backflow_across<axis, 1>(face, dt, normal);
      slow_backflow_across<axis, 2>(face, dt, normal);
    });
  }
}

template <class Backend>
template <Axis axis, int component>
void Outflow<Backend>::slow_backflow_across(int face, double dt, const FieldView<Real>& normal) {
  const StaggeredAxis& along_axis = fields_->grid[axis];
  const bool is_high = face % 2 != 0;
  const double width = along_axis.width(is_high ? along_axis.cells() - 1 : 0);
  const bool is_on_plane = component == velocity_along(axis);
  const int plane = is_high ? fields_->part.points()[axis] : 0;
  Box box = fields_->layout.with_one_ghost();
  if (!is_on_plane) box.begin[component] = 0;
  box.begin = placed<axis>(box.begin, plane);
  box.end = placed<axis>(box.end, plane + 1);
  backend_->for_each(
      box,
      SlowBackflow<axis, component, Real>{normal.as_const(),
                                          given_->next(face, component),
                                          static_cast<Real>(dt / (is_on_plane ? width : width / 2)),
                                          Real(is_high ? -1 : 1),
                                          plane});
}

/// Corrects the velocity through outflow faces: where all are stabilised that of what flows out by
/// a factor, so that fluid does not come back in for this alone; else by a uniform velocity.
template <class Backend>
void Outflow<Backend>::close_mass_balance() {
  if (open_area_ == 0) return;
  double net = 0;
  double out = 0;
  bool all_are_stabilised = true;
  const auto for_each_open_face = [&](const auto& visit) {
    for (int face = 0; face < is_stabilised_.size(); ++face) {
      if (!given_->conditions()[face].is_outflow()) continue;
      all_are_stabilised &= is_stabilised_[face];
      with_axis(face / 2, [&]<Axis axis>() { visit.template operator()<axis>(face); });
    }
  };
  // Of another rank's face it is empty: all ranks add up.
  const auto one_plane = [&]<Axis axis>(Box box, int face) {
    box.begin = placed<axis>(box.begin, 0);
    box.end = placed<axis>(box.end, is_open(face) ? 1 : 0);
    return box;
  };
  const auto outward = [](int face) { return Real(face % 2 == 0 ? -1 : 1); };
  for_each_open_face([&]<Axis axis>(int face) {
    using Flux = PlaneFlux<axis, Real>;
    const auto flux = backend_->template reduce<Flux::sums, 0>(
        one_plane.template operator()<axis>(fields_->layout.all_points(), face),
        Flux{is_open(face) ? given_->next(face, velocity_along(axis)).as_const()
                           : FaceView<const Real>{},
             fields_->metrics.view(),
             outward(face)});
    net += flux.sum[Flux::net];
    out += flux.sum[Flux::out];
  });
  const double excess = net - given_->inflow();
  const bool has_factor = all_are_stabilised && excess < out;  // the factor is then above 0
  for_each_open_face([&]<Axis axis>(int face) {
    if (!is_open(face)) return;
    backend_->for_each(
        one_plane.template operator()<axis>(fields_->layout.with_one_ghost(), face),
        ShiftGiven<Real>{
            given_->next(face, velocity_along(axis)),
            has_factor ? Real(0) : outward(face) * static_cast<Real>(-excess / open_area_),
            has_factor ? static_cast<Real>(-excess / out) : Real(0),
            outward(face)});
  });
}

}  // namespace dns
