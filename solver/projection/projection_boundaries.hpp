/// The boundaries of a run of scheme `projection` on its device.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "solver/core/backend.hpp"
#include "solver/core/error.hpp"
#include "solver/face_values/given_upload.hpp"
#include "solver/flow/conditions.hpp"
#include "solver/flow/variables.hpp"
#include "solver/numerics/projection_rows.hpp"
#include "solver/numerics/staggered_ghosts.hpp"
#include "solver/projection/axis_orders.hpp"
#include "solver/projection/metric_arrays.hpp"
#include "solver/projection/projection_boundary_values.hpp"
#include "solver/projection/staggered_field.hpp"
#include "solver/simulation/step_phases.hpp"

namespace dns {

/// The given values on the boundary planes at both ends of a time step. The net volume flux through
/// them is made zero by a correction of the velocity through outflow faces or, without any, of the
/// given normal velocities (by the error of their discrete integral).
template <class Backend>
class ProjectionBoundaries {
 public:
  using Real = typename Backend::Real;

  ProjectionBoundaries(Backend& backend,
                       const Case& resolved,
                       const Subdomain& part,
                       StaggeredGrid grid,
                       const GridMetrics<Real>& metrics);

  /// Evaluates the given values at time t, for both ends of a step; on outflow faces from
  /// `velocity` and `scalars` next to them. Throws CaseError when what flows in
  /// cannot flow out.
  void start(double t, const VelocityView<Real>& velocity, const ScalarViews<Real>& scalars);

  /// Makes the values at the end of the last step those at the beginning of this one, and evaluates
  /// those at its end, t + dt. Requires the ghost points of the flow at t. Throws CaseError as
  /// above.
  void begin_step(double t,
                  double dt,
                  const VelocityView<Real>& velocity,
                  const ScalarViews<Real>& scalars);

  /// Evaluates ahead what the given values at time t are made of, while the device works.
  void prepare(double t) { values_.prepare(t); }

  /// Without open faces: the net flux that the given velocities had into the box, over the sum of
  /// what flows in and out, when they were last balanced; else 0.
  [[nodiscard]] double imbalance() const { return imbalance_; }

  /// Whether a given value jumps in a step from t to t + dt [L/U] where that rings.
  [[nodiscard]] bool value_jumps(double t, double dt);

  /// The largest diffusivity/width^2 where a flow that starts and a given value differ as by a
  /// jump; 0: nowhere [U/L]. Flows around bodies always do.
  [[nodiscard]] double rate_of_jumps(const VelocityView<const Real>& velocity,
                                     const ScalarViews<const Real>& scalars);

  /// The closure and the given values at an end of the lines of a variable along `axis`.
  [[nodiscard]] LineEnd<Real> line_end(Axis axis, int variable, bool is_high_end) const;

  /// Sets the normal velocity on the boundary planes to that at the end of the step, and on the
  /// high face of periodic axes to that of the low one.
  void set_normal_velocity(const VelocityView<Real>& velocity) {
    set_own_normal_velocity(velocity);
    exchange_normal_velocity(velocity);
  }
  /// The same in two parts: without what passes between ranks along an axis of order 2, and that.
  void set_own_normal_velocity(const VelocityView<Real>& velocity);
  void exchange_normal_velocity(const VelocityView<Real>& velocity) {
    if (order_along(2) == 2) exchange({FieldView<Real>{}, {}, velocity[2], {}, {}}, 1, 1);
  }

  /// Evaluates the ghost points of u, v, w, p and scalars at the end of the step.
  void fill_ghosts(const VelocityView<Real>& velocity,
                   const FieldView<Real>& p,
                   const ScalarViews<Real>& scalars);

  /// The same for the pressure correction phi.
  void fill_ghosts(const FieldView<Real>& phi);

  /// Those of phi; then correct(cells), which finishes the others in some cells from phi there and
  /// in their neighbours; then their ghost points. Where all axes have order 2, cells inside may be
  /// corrected while messages pass.
  template <class Correct>
  void fill_ghosts_around(const Correct& correct,
                          const FieldView<Real>& phi,
                          const VelocityView<Real>& velocity,
                          const FieldView<Real>& p,
                          const ScalarViews<Real>& scalars);

  /// Of a flow whose first ghost points are up to date: fills those beyond along axes of higher
  /// order.
  void fill_further_ghosts(const VelocityView<Real>& velocity,
                           const FieldView<Real>& p,
                           const ScalarViews<Real>& scalars);

 private:
  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));
  static constexpr std::size_t faces = 6;
  static constexpr double most_imbalance = 0.1;  // of given velocities

  [[nodiscard]] bool is_open(std::size_t face) const {
    return part_.is_boundary(face) && conditions_[face].is_outflow();
  }
  /// Whether the flow carries a variable out through a face.
  [[nodiscard]] bool is_carried_out(std::size_t face, int variable) const {
    return part_.is_boundary(face) && conditions_[face][variable].kind == Condition::Kind::open;
  }
  [[nodiscard]] int variables() const { return transported_variables(case_); }
  [[nodiscard]] FaceView<Real> given(std::size_t face, int variable, int end) const;
  void evaluate_given(double t, bool only_what_moves);
  void set_given_normal(NormalVelocities normal, double t);
  void carry_out(double way, const VelocityView<Real>& velocity, const ScalarViews<Real>& scalars);
  template <Axis axis>
  void carry_out_across(
      std::size_t face, double way, const FieldView<Real>& field, int variable, Box box);
  void slow_backflow(double dt, const VelocityView<Real>& velocity);
  template <Axis axis, int component>
  void slow_backflow_across(std::size_t face, double dt, const FieldView<Real>& normal);
  void close_mass_balance();
  [[nodiscard]] double rate_of(std::size_t face, int variable) const {
    return given_rate(conditions_, case_, grid_, face, variable);
  }
  template <Axis axis>
  [[nodiscard]] bool differs_as_by_jump(std::size_t face,
                                        int variable,
                                        const FieldView<const Real>& field);
  /// Of the variables of a batch; pressure: of any number beyond those that are transported.
  using Variables = std::array<int, staggered_variables>;
  [[nodiscard]] StaggeredClosures<Real> closures(const Variables& variables) const;
  [[nodiscard]] Variables first_variables() const {
    return {0, 1, 2, first_scalar, std::max(variables(), pressure_variable)};
  }
  template <class Use>
  void for_each_batch(const VelocityView<Real>& velocity,
                      const FieldView<Real>& p,
                      const ScalarViews<Real>& scalars,
                      const Use& use) const;
  template <class Kernel>
  void for_outermost_points(Box box, const Kernel& kernel, const Box& cells);
  using Fields = std::array<FieldView<Real>, staggered_variables>;
  void exchange(const Fields& fields, int low, int high);
  void fill(const Fields& fields, const Variables& variables);
  void fill_own(const Fields& fields, const Variables& variables, const Box& cells);
  template <class GhostsOf>
  void fill_further(const Fields& fields, const GhostsOf& ghosts_of);
  template <Axis axis>
  void fill_along(const Fields& fields, Box across, int low, int high);
  [[nodiscard]] int order_along(int axis) const {
    return grid_[static_cast<std::size_t>(axis)].order;
  }
  /// Whether differences of higher order along all axes leave no ghost points to FillGhosts.
  [[nodiscard]] bool has_second_order() const {
    return order_along(0) == 2 || order_along(1) == 2 || order_along(2) == 2;
  }
  [[nodiscard]] bool has_second_order_only() const {
    return order_along(0) == 2 && order_along(1) == 2 && order_along(2) == 2;
  }
  void check_blowing(const NormalVelocities& normal, double t);
  [[nodiscard]] NormalVelocities balanced(NormalVelocities normal);
  [[nodiscard]] PlaneFluxes fluxes_of_ranks(const NormalVelocities& normal);

  Backend* backend_;
  Case case_;
  Conditions conditions_;
  FaceValues values_;
  Subdomain part_;
  StaggeredGrid grid_;  // of the whole box
  StaggeredLayout layout_;
  GridMetrics<Real> metrics_;
  double open_area_ = 0;  // [L^2]
  double inflow_ = 0;     // through all faces that are not open, at the end of the step [U L^2]
  std::array<double, faces> flux_out_{};  // of those faces, of this rank [U L^2]
  NormalVelocities given_normal_;         // without open faces: before they are balanced
  double imbalance_ = 0;                  // of them
  int now_ = 0;  // which of the two ends of given_ is the beginning of the step
  std::array<std::array<Memory, 2>, faces> given_;  // at both ends of a step, all variables
  std::array<GivenUpload<Backend>, faces> next_given_;
  std::array<PlaneShape, faces> planes_{};
};

template <class Backend>
ProjectionBoundaries<Backend>::ProjectionBoundaries(Backend& backend,
                                                    const Case& resolved,
                                                    const Subdomain& part,
                                                    StaggeredGrid grid,
                                                    const GridMetrics<Real>& metrics)
    : backend_(&backend),
      case_(resolved),
      conditions_(conditions_of(resolved)),
      values_(Backend::only_counts ? FaceValues() : FaceValues(resolved)),
      part_(part),
      grid_(std::move(grid)),
      layout_(part.points(), orders_of(grid_)),
      metrics_(metrics) {
  for (std::size_t face = 0; face < faces; ++face) {
    if (conditions_[face].is_outflow()) open_area_ += area_of(grid_, face);
    if (!part_.is_boundary(face)) continue;
    planes_[face] = PlaneShape::of(layout_.points, static_cast<int>(face / 2));
    for (Memory& end : given_[face]) {
      end = backend.template allocate<Real>(static_cast<std::size_t>(variables()) *
                                            planes_[face].count());
    }
    next_given_[face] = {variables(), planes_[face].count()};
  }
}

template <class Backend>
FaceView<typename Backend::Real> ProjectionBoundaries<Backend>::given(std::size_t face,
                                                                      int variable,
                                                                      int end) const {
  return planes_[face].view(given_[face][static_cast<std::size_t>(end)].data() +
                            static_cast<std::size_t>(variable) * planes_[face].count());
}

/// Evaluates given values at time t, for the end of the step. In a box without open faces all
/// normal velocities are set anew if one of them changes, as the mass balance connects them.
template <class Backend>
void ProjectionBoundaries<Backend>::evaluate_given(double t, bool only_what_moves) {
  NormalVelocities normal;
  bool normal_moves = !only_what_moves;
  for (std::size_t face = 0; face < faces; ++face) {
    const int across = static_cast<int>(face / 2);
    normal_moves |= conditions_[face][across].moves;
    if (!part_.is_boundary(face)) continue;
    for (int variable = 0; variable < variables(); ++variable) {
      if (is_carried_out(face, variable)) continue;
      if (only_what_moves && !conditions_[face][variable].moves) continue;
      std::vector<double> values = given_on_plane(values_, grid_, part_, face, variable, t);
      if (variable == across) {
        normal[face] = std::move(values);
      } else {
        next_given_[face].set(variable, values);
      }
    }
  }
  if (normal_moves) set_given_normal(std::move(normal), t);
  for (std::size_t face = 0; face < faces; ++face)
    next_given_[face].upload(*backend_, given_[face][static_cast<std::size_t>(1 - now_)].data());
}

/// Sets the normal velocities at time t, for the end of the step.
template <class Backend>
void ProjectionBoundaries<Backend>::set_given_normal(NormalVelocities normal, double t) {
  check_blowing(normal, t);
  if (open_area_ == 0) {
    for (std::size_t face = 0; face < faces; ++face) {
      if (!normal[face].empty()) given_normal_[face] = std::move(normal[face]);
    }
    normal = balanced(given_normal_);
  }
  for (std::size_t face = 0; face < faces; ++face) {
    if (normal[face].empty()) continue;
    for (double& value : normal[face]) value = static_cast<double>(static_cast<Real>(value));
    next_given_[face].set(static_cast<int>(face / 2), normal[face]);
    NormalVelocities alone;
    alone[face] = std::move(normal[face]);
    flux_out_[face] = fluxes_through(grid_, part_, alone).net;
  }
  double out = 0;
  for (const double flux : flux_out_) out += flux;
  inflow_ = -(backend_->is_divided() ? backend_->sum_of_ranks(std::array{out})[0] : out);
}

/// Throws CaseError where a wall lets through more than the error of a discrete mean of 0.
template <class Backend>
void ProjectionBoundaries<Backend>::check_blowing(const NormalVelocities& normal, double t) {
  const auto is_blown = [this](std::size_t face) {
    return conditions_[face].is_wall() &&
           !conditions_[face][static_cast<int>(face / 2)].given.is_zero();
  };
  for (std::size_t face = 0; face < faces; ++face) {
    if (!is_blown(face)) continue;
    NormalVelocities alone;
    alone[face] = normal[face];
    const PlaneFluxes fluxes = fluxes_of_ranks(alone);
    if (std::abs(fluxes.net) <= most_imbalance * fluxes.gross) continue;
    throw CaseError("boundaries." + face_names[face] +
                    ".velocity: what is blown and sucked through the wall has a net flux of " +
                    std::to_string(fluxes.net) + " of " + std::to_string(fluxes.gross) +
                    " U L^2 at t = " + std::to_string(t) +
                    "; its mean must be 0, or the face of type inflow or outflow");
  }
}

/// The velocities of a box without open faces, with no net flux.
template <class Backend>
NormalVelocities ProjectionBoundaries<Backend>::balanced(NormalVelocities normal) {
  const PlaneFluxes fluxes = fluxes_of_ranks(normal);
  if (std::abs(fluxes.net) > most_imbalance * fluxes.gross) {
    throw CaseError(
        "boundaries: what flows into the box through its faces does not flow out (net " +
        std::to_string(-fluxes.net) + " of " + std::to_string(fluxes.gross) +
        " U L^2 in and out); let one face be of type outflow");
  }
  imbalance_ = fluxes.gross > 0 ? -fluxes.net / fluxes.gross : 0;
  balance(fluxes, normal);
  return normal;
}

/// Those through the whole faces of the box.
template <class Backend>
PlaneFluxes ProjectionBoundaries<Backend>::fluxes_of_ranks(const NormalVelocities& normal) {
  const PlaneFluxes own = fluxes_through(grid_, part_, normal);
  if (!backend_->is_divided()) return own;
  const auto [net, gross] = backend_->sum_of_ranks(std::array{own.net, own.gross});
  return {.net = net, .gross = gross};
}

template <class Backend>
template <Axis axis>
void ProjectionBoundaries<Backend>::carry_out_across(
    std::size_t face, double way, const FieldView<Real>& field, int variable, Box box) {
  constexpr int a = static_cast<int>(axis);
  const bool is_high = face % 2 != 0;
  const bool is_on_plane = variable == a;
  const StaggeredAxis& along_axis = grid_[static_cast<std::size_t>(a)];
  const int n = along_axis.cells();
  const int planes = part_.points()[a];
  const double last_width = along_axis.width(is_high ? n - 1 : 0);
  const double next_width = along_axis.width(is_high ? (n > 1 ? n - 2 : 0) : (n > 1 ? 1 : 0));
  const double to_first = is_on_plane ? last_width : last_width / 2;
  const double to_second = to_first + (is_on_plane ? next_width : (last_width + next_width) / 2);
  // The point `way` upstream, as fractions of the distances plane - first - second unknown.
  const double first = std::min(way / to_first, 1.0);
  const double second = std::min(std::max(way - to_first, 0.0) / (to_second - to_first), 1.0);
  const int last_plane = is_high ? planes : (is_on_plane ? 0 : -1);
  box.begin = placed<axis>(box.begin, last_plane);
  box.end = placed<axis>(box.end, last_plane + 1);
  backend_->for_each(box,
                     CarryOut<axis, Real>{field.as_const(),
                                          given(face, variable, now_),
                                          given(face, variable, 1 - now_),
                                          {static_cast<Real>(1 - first),
                                           static_cast<Real>(first * (1 - second)),
                                           static_cast<Real>(first * second)},
                                          is_high ? -1 : 1,
                                          is_on_plane});
}

/// Sets outflow faces to the values a distance `way` [L] upstream of them.
template <class Backend>
void ProjectionBoundaries<Backend>::carry_out(double way,
                                              const VelocityView<Real>& velocity,
                                              const ScalarViews<Real>& scalars) {
  for (std::size_t face = 0; face < faces; ++face) {
    if (!is_open(face)) continue;
    for (int variable = 0; variable < variables(); ++variable) {
      if (!is_carried_out(face, variable)) continue;
      const FieldView<Real> field =
          is_velocity(variable) ? velocity[variable] : scalars[variable - first_scalar];
      const Box box = layout_.all_stored();
      with_axis(static_cast<int>(face / 2),
                [&]<Axis axis>() { carry_out_across<axis>(face, way, field, variable, box); });
    }
  }
}

/// At outflow faces that are stabilised.
template <class Backend>
void ProjectionBoundaries<Backend>::slow_backflow(double dt, const VelocityView<Real>& velocity) {
  for (std::size_t face = 0; face < faces; ++face) {
    if (!is_open(face) || case_.faces[face].backflow != Backflow::stabilised) continue;
    with_axis(static_cast<int>(face / 2), [&]<Axis axis>() {
      const FieldView<Real>& normal = velocity[static_cast<int>(axis)];
      slow_backflow_across<axis, 0>(face, dt, normal);
      slow_backflow_across<axis, 1>(face, dt, normal);
      slow_backflow_across<axis, 2>(face, dt, normal);
    });
  }
}

template <class Backend>
template <Axis axis, int component>
void ProjectionBoundaries<Backend>::slow_backflow_across(std::size_t face,
                                                         double dt,
                                                         const FieldView<Real>& normal) {
  const StaggeredAxis& along_axis = grid_[static_cast<std::size_t>(axis)];
  const bool is_high = face % 2 != 0;
  const double width = along_axis.width(is_high ? along_axis.cells() - 1 : 0);
  const bool is_on_plane = component == static_cast<int>(axis);
  const int plane = is_high ? part_.points()[static_cast<int>(axis)] : 0;
  Box box = layout_.all_stored();
  if (!is_on_plane) box.begin[component] = 0;
  box.begin = placed<axis>(box.begin, plane);
  box.end = placed<axis>(box.end, plane + 1);
  backend_->for_each(
      box,
      SlowBackflow<axis, component, Real>{normal.as_const(),
                                          given(face, component, 1 - now_),
                                          static_cast<Real>(dt / (is_on_plane ? width : width / 2)),
                                          Real(is_high ? -1 : 1),
                                          plane});
}

/// Corrects the velocity through outflow faces: where all are stabilised that of what flows out by
/// a factor, so that fluid does not come back in for this alone; else by a uniform velocity.
template <class Backend>
void ProjectionBoundaries<Backend>::close_mass_balance() {
  if (open_area_ == 0) return;
  double net = 0;
  double out = 0;
  bool all_are_stabilised = true;
  const auto for_each_open_face = [&](const auto& visit) {
    for (std::size_t face = 0; face < faces; ++face) {
      if (!conditions_[face].is_outflow()) continue;
      all_are_stabilised &= case_.faces[face].backflow == Backflow::stabilised;
      with_axis(static_cast<int>(face / 2),
                [&]<Axis axis>() { visit.template operator()<axis>(face); });
    }
  };
  // Of another rank's face it is empty: all ranks add up.
  const auto one_plane = [&]<Axis axis>(Box box, std::size_t face) {
    box.begin = placed<axis>(box.begin, 0);
    box.end = placed<axis>(box.end, is_open(face) ? 1 : 0);
    return box;
  };
  const auto outward = [](std::size_t face) { return Real(face % 2 == 0 ? -1 : 1); };
  for_each_open_face([&]<Axis axis>(std::size_t face) {
    using Flux = PlaneFlux<axis, Real>;
    const auto flux = backend_->template reduce<Flux::sums, 0>(
        one_plane.template operator()<axis>(layout_.all_points(), face),
        Flux{is_open(face) ? given(face, static_cast<int>(axis), 1 - now_).as_const()
                           : FaceView<const Real>{},
             metrics_,
             outward(face)});
    net += flux.sum[Flux::net];
    out += flux.sum[Flux::out];
  });
  const double excess = net - inflow_;
  const bool has_factor = all_are_stabilised && excess < out;  // the factor is then above 0
  for_each_open_face([&]<Axis axis>(std::size_t face) {
    if (!is_open(face)) return;
    backend_->for_each(
        one_plane.template operator()<axis>(layout_.all_stored(), face),
        ShiftGiven<Real>{
            given(face, static_cast<int>(axis), 1 - now_),
            has_factor ? Real(0) : outward(face) * static_cast<Real>(-excess / open_area_),
            has_factor ? static_cast<Real>(-excess / out) : Real(0),
            outward(face)});
  });
}

template <class Backend>
void ProjectionBoundaries<Backend>::start(double t,
                                          const VelocityView<Real>& velocity,
                                          const ScalarViews<Real>& scalars) {
  for (int end = 0; end < 2; ++end) {
    now_ = 1 - now_;
    evaluate_given(t, false);
  }
  carry_out(std::numeric_limits<double>::max(), velocity, scalars);
  close_mass_balance();
}

template <class Backend>
void ProjectionBoundaries<Backend>::begin_step(double t,
                                               double dt,
                                               const VelocityView<Real>& velocity,
                                               const ScalarViews<Real>& scalars) {
  now_ = 1 - now_;
  const double speed = open_area_ > 0 ? std::max(inflow_, 0.0) / open_area_ : 0;
  evaluate_given(t + dt, true);
  carry_out(speed * dt, velocity, scalars);
  slow_backflow(dt, velocity);
  close_mass_balance();
}

/// A normal velocity that jumps makes the flow jump along all faces and bodies.
template <class Backend>
bool ProjectionBoundaries<Backend>::value_jumps(double t, double dt) {
  constexpr int times = 6;
  bool is_asked = false;  // alike on all ranks
  bool jumps = false;
  for (std::size_t face = 0; face < faces; ++face) {
    for (int variable = 0; variable < variables(); ++variable) {
      if (!may_jump(conditions_[face][variable])) continue;
      const bool is_normal = variable == static_cast<int>(face / 2);
      const double rate = is_normal ? largest_given_rate(case_, grid_) : rate_of(face, variable);
      if (!rings_after_jump(dt, rate)) continue;
      is_asked = true;
      if (jumps || !part_.is_boundary(face)) continue;
      std::vector<std::vector<double>> latest_first;
      for (int before = 0; before < times; ++before) {
        const double at = std::max(t + (1 - before) * dt, 0.0);  // as at the start before it
        latest_first.push_back(given_on_plane(values_, grid_, part_, face, variable, at));
      }
      jumps = ends_with_jump(latest_first);
    }
  }
  if (!is_asked || !backend_->is_divided()) return jumps;
  return backend_->sum_of_ranks(std::array{jumps ? 1.0 : 0.0})[0] > 0;
}

template <class Backend>
double ProjectionBoundaries<Backend>::rate_of_jumps(const VelocityView<const Real>& velocity,
                                                    const ScalarViews<const Real>& scalars) {
  double largest = largest_rate_of_bodies(case_, grid_);
  for (std::size_t face = 0; face < faces; ++face) {
    for (int variable = 0; variable < variables(); ++variable) {
      const double rate = rate_of(face, variable);
      if (rate <= largest || variable == static_cast<int>(face / 2)) continue;
      const FieldView<const Real> field =
          is_velocity(variable) ? velocity[variable] : scalars[variable - first_scalar];
      with_axis(static_cast<int>(face / 2), [&]<Axis axis>() {
        if (differs_as_by_jump<axis>(face, variable, field)) largest = rate;
      });
    }
  }
  return largest;
}

/// Whether what the field's last two planes extrapolate to where a value is given, on the plane or
/// beyond it, differs from that by more than curvature explains: by half a per cent of the larger
/// difference from these planes.
template <class Backend>
template <Axis axis>
bool ProjectionBoundaries<Backend>::differs_as_by_jump(std::size_t face,
                                                       int variable,
                                                       const FieldView<const Real>& field) {
  constexpr double small_part = 0.005;
  constexpr double round_off = 64 * static_cast<double>(std::numeric_limits<Real>::epsilon());
  using Kernel = JumpAtPlane<axis, Real>;
  constexpr auto a = static_cast<std::size_t>(axis);
  const bool is_high = face % 2 != 0;
  const int n = grid_[a].cells();
  const double width = grid_[a].width(is_high ? n - 1 : 0);
  const double next_width = grid_[a].width(is_high ? std::max(n - 2, 0) : std::min(n - 1, 1));
  const double beyond = conditions_[face][variable].distance_of_given();
  const bool is_here = part_.is_boundary(face);
  Box box = layout_.all_points();
  const int plane = is_high ? part_.points()[static_cast<int>(axis)] - 1 : 0;
  box.begin = placed<axis>(box.begin, plane);
  box.end = placed<axis>(box.end, is_here ? plane + 1 : plane);
  const auto reduction = backend_->template reduce<0, Kernel::maxima>(
      box,
      Kernel{field,
             is_here ? given(face, variable, 1 - now_).as_const() : FaceView<const Real>{},
             static_cast<Real>((width + 2 * beyond) / (width + next_width)),
             is_high ? -1 : 1});
  const double jump = reduction.maximum[Kernel::jump];
  return jump > small_part * reduction.maximum[Kernel::difference] &&
         jump > round_off * reduction.maximum[Kernel::size];
}

template <class Backend>
LineEnd<typename Backend::Real> ProjectionBoundaries<Backend>::line_end(Axis axis,
                                                                        int variable,
                                                                        bool is_high_end) const {
  const std::size_t face = face_index(static_cast<int>(axis), is_high_end);
  if (!part_.is_boundary(face)) return {};
  const BoundaryClosure<double> exact = staggered_closure(conditions_, grid_, face, variable);
  return {{static_cast<Real>(exact.first), Real(0), static_cast<Real>(exact.weight)},
          given(face, variable, now_).as_const(),
          given(face, variable, 1 - now_).as_const()};
}

template <class Backend>
StaggeredClosures<typename Backend::Real> ProjectionBoundaries<Backend>::closures(
    const Variables& variables) const {
  StaggeredClosures<Real> all;
  all.cells = layout_.points;
  for (std::size_t face = 0; face < faces; ++face) {
    const auto axis = static_cast<int>(face / 2);
    all.is_periodic[axis] = part_.is_periodic(axis);
    all.is_seam[axis][face % 2] = part_.ends[face / 2][face % 2] == End::neighbour;
    for (std::size_t slot = 0; slot < variables.size(); ++slot) {
      auto& plane = all.planes[slot][axis][face % 2];
      if (variables[slot] < transported_variables(case_)) {
        const LineEnd<Real> end = line_end(static_cast<Axis>(axis), variables[slot], face % 2 != 0);
        plane = {end.closure, end.given_next};
      } else {
        plane.closure = {Real(1), Real(0), Real(0)};
      }
    }
  }
  return all;
}

/// Calls the kernel for the outermost points of a box that are not beyond a seam, on the planes of
/// some cells and, next to these, beyond ends of the box along z.
template <class Backend>
template <class Kernel>
void ProjectionBoundaries<Backend>::for_outermost_points(Box box,
                                                         const Kernel& kernel,
                                                         const Box& cells) {
  BoundaryPlanes planes = BoundaryPlanes::all();
  for (std::size_t face = 0; face < faces; ++face) {
    if (part_.ends[face / 2][face % 2] == End::neighbour)
      planes.is_included[face / 2][face % 2] = false;
  }
  if (cells.begin.k > 0) planes.is_included[2][0] = false;
  if (cells.end.k < layout_.points.nz) planes.is_included[2][1] = false;
  if (!planes.is_included[2][0]) box.begin.k = cells.begin.k;
  if (!planes.is_included[2][1]) box.end.k = cells.end.k;
  backend_->for_each_on_boundary(box, planes, kernel);
}

/// Fills planes beyond the seams to other ranks from theirs, also their ghost points.
template <class Backend>
void ProjectionBoundaries<Backend>::exchange(const Fields& fields, int low, int high) {
  if (!backend_->is_divided()) return;
  std::vector<Real*> words;
  for (const FieldView<Real>& field : fields) {
    if (field.origin != nullptr) words.push_back(field.origin - layout_.origin(sizeof(Real)));
  }
  backend_->exchange(layout_, 1, words, {low, high});
}

template <class Backend>
void ProjectionBoundaries<Backend>::set_own_normal_velocity(const VelocityView<Real>& velocity) {
  if (has_second_order()) {
    for_outermost_points(layout_.all_faces(),
                         SetNormalVelocity<Real>{velocity, closures(first_variables())},
                         layout_.all_points());
  }
  for_each_axis([&]<Axis axis>() {
    constexpr int a = static_cast<int>(axis);
    const int pairs = order_along(a) / 2;
    if (pairs == 1) return;
    Fields normal{};
    normal[static_cast<std::size_t>(a)] = velocity[a];
    fill_along<axis>(normal, layout_.all_points(), pairs - 1, pairs);
  });
}

/// Ghost points of fields along an axis of higher order, for the points of `across` along the
/// others; beyond seams for all stored points. Also the normal velocity on planes of symmetry.
template <class Backend>
template <Axis axis>
void ProjectionBoundaries<Backend>::fill_along(const Fields& fields,
                                               Box across,
                                               int low,
                                               int high) {
  constexpr int a = static_cast<int>(axis);
  if (axis == Axis::z && backend_->is_divided()) return exchange(fields, low, high);
  across.begin[a] = 0;
  across.end[a] = low + high;
  const auto fill_by = [&](auto kernel) {
    std::copy(fields.begin(), fields.end(), kernel.fields);
    backend_->for_each(across, kernel);
  };
  if (grid_[static_cast<std::size_t>(a)].is_periodic) {
    fill_by(RepeatPeriodic<axis, Real>{{}, low, layout_.points[a]});
  } else {
    fill_by(ReflectAtPlanes<axis, Real>{{}, low, layout_.points[a]});
  }
}

template <class Backend>
void ProjectionBoundaries<Backend>::fill_further_ghosts(const VelocityView<Real>& velocity,
                                                        const FieldView<Real>& p,
                                                        const ScalarViews<Real>& scalars) {
  for_each_batch(velocity, p, scalars, [this](const Fields& fields, const Variables&) {
    fill_further(fields, [](int order) { return order - 1; });
  });
}

/// Calls use(fields, their variables) for what one launch fills: u, v, w, the first scalar and p;
/// then further scalars.
template <class Backend>
template <class Use>
void ProjectionBoundaries<Backend>::for_each_batch(const VelocityView<Real>& velocity,
                                                   const FieldView<Real>& p,
                                                   const ScalarViews<Real>& scalars,
                                                   const Use& use) const {
  use({velocity[0], velocity[1], velocity[2], scalars.first, p}, first_variables());
  for (int next = 1; next < scalars.count;) {
    Fields fields{};
    Variables variables{};
    for (std::size_t slot = 0; slot < fields.size() && next < scalars.count; ++slot, ++next) {
      fields[slot] = scalars[next];
      variables[slot] = first_scalar + next;
    }
    use(fields, variables);
  }
}

/// Along x, then y, then z, each with the ghost points of those before it. ghosts_of(order): how
/// many at each end.
template <class Backend>
template <class GhostsOf>
void ProjectionBoundaries<Backend>::fill_further(const Fields& fields, const GhostsOf& ghosts_of) {
  Box across = has_second_order() ? layout_.with_one_ghost() : layout_.all_points();
  for_each_axis([&]<Axis axis>() {
    constexpr int a = static_cast<int>(axis);
    if (order_along(a) == 2) return;
    const int ghosts = ghosts_of(order_along(a));
    fill_along<axis>(fields, across, ghosts, ghosts);
    across.begin[a] = -ghosts;
    across.end[a] = layout_.points[a] + ghosts;
  });
}

/// The first ghost points, where FillGhosts has any to fill; beyond seams where these are all.
template <class Backend>
void ProjectionBoundaries<Backend>::fill(const Fields& fields, const Variables& variables) {
  if (!has_second_order()) return;
  fill_own(fields, variables, layout_.all_points());
  if (order_along(2) == 2) exchange(fields, 1, 1);
}

/// Without those beyond seams, on the planes of some cells.
template <class Backend>
void ProjectionBoundaries<Backend>::fill_own(const Fields& fields,
                                             const Variables& variables,
                                             const Box& cells) {
  FillGhosts<Real> kernel{{}, closures(variables)};
  std::copy(fields.begin(), fields.end(), kernel.fields);
  for_outermost_points(layout_.with_one_ghost(), kernel, cells);
}

template <class Backend>
void ProjectionBoundaries<Backend>::fill_ghosts(const VelocityView<Real>& velocity,
                                                const FieldView<Real>& p,
                                                const ScalarViews<Real>& scalars) {
  for_each_batch(velocity, p, scalars, [this](const Fields& fields, const Variables& variables) {
    fill(fields, variables);
    fill_further(fields, [](int order) { return order - 1; });
  });
}

template <class Backend>
void ProjectionBoundaries<Backend>::fill_ghosts(const FieldView<Real>& phi) {
  Fields fields{};
  fields[pressure_variable] = phi;
  fill(fields, first_variables());
  fill_further(fields, [](int order) { return order / 2; });
}

template <class Backend>
template <class Correct>
void ProjectionBoundaries<Backend>::fill_ghosts_around(const Correct& correct,
                                                       const FieldView<Real>& phi,
                                                       const VelocityView<Real>& velocity,
                                                       const FieldView<Real>& p,
                                                       const ScalarViews<Real>& scalars) {
  backend_->enter(phase::boundaries);
  if (!has_second_order_only()) {
    fill_ghosts(phi);
    correct(layout_.all_points());
    backend_->enter(phase::boundaries);
    return fill_ghosts(velocity, p, scalars);
  }
  Fields correction{};
  correction[pressure_variable] = phi;
  fill_own(correction, first_variables(), layout_.all_points());
  backend_->work_around_messages(
      layout_.all_points(),
      [&] { exchange(correction, 1, 1); },
      [&](const Box& cells) {
        correct(cells);
        backend_->enter(phase::boundaries);
        for_each_batch(velocity, p, scalars, [&](const Fields& fields, const Variables& variables) {
          fill_own(fields, variables, cells);
        });
      },
      [&] {
        for_each_batch(velocity, p, scalars, [&](const Fields& fields, const Variables&) {
          exchange(fields, 1, 1);
        });
      });
}

}  // namespace dns
